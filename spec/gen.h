/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the generator share: gen.c (the table, what it refuses, and what the project includes), gen_maps.c
 * (for other tools: the register map, Python's names) and gen_c.c (the headers that are installed).
 */
#ifndef TESSERA_GEN_H
#define TESSERA_GEN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct row {
    const char *kind, *a, *b, *c; /* names, outermost first */
    uint32_t n[4];                /* numbers of the row, meaning by kind */
    const char *x, *y, *doc;      /* access or privilege words, prose */
};
extern const struct row rows[];
extern const int row_count;

static inline bool is(const struct row *r, const char *kind) { return strcmp(r->kind, kind) == 0; }
static inline bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* Statuses, statistics, limits, addresses of the registers that the host reaches (of a block's first copy) and every
 * group of enumerators, as a module of Python. */
void print_python(uint32_t hash);

/* The registers that the host reaches, for tools that read register maps: SystemRDL 2.0 and CMSIS-SVD 1.3. A block is a
 * regfile, or a peripheral (one for each of its copies); what only the core reaches is left out. */
void print_systemrdl(uint32_t hash);
void print_svd(uint32_t hash);

/* Plain enumerations of what libtessera's calls take; and spec/gpu_spec.h, from standard input, with the table written
 * out in it (0: done). */
void print_values(void);
int print_header(void);

#endif
