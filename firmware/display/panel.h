/* SPDX-License-Identifier: Apache-2.0
 *
 * What the display shows after a panic: PANIC, its code and its place, on black.
 *
 * The paging node writes the panel into segment 1, whose content is lost then. It is shown only when every byte of it
 * is written. If the node fails, the display is black. Either way nothing that was shown before stays.
 */
#ifndef FIRMWARE_PANEL_H
#define FIRMWARE_PANEL_H

#include <stdint.h>

/* In this mode (DISPLAY_MODE group). Nothing of the firmware runs after it. */
void panel_show(uint32_t mode, uint32_t code, uint32_t place);

#endif
