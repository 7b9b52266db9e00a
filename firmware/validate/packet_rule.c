/* SPDX-License-Identifier: Apache-2.0
 *
 * The packet rules, summed up from spec/gpu.def. A bit mask per word is an OR over rows of the table, which
 * the preprocessor cannot form, so the sum is taken once, when the firmware starts.
 */
#include "validate/packet_rule.h"

#include <stddef.h>

#include "gpu_spec.h"
#include "platform/base.h"

enum { PRIVILEGE_USER = 0, PRIVILEGE_RING = 1 };
enum { KIND_PLAIN = 0, KIND_ADDR = 1 };

#define PKT(name, opcode, words, privilege, doc) \
    _Static_assert((opcode) < PACKET_OPCODES, "no room for the opcode of " #name); \
    _Static_assert((words) <= PACKET_RULE_WORDS, "too many words in packet " #name);
#include "gpu.def"

struct packet_shape {
    uint8_t opcode, words, is_privileged;
};

static const struct packet_shape shapes[] = {
#define PKT(name, opcode, words, privilege, doc) {opcode, words, PRIVILEGE_##privilege},
#include "gpu.def"
};

struct packet_field {
    uint8_t opcode, word, lsb, width, is_address;
};

static const struct packet_field fields[] = {
#define PKT_FIELD(pkt, word, name, lsb, width, kind, doc) {PKT_##pkt, word, lsb, width, KIND_##kind},
#include "gpu.def"
};

/* What fields say about each word of an opcode's packet. */
static void add_fields(struct packet_rule *rule, uint32_t opcode, uint32_t reserved[PACKET_RULE_WORDS])
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (fields[i].opcode != opcode) continue;
        reserved[fields[i].word] &= ~(field_mask(fields[i].width) << fields[i].lsb);
        rule->address_words = (uint8_t)(rule->address_words | fields[i].is_address << fields[i].word);
    }
}

void packet_rules_build(struct packet_rules *rules)
{
    *rules = (struct packet_rules){0};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct packet_rule *rule = &rules->of[shapes[i].opcode];
        uint32_t reserved[PACKET_RULE_WORDS];
        for (uint32_t word = 0; word < PACKET_RULE_WORDS; word++)
            reserved[word] = word < shapes[i].words ? UINT32_MAX : 0;
        rule->words = shapes[i].words;
        rule->is_privileged = shapes[i].is_privileged;
        add_fields(rule, shapes[i].opcode, reserved);
        rule->reserved0 = reserved[0] & ~field_mask(OPCODE_BITS);
        for (uint32_t word = 1; word < PACKET_RULE_WORDS && !rule->is_privileged; word++) {
            if (reserved[word] == 0u) continue;
            ASSERT(rule->other == 0u); /* a user packet with two such words needs another rule */
            rule->other = (uint8_t)word;
            rule->reserved_other = reserved[word];
        }
    }
}
