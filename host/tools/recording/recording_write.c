/* SPDX-License-Identifier: Apache-2.0
 *
 * The writer of recordings: records are gathered into a chunk, which goes out packed when it is long enough or when
 * asked for. Nothing is held back but the chunk being built, and that lies in the state: the process that has it can go
 * on where a process that was killed stopped. For that, progress is kept twice: the next one is filled in beside the
 * valid one and becomes valid by a single store, after the bytes that it tells of.
 *
 * Into a pipe it goes unpacked and in short chunks: what reads there wants to begin.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>
#ifndef __wasi__
#include <signal.h>
#endif

#include "tools/recording/recording.h"

/* A pipe's reader waits for what is written, and nothing is kept. */
enum { PACK_LEVEL = 4, PIPE_LEVEL = 0, PIPE_TARGET = 1 << 16 };

struct recording_writer {
    FILE *file;
    struct recording_state *state, *own; /* own: to be freed with the writer, or NULL */
    struct recording_progress now;       /* not yet valid between two commits */
    bool is_pipe;
    enum recording_reason reason; /* of the last BECAUSE; RECORDING_REASONS: another writer knows */
    int error;                    /* errno of the first failure */
};

struct recording_progress recording_progress(const struct recording_state *state)
{
    return state->progress[atomic_load_explicit(&state->current, memory_order_acquire) & 1u];
}

/* What lies in the file and in `raw` now is whole. */
static void commit(struct recording_writer *writer)
{
    uint32_t next = ~atomic_load_explicit(&writer->state->current, memory_order_relaxed) & 1u;
    writer->state->progress[next] = writer->now;
    atomic_store_explicit(&writer->state->current, next, memory_order_release);
}

uint32_t recording_unit_bytes(uint32_t format)
{
    switch (format) {
    case RECORDING_INDEX8: return 1;
    case RECORDING_RGB565:
    case RECORDING_ARGB1555:
    case RECORDING_XRGB1555: return 2;
    case RECORDING_RGB888: return 3;
    case RECORDING_XRGB8888:
    case RECORDING_ARGB8888: return 4;
    default: return 0;
    }
}

/* ------------------------------------------------------------------ maps */

static int32_t map_sum(int32_t start, int32_t step_x, int32_t step_y, uint32_t x, uint32_t y)
{
    return (int32_t)((uint32_t)start + x * (uint32_t)step_x + y * (uint32_t)step_y);
}

struct recording_map recording_map_from(const struct recording_map *map, uint32_t x, uint32_t y)
{
    struct recording_map moved = *map;
    moved.u = map_sum(map->u, map->u_x, map->u_y, x, y);
    moved.v = map_sum(map->v, map->v_x, map->v_y, x, y);
    return moved;
}

void recording_map_at(const struct recording_map *map, uint32_t x, uint32_t y, uint32_t *column, uint32_t *row)
{
    const int32_t u = map_sum(map->u, map->u_x, map->u_y, x, y), v = map_sum(map->v, map->v_x, map->v_y, x, y);
    *column = u < 0 ? 0 : (uint32_t)u >> 16;
    *row = v < 0 ? 0 : (uint32_t)v >> 16;
}

/* The unit between four, for target unit (x, y). */
static void lay_filtered(const struct recording_map *map, const uint8_t *source, size_t pitch, uint32_t x, uint32_t y,
                         uint8_t unit[4])
{
    const int32_t u = map_sum(map->u, map->u_x, map->u_y, x, y), v = map_sum(map->v, map->v_x, map->v_y, x, y);
    const uint32_t right = (uint32_t)u >> 9 & 127u, low = (uint32_t)v >> 9 & 127u;
    uint32_t column, row;
    recording_map_at(map, x, y, &column, &row);
    /* Left of the first unit, and above, both are the first. */
    const uint32_t next = u < 0 || column + 1u == map->width ? column : column + 1u;
    const uint32_t below = v < 0 || row + 1u == map->height ? row : row + 1u;
    const uint8_t *upper = source + row * pitch, *lower = source + below * pitch;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t left_sum = upper[column * 4u + i] * (128u - low) + lower[column * 4u + i] * low;
        const uint32_t right_sum = upper[next * 4u + i] * (128u - low) + lower[next * 4u + i] * low;
        unit[i] = (uint8_t)((left_sum * (128u - right) + right_sum * right) >> 14);
    }
}

void recording_map_lay(const struct recording_map *map, uint32_t unit_bytes, const uint8_t *source, size_t pitch,
                       uint32_t width, uint32_t height, uint8_t *laid, size_t laid_pitch)
{
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t column, row, x = i % width, y = i / width;
        uint8_t *to = laid + y * laid_pitch + (size_t)x * unit_bytes;
        if (map->is_filtered) {
            lay_filtered(map, source, pitch, x, y, to);
            continue;
        }
        recording_map_at(map, x, y, &column, &row);
        memcpy(to, source + row * pitch + (size_t)column * unit_bytes, unit_bytes);
    }
}

/* From first to last unit along one axis of the source. */
static bool axis_fits(int64_t start, int64_t step, uint32_t units, uint32_t count)
{
    const int64_t last = start + step * ((int64_t)units - 1), end = (int64_t)count << 16;
    return step != 0 && start >= 0 && start < end && last >= 0 && last < end;
}

bool recording_map_fits(const struct recording_map *map, uint32_t width, uint32_t height)
{
    if (map->width == 0 || map->height == 0 || map->width > RECORDING_SIDE || map->height > RECORDING_SIDE)
        return false;
    const int64_t half = map->is_filtered ? 1 << 15 : 0, u = map->u + half, v = map->v + half;
    if (map->u_y == 0 && map->v_x == 0)
        return axis_fits(u, map->u_x, width, map->width) && axis_fits(v, map->v_y, height, map->height);
    return map->u_x == 0 && map->v_y == 0 && axis_fits(u, map->u_y, height, map->width) &&
           axis_fits(v, map->v_x, width, map->height);
}

/* ------------------------------------------------------------------ formats and modes */

bool recording_has_alpha(enum recording_format format)
{
    return format == RECORDING_ARGB8888 || format == RECORDING_ARGB1555;
}

bool recording_is_keyed(enum recording_mode mode) { return ((uint32_t)mode & 1u) != 0; }

enum recording_mode recording_unkeyed(enum recording_mode mode) { return (enum recording_mode)((uint32_t)mode & ~1u); }

static enum recording_reason blend_reason(const struct recording_event *event, enum recording_format source,
                                          enum recording_format target)
{
    bool is_keyed = recording_is_keyed(event->mode), has_alpha = recording_has_alpha(source);
    if (event->colour != RECORDING_WHITE) return REASON_COLOURED;
    if (has_alpha && (is_keyed || event->alpha != 255)) return REASON_ALPHA_TWICE;
    if (!has_alpha && event->alpha == 255) return REASON_OPAQUE;
    if (source == RECORDING_ARGB8888 &&
        (target == RECORDING_ARGB1555 || target == RECORDING_XRGB1555 || target == RECORDING_ARGB8888))
        return REASON_ALPHA_ONTO;
    if (source == RECORDING_XRGB8888 && target == RECORDING_ARGB8888 && !is_keyed) return REASON_CONSTANT_ONTO;
    return REASON_NONE;
}

/* SDL has four: copies and blends with a constant alpha, without and with a key. */
static enum recording_reason indexed_reason(const struct recording_event *event)
{
    const bool is_blend = recording_unkeyed(event->mode) == RECORDING_BLEND;
    const bool is_copy = recording_unkeyed(event->mode) == RECORDING_COPY;
    if (event->map.width != 0 || event->colour != RECORDING_WHITE) return REASON_INDEXED;
    if (is_blend && event->alpha == 255) return REASON_OPAQUE;
    return is_blend || (is_copy && event->alpha == 255) ? REASON_NONE : REASON_INDEXED;
}

enum recording_reason recording_blit_reason(const struct recording_event *event, enum recording_format source,
                                            enum recording_format target)
{
    bool is_plain = event->mode == RECORDING_COPY && event->alpha == 255 && event->colour == RECORDING_WHITE;
    if (event->mode >= RECORDING_MODES) return REASON_MODE;
    if (target == RECORDING_INDEX8) return REASON_PALETTE;
    if (source == RECORDING_INDEX8) return indexed_reason(event);
    if (event->source == event->surface && (!is_plain || event->map.width != 0)) return REASON_ITSELF;
    if (event->map.is_filtered && (recording_is_keyed(event->mode) || event->mode == RECORDING_BLEND ||
                                   recording_unit_bytes((uint32_t)source) != 4))
        return REASON_FILTERED;
    if (recording_unkeyed(event->mode) == RECORDING_BLEND) return blend_reason(event, source, target);
    if (is_plain && source == RECORDING_RGB565 && recording_unit_bytes((uint32_t)target) == 4) return REASON_WIDENED;
    return REASON_NONE;
}

const char *recording_reason_words(enum recording_reason reason)
{
    static const char *const words[RECORDING_REASONS] = {
        [REASON_NONE] = "the recording does not say why",
        [REASON_MODE] = "the mode is unknown",
        [REASON_ITSELF] = "of a surface onto itself, not as a plain copy",
        [REASON_COLOURED] = "a blend of modulated colours",
        [REASON_ALPHA_TWICE] = "a blend by the source's alpha, with a key or a constant alpha",
        [REASON_OPAQUE] = "a blend of alpha 255, which is COPY or KEY",
        [REASON_ALPHA_ONTO] = "a blend from ARGB8888 onto 15 bits or onto ARGB8888",
        [REASON_CONSTANT_ONTO] = "a constant alpha from XRGB8888 onto ARGB8888",
        [REASON_WIDENED] = "a plain copy from RGB565 to 32 bits per pixel",
        [REASON_ODD] = "another blend mode, or a palette with alpha",
        [REASON_UNSEEN] = "from a surface whose pixels cannot be read",
        [REASON_KEYED_ALPHA] = "a key of a source with alpha (SDL 1.2)",
        [REASON_CONSTANT_ALPHA] = "a constant alpha that becomes the target's (SDL 1.2)",
        [REASON_KEEPS_ALPHA] = "a blend onto a surface that keeps its alpha (SDL 1.2)",
        [REASON_SCALED] = "a scaled copy that the GPU's scaling does not reproduce",
        [REASON_TURNED] = "a copy turned by another angle than a quarter (SDL's renderer)",
        [REASON_LINE] = "a slanted or scaled line, or many points (SDL's renderer)",
        [REASON_TRIANGLE] = "triangles that do not make a rectangle (SDL's renderer)",
        [REASON_FLAT] = "a blended rectangle (SDL's renderer)",
        [REASON_BYTES] = "a blend of bytes in another order than ARGB",
        [REASON_OTHERWISE] = "drawn differently by SDL's renderer than expected",
        [REASON_ROUNDED] = "rounded differently by SDL 1.2 or SDL 3",
        [REASON_PALETTE] = "onto 8 bits with another palette",
        [REASON_FILTERED] = "a turned, blended or keyed copy with a filter",
        [REASON_INDEXED] = "of 8 bits, and neither a copy nor a blend by a constant alpha",
        [REASON_WIDTH] = "from or onto channels that are not 565, 555, 1555 or 8 bits wide",
        [REASON_KEY_BITS] = "a colour key with bits outside of the colour",
        [REASON_GAVE_WAY] = "of a surface that was dropped: more than 4,096 are in use",
        [REASON_FIRST] = "the first pixels of a new surface",
        [REASON_PROGRAM] = "drawn by the program itself",
        [REASON_COLOURS] = "written again after a palette or a format changed",
    };
    return reason < RECORDING_REASONS ? words[reason] : "unknown";
}

const char *recording_blit_refusal(const struct recording_event *event, enum recording_format source,
                                   enum recording_format target)
{
    enum recording_reason reason = recording_blit_reason(event, source, target);
    return reason != REASON_NONE ? recording_reason_words(reason) : NULL;
}

/* ------------------------------------------------------------------ chunks */

static void word_put(uint8_t *to, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) to[i] = (uint8_t)(word >> 8u * i);
}

static void write_bytes(struct recording_writer *writer, const void *bytes, size_t count)
{
    if (count != 0 && writer->error == 0 && fwrite(bytes, 1, count, writer->file) != count)
        writer->error = errno != 0 ? errno : EIO;
    writer->now.file_bytes += count;
}

/* A header and what follows it, out of the library's buffer. */
static void write_through(struct recording_writer *writer, const void *header, size_t header_bytes, const void *body,
                          size_t body_bytes)
{
    write_bytes(writer, header, header_bytes);
    write_bytes(writer, body, body_bytes);
    if (fflush(writer->file) != 0 && writer->error == 0) writer->error = errno;
}

/* Likewise; where a pipe's reader is gone that is an error like any other, and no signal. */
#ifdef __wasi__ /* in a browser: neither pipes nor signals */
#define send write_through
#else
static void send(struct recording_writer *writer, const void *header, size_t header_bytes, const void *body,
                 size_t body_bytes)
{
    const struct timespec at_once = {0, 0};
    sigset_t pipe_signal, before, waiting;
    sigemptyset(&pipe_signal);
    if (writer->is_pipe) sigaddset(&pipe_signal, SIGPIPE);
    (void)pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    write_through(writer, header, header_bytes, body, body_bytes);
    if (writer->is_pipe && writer->error == EPIPE && sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE) == 1)
        (void)sigtimedwait(&pipe_signal, NULL, &at_once);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}
#endif

int recording_flush(struct recording_writer *writer)
{
    uint8_t header[RECORDING_CHUNK_BYTES] = {'C', 'H', 'N', 'K'};
    struct recording_progress *now = &writer->now;
    uLongf packed_bytes = compressBound(now->raw_bytes);
    uint8_t *packed = malloc(packed_bytes);
    if (now->raw_bytes != 0 && writer->error == 0) {
        if (packed == NULL || compress2(packed, &packed_bytes, writer->state->raw, now->raw_bytes,
                                        writer->is_pipe ? PIPE_LEVEL : PACK_LEVEL) != Z_OK) {
            writer->error = ENOMEM;
        } else {
            word_put(header + 4, (uint32_t)packed_bytes);
            word_put(header + 8, now->raw_bytes);
            word_put(header + 12, now->frames_written);
            uLong crc = crc32(crc32(0, header + 4, 12), packed, (uInt)packed_bytes);
            word_put(header + 16, (uint32_t)crc);
            send(writer, header, sizeof header, packed, packed_bytes);
        }
    }
    free(packed);
    now->raw_bytes = 0;
    now->frames_written = now->frames;
    if (writer->error == 0) commit(writer);
    errno = writer->error;
    return writer->error == 0 ? 0 : -1;
}

/* ------------------------------------------------------------------ records */

static void put(struct recording_writer *writer, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) writer->state->raw[writer->now.raw_bytes++] = (uint8_t)(value >> 8u * i);
}

static void put_rect(struct recording_writer *writer, const struct recording_rect *rect)
{
    put(writer, rect->x, 2);
    put(writer, rect->y, 2);
    put(writer, rect->width, 2);
    put(writer, rect->height, 2);
}

static void put_blit(struct recording_writer *writer, const struct recording_event *event)
{
    put(writer, event->source, 2);
    put(writer, event->rect.x, 2);
    put(writer, event->rect.y, 2);
    put(writer, event->source_x, 2);
    put(writer, event->source_y, 2);
    put(writer, event->rect.width, 2);
    put(writer, event->rect.height, 2);
    put(writer, (uint32_t)event->mode, 1);
    put(writer, event->alpha, 1);
    put(writer, event->key, 4);
    put(writer, event->colour >> 16, 1);
    put(writer, event->colour >> 8 & 255u, 1);
    put(writer, event->colour & 255u, 1);
    if (event->map.width == 0) return;
    const int32_t map[] = {event->map.u, event->map.v, event->map.u_x, event->map.v_x, event->map.u_y, event->map.v_y};
    put(writer, event->map.width, 2);
    put(writer, event->map.height, 2);
    for (size_t i = 0; i < sizeof map / sizeof *map; i++) put(writer, (uint32_t)map[i], 4);
}

static void put_pixels(struct recording_writer *writer, const struct recording_event *event)
{
    uint32_t bytes = event->rect.width * event->rect.height * recording_unit_bytes((uint32_t)event->format);
    put_rect(writer, &event->rect);
    memcpy(writer->state->raw + writer->now.raw_bytes, event->pixels, bytes);
    writer->now.raw_bytes += bytes;
}

static void put_palette(struct recording_writer *writer, const struct recording_event *event)
{
    for (uint32_t i = 0; i < RECORDING_COLOURS; i++)
        for (unsigned lsb = 24; lsb > 0; lsb -= 8) put(writer, event->colours[i] >> (lsb - 8) & 255u, 1);
}

static void put_operands(struct recording_writer *writer, const struct recording_event *event)
{
    switch (event->kind) {
    case RECORDING_END: break;
    case RECORDING_SURFACE:
        put(writer, (uint32_t)event->format, 1);
        put(writer, event->rect.width, 2);
        put(writer, event->rect.height, 2);
        break;
    case RECORDING_FREE: break;
    case RECORDING_PALETTE: put_palette(writer, event); break;
    case RECORDING_PIXELS: put_pixels(writer, event); break;
    case RECORDING_FILL:
        put_rect(writer, &event->rect);
        put(writer, event->unit, 4);
        break;
    case RECORDING_BLIT: put_blit(writer, event); break;
    case RECORDING_PRESENT:
        put(writer, event->milliseconds, 2);
        writer->now.frames++;
        break;
    case RECORDING_LEFT:
    case RECORDING_MAPPED:
    case RECORDING_FILTERED:
    case RECORDING_BECAUSE:
    case RECORDING_KINDS: break;
    }
}

static int add_record(struct recording_writer *writer, const struct recording_event *event)
{
    const bool is_mapped = event->kind == RECORDING_BLIT && event->map.width != 0;
    const enum recording_kind mapped = event->map.is_filtered ? RECORDING_FILTERED : RECORDING_MAPPED;
    put(writer, (uint32_t)(is_mapped ? mapped : event->kind), 1);
    if (event->kind == RECORDING_END) {
        put(writer, writer->now.frames, 4);
        put(writer, writer->now.records, 4);
    } else if (event->kind == RECORDING_LEFT) {
        put(writer, (uint32_t)event->reason, 2);
        put(writer, event->blits, 4);
    } else if (event->kind == RECORDING_BECAUSE) {
        put(writer, (uint32_t)event->reason, 2);
    } else {
        put(writer, event->surface, 2);
        put_operands(writer, event);
    }
    writer->now.records++;
    if (writer->now.raw_bytes >= (writer->is_pipe ? (uint32_t)PIPE_TARGET : (uint32_t)RECORDING_CHUNK_TARGET))
        return recording_flush(writer);
    if (writer->error == 0) commit(writer);
    errno = writer->error;
    return writer->error == 0 ? 0 : -1;
}

int recording_add(struct recording_writer *writer, const struct recording_event *event)
{
    struct recording_event band = *event;
    int status = 0;
    if (event->kind != RECORDING_PIXELS) return add_record(writer, event);
    uint32_t row_bytes = event->rect.width * recording_unit_bytes((uint32_t)event->format);
    if (row_bytes == 0) return 0; /* no pixels */
    if (event->reason != writer->reason) {
        const struct recording_event why = {.kind = RECORDING_BECAUSE, .reason = event->reason};
        status = add_record(writer, &why);
        writer->reason = event->reason;
    }
    uint32_t rows = RECORDING_PIXELS_LIMIT / row_bytes;
    for (uint32_t done = 0; done < event->rect.height && status == 0; done += band.rect.height) {
        band.rect.y = event->rect.y + done;
        band.rect.height = event->rect.height - done < rows ? event->rect.height - done : rows;
        band.pixels = event->pixels + (size_t)done * row_bytes;
        status = add_record(writer, &band);
    }
    return status;
}

/* ------------------------------------------------------------------ the file */

static void begin(struct recording_writer *writer)
{
    uint8_t header[RECORDING_HEADER_BYTES] = {'T', 'S', 'R', 'A', 'S', 'D', 'L', '\n', RECORDING_VERSION};
    word_put(header + 12, (uint32_t)crc32(0, header, 12));
    send(writer, header, sizeof header, NULL, 0);
    if (writer->error == 0) commit(writer);
}

struct recording_writer *recording_continue(int descriptor, struct recording_state *state)
{
    struct recording_writer *writer = calloc(1, sizeof *writer);
    const struct recording_progress progress = recording_progress(state);
    struct stat about;
    bool is_pipe = fstat(descriptor, &about) == 0 && S_ISFIFO(about.st_mode);
    /* A chunk that was cut off is of no use: its records are still in the state. */
    if (writer != NULL &&
        (is_pipe || (ftruncate(descriptor, (off_t)progress.file_bytes) == 0 && lseek(descriptor, 0, SEEK_END) >= 0)))
        writer->file = fdopen(descriptor, "wb");
    if (writer == NULL || writer->file == NULL) {
        int error = errno;
        close(descriptor);
        free(writer);
        errno = error;
        return NULL;
    }
    writer->state = state;
    writer->now = progress;
    writer->is_pipe = is_pipe;
    writer->reason = progress.file_bytes == 0 ? REASON_NONE : RECORDING_REASONS;
    if (progress.file_bytes == 0) begin(writer);
    return writer;
}

struct recording_writer *recording_create(const char *path)
{
    struct recording_state *state = calloc(1, sizeof *state);
    int descriptor = state != NULL ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    struct recording_writer *writer = descriptor >= 0 ? recording_continue(descriptor, state) : NULL;
    if (writer != NULL) writer->own = state;
    else free(state);
    return writer;
}

int recording_finish(struct recording_writer *writer)
{
    const struct recording_event end = {.kind = RECORDING_END};
    (void)add_record(writer, &end);
    (void)recording_flush(writer);
    if (fclose(writer->file) != 0 && writer->error == 0) writer->error = errno;
    int error = writer->error;
    free(writer->own);
    free(writer);
    errno = error;
    return error == 0 ? 0 : -1;
}

void recording_abandon(struct recording_writer *writer)
{
    (void)fclose(writer->file);
    free(writer->own);
    free(writer);
}
