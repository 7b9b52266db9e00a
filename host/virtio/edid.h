/* SPDX-License-Identifier: Apache-2.0
 *
 * What a display says of itself (EDID 1.4): one block with one detailed timing, whose blanks are as short as CVT's
 * reduced ones.
 */
#ifndef TESSERA_VIRTIO_EDID_H
#define TESSERA_VIRTIO_EDID_H

#include <stdint.h>

enum { EDID_BYTES = 128, EDID_SIDE_MOST = 4095 };

/* Of a display with so many units, at most EDID_SIDE_MOST each way, and 60 pictures a second. */
void edid_make(uint8_t edid[EDID_BYTES], uint32_t width, uint32_t height);

#endif
