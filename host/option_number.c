/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of a command line: see option_number.h.
 */
#include "option_number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"

bool option_number(const char *program, const char *name, const char *text, uint64_t low, uint64_t high,
                   const char *hint, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    unsigned long long parsed = strtoull(text, &end, 0);
    if (text[0] == 0 || text[0] == '-' || *end != 0 || errno != 0 || parsed < low || parsed > high) {
        fprintf(stderr, "%s: --%s %s: give a number from %llu to %llu.%s\n", program, name, text,
                (unsigned long long)low, (unsigned long long)high, hint);
        return false;
    }
    *value = parsed;
    return true;
}

bool option_word(const char *program, const char *name, const char *text, uint32_t low, uint32_t high,
                 const char *hint, uint32_t *value)
{
    uint64_t wide = 0;
    bool is_good = option_number(program, name, text, low, high, hint, &wide);
    *value = (uint32_t)wide;
    return is_good;
}

bool option_policy(const char *program, const char *text, uint32_t *force)
{
    static const char *const names[] = {[POLICY_LITERAL] = "literal", [POLICY_LOOKAHEAD] = "lookahead"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) == 0) {
            *force = (*force & ~(field_mask(HOST_FORCE_POLICY_WIDTH) << HOST_FORCE_POLICY_LSB)) |
                     FIELD_PUT(i, HOST_FORCE_POLICY);
            return true;
        }
    }
    fprintf(stderr, "%s: --policy %s: known are literal and lookahead.\n", program, text);
    return false;
}
