/* SPDX-License-Identifier: Apache-2.0
 *
 * Port of Dhrystone 2.1 (dhry_1.c, dhry_2.c as in PicoRV32's repository) to core-run: time and instructions are the
 * core's counters, memory is two records, and printing compares: the benchmark prints each result, then "should be".
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bench.h"

int dhrystone_main(void);
long time(long *unused);
long insn(long *unused);
void *malloc(size_t bytes);
int printf(const char *format, ...);

static int wrong, checked, last_number;
static const char *last_text;

long time(long *unused)
{
    (void)unused;
    return (long)bench_cycles();
}

long insn(long *unused)
{
    (void)unused;
    return (long)bench_instructions();
}

void *malloc(size_t bytes)
{
    static uint32_t heap[64];
    static size_t used;
    void *record = heap + used;
    used += (bytes + 3) / 4;
    return used <= 64 ? record : NULL;
}

/* The line "should be" of the result before: a number, a character or the text itself. */
static void compare(const char *format, va_list arguments)
{
    const char *value = format + strlen("        should be:   ");
    size_t bytes = strcspn(value, "\n");
    if (*value == '(' || strncmp(value, "Number", 6) == 0) return;
    checked++;
    if (*value == '%') wrong += va_arg(arguments, int) != last_number;
    else wrong += strncmp(value, last_text, bytes) != 0 || last_text[bytes] != 0;
}

int printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (strncmp(format, "        should be:", 18) == 0) {
        compare(format, arguments);
        va_end(arguments);
        return 0;
    }
    for (; *format; format++) {
        if (*format != '%') {
            bench_put(*format);
            continue;
        }
        switch (*++format) {
        case 's': bench_text(last_text = va_arg(arguments, const char *)); break;
        case 'c': bench_put((char)(last_number = va_arg(arguments, int))); break;
        default: bench_number((uint32_t)(last_number = va_arg(arguments, int))); break;
        }
    }
    va_end(arguments);
    return 0;
}

int main(void)
{
    enum { RESULTS = 19 };
    (void)dhrystone_main();
    bench_text(wrong == 0 && checked == RESULTS ? "Every result is as it should be.\n" : "WRONG results.\n");
    return wrong != 0 || checked != RESULTS;
}
