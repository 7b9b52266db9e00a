/* SPDX-License-Identifier: Apache-2.0
 *
 * A display, a demo of one page and a renderer of its own for the stand-in of LVGL (tests/host/play/lvgl): what
 * integration/litex/lvgl needs of LVGL, so that it is compiled, linked and run where there is none.
 */
#ifndef TESTS_LITEX_LVGL_STAND_IN_H
#define TESTS_LITEX_LVGL_STAND_IN_H

#include <stdint.h>

enum stand_in_fault {
    STAND_IN_GOOD,
    STAND_IN_OPAQUE, /* the own renderer draws a pixel of an opaque fill in the next green */
    STAND_IN_BLENDED /* ... of a blended image, three greens away */
};

/* Of lv_init and everything after it. */
void stand_in_begin(enum stand_in_fault fault);
/* Tasks that the own renderer has drawn since. */
extern uint32_t stand_in_drawn;
/* The demo's images, copied to here before the demo begins: room for STAND_IN_IMAGE_BYTES, or NULL: they stay. */
enum { STAND_IN_IMAGE_BYTES = 64 * 1024 };
extern void *stand_in_images;

#endif
