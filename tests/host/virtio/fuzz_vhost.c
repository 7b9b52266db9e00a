/* SPDX-License-Identifier: Apache-2.0
 *
 * A hostile machine monitor. Goal: whatever its messages say, and whatever files come with them, the back end's side of
 * vhost-user reads and writes only memory that it was given, ends the connection with a sentence or goes on, and keeps
 * no file and no mapping. Method: an input is a list of steps (a message, bytes into the driver's memory, a kick); this
 * is the other end of a pair of sockets, and looks at the state after each. The device reads and writes each chain. As
 * fuzz.c: good conversations that are spoilt, or libFuzzer's (LIBFUZZER, `make fuzz-virtio`).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "fuzz_input.h"
#include "virtio/vhost_user.h"

enum { PAGE = 4096, WINDOW = 64 * PAGE, FILE_BYTES = 16 * PAGE, USER = 0x700000, PAYLOAD = 1024, INPUT = 8192 };
enum { STEP_MESSAGE, STEP_WRITE, STEP_KICK, STEP_CONTINUE, STEP_CUT, STEPS };
/* Of a message: its flags or its length are the input's, or it is long; else odd ones ask for an answer. */
enum { SPOIL_FLAGS = 1, SPOIL_LENGTH, SPOIL_LONG, SPOIL_NOTHING };
enum {
    FEATURES = 2,
    MEMORY = 5,
    NUMBER = 8,
    ADDRESS,
    BASE,
    GET_BASE,
    KICK,
    CALL,
    PROTOCOL = 16,
    ENABLE = 18,
    DISPLAY = 33
};

/* ------------------------------------------------------------------ the device */

static struct vhost_user user;
static struct vhost_memory memory;
static int monitor, guest_file, event, other;
static uint8_t *guest;
static uint64_t messages, served, chains;

static void begin(void *context) { (void)context; }

static bool work(void *context, uint32_t index, struct virtio_queue *queue)
{
    struct virtio_chain chain;
    uint8_t bytes[64];
    (void)context;
    DEMAND(index < VHOST_QUEUES && user.queue[index].is_running && user.queue[index].is_enabled);
    const enum virtio_taken taken = virtio_queue_take(queue, &chain);
    if (taken == VIRTIO_BROKEN) return false;
    if (taken == VIRTIO_NOTHING) return true;
    chains++;
    const size_t count = taken == VIRTIO_CHAIN ? virtio_chain_read(&chain, 0, bytes, sizeof bytes) : 0;
    virtio_queue_give(queue, chain.head,
                      taken == VIRTIO_CHAIN ? (uint32_t)virtio_chain_write(&chain, bytes, count) : 0);
    return true;
}

static const uint32_t configuration[4] = {0, 0, 1, 0};
static const struct vhost_device device = {.features = 2,
                                           .configuration = configuration,
                                           .configuration_bytes = sizeof configuration,
                                           .begin = begin,
                                           .work = work};

/* ------------------------------------------------------------------ the monitor */

/* How many there are: it grows where one is forgotten. */
static int count_files(void)
{
    enum { LOOKED_AT = 96 };
    int count = 0;
    for (int file = 0; file < LOOKED_AT; file++) count += fcntl(file, F_GETFD) >= 0;
    return count;
}

static void connect_again(void)
{
    int pair[2];
    DEMAND(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    monitor = pair[0];
    vhost_user_open(&user, pair[1], &device, &memory);
}

static void disconnect(void)
{
    vhost_user_close(&user);
    (void)close(monitor);
    DEMAND(memory.count == 0);
}

static bool is_given(const uint8_t *bytes, size_t count)
{
    bool is_inside = false;
    for (uint32_t i = 0; i < memory.count; i++) {
        const uint8_t *region = memory.window + memory.region[i].guest;
        is_inside |= bytes >= region && bytes + count <= region + memory.region[i].bytes;
    }
    return is_inside;
}

/* A ring that is used lies in a region as a whole. */
static void look(void)
{
    DEMAND(memory.count <= VHOST_REGIONS_MOST);
    for (uint32_t i = 0; i < VHOST_QUEUES; i++) {
        const struct virtio_queue *ring = &user.queue[i].queue;
        if (!user.queue[i].is_running) continue;
        DEMAND(is_given(ring->table, virtio_table_bytes(ring->size)));
        DEMAND(is_given(ring->available, virtio_available_bytes(ring->size)));
        DEMAND(is_given(ring->used, virtio_used_bytes(ring->size)));
    }
}

static void take_bytes(struct input *input, uint8_t *to, size_t count)
{
    if (count > input->left) count = input->left;
    if (count != 0) memcpy(to, input->data, count);
    input->data += count;
    input->left -= count;
}

static void send_message(const uint32_t head[3], const uint8_t *payload, size_t bytes, const int *files, size_t count)
{
    union {
        struct cmsghdr head;
        uint8_t bytes[CMSG_SPACE(16 * sizeof(int))];
    } control;
    struct iovec part[2] = {{(void *)(uintptr_t)head, 12}, {(void *)(uintptr_t)payload, bytes}};
    struct msghdr message = {.msg_iov = part, .msg_iovlen = 2};
    memset(&control, 0, sizeof control);
    if (count != 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *item = CMSG_FIRSTHDR(&message);
        item->cmsg_level = SOL_SOCKET;
        item->cmsg_type = SCM_RIGHTS;
        item->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(item), files, count * sizeof(int));
    }
    DEMAND(sendmsg(monitor, &message, MSG_NOSIGNAL) == (ssize_t)(12 + bytes));
}

/* What is sent is all of it, or the rest never comes. */
static void serve(void)
{
    uint8_t answer[1024];
    messages++;
    const bool is_good = vhost_user_serve(&user);
    served += is_good;
    look();
    while (recv(monitor, answer, sizeof answer, MSG_DONTWAIT) > 0) continue;
    if (is_good) return;
    disconnect();
    connect_again();
}

static void message(struct input *input)
{
    const uint32_t request = take(input, 1), files = take(input, 1), kind = take(input, 1), spoil = take(input, 1);
    const size_t bytes = take(input, 1) * (spoil == SPOIL_LONG ? 4u : 1u);
    uint8_t payload[PAYLOAD] = {0};
    int file[10];
    const size_t count = files % 11u;
    const uint32_t head[3] = {request,
                              spoil == SPOIL_FLAGS ? take(input, 4)
                              : spoil % 2u != 0    ? 9u
                                                   : 1u,
                              spoil == SPOIL_LENGTH ? take(input, 4) : (uint32_t)bytes};
    take_bytes(input, payload, bytes);
    for (size_t i = 0; i < count; i++)
        file[i] = (kind >> i % 4u * 2u & 3u) == 0 ? guest_file : (kind >> i % 4u * 2u & 3u) == 1 ? event : other;
    send_message(head, payload, bytes, file, count);
    if (head[2] != bytes) (void)shutdown(monitor, SHUT_WR);
    serve();
    if (head[2] == bytes) return;
    disconnect();
    connect_again();
}

static void kick(uint32_t index)
{
    struct pollfd ready = {.fd = user.queue[index].kick, .events = POLLIN};
    const uint64_t once = 1;
    (void)!write(event, &once, sizeof once);
    if (ready.fd >= 0 && poll(&ready, 1, 0) == 1) vhost_user_kicked(&user, index);
    look();
}

/* The connection ends within a message. */
static void cut(struct input *input)
{
    uint8_t bytes[16] = {0};
    const size_t count = take(input, 1) % 12u;
    take_bytes(input, bytes, count);
    (void)!send(monitor, bytes, count, MSG_NOSIGNAL);
    (void)shutdown(monitor, SHUT_WR);
    serve();
}

static void step(struct input *input)
{
    const uint32_t kind = take(input, 1) % STEPS;
    if (kind == STEP_MESSAGE) message(input);
    else if (kind == STEP_WRITE) {
        const uint32_t place = take(input, 2) % FILE_BYTES, count = take(input, 1);
        take_bytes(input, guest + place, count < FILE_BYTES - place ? count : FILE_BYTES - place);
    } else if (kind == STEP_KICK) kick(take(input, 1) % VHOST_QUEUES);
    else if (kind == STEP_CONTINUE) {
        (void)vhost_user_continue(&user);
        look();
    } else cut(input);
}

static void prepare(void)
{
    guest_file = memfd_create("guest", MFD_CLOEXEC);
    event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    other = open("/dev/null", O_RDWR | O_CLOEXEC);
    DEMAND(ftruncate(guest_file, FILE_BYTES) == 0);
    guest = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, guest_file, 0);
    memory.window = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory.window_bytes = WINDOW;
    DEMAND(guest != MAP_FAILED && memory.window != MAP_FAILED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct input input = {data, bytes};
    if (guest == NULL) prepare();
    memset(guest, 0, FILE_BYTES);
    const int before = count_files();
    connect_again();
    while (input.left > 0) step(&input);
    disconnect();
    DEMAND(count_files() == before);
    memset(memory.window, 0x5a, WINDOW); /* nothing of the file is in it any more */
    DEMAND(guest[0] != 0x5a || guest[PAGE + 1] != 0x5a || guest[FILE_BYTES - 1] != 0x5a);
    return 0;
}

#ifndef LIBFUZZER
/* ------------------------------------------------------------------ inputs */

struct output {
    uint8_t data[INPUT];
    size_t bytes;
};
static void put(struct output *output, const void *data, size_t bytes)
{
    if (bytes > sizeof output->data - output->bytes) return;
    memcpy(output->data + output->bytes, data, bytes);
    output->bytes += bytes;
}
static void put_message(struct output *output, uint32_t request, const void *payload, uint32_t bytes, uint32_t files,
                        uint32_t kind)
{
    const uint8_t head[6] = {STEP_MESSAGE,
                             (uint8_t)request,
                             (uint8_t)files,
                             (uint8_t)kind,
                             (uint8_t)((below(30) == 0 ? SPOIL_FLAGS : SPOIL_NOTHING) + below(3)),
                             (uint8_t)bytes};
    put(output, head, sizeof head);
    if (bytes != 0) put(output, payload, bytes);
}
static void put_state(struct output *output, uint32_t request, uint32_t index, uint32_t number)
{
    const uint32_t words[2] = {index, number};
    put_message(output, request, words, sizeof words, 0, 0);
}

static void put_memory(struct output *output)
{
    const uint32_t count = 1 + below(2);
    uint64_t words[9] = {count};
    for (uint32_t i = 0; i < count; i++) {
        words[1 + 4 * i] = i * (uint64_t)FILE_BYTES;        /* the driver's */
        words[2 + 4 * i] = FILE_BYTES;                      /* bytes */
        words[3 + 4 * i] = USER + i * (uint64_t)FILE_BYTES; /* the monitor's */
    }
    put_message(output, MEMORY, words, 8 + 32 * count, count, 0);
}

/* A queue, from its size to its first kick, with a chain of two in it. */
static void put_queue(struct output *output, uint32_t index)
{
    const uint32_t at = index * 4u * PAGE, size = 1u << below(8);
    const struct {
        uint32_t index, flags;
        uint64_t table, used, available, log;
    } address = {index,
                 0,
                 USER + at + below(2) * (below(8) == 0 ? FILE_BYTES - 128u : 0),
                 USER + at + 2 * PAGE,
                 USER + at + PAGE,
                 0};
    const struct {
        uint64_t address;
        uint32_t bytes;
        uint16_t flags, next;
    } chain[2] = {{at + 3u * PAGE, 1 + below(60), 1, 1}, {at + 3u * PAGE + 64, 64, 2, 0}};
    const uint16_t available[4] = {0, (uint16_t)(1 + below(3)), 0, (uint16_t)below(2)};
    const uint8_t table_head[4] = {STEP_WRITE, (uint8_t)at, (uint8_t)(at >> 8), sizeof chain};
    const uint8_t available_head[4] = {STEP_WRITE, 0, (uint8_t)((at + PAGE) >> 8), sizeof available};
    const uint8_t end[3] = {STEP_KICK, (uint8_t)index, STEP_CONTINUE};
    const uint64_t number = index;
    put(output, table_head, sizeof table_head);
    put(output, chain, sizeof chain);
    put(output, available_head, sizeof available_head);
    put(output, available, sizeof available);
    put_state(output, NUMBER, index, size);
    put_state(output, BASE, index, below(4) == 0 ? below(70000) : 0);
    put_message(output, ADDRESS, &address, sizeof address, 0, 0);
    put_message(output, CALL, &number, sizeof number, 1, 1);
    put_message(output, KICK, &number, sizeof number, 1, 1);
    put_state(output, ENABLE, index, below(8) != 0);
    put(output, end, sizeof end);
}

static void make_input(struct output *output)
{
    const uint32_t rounds = 1 + below(4), spoils = below(3) == 0 ? 0 : below(6);
    const uint64_t features = 1ull << 32 | 3ull << 28 | (uint64_t)below(2) << 30 | 2, protocol = 9;
    output->bytes = 0;
    put_message(output, PROTOCOL, &protocol, sizeof protocol, 0, 0);
    put_message(output, FEATURES, &features, sizeof features, 0, 0);
    for (uint32_t i = 0; i < rounds; i++) {
        if (below(6) != 0) put_memory(output);
        put_queue(output, below(VHOST_QUEUES));
        if (below(3) == 0) put_state(output, GET_BASE, below(3), 0);
        const uint8_t junk[3] = {(uint8_t)below(256), (uint8_t)below(256), (uint8_t)below(256)};
        if (below(4) == 0) put(output, junk, below(4));
        if (below(8) == 0) put_message(output, DISPLAY, NULL, 0, 1 + below(2), 2);
        if (below(4) == 0) put_state(output, below(40), below(3), below(5));
    }
    for (uint32_t i = 0; i < spoils; i++) output->data[below((uint32_t)output->bytes)] = (uint8_t)below(256);
}

/* fuzz_vhost SEED SECONDS, fuzz_vhost --corpus FOLDER COUNT, or fuzz_vhost FILE... */
int main(int argc, char **argv)
{
    static struct output input;
    int failed = 0;
    const bool is_corpus = argc == 4 && strcmp(argv[1], "--corpus") == 0;
    if (!is_corpus && (argc != 3 || strtoul(argv[1], NULL, 10) == 0)) {
        for (int i = 1; i < argc; i++) failed += replay(argv[i]);
        printf("%d passed, %d failed\n", argc - 1 - failed, failed);
        return failed != 0;
    }
    state = (is_corpus ? 7 : strtoul(argv[1], NULL, 10)) * 0x9e3779b97f4a7c15u + 1u;
    const time_t end = time(NULL) + (is_corpus ? 0 : strtol(argv[2], NULL, 10));
    unsigned long count = 0;
    for (; is_corpus ? count < strtoul(argv[3], NULL, 10) : time(NULL) < end; count++) {
        make_input(&input);
        (void)LLVMFuzzerTestOneInput(input.data, input.bytes);
        if (!is_corpus) continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%03lu", argv[2], count);
        FILE *file = fopen(path, "wb");
        if (file == NULL || fwrite(input.data, 1, input.bytes, file) != input.bytes || fclose(file) != 0) return 1;
    }
    fprintf(stderr, "%lu inputs, %llu messages, %llu of them done, %llu chains\n", count, (unsigned long long)messages,
            (unsigned long long)served, (unsigned long long)chains);
    printf("1 passed, 0 failed\n");
    return served * 2 < messages || chains * 4 < count; /* if most are refused at once, nothing is tested */
}
#endif
