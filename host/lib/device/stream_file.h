/* SPDX-License-Identifier: Apache-2.0
 *
 * DMA buffers as files, NAME.dma, for `tessera dump`: eight letters, the hash of the table, then the counts of words,
 * list entries and patch locations, then these; all words of 32 bits, low byte first.
 */
#ifndef TESSERA_STREAM_FILE_H
#define TESSERA_STREAM_FILE_H

#define STREAM_FILE_LETTERS "TSRADMA1"
enum { STREAM_FILE_LETTERS_BYTES = 8, STREAM_FILE_COUNTS = 4 };

/* If the environment's TESSERA_DUMP names a folder: from now on every DMA buffer that this program submits is saved
 * there, 000001.dma and so on. */
void stream_file_begin(void);

#endif
