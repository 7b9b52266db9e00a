/* SPDX-License-Identifier: Apache-2.0
 *
 * Where LVGL 9.2 keeps it.
 */
#include "../lvgl_private.h"
