/* SPDX-License-Identifier: Apache-2.0
 *
 * The device that a test has opened, and checks that say what it said last.
 */
#ifndef TEST_SEQUENCE_CHECKS_H
#define TEST_SEQUENCE_CHECKS_H

#include <stdbool.h>
#include <stdio.h>

#include "tessera.h"

static struct tessera *tessera;
static unsigned passed, failed;

static bool check(bool is_right, const char *what)
{
    passed += is_right;
    failed += !is_right;
    if (!is_right) printf("FAILED: %s: %s\n", what, tessera != NULL ? tessera_message(tessera) : "");
    return is_right;
}

#endif
