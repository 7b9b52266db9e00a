/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints what a register map has to say, from the table itself and not by way of the generator: a line for each
 * register that the host reaches, "BLOCK REGISTER ADDRESS ACCESS RESET", and after it one for each of its fields,
 * "FIELD LSB WIDTH". Copies of a block have their number after its name.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static struct {
    const char *name;
    uint32_t base, count, stride;
} block;
static const struct {
    const char *block, *reg, *name;
    uint32_t lsb, width;
} fields[] = {
#define FIELD(block, reg, name, lsb, width, doc) {#block, #reg, #name, lsb, width},
#include "gpu.def"
};

static void print_register(const char *name, uint32_t offset, const char *access, uint32_t reset, uint32_t copy)
{
    if (block.count > 1) printf("%s%u", block.name, copy);
    else printf("%s", block.name);
    printf(" %s %x %s %x\n", name, block.base + copy * block.stride + offset, access, reset);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].block, block.name) == 0 && strcmp(fields[i].reg, name) == 0)
            printf("  %s %u %u\n", fields[i].name, fields[i].lsb, fields[i].width);
}

int main(void)
{
    static const struct {
        const char *block, *reg, *access;
        uint32_t n[3];
    } rows[] = {
#undef FIELD
#define BLOCK(block, base, count, stride, doc) {#block, NULL, NULL, {base, count, stride}},
#define REG(block, name, offset, host, core, reset, doc) {#block, #name, #host, {offset, reset, 0}},
#include "gpu.def"
    };
    const size_t count = sizeof rows / sizeof *rows;
    for (size_t b = 0; b < count; b++) {
        if (rows[b].reg != NULL) continue;
        block.name = rows[b].block;
        block.base = rows[b].n[0];
        block.count = rows[b].n[1];
        block.stride = rows[b].n[2];
        for (uint32_t copy = 0; copy < block.count; copy++)
            for (size_t r = 0; r < count; r++)
                if (rows[r].reg != NULL && strcmp(rows[r].block, block.name) == 0 && strcmp(rows[r].access, "NA") != 0)
                    print_register(rows[r].reg, rows[r].n[0], rows[r].access, rows[r].n[1], copy);
    }
    return 0;
}
