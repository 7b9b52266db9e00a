/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes pictures as PNG files in a thread of its own, one at a time: compressing one takes longer than a command of
 * the guest may wait.
 */
#ifndef TESSERA_VIRTIO_PICTURE_WRITER_H
#define TESSERA_VIRTIO_PICTURE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

struct picture_writer;

/* NULL: no memory or no thread. `folder` stays the caller's. */
struct picture_writer *picture_writer_create(const char *folder);
/* After what was taken has been written. NULL is fine. */
void picture_writer_destroy(struct picture_writer *writer);
/* Is the last one written? */
bool picture_writer_is_idle(struct picture_writer *writer);
/* Copy the picture (blue, green, red, anything), and write it soon as frame-NUMBER.png and latest.png. It waits until
 * the one before is written. False: there is no memory. A file that cannot be written is said on the error output. */
bool picture_writer_take(struct picture_writer *writer, uint32_t number, const uint8_t *picture, uint32_t width,
                         uint32_t height);

#endif
