// SPDX-License-Identifier: Apache-2.0
//
// Where assertions end that Verilator has built with -DVL_USER_STOP and -DVL_USER_FATAL: said on stderr and remembered.
// For the one file of a simulator that is behind board_pins.h.
#ifndef BOARD_FAILED_H
#define BOARD_FAILED_H

#include <cerrno>
#include <cstdio>

static bool has_failed;

void vl_stop(const char *file, int line, const char *)
{
    std::fprintf(stderr, "%s: an assertion failed at %s:%d\n", program_invocation_short_name, file, line);
    has_failed = true;
}
void vl_fatal(const char *file, int line, const char *, const char *text)
{
    std::fprintf(stderr, "%s: %s:%d: %s\n", program_invocation_short_name, file, line, text);
    has_failed = true;
}

#endif
