/* SPDX-License-Identifier: Apache-2.0
 *
 * LVGL for the LiteX SoC: what differs from its defaults. No operating system, no files, RGB565, a heap of its own, the
 * widgets demo with the fonts that it asks for on a small display. Layers and what is drawn onto them lie in that heap,
 * which is memory of the program, and so of the GPU (lvgl.py).
 */
#ifndef LV_CONF_H
#define LV_CONF_H

#define LV_COLOR_DEPTH 16
#define LV_USE_STDLIB_MALLOC LV_STDLIB_BUILTIN
#define LV_USE_STDLIB_STRING LV_STDLIB_BUILTIN
#define LV_USE_STDLIB_SPRINTF LV_STDLIB_BUILTIN
#define LV_MEM_SIZE (512 * 1024U)
#define LV_ATTRIBUTE_LARGE_RAM_ARRAY __attribute__((section(".noinit"), aligned(8)))
#define LV_USE_OS LV_OS_NONE
#define LV_DRAW_SW_DRAW_UNIT_CNT 1
#define LV_USE_LOG 0
#define LV_USE_ASSERT_NULL 1
#define LV_USE_ASSERT_MALLOC 1
#define LV_ASSERT_HANDLER __builtin_trap();
#define LV_FONT_MONTSERRAT_12 1
#define LV_FONT_MONTSERRAT_14 1
#define LV_FONT_MONTSERRAT_16 1
#define LV_FONT_MONTSERRAT_18 1
#define LV_USE_DEMO_WIDGETS 1
#define LV_USE_FLOAT 0
#define LV_OBJ_STYLE_CACHE 1

#endif
