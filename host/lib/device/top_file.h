/* SPDX-License-Identifier: Apache-2.0
 *
 * Snapshots of the clients of an open device, for `tessera top`: lines of numbers.
 *
 *   tessera-top 1 CYCLES SEGMENTS
 *   CLIENT RENDER PAGING WRITTEN WAITED BUFFERS WAITING IN OUT LOST TAKEN ALLOCATIONS CONTEXTS, then of each segment
 *   PAGES MINIMUM MAXIMUM SIZE: as of struct tessera_client. A line for client 0, and for each that has anything.
 */
#ifndef TESSERA_TOP_FILE_H
#define TESSERA_TOP_FILE_H

#include <stdio.h>

#include "tessera.h"

#define TOP_FILE_HEAD "tessera-top 1"
enum { TOP_FILE_NUMBERS = 13 }; /* of a line, before the segments */

/* Whichever client messages are sent for. A status of the device, UNSUPPORTED for one without figures, or of the
 * library; then only the first line may be there. */
int top_print(FILE *file, struct tessera *tessera);

/* From now on a program with TESSERA_TOP=FILE in its environment writes a snapshot there twice a second while it waits
 * for its devices; the file is replaced as a whole. */
void top_file_begin(void);

#endif
