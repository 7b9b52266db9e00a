/* SPDX-License-Identifier: Apache-2.0
 *
 * See unwind.h: setjmp where there is one.
 */
#include "unwind.h"

#include <setjmp.h>
#include <stddef.h>

struct place {
    jmp_buf registers;
    struct place *outer;
};

static _Thread_local struct place *innermost;

bool unwind_call(void (*function)(void *context), void *context)
{
    struct place place = {.outer = innermost};
    if (setjmp(place.registers) != 0) return false;
    innermost = &place;
    function(context);
    innermost = place.outer;
    return true;
}

_Noreturn void unwind_leave(void)
{
    struct place *place = innermost;
    innermost = place->outer;
    longjmp(place->registers, 1);
}
