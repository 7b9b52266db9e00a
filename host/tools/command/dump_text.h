/* SPDX-License-Identifier: Apache-2.0
 *
 * A dump of a fault in words.
 */
#ifndef TESSERA_DUMP_TEXT_H
#define TESSERA_DUMP_TEXT_H

#include "lib/tdump/tdump.h"

/* To stdout; `path` is its name. */
void dump_print(const char *path, const struct tdump *dump);
/* "FAULT WRITE_GUARD", of what a dump says or of what a replay found. */
const char *dump_reason(uint32_t reason, uint32_t value, char *text, size_t size);

#endif
