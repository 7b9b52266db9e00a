/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fuzzers of the virtio GPU share: an input that is taken byte by byte, random numbers to make one from,
 * files that are run again, and a demand that stops everything when it is not met.
 */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#define DEMAND(condition) ((condition) ? (void)0 : broken(#condition, __FILE__, __LINE__))
static void broken(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    abort();
}

struct input {
    const uint8_t *data;
    size_t left;
};
/* A number of so many bytes, the lowest first; what the input lacks is zero. */
static uint32_t take(struct input *input, uint32_t bytes)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < bytes && input->left > 0; i++, input->left--) value |= (uint32_t)*input->data++ << 8 * i;
    return value;
}

#ifndef LIBFUZZER
static uint64_t state; /* of the random numbers, not 0 */
static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20) % limit;
}

/* Runs the input in a file once; 1 if it cannot be read. */
static int replay(const char *path)
{
    static uint8_t input[1 << 16];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 1;
    const size_t bytes = fread(input, 1, sizeof input, file);
    fclose(file);
    (void)LLVMFuzzerTestOneInput(input, bytes);
    return 0;
}
#endif

#endif
