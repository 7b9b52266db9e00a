/* SPDX-License-Identifier: Apache-2.0
 *
 * See profile.h. A tree of call chains grows as they occur; the stack is the path in it, each level with the address
 * it returns to. An interrupt or trap shows as a program counter that the last instruction cannot have led to.
 */
#include "profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_PLAIN, KIND_BRANCH, KIND_JUMP, KIND_CALL, KIND_RETURN, KIND_TRAP_RETURN };
enum { PARTS = 2 }; /* core memory, the firmware's region */
enum { DEPTH = 64, NODES = 16384, NO_NODE = 0xffffffff, FUNCTIONS = 4096, LINK = 1, ALTERNATE_LINK = 5 };

struct code {
    uint8_t kind, bytes;
    uint16_t function; /* index into `name` */
};

/* Code that lies together. */
struct part {
    uint32_t address, halves;
    struct code *code; /* per half word */
};

struct node {
    uint32_t parent, first_child, next_sibling;
    uint32_t function;
    uint64_t calls, instructions, cycles;
};

struct level {
    uint32_t node, returns_to;
};

struct profile {
    struct part part[PARTS];
    const char *name[FUNCTIONS];
    uint32_t start[FUNCTIONS];
    uint32_t functions;
    struct node *nodes; /* [0] is the root, no function */
    uint32_t node_count;
    struct level stack[DEPTH];
    uint32_t depth;
    uint64_t last_cycle;
    uint32_t last_pc;
    bool is_running;
};

/* ------------------------------------------------------------------ decoding */

static bool is_link(uint32_t reg) { return reg == LINK || reg == ALTERNATE_LINK; }

static enum kind jump_kind(uint32_t link, bool is_indirect, uint32_t base)
{
    if (is_link(link)) return KIND_CALL;
    return is_indirect && is_link(base) ? KIND_RETURN : KIND_JUMP;
}

static enum kind decode_short(uint32_t word)
{
    uint32_t function = word >> 13 & 7u, quadrant = word & 3u, reg = word >> 7 & 31u;
    if (quadrant == 1u && function == 1u) return KIND_CALL; /* c.jal */
    if (quadrant == 1u && function == 5u) return KIND_JUMP; /* c.j */
    if (quadrant == 1u && function >= 6u) return KIND_BRANCH;
    if (quadrant == 2u && function == 4u && (word >> 2 & 31u) == 0u && reg != 0u)
        return jump_kind(word >> 12 & 1u ? LINK : 0u, true, reg); /* c.jr, c.jalr */
    return KIND_PLAIN;
}

static enum kind decode(uint32_t word)
{
    if ((word & 3u) != 3u) return decode_short(word & 0xffffu);
    switch (word & 0x7fu) {
    case 0x63: return KIND_BRANCH;
    case 0x6f: return jump_kind(word >> 7 & 31u, false, 0);
    case 0x67: return jump_kind(word >> 7 & 31u, true, word >> 15 & 31u);
    default: return word == 0x30200073u ? KIND_TRAP_RETURN : KIND_PLAIN;
    }
}

static uint32_t half_at(const uint8_t *bytes) { return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8; }

/* Index of the function of that name and start; the table is filled in address order. */
static bool add_function(struct profile *profile, const char *name, uint32_t start)
{
    uint32_t last = profile->functions;
    if (last > 0 && profile->start[last - 1u] == start) return true;
    if (last == FUNCTIONS) return false;
    profile->name[last] = name;
    profile->start[last] = start;
    profile->functions++;
    return true;
}

/* The parts lie in the file in the order of their addresses. */
static bool read_part(struct profile *profile, const struct symbols *symbols, struct part *part, const uint8_t *data,
                      uint32_t bytes)
{
    part->halves = bytes / 2u;
    part->code = calloc(part->halves + 1u, sizeof *part->code);
    if (part->code == NULL) return false;
    for (uint32_t i = 0; i < part->halves; i++) {
        uint32_t offset = 0, address = part->address + 2u * i;
        uint32_t word = half_at(data + 2u * i);
        if (2u * i + 4u <= bytes) word |= half_at(data + 2u * i + 2u) << 16;
        const char *name = symbols_find(symbols, address, &offset);
        if (!add_function(profile, name != NULL ? name : "?", name != NULL ? address - offset : part->address))
            return false;
        part->code[i] =
            (struct code){(uint8_t)decode(word), (word & 3u) == 3u ? 4 : 2, (uint16_t)(profile->functions - 1u)};
    }
    return true;
}

static bool read_code(struct profile *profile, const struct symbols *symbols)
{
    for (unsigned i = 0; i < PARTS; i++) {
        struct part *part = &profile->part[i];
        uint32_t bytes = 0;
        const uint8_t *data = symbols_code(symbols, i, &part->address, &bytes);
        if (data == NULL) return i > 0;
        if (!read_part(profile, symbols, part, data, bytes)) return false;
    }
    return true;
}

struct profile *profile_create(const struct symbols *symbols)
{
    struct profile *profile = calloc(1, sizeof *profile);
    if (profile == NULL) return NULL;
    profile->nodes = calloc(NODES, sizeof *profile->nodes);
    if (profile->nodes == NULL || symbols == NULL || !read_code(profile, symbols)) {
        profile_free(profile);
        return NULL;
    }
    profile->nodes[0] = (struct node){NO_NODE, NO_NODE, NO_NODE, 0, 0, 0, 0};
    profile->node_count = 1;
    return profile;
}

void profile_free(struct profile *profile)
{
    if (profile == NULL) return;
    for (unsigned i = 0; i < PARTS; i++) free(profile->part[i].code);
    free(profile->nodes);
    free(profile);
}

/* ------------------------------------------------------------------ the stack */

/* The child of `parent` for `function`; the parent itself when the tree is full. */
static uint32_t child(struct profile *profile, uint32_t parent, uint32_t function)
{
    uint32_t at = profile->nodes[parent].first_child;
    while (at != NO_NODE && profile->nodes[at].function != function) at = profile->nodes[at].next_sibling;
    if (at != NO_NODE) return at;
    if (profile->node_count == NODES) return parent;
    at = profile->node_count++;
    profile->nodes[at] = (struct node){parent, NO_NODE, profile->nodes[parent].first_child, function, 0, 0, 0};
    profile->nodes[parent].first_child = at;
    return at;
}

static void push(struct profile *profile, uint32_t function, uint32_t returns_to)
{
    uint32_t parent = profile->depth > 0 ? profile->stack[profile->depth - 1u].node : 0;
    if (profile->depth == DEPTH) profile->depth--; /* deeper than any bounded firmware: the callers stay right */
    uint32_t node = child(profile, parent, function);
    profile->stack[profile->depth++] = (struct level){node, returns_to};
    profile->nodes[node].calls++;
}

/* Another function in the place of the running one, which will return to the same caller. */
static void replace(struct profile *profile, uint32_t function)
{
    uint32_t returns_to = profile->depth > 0 ? profile->stack[--profile->depth].returns_to : 0;
    push(profile, function, returns_to);
}

static void pop_to(struct profile *profile, uint32_t pc, uint32_t function)
{
    uint32_t depth = profile->depth;
    while (depth > 0 && profile->stack[depth - 1u].returns_to != pc) depth--;
    if (depth > 1u) profile->depth = depth - 1u;
    else replace(profile, function);
}

static bool code_at(const struct profile *profile, uint32_t pc, struct code *code)
{
    for (unsigned i = 0; i < PARTS; i++) {
        const struct part *part = &profile->part[i];
        if (pc < part->address || (pc - part->address) / 2u >= part->halves) continue;
        *code = part->code[(pc - part->address) / 2u];
        return true;
    }
    return false;
}

static void follow(struct profile *profile, uint32_t pc, const struct code *now)
{
    struct code last;
    if (!profile->is_running || !code_at(profile, profile->last_pc, &last)) {
        profile->depth = 0;
        push(profile, now->function, 0);
        return;
    }
    uint32_t next = profile->last_pc + last.bytes;
    switch ((enum kind)last.kind) {
    case KIND_CALL: push(profile, now->function, next); break;
    case KIND_RETURN: pop_to(profile, pc, now->function); break;
    case KIND_TRAP_RETURN:
        if (profile->depth > 1u) profile->depth--;
        break;
    case KIND_PLAIN:
        if (pc != next) push(profile, now->function, next); /* a trap */
        break;
    case KIND_BRANCH:
    case KIND_JUMP:
    default: break;
    }
    uint32_t top = profile->nodes[profile->stack[profile->depth - 1u].node].function;
    if (top != now->function && profile->node_count < NODES) replace(profile, now->function);
}

void profile_retire(struct profile *profile, uint32_t pc, uint64_t cycle)
{
    struct code now, last;
    if (!code_at(profile, pc, &now)) return;
    if (!profile->is_running || !code_at(profile, profile->last_pc, &last) || last.kind != KIND_PLAIN ||
        pc != profile->last_pc + last.bytes || now.function != last.function)
        follow(profile, pc, &now);
    struct node *node = &profile->nodes[profile->stack[profile->depth - 1u].node];
    node->instructions++;
    node->cycles += cycle - profile->last_cycle;
    profile->last_cycle = cycle;
    profile->last_pc = pc;
    profile->is_running = true;
}

void profile_reset(struct profile *profile, uint64_t cycle)
{
    profile->is_running = false;
    profile->last_cycle = cycle;
}

/* ------------------------------------------------------------------ results */

uint64_t profile_cycles(const struct profile *profile)
{
    uint64_t sum = 0;
    for (uint32_t i = 1; i < profile->node_count; i++) sum += profile->nodes[i].cycles;
    return sum;
}

/* Is the node's function also one of its callers'? */
static bool is_nested(const struct profile *profile, uint32_t node)
{
    uint32_t function = profile->nodes[node].function;
    for (uint32_t at = profile->nodes[node].parent; at != 0 && at != NO_NODE; at = profile->nodes[at].parent)
        if (profile->nodes[at].function == function) return true;
    return false;
}

static int by_self(const void *left, const void *right)
{
    uint64_t a = ((const struct profile_row *)left)->self_cycles, b = ((const struct profile_row *)right)->self_cycles;
    return a < b ? 1 : a > b ? -1 : 0;
}

uint32_t profile_rows(const struct profile *profile, struct profile_row *rows, uint32_t limit)
{
    struct profile_row *all = calloc(profile->functions + 1u, sizeof *all);
    uint64_t *total = calloc(profile->node_count, sizeof *total);
    uint32_t count = 0;
    if (all == NULL || total == NULL) {
        free(all);
        free(total);
        return 0;
    }
    for (uint32_t i = profile->node_count; i-- > 1u;) { /* children have higher numbers than their parents */
        const struct node *node = &profile->nodes[i];
        struct profile_row *row = &all[node->function];
        total[i] += node->cycles;
        total[node->parent] += total[i];
        snprintf(row->function, sizeof row->function, "%s", profile->name[node->function]);
        row->calls += node->calls;
        row->instructions += node->instructions;
        row->self_cycles += node->cycles;
        if (!is_nested(profile, i)) row->total_cycles += total[i];
    }
    qsort(all, profile->functions, sizeof *all, by_self);
    while (count < limit && count < profile->functions && all[count].instructions != 0) {
        rows[count] = all[count];
        count++;
    }
    free(all);
    free(total);
    return count;
}

static void print_chain(const struct profile *profile, FILE *file, uint32_t node)
{
    if (profile->nodes[node].parent != 0) {
        print_chain(profile, file, profile->nodes[node].parent);
        fputc(';', file);
    }
    fputs(profile->name[profile->nodes[node].function], file);
}

bool profile_write_folded(const struct profile *profile, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) return false;
    for (uint32_t i = 1; i < profile->node_count; i++) {
        if (profile->nodes[i].cycles == 0) continue;
        print_chain(profile, file, i);
        fprintf(file, " %" PRIu64 "\n", profile->nodes[i].cycles);
    }
    bool is_bad = ferror(file) != 0;
    return fclose(file) == 0 && !is_bad;
}
