/* SPDX-License-Identifier: Apache-2.0
 *
 * DxgkDdiBuildPagingBuffer of our driver: one paging operation into packets of the caller's paging buffer.
 */
#ifndef FIRMWARE_DRIVER_PAGING_H
#define FIRMWARE_DRIVER_PAGING_H

#include "ddi/ddi.h"
#include "driver/driver_state.h"

/* Writes as much of the operation as fits, never a byte more than dma_size; DDI_SUCCESS when it is complete,
 * DDI_INSUFFICIENT_DMA_BUFFER with the progress in multipass_offset when not. Never BUSY: everything is done
 * by queued packets. Anything else: DDI_NOT_SUPPORTED. O(1), tiles O(rows). */
enum ddi_status driver_build_paging_buffer(void *adapter, struct ddi_build_paging_buffer *arguments);

/* Pages between the start of the memory or aperture behind segment `id` and the segment's: what the engine counts
 * from, for MAP, UNMAP and GUARD. */
uint32_t driver_first_page(const struct driver *driver, uint32_t id);

#endif
