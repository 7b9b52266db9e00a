/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine of the page as a program: what web/ has in C with the calls that the worker makes, natively and with
 * sanitizers. It prints what the same calls in a browser have to give (tests/web/equal.py).
 *   native [FILE]      knobs as lines on standard input; FILE is loaded, from its place in a folder of its own
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own_policy.h"
#include "zlib.h"

const char *web_create(const char *text);
const char *web_message(void);
int web_run(void);
uint32_t web_known(uint32_t unit);
uint32_t web_digest(void);
int web_export(void);

/* The same as OWN of tests/web/equal.py. */
double own_worth(const struct own_resident *a)
{
    const double next = a->next < 40 ? a->next : 40;
    if (a->tag % 3u == 0) return 0; /* all alike: places decide */
    return a->pages * 3.0 - a->age - a->uses / 4.0 + a->came % 5u - next + (a->is_dirty ? 0.5 : 0) +
           a->number / 1024.0 + (a->tag + a->entry) % 3u;
}

/* Of a file that web_export has left; 0: there is none. */
static uint32_t sum_of(const char *path)
{
    static uint8_t bytes[16 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 0;
    const size_t used = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return (uint32_t)crc32_z(0, bytes, used);
}

int main(void)
{
    static char knobs[4096];
    const size_t used = fread(knobs, 1, sizeof knobs - 1u, stdin);
    knobs[used] = 0;
    if (web_create(knobs) == NULL) return printf("error %s\n", web_message()), 1;
    while (web_run() == 0) continue;
    printf("operations %u portions %u buffers %u frames %u digest %08x\n", web_known(0), web_known(1), web_known(2),
           web_known(3), web_digest());
    if (web_export() != 0) return printf("error %s\n", web_message()), 1;
    printf("timeline %08x report %08x\n", sum_of("out/trace.json"), sum_of("out/report.html"));
    return 0;
}
