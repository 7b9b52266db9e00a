/* SPDX-License-Identifier: Apache-2.0
 *
 * A dump is run again (`tessera dump FILE --replay`): as submitted, on a machine with firmware; and as executed, what
 * command RAM held, on an engine alone. Both on the golden model and on the simulated chip. The words may be anybody's,
 * so every run has an end: a machine checks them as it always does, an engine has its grants and a limit of its work.
 */
#ifndef TESSERA_DUMP_AGAIN_H
#define TESSERA_DUMP_AGAIN_H

#include <stdbool.h>

#include "tools/command/dump_places.h"
#include "lib/device/platform.h"

enum { AGAIN_TEXT = 256 };

struct again {
    bool has_run;             /* else `text` says why not */
    enum tdump_reason reason; /* FAULT, TIMEOUT, CONTEXT_LOST, PANIC, NO_ANSWER; ASKED: nothing happened */
    uint32_t value;           /* FAULT or PANIC group */
    char text[AGAIN_TEXT];
};

/* As submitted: all DMA buffers of the dump, in their order, on `platform`'s device. */
void again_machine(const struct tdump *dump, const struct platform_options *options, struct again *again);
/* As executed: the portions of the guilty DMA buffer, or, without them, the whole as it had to be. */
void again_engine(const struct tdump *dump, struct again *again);
/* The same on the simulated chip, whose core is stopped for it. */
void again_chip(const struct tdump *dump, const struct platform_options *options, struct again *again);

/* What an engine is to run: a portion of the dump, or all of the DMA buffer. */
struct again_part {
    const uint32_t *words;
    uint32_t count, start; /* words; byte of the DMA buffer */
    bool has_places;       /* it is known where all that it names was; else it cannot be run */
};
/* Part `index`, in `patched` if it is the DMA buffer, which is as long; false: there are no more. */
bool again_part(const struct tdump *dump, const struct places *places, uint32_t index, uint32_t *patched,
                struct again_part *part);
extern const char again_no_places[], again_to_its_end[];
/* Can an engine run anything of it? Else *again says why not. */
bool again_is_possible(const struct tdump *dump, struct again *again);

#endif
