/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of allocations. Goal: a set is what has been added and not dropped, at any size, and what is cleared or reset is
 * all that was noted. Method: random operations beside a byte per allocation.
 */
#include <string.h>

#include "check.h"
#include "fake_hal.h"
#include "memory/tables.h"

enum { BYTES = 1 << 18 };

static _Alignas(16) unsigned char memory[BYTES];
static struct tables tables;
static uint8_t model[ALLOCATION_MAXIMUM];
static uint32_t random_state = 5;

static uint32_t pick(uint32_t limit) { return check_pick(&random_state, limit); }

static void open_tables(uint32_t limit, uint32_t first, uint32_t second)
{
    const struct hal_memory part[2] = {{memory, first}, {memory + first, second}};
    memset(memory, 0xa5, sizeof memory);
    const struct table_limits limits = {limit, CONTEXT_DEFAULT, LIST_DEFAULT, DMA_BYTES_DEFAULT};
    tables_init(&tables, &limits, part);
}

static void check_set(const struct index_set *set, uint32_t limit)
{
    uint32_t at = index_set_next(set, 0);
    for (uint32_t i = 0; i < limit; i++) {
        CHECK_EQUAL(index_set_has(set, i), model[i]);
        if (model[i] == 0) continue;
        CHECK_EQUAL(at, i);
        at = index_set_next(set, i + 1u);
    }
    CHECK_EQUAL(at, INDEX_NONE);
}

static void test_sets(void)
{
    static const uint32_t limits[] = {32, 64, 1024, 1056, 4096, 16384};
    for (uint32_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        const uint32_t limit = limits[k];
        open_tables(limit, BYTES, 0);
        struct index_set *set = tables_take_set(&tables), *copy = tables_take_set(&tables);
        memset(model, 0, sizeof model);
        check_set(set, limit);
        for (uint32_t step = 0; step < 200; step++) {
            const uint32_t i = pick(4) == 0 ? limit - 1u - pick(3) : pick(limit);
            if (pick(3) != 0) {
                CHECK_EQUAL(index_set_add(set, i), model[i]);
                model[i] = 1;
            } else {
                index_set_drop(set, i);
                model[i] = 0;
            }
            if (pick(40) == 0) index_set_trim(set);
            if (pick(60) == 0) {
                index_set_clear(set);
                memset(model, 0, sizeof model);
            }
            if (step % 20 == 0) check_set(set, limit);
        }
        index_set_add(copy, pick(limit));
        index_set_copy(copy, set);
        check_set(copy, limit);
        for (uint32_t i = 0; i < limit; i++) index_set_drop(set, i);
        index_set_trim(set);
        CHECK_EQUAL(index_set_word(set, 0), INDEX_NONE);
        memset(model, 0, sizeof model);
        index_set_clear(copy);
        check_set(copy, limit);
        CHECK(!tables.is_short);
    }
}

/* What was noted since the last time is as asked for again; the rest is left alone. */
static void test_pieces(void)
{
    static const uint32_t limits[] = {32, 96, 1024, 16384};
    for (uint32_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        const uint32_t limit = limits[k];
        open_tables(limit, BYTES, 0);
        uint8_t *pieces = tables_take(&tables, pieces_bytes(limit));
        uint16_t *table = tables_take(&tables, limit * 2u);
        memset(table, 0xff, limit * 2u);
        for (uint32_t round = 0; round < 20; round++) {
            for (uint32_t i = pick(10); i > 0; i--) {
                const uint32_t at = pick(limit);
                table[at] = (uint16_t)pick(1000);
                pieces_note(pieces, at);
            }
            pieces_reset(pieces, limit, table, 2, 0xff);
            for (uint32_t i = 0; i < limit; i++) CHECK_EQUAL(table[i], 0xffff);
        }
        table[limit - 1u] = 3; /* not noted */
        pieces_reset(pieces, limit, table, 2, 0xff);
        CHECK_EQUAL(table[limit - 1u], 3);
    }
}

int main(void)
{
    CHECK_RUN(test_sets);
    CHECK_RUN(test_pieces);
    return check_finish();
}
