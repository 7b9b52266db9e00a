/* SPDX-License-Identifier: Apache-2.0
 *
 * What LiteX writes for a SoC, as far as the client asks for it (also csr.h and mem.h; ../system.h and irq.h are those
 * of the processor): so that the client is compiled where LiteX is not.
 */
#ifndef GENERATED_SOC_H
#define GENERATED_SOC_H
#define TESSERA_SYSTEM_BASE 0x43780000
#define TESSERA_SYSTEM_BYTES 0x800000
#define TESSERA_SEGMENT2_BASE 0x43f80000
#define TESSERA_INTERRUPT 2
#endif
