/* SPDX-License-Identifier: Apache-2.0
 *
 * What a running tessera-gpu says of its virtual machine.
 */
#ifndef TESSERA_COMMAND_GUEST_H
#define TESSERA_COMMAND_GUEST_H

/* Print it; `path` is that of its --socket. The program's exit status, after a line on the error output if not 0. */
int command_guest(const char *path);

#endif
