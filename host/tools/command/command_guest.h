/* SPDX-License-Identifier: Apache-2.0
 *
 * What a running tessera-gpu says of its virtual machine.
 */
#ifndef TESSERA_COMMAND_GUEST_H
#define TESSERA_COMMAND_GUEST_H

#include <stdio.h>

/* Copy it to `file`; `path` is that of its --socket, `suffix` ".info" or ".top". The program's exit status, after a
 * line on the error output if not 0. */
int command_guest(const char *path, const char *suffix, FILE *file);

#endif
