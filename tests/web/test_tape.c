/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a tape gives back every state that was appended, in any order, and says when memory is out without losing what
 * it has. Method: random states beside plain copies of them, sought at random; and the same with each allocation
 * failing in turn.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "tape.h"

enum { WORDS = 40, BYTES = WORDS * 8, STATES = 3000 };
static uint64_t states[STATES + 1][WORDS]; /* the first is all zero */
static uint32_t noise = 5;
static int until_failure = -1; /* allocations that succeed; -1: all */
static unsigned refused;

void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static bool fails(void)
{
    const bool is_failure = until_failure == 0;
    if (until_failure >= 0) until_failure -= 1;
    refused += is_failure;
    return is_failure;
}

void *__wrap_calloc(size_t count, size_t bytes) { return fails() ? NULL : __real_calloc(count, bytes); }
void *__wrap_realloc(void *old, size_t bytes) { return fails() ? NULL : __real_realloc(old, bytes); }

static uint32_t pick(uint32_t limit)
{
    noise ^= noise << 13;
    noise ^= noise >> 17;
    noise ^= noise << 5;
    return noise % limit;
}

static void is_state(struct tape *tape, uint32_t at) { CHECK(memcmp(tape_seek(tape, at), states[at], BYTES) == 0); }

/* Any words of it; or bytes first .. first + count, which the tape is told. */
static void change(uint32_t number, size_t *first, size_t *count)
{
    memcpy(states[number], states[number - 1u], BYTES);
    *first = *count = 0;
    if (number % 3u == 0) return; /* as it was */
    if (number % 3u == 1) {
        for (uint32_t i = pick(WORDS + 1u); i > 0; i--) states[number][pick(WORDS)] ^= (uint64_t)pick(3) << pick(60);
        return;
    }
    *first = pick(BYTES);
    *count = 1u + pick(BYTES - (uint32_t)*first);
    if (number % 2u == 0) *count = BYTES - *first; /* up to the end */
    for (size_t i = 0; i < *count; i++) ((uint8_t *)states[number])[*first + i] ^= (uint8_t)pick(256);
}

static void test_states(void)
{
    struct tape *tape = tape_create(BYTES);
    CHECK(tape != NULL);
    CHECK_EQUAL(tape_length(tape), 0);
    CHECK_EQUAL(tape_bytes(tape), 0);
    is_state(tape, 0);
    for (uint32_t i = 1; i <= STATES; i++) {
        size_t first, count;
        const size_t before = tape_bytes(tape);
        change(i, &first, &count);
        CHECK(tape_append(tape, states[i], first, count));
        CHECK_EQUAL(tape_length(tape), i);
        if (i % 3u == 0) CHECK_EQUAL(tape_bytes(tape), before); /* nothing has changed, nothing is kept */
        else CHECK(tape_bytes(tape) <= before + BYTES + 8u * WORDS);
        if (pick(8) == 0) is_state(tape, pick(i + 1u));
    }
    for (uint32_t i = 0; i < STATES; i++) is_state(tape, pick(STATES + 1u));
    is_state(tape, STATES);
    is_state(tape, 0);
    tape_destroy(tape);
}

/* One word costs a run of four words of 32 bits, and words that are together one run. */
static void test_bytes(void)
{
    struct tape *tape = tape_create(BYTES);
    uint64_t state[WORDS] = {0};
    CHECK(tape != NULL);
    state[3] = 1;
    CHECK(tape_append(tape, state, 0, 0));
    CHECK_EQUAL(tape_bytes(tape), 16);
    state[7] = state[8] = state[WORDS - 1] = 2;
    CHECK(tape_append(tape, state, 0, 0));
    CHECK_EQUAL(tape_bytes(tape), 16 + 24 + 16);
    state[0] = 9; /* outside what the tape is told */
    state[2] = 5;
    CHECK(tape_append(tape, state, 16, 8));
    CHECK_EQUAL(tape_bytes(tape), 16 + 24 + 16 + 16);
    state[0] = 0;
    CHECK(memcmp(tape_seek(tape, 3), state, BYTES) == 0);
    tape_destroy(tape);
    tape_destroy(NULL);
}

/* Each allocation fails once: what was appended stays, and the same state is taken when there is memory again. */
static void test_no_memory(void)
{
    for (int allowed = 0; allowed < 3; allowed++) {
        until_failure = allowed;
        CHECK(tape_create(BYTES) == NULL);
        until_failure = -1;
    }
    struct tape *tape = tape_create(BYTES);
    unsigned failed = 0;
    CHECK(tape != NULL);
    for (uint32_t i = 1; i <= STATES; i++) {
        until_failure = (int)pick(2); /* the first, or the second: the list of begins, or the differences */
        refused = 0;
        const size_t before = tape_bytes(tape);
        if (!tape_append(tape, states[i], 0, 0)) {
            CHECK_EQUAL(refused, 1);
            failed++;
            CHECK_EQUAL(tape_length(tape), i - 1u);
            CHECK_EQUAL(tape_bytes(tape), before);
            is_state(tape, i - 1u);
            until_failure = -1;
            CHECK(tape_append(tape, states[i], 0, 0));
        } else {
            CHECK_EQUAL(refused, 0);
        }
        until_failure = -1;
        CHECK_EQUAL(tape_length(tape), i);
        is_state(tape, i);
    }
    CHECK(failed > 5u);
    for (uint32_t i = 0; i <= STATES; i++) is_state(tape, i);
    tape_destroy(tape);
}

int main(void)
{
    CHECK_RUN(test_states);
    CHECK_RUN(test_bytes);
    CHECK_RUN(test_no_memory);
    printf("%u passed, %u failed\n", check_state.passed, check_state.failed);
    return check_state.failed != 0;
}
