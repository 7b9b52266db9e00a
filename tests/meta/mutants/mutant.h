/* SPDX-License-Identifier: Apache-2.0
 *
 * Included before every source of a build that holds generated faults (tests/meta/mutants). MUTANT(n) is true where the
 * environment's MUTANT is n. With MUTANT_REACHED=FILE each place that is come to is noted in byte n of the file.
 * mutant.c chooses before main(). Includes nothing: the sources choose what the system's headers say.
 */
#ifndef TESSERA_MUTANT_H
#define TESSERA_MUTANT_H

#if defined __riscv || defined TESSERA_TARGET
#define MUTANT(number) 0
#else
#ifdef __cplusplus
extern "C" {
#endif
#define MUTANTS_MAX 65536
extern int mutant_chosen;
extern unsigned char *mutant_reached;
#ifdef __cplusplus
}
#endif
static inline __attribute__((unused)) int mutant_is(int number)
{
    mutant_reached[number] = 1;
    return mutant_chosen == number;
}
#define MUTANT(number) mutant_is(number)
#endif
#endif
