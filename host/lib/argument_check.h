/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call of the library is given: TESSERA_OK, or TESSERA_MISUSE after a sentence that names the field.
 */
#ifndef TESSERA_ARGUMENT_CHECK_H
#define TESSERA_ARGUMENT_CHECK_H

#include "lib/tessera_internal.h"

int argument_check_options(struct tessera *tessera, const struct tessera_options *options);
int argument_check_allocation(struct tessera *tessera, const struct tessera_allocation_options *options);
int argument_check_lock(struct tessera *tessera, uint32_t flags);
int argument_check_priority(struct tessera *tessera, uint32_t priority);
int argument_check_offer(struct tessera *tessera, uint32_t priority);
int argument_check_client(struct tessera *tessera, const char *call, uint32_t client);
int argument_check_rights(struct tessera *tessera, uint32_t rights);
int argument_check_context(struct tessera *tessera, const char *call, uint32_t node, int32_t priority);
int argument_check_submit(struct tessera *tessera, uint32_t flags);

#endif
