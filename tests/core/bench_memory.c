/* SPDX-License-Identifier: Apache-2.0
 *
 * See bench_memory.h.
 */
#include "bench_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_image.h"

bool bench_memory_create(struct bench_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    memory->tohost = ~0u;
    for (unsigned i = 0; i < 2; i++) {
        memory->ram[i] = calloc(1, BENCH_RAM_BYTES);
        if (!memory->ram[i]) return false;
    }
    return true;
}

void bench_memory_destroy(struct bench_memory *memory)
{
    free(memory->ram[0]);
    free(memory->ram[1]);
    memory->ram[0] = memory->ram[1] = NULL;
}

/* RAM behind an address, or NULL. Both windows are whole and no access crosses their end. */
static uint8_t *ram_at(struct bench_memory *memory, uint32_t address)
{
    uint32_t offset = address & 0x7fffffffu;
    return offset < BENCH_RAM_BYTES ? memory->ram[address >> 31] + offset : NULL;
}

static bool store_segment(void *context, uint32_t address, const uint8_t *data, uint32_t file_bytes,
                          uint32_t memory_bytes)
{
    struct bench_memory *memory = context;
    uint32_t offset = address & 0x7fffffffu;
    if (offset >= BENCH_RAM_BYTES || memory_bytes > BENCH_RAM_BYTES - offset) return false;
    memcpy(ram_at(memory, address), data, file_bytes);
    memset(ram_at(memory, address) + file_bytes, 0, memory_bytes - file_bytes);
    return true;
}

bool bench_memory_load(struct bench_memory *memory, const struct elf_image *image, char *error)
{
    if (!elf_load(image, store_segment, memory)) {
        snprintf(error, 256, "a segment is damaged or lies outside the bench's memory (bench_memory.h)");
        return false;
    }
    uint32_t low = image->entry & 0xfffu, high = image->entry - (low ^ 0x800u) + 0x800u;
    memory->boot[0] = (high & 0xfffff000u) | 0x2b7u; /* lui t0, %hi(entry) */
    memory->boot[1] = low << 20 | 0x00028067u;       /* jalr x0, %lo(entry)(t0) */
    if (!elf_symbol(image, "tohost", &memory->tohost)) memory->tohost = ~0u;
    return true;
}

static bool device_read(const struct bench_memory *memory, uint32_t offset, uint32_t *value)
{
    switch (offset) {
    case BENCH_CONSOLE: *value = 0; return true;
    case BENCH_LINES: *value = memory->lines; return true;
    case BENCH_DELAY: *value = memory->delay; return true;
    case BENCH_CYCLE: *value = (uint32_t)memory->cycle; return true;
    case BENCH_RAISED: *value = (uint32_t)memory->raised; return true;
    default: return false;
    }
}

static bool device_write(struct bench_memory *memory, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case BENCH_CONSOLE:
        if (!memory->is_quiet) fputc((int)(value & 0xffu), stdout);
        return true;
    case BENCH_LINES: memory->lines = value & 63u; return true;
    case BENCH_RAISE:
        memory->delayed_lines = value & 63u;
        memory->raise_cycle = memory->cycle + memory->delay + 1;
        return true;
    case BENCH_DELAY: memory->delay = value; return true;
    default: return false;
    }
}

bool bench_memory_read(struct bench_memory *memory, uint32_t address, uint32_t *value)
{
    const uint8_t *p = ram_at(memory, address);
    if (p) {
        *value = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        return true;
    }
    if (address >= BENCH_BOOT && address < BENCH_BOOT + sizeof memory->boot) {
        *value = memory->boot[(address - BENCH_BOOT) / 4];
        return true;
    }
    if (address - BENCH_DEVICES < 0x100) return device_read(memory, address - BENCH_DEVICES, value);
    return false;
}

bool bench_memory_write(struct bench_memory *memory, uint32_t address, uint32_t value, unsigned byte_enable)
{
    uint8_t *p = ram_at(memory, address);
    if (!p) return address - BENCH_DEVICES < 0x100 && device_write(memory, address - BENCH_DEVICES, value);
    for (unsigned i = 0; i < 4; i++)
        if (byte_enable >> i & 1) p[i] = (uint8_t)(value >> 8 * i);
    if (address == memory->tohost && value != 0) {
        memory->is_ended = true;
        memory->exit_value = value;
    }
    return true;
}

void bench_memory_time(struct bench_memory *memory, uint64_t now)
{
    memory->cycle = now;
    if (memory->raise_cycle != 0 && now >= memory->raise_cycle) {
        memory->lines |= memory->delayed_lines;
        memory->raised = now;
        memory->raise_cycle = 0;
    }
}
