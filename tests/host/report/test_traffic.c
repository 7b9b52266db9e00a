/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a report's bytes by cause are those of the paging node's packets. Method: packets of every kind, between every
 * two kinds of memory, each beside the one counter that it moves; the other node's and unfinished ones move none.
 * And texts of a time line are JSON of valid UTF-8: the first and the last character of each length, and those beyond.
 *   test_traffic FOLDER
 */
#include <stddef.h>
#include <stdio.h>

#include "gpu_spec.h"
#include "made_up.h"
#include "tools/view/timeline.h"
#include "tools/view/view_internal.h"

enum { LOCAL = LIMIT_BITS_ADDR_SEGMENT1, OTHER = LIMIT_BITS_ADDR_SEGMENT2, MAPPED = LIMIT_BITS_ADDR_APERTURE };
#define SYSTEM GPU_LIMIT(ADDR_SYSTEM)
#define OF(member) offsetof(struct traffic, member)

static struct view *view;
static const struct probe *probe;
static unsigned passed, failed;

static void check(bool is_good, const char *what, size_t number)
{
    if (!is_good) printf("FAILED: %s (%zu)\n", what, number);
    passed += is_good;
    failed += !is_good;
}

static void execute(unsigned node, const uint32_t *words)
{
    clock_now += 10;
    probe->packet_begin(probe->context, clock_now, node, 0, words);
    clock_now += 10;
    probe->packet_end(probe->context, clock_now, node);
}

static const struct {
    uint32_t opcode, words[4];
    size_t counter; /* that it moves; SIZE_MAX: none */
    uint64_t bytes;
} cases[] = {
    {PKT_COPY, {LOCAL, OTHER, 4096}, OF(moved), 4096},
    {PKT_COPY, {LOCAL, MAPPED, 4097}, OF(moved), 4097},
    {PKT_COPY, {LOCAL, 0x7fffffff, 5}, OF(moved), 5},
    {PKT_COPY, {0x80000000, LOCAL, 4098}, OF(paging_in), 4098},
    {PKT_COPY, {0x80000001, 0x7fffffff, 7}, OF(paging_in), 7},
    {PKT_COPY, {LOCAL, 0x80000000, 4099}, OF(paging_out), 4099},
    {PKT_COPY, {LOCAL, 0xfffffff0, 8}, OF(paging_out), 8},
    {PKT_COPY, {0x80001000, 0x80002000, 9}, OF(moved), 9},
    {PKT_COPY_LIST, {LOCAL, 8192, 0x80000000}, OF(paging_in), 8192},
    {PKT_COPY_LIST | 1u << PKT_COPY_LIST_TO_SYSTEM_LSB, {LOCAL, 12288, 0x80000000}, OF(paging_out), 12288},
    {PKT_FILL, {LOCAL, 16384, 0x80000000}, OF(filled), 16384},
    {PKT_MAP, {3, 5, 0}, OF(mapped), 5 * 4096},
    {PKT_MAP_LIST, {3, 6, 0x80000000}, OF(mapped), 6 * 4096},
    {PKT_UNMAP, {3, 6, 1}, SIZE_MAX, 0},
    {PKT_NOP, {0}, SIZE_MAX, 0},
    {PKT_TOUCH, {LOCAL}, SIZE_MAX, 0},
};

static uint64_t all_of(const struct traffic *traffic)
{
    return traffic->paging_in + traffic->paging_out + traffic->moved + traffic->filled + traffic->mapped;
}

static void test_causes(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t words[8] = {cases[i].opcode};
        memcpy(words + 1, cases[i].words, sizeof cases[i].words);
        const struct traffic before = view->traffic;
        execute(0, words);
        check(all_of(&view->traffic) == all_of(&before), "the render node pages nothing", i);
        execute(1, words);
        uint64_t was = 0, is = 0;
        if (cases[i].counter != SIZE_MAX) {
            memcpy(&was, (const char *)&before + cases[i].counter, sizeof was);
            memcpy(&is, (const char *)&view->traffic + cases[i].counter, sizeof is);
        }
        check(is - was == cases[i].bytes, "bytes of their cause", i);
        check(all_of(&view->traffic) - all_of(&before) == cases[i].bytes, "and of no other", i);
    }
}

/* Rows of bytes, in words that lie where the table says. */
static void test_rows(void)
{
    static const uint32_t opcodes[] = {PKT_COPY_2D, PKT_TILE};
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t to_system = 0; to_system < 2; to_system++) {
            uint32_t words[8] = {opcodes[i]};
            words[PKT_TILE_SOURCE_WORD] = to_system ? LOCAL : SYSTEM;
            words[PKT_TILE_TARGET_WORD] = to_system ? SYSTEM : LOCAL;
            words[PKT_TILE_ROWS_WORD] |= FIELD_PUT(30u, PKT_TILE_ROWS);
            words[PKT_TILE_ROW_BYTES_WORD] |= FIELD_PUT(200u, PKT_TILE_ROW_BYTES);
            const struct traffic before = view->traffic;
            execute(1, words);
            check(view->traffic.paging_out - before.paging_out == (to_system ? 6000u : 0u), "rows out", i);
            check(view->traffic.paging_in - before.paging_in == (to_system ? 0u : 6000u), "rows in", i);
            check(view->traffic.moved == before.moved, "and none moved", i);
        }
    }
}

static void test_texts(void)
{
    static const char *const texts[][2] = {{"a\x7f", "a\x7f"},
                                           {"\xc2\x80\xdf\xbf", "\xc2\x80\xdf\xbf"},
                                           {"\xe0\xa0\x80\xef\xbf\xbf", "\xe0\xa0\x80\xef\xbf\xbf"},
                                           {"\xed\x9f\xbf", "\xed\x9f\xbf"},
                                           {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
                                           {"\xc1", "\\ufffd"},
                                           {"\x80", "\\ufffd"},
                                           {"\xf5", "\\ufffd"},
                                           {"\xc2", "\\ufffd"},
                                           {"\xc2g", "\\ufffdg"},
                                           {"\xe0\x9f\xbf", "\\ufffd\\ufffd\\ufffd"},
                                           {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},
                                           {"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},
                                           {"\"\\<\x1f", "\\\"\\\\\\u003c\\u001f"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char said[64] = "";
        FILE *file = fmemopen(said, sizeof said, "w");
        if (file == NULL) return check(false, "no file", i);
        json_print_text(file, texts[i][0]);
        fclose(file);
        check(strcmp(said, texts[i][1]) == 0, said, i);
    }
}

int main(int argc, char **argv)
{
    char message[256];
    if (argc != 2) return printf("usage: test_traffic FOLDER\n"), 2;
    struct transport device = {.register_read = register_read,
                               .memory_read = memory_read,
                               .cycles = cycles,
                               .close = close_device},
                     watched;
    view = view_open(argv[1], message);
    if (view == NULL) return printf("%s\n", message), 2;
    probe = view_probe(view);
    view_watch(view, &device, &watched);
    test_causes();
    test_rows();
    test_texts();
    view_free(view);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
