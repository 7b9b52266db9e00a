/* SPDX-License-Identifier: Apache-2.0
 *
 * See netlist.h: Yosys' cells become tables, registers, memories and multipliers; what is not known is refused.
 */
#include "netlist_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *netlist_list_add(struct list *list, size_t size)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        list->items = realloc(list->items, list->room * size);
        if (list->items == NULL) abort();
    }
    void *item = (char *)list->items + size * list->count++;
    memset(item, 0, size);
    return item;
}

void netlist_refuse(struct netlist *netlist, const char *what, const char *cell)
{
    if (!netlist->is_broken) fprintf(stderr, "netlist: %s: %s\n", cell, what);
    netlist->is_broken = true;
}

netlist_net netlist_new_net(struct netlist *netlist)
{
    netlist_list_add(&netlist->values, 1);
    return netlist->values.count - 1;
}
/* ------------------------------------------------------------------ reading */

netlist_net netlist_net_of(struct netlist *netlist, struct scope *scope, struct json_object *bit)
{
    if (json_object_is_type(bit, json_type_string)) {
        const char *text = json_object_get_string(bit);
        if (text[0] == '0' || text[0] == '1') return text[0] == '1' ? ONE : ZERO;
        netlist->random = netlist->random * 1664525u + 1013904223u; /* x: it may not matter */
        return netlist->random >> 31 ? ONE : ZERO;
    }
    uint32_t number = (uint32_t)json_object_get_int(bit);
    if (number >= scope->count) {
        uint32_t count = 2 * number + 64;
        scope->nets = realloc(scope->nets, count * sizeof *scope->nets);
        if (scope->nets == NULL) abort();
        memset(scope->nets + scope->count, 0, (count - scope->count) * sizeof *scope->nets);
        scope->count = count;
    }
    if (scope->nets[number] == NETLIST_NONE) scope->nets[number] = netlist_new_net(netlist);
    return scope->nets[number];
}

struct json_object *netlist_member(struct json_object *object, const char *name)
{
    struct json_object *found = NULL;
    json_object_object_get_ex(object, name, &found);
    return found;
}

/* A cell being read. */
struct cell {
    struct netlist *netlist;
    struct scope *scope;
    const char *name;
    struct json_object *parameters, *connections;
};

/* Bit `bit` of a port; not connected: `absent`. */
static netlist_net port_bit(struct cell *cell, const char *port, uint32_t bit, netlist_net absent)
{
    struct json_object *bits = netlist_member(cell->connections, port);
    if (bits == NULL || bit >= json_object_array_length(bits)) return absent;
    return netlist_net_of(cell->netlist, cell->scope, json_object_array_get_idx(bits, bit));
}
static netlist_net port_of(struct cell *cell, const char *port) { return port_bit(cell, port, 0, ZERO); }
static void ports_of(struct cell *cell, const char *prefix, netlist_net *nets, uint32_t count)
{
    char port[32];
    for (uint32_t i = 0; i < count; i++) {
        snprintf(port, sizeof port, "%s%u", prefix, i);
        nets[i] = port_of(cell, port);
    }
}
static void vector_of(struct cell *cell, const char *port, netlist_net *nets, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) nets[i] = port_bit(cell, port, i, ZERO);
}

/* Digits of a parameter, without the space that Yosys puts after a text that looks like a number; "" if absent. */
static bool has_value(struct cell *cell, const char *name, const char *absent, const char *value)
{
    struct json_object *parameter = netlist_member(cell->parameters, name);
    const char *text = parameter ? json_object_get_string(parameter) : absent;
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') length--;
    return length == strlen(value) && memcmp(text, value, length) == 0;
}
static void must_be(struct cell *cell, const char *name, const char *absent, const char *value)
{
    char what[128];
    snprintf(what, sizeof what, "there is no model for parameter %s", name);
    if (!has_value(cell, name, absent, value)) netlist_refuse(cell->netlist, what, cell->name);
}
/* `bits` binary digits from `from` on (0: lowest); x is random. */
static uint32_t digits(struct cell *cell, const char *name, uint32_t from, uint32_t bits)
{
    struct json_object *parameter = netlist_member(cell->parameters, name);
    if (parameter == NULL) return 0;
    const char *text = json_object_get_string(parameter);
    size_t length = strlen(text);
    uint32_t value = 0;
    for (uint32_t i = from + bits; i-- > from;) {
        char digit = i < length ? text[length - 1 - i] : '0';
        cell->netlist->random = cell->netlist->random * 1664525u + 1013904223u;
        value = value << 1 | (digit == '1' || (digit == 'x' && cell->netlist->random >> 31));
    }
    return value;
}

static netlist_net add_table(struct netlist *netlist, uint32_t truth, const netlist_net in[4], netlist_net out)
{
    struct table *table = netlist_list_add(&netlist->tables, sizeof *table);
    if (out == NETLIST_NONE) out = netlist_new_net(netlist);
    memcpy(table->in, in, sizeof table->in);
    table->out = out;
    table->truth = (uint16_t)truth;
    return out;
}
static void add_multiplexer(struct cell *cell, const char *zero, const char *one, const char *select)
{
    const netlist_net in[4] = {port_of(cell, zero), port_of(cell, one), port_of(cell, select), ZERO};
    add_table(cell->netlist, 0xcaca, in, port_of(cell, "Z"));
}

/* One half of a carry cell: sum = L ^ carry, next carry = L ? carry : G, with L the LUT and G its part without C, D. */
static netlist_net add_carry_half(struct cell *cell, char half, netlist_net carry, const char *carry_out)
{
    char name[8];
    netlist_net in[4];
    for (uint32_t i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%c%c", "ABCD"[i], half);
        in[i] = port_of(cell, name);
    }
    snprintf(name, sizeof name, "INIT%c", half);
    uint32_t truth = digits(cell, name, 0, 16), low = truth & 15u;
    netlist_net lut = add_table(cell->netlist, truth, in, NETLIST_NONE);
    netlist_net generated = add_table(cell->netlist, low | low << 4 | low << 8 | low << 12, in, NETLIST_NONE);
    const netlist_net sum[4] = {lut, carry, ZERO, ZERO}, next[4] = {generated, carry, lut, ZERO};
    snprintf(name, sizeof name, "S%c", half);
    if (netlist_member(cell->connections, name) != NULL) add_table(cell->netlist, 0x6666, sum, port_of(cell, name));
    netlist_net out = NETLIST_NONE;
    if (carry_out != NULL && netlist_member(cell->connections, carry_out) != NULL) out = port_of(cell, carry_out);
    return add_table(cell->netlist, 0xcaca, next, out);
}

static void read_flip_flop(struct cell *cell)
{
    must_be(cell, "CLKMUX", "CLK", "CLK");
    must_be(cell, "LSRMUX", "LSR", "LSR");
    must_be(cell, "LSRMODE", "LSR", "LSR");
    must_be(cell, "GSR", "ENABLED", "DISABLED");
    struct flip_flop *flip_flop = netlist_list_add(&cell->netlist->flip_flops, sizeof *flip_flop);
    flip_flop->is_always = has_value(cell, "CEMUX", "1", "1");
    flip_flop->is_inverted = has_value(cell, "CEMUX", "1", "INV");
    if (!flip_flop->is_always && !flip_flop->is_inverted) must_be(cell, "CEMUX", "1", "CE");
    flip_flop->is_asynchronous = has_value(cell, "SRMODE", "LSR_OVER_CE", "ASYNC");
    if (!flip_flop->is_asynchronous) must_be(cell, "SRMODE", "LSR_OVER_CE", "LSR_OVER_CE");
    flip_flop->value = has_value(cell, "REGSET", "RESET", "SET");
    if (!flip_flop->value) must_be(cell, "REGSET", "RESET", "RESET");
    flip_flop->clock = port_of(cell, "CLK");
    flip_flop->enable = port_of(cell, "CE");
    flip_flop->reset = port_of(cell, "LSR");
    flip_flop->data = port_of(cell, "DI");
    flip_flop->out = port_of(cell, "Q");
}

static void read_small_ram(struct cell *cell)
{
    must_be(cell, "WCKMUX", "WCK", "WCK");
    must_be(cell, "WREMUX", "WRE", "WRE");
    struct small_ram *ram = netlist_list_add(&cell->netlist->small_rams, sizeof *ram);
    for (uint32_t i = 0; i < 16; i++) ram->word[i] = (uint8_t)digits(cell, "INITVAL", 4 * i, 4);
    ram->clock = port_of(cell, "WCK");
    ram->write = port_of(cell, "WRE");
    vector_of(cell, "DI", ram->in, 4);
    vector_of(cell, "WAD", ram->write_at, 4);
    vector_of(cell, "RAD", ram->read_at, 4);
    vector_of(cell, "DO", ram->out, 4);
}

static void read_multiplier(struct cell *cell)
{
    static const char *const registers[] = {"REG_INPUTA_CLK", "REG_INPUTB_CLK", "REG_PIPELINE_CLK", "REG_OUTPUT_CLK"};
    for (uint32_t i = 0; i < 4; i++) must_be(cell, registers[i], "NONE", "NONE");
    struct multiplier *multiplier = netlist_list_add(&cell->netlist->multipliers, sizeof *multiplier);
    ports_of(cell, "A", multiplier->a, 18);
    ports_of(cell, "B", multiplier->b, 18);
    ports_of(cell, "P", multiplier->out, 36);
    multiplier->is_signed_a = port_of(cell, "SIGNEDA");
    multiplier->is_signed_b = port_of(cell, "SIGNEDB");
    if (port_of(cell, "SOURCEA") != ZERO || port_of(cell, "SOURCEB") != ZERO)
        netlist_refuse(cell->netlist, "a factor comes from a neighbour", cell->name);
}

static void read_ram_port(struct cell *cell, char side, struct ram_port *port)
{
    char name[16];
    static const char *const low[] = {"RST", "CS"};
    snprintf(name, sizeof name, "REGMODE_%c", side);
    must_be(cell, name, "NOREG", "NOREG");
    snprintf(name, sizeof name, "CSDECODE_%c", side);
    must_be(cell, name, "0b000", "0b000");
    snprintf(name, sizeof name, "CLK%cMUX", side);
    must_be(cell, name, side == 'A' ? "CLKA" : "CLKB", side == 'A' ? "CLKA" : "CLKB");
    for (uint32_t i = 0; i < 4; i++) {
        snprintf(name, sizeof name, i == 3 ? "%s%c" : "%s%c%u", low[i < 3], side, i);
        if (port_of(cell, name) != ZERO) netlist_refuse(cell->netlist, "reset or chip select is used", cell->name);
    }
    snprintf(name, sizeof name, "CLK%c", side);
    port->clock = port_of(cell, name);
    snprintf(name, sizeof name, "CE%c", side);
    port->enable = port_of(cell, name);
    snprintf(name, sizeof name, "WE%c", side);
    port->write = port_of(cell, name);
    snprintf(name, sizeof name, "AD%c", side);
    ports_of(cell, name, port->at, 14);
    snprintf(name, sizeof name, "DI%c", side);
    ports_of(cell, name, port->in, 18);
    snprintf(name, sizeof name, "DO%c", side);
    ports_of(cell, name, port->out, 18);
}

static void read_block_ram(struct cell *cell)
{
    struct block_ram *ram = netlist_list_add(&cell->netlist->block_rams, sizeof *ram);
    char name[16];
    read_ram_port(cell, 'A', &ram->a);
    read_ram_port(cell, 'B', &ram->b);
    ram->width = digits(cell, "DATA_WIDTH_A", 0, 32);
    ram->reads_first = has_value(cell, "WRITEMODE_A", "NORMAL", "READBEFOREWRITE");
    if (!ram->reads_first) must_be(cell, "WRITEMODE_A", "NORMAL", "NORMAL");
    bool is_known = ram->width == 1 || ram->width == 2 || ram->width == 4 || ram->width == 18 || ram->width == 36;
    if (!is_known || ram->width != digits(cell, "DATA_WIDTH_B", 0, 32) || ram->b.write != ZERO)
        netlist_refuse(cell->netlist, "widths of the ports, or a write through port B, without a model", cell->name);
    for (uint32_t i = 0; i < WORDS; i++) { /* sixteen words to a parameter, twenty digits apart */
        snprintf(name, sizeof name, "INITVAL_%02X", i / 16);
        ram->word[i] = digits(cell, name, 20 * (i % 16), 18);
    }
}

/* A module of our own that was not flattened. */
static void read_instance(struct cell *cell, struct json_object *module, unsigned depth)
{
    struct scope inner = {0};
    json_object_object_foreach (netlist_member(module, "ports"), port, description) {
        struct json_object *bits = netlist_member(description, "bits");
        for (uint32_t i = 0; i < json_object_array_length(bits); i++) {
            struct json_object *bit = json_object_array_get_idx(bits, i);
            if (!json_object_is_type(bit, json_type_int)) {
                netlist_refuse(cell->netlist, "a constant or doubled output", cell->name);
                continue;
            }
            (void)netlist_net_of(cell->netlist, &inner, bit);
            inner.nets[json_object_get_int(bit)] = port_bit(cell, port, i, ZERO);
        }
    }
    netlist_read_module(cell->netlist, module, &inner, depth + 1);
    free(inner.nets);
}

static void read_cell(struct cell *cell, const char *type, unsigned depth)
{
    struct netlist *netlist = cell->netlist;
    if (strcmp(type, "LUT4") == 0) {
        const netlist_net in[4] = {port_of(cell, "A"), port_of(cell, "B"), port_of(cell, "C"), port_of(cell, "D")};
        add_table(netlist, digits(cell, "INIT", 0, 16), in, port_of(cell, "Z"));
    } else if (strcmp(type, "PFUMX") == 0) add_multiplexer(cell, "BLUT", "ALUT", "C0");
    else if (strcmp(type, "L6MUX21") == 0) add_multiplexer(cell, "D0", "D1", "SD");
    else if (strcmp(type, "CCU2C") == 0) {
        must_be(cell, "INJECT1_0", "YES", "NO");
        must_be(cell, "INJECT1_1", "YES", "NO");
        add_carry_half(cell, '1', add_carry_half(cell, '0', port_of(cell, "CIN"), NULL), "COUT");
    } else if (strcmp(type, "TRELLIS_FF") == 0) read_flip_flop(cell);
    else if (strcmp(type, "TRELLIS_DPR16X4") == 0) read_small_ram(cell);
    else if (strcmp(type, "MULT18X18D") == 0) read_multiplier(cell);
    else if (strcmp(type, "DP16KD") == 0) read_block_ram(cell);
    else if (strcmp(type, "ODDRX1F") == 0) {
        struct output_register *output = netlist_list_add(&netlist->outputs, sizeof *output);
        output->clock = port_of(cell, "SCLK");
        output->first = port_of(cell, "D0");
        output->second = port_of(cell, "D1");
        output->out = port_of(cell, "Q");
        if (port_of(cell, "RST") != ZERO) netlist_refuse(netlist, "reset is used", cell->name);
    } else if (strcmp(type, "TRELLIS_IO") == 0) {
        /* The caller drives B; what the pin drives itself is at I, and T says whether it does. */
        const netlist_net in[4] = {port_of(cell, "I"), port_of(cell, "B"), port_of(cell, "T"), ZERO};
        must_be(cell, "DIR", "INPUT", "BIDIR");
        add_table(netlist, 0xcaca, in, port_of(cell, "O"));
    } else if (strcmp(type, "EHXPLLL") != 0) {
        struct json_object *module = netlist_member(netlist_member(netlist->file, "modules"), type);
        struct json_object *attributes = module ? netlist_member(module, "attributes") : NULL;
        if (module == NULL || (attributes != NULL && netlist_member(attributes, "blackbox") != NULL) || depth > 4)
            netlist_refuse(netlist, type, "there is no model of a cell");
        else read_instance(cell, module, depth);
    }
}

void netlist_read_module(struct netlist *netlist, struct json_object *module, struct scope *scope, unsigned depth)
{
    json_object_object_foreach (netlist_member(module, "cells"), name, description) {
        struct cell cell = {netlist, scope, name, netlist_member(description, "parameters"),
                            netlist_member(description, "connections")};
        read_cell(&cell, json_object_get_string(netlist_member(description, "type")), depth);
    }
}
