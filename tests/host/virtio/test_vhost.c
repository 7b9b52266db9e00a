/* SPDX-License-Identifier: Apache-2.0
 *
 * The back end's side of vhost-user (host/virtio/vhost_user.c, vhost_memory.c). Goal: what a monitor says is done and
 * answered, a driver's chain reaches the device and it is told; wrong messages end the connection with a sentence, and
 * no descriptor and no mapping stays. Method: this test is the monitor, at the other end of a pair of sockets.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "virtio/vhost_user.h"

enum { PAGE = 4096, WINDOW = 64 * PAGE, FILE_BYTES = 32 * PAGE, USER = 0x700000, SIZE = 8 };
enum { TABLE = USER, AVAILABLE = USER + PAGE, USED = USER + 2 * PAGE };

static struct vhost_user user;
static struct vhost_memory memory;
static int monitor, file, kick, call;
static uint8_t *guest; /* the file, as the driver has it */
static unsigned begun, worked;
static bool is_lazy; /* the device takes one chain at a time */

/* ------------------------------------------------------------------ a device that adds one to every byte */

static void begin(void *context)
{
    (void)context;
    begun++;
}

static bool work(void *context, uint32_t index, struct virtio_queue *queue)
{
    (void)context;
    struct virtio_chain chain;
    assert_in_range(index, 0, 1);
    enum virtio_taken taken;
    while ((taken = virtio_queue_take(queue, &chain)) == VIRTIO_CHAIN) {
        uint8_t bytes[16];
        const size_t count = virtio_chain_read(&chain, 0, bytes, sizeof bytes);
        for (size_t i = 0; i < count; i++) bytes[i]++;
        virtio_queue_give(queue, chain.head, (uint32_t)virtio_chain_write(&chain, bytes, count));
        worked++;
        if (is_lazy) break;
    }
    return taken != VIRTIO_BROKEN;
}

static const uint32_t configuration[4] = {0, 0, 1, 0};
static const struct vhost_device device = {.features = 2,
                                           .configuration = configuration,
                                           .configuration_bytes = sizeof configuration,
                                           .begin = begin,
                                           .work = work};

/* ------------------------------------------------------------------ the monitor */

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

static int start(void **state)
{
    int pair[2];
    (void)state;
    begun = worked = 0;
    is_lazy = false;
    file = memfd_create("guest", MFD_CLOEXEC);
    assert_int_equal(ftruncate(file, FILE_BYTES), 0);
    guest = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    kick = eventfd(0, EFD_NONBLOCK);
    call = eventfd(0, EFD_NONBLOCK);
    memset(&memory, 0, sizeof memory);
    memory.window = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory.window_bytes = WINDOW;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    monitor = pair[0];
    vhost_user_open(&user, pair[1], &device, &memory);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    vhost_user_close(&user);
    assert_int_equal(memory.count, 0);
    guest[PAGE] = 77; /* not in the window any more, where there are zeros */
    assert_int_equal(memory.window[PAGE], 0);
    memory.window[PAGE] = 1;
    assert_int_equal(guest[PAGE], 77);
    close(monitor);
    close(file);
    close(kick);
    close(call);
    munmap(guest, FILE_BYTES);
    munmap(memory.window, WINDOW);
    return 0;
}

static bool send_flags(uint32_t request, uint32_t flags, const void *payload, uint32_t bytes, const int *files,
                       size_t count)
{
    uint32_t head[3] = {request, flags, bytes};
    uint8_t control[CMSG_SPACE(16 * sizeof(int))] = {0};
    struct iovec part[2] = {{head, sizeof head}, {(void *)(uintptr_t)payload, bytes}};
    struct msghdr message = {.msg_iov = part, .msg_iovlen = 2};
    if (count != 0) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *item = CMSG_FIRSTHDR(&message);
        item->cmsg_level = SOL_SOCKET;
        item->cmsg_type = SCM_RIGHTS;
        item->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(item), files, count * sizeof(int));
    }
    assert_int_equal(sendmsg(monitor, &message, 0), (ssize_t)(sizeof head + bytes));
    return vhost_user_serve(&user);
}

static bool tell(uint32_t request, const void *payload, uint32_t bytes)
{
    return send_flags(request, 1, payload, bytes, NULL, 0);
}
static bool tell_number(uint32_t request, uint64_t number) { return tell(request, &number, sizeof number); }
static bool tell_state(uint32_t request, uint32_t index, uint32_t number)
{
    const uint32_t state[2] = {index, number};
    return tell(request, state, sizeof state);
}
static bool tell_file(uint32_t request, uint64_t number, int which)
{
    return send_flags(request, 1, &number, sizeof number, &which, 1);
}

/* The payload of an answer: its bytes. */
static uint32_t answer(uint32_t request, void *payload, size_t room)
{
    uint32_t head[3];
    assert_int_equal(recv(monitor, head, sizeof head, MSG_DONTWAIT), sizeof head);
    assert_int_equal(head[0], request);
    assert_int_equal(head[1], 1 | 4);
    assert_true(head[2] <= room);
    if (head[2] != 0) assert_int_equal(recv(monitor, payload, head[2], MSG_DONTWAIT), head[2]);
    return head[2];
}
static uint64_t asked(uint32_t request)
{
    uint64_t number = 0;
    assert_true(tell(request, NULL, 0));
    assert_int_equal(answer(request, &number, sizeof number), sizeof number);
    return number;
}

struct table {
    uint32_t count, padding;
    struct vhost_region region[VHOST_REGIONS_MOST];
};

/* Two pieces of the file, the second's order turned around. */
static bool tell_memory(void)
{
    static const struct table table = {
        2, 0, {{0, 16 * PAGE, USER, 0}, {32 * PAGE, 8 * PAGE, USER + 0x100000, 24 * PAGE}}};
    const int files[2] = {file, file};
    return send_flags(5, 1, &table, 8 + 2 * sizeof(struct vhost_region), files, 2);
}

static bool tell_address(uint32_t index, uint64_t table, uint64_t available, uint64_t used)
{
    const struct {
        uint32_t index, flags;
        uint64_t table, used, available, log;
    } address = {index, 0, table, used, available, 0};
    return tell(9, &address, sizeof address);
}

static void begin_queue(uint32_t index, uint16_t base)
{
    assert_true(tell_state(8, index, SIZE));
    assert_true(tell_state(10, index, base));
    assert_true(tell_address(index, TABLE, AVAILABLE, USED));
    assert_true(tell_file(13, index, call));
    assert_true(tell_file(12, index, kick));
    assert_true(tell_state(18, index, 1));
}

/* ------------------------------------------------------------------ the driver */

static uint16_t offered;
static void offer(const char *text)
{
    const struct {
        uint64_t address;
        uint32_t bytes;
        uint16_t flags, next;
    } descriptor[2] = {{3 * PAGE, (uint32_t)strlen(text), 1, 1}, {32 * PAGE + 100, 16, 2, 0}};
    const uint16_t head = 0, next = (uint16_t)(offered + 1);
    memcpy(guest + 3 * PAGE, text, strlen(text));
    memcpy(guest, descriptor, sizeof descriptor);
    memcpy(guest + PAGE + 4 + 2 * (offered % SIZE), &head, 2);
    memcpy(guest + PAGE + 2, &next, 2);
    offered = next;
}

static uint64_t drained(int event)
{
    uint64_t count = 0;
    return read(event, &count, sizeof count) == sizeof count ? count : 0;
}

static void test_session(void **state)
{
    (void)state;
    const uint64_t all = 2 | 1ull << 28 | 1ull << 29 | 1ull << 30 | 1ull << 32;
    const uint32_t wish[3 + 5] = {0, 20, 0};
    uint32_t config[8];
    offered = 0;
    assert_true(asked(1) == all);
    assert_true(asked(15) == (1 | 8 | 512));
    assert_true(tell_number(16, 1 | 8 | 512));
    assert_true(asked(17) == 2);
    assert_true(tell(3, NULL, 0));
    assert_true(tell(24, wish, sizeof wish));
    assert_int_equal(answer(24, config, sizeof config), 32); /* longer than the device's: zeros follow */
    assert_memory_equal(config + 3, ((const uint32_t[]){0, 0, 1, 0, 0}), 20);
    assert_true(tell_number(2, (all & ~(1ull << 29)) | 1ull << 40)); /* one that QEMU adds */
    assert_true(tell_memory());
    offer("abc"); /* before it is started */
    begin_queue(0, 0);
    assert_int_equal(begun, 1);
    assert_int_equal(worked, 1);
    assert_memory_equal(guest + 24 * PAGE + 100, "bcd", 3);
    assert_int_equal(drained(call), 1);
    offer("xyz");
    vhost_user_kicked(&user, 0);
    assert_memory_equal(guest + 24 * PAGE + 100, "yz{", 3);
    assert_int_equal(drained(call), 1);
    assert_true(tell_state(18, 0, 0)); /* not enabled: nothing is taken */
    offer("123");
    vhost_user_kicked(&user, 0);
    assert_int_equal(worked, 2);
    assert_true(tell_state(18, 0, 1));
    assert_int_equal(worked, 3);
    is_lazy = true; /* a device that leaves some is asked again */
    for (unsigned i = 0; i < SIZE; i++) offer("a");
    vhost_user_kicked(&user, 0);
    assert_int_equal(worked, 3 + 4);
    assert_false(vhost_user_continue(&user));
    assert_int_equal(worked, 3 + SIZE);
    uint32_t base[2] = {0, 0};
    assert_true(tell(11, base, sizeof base)); /* a pause */
    assert_int_equal(answer(11, base, sizeof base), 8);
    assert_int_equal(base[1], 3 + SIZE);
    offer("d");
    vhost_user_kicked(&user, 0);
    assert_int_equal(worked, 3 + SIZE);
    begin_queue(0, 3 + SIZE);
    assert_int_equal(worked, 4 + SIZE);
    assert_int_equal(begun, 1); /* it goes on */
    assert_true(tell_memory()); /* a new table while it runs */
    offer("e");
    vhost_user_kicked(&user, 0);
    assert_int_equal(worked, 5 + SIZE);
    assert_int_equal(begun, 1);
}

/* Asked for, an acknowledgement says how it went. */
static void test_acknowledged(void **state)
{
    (void)state;
    uint64_t number = 0;
    assert_true(tell_number(16, 8));
    const uint32_t index_and_size[2] = {1, 16}, wrong[2] = {2, 16};
    assert_true(send_flags(8, 1 | 8, index_and_size, 8, NULL, 0));
    assert_int_equal(answer(8, &number, sizeof number), 8);
    assert_true(number == 0);
    assert_false(send_flags(8, 1 | 8, wrong, 8, NULL, 0));
    assert_int_equal(answer(8, &number, sizeof number), 8);
    assert_true(number == 1);
}

/* Each on a connection of its own: it ends, with a sentence where there is something to say. */
static void test_wrong(void **state)
{
    (void)state;
    static const struct table tables[] = {
        {1, 0, {{100, PAGE, USER, 0}}},                                    /* not a page's beginning */
        {1, 0, {{0, 100, USER, 0}}},                                       /* not whole pages */
        {1, 0, {{0, 0, USER, 0}}},                                         /* none */
        {1, 0, {{0, PAGE, USER, 512}}},                                    /* within a page of the file */
        {1, 0, {{0, FILE_BYTES + PAGE, USER, 0}}},                         /* longer than the file */
        {1, 0, {{0, PAGE, USER, FILE_BYTES}}},                             /* behind it */
        {1, 0, {{0, PAGE, USER, 0xfffffffffffff000ull}}},                  /* far behind it */
        {1, 0, {{WINDOW, PAGE, USER, 0}}},                                 /* no room */
        {1, 0, {{0xfffffffffffff000ull, PAGE, USER, 0}}},                  /* far out */
        {1, 0, {{0, 16 * PAGE, 0xffffffffffffffffull, 0}}},                /* the monitor's goes around */
        {2, 0, {{0, 2 * PAGE, USER, 0}, {PAGE, PAGE, USER + 0x10000, 0}}}, /* two in one place */
    };
    const unsigned before = count_files();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const int files[2] = {file, file};
        const uint32_t count = tables[i].count;
        assert_false(send_flags(5, 1, &tables[i], 8 + count * (uint32_t)sizeof(struct vhost_region), files, count));
        assert_non_null(strstr(user.message, "guest memory at 0x"));
        assert_int_equal(memory.count, 0);
    }
    assert_int_equal(count_files(), before);
    int many[16];
    for (int i = 0; i < 16; i++) many[i] = file;
    struct table table = {.count = 9};
    assert_false(send_flags(5, 1, &table, sizeof table, many, 9)); /* more than it takes */
    table.count = 2;
    assert_false(send_flags(5, 1, &table, sizeof table, many, 1)); /* fewer than it says */
    assert_false(send_flags(5, 1, &table, 8, many, 2));            /* shorter than it says */
    assert_int_equal(count_files(), before);
    assert_false(tell_state(8, 2, 8));
    assert_string_equal(user.message, "there is no such queue.");
    assert_false(tell_file(12, 2, kick));
    assert_false(tell_number(2, 1)); /* 3D was not offered */
    assert_string_equal(user.message, "features 0x1 are set, which were not offered.");
    assert_false(tell(99, NULL, 0));
    assert_string_equal(user.message, "message 99 is not known.");
    assert_false(tell_state(11, 7, 0));
    assert_int_equal(count_files(), before);
}

static void test_wrong_queue(void **state)
{
    (void)state;
    static const uint64_t places[][3] = {{USER - PAGE, AVAILABLE, USED},
                                         {TABLE, USER + 16 * PAGE - 4, USED},
                                         {TABLE, AVAILABLE, USER + 0x100000 + 8 * PAGE - 10},
                                         {UINT64_MAX - 10, AVAILABLE, USED},
                                         {0, 0, 0}};
    static const uint32_t sizes[] = {0, 3, 2048, UINT32_MAX};
    assert_true(tell_memory());
    assert_true(tell_state(8, 0, SIZE));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_true(tell_address(0, places[i][0], places[i][1], places[i][2]));
        assert_false(tell_file(12, 0, kick));
        assert_string_equal(user.message, "a queue is not in the guest's memory.");
        vhost_user_kicked(&user, 0); /* it does not run */
    }
    assert_true(tell_address(0, TABLE, AVAILABLE, USED));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_true(tell_state(8, 0, sizes[i]));
        assert_false(tell_file(12, 0, kick));
        assert_string_equal(user.message, "the size of a queue is not possible.");
    }
    assert_int_equal(worked, 0);
}

/* What is no message of vhost-user's at all. */
static void test_garbage(void **state)
{
    (void)state;
    static const uint8_t bytes[600] = {0};
    assert_false(send_flags(1, 2, NULL, 0, NULL, 0)); /* another version */
    assert_string_equal(user.message, "a message has no head of vhost-user's.");
    assert_false(send_flags(1, 1, bytes, sizeof bytes, NULL, 0));
    assert_string_equal(user.message, "a message has no head of vhost-user's.");
    finish(NULL);
    start(NULL);
    assert_int_equal(send(monitor, bytes, 5, 0), 5);
    shutdown(monitor, SHUT_WR);
    assert_false(vhost_user_serve(&user)); /* cut short */
    assert_string_equal(user.message, "");
    assert_false(vhost_user_serve(&user));
}

static void test_files(void **state)
{
    const unsigned before = count_files();
    for (unsigned round = 0; round < 3; round++) {
        start(state);
        offered = 0;
        assert_true(tell_memory());
        begin_queue(1, 0);
        assert_true(tell_file(33, 0, call));
        assert_true(tell_file(33, 0, call));
        assert_true(tell_file(14, 1, call));
        assert_true(tell_file(12, 0x101, call)); /* it says that there is none */
        finish(state);
    }
    assert_int_equal(count_files(), before);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, start, finish)
    const struct CMUnitTest tests[] = {CASE(test_session),     CASE(test_acknowledged), CASE(test_wrong),
                                       CASE(test_wrong_queue), CASE(test_garbage),      cmocka_unit_test(test_files)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
