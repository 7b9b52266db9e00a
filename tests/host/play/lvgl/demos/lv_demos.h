/* SPDX-License-Identifier: Apache-2.0
 *
 * Where LVGL keeps its demos. The stand-in's (tests/host/litex/lvgl_stand_in.h) is a few tasks.
 */
#ifndef STAND_IN_LV_DEMOS_H
#define STAND_IN_LV_DEMOS_H

void lv_demo_widgets(void);

#endif
