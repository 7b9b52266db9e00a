/* SPDX-License-Identifier: Apache-2.0
 *
 * A way out of the middle of a call: the golden model's core stops inside of the firmware, whose C does not return from
 * hal_panic(). unwind.c is that for programs (setjmp); in a browser web/unwind_web.c and web/worker_wasm.js are, by an
 * exception.
 */
#ifndef TESSERA_UNWIND_H
#define TESSERA_UNWIND_H

#include <stdbool.h>

/* Call the function. True: it has returned; false: it was left by unwind_leave, with what it had changed changed. Calls
 * nest on one thread; memory that was allocated inside stays allocated. */
bool unwind_call(void (*function)(void *context), void *context);
/* Go back to the innermost unwind_call of this thread. There must be one. */
_Noreturn void unwind_leave(void);

#endif
