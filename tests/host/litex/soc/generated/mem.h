/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GENERATED_MEM_H
#define GENERATED_MEM_H
#define TESSERA_REGS_BASE 0x80000000L
#endif
