/* SPDX-License-Identifier: Apache-2.0
 *
 * unwind.h in a browser: the worker calls the function, and leaves it by an exception of JavaScript (worker_wasm.js).
 */
#include "unwind.h"

bool worker_call(void (*function)(void *context), void *context)
    __attribute__((import_module("unwind"), import_name("call")));
_Noreturn void worker_leave(void) __attribute__((import_module("unwind"), import_name("leave")));

bool unwind_call(void (*function)(void *context), void *context) { return worker_call(function, context); }
_Noreturn void unwind_leave(void) { worker_leave(); }
