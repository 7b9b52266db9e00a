/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be said of a program before and while it runs, so that one that cannot be recorded is told so at once.
 */
#ifndef TESSERA_RECORD_PROGRAM_H
#define TESSERA_RECORD_PROGRAM_H

#include <sys/types.h>

/* Why nothing that the program at `path` itself does can be recorded; NULL: it may be, or is a script, or another that
 * may start what can. Looked at are the ELF file's interpreter and libraries, and whether it has SDL within. */
const char *program_refusal(const char *path);

/* Which graphics the process, or one that it has started, has loaded, as a sentence: "it has loaded neither ..." and so
 * on. NULL: SDL 1.2 or SDL 2, or the process cannot be looked at. */
const char *program_loaded(pid_t process);

#endif
