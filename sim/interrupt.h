/* SPDX-License-Identifier: Apache-2.0
 *
 * Ctrl-C while the simulator works.
 */
#ifndef TESSERA_INTERRUPT_H
#define TESSERA_INTERRUPT_H

#include <stdbool.h>

/* From now on the first Ctrl-C is remembered, and the next one ends the program at once; not where the program handles
 * it itself. */
void interrupt_watch(void);
bool interrupt_asked(void);

#endif
