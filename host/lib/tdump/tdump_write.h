/* SPDX-License-Identifier: Apache-2.0
 *
 * What is above the writer of dumps tells it.
 */
#ifndef TESSERA_TDUMP_WRITE_H
#define TESSERA_TDUMP_WRITE_H

/* The version of the library, a short line that dumps carry. */
extern const char *tdump_program;

#endif
