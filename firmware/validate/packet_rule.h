/* SPDX-License-Identifier: Apache-2.0
 *
 * What the packet table (spec/gpu.def) says about each opcode, laid out for a walk over a command stream:
 * how many words, who may use it, which bits of each word belong to no field, which words are addresses.
 * Whitelist, walker and patch rule read this one table, so they cannot disagree.
 */
#ifndef FIRMWARE_PACKET_RULE_H
#define FIRMWARE_PACKET_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum { PACKET_OPCODES = 48 };   /* opcodes 0 .. 47 have a row; above there is nothing */
enum { PACKET_RULE_WORDS = 6 };

struct packet_rule {
    uint8_t words;               /* 0: no such packet */
    uint8_t is_privileged;       /* legal in rings and paging buffers only */
    uint8_t address_words;       /* bit w: word w is an address that only patching may write */
    uint32_t reserved[PACKET_RULE_WORDS]; /* bits of each word that no field (nor the opcode) owns; none behind it */
};

struct packet_rules {
    struct packet_rule of[PACKET_OPCODES];
};

/* Fill `rules` from the table. Cannot fail; O(fields of the table), about a thousand instructions. */
void packet_rules_build(struct packet_rules *rules);

/* The rule of a packet by its word 0, or NULL when no packet has that opcode. O(1). */
const struct packet_rule *packet_rule_find(const struct packet_rules *rules, uint32_t word0);

#endif
