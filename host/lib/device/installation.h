/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program or library knows about the place it was built or installed for. installation.c is compiled once for
 * the build tree and once for each PREFIX (host/install.mk).
 */
#ifndef TESSERA_INSTALLATION_H
#define TESSERA_INSTALLATION_H

/* The firmware image that belongs to this program: the one beside it (firmware/gpu.elf, or ../share/tessera/gpu.elf of
 * a moved installation), wherever it is called from; else build/firmware/gpu.elf, or PREFIX/share/tessera/gpu.elf. */
const char *installation_firmware(void);

#endif
