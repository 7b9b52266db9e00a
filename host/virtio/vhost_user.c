/* SPDX-License-Identifier: Apache-2.0
 *
 * See vhost_user.h. A message is 12 bytes of head and a payload; numbers are the machine's own.
 */
#define _GNU_SOURCE
#include "virtio/vhost_user.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum request {
    GET_FEATURES = 1,
    SET_FEATURES = 2,
    SET_OWNER = 3,
    RESET_OWNER = 4,
    SET_MEM_TABLE = 5,
    SET_VRING_NUM = 8,
    SET_VRING_ADDR = 9,
    SET_VRING_BASE = 10,
    GET_VRING_BASE = 11,
    SET_VRING_KICK = 12,
    SET_VRING_CALL = 13,
    SET_VRING_ERR = 14,
    GET_PROTOCOL_FEATURES = 15,
    SET_PROTOCOL_FEATURES = 16,
    GET_QUEUE_NUM = 17,
    SET_VRING_ENABLE = 18,
    GET_CONFIG = 24,
    SET_CONFIG = 25,
    GPU_SET_SOCKET = 33,
};
enum { VERSION = 1, VERSION_MASK = 3, IS_REPLY = 4, NEEDS_REPLY = 8 };
enum { PROTOCOL_MULTIPLE_QUEUES = 1 << 0, PROTOCOL_REPLY_ACK = 1 << 3, PROTOCOL_CONFIG = 1 << 9 };
enum {
    FEATURE_OF_DEVICE = 24,
    FEATURE_INDIRECT = 28,
    FEATURE_EVENTS = 29,
    FEATURE_PROTOCOL = 30,
    FEATURE_VERSION_1 = 32
};
enum { HEAD_BYTES = 12, PAYLOAD_MOST = 512, FILES_MOST = VHOST_REGIONS_MOST, INDEX_MASK = 0xff, NO_FILE = 0x100 };

struct message {
    uint32_t request, flags, bytes;
    union {
        uint64_t number;
        uint32_t word[PAYLOAD_MOST / 4];
        uint8_t data[PAYLOAD_MOST];
        struct {
            uint32_t index, number;
        } state;
        struct {
            uint32_t index, flags;
            uint64_t table, used, available, log;
        } address;
        struct {
            uint32_t count, padding;
            struct vhost_region region[VHOST_REGIONS_MOST];
        } memory;
        struct {
            uint32_t offset, bytes, flags;
            uint8_t data[PAYLOAD_MOST - 12];
        } configuration;
    } payload;
    int file[FILES_MOST];
    uint32_t file_count;
};
_Static_assert(offsetof(struct message, payload) == 16, "the payload is read by itself");

/* ------------------------------------------------------------------ life */

static void close_file(int *file)
{
    if (*file >= 0) (void)close(*file);
    *file = -1;
}

void vhost_user_open(struct vhost_user *user, int connection, const struct vhost_device *device,
                     struct vhost_memory *memory)
{
    memset(user, 0, sizeof *user);
    user->device = device;
    user->memory = memory;
    user->connection = connection;
    user->display = -1;
    for (uint32_t i = 0; i < VHOST_QUEUES; i++) user->queue[i].kick = user->queue[i].call = -1;
}

static bool is_late(const struct vhost_user *user, uint32_t index)
{
    return index == 0 && user->device->is_late != NULL && user->device->is_late(user->device->context);
}

static void notify(struct vhost_queue *queue)
{
    const uint64_t once = 1;
    if (!virtio_queue_notifies(&queue->queue) || queue->call < 0) return;
    while (write(queue->call, &once, sizeof once) < 0 && errno == EINTR) continue;
}

/* All that was taken is given back before: a machine that was paused goes on with what it has got. */
static void stop(struct vhost_user *user, uint32_t index)
{
    struct vhost_queue *queue = &user->queue[index];
    if (queue->is_running && is_late(user, index)) {
        user->device->settle(user->device->context, &queue->queue);
        notify(queue);
    }
    if (queue->is_running) queue->base = queue->queue.next;
    virtio_queue_stop(&queue->queue);
    queue->is_running = queue->has_more = false;
}

void vhost_user_close(struct vhost_user *user)
{
    for (uint32_t i = 0; i < VHOST_QUEUES; i++) {
        stop(user, i);
        close_file(&user->queue[i].kick);
        close_file(&user->queue[i].call);
    }
    close_file(&user->display);
    close_file(&user->connection);
    vhost_memory_unmap(user->memory);
}

/* ------------------------------------------------------------------ queues */

static bool fail(struct vhost_user *user, const char *what)
{
    snprintf(user->message, sizeof user->message, "%s.", what);
    return false;
}

static void work(struct vhost_user *user, uint32_t index);

/* One of what is in the queue, after all that is in later ones. */
static void work_once(struct vhost_user *user, uint32_t index)
{
    struct vhost_queue *queue = &user->queue[index];
    if (index + 1u < VHOST_QUEUES) work(user, index + 1u);
    queue->has_more = user->device->work(user->device->context, index, &queue->queue) &&
                      (virtio_queue_wait(&queue->queue) || is_late(user, index));
}

/* Do some of what is in the queue, and tell the driver. */
static void work(struct vhost_user *user, uint32_t index)
{
    enum { CHAINS = 4 };
    struct vhost_queue *queue = &user->queue[index];
    if (!queue->is_running || !queue->is_enabled) return;
    queue->has_more = true;
    for (uint32_t left = CHAINS; left > 0 && queue->has_more; left--) work_once(user, index);
    notify(queue);
}

void vhost_user_kicked(struct vhost_user *user, uint32_t index)
{
    uint64_t count;
    if (user->queue[index].kick < 0) return;
    while (read(user->queue[index].kick, &count, sizeof count) < 0 && errno == EINTR) continue;
    work(user, index);
}

/* The rings where the monitor says, which must be in the driver's memory as a whole. */
static bool start(struct vhost_user *user, uint32_t index)
{
    struct vhost_queue *queue = &user->queue[index];
    struct virtio_queue *ring = &queue->queue;
    const uint32_t size = queue->size;
    if (size == 0 || size > VIRTIO_QUEUE_MOST) return fail(user, "the size of a queue is not possible");
    ring->memory = vhost_memory_guest(user->memory);
    ring->table = vhost_memory_user(user->memory, queue->table, virtio_table_bytes(size));
    ring->available = vhost_memory_user(user->memory, queue->available, virtio_available_bytes(size));
    ring->used = vhost_memory_user(user->memory, queue->used, virtio_used_bytes(size));
    ring->has_events = (user->features >> FEATURE_EVENTS & 1u) != 0;
    if (ring->table == NULL || ring->available == NULL || ring->used == NULL)
        return fail(user, "a queue is not in the guest's memory");
    if (!virtio_queue_start(ring, size, queue->base)) return fail(user, "the size of a queue is not possible");
    memcpy(&ring->put, ring->used + 2, sizeof ring->put);
    ring->notified = ring->put;
    queue->is_running = true;
    if ((user->features >> FEATURE_PROTOCOL & 1u) == 0) queue->is_enabled = true;
    return true;
}

bool vhost_user_continue(struct vhost_user *user)
{
    bool has_more = false;
    for (uint32_t i = 0; i < VHOST_QUEUES; i++) {
        if (user->queue[i].has_more) work(user, i);
        has_more |= user->queue[i].has_more;
    }
    return has_more;
}

/* ------------------------------------------------------------------ messages */

/* The file that came with the message, taken out of it; -1: none. */
static int take_file(struct message *message)
{
    const int file = message->file_count > 0 ? message->file[0] : -1;
    if (file >= 0) message->file[0] = -1;
    return file;
}

static bool is_queue(uint32_t index) { return index < VHOST_QUEUES; }

static bool set_memory(struct vhost_user *user, const struct message *message)
{
    const uint32_t count = message->payload.memory.count;
    if (count > VHOST_REGIONS_MOST || count != message->file_count ||
        message->bytes < 8u + count * sizeof(struct vhost_region))
        return fail(user, "a table of memory has another length than it says");
    bool was_running[VHOST_QUEUES], is_good = true;
    for (uint32_t i = 0; i < VHOST_QUEUES; i++) {
        was_running[i] = user->queue[i].is_running;
        stop(user, i); /* its rings were in what goes */
    }
    if (!vhost_memory_map(user->memory, message->payload.memory.region, message->file, count, user->message))
        return false;
    for (uint32_t i = 0; i < VHOST_QUEUES && is_good; i++)
        if (was_running[i]) is_good = start(user, i);
    return is_good;
}

static bool set_file(struct vhost_user *user, struct message *message)
{
    const uint32_t index = (uint32_t)(message->payload.number & INDEX_MASK);
    if (!is_queue(index)) return fail(user, "there is no such queue");
    struct vhost_queue *queue = &user->queue[index];
    const int file = (message->payload.number & NO_FILE) != 0 ? -1 : take_file(message);
    if (message->request == SET_VRING_CALL) {
        close_file(&queue->call);
        queue->call = file;
        return true;
    }
    if (message->request == SET_VRING_ERR) {
        if (file >= 0) (void)close(file);
        return true;
    }
    close_file(&queue->kick);
    queue->kick = file;
    if (queue->is_running) return true;
    /* A monitor that goes on after a pause says where; a driver that begins does so at 0. */
    if (index == 0 && queue->base == 0) user->device->begin(user->device->context);
    if (!start(user, index)) return false;
    work(user, index);
    return true;
}

static bool set_queue(struct vhost_user *user, const struct message *message)
{
    const uint32_t index = message->payload.state.index, number = message->payload.state.number;
    if (!is_queue(index)) return fail(user, "there is no such queue");
    struct vhost_queue *queue = &user->queue[index];
    switch (message->request) {
    case SET_VRING_NUM: queue->size = number; break;
    case SET_VRING_BASE: queue->base = (uint16_t)number; break;
    case SET_VRING_ENABLE:
        queue->is_enabled = number != 0;
        work(user, index);
        break;
    default:
        queue->table = message->payload.address.table;
        queue->used = message->payload.address.used;
        queue->available = message->payload.address.available;
        break;
    }
    return true;
}

static uint64_t offered(const struct vhost_user *user)
{
    return user->device->features | 1ull << FEATURE_INDIRECT | 1ull << FEATURE_EVENTS | 1ull << FEATURE_PROTOCOL |
           1ull << FEATURE_VERSION_1;
}

static void get_configuration(const struct vhost_user *user, struct message *message)
{
    const uint32_t offset = message->payload.configuration.offset, most = user->device->configuration_bytes;
    const uint32_t room = sizeof message->payload.configuration.data;
    const uint32_t wanted = message->payload.configuration.bytes;
    message->bytes = HEAD_BYTES + wanted;
    if (wanted > room || offset > most) {
        message->bytes = 0; /* which says that it failed */
        return;
    }
    memset(message->payload.configuration.data, 0, wanted);
    memcpy(message->payload.configuration.data, (const uint8_t *)user->device->configuration + offset,
           wanted < most - offset ? wanted : most - offset);
}

/* What is answered with a payload: true. */
static bool answers(struct vhost_user *user, struct message *message)
{
    struct vhost_queue *queue;
    switch (message->request) {
    case GET_FEATURES: message->payload.number = offered(user); break;
    case GET_PROTOCOL_FEATURES:
        message->payload.number = PROTOCOL_MULTIPLE_QUEUES | PROTOCOL_REPLY_ACK | PROTOCOL_CONFIG;
        break;
    case GET_QUEUE_NUM: message->payload.number = VHOST_QUEUES; break;
    case GET_CONFIG: get_configuration(user, message); return true;
    case GET_VRING_BASE:
        if (!is_queue(message->payload.state.index)) return false;
        queue = &user->queue[message->payload.state.index];
        stop(user, message->payload.state.index);
        close_file(&queue->kick);
        message->payload.state.number = queue->base;
        break;
    default: return false;
    }
    message->bytes = sizeof message->payload.number;
    return true;
}

/* Bits above those of the device are between driver and monitor, and QEMU sets some of its own. */
static bool is_offered(struct vhost_user *user)
{
    const uint64_t of_device = (1ull << FEATURE_OF_DEVICE) - 1u, unknown = user->features & of_device & ~offered(user);
    if (unknown != 0)
        snprintf(user->message, sizeof user->message, "features 0x%" PRIx64 " are set, which were not offered.",
                 unknown);
    return unknown == 0;
}

static bool act(struct vhost_user *user, struct message *message)
{
    switch (message->request) {
    case SET_FEATURES: user->features = message->payload.number; return is_offered(user);
    case SET_PROTOCOL_FEATURES: user->protocol = message->payload.number; return true;
    case SET_MEM_TABLE: return set_memory(user, message);
    case SET_VRING_NUM:
    case SET_VRING_BASE:
    case SET_VRING_ENABLE:
    case SET_VRING_ADDR: return set_queue(user, message);
    case SET_VRING_KICK:
    case SET_VRING_CALL:
    case SET_VRING_ERR: return set_file(user, message);
    case GPU_SET_SOCKET:
        close_file(&user->display);
        user->display = take_file(message);
        return true;
    case SET_OWNER:
    case RESET_OWNER:
    case SET_CONFIG: return true;
    default: snprintf(user->message, sizeof user->message, "message %u is not known.", message->request); return false;
    }
}

/* ------------------------------------------------------------------ the connection */

static bool receive(int connection, void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t step = recv(connection, (uint8_t *)data + done, bytes - done, 0);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) return false;
        done += (size_t)step;
    }
    return true;
}

/* The head comes with the files. */
static bool receive_head(int connection, struct message *message)
{
    union {
        struct cmsghdr head;
        uint8_t bytes[CMSG_SPACE(FILES_MOST * sizeof(int))];
    } control;
    struct iovec part = {message, HEAD_BYTES};
    struct msghdr header = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got;
    do got = recvmsg(connection, &header, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got <= 0) return false;
    for (struct cmsghdr *item = CMSG_FIRSTHDR(&header); item != NULL; item = CMSG_NXTHDR(&header, item)) {
        if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS) continue;
        const size_t count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(message->file, CMSG_DATA(item), count * sizeof(int));
        message->file_count = (uint32_t)count;
    }
    return got == HEAD_BYTES || receive(connection, (uint8_t *)message + got, (size_t)(HEAD_BYTES - got));
}

static bool reply(const struct vhost_user *user, struct message *message)
{
    message->flags = VERSION | IS_REPLY;
    struct iovec part[2] = {{message, HEAD_BYTES}, {&message->payload, message->bytes}};
    struct msghdr header = {.msg_iov = part, .msg_iovlen = 2};
    return sendmsg(user->connection, &header, MSG_NOSIGNAL) == HEAD_BYTES + (ssize_t)message->bytes;
}

static bool serve(struct vhost_user *user, struct message *message)
{
    const bool needs_reply = (message->flags & NEEDS_REPLY) != 0 && (user->protocol & PROTOCOL_REPLY_ACK) != 0;
    if (answers(user, message)) return reply(user, message);
    const bool is_done = act(user, message);
    if (!needs_reply) return is_done;
    message->payload.number = !is_done;
    message->bytes = sizeof message->payload.number;
    return reply(user, message) && is_done;
}

bool vhost_user_serve(struct vhost_user *user)
{
    struct message message;
    bool is_good = true;
    memset(&message, 0, sizeof message);
    user->message[0] = 0;
    is_good = receive_head(user->connection, &message);
    if (is_good && ((message.flags & VERSION_MASK) != VERSION || message.bytes > PAYLOAD_MOST))
        is_good = fail(user, "a message has no head of vhost-user's");
    if (is_good) is_good = receive(user->connection, &message.payload, message.bytes);
    if (is_good) is_good = serve(user, &message);
    for (uint32_t i = 0; i < message.file_count; i++) close_file(&message.file[i]);
    return is_good;
}
