/* SPDX-License-Identifier: Apache-2.0
 *
 * A dump of a fault, NAME.tdump: what the host can know of it, in one file. All of it is words of 32 bits, low byte
 * first: a head, then sections, each its tag, its bytes, and so many bytes.
 *
 * A file comes from anywhere, so the reader believes nothing: tdump_read has a name for each field that is wrong, and
 * what it returns lies in the file and is consistent. Numbers that a hostile host could give a GPU (the words of a DMA
 * buffer, page numbers, flags) are not judged: they are what a dump is about, and whoever uses them treats them so.
 */
#ifndef TESSERA_TDUMP_H
#define TESSERA_TDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu_spec.h"

#define TDUMP_LETTERS "TSRADMP1"
enum {
    TDUMP_VERSION = 1,
    TDUMP_BYTES_MAX = 16 << 20,
    TDUMP_LETTERS_BYTES = 8,
    TDUMP_REGISTERS_BYTES = 0x1000, /* offsets are below */
    TDUMP_STATISTICS_MAX = 256,
    TDUMP_BUFFERS_MAX = 8, /* the library has no more in flight */
    TDUMP_ALLOCATIONS_MAX = LIMIT_BITS_LIST_ENTRIES_MAX,
    TDUMP_PAGES_MAX = 4096, /* of an allocation: no segment has more */
    TDUMP_PORTIONS_MAX = 16,
    TDUMP_INSTRUCTIONS_MAX = 64,
    TDUMP_EVENTS_MAX = 64,
    TDUMP_JOURNAL_MAX = 64,
    TDUMP_TEXT_BYTES = 32,
    TDUMP_NOWHERE = 0xffffffff /* PLACE_SEGMENT: not known */
};

/* Words of the head, after the letters. */
enum {
    TDUMP_HEAD_VERSION = 2,
    TDUMP_HEAD_ABI,
    TDUMP_HEAD_BYTES,
    TDUMP_HEAD_CHECK,
    TDUMP_HEAD_SECTIONS,
    TDUMP_HEAD_WORDS
};

enum tdump_tag {
    TDUMP_ABOUT = 1,
    TDUMP_REGISTERS,  /* pairs of offset and value, in order of offsets */
    TDUMP_STATISTICS, /* by enum gpu_statistic */
    TDUMP_RING,       /* once each */
    TDUMP_PORTION, /* what a node was told to run, as command RAM held it; of the guilty DMA buffer, the last first */
    TDUMP_INSTRUCTIONS, /* addresses that the core retired, the oldest first */
    TDUMP_EVENTS,       /* of the firmware (TRACE group), the oldest first */
    TDUMP_JOURNAL,      /* messages with their answers, the oldest first */
    TDUMP_BUFFER,       /* DMA buffers as submitted, in their order; one is guilty, if any */
    TDUMP_ALLOCATION,   /* those that they name */
    TDUMP_TAGS
};

enum tdump_reason {
    TDUMP_FAULT = 1,    /* VALUE: FAULT group */
    TDUMP_TIMEOUT,      /* a node made no progress, or took too long */
    TDUMP_CONTEXT_LOST, /* a reset took it along */
    TDUMP_PANIC,        /* VALUE: PANIC group */
    TDUMP_NO_ANSWER,    /* nothing came within the library's patience */
    TDUMP_ASKED,        /* tessera_dump */
    TDUMP_REASONS
};

enum tdump_ring_name { TDUMP_RING_RENDER, TDUMP_RING_PAGING, TDUMP_RING_SUBMIT, TDUMP_RING_COMPLETE, TDUMP_RINGS };

/* Words of the fixed part of each section. */
enum {
    ABOUT_REASON, /* enum tdump_reason */
    ABOUT_STATUS, /* STATUS group; 0 unless a message was answered */
    ABOUT_VALUE,
    ABOUT_CLIENT,
    ABOUT_CONTEXT,
    ABOUT_TAG,
    ABOUT_CYCLE_LO, /* 0: not known */
    ABOUT_CYCLE_HI,
    ABOUT_MEMORY_BYTES, /* system memory, whole pages */
    ABOUT_TEXT,         /* version of the library, 0-terminated */
    ABOUT_WORDS = ABOUT_TEXT + TDUMP_TEXT_BYTES / 4
};
enum { RING_NAME, RING_LOG2, RING_HEAD, RING_TAIL, RING_WORDS };
enum {
    PORTION_NODE,
    PORTION_AT, /* where in command RAM */
    PORTION_BYTES,
    PORTION_FENCE,
    PORTION_START, /* the byte of the guilty DMA buffer that it begins with; TDUMP_NOWHERE: not of that */
    PORTION_WORDS
};
enum { JOURNAL_MESSAGE, JOURNAL_STATE = LIMIT_BITS_MESSAGE_WORDS, JOURNAL_STATUS, JOURNAL_DETAIL, JOURNAL_WORDS };
enum { EVENT_CYCLE_LO, EVENT_CYCLE_HI, EVENT_NAME, EVENT_ARGUMENT, EVENT_WORDS };
enum {
    BUFFER_IS_GUILTY,
    BUFFER_TAG,
    BUFFER_CLIENT,
    BUFFER_CONTEXT,
    BUFFER_FLAGS,
    BUFFER_WORD_COUNT,
    BUFFER_LIST_COUNT,
    BUFFER_PATCH_COUNT,
    BUFFER_WORDS
};
enum {
    PLACE_HANDLE,
    PLACE_CLIENT,
    PLACE_SEGMENT, /* where it was when the dump was written; 0: in its pages; TDUMP_NOWHERE */
    PLACE_OFFSET,
    PLACE_PAGES,         /* page numbers as given to the library, then as the page list had them */
    PLACE_CONTENT_BYTES, /* 0, or all pages: what they held, not what a segment held */
    PLACE_CREATED,       /* its CREATE_ALLOCATION, word for word */
    PLACE_WORDS = PLACE_CREATED + LIMIT_BITS_MESSAGE_WORDS
};

enum tdump_status {
    TDUMP_OK,
    TDUMP_TOO_SHORT,    /* shorter than a head */
    TDUMP_TOO_LONG,     /* longer than TDUMP_BYTES_MAX */
    TDUMP_NOT_A_DUMP,   /* other letters */
    TDUMP_BAD_VERSION,  /* another version */
    TDUMP_BAD_LENGTH,   /* the head's BYTES are not those of the file, or not whole words */
    TDUMP_BAD_CHECK,    /* the sum differs: a byte is not what was written */
    TDUMP_BAD_SECTIONS, /* not so many sections */
    TDUMP_BAD_TAG,      /* no such section */
    TDUMP_BAD_SIZE,     /* a section's bytes are not those of its counts, or leave the file */
    TDUMP_TWICE,        /* a section that can be there once */
    TDUMP_NO_ABOUT,     /* or not first */
    TDUMP_BAD_REASON,   /* ABOUT_REASON */
    TDUMP_BAD_STATUS,   /* ABOUT_STATUS is not that of the reason */
    TDUMP_BAD_MEMORY,   /* ABOUT_MEMORY_BYTES */
    TDUMP_BAD_TEXT,     /* ABOUT_TEXT is not a short line of printable characters */
    TDUMP_BAD_REGISTER, /* no register's offset, or not in order */
    TDUMP_BAD_RING,     /* name, size, or more entries between head and tail */
    TDUMP_BAD_PORTION,  /* node, place, length */
    TDUMP_BAD_EVENT,    /* no such event */
    TDUMP_BAD_JOURNAL,  /* a state that is none */
    TDUMP_BAD_GUILT,    /* not 0 or 1, or two are guilty */
    TDUMP_BAD_COUNTS,   /* of a DMA buffer: over a limit */
    TDUMP_BAD_PAGES,    /* PLACE_PAGES */
    TDUMP_BAD_CONTENT,  /* PLACE_CONTENT_BYTES */
    TDUMP_BAD_HANDLE,   /* 0, or of two allocations */
    TDUMP_BAD_SEGMENT,  /* PLACE_SEGMENT */
    TDUMP_TOO_MANY,     /* sections of a kind */
    TDUMP_STATUSES
};

struct tdump_ring {
    uint32_t log2, head, tail;
    const uint32_t *words; /* NULL: not there */
    uint32_t word_count;
};
struct tdump_portion {
    uint32_t node, at, fence, start, word_count;
    const uint32_t *words;
};
struct tdump_buffer {
    bool is_guilty;
    uint32_t tag, client, context, flags, word_count, list_count, patch_count;
    const uint32_t *words, *list, *patches;
};
struct tdump_allocation {
    uint32_t handle, client, segment, offset, page_count;
    const uint32_t *created, *given, *found;
    const uint8_t *content; /* NULL: not there; else all pages */
};

/* A dump as read: pointers into the file's bytes. A part that is not there has the count 0. */
struct tdump {
    uint32_t abi;
    const uint32_t *about;
    const uint32_t *registers, *statistics, *instructions, *events, *journal;
    uint32_t register_count, statistic_count, instruction_count, event_count, journal_count;
    struct tdump_ring rings[TDUMP_RINGS];
    struct tdump_portion portions[TDUMP_PORTIONS_MAX];
    struct tdump_buffer buffers[TDUMP_BUFFERS_MAX];
    struct tdump_allocation allocations[TDUMP_ALLOCATIONS_MAX];
    uint32_t portion_count, buffer_count, allocation_count;
};

/* `data` is aligned for words and stays while *dump is used. If the status is not OK, *dump says nothing. */
enum tdump_status tdump_read(struct tdump *dump, const void *data, size_t bytes);
/* What a status says, as a sentence without its full stop. */
const char *tdump_status_text(enum tdump_status status);
/* "BAD_PAGES". */
const char *tdump_status_name(enum tdump_status status);
/* The sum (CRC-32) of a whole file, in which the word of the sum counts as 0. */
uint32_t tdump_check(const void *data, size_t bytes);

/* A register of the dump; `missing` if it is not there. */
uint32_t tdump_register(const struct tdump *dump, uint32_t offset, uint32_t missing);
/* NULL: none. */
const struct tdump_buffer *tdump_guilty(const struct tdump *dump);
const struct tdump_allocation *tdump_allocation_of(const struct tdump *dump, uint32_t handle);

#endif
