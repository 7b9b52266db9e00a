/* SPDX-License-Identifier: Apache-2.0
 *
 * Recordings of SDL surface programs: what build/libtessera-record.so writes and `tessera play` reads. docs/record.md
 * describes the bytes; this header is their only definition in code.
 *
 *   file    header (16 bytes), chunks
 *   header  "TSRASDL\n", version (2 bytes), 0 (2 bytes), CRC-32 of the 12 bytes before it
 *   chunk   "CHNK", packed bytes, raw bytes, frames before it, CRC-32 of these 12 bytes and the payload; the payload:
 *           one zlib stream of whole records
 *   record  kind (1 byte) and its operands, see recording_event
 *
 * Everything is little endian. A reader needs no more than one chunk at a time and never seeks. The last record is
 * END with the totals; a file without it was cut off.
 */
#ifndef TESSERA_RECORDING_H
#define TESSERA_RECORDING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RECORDING_VERSION = 8,
    RECORDING_OLDEST = 2,    /* that is read, too */
    RECORDING_TELLS = 3,     /* the first with LEFT; 4 has more reasons */
    RECORDING_MAPS = 5,      /* the first with MAPPED */
    RECORDING_FILTERS = 6,   /* the first with FILTERED */
    RECORDING_INDICES = 7,   /* the first with INDEX8 and PALETTE */
    RECORDING_TELLS_WHY = 8, /* the first with BECAUSE */
    RECORDING_HEADER_BYTES = 16,
    RECORDING_CHUNK_BYTES = 20,       /* of a chunk's header */
    RECORDING_CHUNK_LIMIT = 4 << 20,  /* longest payload, unpacked */
    RECORDING_PIXELS_LIMIT = 1 << 20, /* longest PIXELS operand: longer ones are written in bands of rows */
    RECORDING_SURFACES = 4096,        /* ids 0 .. this - 1; an id may be used again after FREE */
    RECORDING_CHUNK_TARGET = 1 << 20, /* a writer's chunk goes out with the record that makes it so long */
    RECORDING_RECORD_LIMIT = 1024,    /* a record without the pixels of PIXELS */
    RECORDING_COLOURS = 256,          /* of a palette */
    RECORDING_SIDE = 16383,           /* longest side of a surface: pitches stay below 64 KB */
};

enum recording_kind {
    RECORDING_END = 0,      /* frames (4), records before it (4) */
    RECORDING_SURFACE = 1,  /* id (2), format (1), width (2), height (2); units are 0, of XRGB8888 0xff000000 */
    RECORDING_FREE = 2,     /* id (2) */
    RECORDING_PIXELS = 3,   /* id (2), x, y, width, height (2 each), rows without padding */
    RECORDING_FILL = 4,     /* id (2), x, y, width, height (2 each), unit (4) */
    RECORDING_BLIT = 5,     /* target, source (2 each), target x, y, source x, y, width, height (2 each), mode (1),
                               alpha (1), key (4), red, green, blue (1 each) */
    RECORDING_PRESENT = 6,  /* id (2), milliseconds since the last (2) */
    RECORDING_LEFT = 7,     /* reason (2), blits (4): so many were left to PIXELS for it; before END, a reason once */
    RECORDING_MAPPED = 8,   /* as BLIT, and source width, height (2 each), u, v, u_x, v_x, u_y, v_y (4 each, signed):
                               an event of kind BLIT with a map */
    RECORDING_FILTERED = 9, /* as MAPPED: the map is filtered */
    RECORDING_PALETTE = 10, /* id (2) of a surface of INDEX8, 256 times red, green, blue (1 each) */
    RECORDING_BECAUSE = 11, /* reason (2): why the PIXELS from here on are pixels; before the first: 0, it is not told.
                               The reader gives it with the event of PIXELS */
    RECORDING_KINDS = 12
};

/* How surfaces are stored, little end first: RGB888 is blue, green, red. The unused byte of XRGB8888 is 255 in every
 * PIXELS, FILL and key, the unused bit of XRGB1555 is 0. A surface of INDEX8 is written by PIXELS and read by blits,
 * and that is all: its units are looked up in its palette, which is black until PALETTE, and a key is one of them. */
enum recording_format {
    RECORDING_RGB565 = 1,
    RECORDING_XRGB8888 = 2,
    RECORDING_ARGB8888 = 3,
    RECORDING_RGB888 = 4,
    RECORDING_ARGB1555 = 5,
    RECORDING_XRGB1555 = 6,
    RECORDING_INDEX8 = 7,
    RECORDING_FORMATS = 8
};

/* Modes of a blit: SDL's blend modes NONE, BLEND, ADD and MOD, each also with a key: units whose colour bits equal
 * those of `key` are left out. `alpha` and `colour` (red 23:16, green, blue) are SDL's modulations, 255 and ffffff for
 * none. */
enum recording_mode {
    RECORDING_COPY = 0,
    RECORDING_KEY = 1,
    RECORDING_BLEND = 2,
    RECORDING_KEYED_BLEND = 3,
    RECORDING_ADD = 4,
    RECORDING_KEYED_ADD = 5,
    RECORDING_MOD = 6,
    RECORDING_KEYED_MOD = 7,
    RECORDING_MODES = 8
};
enum { RECORDING_WHITE = 0xffffff };

/* Why pixels come as PIXELS: no BLIT of the recording draws what a blit of the program drew, or no blit drew it. The
 * numbers are the file's: new ones are added at the end. */
enum recording_reason {
    REASON_NONE,           /* PIXELS: of a recording that does not tell */
    REASON_MODE,           /* a mode that does not exist */
    REASON_ITSELF,         /* onto itself, and no plain copy */
    REASON_COLOURED,       /* BLEND with modulated colours */
    REASON_ALPHA_TWICE,    /* BLEND by the source's alpha, with a key or a constant alpha */
    REASON_OPAQUE,         /* BLEND without alpha */
    REASON_ALPHA_ONTO,     /* BLEND from ARGB8888 onto 15 bits or ARGB8888 */
    REASON_CONSTANT_ONTO,  /* a constant alpha from XRGB8888 onto ARGB8888 */
    REASON_WIDENED,        /* a plain copy from RGB565 to 32 bits */
    REASON_ODD,            /* another blend mode of SDL's, or a palette with alpha */
    REASON_UNSEEN,         /* a source whose pixels cannot be looked at */
    REASON_KEYED_ALPHA,    /* SDL 1.2: a key of a source with alpha */
    REASON_CONSTANT_ALPHA, /* SDL 1.2: a constant alpha that becomes the target's */
    REASON_KEEPS_ALPHA,    /* SDL 1.2: a blend onto a surface with alpha, which stays */
    /* The renderer of SDL 2: */
    REASON_SCALED,    /* a copy that is scaled */
    REASON_TURNED,    /* a copy that is turned or mirrored */
    REASON_LINE,      /* a line that is not upright or level, or is scaled; very many points */
    REASON_TRIANGLE,  /* triangles that form no rectangle of one colour */
    REASON_FLAT,      /* a flat rectangle blended in a way that no two operations make */
    REASON_BYTES,     /* a blend from or onto another order of bytes */
    REASON_OTHERWISE, /* SDL has drawn something else than was expected */
    /* Not in files, but of programs that are drawn while they run: */
    REASON_ROUNDED,  /* by SDL 1.2: a blend, or a copy of 15 or 16 bits; by SDL 3: a blend */
    REASON_PALETTE,  /* onto 8 bits with a palette that is not the source's */
    REASON_FILTERED, /* a copy that is scaled or turned with a filter, and blended or keyed, or not of 32 bits */
    REASON_INDEXED,  /* from INDEX8, and no copy and no blend with a constant alpha */
    REASON_WIDTH,    /* channels that a recording widens: 16 bits in another order than 565, 555 and 1555 */
    REASON_KEY_BITS, /* a key that SDL compares with bits that mean no colour */
    REASON_GAVE_WAY, /* to another: a recording has RECORDING_SURFACES surfaces at a time, the program uses more */
    /* Of PIXELS alone, no call of SDL's was left for these: */
    REASON_FIRST,   /* what a surface held when it was first read, drawn to or shown */
    REASON_PROGRAM, /* the program, or a library of its own, has written them */
    REASON_COLOURS, /* a palette has changed, or a surface of 8 bits is drawn to: all of it is written again */
    RECORDING_REASONS
};
/* As words that follow a number. */
const char *recording_reason_words(enum recording_reason reason);

struct recording_rect {
    uint32_t x, y, width, height;
};

/* Where a scaled, mirrored or quarter-turned copy takes its units: target unit (x, y), from the target rectangle's
 * corner on, is source unit (u + x * u_x + y * u_y, v + x * v_x + y * v_y) of the source rectangle, signed 16.16 and
 * rounded down. All of them lie inside it, the map has an inverse, and either u_y and v_x are 0 or u_x and v_y.
 * Filtered: between that unit, the next in its row and the two below, or the nearest inside the rectangle, by the upper
 * 7 bits of the fractions, each byte by itself, rounded down, as SDL_SoftStretchLinear does it with SSE2 or NEON. The
 * coordinates are half a unit less then, so that centres are met with centres; half a unit more, all lie inside. */
struct recording_map {
    uint32_t width, height; /* of the source rectangle; 0: no map */
    int32_t u, v, u_x, v_x, u_y, v_y;
    bool is_filtered; /* units of 4 bytes, without a key, and no BLEND */
};

struct recording_event {
    enum recording_kind kind;
    uint32_t surface;             /* SURFACE, FREE, PIXELS, FILL, PRESENT; BLIT: the target */
    uint32_t source;              /* BLIT */
    enum recording_format format; /* SURFACE, PIXELS (needed for writing, too), FILL */
    struct recording_rect rect;   /* in `surface`; SURFACE: its size */
    uint32_t source_x, source_y;  /* BLIT */
    struct recording_map map;     /* BLIT, if it has one */
    enum recording_mode mode;     /* BLIT */
    uint32_t alpha, key, colour;  /* BLIT */
    uint32_t unit;                /* FILL */
    uint32_t milliseconds;        /* PRESENT */
    enum recording_reason reason; /* LEFT, PIXELS */
    uint32_t blits;               /* LEFT */
    const uint8_t *pixels;        /* PIXELS; valid until the next call */
    const uint32_t *colours;      /* PALETTE: RECORDING_COLOURS, alpha 255; likewise */
    uint32_t frames, records;     /* END */
};

/* The unit of the source rectangle that a map has for target unit (x, y); filtered: the first of the four. */
void recording_map_at(const struct recording_map *map, uint32_t x, uint32_t y, uint32_t *column, uint32_t *row);
/* The source's units of `unit_bytes`, `pitch` bytes a row, laid out as the map has them for a target of that size;
 * filtered: `unit_bytes` is 4. */
void recording_map_lay(const struct recording_map *map, uint32_t unit_bytes, const uint8_t *source, size_t pitch,
                       uint32_t width, uint32_t height, uint8_t *laid, size_t laid_pitch);
/* Is it what struct recording_map says, for a target of that size? */
bool recording_map_fits(const struct recording_map *map, uint32_t width, uint32_t height);
/* The same map from target unit (x, y) on. */
struct recording_map recording_map_from(const struct recording_map *map, uint32_t x, uint32_t y);
/* Bytes of one unit; 0 for a format that does not exist. */
uint32_t recording_unit_bytes(uint32_t format);
bool recording_has_alpha(enum recording_format format);
bool recording_is_keyed(enum recording_mode mode);
/* The mode without its key. */
enum recording_mode recording_unkeyed(enum recording_mode mode);
/* Why no recording holds this BLIT between surfaces of these formats: a mode that does not exist, or one that the GPU
 * does not round as SDL does. NULL: it may. */
const char *recording_blit_refusal(const struct recording_event *event, enum recording_format source,
                                   enum recording_format target);
/* The same as a number; REASON_NONE: it may. */
enum recording_reason recording_blit_reason(const struct recording_event *event, enum recording_format source,
                                            enum recording_format target);

/* ------------------------------------------------------------------ writing */

struct recording_writer;

/* What a writer has not yet put into its file, and how far that is. In memory that another process sees, too, that one
 * can end the recording when this one is gone, wherever it died: `progress[current]` always tells of whole records. */
struct recording_progress {
    uint64_t file_bytes;      /* header and whole chunks */
    uint32_t raw_bytes;       /* records of the next chunk */
    uint32_t frames, records; /* all, those of the next chunk included */
    uint32_t frames_written;
};
struct recording_state {
    struct recording_progress progress[2];
    _Atomic uint32_t current;
    uint8_t raw[RECORDING_CHUNK_TARGET + RECORDING_PIXELS_LIMIT + RECORDING_RECORD_LIMIT];
};
struct recording_progress recording_progress(const struct recording_state *state);

/* NULL, with errno, if the file cannot be made. It is made new: an existing file is an error (EEXIST). */
struct recording_writer *recording_create(const char *path);
/* Write to this descriptor, which the writer closes, with this state, which must live as long: into an empty file if
 * the state is all zero, else from where the state is. Into a pipe, too, if something reads it: nothing is packed then,
 * and when its reader is gone, that is the error EPIPE. NULL, with errno. */
struct recording_writer *recording_continue(int descriptor, struct recording_state *state);
/* Append; the event must be one that recording_next accepts. -1 once writing has failed, with errno. */
int recording_add(struct recording_writer *writer, const struct recording_event *event);
/* Write out what is pending, without END. */
int recording_flush(struct recording_writer *writer);
/* Write END, close and free. -1 if any write has failed. */
int recording_finish(struct recording_writer *writer);
/* Close and free, and leave the file as it is for the process that has the state. */
void recording_abandon(struct recording_writer *writer);

/* ------------------------------------------------------------------ reading */

struct recording;

struct recording_surface {
    bool exists;
    enum recording_format format;
    uint32_t width, height;
};

/* What a whole file holds. */
struct recording_totals {
    uint32_t frames, chunks;
    uint64_t records[RECORDING_KINDS];
    uint64_t pixel_bytes; /* of PIXELS */
    uint64_t live_bytes;  /* most bytes of surfaces alive at one time */
    uint32_t live_surfaces;
    uint64_t left[RECORDING_REASONS]; /* blits left to PIXELS */
    bool knows_left;                  /* the file is of a version that tells */
};

/* Open and check the header. 0, or -1 with one line in `message` that names the file and what is wrong with it. */
int recording_open(struct recording **recording, const char *path, char message[256]);
void recording_close(struct recording *recording);
/* The next event, checked: surfaces exist, rectangles lie inside, modes and formats are known. 1, 0 after END, or
 * -1 with a line in `message`. */
int recording_next(struct recording *recording, struct recording_event *event, char message[256]);
/* A surface as it stands after the events so far; `id` < RECORDING_SURFACES. */
const struct recording_surface *recording_surface(const struct recording *recording, uint32_t id);
/* Frames presented so far. */
uint32_t recording_frames(const struct recording *recording);
/* Surfaces may have so many bytes at one time: RECORDING_ROOM and so many for each byte of the file. A recorder writes
 * each surface whole, and no byte of a zlib stream unpacks to more. */
enum { RECORDING_ROOM = 32 << 20, RECORDING_UNPACKED = 1032 };
/* Read a file from end to end, checking everything, and that its surfaces have their room. 0, or -1 with a line;
 * `totals` then counts what was whole. */
int recording_check(const char *path, struct recording_totals *totals, char message[256]);

#endif
