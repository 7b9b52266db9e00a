/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices that libtessera brings along, by name: a program of one's own opens one with a single call.
 * Another kind of link is a struct transport of the program's own, for tessera_open.
 */
#ifndef TESSERA_DEVICE_OPEN_H
#define TESSERA_DEVICE_OPEN_H

#include "tessera.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* All zero: the defaults. */
struct tessera_device_options {
    uint32_t seed;          /* of simulated devices: jitter of memory, initial state, order of turns */
    uint32_t latency;       /* the simulated chip's: system memory's read latency, cycles; 0 = 20 */
    uint32_t stall_percent; /* ... cycles in which that memory withholds a handshake */
    uint64_t max_cycles;    /* ... it fails, with a report on stderr, after so many cycles; 0 = never */
    bool keeps_firmware;    /* a board's: run the image that it holds, load none */
    uint32_t memory_bytes;  /* system memory, whole pages below 2 GiB; 0 = 64 MiB. Not a board's, which has its own */
    void *memory;           /* ... which is the program's mapping; it has to outlive the device. NULL: the device's */
    int memory_descriptor;  /* ... or the first memory_bytes of this file (memfd_create); 0: none */
};

/* Open the device `where` and do what tessera_open does:
 *
 *   model            the golden model, which has its firmware: fast, and knows no cycles
 *   simulator        the simulated chip: every cycle of the hardware; Ctrl-C ends it with a report
 *   tty:/dev/NAME[@BAUD], tcp:HOST:PORT    a board at a serial line, or a simulated one
 *
 *   drm:/dev/dri/renderD128    in a virtual machine whose GPU is a Tessera: that one (docs/linux.md). The machine's own
 *                         are firmware, limits and own_bytes; the counters of tessera_statistics are 0
 *
 * `device` and `options` may be NULL: the defaults. options->firmware NULL: the image installed with this library.
 * Memory: 256 KB of segment 1 and, of the first two, 16 MB of segment 2, unless `options` limits them. On failure
 * *tessera is NULL, nothing stays open and `message` says what to do. tessera_close closes the device, too. */
int tessera_open_device(struct tessera **tessera, const char *where, const struct tessera_device_options *device,
                        const struct tessera_options *options, char message[256]);

struct tessera_stream;
/* Save a stream as it is, for `tessera dump PATH`. TESSERA_LINK: it cannot be written, errno says why. A program with
 * TESSERA_DUMP=FOLDER in its environment saves every stream that it submits, FOLDER/000001.dma and so on. */
int tessera_stream_save(const struct tessera_stream *stream, const char *path);

/* System memory of a device opened here, where the program can touch it itself: its first byte, at bus address 0, of
 * tessera_transport()->memory_bytes. What is the program's in it: options->own_bytes. NULL where it lies elsewhere: for
 * all devices but `model`, unless the program gave the memory. */
void *tessera_device_memory(struct tessera *tessera);

/* A frame that the display of a simulated device has shown: rows of XRGB8888 without gaps, valid during the call. */
typedef void (*tessera_frame)(void *context, const uint32_t *pixels, uint32_t columns, uint32_t rows);
/* Call `frame` for each of them from now on, when its last line has been shown in the device's time: within a call that
 * waits for the device. False: a board, whose frames go to its monitor, a transport of the program's own, or out of
 * memory. */
bool tessera_device_frames(struct tessera *tessera, tessera_frame frame, void *context);

/* One descriptor to wait on beside others (poll, select): readable while a message is in flight, or answered and not
 * waited for. Then call tessera_work, or the wait that is due. The same one each time; tessera_close closes it. -1: the
 * system gives none, errno says why. Simulated devices work only while a call lets them; a board goes on by itself. */
int tessera_event_descriptor(struct tessera *tessera);

/* Fences of a virtual machine's kernel, sync_files, for drm:. On other devices UNSUPPORTED.
 *
 * A descriptor that is readable (poll) when all is complete that was queued before the call. The kernel and other
 * drivers take it as a fence. The caller closes it. */
int tessera_fence_out(struct tessera *tessera, int *descriptor);
/* What is queued from now on begins after this fence, of whatever driver or program. The next call that queues
 * something waits for it, and so does this one for an earlier fence. The descriptor stays the caller's and may be
 * closed at once. The kernel's syncobjs and timelines give and take such fences (DRM_IOCTL_SYNCOBJ_*). */
int tessera_fence_in(struct tessera *tessera, int descriptor);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
