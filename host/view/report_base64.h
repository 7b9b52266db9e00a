/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes as text: long lists go into the page as base64, which a browser reads much faster than JSON.
 */
#ifndef TESSERA_REPORT_BASE64_H
#define TESSERA_REPORT_BASE64_H

#include <stdint.h>
#include <stdio.h>

struct base64 {
    FILE *file;
    uint32_t bits, count; /* bytes not printed yet, and how many came in all */
};

void base64_byte(struct base64 *base64, uint32_t byte);
/* Four bytes, the lowest first. */
void base64_word(struct base64 *base64, uint32_t word);
void base64_end(struct base64 *base64);

#endif
