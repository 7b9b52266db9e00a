/* SPDX-License-Identifier: Apache-2.0
 *
 * What both halves of the netlist simulator share: the cells as netlist_read.c has read them and netlist.c runs them.
 */
#ifndef BOARD_NETLIST_INTERNAL_H
#define BOARD_NETLIST_INTERNAL_H

#include <json-c/json.h>
#include <stddef.h>

#include "netlist.h"

enum { ZERO = 1, ONE = 2, FIRST = 3 }; /* nets; NETLIST_NONE is no pin's */
enum { MAX_SWEEPS = 100, WORDS = 1024 };

/* What reads a net. */
enum kind { TABLE, REGISTER, SMALL_RAM, MULTIPLIER, BLOCK_RAM, SMALL_RAM_WRITE };
struct reader {
    uint32_t kind, index;
};

struct table { /* output = bit {in3, in2, in1, in0} of `truth` */
    netlist_net in[4], out;
    uint16_t truth, level;
};
struct flip_flop {
    netlist_net clock, enable, reset, data, out;
    bool is_always, is_inverted, is_asynchronous, value; /* enable: always, low; value after reset */
};
struct small_ram { /* sixteen words of four bits, read at once */
    netlist_net clock, write, in[4], write_at[4], read_at[4], out[4];
    uint8_t word[16];
    uint32_t level;
};
struct multiplier {
    netlist_net a[18], b[18], is_signed_a, is_signed_b, out[36];
    uint32_t level;
};
struct ram_port {
    netlist_net clock, enable, write, at[14], in[18], out[18];
};
struct block_ram {
    struct ram_port a, b;
    uint32_t width;
    bool reads_first; /* port A gives the old word while it writes, else keeps its output */
    uint32_t word[WORDS];
};
struct output_register {
    netlist_net clock, first, second, out;
    bool later; /* what leaves while the clock is low */
};

/* A list that grows. */
struct list {
    void *items;
    uint32_t count, room;
};
struct queue { /* of readers, each at most once */
    struct reader *items;
    uint32_t count, room;
};

/* A module being read: the nets of its bits. */
struct scope {
    netlist_net *nets;
    uint32_t count;
};

struct netlist {
    struct json_object *file, *top;
    struct list values; /* uint8_t per net */
    struct list tables, flip_flops, small_rams, multipliers, block_rams, outputs;
    uint32_t *first; /* of a net's readers; one more at the end */
    struct reader *readers;
    uint8_t *is_queued[6]; /* per kind and index */
    struct queue *levels, armed, risen;
    uint32_t level_count;
    struct list risen_clocks; /* netlist_net: those at 2 */
    struct list changes;      /* struct change: outputs at the edge */
    uint8_t *is_clock;        /* per net */
    struct scope *pins;       /* the top's bits */
    bool is_broken;           /* a cell that is not known was met */
    bool is_pending;
    uint32_t random;
};
struct change {
    netlist_net net;
    bool value;
};
#define ITEM(netlist, list, type, index) (&((struct type *)(netlist)->list.items)[index])
#define VALUE(netlist, net) (((uint8_t *)(netlist)->values.items)[net])

/* One more item, zeros. */
void *netlist_list_add(struct list *list, size_t size);
/* Says why, once, and marks the netlist as broken. */
void netlist_refuse(struct netlist *netlist, const char *what, const char *cell);
netlist_net netlist_new_net(struct netlist *netlist);
/* The net of a bit of the module being read: a number or a constant. */
netlist_net netlist_net_of(struct netlist *netlist, struct scope *scope, struct json_object *bit);
/* NULL if there is none. */
struct json_object *netlist_member(struct json_object *object, const char *name);
/* All cells of a module, and of those below it. */
void netlist_read_module(struct netlist *netlist, struct json_object *module, struct scope *scope, unsigned depth);

#endif
