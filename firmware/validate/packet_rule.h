/* SPDX-License-Identifier: Apache-2.0
 *
 * What the packet table (spec/gpu.def) says about each opcode, laid out for a walk over a command stream:
 * how many words, what may use it, which bits of each word belong to no field, which words are addresses.
 * Whitelist, walker and patch rule read this one table, so they cannot disagree.
 */
#ifndef FIRMWARE_PACKET_RULE_H
#define FIRMWARE_PACKET_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/base.h"

enum { OPCODE_BITS = 8 };     /* word 0, bits 7:0 */
enum { PACKET_OPCODES = 48 }; /* opcodes 0 .. 47 have a row; above there is nothing */
enum { PACKET_RULE_WORDS = 13 };

struct packet_rule {
    uint8_t words;           /* 0: no such packet */
    uint8_t is_privileged;   /* legal in rings and paging buffers only */
    uint8_t address_words;   /* bit w: word w is an address that only patching may write */
    uint8_t other;           /* the other word that has bits which no field owns; 0: none has */
    uint32_t reserved0;      /* bits of word 0 that neither a field nor the opcode owns */
    uint32_t reserved_other; /* ... of the other word */
};

struct packet_rules {
    struct packet_rule of[PACKET_OPCODES];
};

/* Fill `rules` from the table. Cannot fail; O(packets * fields of the table), about ten thousand instructions. Of a
 * privileged packet only that it is one counts. */
void packet_rules_build(struct packet_rules *rules);

/* Bits of the packet that no field owns. O(1). */
static inline uint32_t packet_rule_reserved(const struct packet_rule *rule, const uint32_t *words)
{
    return (words[0] & rule->reserved0) | (rule->other != 0u ? words[rule->other] & rule->reserved_other : 0u);
}

/* The rule of a packet by its word 0, or NULL when no packet has that opcode. O(1). */
static inline const struct packet_rule *packet_rule_find(const struct packet_rules *rules, uint32_t word0)
{
    const uint32_t opcode = word0 & field_mask(OPCODE_BITS);
    if (opcode >= (uint32_t)PACKET_OPCODES || rules->of[opcode].words == 0u) return NULL;
    return &rules->of[opcode];
}

#endif
