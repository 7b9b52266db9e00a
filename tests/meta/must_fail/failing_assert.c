/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware's validation with an assertion that does not hold, reached while the firmware starts. An image
 * linked with it must stop with PANIC_ASSERT, and the host program must notice.
 */
#define validation_init validation_init_right
#include "../../../firmware/validate/validate.c"
#undef validation_init

void validation_init(struct validation *scratch, struct tables *tables, uint16_t *list);

void validation_init(struct validation *scratch, struct tables *tables, uint16_t *list)
{
    validation_init_right(scratch, tables, list);
    ASSERT(scratch->rules.of[PKT_NOP].words != PKT_NOP_WORDS);
}
