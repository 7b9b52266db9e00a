/* SPDX-License-Identifier: Apache-2.0
 *
 * See random_program.h. Registers 8 and 9 keep an address in the data range most of the time, because a random
 * base would make nearly every access fault.
 */
#include "random_program.h"

#include <string.h>

#include "isa_model.h"

enum { BASE_REGISTER = 8 };

uint32_t random_next(struct random_source *source)
{
    source->state = source->state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = source->state;
    return (uint32_t)((x ^ x >> 22) >> (22 + (x >> 61)));
}

uint32_t random_below(struct random_source *source, uint32_t limit)
{
    return (uint32_t)((uint64_t)random_next(source) * limit >> 32);
}

/* A target register: few of them, so that results are used again; the base registers seldom. */
static uint32_t target_register(struct random_source *source)
{
    uint32_t rd = random_below(source, random_below(source, 4) ? 16 : 32);
    return (rd & ~1u) == BASE_REGISTER && random_below(source, 20) ? 10 : rd;
}

static uint32_t source_register(struct random_source *source)
{
    return random_below(source, random_below(source, 4) ? 16 : 32);
}

static uint32_t address_register(struct random_source *source)
{
    return random_below(source, 8) ? BASE_REGISTER + random_below(source, 2) : source_register(source);
}

/* Offsets: mostly small and aligned to the access. */
static uint32_t memory_offset(struct random_source *source, uint32_t funct3)
{
    uint32_t offset = random_below(source, 8) ? random_below(source, 64) : random_next(source) & 0xfff;
    return random_below(source, 8) ? offset & ~((1u << (funct3 & 3)) - 1) : offset;
}

static uint32_t interesting(struct random_source *source)
{
    static const uint32_t values[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 31, 32};
    switch (random_below(source, 4)) {
    case 0: return values[random_below(source, sizeof values / sizeof values[0])];
    case 1: return random_next(source) >> random_below(source, 32);
    default: return random_next(source);
    }
}

static uint32_t csr_number(struct random_source *source)
{
    static const uint16_t numbers[] = {0x300, 0x300, 0x301, 0x304, 0x304, 0x305, 0x340, 0x340, 0x341,
                                       0x342, 0x343, 0x344, 0x3a0, 0x3a1, 0x3b0, 0x3b1, 0x3b2, 0x3b3,
                                       0x3b4, 0x3b7, 0x3b8, 0xb00, 0xb02, 0xb80, 0xb82, 0xc00, 0xc01,
                                       0xc02, 0xc82, 0xf11, 0xf14, 0x320, 0x323, 0x310, 0xf12};
    if (random_below(source, 30) == 0) return random_next(source) & 0xfff;
    return numbers[random_below(source, sizeof numbers / sizeof numbers[0])];
}

static uint32_t system_word(struct random_source *source)
{
    static const uint32_t words[] = {0x00000073, 0x00100073, 0x30200073, 0x10500073, 0x10200073, 0x7b200073};
    static const uint8_t funct3s[] = {1, 2, 3, 5, 6, 7};
    if (random_below(source, 10) == 0) return words[random_below(source, sizeof words / sizeof words[0])];
    uint32_t funct3 = funct3s[random_below(source, 6)], number = csr_number(source);
    /* mtvec and the protection registers seldom: they decide whether the program goes on at all. */
    bool is_grave = number == 0x305 || (number >= 0x3a0 && number < 0x3c0);
    uint32_t operand = is_grave && random_below(source, 12) ? 0 : source_register(source);
    if (operand == 0 && is_grave) funct3 = 2;
    return number << 20 | operand << 15 | funct3 << 12 | target_register(source) << 7 | 0x73;
}

static uint32_t branch_word(struct random_source *source)
{
    static const uint8_t funct3s[] = {0, 1, 4, 5, 6, 7};
    uint32_t offset = random_below(source, 96) & ~1u;
    offset = random_below(source, 3) == 0 ? (0u - offset) : offset;
    return (offset >> 12 & 1) << 31 | (offset >> 5 & 63) << 25 | source_register(source) << 20 |
           source_register(source) << 15 | (uint32_t)funct3s[random_below(source, 6)] << 12 | (offset >> 1 & 15) << 8 |
           (offset >> 11 & 1) << 7 | 0x63;
}

static uint32_t jump_word(struct random_source *source)
{
    if (random_below(source, 3) == 0)
        return (random_next(source) & 0xfff) << 20 | source_register(source) << 15 | target_register(source) << 7 |
               0x67;
    uint32_t offset = random_below(source, 200) & ~1u;
    offset = random_below(source, 3) == 0 ? (0u - offset) : offset;
    return (offset >> 20 & 1) << 31 | (offset >> 1 & 1023) << 21 | (offset >> 11 & 1) << 20 |
           (offset >> 12 & 255) << 12 | target_register(source) << 7 | 0x6f;
}

static uint32_t arithmetic_word(struct random_source *source)
{
    uint32_t funct3 = random_below(source, 8), rd = target_register(source), rs1 = source_register(source);
    uint32_t rs2 = source_register(source), pick = random_below(source, 10);
    if (pick == 0) return (random_next(source) & 0xfffff000) | rd << 7 | (random_below(source, 2) ? 0x37u : 0x17u);
    if (pick < 5) {
        uint32_t immediate = random_next(source) & 0xfff;
        if (funct3 == 1) immediate &= 0x1f;
        if (funct3 == 5) immediate &= 0x41f;
        return immediate << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x13;
    }
    uint32_t funct7 = random_below(source, 4) == 0 ? 1u : 0u;
    if (funct7 == 0 && (funct3 == 0 || funct3 == 5)) funct7 = random_below(source, 2) * 0x20;
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33;
}

static uint32_t memory_word(struct random_source *source)
{
    static const uint8_t load_funct3[] = {0, 1, 2, 2, 4, 5};
    uint32_t base = address_register(source);
    if (random_below(source, 5) < 3) {
        uint32_t funct3 = load_funct3[random_below(source, 6)];
        return memory_offset(source, funct3) << 20 | base << 15 | funct3 << 12 | target_register(source) << 7 | 0x03;
    }
    uint32_t funct3 = random_below(source, 3), offset = memory_offset(source, funct3);
    return (offset >> 5 & 127) << 25 | source_register(source) << 20 | base << 15 | funct3 << 12 | (offset & 31) << 7 |
           0x23;
}

bool random_is_tame(uint32_t word)
{
    uint32_t expanded = word, funct3, rd, rs1;
    if ((word & 3) != 3 && !isa_expand(word, &expanded)) return true; /* reserved: traps everywhere */
    funct3 = expanded >> 12 & 7, rd = expanded >> 7 & 31, rs1 = expanded >> 15 & 31;
    uint32_t offset = (expanded & 0x7f) == 0x23 ? (expanded >> 25 & 127) << 5 | rd : expanded >> 20;
    bool is_store = (expanded & 0x7f) == 0x23, is_branch = (expanded & 0x7f) == 0x63;
    if (!is_store && !is_branch && (rd & ~1u) == BASE_REGISTER) return false;
    switch (expanded & 0x7f) {
    case 0x03:
    case 0x23: return (rs1 & ~1u) == BASE_REGISTER && (offset & ((1u << (funct3 & 3)) - 1)) == 0;
    case 0x67: return false;
    case 0x73: return expanded == 0x73 || expanded == 0x00100073 || expanded >> 20 == 0x340;
    default: return true;
    }
}

static unsigned draw(struct random_source *source, uint32_t *word)
{
    uint32_t kind = random_below(source, 100);
    if (kind < 22) {
        do *word = random_next(source) & 0xffff;
        while ((*word & 3) == 3);
        return 1;
    }
    if (kind < 34) *word = memory_word(source);
    else if (kind < 46) *word = branch_word(source);
    else if (kind < 49) *word = jump_word(source);
    else if (kind < 57) *word = system_word(source);
    else if (kind < 58) *word = 0x0000000f | random_below(source, 2) << 12;
    else if (kind < 59) *word = random_next(source) | 3;
    else *word = arithmetic_word(source);
    return 2;
}

unsigned random_instruction(struct random_source *source, const struct random_options *options, uint32_t *word)
{
    unsigned halves;
    do halves = draw(source, word);
    while (options->is_tame && !random_is_tame(*word));
    return halves;
}

static void put_half(uint32_t *code, uint32_t address, uint32_t half)
{
    uint32_t *word = &code[address / 4 % (RANDOM_CODE_BYTES / 4)];
    *word = address & 2 ? (*word & 0xffff) | half << 16 : (*word & ~0xffffu) | (half & 0xffff);
}

/* lui, addi: any value. */
static uint32_t put_value(uint32_t *code, uint32_t address, uint32_t rd, uint32_t value)
{
    code[address / 4] = ((value + 0x800) & 0xfffff000) | rd << 7 | 0x37;
    code[address / 4 + 1] = (value & 0xfff) << 20 | rd << 15 | rd << 7 | 0x13;
    return address + 8;
}

static uint32_t csr_write(uint32_t number, uint32_t rs1) { return number << 20 | rs1 << 15 | 1u << 12 | 0x73; }

void random_program(struct random_source *source, const struct random_options *options,
                    uint32_t code[RANDOM_CODE_BYTES / 4])
{
    for (uint32_t address = 0; address < RANDOM_CODE_BYTES;) {
        uint32_t word, halves = random_instruction(source, options, &word);
        for (uint32_t i = 0; i < halves; i++, address += 2) put_half(code, address, word >> 16 * i);
    }
    uint32_t at = 0;
    for (uint32_t i = 1; i < 32; i++) {
        bool is_base = (i & ~1u) == BASE_REGISTER;
        uint32_t base = options->data_base | (random_next(source) & (options->is_tame ? 0xffffc : 0x3ffffffc));
        at = put_value(code, at, i, is_base ? base : interesting(source));
    }
    /* Interrupts come last: the handler would skip an instruction that gives a register its value. */
    static const uint16_t csrs[] = {0x305, 0x340, 0x304, 0x341, 0x343, 0x300};
    uint32_t values[] = {options->is_tame ? options->handler : RANDOM_HANDLER | random_below(source, 2),
                         random_next(source),
                         random_next(source),
                         random_next(source),
                         random_next(source),
                         random_next(source) & 0x88};
    for (unsigned i = 0; i < (options->is_tame ? 2 : sizeof csrs / sizeof csrs[0]); i++) {
        at = put_value(code, at, 5, values[i]);
        code[at / 4] = csr_write(csrs[i], 5);
        at += 4;
    }
    if (options->is_tame) return;
    for (uint32_t i = 0; i < 20; i++) /* jal x0, to the handler after the table */
        code[RANDOM_HANDLER / 4 + i] = (20 - i) * 4 << 20 | 0x6f;
    static const uint32_t handler[] = {0x34102ff3, 0x004f8f93, 0x341f9073, 0x30200073};
    memcpy(&code[RANDOM_HANDLER / 4 + 20], handler, sizeof handler);
}
