/* SPDX-License-Identifier: Apache-2.0
 *
 * Checksums, and zlib streams whose blocks are stored as they are. See zlib.h.
 */
#include <string.h>

#include "adler.h"
#include "zlib.h"

enum { BLOCK = 65535, HEADER = 5, ENDS = 6 };

uLong crc32_z(uLong crc, const Bytef *data, size_t bytes)
{
    static uint32_t table[256];
    if (table[1] == 0) {
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t value = i;
            for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ ((value & 1u) != 0 ? 0xedb88320u : 0u);
            table[i] = value;
        }
    }
    uint32_t sum = ~(uint32_t)crc;
    for (size_t i = 0; i < bytes; i++) sum = table[(sum ^ data[i]) & 255u] ^ sum >> 8;
    return (uLong)(uint32_t)~sum;
}

uLong crc32(uLong crc, const Bytef *data, uInt bytes) { return data != NULL ? crc32_z(crc, data, bytes) : 0; }

uint32_t adler32_of(const uint8_t *data, size_t bytes)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < bytes; i++) {
        a = (a + data[i]) % 65521u;
        b = (b + a) % 65521u;
    }
    return b << 16 | a;
}

uLong compressBound(uLong bytes) { return bytes + (bytes / BLOCK + 1u) * HEADER + ENDS; }

int compress2(Bytef *to, uLongf *to_bytes, const Bytef *from, uLong from_bytes, int level)
{
    const uint32_t sum = adler32_of(from, from_bytes);
    (void)level;
    if (*to_bytes < compressBound(from_bytes)) return Z_BUF_ERROR;
    Bytef *at = to;
    *at++ = 0x78;
    *at++ = 0x01;
    do {
        const uLong length = from_bytes < BLOCK ? from_bytes : BLOCK;
        const Bytef header[HEADER] = {from_bytes == length, (Bytef)length, (Bytef)(length >> 8), (Bytef)~length,
                                      (Bytef)(~length >> 8)};
        memcpy(at, header, sizeof header);
        memcpy(at + HEADER, from, length);
        at += HEADER + length;
        from += length;
        from_bytes -= length;
    } while (from_bytes != 0);
    for (int lsb = 24; lsb >= 0; lsb -= 8) *at++ = (Bytef)(sum >> lsb);
    *to_bytes = (uLongf)(at - to);
    return Z_OK;
}
