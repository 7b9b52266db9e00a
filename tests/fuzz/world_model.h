/* SPDX-License-Identifier: Apache-2.0
 *
 * Worlds on the golden model: the whole firmware under the sanitizers, and memory that changes between any two words
 * that the firmware reads. Link with --wrap=hal_system_read and --wrap=hal_register_read.
 */
#ifndef TESTS_FUZZ_WORLD_MODEL_H
#define TESTS_FUZZ_WORLD_MODEL_H

#include <stddef.h>
#include <stdint.h>

/* Run the world that these bytes are from beginning to end, with the device made for it; besides what world_run judges
 * the manager's validators hold, and nothing is left when everything is destroyed. */
void world_model_run(const uint8_t *bytes, size_t count);

#endif
