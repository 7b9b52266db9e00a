/* SPDX-License-Identifier: Apache-2.0
 * The packet rules built from the table, and the rule of every word.
 * cbmc: --unwind 49 --unwindset add_fields.0:120 --unsigned-overflow-check
 */
#include "cbmc.h"
#include "validate/packet_rule.c"

int main(void)
{
    static struct packet_rules rules;
    uint32_t words[PACKET_RULE_WORDS];
    packet_rules_build(&rules);
    for (uint32_t i = 0; i < PACKET_RULE_WORDS; i++) words[i] = nondet_u32();
    const struct packet_rule *rule = packet_rule_find(&rules, words[0]);
    if (rule == NULL) return 0;
    PROVE(rule->words >= 1u && rule->words <= PACKET_RULE_WORDS && rule->other < rule->words);
    PROVE((rule->address_words & 1u) == 0u && rule->address_words >> rule->words == 0u);
    PROVE((rule->reserved0 & 0xffu) == 0u);
    (void)packet_rule_reserved(rule, words);
    return 0;
}
