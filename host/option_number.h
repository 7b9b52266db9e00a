/* SPDX-License-Identifier: Apache-2.0
 *
 * What the values of a command line mean: whole numbers, and the paging policy.
 */
#ifndef TESSERA_OPTION_NUMBER_H
#define TESSERA_OPTION_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The value of --NAME, decimal, octal or hexadecimal, in [low, high]. Otherwise false, after one line on stderr that
 * begins with `program` and ends with `hint` ("" for none). */
bool option_number(const char *program, const char *name, const char *text, uint64_t low, uint64_t high,
                   const char *hint, uint64_t *value);
/* The same for a value that fits a word; 0 where it returns false. */
bool option_word(const char *program, const char *name, const char *text, uint32_t low, uint32_t high,
                 const char *hint, uint32_t *value);

/* The value of --policy into HOST.FORCE.POLICY of *force; false after such a line when there is none of that name. */
bool option_policy(const char *program, const char *text, uint32_t *force);

#endif
