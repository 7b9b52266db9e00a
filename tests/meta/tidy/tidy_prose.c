/* SPDX-License-Identifier: Apache-2.0
 *
 * What people read: documents, and the comments and messages of the sources.
 *
 *   citations   a document that is named, and a file that is named with its folder, is in the tree
 *   links       of a document lead to a file that is in the tree
 *   words       none of tests/meta/tidy/words, for which the field has another one (docs/glossary.md); not in tests/
 */
#include "tidy.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PROSE_MAX = 4096, WORDS_MAX = 64, WORD_MAX = 64, PATH_MAX_LENGTH = 512 };

static struct word {
    char word[WORD_MAX], instead[WORD_MAX];
} words[WORDS_MAX];
static unsigned word_count;

bool prose_read_words(const char *path)
{
    char line[256];
    FILE *stream = fopen(path, "r");
    while (stream != NULL && word_count < WORDS_MAX && fgets(line, sizeof line, stream) != NULL)
        if (line[0] != '#' && sscanf(line, "%63[a-z] %63[^\n]", words[word_count].word, words[word_count].instead) == 2)
            word_count++;
    if (stream != NULL) fclose(stream);
    return word_count > 0;
}

/* ------------------------------------------------------------------ where prose is */

enum kind { KIND_NONE, KIND_DOCUMENT, KIND_C, KIND_HASH };

static enum kind kind_of(const char *path)
{
    static const char *const in_c[] = {".c", ".h", ".v", ".vh", ".cpp", ".ld", ".S", ".def"};
    static const char *const in_hash[] = {".mk", ".sh", ".py", "Makefile", ".yml", "/layers", "/suite", "/run"};
    if (ends_with(path, ".md")) return KIND_DOCUMENT;
    for (size_t i = 0; i < sizeof in_c / sizeof in_c[0]; i++)
        if (ends_with(path, in_c[i])) return KIND_C;
    for (size_t i = 0; i < sizeof in_hash / sizeof in_hash[0]; i++)
        if (ends_with(path, in_hash[i])) return KIND_HASH;
    return KIND_NONE;
}

/* The comments and string literals of a line of C or Verilog, everything else as blanks. */
static void read_c(const char *line, char *prose, bool *is_comment)
{
    size_t i = 0;
    bool is_text = false;
    for (; line[i] != 0 && i + 1 < PROSE_MAX; i++) {
        prose[i] = ' ';
        if (*is_comment) {
            if (strncmp(line + i, "*/", 2) == 0) *is_comment = false;
            else prose[i] = line[i];
        } else if (is_text) {
            if (line[i] == '"') is_text = false;
            else prose[i] = line[i];
            if (line[i] == '\\' && line[i + 1] != 0) prose[++i] = ' ';
        } else if (strncmp(line + i, "/*", 2) == 0) {
            *is_comment = true;
            prose[++i] = ' ';
        } else if (strncmp(line + i, "//", 2) == 0) {
            for (; line[i] != 0 && i + 1 < PROSE_MAX; i++) prose[i] = line[i];
            break;
        } else {
            is_text = line[i] == '"' && !(i > 0 && line[i - 1] == '\'');
        }
    }
    prose[i] = 0;
}

static void read_line(enum kind kind, const char *line, char *prose, bool *is_comment)
{
    const char *start = kind == KIND_HASH ? strchr(line, '#') : line;
    if (kind == KIND_C) read_c(line, prose, is_comment);
    else snprintf(prose, PROSE_MAX, "%s", start != NULL ? start : "");
}

/* ------------------------------------------------------------------ citations */

static bool is_there(const char *folder, size_t folder_length, const char *name, size_t length)
{
    char path[PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%.*s%.*s", (int)folder_length, folder, (int)length, name);
    return access(path, F_OK) == 0;
}

/* Beside the file, at the top, or in docs/. */
static bool is_cited_rightly(const char *path, const char *name, size_t length)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - path) + 1u : 0u;
    return is_there(path, folder, name, length) || is_there("", 0, name, length) || is_there("docs/", 5, name, length);
}

static bool has_end(const char *name, size_t length, const char *end)
{
    size_t end_length = strlen(end);
    return length > end_length && strncmp(name + length - end_length, end, end_length) == 0;
}

/* Capitals in a path stand for any name. */
static bool has_placeholder(const char *name, size_t length)
{
    static const char *const placeholders[] = {"NAME", "FOLDER"};
    for (size_t p = 0; p < sizeof placeholders / sizeof placeholders[0]; p++)
        for (size_t i = 0; i + strlen(placeholders[p]) <= length; i++)
            if (strncmp(name + i, placeholders[p], strlen(placeholders[p])) == 0) return true;
    return false;
}

/* A document's name; or a folder of the project's, a name, and the end of a source. */
static bool is_citation(const char *name, size_t length)
{
    static const char *const tops[] = {"firmware/", "rtl/", "host/", "tests/", "model/", "sim/", "boards/", "spec/"};
    static const char *const sources[] = {".c", ".h", ".v", ".vh", ".sh", ".mk", ".py", ".def", ".cpp"};
    bool is_placed = false, is_source = false;
    if (has_placeholder(name, length)) return false;
    if (has_end(name, length, ".md")) return true;
    for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++)
        is_placed |= length > strlen(tops[i]) && strncmp(name, tops[i], strlen(tops[i])) == 0;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) is_source |= has_end(name, length, sources[i]);
    return is_placed && is_source;
}

static void check_citations(struct file *file, unsigned line, const char *prose)
{
    static const char name_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    for (const char *at = prose; *at != 0;) {
        size_t length = strspn(at, name_characters);
        const char *name = at, *after = at + length;
        bool is_pattern = strchr("*<{$", *after) != NULL && *after != 0;
        bool is_inside = at > prose && strchr("*<{$:>}%~", at[-1]) != NULL;
        while (length > 0 && strchr(".-/", name[length - 1]) != NULL) length--;
        if (length > 0 && !is_pattern && !is_inside && is_citation(name, length) &&
            !is_cited_rightly(file->path, name, length))
            offend(file, line, "%.*s is not in the tree", (int)length, name);
        at = *after != 0 ? after + 1 : after;
    }
}

static void check_links(struct file *file, unsigned line, const char *text)
{
    const char *slash = strrchr(file->path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - file->path) + 1u : 0u;
    for (const char *at = strstr(text, "]("); at != NULL; at = strstr(at, "](")) {
        at += 2;
        size_t length = strcspn(at, ")#");
        if (length == 0 || memchr(at, ':', length) != NULL || memchr(at, ' ', length) != NULL) continue;
        if (!is_there(file->path, folder, at, length))
            offend(file, line, "a link to %.*s leads nowhere", (int)length, at);
    }
}

/* ------------------------------------------------------------------ words */

static void check_words(struct file *file, unsigned line, const char *prose)
{
    for (const char *at = prose; *at != 0;) {
        size_t length = 0;
        while (isalpha((unsigned char)at[length])) length++;
        bool is_name = length > 0 && (at[length] == '_' || isdigit((unsigned char)at[length]) || at[length] == '(' ||
                                      (at > prose && strchr("_`.>-", at[-1]) != NULL && at[-1] != 0));
        for (unsigned w = 0; w < word_count && length > 0 && !is_name; w++)
            if (strlen(words[w].word) == length && strncasecmp(words[w].word, at, length) == 0)
                offend(file, line, "\"%s\": the field says %s", words[w].word, words[w].instead);
        at += length > 0 ? length : 1;
    }
}

void prose_check(struct file *file)
{
    enum kind kind = kind_of(file->path);
    static char prose[PROSE_MAX];
    bool is_comment = false, is_test = strncmp(file->path, "tests/", 6) == 0;
    if (kind == KIND_NONE) return;
    for (unsigned i = 0; i < file->line_count; i++) {
        read_line(kind, file->lines[i], prose, &is_comment);
        check_citations(file, i + 1, prose);
        if (kind == KIND_DOCUMENT) check_links(file, i + 1, prose);
        if (!is_test) check_words(file, i + 1, prose);
    }
}
