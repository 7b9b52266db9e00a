/* SPDX-License-Identifier: Apache-2.0
 *
 * Our display driver: the DDI of ddi.h in packets, rings and registers of this GPU.
 */
#ifndef FIRMWARE_DRIVER_H
#define FIRMWARE_DRIVER_H

#include "base.h"
#include "ddi.h"
#include "engine.h"

struct driver {
    struct engine engine[NODE_LIMIT];
    struct ddi_segment_descriptor segment[SEGMENT_LIMIT];
    uint32_t system_pages;
    uint32_t dummy_page;
    enum ddi_query_type query_form; /* of the declared driver version */
};

/* Where things lie in command RAM. */
struct driver_layout {
    uint32_t ring[NODE_LIMIT];
    uint32_t first_fence[NODE_LIMIT]; /* the id before the first one used */
};

/* Reads sizes and limits from the registers, enables both nodes. */
void driver_init(struct driver *driver, const struct driver_layout *layout);

/* The driver's functions, bound to `driver`. */
struct ddi driver_ddi(struct driver *driver);

#endif
