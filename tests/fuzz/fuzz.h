/* SPDX-License-Identifier: Apache-2.0
 *
 * What a thing that is fuzzed gives to who drives it: replay.c (files and random inputs, any compiler) or
 * libfuzzer.c (libFuzzer). Targets: fuzz_worlds.c, fuzz_files.c.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Run one input; aborts when it breaks a promise. */
void fuzz_one(const uint8_t *bytes, size_t count);
/* What it is called when it aborts; must live until the next call. */
void fuzz_name(const char *name);
/* Invent an input of at most `room` bytes; returns its length. */
size_t fuzz_invent(uint8_t *bytes, size_t room, uint32_t seed);
/* Inputs are changed in units: so many bytes at the start, then records of so many (1: no structure). */
void fuzz_shape(size_t *header, size_t *record);

#endif
