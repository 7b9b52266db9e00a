/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of a virtual machine, for tests of what serves them: with the library, or with payloads made by hand. Each
 * test begins with an empty machine, and ends with nothing left in the GPU.
 */
#ifndef TESTS_VIRTIO_PROGRAM_BENCH_H
#define TESTS_VIRTIO_PROGRAM_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "device.h"
#include "fake_kernel.h"
#include "tessera_stream.h"

enum { PAGE = 4096, PIXELS = 64 * 48, BYTES = PIXELS * 4, RENDER = 0 };

/* A program with the library. */
struct guest {
    struct transport transport;
    struct tessera *gpu;
    struct tessera_stream *stream;
    uint32_t program, context;
};

/* A program without the library: a record, two resources that are allocations, and a context. */
struct raw {
    struct drm_kernel kernel;
    uint32_t context, record, target, source, drawing;
    uint32_t handles[3];
};

/* A copy of 64 bytes from the source to the target: where in the payload its parts are. */
struct parts {
    uint32_t list, patches, words, total;
};

extern char bench_message[256];
extern uint64_t bench_state; /* of bench_below */

uint32_t bench_below(uint32_t limit);
void open_guest(struct guest *guest);
void close_guest(struct guest *guest);
struct tessera_allocation *bench_create(struct tessera *gpu, uint32_t bytes);
/* Before and after each test. */
int bench_begin(void **test);
int bench_end(void **test);
/* A gradient, a rectangle, and a blend of both, which are read back. */
void bench_draw(struct tessera *gpu, struct tessera_stream *stream, uint32_t context, uint32_t *pixels);
/* Words of a payload, and the record after it. */
const uint32_t *bench_sent(const struct raw *raw, const uint32_t *payload, uint32_t words);
/* A payload with one message. */
void bench_head(const struct raw *raw, uint32_t *payload, uint32_t code);
/* A message whose words 2 and 3 are these: its status. */
uint32_t bench_call(const struct raw *raw, uint32_t code, uint32_t word2, uint32_t word3);
/* Make the resource an allocation: the status. */
uint32_t bench_make(const struct raw *raw, uint32_t resource, uint32_t bytes, uint32_t flags);
void open_raw(struct raw *raw);
struct parts copy_payload(const struct raw *raw, uint32_t *payload);
/* What the target holds, in its pages. */
const uint8_t *bench_content(const struct raw *raw);
/* 64 bytes from resource to resource: the status. */
uint32_t copy_of(const struct raw *raw, uint32_t target, uint32_t source);
uint32_t bench_shares(void); /* rights that the GPU has room for */
int bench_ended(int failed, int count);

#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_begin, bench_end)

#endif
