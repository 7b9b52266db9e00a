/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host's code uses of zlib, where there is none: for WebAssembly the distribution has no zlib. deflate.c
 * writes streams of about zlib's size; inflate.c reads every zlib stream.
 */
#ifndef TESSERA_WEB_ZLIB_H
#define TESSERA_WEB_ZLIB_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned int uInt;
typedef unsigned long uLong;
typedef unsigned long uLongf;
typedef unsigned char Bytef;

enum { Z_OK = 0, Z_DATA_ERROR = -3, Z_BUF_ERROR = -5 };

/* CRC-32 of more bytes after those of `crc`; 0 begins. */
uLong crc32(uLong crc, const Bytef *data, uInt bytes);
uLong crc32_z(uLong crc, const Bytef *data, size_t bytes);
/* Most bytes that so many become. */
uLong compressBound(uLong bytes);
/* One zlib stream; `level` is not looked at, and only one call is made at a time. Z_BUF_ERROR: no room. */
int compress2(Bytef *to, uLongf *to_bytes, const Bytef *from, uLong from_bytes, int level);
/* All of one zlib stream. Z_DATA_ERROR: it is none, or its sum is wrong; Z_BUF_ERROR: no room, or it is cut off. */
int uncompress(Bytef *to, uLongf *to_bytes, const Bytef *from, uLong from_bytes);

#endif
