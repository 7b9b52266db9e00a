/* SPDX-License-Identifier: Apache-2.0
 *
 * The checksum at the end of a zlib stream.
 */
#ifndef TESSERA_WEB_ADLER_H
#define TESSERA_WEB_ADLER_H

#include <stddef.h>
#include <stdint.h>

uint32_t adler32_of(const uint8_t *data, size_t bytes);

#endif
