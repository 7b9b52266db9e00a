/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: every miss is counted for the function and the table that it belongs to. Method: a made-up image; tables are
 * taken as the firmware takes them, straight and by way of a set, in both memories, misses are told at the first and
 * last byte of each, and the file is compared with what was told.
 */
#include <stdio.h>
#include <string.h>

#include "misses.h"

enum { TAKE = 0x100, TAKE_SET = 0x180, USER = 0x200, COLD = 0x08000100, END = 0x08000200 };
enum { RETURN_ADDRESS = 1, RESULT = 10 };

static uint32_t registers[32];
static struct misses *misses;
static unsigned passed, failed;

const char *symbols_find(const struct symbols *symbols, uint32_t address, uint32_t *offset)
{
    static const struct {
        uint32_t start;
        const char *name;
    } all[] = {
        {TAKE, "tables_take.constprop.0"}, {TAKE_SET, "tables_take_set"}, {USER, "user"}, {COLD, "tables_taken"}};
    const char *name = NULL;
    (void)symbols;
    for (unsigned i = 0; i < 4 && all[i].start <= address && address < END; i++) {
        *offset = address - all[i].start;
        name = all[i].name;
    }
    return name;
}

static void check(bool is_right, const char *what)
{
    passed += is_right;
    failed += !is_right;
    if (!is_right) printf("FAILED: %s\n", what);
}

/* A call at `place`, answered by `start`. */
static void take(uint32_t place, uint32_t start)
{
    misses_retire(misses, place);
    registers[RETURN_ADDRESS] = place + 4;
    misses_retire(misses, TAKE);
    registers[RETURN_ADDRESS] = 7;
    misses_retire(misses, TAKE + 4);
    registers[RESULT] = start;
    misses_retire(misses, TAKE + 0x40);
    misses_retire(misses, place + 4);
    registers[RESULT] = 7;
    misses_retire(misses, place + 8);
}

static void take_set(uint32_t place, uint32_t start)
{
    misses_retire(misses, place);
    registers[RETURN_ADDRESS] = place + 4;
    misses_retire(misses, TAKE_SET);
    take(TAKE_SET + 8, start);
    misses_retire(misses, place + 4);
}

static void miss_data(uint32_t pc, uint32_t address)
{
    misses_retire(misses, pc);
    misses_count(misses, &(struct misses_seen){.data = true, .data_waits = true, .data_address = address});
}

static void expect(const char *path, const char *text, const char *what)
{
    char found[1024] = "";
    check(misses_write(misses, path), "the file is written");
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        found[fread(found, 1, sizeof found - 1, file)] = 0;
        fclose(file);
    }
    check(strcmp(found, text) == 0, what);
    if (strcmp(found, text) != 0) printf("%s", found);
}

int main(int count, char **arguments)
{
    const char *path = count > 1 ? arguments[1] : "misses";
    misses = misses_create(NULL, registers);
    expect(path, "data 0 0 0 0\n", "nothing yet");
    take_set(USER + 0x20, 0x08001018);
    take(USER + 0x10, 0x08001000);
    take(USER + 0x30, 0x080010a0);
    take(USER + 0x40, 0x400);
    take(USER + 0x50, 0x420);
    miss_data(USER, 0x08001000);
    miss_data(USER + 2, 0x08001017);
    miss_data(COLD, 0x08001018);
    miss_data(COLD, 0x0800109f);
    miss_data(COLD + 8, 0x0800109c);
    miss_data(COLD + 8, 0x080010a0);
    miss_data(COLD + 8, 0x08000ffc);
    misses_retire(misses, USER + 4);
    misses_count(misses, &(struct misses_seen){.instruction = true, .instruction_address = COLD + 0x20});
    misses_count(misses, &(struct misses_seen){.instruction_waits = true, .instruction_address = COLD + 0x20});
    misses_count(misses, &(struct misses_seen){.instruction_waits = true, .data_waits = true});
    misses_count(misses, &(struct misses_seen){.instruction = true, .instruction_address = END});
    expect(path,
           "function ? 0x00000000 1 0 0\n"
           "function tables_taken 0x08000100 1 5 5\n"
           "function user 0x00000200 0 2 4\n"
           "table 0x00000244 0x00000400 32 0\n"
           "table 0x00000254 0x00000420 0 0\n"
           "table 0x00000214 0x08001000 24 2\n"
           "table 0x00000224 0x08001018 136 3\n"
           "table 0x00000234 0x080010a0 0 1\n"
           "data 0 0 0 1\n",
           "each where it belongs");
    misses_reset(misses);
    take(USER + 0x10, 0x08001000);
    miss_data(USER, 0x08001007);
    miss_data(USER, 0x08000fff);
    expect(path,
           "function ? 0x00000000 1 0 0\n"
           "function tables_taken 0x08000100 1 5 5\n"
           "function user 0x00000200 0 4 6\n"
           "table 0x00000214 0x08001000 0 1\n"
           "data 0 0 0 2\n",
           "the tables of another boot");
    check(!misses_write(misses, "/"), "no file");
    misses_free(misses);
    misses_free(NULL);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
