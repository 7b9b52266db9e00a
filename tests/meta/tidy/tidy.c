/* SPDX-License-Identifier: Apache-2.0
 *
 * House rules as a test: reads the names of the project's files from standard input and checks each against
 * the rules below, printing every offence as "file:line: rule". One file is one test.
 *
 *   place          in a folder of the project; nothing that a tool or a program left behind
 *   licence        an SPDX line among the first three
 *   length         lines of at most 120 characters, files of at most 600 lines
 *   whitespace     no tabs (but in makefiles), no spaces at a line's end, a newline at the end
 *   leftovers      no marker of unfinished work
 *   ids            a requirement id that is named exists in spec/requirements.txt
 *   Verilog        outside tests/: `default_nettype none first, wire restored last, one module per file of the
 *                  file's name
 *   firmware       volatile, assembly only in hal_mmio.c; no conditional compilation in .c files
 *   narrowing      what sees the host's numbers makes them narrower by base.h's checked functions only
 *   layers         tests/meta/tidy/layers (tidy_layers.c)
 *   prose          citations, links and words of documents, comments and messages (tidy_prose.c)
 *
 * Exempt from licence and length: documents, data and what spec/gen.c prints (its freshness is checked by the
 * makefile). tests/meta/tidy/known lists files that break "length" already (path, long lines, lines): they may get
 * better, not worse. `make tidy-known` takes the list again, after such files have become better.
 */
#include "tidy.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

enum {
    COLUMNS_MAX = 120,
    LINES_MAX = 600,
    TEXT_MAX = 4 << 20,
    IDS_MAX = 512,
    KNOWN_MAX = 256,
    LINE_COUNT_MAX = 200000
};

static char ids[IDS_MAX][8];
static unsigned id_count;
static struct known {
    char path[128];
    unsigned long_lines, lines;
} known[KNOWN_MAX];
static unsigned known_count;

void offend(struct file *file, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%u: ", file->path, line);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    file->offences++;
}

bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static bool is_makefile(const char *path) { return ends_with(path, "Makefile") || ends_with(path, ".mk"); }

/* Prose and data have no columns and carry no licence line; generated files are judged at their source. */
static bool is_document(const char *path)
{
    static const char *const ends[] = {".md",
                                       ".svg",
                                       ".txt",
                                       ".json",
                                       "LICENSE",
                                       ".gitignore",
                                       ".clang-format",
                                       ".editorconfig",
                                       "gpu_spec.vh",
                                       "gpu_packets.vh",
                                       "tests/meta/tidy/known",
                                       "tests/meta/tidy/layers",
                                       "tests/meta/tidy/words",
                                       "tests/meta/conformance/levels",
                                       "tests/meta/conformance/exempt",
                                       "tests/fuzz/untaken",
                                       "VERSION"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends_with(path, ends[i])) return true;
    return false;
}

/* ------------------------------------------------------------------ rules on any file */

/* The folder that is `length` characters long at `path`: is it one of these? */
static bool is_one_of(const char *path, size_t length, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strlen(*names) == length && strncmp(path, *names, length) == 0) return true;
    return false;
}

/* A new folder at the top is added here. What tools leave behind (output, caches, a home) is in no folder at all. */
static void check_place(struct file *file)
{
    static const char *const top[] = {".ci",    ".github", "bench", "boards", "docs", "firmware", "host", "integration",
                                      "linker", "model",   "rtl",   "sim",    "spec", "tests",    "web",  NULL};
    static const char *const foreign[] = {"build",  "out",     "tmp",         "temp",         "home", ".local",
                                          ".cache", ".config", "__pycache__", "node_modules", NULL};
    static const char *const ends[] = {".o",   ".a",   ".so",  ".pyc", ".log", ".tmp",  ".orig", ".rej",
                                       ".swp", ".bak", ".fst", ".vcd", ".elf", ".wasm", "~"};
    const char *name = file->path;
    for (const char *slash; (slash = strchr(name, '/')) != NULL; name = slash + 1) {
        const size_t length = (size_t)(slash - name);
        if ((name == file->path && !is_one_of(name, length, top)) || is_one_of(name, length, foreign))
            offend(file, 1, "%.*s is not a folder of the project: git rm --cached %s", (int)length, name, file->path);
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends_with(name, ends[i])) offend(file, 1, "%s is a file that a tool made: git rm --cached it", name);
}

static void check_licence(struct file *file)
{
    for (unsigned i = 0; i < file->line_count && i < 3; i++)
        if (strstr(file->lines[i], "SPDX-License-Identifier: Apache-2.0") != NULL) return;
    offend(file, 1, "no SPDX line among the first three: copy one from a file beside it");
}

/* Characters, not bytes: continuation bytes of UTF-8 do not count. */
static unsigned columns(const char *line)
{
    unsigned count = 0;
    for (; *line != 0; line++) count += ((unsigned char)*line & 0xc0u) != 0x80u;
    return count;
}

/* What tests/meta/tidy/known allows this file. */
static struct known allowance(const char *path)
{
    for (unsigned i = 0; i < known_count; i++)
        if (strcmp(known[i].path, path) == 0) return known[i];
    return (struct known){.long_lines = 0, .lines = LINES_MAX};
}

/* Lists instead of complaining, with --known. */
static void check_length(struct file *file, bool is_listing)
{
    bool is_table = ends_with(file->path, ".def"); /* a row is one line, however long; the table is one file */
    struct known allowed = allowance(file->path);
    unsigned found = 0;
    for (unsigned i = 0; i < file->line_count && !is_table; i++)
        if (columns(file->lines[i]) > COLUMNS_MAX && ++found > allowed.long_lines && !is_listing)
            offend(file, i + 1, "%u columns, at most %d", columns(file->lines[i]), COLUMNS_MAX);
    if (is_listing && (found > 0 || file->line_count > LINES_MAX))
        printf("%s %u %u\n", file->path, found, file->line_count > LINES_MAX ? file->line_count : LINES_MAX);
    else if (!is_listing && !is_table && file->line_count > allowed.lines)
        offend(file, file->line_count, "more than %u lines: split the file", allowed.lines);
}

static void check_whitespace(struct file *file)
{
    for (unsigned i = 0; i < file->line_count; i++) {
        const char *line = file->lines[i];
        size_t length = strlen(line);
        if (length > 0 && isspace((unsigned char)line[length - 1])) offend(file, i + 1, "white space at the end");
        if (!is_makefile(file->path) && strchr(line, '\t') != NULL) offend(file, i + 1, "tab");
    }
    if (!file->ends_with_newline) offend(file, file->line_count, "no newline at the end: add one");
}

static void check_leftovers(struct file *file)
{
    static const char *const words[] = {"TO"
                                        "DO",
                                        "FIX"
                                        "ME",
                                        "X"
                                        "XX"};
    for (unsigned i = 0; i < file->line_count; i++)
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
            const char *at = strstr(file->lines[i], words[w]);
            size_t length = strlen(words[w]);
            bool is_word = at != NULL && (at == file->lines[i] || !isalnum((unsigned char)at[-1])) &&
                           !isalnum((unsigned char)at[length]);
            if (is_word) offend(file, i + 1, "marker of unfinished work: %s", words[w]);
        }
}

/* ------------------------------------------------------------------ requirement ids */

static bool id_exists(const char *id)
{
    for (unsigned i = 0; i < id_count; i++)
        if (strncmp(ids[i], id, 6) == 0) return true;
    return false;
}

/* Three capitals that some id begins with, a hyphen, digits. */
static void check_ids(struct file *file)
{
    for (unsigned i = 0; i < file->line_count; i++)
        for (const char *at = file->lines[i]; *at != 0; at++) {
            bool is_start = at == file->lines[i] || !isalnum((unsigned char)at[-1]);
            if (!is_start || strlen(at) < 5 || at[3] != '-' || !isdigit((unsigned char)at[4])) continue;
            bool is_group = false;
            for (unsigned n = 0; n < id_count; n++) is_group |= strncmp(ids[n], at, 4) == 0;
            size_t length = 4 + strspn(at + 4, "0123456789");
            if (is_group && (length != 6 || !id_exists(at)))
                offend(file, i + 1, "no requirement has the id %.*s: see spec/requirements.txt", (int)length, at);
        }
}

/* ------------------------------------------------------------------ Verilog and firmware */

static void check_verilog(struct file *file)
{
    const char *name = strrchr(file->path, '/');
    name = name != NULL ? name + 1 : file->path;
    size_t name_length = strlen(name) - 2; /* without .v */
    unsigned modules = 0, none_line = 0, wire_line = 0, first_module = 0, last_end = 0;
    for (unsigned i = 0; i < file->line_count; i++) {
        const char *line = file->lines[i];
        if (starts_with(line, "`default_nettype none")) none_line = i + 1;
        if (starts_with(line, "`default_nettype wire")) wire_line = i + 1;
        if (starts_with(line, "endmodule")) last_end = i + 1;
        if (starts_with(line, "module ")) {
            if (modules++ == 0) first_module = i + 1;
            size_t length = strcspn(line + 7, " #(;");
            if (length != name_length || strncmp(line + 7, name, length) != 0)
                offend(file, i + 1, "module %.*s in a file of another name: rename it", (int)length, line + 7);
        }
    }
    if (modules > 1) offend(file, first_module, "%u modules in one file: give each its own", modules);
    if (none_line == 0 || none_line > first_module)
        offend(file, first_module, "`default_nettype none is missing before the module");
    if (wire_line < last_end) offend(file, last_end, "`default_nettype wire is missing after the module");
}

/* A cast to a narrow type cuts silently; one of a host's number has stopped the firmware for everybody. */
static void check_narrowing(struct file *file)
{
    static const char *const files[] = {"firmware/validate/access.c",   "firmware/validate/validate.c",
                                        "firmware/memory/allocation.c", "firmware/frontend/command.c",
                                        "firmware/schedule/context.c",  "firmware/host_ring/host.c"};
    static const char *const casts[] = {"(uint8_t)", "(uint16_t)", "(int8_t)", "(int16_t)"};
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        if (strcmp(file->path, files[f]) != 0) continue;
        for (unsigned i = 0; i < file->line_count; i++)
            for (size_t c = 0; c < sizeof casts / sizeof casts[0]; c++)
                if (strstr(file->lines[i], casts[c]) != NULL)
                    offend(file, i + 1, "a cast that narrows: base.h has narrow()");
    }
}

static void check_firmware(struct file *file)
{
    bool is_door = ends_with(file->path, "firmware/platform/hal_mmio.c"), is_comment = false;
    for (unsigned i = 0; i < file->line_count; i++) {
        const char *line = file->lines[i];
        if (strstr(line, "/*") != NULL) is_comment = true;
        if (!is_comment && !is_door && (strstr(line, "volatile") != NULL || strstr(line, "asm") != NULL))
            offend(file, i + 1, "volatile or assembly outside hal_mmio.c: call a function of hal.h");
        if (strstr(line, "*/") != NULL) is_comment = false;
        if (starts_with(line, "#if")) offend(file, i + 1, "conditional compilation is not allowed in firmware/");
    }
}

/* ------------------------------------------------------------------ files */

/* False when there is nothing to read: a picture, or a file that git lists and somebody has removed. */
static bool load(struct file *file, const char *path)
{
    static char text[TEXT_MAX];
    static const char *lines[LINE_COUNT_MAX];
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) return false;
    size_t length = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    if (memchr(text, 0, length) != NULL) return false;
    *file = (struct file){.path = path, .lines = lines, .ends_with_newline = length == 0 || text[length - 1] == '\n'};
    text[length] = 0;
    for (char *line = text, *end; *line != 0 && file->line_count < LINE_COUNT_MAX; line = end) {
        lines[file->line_count++] = line;
        end = strchr(line, '\n');
        if (end == NULL) break;
        *end++ = 0;
    }
    return true;
}

static void read_ids(void)
{
    char line[2048];
    FILE *stream = fopen("spec/requirements.txt", "r");
    while (stream != NULL && fgets(line, sizeof line, stream) != NULL && id_count < IDS_MAX)
        if (line[0] != '#') snprintf(ids[id_count++], sizeof ids[0], "%.6s", line);
    if (stream != NULL) fclose(stream);
}

static void read_known(void)
{
    char line[256];
    FILE *stream = fopen("tests/meta/tidy/known", "r");
    while (stream != NULL && fgets(line, sizeof line, stream) != NULL && known_count < KNOWN_MAX)
        if (sscanf(line, "%127s %u %u", known[known_count].path, &known[known_count].long_lines,
                   &known[known_count].lines) == 3)
            known_count++;
    if (stream != NULL) fclose(stream);
}

static unsigned check_file(const char *path, struct layers *layers)
{
    struct file file = {.path = path};
    check_place(&file);
    const unsigned misplaced = file.offences;
    if (!load(&file, path)) return misplaced;
    file.offences = misplaced;
    bool is_firmware = starts_with(path, "firmware/");
    if (!is_document(path)) {
        check_licence(&file);
        check_length(&file, false);
        check_whitespace(&file);
        check_leftovers(&file);
    }
    if (!ends_with(path, "spec/requirements.txt")) check_ids(&file);
    if (ends_with(path, ".v") && !starts_with(path, "tests/")) check_verilog(&file);
    if (is_firmware && ends_with(path, ".c")) check_firmware(&file), check_narrowing(&file);
    if (ends_with(path, ".c") || ends_with(path, ".h")) layers_check(layers, &file);
    prose_check(&file);
    return file.offences;
}

int main(int argc, char **argv)
{
    static struct layers layers;
    struct file file;
    char path[512];
    bool is_listing = argc == 2 && strcmp(argv[1], "--known") == 0;
    unsigned passed = 0, failed = 0;
    read_ids();
    read_known();
    if (id_count == 0 || !layers_read(&layers, "tests/meta/tidy/layers") ||
        !prose_read_words("tests/meta/tidy/words")) {
        printf("run this at the top of the project: spec/requirements.txt, and layers and words of tests/meta/tidy\n");
        return 2;
    }
    while (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = 0;
        if (is_listing) {
            if (!is_document(path) && load(&file, path)) check_length(&file, true);
        } else if (check_file(path, &layers) == 0) {
            passed++;
        } else {
            failed++;
        }
    }
    if (is_listing) return 0;
    failed += layers_finish(&layers);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
