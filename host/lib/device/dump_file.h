/* SPDX-License-Identifier: Apache-2.0
 *
 * Dumps of faults as files, FOLDER/000001.tdump and so on.
 */
#ifndef TESSERA_DUMP_FILE_H
#define TESSERA_DUMP_FILE_H

#include <stdbool.h>

/* From now on every device that this program opens writes its dumps into this folder, which is there. NULL: into the
 * one that the environment's TESSERA_FAULTS names, if it names one. A folder that was named before stays. With
 * TESSERA_FAULTS_CONTENTS in the environment they have the contents of the allocations, too. A file that cannot be
 * written is said once, and the program goes on. */
void dump_file_begin(const char *folder);

/* --faults of every command that has it, and its help. False after one line on stderr that begins with `program`: there
 * is no such folder that can be written. */
#define DUMP_FILE_HELP "write a dump into this folder when the GPU stops on something (docs/host.md)"
bool dump_file_option(const char *program, const char *folder);

#endif
