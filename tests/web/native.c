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

const char *web_create(const char *text);
const char *web_message(void);
int web_run(void);
uint32_t web_known(uint32_t unit);
uint32_t web_digest(void);

/* The same as OWN of tests/web/equal.py. */
double own_worth(const struct own_resident *a)
{
    const double next = a->next < 40 ? a->next : 40;
    return a->pages * 3.0 - a->age - a->uses / 4.0 + a->came % 5u - next + (a->is_dirty ? 0.5 : 0) +
           a->number / 1024.0 + (a->tag + a->entry) % 3u;
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
    return 0;
}
