/* SPDX-License-Identifier: Apache-2.0
 *
 * Port of CoreMark to core-run: time is the core's cycle counter, printing understands the few conversions that
 * CoreMark uses, and the end prints the figure this is all about.
 */
#include <stdarg.h>
#include <stdint.h>

#include "bench.h"
#include "coremark.h"

volatile ee_s32 seed1_volatile = 0x0;
volatile ee_s32 seed2_volatile = 0x0;
volatile ee_s32 seed3_volatile = 0x66;
volatile ee_s32 seed4_volatile = ITERATIONS;
volatile ee_s32 seed5_volatile = 0;
ee_u32 default_num_contexts = 1;

static uint32_t start_cycles, stop_cycles, start_instructions, stop_instructions;

void start_time(void)
{
    start_instructions = bench_instructions();
    start_cycles = bench_cycles();
}

void stop_time(void)
{
    stop_cycles = bench_cycles();
    stop_instructions = bench_instructions();
}

CORE_TICKS get_time(void) { return stop_cycles - start_cycles; }

secs_ret time_in_secs(CORE_TICKS ticks) { return ticks; }

void portable_init(core_portable *p, int *argc, char *argv[])
{
    (void)argc, (void)argv;
    p->portable_id = 1;
}

static void print_milli(uint32_t thousandths)
{
    bench_number(thousandths / 1000);
    bench_put('.');
    bench_put((char)('0' + thousandths / 100 % 10));
    bench_put((char)('0' + thousandths / 10 % 10));
    bench_put((char)('0' + thousandths % 10));
}

void portable_fini(core_portable *p)
{
    uint32_t cycles = stop_cycles - start_cycles, instructions = stop_instructions - start_instructions;
    p->portable_id = 0;
    bench_text("CoreMark/MHz ");
    print_milli((uint32_t)(1000000000ull * ITERATIONS / cycles));
    bench_text("  CPI ");
    print_milli((uint32_t)(1000ull * cycles / instructions));
    bench_put('\n');
}

static void print_hex(uint32_t value, int digits)
{
    while (digits-- > 0) bench_put("0123456789abcdef"[value >> 4 * digits & 15]);
}

int ee_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (; *format; format++) {
        if (*format != '%') {
            bench_put(*format);
            continue;
        }
        while (*++format == 'l' || (*format >= '0' && *format <= '9')) {}
        if (*format == 's') bench_text(va_arg(arguments, const char *));
        else if (*format == 'x') print_hex(va_arg(arguments, uint32_t), 4);
        else if (*format == 'c') bench_put((char)va_arg(arguments, int));
        else bench_number(va_arg(arguments, uint32_t));
    }
    va_end(arguments);
    return 0;
}
