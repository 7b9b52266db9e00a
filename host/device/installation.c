/* SPDX-License-Identifier: Apache-2.0
 *
 * See installation.h, and tessera_version() of tessera.h. TESSERA_FIRMWARE_PATH and TESSERA_VERSION come from the make
 * rules, the latter from the file VERSION.
 */
#include "device/installation.h"

#include "tessera.h"

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

const char *installation_firmware(void) { return TEXT(TESSERA_FIRMWARE_PATH); }

const char *tessera_version(void) { return TEXT(TESSERA_VERSION); }
