/* SPDX-License-Identifier: Apache-2.0
 *
 * own_policy.h in a browser: the worker has the visitor's function (worker_policy.js).
 */
#include "own_policy.h"

double worker_worth(uint32_t number, uint32_t pages, uint32_t age, uint32_t came, uint32_t uses, uint32_t next,
                    uint32_t is_dirty, uint32_t tag, uint32_t entry)
    __attribute__((import_module("policy"), import_name("worth")));

double own_worth(const struct own_resident *resident)
{
    return worker_worth(resident->number, resident->pages, resident->age, resident->came, resident->uses,
                        resident->next, resident->is_dirty, resident->tag, resident->entry);
}
