/* SPDX-License-Identifier: Apache-2.0
 *
 * See misses.h. Registers are read while an instruction retires, when what it writes itself is not there yet: the
 * return address as the first instruction of tables_take does, the result as the one after the call does. Which
 * register has the bytes is up to link-time optimisation; tables lie one behind the other.
 */
#include "misses.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 1024, TABLES = 64 };
enum { RETURN_ADDRESS = 1, RESULT = 10, MEMORY_BITS = 27 }; /* core memory and the region differ above these */

struct function {
    const char *name; /* NULL: unused */
    uint32_t start;
    uint64_t instruction, data, waited;
};

struct table {
    uint32_t caller, start;
    uint64_t data;
};

struct misses {
    const struct symbols *symbols;
    const uint32_t *registers;
    struct function function[FUNCTIONS]; /* hashed by start */
    struct table table[TABLES];          /* by start */
    uint32_t table_count;
    uint64_t elsewhere; /* data that lies in no table */
    uint32_t last_pc;
    uint32_t set_caller; /* of tables_take_set, which takes for it */
    uint32_t returns_to; /* where an answer is awaited; 0: nowhere */
};

struct misses *misses_create(const struct symbols *symbols, const uint32_t *registers)
{
    struct misses *misses = calloc(1, sizeof *misses);
    if (misses == NULL) return NULL;
    misses->symbols = symbols;
    misses->registers = registers;
    return misses;
}

void misses_free(struct misses *misses) { free(misses); }

/* Is it the function of that name, whatever link-time optimisation has put after it? */
static bool is_named(const char *symbol, const char *name)
{
    size_t length = strlen(name);
    return symbol != NULL && strncmp(symbol, name, length) == 0 && (symbol[length] == 0 || symbol[length] == '.');
}

static void take(struct misses *misses, const struct table *table)
{
    uint32_t at = misses->table_count;
    if (at == TABLES) return;
    for (; at > 0 && misses->table[at - 1u].start > table->start; at--) misses->table[at] = misses->table[at - 1u];
    misses->table[at] = *table;
    misses->table_count++;
}

void misses_retire(struct misses *misses, uint32_t pc)
{
    uint32_t offset = 0;
    if (misses->returns_to != 0 && pc == misses->returns_to) {
        const char *caller = symbols_find(misses->symbols, pc, &offset);
        uint32_t place = is_named(caller, "tables_take_set") ? misses->set_caller : pc;
        take(misses, &(struct table){place, misses->registers[RESULT], 0});
        misses->returns_to = 0;
    }
    /* Only a jump leads to a function's start. */
    if (pc - misses->last_pc > 4u) {
        const char *name = symbols_find(misses->symbols, pc, &offset);
        if (offset == 0 && is_named(name, "tables_take_set")) misses->set_caller = misses->registers[RETURN_ADDRESS];
        if (offset == 0 && is_named(name, "tables_take")) misses->returns_to = misses->registers[RETURN_ADDRESS];
    }
    misses->last_pc = pc;
}

static struct function *function_of(struct misses *misses, uint32_t pc)
{
    uint32_t offset = 0;
    const char *name = symbols_find(misses->symbols, pc, &offset);
    uint32_t start = name != NULL ? pc - offset : 0, at = start / 2u;
    for (uint32_t i = 0; i < FUNCTIONS; i++, at++) {
        struct function *function = &misses->function[at % FUNCTIONS];
        if (function->name != NULL && function->start != start) continue;
        function->name = name != NULL ? name : "?";
        function->start = start;
        return function;
    }
    return &misses->function[0]; /* more than any firmware has */
}

static void count_data(struct misses *misses, uint32_t address)
{
    uint32_t at = misses->table_count;
    function_of(misses, misses->last_pc)->data++;
    while (at > 0 && misses->table[at - 1u].start > address) at--;
    if (at == 0 || (misses->table[at - 1u].start ^ address) >> MEMORY_BITS != 0) misses->elsewhere++;
    else misses->table[at - 1u].data++;
}

void misses_count(struct misses *misses, const struct misses_seen *seen)
{
    if (seen->instruction) function_of(misses, seen->instruction_address)->instruction++;
    if (seen->data) count_data(misses, seen->data_address);
    if (seen->instruction_waits || seen->data_waits) function_of(misses, misses->last_pc)->waited++;
}

void misses_reset(struct misses *misses)
{
    misses->table_count = 0;
    misses->returns_to = 0;
}

bool misses_write(const struct misses *misses, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) return false;
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        const struct function *at = &misses->function[i];
        if (at->name == NULL) continue;
        fprintf(file, "function %s 0x%08" PRIx32 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", at->name, at->start,
                at->instruction, at->data, at->waited);
    }
    for (uint32_t i = 0; i < misses->table_count; i++) {
        const struct table *at = &misses->table[i];
        bool is_last = i + 1u == misses->table_count || (at->start ^ at[1].start) >> MEMORY_BITS != 0;
        fprintf(file, "table 0x%08" PRIx32 " 0x%08" PRIx32 " %" PRIu32 " %" PRIu64 "\n", at->caller, at->start,
                is_last ? 0 : at[1].start - at->start, at->data);
    }
    fprintf(file, "data 0 0 0 %" PRIu64 "\n", misses->elsewhere);
    bool is_bad = ferror(file) != 0;
    return fclose(file) == 0 && !is_bad;
}
