/* SPDX-License-Identifier: Apache-2.0
 *
 * Every enumerator that spec/gpu_spec.h makes of spec/gpu.def: "NAME NUMBER". test_example.py holds the installed
 * headers against them.
 */
#include "gpu_spec.h"

#include <stdio.h>

#define ONE(name) printf(#name " %u\n", (unsigned)(name));

int main(void)
{
#define BLOCK(block, base, count, stride, doc) ONE(block##_BASE) ONE(block##_COUNT) ONE(block##_STRIDE)
#define REG(block, name, offset, host, core, reset, doc) ONE(block##_##name##_OFFSET)
#define FIELD(block, reg, name, lsb, width, doc) ONE(block##_##reg##_##name##_LSB) ONE(block##_##reg##_##name##_WIDTH)
#define ENUMERATOR(group, name, value, doc) ONE(group##_##name)
#define PKT(name, opcode, words, privilege, doc) ONE(PKT_##name) ONE(PKT_##name##_WORDS)
#define PKT_FIELD(pkt, word, name, lsb, width, kind, doc) \
    ONE(PKT_##pkt##_##name##_WORD) ONE(PKT_##pkt##_##name##_LSB) ONE(PKT_##pkt##_##name##_WIDTH)
#define MSG(name, code, doc) ONE(MSG_##name)
#define MSG_FIELD(msg, word, name, doc) ONE(MSG_##msg##_##name)
#define REPLY(msg, word, name, doc) ONE(REPLY_##msg##_##name)
#define STATUS(name, value, doc) ONE(STATUS_##name)
#define STATISTIC(name, doc) ONE(STAT_##name)
#define TRACE(name, value, doc) ONE(TRACE_##name)
#define LIMIT(name, value, doc) ONE(LIMIT_BITS_##name)
#include "gpu.def"
    ONE(STATUS_COUNT) ONE(STAT_COUNT) return 0;
}
