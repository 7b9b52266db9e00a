/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of recordings. The file is a stranger's: every length is judged before it is used, every chunk against
 * its CRC, every record against the surfaces that exist. Whoever gets an event may rely on it.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "tools/recording/recording.h"

struct recording {
    FILE *file;
    const char *path;
    uint8_t *raw, *packed; /* RECORDING_CHUNK_LIMIT bytes, and as many as that can take packed */
    uint32_t raw_bytes, position;
    uint32_t chunks, frames, records, version;
    bool has_ended;
    enum recording_reason reason; /* of the last BECAUSE */
    struct recording_surface surfaces[RECORDING_SURFACES];
    uint32_t colours[RECORDING_COLOURS]; /* of the last PALETTE */
    char *message;                       /* of the call under way */
};

static const uint32_t operand_bytes[RECORDING_KINDS] = {[RECORDING_END] = 8,
                                                        [RECORDING_SURFACE] = 7,
                                                        [RECORDING_FREE] = 2,
                                                        [RECORDING_PIXELS] = 10,
                                                        [RECORDING_FILL] = 14,
                                                        [RECORDING_BLIT] = 25,
                                                        [RECORDING_PRESENT] = 4,
                                                        [RECORDING_LEFT] = 6,
                                                        [RECORDING_MAPPED] = 53,
                                                        [RECORDING_FILTERED] = 53,
                                                        [RECORDING_PALETTE] = 2 + 3 * RECORDING_COLOURS,
                                                        [RECORDING_BECAUSE] = 2};

__attribute__((format(printf, 2, 3))) static int refuse(struct recording *recording, const char *format, ...)
{
    char text[192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(recording->message, 256, "%.60s: %s", recording->path, text);
    return -1;
}

static uint32_t word_get(const uint8_t *from, unsigned bytes)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < bytes; i++) word |= (uint32_t)from[i] << 8u * i;
    return word;
}

/* ------------------------------------------------------------------ chunks */

static int read_failed(struct recording *recording, const char *what)
{
    if (ferror(recording->file))
        return refuse(recording, "cannot be read: %s. Copy it to another disk, or record it again", strerror(errno));
    return refuse(recording, "is cut off %s, after %u frames. Record it again", what, recording->frames);
}

static int next_chunk(struct recording *recording)
{
    uint8_t header[RECORDING_CHUNK_BYTES];
    uLongf raw_bytes = RECORDING_CHUNK_LIMIT;
    if (fread(header, 1, sizeof header, recording->file) != sizeof header)
        return read_failed(recording, "between two chunks");
    uint32_t packed_bytes = word_get(header + 4, 4), frames = word_get(header + 12, 4);
    if (memcmp(header, "CHNK", 4) != 0)
        return refuse(recording, "is damaged: chunk %u does not begin with CHNK. Record it again", recording->chunks);
    if (packed_bytes > compressBound(RECORDING_CHUNK_LIMIT) || word_get(header + 8, 4) > RECORDING_CHUNK_LIMIT ||
        frames != recording->frames)
        return refuse(recording, "is damaged: chunk %u has an impossible header. Record it again", recording->chunks);
    if (fread(recording->packed, 1, packed_bytes, recording->file) != packed_bytes)
        return read_failed(recording, "inside a chunk");
    uLong crc = crc32(crc32(0, header + 4, 12), recording->packed, (uInt)packed_bytes);
    if (crc != word_get(header + 16, 4))
        return refuse(recording, "is damaged: chunk %u has CRC-32 %08lx, its header says %08x. Record it again",
                      recording->chunks, crc, word_get(header + 16, 4));
    if (uncompress(recording->raw, &raw_bytes, recording->packed, packed_bytes) != Z_OK ||
        raw_bytes != word_get(header + 8, 4))
        return refuse(recording, "is damaged: chunk %u does not unpack to the length in its header. Record it again",
                      recording->chunks);
    recording->raw_bytes = (uint32_t)raw_bytes;
    recording->position = 0;
    recording->chunks++;
    return 0;
}

/* ------------------------------------------------------------------ records */

static int bad_record(struct recording *recording, const char *what)
{
    return refuse(recording, "is damaged: record %u, %s. Record it again", recording->records, what);
}

static bool rect_fits(const struct recording_surface *surface, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    return width != 0 && height != 0 && width <= surface->width && x <= surface->width - width &&
           height <= surface->height && y <= surface->height - height;
}

static struct recording_rect rect_get(const uint8_t *from)
{
    return (struct recording_rect){word_get(from, 2), word_get(from + 2, 2), word_get(from + 4, 2),
                                   word_get(from + 6, 2)};
}

static int take_surface(struct recording *recording, const uint8_t *operands, struct recording_event *event)
{
    struct recording_surface *surface = &recording->surfaces[event->surface];
    uint32_t format = operands[2];
    event->rect = (struct recording_rect){0, 0, word_get(operands + 3, 2), word_get(operands + 5, 2)};
    if (surface->exists) return bad_record(recording, "SURFACE: the id is in use");
    if (recording_unit_bytes(format) == 0 || (format == RECORDING_INDEX8 && recording->version < RECORDING_INDICES)) {
        char text[64];
        snprintf(text, sizeof text, "SURFACE: pixel format %u is unknown", format);
        return bad_record(recording, text);
    }
    if (event->rect.width == 0 || event->rect.width > RECORDING_SIDE || event->rect.height == 0 ||
        event->rect.height > RECORDING_SIDE)
        return bad_record(recording, "SURFACE: a side is 0 or longer than 16383");
    event->format = (enum recording_format)format;
    *surface = (struct recording_surface){true, event->format, event->rect.width, event->rect.height};
    return 0;
}

static int take_pixels(struct recording *recording, const uint8_t *operands, struct recording_event *event)
{
    const struct recording_surface *surface = &recording->surfaces[event->surface];
    event->rect = rect_get(operands + 2);
    event->format = surface->format;
    event->pixels = recording->raw + recording->position;
    event->reason = recording->reason;
    if (!rect_fits(surface, event->rect.x, event->rect.y, event->rect.width, event->rect.height))
        return bad_record(recording, "PIXELS: the rectangle is empty or leaves the surface");
    uint64_t bytes = (uint64_t)event->rect.width * event->rect.height * recording_unit_bytes((uint32_t)surface->format);
    if (bytes > RECORDING_PIXELS_LIMIT || bytes > recording->raw_bytes - recording->position)
        return bad_record(recording, "PIXELS: more bytes than its chunk holds");
    recording->position += (uint32_t)bytes;
    return 0;
}

static int take_fill(struct recording *recording, const uint8_t *operands, struct recording_event *event)
{
    const struct recording_surface *surface = &recording->surfaces[event->surface];
    event->rect = rect_get(operands + 2);
    event->format = surface->format;
    event->unit = word_get(operands + 10, 4);
    if (!rect_fits(surface, event->rect.x, event->rect.y, event->rect.width, event->rect.height))
        return bad_record(recording, "FILL: the rectangle is empty or leaves the surface");
    if (surface->format == RECORDING_XRGB8888) event->unit |= 0xff000000u;
    return 0;
}

static int take_palette(struct recording *recording, const uint8_t *operands, struct recording_event *event)
{
    if (recording->surfaces[event->surface].format != RECORDING_INDEX8)
        return bad_record(recording, "PALETTE: the surface has none");
    for (uint32_t i = 0; i < RECORDING_COLOURS; i++) {
        const uint8_t *colour = operands + 2 + (size_t)3 * i;
        recording->colours[i] =
            0xff000000u | (uint32_t)colour[0] << 16 | (uint32_t)colour[1] << 8 | (uint32_t)colour[2];
    }
    event->colours = recording->colours;
    return 0;
}

static void take_map(const uint8_t *from, struct recording_map *map)
{
    int32_t *const numbers[] = {&map->u, &map->v, &map->u_x, &map->v_x, &map->u_y, &map->v_y};
    map->width = word_get(from, 2);
    map->height = word_get(from + 2, 2);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) *numbers[i] = (int32_t)word_get(from + 4 + 4 * i, 4);
}

static int take_blit(struct recording *recording, const uint8_t *operands, bool is_mapped,
                     struct recording_event *event)
{
    const struct recording_surface *target = &recording->surfaces[event->surface];
    event->source = word_get(operands + 2, 2);
    event->rect = (struct recording_rect){word_get(operands + 4, 2), word_get(operands + 6, 2),
                                          word_get(operands + 12, 2), word_get(operands + 14, 2)};
    event->source_x = word_get(operands + 8, 2);
    event->source_y = word_get(operands + 10, 2);
    event->alpha = operands[17];
    event->key = word_get(operands + 18, 4);
    event->mode = (enum recording_mode)operands[16];
    event->colour = (uint32_t)operands[22] << 16 | (uint32_t)operands[23] << 8 | operands[24];
    if (is_mapped) take_map(operands + operand_bytes[RECORDING_BLIT], &event->map);
    if (event->source >= RECORDING_SURFACES || !recording->surfaces[event->source].exists)
        return bad_record(recording, "BLIT: the source is not a surface");
    const struct recording_surface *source = &recording->surfaces[event->source];
    const uint32_t columns = is_mapped ? event->map.width : event->rect.width;
    const uint32_t rows = is_mapped ? event->map.height : event->rect.height;
    if (!rect_fits(target, event->rect.x, event->rect.y, event->rect.width, event->rect.height) ||
        !rect_fits(source, event->source_x, event->source_y, columns, rows))
        return bad_record(recording, "BLIT: a rectangle is empty or leaves its surface");
    if (is_mapped && !recording_map_fits(&event->map, event->rect.width, event->rect.height))
        return bad_record(recording,
                          "MAPPED: the map does not turn by quarters, has no inverse or leaves the source rectangle");
    const char *refusal = recording_blit_refusal(event, source->format, target->format);
    if (refusal != NULL) {
        char text[96];
        snprintf(text, sizeof text, "BLIT: %s", refusal);
        return bad_record(recording, text);
    }
    if (source->format == RECORDING_XRGB8888) event->key |= 0xff000000u;
    return 0;
}

static int take_operands(struct recording *recording, const uint8_t *operands, struct recording_event *event)
{
    bool exists = recording->surfaces[event->surface].exists;
    if (event->kind != RECORDING_SURFACE && !exists) return bad_record(recording, "its surface does not exist");
    if ((event->kind == RECORDING_FILL || event->kind == RECORDING_PRESENT) &&
        recording->surfaces[event->surface].format == RECORDING_INDEX8)
        return bad_record(recording, "a surface of INDEX8 is neither filled nor shown");
    switch (event->kind) {
    case RECORDING_SURFACE: return take_surface(recording, operands, event);
    case RECORDING_FREE: recording->surfaces[event->surface].exists = false; return 0;
    case RECORDING_PIXELS: return take_pixels(recording, operands, event);
    case RECORDING_FILL: return take_fill(recording, operands, event);
    case RECORDING_PALETTE: return take_palette(recording, operands, event);
    case RECORDING_BLIT: return take_blit(recording, operands, false, event);
    case RECORDING_MAPPED:
    case RECORDING_FILTERED:
        event->map.is_filtered = event->kind == RECORDING_FILTERED;
        event->kind = RECORDING_BLIT;
        return take_blit(recording, operands, true, event);
    case RECORDING_PRESENT:
        event->milliseconds = word_get(operands + 2, 2);
        recording->frames++;
        return 0;
    case RECORDING_LEFT:
    case RECORDING_BECAUSE:
    case RECORDING_END:
    case RECORDING_KINDS: break;
    }
    return bad_record(recording, "its kind is unknown");
}

static int take_end(struct recording *recording, const uint8_t *operands, struct recording_event *event)
{
    event->frames = word_get(operands, 4);
    event->records = word_get(operands + 4, 4);
    recording->has_ended = true;
    if (event->frames != recording->frames || event->records != recording->records)
        return bad_record(recording, "END: the totals are not those of the file");
    if (recording->position != recording->raw_bytes || fgetc(recording->file) != EOF)
        return bad_record(recording, "END: something follows it");
    return 0;
}

static int take_left(struct recording *recording, const uint8_t *operands, struct recording_event *event)
{
    uint32_t reason = word_get(operands, 2);
    event->blits = word_get(operands + 2, 4);
    if (reason == REASON_NONE || reason >= RECORDING_REASONS)
        return bad_record(recording, "LEFT: the reason is unknown");
    event->reason = (enum recording_reason)reason;
    recording->records++;
    return 1;
}

static int take_reason(struct recording *recording, const uint8_t *operands)
{
    uint32_t reason = word_get(operands, 2);
    if (reason >= RECORDING_REASONS) return bad_record(recording, "BECAUSE: the reason is unknown");
    recording->reason = (enum recording_reason)reason;
    recording->records++;
    return 0;
}

/* As recording_next; 2: a record without an event. */
static int next_record(struct recording *recording, struct recording_event *event)
{
    while (recording->position == recording->raw_bytes)
        if (next_chunk(recording) != 0) return -1;
    uint32_t kind = recording->raw[recording->position++];
    if (kind >= RECORDING_KINDS || (kind == RECORDING_LEFT && recording->version < RECORDING_TELLS) ||
        (kind == RECORDING_MAPPED && recording->version < RECORDING_MAPS) ||
        (kind == RECORDING_FILTERED && recording->version < RECORDING_FILTERS) ||
        (kind == RECORDING_PALETTE && recording->version < RECORDING_INDICES) ||
        (kind == RECORDING_BECAUSE && recording->version < RECORDING_TELLS_WHY))
        return bad_record(recording, "its kind is unknown");
    if (operand_bytes[kind] > recording->raw_bytes - recording->position)
        return bad_record(recording, "the chunk ends inside it");
    const uint8_t *operands = recording->raw + recording->position;
    recording->position += operand_bytes[kind];
    event->kind = (enum recording_kind)kind;
    if (kind == RECORDING_END) return take_end(recording, operands, event);
    if (kind == RECORDING_LEFT) return take_left(recording, operands, event);
    if (kind == RECORDING_BECAUSE) return take_reason(recording, operands) == 0 ? 2 : -1;
    event->surface = word_get(operands, 2);
    if (event->surface >= RECORDING_SURFACES) return bad_record(recording, "the surface's id is too large");
    if (take_operands(recording, operands, event) != 0) return -1;
    recording->records++;
    return 1;
}

int recording_next(struct recording *recording, struct recording_event *event, char message[256])
{
    int status = 2;
    recording->message = message;
    memset(event, 0, sizeof *event);
    while (status == 2 && !recording->has_ended) status = next_record(recording, event);
    return status == 2 ? 0 : status;
}

/* ------------------------------------------------------------------ the file */

static int read_header(struct recording *recording)
{
    uint8_t header[RECORDING_HEADER_BYTES];
    if (fread(header, 1, sizeof header, recording->file) != sizeof header || memcmp(header, "TSRASDL\n", 8) != 0)
        return refuse(recording, "is not a recording. build/tessera-record PROGRAM makes one");
    if (crc32(0, header, 12) != word_get(header + 12, 4))
        return refuse(recording, "is damaged: its header has a wrong CRC-32. Record it again");
    recording->version = word_get(header + 8, 2);
    if (recording->version < RECORDING_OLDEST || recording->version > RECORDING_VERSION ||
        word_get(header + 10, 2) != 0)
        return refuse(recording, "has version %u, this program reads versions %u to %u. Record it again",
                      recording->version, (unsigned)RECORDING_OLDEST, (unsigned)RECORDING_VERSION);
    return 0;
}

int recording_open(struct recording **recording, const char *path, char message[256])
{
    struct recording *made = calloc(1, sizeof *made);
    *recording = NULL;
    if (made == NULL) {
        snprintf(message, 256, "out of memory");
        return -1;
    }
    made->path = path;
    made->message = message;
    made->raw = malloc(RECORDING_CHUNK_LIMIT);
    made->packed = malloc(compressBound(RECORDING_CHUNK_LIMIT));
    made->file = fopen(path, "rb");
    int status = 0;
    if (made->file == NULL) status = refuse(made, "%s. Make one with build/tessera-record PROGRAM", strerror(errno));
    else if (made->raw == NULL || made->packed == NULL) status = refuse(made, "out of memory");
    else status = read_header(made);
    if (status != 0) {
        recording_close(made);
        return -1;
    }
    *recording = made;
    return 0;
}

void recording_close(struct recording *recording)
{
    if (recording == NULL) return;
    if (recording->file != NULL) fclose(recording->file);
    free(recording->raw);
    free(recording->packed);
    free(recording);
}

const struct recording_surface *recording_surface(const struct recording *recording, uint32_t id)
{
    return &recording->surfaces[id];
}

uint32_t recording_frames(const struct recording *recording) { return recording->frames; }

/* Of surfaces, at one time; without a bound where the file is none. */
static uint64_t room_of(const struct recording *recording)
{
    struct stat status;
    if (fstat(fileno(recording->file), &status) != 0 || !S_ISREG(status.st_mode)) return UINT64_MAX;
    return RECORDING_ROOM + RECORDING_UNPACKED * (uint64_t)status.st_size;
}

static int has_no_room(struct recording *recording, uint64_t bytes, uint64_t room)
{
    return refuse(
        recording,
        "its surfaces take %llu MB at one time, but a file of its size has at most %llu MB: no recorder wrote it. "
        "Record it again",
        (unsigned long long)(bytes >> 20), (unsigned long long)(room >> 20));
}

int recording_check(const char *path, struct recording_totals *totals, char message[256])
{
    struct recording *recording;
    struct recording_event event;
    uint64_t bytes = 0, of[RECORDING_SURFACES] = {0};
    uint32_t surfaces = 0;
    memset(totals, 0, sizeof *totals);
    if (recording_open(&recording, path, message) != 0) return -1;
    const uint64_t room = room_of(recording);
    int status;
    while ((status = recording_next(recording, &event, message)) == 1) {
        uint64_t size = (uint64_t)event.rect.width * event.rect.height * recording_unit_bytes((uint32_t)event.format);
        totals->records[event.kind]++;
        if (event.kind == RECORDING_LEFT) totals->left[event.reason] += event.blits;
        if (event.kind == RECORDING_PIXELS) totals->pixel_bytes += size;
        if (event.kind == RECORDING_SURFACE) {
            of[event.surface] = size;
            bytes += size;
            surfaces++;
        }
        if (event.kind == RECORDING_FREE) {
            bytes -= of[event.surface];
            surfaces--;
        }
        if (bytes > totals->live_bytes) totals->live_bytes = bytes;
        if (surfaces > totals->live_surfaces) totals->live_surfaces = surfaces;
        if (bytes > room) {
            status = has_no_room(recording, bytes, room);
            break;
        }
    }
    totals->frames = recording->frames;
    totals->chunks = recording->chunks;
    totals->knows_left = recording->version >= RECORDING_TELLS;
    recording_close(recording);
    return status;
}
