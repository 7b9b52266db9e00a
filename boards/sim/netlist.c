/* SPDX-License-Identifier: Apache-2.0
 *
 * See netlist.h. Combinational logic is tables of four inputs (a carry cell is eight of them), each on a level above
 * its inputs'; a net that changes queues its readers, and a sweep over the levels works each out once. Registers and
 * memories are *armed* when an input of theirs changes: at a rise of their clock the others would keep what they have.
 * All armed ones look at their inputs before any of them changes its output.
 */
#include "netlist_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ putting together */

static struct reader *reader_slot(struct netlist *netlist, netlist_net net, bool is_counting)
{
    static struct reader nobody;
    if (net <= ONE) return &nobody;
    if (is_counting) {
        netlist->first[net + 1]++;
        return &nobody;
    }
    return &netlist->readers[netlist->first[net]++];
}
#define READS(net_, kind_, index_) (*reader_slot(netlist, net_, is_counting) = (struct reader){kind_, index_})

static void link_port(struct netlist *netlist, const struct ram_port *port, uint32_t index, bool is_counting)
{
    READS(port->enable, BLOCK_RAM, index);
    READS(port->write, BLOCK_RAM, index);
    for (uint32_t i = 0; i < 14; i++) READS(port->at[i], BLOCK_RAM, index);
    for (uint32_t i = 0; i < 18; i++) READS(port->in[i], BLOCK_RAM, index);
}

static void link_readers(struct netlist *netlist, bool is_counting)
{
    for (uint32_t i = 0; i < netlist->tables.count; i++)
        for (uint32_t k = 0; k < 4; k++) READS(ITEM(netlist, tables, table, i)->in[k], TABLE, i);
    for (uint32_t i = 0; i < netlist->flip_flops.count; i++) {
        const struct flip_flop *flip_flop = ITEM(netlist, flip_flops, flip_flop, i);
        READS(flip_flop->enable, REGISTER, i);
        READS(flip_flop->reset, REGISTER, i);
        READS(flip_flop->data, REGISTER, i);
    }
    for (uint32_t i = 0; i < netlist->small_rams.count; i++) {
        READS(ITEM(netlist, small_rams, small_ram, i)->write, SMALL_RAM_WRITE, i);
        for (uint32_t k = 0; k < 4; k++) READS(ITEM(netlist, small_rams, small_ram, i)->read_at[k], SMALL_RAM, i);
    }
    for (uint32_t i = 0; i < netlist->multipliers.count; i++) {
        const struct multiplier *multiplier = ITEM(netlist, multipliers, multiplier, i);
        for (uint32_t k = 0; k < 18; k++) READS(multiplier->a[k], MULTIPLIER, i);
        for (uint32_t k = 0; k < 18; k++) READS(multiplier->b[k], MULTIPLIER, i);
    }
    for (uint32_t i = 0; i < netlist->block_rams.count; i++) {
        link_port(netlist, &ITEM(netlist, block_rams, block_ram, i)->a, i, is_counting);
        link_port(netlist, &ITEM(netlist, block_rams, block_ram, i)->b, i, is_counting);
    }
}

static void find_readers(struct netlist *netlist)
{
    netlist->first = calloc(netlist->values.count + 2, sizeof *netlist->first);
    link_readers(netlist, true);
    for (uint32_t i = 0; i <= netlist->values.count; i++) netlist->first[i + 1] += netlist->first[i];
    netlist->readers = calloc(netlist->first[netlist->values.count] + 1u, sizeof *netlist->readers);
    link_readers(netlist, false); /* moves each start to the next one's ... */
    for (uint32_t i = netlist->values.count + 1; i > 0; i--) netlist->first[i] = netlist->first[i - 1];
    netlist->first[0] = 0; /* ... and back */
}

static uint32_t *level_of(struct netlist *netlist, struct reader reader)
{
    return reader.kind == SMALL_RAM ? &ITEM(netlist, small_rams, small_ram, reader.index)->level
                                    : &ITEM(netlist, multipliers, multiplier, reader.index)->level;
}

/* Levels by repeated passes: each combinational cell one above the highest of its inputs. A loop stops at the limit,
 * which is only slower: netlist_settle sweeps until nothing changes. */
static void find_levels(struct netlist *netlist)
{
    enum { LIMIT = 400 };
    uint16_t *level = calloc(netlist->values.count, sizeof *level); /* of each net */
    bool has_changed = true;
    for (uint32_t pass = 0; pass < LIMIT && has_changed; pass++) {
        has_changed = false;
        for (uint32_t i = 0; i < netlist->tables.count; i++) {
            struct table *table = ITEM(netlist, tables, table, i);
            uint16_t highest = 0;
            for (uint32_t k = 0; k < 4; k++)
                if (level[table->in[k]] > highest) highest = level[table->in[k]];
            if (highest + 1 <= level[table->out] || highest >= LIMIT) continue;
            table->level = level[table->out] = (uint16_t)(highest + 1);
            has_changed = true;
        }
        for (uint32_t i = 0; i < netlist->small_rams.count; i++) {
            struct small_ram *ram = ITEM(netlist, small_rams, small_ram, i);
            uint16_t highest = 0;
            for (uint32_t k = 0; k < 4; k++)
                if (level[ram->read_at[k]] > highest) highest = level[ram->read_at[k]];
            if (highest + 1u <= ram->level || highest >= LIMIT) continue;
            ram->level = highest + 1u;
            for (uint32_t k = 0; k < 4; k++) level[ram->out[k]] = (uint16_t)ram->level;
            has_changed = true;
        }
        for (uint32_t i = 0; i < netlist->multipliers.count; i++) {
            struct multiplier *multiplier = ITEM(netlist, multipliers, multiplier, i);
            uint16_t highest = 0;
            for (uint32_t k = 0; k < 18; k++) {
                if (level[multiplier->a[k]] > highest) highest = level[multiplier->a[k]];
                if (level[multiplier->b[k]] > highest) highest = level[multiplier->b[k]];
            }
            if (highest + 1u <= multiplier->level || highest >= LIMIT) continue;
            multiplier->level = highest + 1u;
            for (uint32_t k = 0; k < 36; k++) level[multiplier->out[k]] = (uint16_t)multiplier->level;
            has_changed = true;
        }
    }
    for (uint32_t i = 0; i < netlist->values.count; i++)
        if (level[i] >= netlist->level_count) netlist->level_count = level[i] + 1u;
    netlist->levels = calloc(netlist->level_count, sizeof *netlist->levels);
    free(level);
}

/* ------------------------------------------------------------------ running */

static void put(struct netlist *netlist, struct queue *queue, struct reader reader)
{
    if (netlist->is_queued[reader.kind][reader.index]) return;
    netlist->is_queued[reader.kind][reader.index] = 1;
    if (queue->count == queue->room) {
        queue->room = queue->room ? 2 * queue->room : 64;
        queue->items = realloc(queue->items, queue->room * sizeof *queue->items);
        if (queue->items == NULL) abort();
    }
    queue->items[queue->count++] = reader;
}

static void change(struct netlist *netlist, netlist_net net, bool value)
{
    if (VALUE(netlist, net) == value || net <= ONE) return;
    VALUE(netlist, net) = value;
    netlist->is_pending = true;
    for (uint32_t i = netlist->first[net]; i < netlist->first[net + 1]; i++) {
        struct reader reader = netlist->readers[i];
        if (reader.kind == TABLE)
            put(netlist, &netlist->levels[ITEM(netlist, tables, table, reader.index)->level], reader);
        else if (reader.kind == SMALL_RAM || reader.kind == MULTIPLIER)
            put(netlist, &netlist->levels[*level_of(netlist, reader)], reader);
        else if (reader.kind == REGISTER && ITEM(netlist, flip_flops, flip_flop, reader.index)->is_asynchronous)
            put(netlist, &netlist->levels[0], reader);
        else put(netlist, &netlist->armed, reader);
    }
}

static uint32_t number(const struct netlist *netlist, const netlist_net *nets, uint32_t bits)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < bits; i++) value |= (uint32_t)VALUE(netlist, nets[i]) << i;
    return value;
}

static void work_out(struct netlist *netlist, struct reader reader)
{
    netlist->is_queued[reader.kind][reader.index] = 0;
    if (reader.kind == TABLE) {
        const struct table *table = ITEM(netlist, tables, table, reader.index);
        change(netlist, table->out, table->truth >> number(netlist, table->in, 4) & 1);
    } else if (reader.kind == SMALL_RAM) {
        const struct small_ram *ram = ITEM(netlist, small_rams, small_ram, reader.index);
        uint32_t word = ram->word[number(netlist, ram->read_at, 4)];
        for (uint32_t i = 0; i < 4; i++) change(netlist, ram->out[i], word >> i & 1);
    } else if (reader.kind == MULTIPLIER) {
        const struct multiplier *multiplier = ITEM(netlist, multipliers, multiplier, reader.index);
        int64_t a = number(netlist, multiplier->a, 18), b = number(netlist, multiplier->b, 18);
        if (VALUE(netlist, multiplier->is_signed_a) && a >> 17) a -= 1 << 18;
        if (VALUE(netlist, multiplier->is_signed_b) && b >> 17) b -= 1 << 18;
        uint64_t product = (uint64_t)(a * b);
        for (uint32_t i = 0; i < 36; i++) change(netlist, multiplier->out[i], product >> i & 1);
    } else { /* a register with asynchronous reset: now, and at its clock's next rise */
        const struct flip_flop *flip_flop = ITEM(netlist, flip_flops, flip_flop, reader.index);
        put(netlist, &netlist->armed, reader);
        if (VALUE(netlist, flip_flop->reset)) change(netlist, flip_flop->out, flip_flop->value);
    }
}

/* Does the clock rise now? Clocks are inputs: 2 stands for a one that was a zero. */
static bool rises(const struct netlist *netlist, netlist_net clock) { return VALUE(netlist, clock) == 2; }

static void later(struct netlist *netlist, netlist_net net, bool value)
{
    if (VALUE(netlist, net) == value || net <= ONE) return;
    *(struct change *)netlist_list_add(&netlist->changes, sizeof(struct change)) = (struct change){net, value};
}

static void clock_flip_flop(struct netlist *netlist, const struct flip_flop *flip_flop)
{
    if (VALUE(netlist, flip_flop->reset)) later(netlist, flip_flop->out, flip_flop->value);
    else if (flip_flop->is_always || VALUE(netlist, flip_flop->enable) != flip_flop->is_inverted)
        later(netlist, flip_flop->out, VALUE(netlist, flip_flop->data));
}

/* Of a port's word, the lowest bit of the part that is addressed. */
static uint32_t part_of(uint32_t width, uint32_t at)
{
    return width >= 18 ? 0 : (at & 8u ? 9 : 0) + (at & 7u & ~(width - 1u));
}

static void give(struct netlist *netlist, const netlist_net out[18], uint32_t word)
{
    for (uint32_t i = 0; i < 18; i++) later(netlist, out[i], word >> i & 1);
}

/* Both ports of one RAM at the rise of one or both of their clocks: reads first. True: it has been written, so that the
 * next rise may read something else. */
static bool clock_block_ram(struct netlist *netlist, struct block_ram *ram)
{
    const bool rises_a = rises(netlist, ram->a.clock) && VALUE(netlist, ram->a.enable);
    const bool rises_b = rises(netlist, ram->b.clock) && VALUE(netlist, ram->b.enable);
    const bool is_written = rises_a && VALUE(netlist, ram->a.write), is_wide = ram->width == 36;
    const uint32_t mask = is_wide ? 0x3ffff : (1u << ram->width) - 1u;
    if (rises_b) {
        uint32_t at = number(netlist, ram->b.at, 14);
        if (is_wide) {
            give(netlist, ram->a.out, ram->word[at >> 4 & ~1u]);
            give(netlist, ram->b.out, ram->word[at >> 4 | 1u]);
        } else give(netlist, ram->b.out, ram->word[at >> 4] >> part_of(ram->width, at) & mask);
    }
    if (!rises_a) return false;
    uint32_t at = number(netlist, ram->a.at, 14), low = part_of(ram->width, at), *word = &ram->word[at >> 4];
    if (!is_wide && (!is_written || ram->reads_first)) give(netlist, ram->a.out, *word >> low & mask);
    if (!is_written) return false;
    const uint32_t in = number(netlist, ram->a.in, 18), byte = 0x1ff;
    if (is_wide) {
        const uint32_t upper = number(netlist, ram->b.in, 18);
        word = &ram->word[at >> 4 & ~1u];
        uint32_t which = (at & 1u ? byte : 0) | (at & 2u ? byte << 9 : 0);
        word[0] = (word[0] & ~which) | (in & which);
        which = (at & 4u ? byte : 0) | (at & 8u ? byte << 9 : 0);
        word[1] = (word[1] & ~which) | (upper & which);
    } else if (ram->width == 18) {
        uint32_t which = (at & 1u ? byte : 0) | (at & 2u ? byte << 9 : 0);
        *word = (*word & ~which) | (in & which);
    } else *word = (*word & ~(mask << low)) | (in & mask) << low;
    return true;
}

/* Distributed RAM takes what stands at its inputs; what it gives follows with the rest. */
static void clock_small_ram(struct netlist *netlist, uint32_t index)
{
    struct small_ram *ram = ITEM(netlist, small_rams, small_ram, index);
    const struct reader read = {SMALL_RAM, index};
    ram->word[number(netlist, ram->write_at, 4)] = (uint8_t)number(netlist, ram->in, 4);
    put(netlist, &netlist->levels[ram->level], read);
    netlist->is_pending = true;
}

/* The armed ones whose clock rises; the others stay armed. */
static void clock_armed(struct netlist *netlist)
{
    struct queue armed = netlist->armed;
    netlist->armed = netlist->risen;
    netlist->armed.count = 0;
    for (uint32_t i = 0; i < armed.count; i++) {
        struct reader reader = armed.items[i];
        netlist->is_queued[reader.kind][reader.index] = 0;
        if (reader.kind == REGISTER) {
            const struct flip_flop *flip_flop = ITEM(netlist, flip_flops, flip_flop, reader.index);
            if (rises(netlist, flip_flop->clock)) clock_flip_flop(netlist, flip_flop);
            else put(netlist, &netlist->armed, reader);
        } else if (reader.kind == SMALL_RAM_WRITE) {
            const struct small_ram *ram = ITEM(netlist, small_rams, small_ram, reader.index);
            if (!VALUE(netlist, ram->write)) continue;
            if (rises(netlist, ram->clock)) clock_small_ram(netlist, reader.index);
            put(netlist, &netlist->armed, reader);
        } else {
            struct block_ram *ram = ITEM(netlist, block_rams, block_ram, reader.index);
            const bool is_both = rises(netlist, ram->a.clock) && rises(netlist, ram->b.clock);
            if (clock_block_ram(netlist, ram) || !is_both) put(netlist, &netlist->armed, reader);
        }
    }
    netlist->risen = armed;
    for (uint32_t i = 0; i < netlist->outputs.count; i++) {
        struct output_register *output = ITEM(netlist, outputs, output_register, i);
        if (!rises(netlist, output->clock)) continue;
        later(netlist, output->out, VALUE(netlist, output->first));
        output->later = VALUE(netlist, output->second);
    }
}

static bool sweep(struct netlist *netlist)
{
    for (uint32_t turns = 0; netlist->is_pending; turns++) {
        if (turns == MAX_SWEEPS) {
            fprintf(stderr, "netlist: a combinational loop does not become stable. Look for it with Yosys (check).\n");
            return false;
        }
        netlist->is_pending = false;
        for (uint32_t level = 0; level < netlist->level_count; level++) {
            struct queue *queue = &netlist->levels[level];
            for (uint32_t i = 0; i < queue->count; i++) work_out(netlist, queue->items[i]);
            queue->count = 0;
        }
    }
    return true;
}

bool netlist_get(const struct netlist *netlist, netlist_net net) { return VALUE(netlist, net) != 0; }

void netlist_set(struct netlist *netlist, netlist_net net, bool value)
{
    if (!netlist->is_clock[net]) {
        change(netlist, net, value);
        return;
    }
    if (netlist_get(netlist, net) == value) return;
    VALUE(netlist, net) = value ? 2 : 0;
    if (value) *(netlist_net *)netlist_list_add(&netlist->risen_clocks, sizeof net) = net;
    for (uint32_t i = 0; i < netlist->outputs.count && !value; i++) {
        const struct output_register *output = ITEM(netlist, outputs, output_register, i);
        if (output->clock == net) change(netlist, output->out, output->later);
    }
}

bool netlist_settle(struct netlist *netlist)
{
    if (netlist->risen_clocks.count > 0) {
        netlist->changes.count = 0;
        clock_armed(netlist);
        for (uint32_t i = 0; i < netlist->risen_clocks.count; i++)
            VALUE(netlist, ((netlist_net *)netlist->risen_clocks.items)[i]) = 1;
        netlist->risen_clocks.count = 0;
        for (uint32_t i = 0; i < netlist->changes.count; i++) {
            const struct change *made = ITEM(netlist, changes, change, i);
            change(netlist, made->net, made->value);
        }
    }
    return sweep(netlist);
}

/* ------------------------------------------------------------------ beginning and end */

static void mark_clock(struct netlist *netlist, netlist_net clock)
{
    if (clock <= ONE) return;
    if (netlist->first[clock] != netlist->first[clock + 1])
        netlist_refuse(netlist, "it is read by logic too", "a clock");
    netlist->is_clock[clock] = 1;
}

static void find_clocks(struct netlist *netlist)
{
    netlist->is_clock = calloc(netlist->values.count, 1);
    for (uint32_t i = 0; i < netlist->flip_flops.count; i++)
        mark_clock(netlist, ITEM(netlist, flip_flops, flip_flop, i)->clock);
    for (uint32_t i = 0; i < netlist->small_rams.count; i++)
        mark_clock(netlist, ITEM(netlist, small_rams, small_ram, i)->clock);
    for (uint32_t i = 0; i < netlist->block_rams.count; i++) {
        mark_clock(netlist, ITEM(netlist, block_rams, block_ram, i)->a.clock);
        mark_clock(netlist, ITEM(netlist, block_rams, block_ram, i)->b.clock);
    }
    for (uint32_t i = 0; i < netlist->outputs.count; i++)
        mark_clock(netlist, ITEM(netlist, outputs, output_register, i)->clock);
    for (uint32_t i = 0; i < netlist->tables.count; i++)
        if (netlist->is_clock[ITEM(netlist, tables, table, i)->out])
            netlist_refuse(netlist, "it comes from logic", "a clock");
}

/* Registers have their first values, and everything is to be worked out. */
static void power_up(struct netlist *netlist)
{
    const uint32_t counts[] = {netlist->tables.count,      netlist->flip_flops.count, netlist->small_rams.count,
                               netlist->multipliers.count, netlist->block_rams.count, netlist->small_rams.count};
    for (uint32_t kind = 0; kind < 6; kind++) {
        netlist->is_queued[kind] = calloc(counts[kind] + 1u, 1);
        for (uint32_t i = 0; i < counts[kind]; i++) {
            const struct reader reader = {kind, i};
            if (kind == TABLE) put(netlist, &netlist->levels[ITEM(netlist, tables, table, i)->level], reader);
            else if (kind == REGISTER || kind == BLOCK_RAM || kind == SMALL_RAM_WRITE)
                put(netlist, &netlist->armed, reader);
            else put(netlist, &netlist->levels[*level_of(netlist, reader)], reader);
        }
    }
    for (uint32_t i = 0; i < netlist->flip_flops.count; i++) {
        const struct flip_flop *flip_flop = ITEM(netlist, flip_flops, flip_flop, i);
        if (flip_flop->out > ONE) VALUE(netlist, flip_flop->out) = flip_flop->value;
    }
    netlist->is_pending = true;
}

/* The LUT before the register whose bit is called `name`. */
static void damage_table(struct netlist *netlist, const char *name)
{
    char base[256];
    const char *bracket = strrchr(name, '[');
    size_t length = bracket ? (size_t)(bracket - name) : strlen(name);
    uint32_t bit = bracket ? (uint32_t)strtoul(bracket + 1, NULL, 10) : 0;
    snprintf(base, sizeof base, "%.*s", (int)length, name);
    struct json_object *wire = netlist_member(netlist_member(netlist->top, "netnames"), base);
    struct json_object *bits = wire ? netlist_member(wire, "bits") : NULL;
    if (bits == NULL || bit >= json_object_array_length(bits)) {
        netlist_refuse(netlist, "no register of this name", name);
        return;
    }
    netlist_net net = netlist_net_of(netlist, netlist->pins, json_object_array_get_idx(bits, bit));
    for (uint32_t i = 0; i < netlist->flip_flops.count; i++) {
        if (ITEM(netlist, flip_flops, flip_flop, i)->out != net) continue;
        for (uint32_t k = 0; k < netlist->tables.count; k++) {
            struct table *table = ITEM(netlist, tables, table, k);
            if (table->out != ITEM(netlist, flip_flops, flip_flop, i)->data) continue;
            table->truth ^= 0xffff;
            return;
        }
    }
    netlist_refuse(netlist, "no LUT feeds this register", name);
}

static struct json_object *find_top(struct json_object *file)
{
    json_object_object_foreach (netlist_member(file, "modules"), name, module) {
        struct json_object *attributes = netlist_member(module, "attributes");
        (void)name;
        if (attributes != NULL && netlist_member(attributes, "top") != NULL) return module;
    }
    return NULL;
}

struct netlist *netlist_read(const char *path, const char *damage)
{
    struct netlist *netlist = calloc(1, sizeof *netlist);
    if (netlist == NULL) return NULL;
    netlist->random = 1;
    netlist->file = json_object_from_file(path);
    netlist->top = netlist->file ? find_top(netlist->file) : NULL;
    if (netlist->top == NULL) {
        fprintf(stderr, "netlist: %s is not a netlist of Yosys with a top module. Write it with write_json.\n", path);
        netlist_free(netlist);
        return NULL;
    }
    for (uint32_t i = 0; i < FIRST; i++) (void)netlist_new_net(netlist);
    VALUE(netlist, ONE) = 1;
    netlist->pins = calloc(1, sizeof *netlist->pins);
    netlist_read_module(netlist, netlist->top, netlist->pins, 0);
    json_object_object_foreach (netlist_member(netlist->top, "ports"), name, port) {
        struct json_object *bits = netlist_member(port, "bits");
        (void)name;
        for (uint32_t i = 0; i < json_object_array_length(bits); i++)
            (void)netlist_net_of(netlist, netlist->pins, json_object_array_get_idx(bits, i));
    }
    if (damage != NULL) damage_table(netlist, damage);
    find_readers(netlist);
    find_levels(netlist);
    find_clocks(netlist);
    power_up(netlist);
    if (!netlist->is_broken) return netlist;
    netlist_free(netlist);
    return NULL;
}

void netlist_free(struct netlist *netlist)
{
    struct list *lists[] = {&netlist->values,     &netlist->tables,      &netlist->flip_flops,
                            &netlist->small_rams, &netlist->multipliers, &netlist->block_rams,
                            &netlist->outputs,    &netlist->changes,     &netlist->risen_clocks};
    for (uint32_t i = 0; i < sizeof lists / sizeof *lists; i++) free(lists[i]->items);
    for (uint32_t i = 0; i < netlist->level_count && netlist->levels != NULL; i++) free(netlist->levels[i].items);
    for (uint32_t i = 0; i < 6; i++) free(netlist->is_queued[i]);
    free(netlist->levels);
    free(netlist->armed.items);
    free(netlist->risen.items);
    free(netlist->first);
    free(netlist->readers);
    free(netlist->is_clock);
    if (netlist->pins != NULL) free(netlist->pins->nets);
    free(netlist->pins);
    json_object_put(netlist->file);
    free(netlist);
}

/* ------------------------------------------------------------------ names */

static struct json_object *the(struct json_object *object, const char *kind, const char *name)
{
    struct json_object *found = netlist_member(netlist_member(object, kind), name);
    if (found != NULL) return found;
    fprintf(stderr, "netlist: %s has no %s\n", kind, name);
    exit(2);
}

netlist_net netlist_pin(const struct netlist *netlist, const char *port, uint32_t bit)
{
    struct json_object *bits = netlist_member(the(netlist->top, "ports", port), "bits");
    struct json_object *one = json_object_array_get_idx(bits, bit);
    if (json_object_is_type(one, json_type_string)) return json_object_get_string(one)[0] == '1' ? ONE : ZERO;
    return netlist->pins->nets[json_object_get_int(one)];
}

uint32_t netlist_parameter(const struct netlist *netlist, const char *cell, const char *name, uint32_t absent)
{
    struct json_object *value = netlist_member(netlist_member(the(netlist->top, "cells", cell), "parameters"), name);
    return value ? (uint32_t)strtoul(json_object_get_string(value), NULL, 2) : absent;
}

netlist_net netlist_port(const struct netlist *netlist, const char *cell, const char *port)
{
    struct json_object *bits = netlist_member(netlist_member(the(netlist->top, "cells", cell), "connections"), port);
    if (bits == NULL || json_object_array_length(bits) == 0) return NETLIST_NONE;
    return netlist->pins->nets[json_object_get_int(json_object_array_get_idx(bits, 0))];
}
