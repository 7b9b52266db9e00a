/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads spec/gpu.def (by including it), refuses a table that contradicts itself, and prints one of:
 *
 *   gen verilog    rtl/gpu_spec.vh      sized localparams, included inside each module
 *   gen packets    rtl/gpu_packets.vh   shapes of packets, as functions of their opcodes
 *   gen markdown   docs/registers.md    the same for people
 *   gen hash       build/gpu_hash.h     #define GPU_ABI_HASH
 *   gen names      build/gpu_names.h    name tables  for messages
 *   gen policies   build/gpu_policies.h the POLICY group as a list for macros
 *   gen python     integration/python/tessera/spec.py    names and numbers for programs in Python
 *   gen values     host/include/tessera_values.h         plain enumerations for programs in C
 *   gen header     the installed gpu_spec.h, from spec/gpu_spec.h on standard input
 *   gen systemrdl  out/tessera.rdl      the registers that the host reaches, for tools that read register maps
 *   gen svd        out/tessera.svd      the same
 *
 * The hash is FNV-1a over the contract's numbers and names, not over the prose, so a reworded comment
 * does not orphan a firmware image.
 */
#include "gen.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

const struct row rows[] = {
#define BLOCK(block, base, count, stride, doc) {"BLOCK", #block, "", "", {base, count, stride, 0}, "", "", doc},
#define REG(block, name, offset, host, core, reset, doc) \
    {"REG", #block, #name, "", {offset, reset, 0, 0}, #host, #core, doc},
#define FIELD(block, reg, name, lsb, width, doc) {"FIELD", #block, #reg, #name, {lsb, width, 0, 0}, "", "", doc},
#define ENUMERATOR(group, name, value, doc) {"ENUMERATOR", #group, #name, "", {value, 0, 0, 0}, "", "", doc},
#define PKT(name, opcode, words, privilege, doc) {"PKT", #name, "", "", {opcode, words, 0, 0}, #privilege, "", doc},
#define PKT_FIELD(pkt, word, name, lsb, width, kind, doc) \
    {"PKT_FIELD", #pkt, #name, "", {word, lsb, width, 0}, #kind, "", doc},
#define MSG(name, code, doc) {"MSG", #name, "", "", {code, 0, 0, 0}, "", "", doc},
#define MSG_FIELD(msg, word, name, doc) {"MSG_FIELD", #msg, #name, "", {word, 0, 0, 0}, "", "", doc},
#define REPLY(msg, word, name, doc) {"REPLY", #msg, #name, "", {word, 0, 0, 0}, "", "", doc},
#define STATUS(name, value, doc) {"STATUS", #name, "", "", {value, 0, 0, 0}, "", "", doc},
#define LIMIT(name, value, doc) {"LIMIT", #name, "", "", {(uint32_t)(value), 0, 0, 0}, "", "", doc},
#define TRACE(name, value, doc) {"TRACE", #name, "", "", {value, 0, 0, 0}, "", "", doc},
#define STATISTIC(name, doc) {"STATISTIC", #name, "", "", {0, 0, 0, 0}, "", "", doc},
#include "gpu.def"
};
enum { ROWS = sizeof rows / sizeof rows[0] };
const int row_count = ROWS;

static void refuse(const struct row *r, const char *why)
{
    fprintf(stderr, "gpu.def: %s(%s%s%s%s%s): %s\n", r->kind, r->a, *r->b ? ", " : "", r->b, *r->c ? ", " : "", r->c,
            why);
    exit(1);
}

static uint32_t bits(uint32_t lsb, uint32_t width) { return (width >= 32 ? 0xffffffffu : (1u << width) - 1u) << lsb; }

/* Is there a row of `kind` named (a) or (a, b)? */
static const struct row *find(const char *kind, const char *a, const char *b)
{
    for (int i = 0; i < ROWS; i++)
        if (is(&rows[i], kind) && same(rows[i].a, a) && (!b || same(rows[i].b, b))) return &rows[i];
    return NULL;
}

static uint32_t limit(const char *name)
{
    const struct row *r = find("LIMIT", name, NULL);
    if (!r) {
        fprintf(stderr, "gpu.def: LIMIT %s is missing\n", name);
        exit(1);
    }
    return r->n[0];
}

/* Bits of word 0 (or any word) of a packet that some field or the opcode owns. */
static uint32_t packet_bits(const char *pkt, uint32_t word)
{
    uint32_t mask = word == 0 ? 0xffu : 0;
    for (int i = 0; i < ROWS; i++)
        if (is(&rows[i], "PKT_FIELD") && same(rows[i].a, pkt) && rows[i].n[0] == word)
            mask |= bits(rows[i].n[1], rows[i].n[2]);
    return mask;
}

/* The words of a packet that the front end looks at before it executes it; all further ones are owned whole. */
enum { LOOKED_AT = 6 };

static void check_field(const struct row *r, uint32_t lsb, uint32_t width)
{
    if (width < 1 || width > 32 || lsb > 31 || lsb + width > 32) refuse(r, "field leaves its word");
}

static void check_one(const struct row *r)
{
    if (is(r, "REG")) {
        const struct row *block = find("BLOCK", r->a, NULL);
        if (!block) refuse(r, "unknown block");
        if (r->n[0] % 4 != 0) refuse(r, "offset is not a multiple of 4");
        if (block->n[2] && r->n[0] >= block->n[2]) refuse(r, "offset leaves the block's stride");
    } else if (is(r, "FIELD")) {
        if (!find("REG", r->a, r->b)) refuse(r, "unknown register");
        check_field(r, r->n[0], r->n[1]);
    } else if (is(r, "PKT")) {
        if (r->n[0] > 255) refuse(r, "opcode does not fit 8 bits");
        if (r->n[1] < 1 || r->n[1] > 15) refuse(r, "length outside 1..15 words");
        for (uint32_t w = LOOKED_AT; w < r->n[1]; w++)
            if (packet_bits(r->a, w) != UINT32_MAX) refuse(r, "a word after those that are looked at has spare bits");
        if (!same(r->x, "USER") && !same(r->x, "RING")) refuse(r, "privilege is USER or RING");
    } else if (is(r, "PKT_FIELD")) {
        const struct row *pkt = find("PKT", r->a, NULL);
        if (!pkt) refuse(r, "unknown packet");
        if (r->n[0] >= pkt->n[1]) refuse(r, "word outside the packet");
        check_field(r, r->n[1], r->n[2]);
        if (r->n[0] == 0 && r->n[1] < 8) refuse(r, "overlaps the opcode");
        if (same(r->x, "ADDR") ? (r->n[1] != 0 || r->n[2] != 32 || r->n[0] == 0) : !same(r->x, "PLAIN"))
            refuse(r, "ADDR must be a whole word after word 0; anything else is PLAIN");
    } else if (is(r, "MSG_FIELD")) {
        if (!find("MSG", r->a, NULL)) refuse(r, "unknown message");
        if (r->n[0] < 2 || r->n[0] >= limit("MESSAGE_WORDS")) refuse(r, "word outside the message");
    } else if (is(r, "REPLY")) {
        if (!find("MSG", r->a, NULL)) refuse(r, "unknown message");
        if (r->n[0] < 4 || r->n[0] >= limit("COMPLETION_WORDS")) refuse(r, "word outside the completion");
    }
}

/* Two rows of one kind that claim the same thing. */
static void check_pair(const struct row *r, const struct row *s)
{
    if (!same(r->kind, s->kind)) return;
    if (same(r->a, s->a) && same(r->b, s->b) && same(r->c, s->c)) refuse(s, "named twice");
    bool one_block = same(r->a, s->a);
    if (is(r, "REG") && one_block && r->n[0] == s->n[0]) refuse(s, "offset used twice");
    if (is(r, "FIELD") && one_block && same(r->b, s->b) && (bits(r->n[0], r->n[1]) & bits(s->n[0], s->n[1])))
        refuse(s, "fields overlap");
    if (is(r, "PKT") && r->n[0] == s->n[0]) refuse(s, "opcode used twice");
    if (is(r, "PKT_FIELD") && one_block && r->n[0] == s->n[0] && (bits(r->n[1], r->n[2]) & bits(s->n[1], s->n[2])))
        refuse(s, "fields overlap");
    if ((is(r, "MSG") || is(r, "STATUS") || is(r, "TRACE")) && r->n[0] == s->n[0]) refuse(s, "value used twice");
    if ((is(r, "MSG_FIELD") || is(r, "REPLY")) && one_block && r->n[0] == s->n[0]) refuse(s, "word used twice");
    if (is(r, "ENUMERATOR") && one_block && r->n[0] == s->n[0]) refuse(s, "value used twice");
    if (is(r, "BLOCK")) {
        uint32_t r_size = r->n[2] ? r->n[1] * r->n[2] : 0x100, s_size = s->n[2] ? s->n[1] * s->n[2] : 0x100;
        if (r->n[0] < s->n[0] + s_size && s->n[0] < r->n[0] + r_size) refuse(s, "blocks overlap");
    }
}

static uint32_t fnv(uint32_t h, const char *s)
{
    for (; *s; s++) h = (h ^ (uint8_t)*s) * 16777619u;
    return (h ^ 0xff) * 16777619u;
}

static uint32_t abi_hash(void)
{
    uint32_t h = 2166136261u;
    for (int i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        char numbers[64];
        snprintf(numbers, sizeof numbers, "%x,%x,%x,%x", r->n[0], r->n[1], r->n[2], r->n[3]);
        const char *parts[] = {r->kind, r->a, r->b, r->c, r->x, r->y, numbers};
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) h = fnv(h, parts[p]);
    }
    return h;
}

static void check_policies(void)
{
    uint32_t count = 0;
    for (int i = 0; i < ROWS; i++)
        if (is(&rows[i], "ENUMERATOR") && same(rows[i].a, "POLICY") && rows[i].n[0] != count++)
            refuse(&rows[i], "policies are numbered from 0 on in the order of their rows");
}

/* What every packet obeys, whatever it does: the front end's own rules are in rtl/engine/node_check.v. */
static void print_packets(void)
{
    printf("// Generated by spec/gen.c from spec/gpu.def. Do not edit: run `make spec`.\n"
           "// Included inside modules after gpu_spec.vh; not every module uses every function, hence the pair of "
           "waivers.\n"
           "/* verilator lint_off UNUSED */\n"
           "// Its words; 1 where no packet has this opcode.\n"
           "function [3:0] packet_length;\n    input [7:0] opcode;\n    case (opcode)\n");
    for (int i = 0; i < ROWS; i++)
        if (is(&rows[i], "PKT")) printf("        PKT_%s: packet_length = PKT_%s_WORDS;\n", rows[i].a, rows[i].a);
    printf("        default: packet_length = 4'd1;\n    endcase\nendfunction\n"
           "// {a packet has this opcode, only a ring or a privileged stream may hold it}\n"
           "function [1:0] packet_kind;\n    input [7:0] opcode;\n    case (opcode)\n");
    for (int i = 0; i < ROWS; i++)
        if (is(&rows[i], "PKT"))
            printf("        PKT_%s: packet_kind = {1'b1, PKT_%s_PRIVILEGED};\n", rows[i].a, rows[i].a);
    printf("        default: packet_kind = 2'b00;\n    endcase\nendfunction\n"
           "// A bit that belongs to no field is set; word i at bits 32*i. Words from 6 on are owned whole.\n"
           "function packet_is_spoiled;\n    input [7:0] opcode;\n    input [191:0] words;\n    case (opcode)\n");
    for (int i = 0; i < ROWS; i++) {
        if (!is(&rows[i], "PKT")) continue;
        printf("        PKT_%s: packet_is_spoiled = |{", rows[i].a);
        for (uint32_t w = 0; w < rows[i].n[1] && w < LOOKED_AT; w++)
            printf("%s%swords[%u:%u] & ~PKT_%s_MASK%u", w > 0 ? "," : "", w > 0 ? "\n            " : "", 32 * w + 31,
                   32 * w, rows[i].a, w);
        printf("};\n");
    }
    printf("        default: packet_is_spoiled = 1'b0;\n    endcase\nendfunction\n/* verilator lint_on UNUSED */\n");
}

static void print_verilog(void)
{
    printf("// Generated by spec/gen.c from spec/gpu.def. Do not edit: run `make spec`.\n"
           "// Included inside modules; not every module uses every constant, hence the pair of waivers.\n"
           "/* verilator lint_off UNUSED */\n"
           "localparam [31:0] GPU_ABI_HASH = 32'h%08x;\n",
           abi_hash());
    for (int i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        if (is(r, "BLOCK")) {
            printf("localparam [11:0] %s_BASE = 12'h%03x;\n", r->a, r->n[0]);
        } else if (is(r, "REG")) {
            printf("localparam [7:0] %s_%s_OFFSET = 8'h%02x;\n", r->a, r->b, r->n[0]);
            if (r->n[1]) printf("localparam [31:0] %s_%s_RESET = 32'h%08x;\n", r->a, r->b, r->n[1]);
        } else if (is(r, "FIELD")) {
            printf("localparam %s_%s_%s_LSB = %u;\nlocalparam %s_%s_%s_WIDTH = %u;\n", r->a, r->b, r->c, r->n[0], r->a,
                   r->b, r->c, r->n[1]);
        } else if (is(r, "ENUMERATOR")) {
            printf("localparam [31:0] %s_%s = 32'h%x;\n", r->a, r->b, r->n[0]);
        } else if (is(r, "PKT")) {
            printf("localparam [7:0] PKT_%s = 8'h%02x;\nlocalparam [3:0] PKT_%s_WORDS = 4'd%u;\n", r->a, r->n[0], r->a,
                   r->n[1]);
            printf("localparam PKT_%s_PRIVILEGED = 1'b%d;\n", r->a, same(r->x, "RING"));
            for (uint32_t w = 0; w < r->n[1]; w++)
                printf("localparam [31:0] PKT_%s_MASK%u = 32'h%08x;\n", r->a, w, packet_bits(r->a, w));
        } else if (is(r, "PKT_FIELD")) {
            printf(
                "localparam PKT_%s_%s_WORD = %u;\nlocalparam PKT_%s_%s_LSB = %u;\nlocalparam PKT_%s_%s_WIDTH = %u;\n",
                r->a, r->b, r->n[0], r->a, r->b, r->n[1], r->a, r->b, r->n[2]);
        } else if (is(r, "LIMIT")) {
            printf("localparam [31:0] LIMIT_%s = 32'h%08x;\n", r->a, r->n[0]);
        }
    }
    printf("/* verilator lint_on UNUSED */\n");
}

static void print_markdown(void)
{
    printf("<!-- Generated by spec/gen.c from spec/gpu.def. Do not edit: run `make spec`. -->\n"
           "# Registers, packets, messages, statuses\n\nABI hash of this table: `%08x`.\n",
           abi_hash());
    const char *last = "";
    for (int i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        bool first = !same(last, r->kind);
        if (is(r, "BLOCK"))
            printf("\n## Block %s at 0x%03x%s\n%s\n\n| offset | register | host | core | reset | meaning "
                   "|\n|---|---|---|---|---|---|\n",
                   r->a, r->n[0], r->n[1] > 1 ? " (one per node, 0x100 apart)" : "", r->doc);
        else if (is(r, "REG"))
            printf("| 0x%02x | **%s** | %s | %s | %x | %s |\n", r->n[0], r->b, r->x, r->y, r->n[1], r->doc);
        else if (is(r, "FIELD"))
            printf("| | %s.%s [%u:%u] | | | | %s |\n", r->b, r->c, r->n[0] + r->n[1] - 1, r->n[0], r->doc);
        else if (is(r, "PKT"))
            printf(
                "\n### Packet %s (0x%02x), %u words, %s\n%s\n\n| word | bits | field | meaning |\n|---|---|---|---|\n",
                r->a, r->n[0], r->n[1], same(r->x, "RING") ? "privileged" : "any stream", r->doc);
        else if (is(r, "PKT_FIELD"))
            printf("| %u | %u:%u | %s%s | %s |\n", r->n[0], r->n[1] + r->n[2] - 1, r->n[1], r->b,
                   same(r->x, "ADDR") ? " (address, patched)" : "", r->doc);
        else if (is(r, "MSG"))
            printf("\n### Message %s (0x%02x)\n%s\n\n| word | name | meaning |\n|---|---|---|\n", r->a, r->n[0],
                   r->doc);
        else if (is(r, "MSG_FIELD")) printf("| %u | %s | %s |\n", r->n[0], r->b, r->doc);
        else if (is(r, "REPLY")) printf("| completion %u | %s | %s |\n", r->n[0], r->b, r->doc);
        else {
            if (first) printf("\n## %s\n\n| name | value | meaning |\n|---|---|---|\n", r->kind);
            if (is(r, "ENUMERATOR")) printf("| %s_%s | 0x%x | %s |\n", r->a, r->b, r->n[0], r->doc);
            else if (is(r, "STATISTIC")) printf("| %s | | %s |\n", r->a, r->doc);
            else if (is(r, "LIMIT")) printf("| %s | 0x%x | %s |\n", r->a, r->n[0], r->doc);
            else printf("| %s | %u | %s |\n", r->a, r->n[0], r->doc);
        }
        last = r->kind;
    }
}

static void print_names(void)
{
    static const struct {
        const char *kind, *group, *function;
    } tables[] = {{"STATUS", "", "status_name"},         {"PKT", "", "packet_name"},
                  {"TRACE", "", "trace_name"},           {"MSG", "", "message_name"},
                  {"ENUMERATOR", "FAULT", "fault_name"}, {"ENUMERATOR", "PANIC", "panic_name"},
                  {"ENUMERATOR", "TRAP", "trap_name"},   {"ENUMERATOR", "FORMAT", "format_name"},
                  {"ENUMERATOR", "BLIT", "mode_name"}};
    printf("/* Generated by spec/gen.c from spec/gpu.def. */\n#ifndef GPU_NAMES_H\n#define GPU_NAMES_H\n#include "
           "<stdint.h>\n\n");
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        printf("static inline const char *%s(uint32_t value)\n{\n    switch (value) {\n", tables[t].function);
        for (int i = 0; i < ROWS; i++)
            if (is(&rows[i], tables[t].kind) && (!*tables[t].group || same(rows[i].a, tables[t].group)))
                printf("    case %uu: return \"%s\";\n", rows[i].n[0], *tables[t].group ? rows[i].b : rows[i].a);
        printf("    default: return \"unknown\";\n    }\n}\n\n");
    }
    printf("static const char *const statistic_names[] = {\n");
    for (int i = 0; i < ROWS; i++)
        if (is(&rows[i], "STATISTIC")) printf("    \"%s\",\n", rows[i].a);
    printf("};\n\n#endif\n");
}

/* The POLICY group as a list for macros: firmware/policy/policies.h, the host's --policy. */
static void print_policies(void)
{
    uint32_t count = 0;
    printf("/* Generated by spec/gen.c from spec/gpu.def. */\n#ifndef GPU_POLICIES_H\n#define GPU_POLICIES_H\n\n"
           "#define POLICY_TABLE(row)");
    for (int i = 0; i < ROWS; i++) {
        if (!is(&rows[i], "ENUMERATOR") || !same(rows[i].a, "POLICY")) continue;
        printf(" row(%s, ", rows[i].b);
        for (const char *at = rows[i].b; *at != 0; at++) putchar(tolower((unsigned char)*at));
        printf(")");
        count++;
    }
    printf("\n#define POLICY_COUNT %u\n\n#endif\n", count);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < ROWS; i++) {
        check_one(&rows[i]);
        for (int j = i + 1; j < ROWS; j++) check_pair(&rows[i], &rows[j]);
    }
    check_policies();
    const char *what = argc == 2 ? argv[1] : "";
    if (same(what, "verilog")) print_verilog();
    else if (same(what, "markdown")) print_markdown();
    else if (same(what, "hash")) printf("#define GPU_ABI_HASH 0x%08xu\n", abi_hash());
    else if (same(what, "names")) print_names();
    else if (same(what, "policies")) print_policies();
    else if (same(what, "packets")) print_packets();
    else if (same(what, "python")) print_python(abi_hash());
    else if (same(what, "values")) print_values();
    else if (same(what, "header")) return print_header();
    else if (same(what, "systemrdl")) print_systemrdl(abi_hash());
    else if (same(what, "svd")) print_svd(abi_hash());
    else {
        fprintf(stderr, "usage: gen verilog|packets|markdown|hash|names|policies|python|values|header|systemrdl|svd\n");
        return 2;
    }
    return 0;
}
