/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests with stand-ins: what these were asked for, as one line of text. Included once, by the test's own file.
 */
#ifndef TESSERA_TEST_NOTED_H
#define TESSERA_TEST_NOTED_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char noted[1024];

static void note(const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(noted);
    va_start(arguments, format);
    vsnprintf(noted + used, sizeof noted - used, format, arguments);
    va_end(arguments);
}

#endif
