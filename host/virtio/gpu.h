/* SPDX-License-Identifier: Apache-2.0
 *
 * A virtio GPU (VIRTIO 1.2, 5.7), which knows no transport, takes no memory and reaches what draws, what shows and what
 * serves programs through three tables. What a fence names is done when it is answered, and fences are answered in
 * their order, since the driver has one time line for all.
 *
 * Commands are done one after the other, but a payload that draws is late: it is given back when the GPU has drawn it.
 * Meanwhile other commands are done. Those of the same context wait for it, in their order.
 *
 * Programs (the VIRGL bit): a context is a program's open file. It may use the resources that it has attached. Those
 * that it draws with are buffers of bytes over the driver's pages (CREATE_3D with target 0). A program submits payloads
 * (spec/gpu.def), and reads in its record how each ended. The driver is answered OK: what a program got wrong is not
 * the driver's. Where the record cannot be written, nothing is done. A payload of its first word alone is a fence and
 * nothing else.
 *
 * The driver may be hostile. A command is copied once and judged; one that is refused gets the protocol's error and has
 * changed nothing. How many resources there are, and how many bytes they have, is bounded.
 *
 * Buffers are divided among programs as the GPU's tables are among clients. The driver does not say for which program
 * it creates one, so it counts for the first context that attaches it. Once less than an eighth of the buffers or
 * bytes is left, a context that has its share (VIRTIO_GPU_SHARES) gets no more: the buffer goes at once. The driver
 * is answered OK, now and when it lets it go; to the program it does not exist.
 */
#ifndef TESSERA_VIRTIO_GPU_H
#define TESSERA_VIRTIO_GPU_H

#include "virtio/gpu_protocol.h"
#include "virtio/queue.h"

enum {
    VIRTIO_GPU_PICTURES_MOST = 480,
    VIRTIO_GPU_BUFFERS_MOST = 1000,
    VIRTIO_GPU_RESOURCES_MOST = VIRTIO_GPU_PICTURES_MOST + VIRTIO_GPU_BUFFERS_MOST,
    VIRTIO_GPU_CONTEXTS_MOST = 256,
    VIRTIO_GPU_SHARES = 64,       /* a context's share of the buffers, and of their bytes, is one of so many */
    VIRTIO_GPU_GONE_IDS = 65536,  /* ids below: a buffer that has gone at once is let go in silence */
    VIRTIO_GPU_SIDE_MOST = 16383, /* a row of 32-bit pixels is shorter than 65,536 bytes */
    VIRTIO_GPU_NOTHING = 0xffffffff,
    VIRTIO_GPU_CAPSET_ROOM = 1024,
    VIRTIO_GPU_LATE_MOST = 256, /* commands that are taken and not given back */
    VIRTIO_GPU_COMMAND_BYTES = 32 + VIRTIO_GPU_ENTRIES_MOST * 16,
};

/* What draws. Resources are named by their place in a table of VIRTIO_GPU_RESOURCES_MOST; pixels have 32 bits. */
struct virtio_gpu_painter {
    void *context;
    /* All pixels 0. False: there is no room. */
    bool (*create)(void *context, uint32_t place, uint32_t width, uint32_t height);
    void (*destroy)(void *context, uint32_t place);
    /* The driver's memory that transfers read: entries lie in it, one after the other. False: there is no room. */
    bool (*attach)(void *context, uint32_t place, const struct virtio_gpu_entry *entries, uint32_t count);
    void (*detach)(void *context, uint32_t place);
    /* The rectangle's rows from the driver's memory, the first at `offset`, each a row of the resource further. What is
     * behind the end of that memory is not copied. Done when it returns. False: the GPU failed. */
    bool (*transfer)(void *context, uint32_t place, const struct virtio_gpu_rectangle *rectangle, uint64_t offset);
};

/* What shows: a display unit, or pictures that are read back. */
struct virtio_gpu_display {
    void *context;
    /* Of a resource, or of VIRTIO_GPU_NOTHING, the rectangle is what the scanout shows from now on. */
    void (*show)(void *context, uint32_t scanout, uint32_t place, uint32_t format,
                 const struct virtio_gpu_rectangle *rectangle);
    /* This part of the scanout has changed. */
    void (*flush)(void *context, uint32_t scanout, const struct virtio_gpu_rectangle *part);
    /* The cursor is this resource of 64 x 64, or VIRTIO_GPU_NOTHING; its corner is there, less the hot spot. */
    void (*cursor)(void *context, uint32_t scanout, uint32_t place, uint32_t format, uint32_t hot_x, uint32_t hot_y);
    void (*move)(void *context, uint32_t scanout, uint32_t x, uint32_t y);
};

struct virtio_gpu;

/* A payload, of which counts and lengths are right. */
struct virtio_gpu_payload {
    const struct virtio_gpu *gpu;
    uint32_t context;                                 /* its place */
    const uint32_t *message, *list, *patches, *words; /* parts of the command at hand, as PAYLOAD of the table says */
    uint32_t list_count, patch_count, word_count;
};

enum virtio_gpu_ended {
    VIRTIO_GPU_NOT_YET,
    VIRTIO_GPU_ENDED, /* the answer is written */
    VIRTIO_GPU_AGAIN, /* there was no room, and nothing was done: submit it again */
};

/* What serves programs. Contexts are named by their place in a table of VIRTIO_GPU_CONTEXTS_MOST, resources as for the
 * painter; these are buffers alone. */
struct virtio_gpu_programs {
    void *context; /* NULL: nothing does; the commands are refused */
    const void *capset;
    uint32_t capset_bytes; /* at most VIRTIO_GPU_CAPSET_ROOM */
    /* `bytes` of the driver's memory, whole pages. False: no. */
    bool (*attach)(void *context, uint32_t place, const struct virtio_gpu_entry *entries, uint32_t count,
                   uint32_t bytes);
    /* ... is the driver's again; nothing touches it any more. */
    void (*detach)(void *context, uint32_t place);
    /* The content is what is in the driver's memory, or is brought there. False: the GPU failed. */
    bool (*transfer)(void *context, uint32_t place, bool is_from_host);
    /* The answer is a completion, COMPLETION_WORDS. virtio_gpu_attached finds what it names. NOT_YET: it is under way,
     * and `poll` tells how it ends. At most one of a context is. */
    enum virtio_gpu_ended (*submit)(void *context, const struct virtio_gpu_payload *payload, uint32_t *answer);
    enum virtio_gpu_ended (*poll)(void *context, uint32_t of, uint32_t *answer);
    /* Let the GPU work for a moment. */
    void (*work)(void *context);
    /* Wait for what is under way. Its answer is dropped. */
    void (*give_up)(void *context, uint32_t of);
    /* Write an answer into an attached buffer, word 0 last. */
    void (*record)(void *context, uint32_t place, uint32_t offset, const uint32_t *answer);
    /* A program's context may name this buffer no longer; it is gone itself. */
    void (*part)(void *context, uint32_t of, uint32_t place);
    void (*leave)(void *context, uint32_t of);
};

struct virtio_gpu_resource {
    uint32_t id; /* 0: none */
    uint32_t format, width, height;
    bool has_backing;
    bool is_buffer; /* `width` bytes, of no format */
    uint32_t owner; /* of a buffer: the context that attached it first, plus 1; 0: none has, or it has left */
    uint32_t attached[VIRTIO_GPU_CONTEXTS_MOST / 32];
};
struct virtio_gpu_scanout {
    uint32_t place; /* of the resource, or VIRTIO_GPU_NOTHING */
    struct virtio_gpu_rectangle rectangle;
};

/* A payload: how far it is, its context's place, and where its answer goes. */
struct virtio_gpu_begun {
    enum virtio_gpu_ended ended;
    uint32_t of, record, offset, tag;
};

enum virtio_gpu_late_state { VIRTIO_GPU_WAITS, VIRTIO_GPU_UNDER_WAY, VIRTIO_GPU_DONE };

/* A command that is not given back yet: it waits for an earlier one of its context, is under way, or done, but an
 * earlier fence is not. */
struct virtio_gpu_late {
    enum virtio_gpu_late_state state;
    uint32_t context; /* its identity; 0: it is of none */
    bool is_fenced;
    uint32_t written;
    struct virtio_gpu_begun begun;
    struct virtio_chain chain;
};

struct virtio_gpu_counts {
    uint64_t commands, refused, transfers, flushes, cursors, pixels;
    uint64_t surplus;              /* buffers that went at once, because their program had its share */
    uint64_t payloads, unrecorded; /* of programs; of them, those whose answer had no place */
};

struct virtio_gpu {
    struct virtio_gpu_painter painter;
    struct virtio_gpu_display display;
    struct virtio_gpu_programs programs;
    uint32_t scanouts;      /* 1 to VIRTIO_GPU_SCANOUTS_MOST */
    uint32_t width, height; /* that the displays prefer */
    uint64_t bytes_most;    /* of all resources */
    /* state */
    uint64_t bytes;
    struct virtio_gpu_counts counts;
    struct virtio_gpu_resource resource[VIRTIO_GPU_RESOURCES_MOST];
    struct virtio_gpu_scanout scanout[VIRTIO_GPU_SCANOUTS_MOST];
    uint32_t program[VIRTIO_GPU_CONTEXTS_MOST]; /* contexts' ids; 0: none */
    uint32_t late_count;
    uint16_t order[VIRTIO_GPU_LATE_MOST]; /* of `late`: first those in use, in the order in which they were taken */
    struct virtio_gpu_late late[VIRTIO_GPU_LATE_MOST];
    struct virtio_gpu_begun begun;           /* by the command at hand */
    uint32_t unworked;                       /* commands since what serves programs has worked */
    uint32_t gone[VIRTIO_GPU_GONE_IDS / 32]; /* bit per id: such a buffer, which the driver still has */
    /* the command at hand, and its answer */
    union {
        uint8_t bytes[VIRTIO_GPU_COMMAND_BYTES];
        uint32_t words[VIRTIO_GPU_COMMAND_BYTES / 4];
        struct {
            struct virtio_gpu_attach head;
            struct virtio_gpu_entry entry[VIRTIO_GPU_ENTRIES_MOST];
        } attach;
    } command;
    uint8_t answer[sizeof(struct virtio_gpu_edid)];
};

/* Before the first command: the tables and limits are set, there is nothing else. */
void virtio_gpu_begin(struct virtio_gpu *gpu);
/* The driver is gone, or there is a new one: nothing is shown, and no resource is there. */
void virtio_gpu_reset(struct virtio_gpu *gpu);
/* Do one of what has been queued; if there is none, let the GPU work on what is late; give back what is done. So all
 * that programs have queued begins, before one program's drawing is over. virtio_queue_wait and
 * virtio_gpu_is_late tell whether there is more. False: the ring makes no sense, and no more of it is done. What is in
 * the cursor's queue goes before a command that may take its resource away. */
bool virtio_gpu_control(struct virtio_gpu *gpu, struct virtio_queue *queue);
bool virtio_gpu_cursor(struct virtio_gpu *gpu, struct virtio_queue *queue);
bool virtio_gpu_is_late(const struct virtio_gpu *gpu);
/* Wait for all that is late, and give it back: before the driver's memory or the ring goes. */
void virtio_gpu_settle(struct virtio_gpu *gpu, struct virtio_queue *queue);
uint32_t virtio_gpu_resources(const struct virtio_gpu *gpu);

uint32_t virtio_gpu_contexts(const struct virtio_gpu *gpu);
/* Where the buffer with this id is, if this context has attached it and it has backing; else VIRTIO_GPU_NOTHING. */
uint32_t virtio_gpu_attached(const struct virtio_gpu *gpu, uint32_t context, uint32_t id);

/* Inside. The commands that draw and show (gpu_commands.c): the response's type. `bytes` is the command's length. */
uint32_t virtio_gpu_command(struct virtio_gpu *gpu, size_t bytes);
void virtio_gpu_cursor_command(struct virtio_gpu *gpu, size_t bytes);
uint64_t virtio_gpu_bytes_of(const struct virtio_gpu_resource *resource);
void virtio_gpu_drop(struct virtio_gpu *gpu, uint32_t place); /* the resource goes, and what is made of it */
/* Resources (gpu_resources.c). */
uint32_t virtio_gpu_find(const struct virtio_gpu *gpu, uint32_t id);                 /* or VIRTIO_GPU_RESOURCES_MOST */
bool virtio_gpu_room(const struct virtio_gpu *gpu, bool is_buffer, uint32_t *place); /* one more is possible, there */
bool virtio_gpu_is_gone(const struct virtio_gpu *gpu, uint32_t id); /* it went at once, and the driver still has it */
void virtio_gpu_set_gone(struct virtio_gpu *gpu, uint32_t id, bool is_gone);
bool virtio_gpu_get(const struct virtio_gpu *gpu, size_t bytes, void *command, size_t size); /* false: it is shorter */
bool virtio_gpu_is_attached(const struct virtio_gpu_resource *resource, uint32_t context);
void virtio_gpu_part(struct virtio_gpu *gpu, uint32_t context,
                     uint32_t place);                             /* undo an attachment, if there is one */
void virtio_gpu_part_all(struct virtio_gpu *gpu, uint32_t place); /* no context may name the resource any longer */
/* Of programs (gpu_programs.c), by type. */
uint32_t virtio_gpu_program_command(struct virtio_gpu *gpu, size_t bytes, size_t *answer_bytes);
/* What was under way has ended with this answer. */
void virtio_gpu_program_ended(struct virtio_gpu *gpu, const struct virtio_gpu_begun *begun, uint32_t *answer);
void virtio_gpu_leave_all(struct virtio_gpu *gpu);

#endif
