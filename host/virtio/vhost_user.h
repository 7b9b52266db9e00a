/* SPDX-License-Identifier: Apache-2.0
 *
 * The back end's side of vhost-user, by its specification (QEMU's docs/interop/vhost-user.rst): one connection of a
 * machine monitor, which hands over the driver's memory, queues, and a descriptor each to be told and to tell.
 */
#ifndef TESSERA_VHOST_USER_H
#define TESSERA_VHOST_USER_H

#include "virtio/vhost_memory.h"

enum { VHOST_QUEUES = 2 };

/* What is behind the connection. */
struct vhost_device {
    void *context;
    uint64_t features; /* of the device; those of queues are added */
    const void *configuration;
    uint32_t configuration_bytes;
    /* A driver begins: what the one before left is to go. */
    void (*begin)(void *context);
    /* Do one of what is in the queue; false: its ring makes no sense. A later queue's goes before an earlier's. */
    bool (*work)(void *context, uint32_t index, struct virtio_queue *queue);
    /* Not all that was taken from queue 0 is given back: `work` wants to be called again. NULL: that never is. */
    bool (*is_late)(void *context);
    /* Give it back, because queue 0 stops. */
    void (*settle)(void *context, struct virtio_queue *queue);
};

struct vhost_queue {
    struct virtio_queue queue;
    uint32_t size;
    uint16_t base;
    uint64_t table, used, available; /* the monitor's addresses */
    int kick, call;                  /* descriptors; -1: none */
    bool is_enabled, is_running;
    bool has_more; /* than was done when it was looked at last */
};

struct vhost_user {
    const struct vhost_device *device;
    struct vhost_memory *memory;
    int connection;
    uint64_t features, protocol; /* agreed on */
    struct vhost_queue queue[VHOST_QUEUES];
    int display; /* the monitor's own, which is kept open */
    char message[256];
};

/* The connection belongs to it from here on. */
void vhost_user_open(struct vhost_user *user, int connection, const struct vhost_device *device,
                     struct vhost_memory *memory);
void vhost_user_close(struct vhost_user *user);
/* There is a message, or the end. False: the connection has ended, and `message` says why, or is "". */
bool vhost_user_serve(struct vhost_user *user);
/* The descriptor `kick` of this queue is readable. */
void vhost_user_kicked(struct vhost_user *user, uint32_t index);
/* Do some of what was left. True: there is more. */
bool vhost_user_continue(struct vhost_user *user);

#endif
