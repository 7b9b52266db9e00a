/* SPDX-License-Identifier: Apache-2.0
 *
 * picture_model SEGMENT1 SEGMENT2: the CRC of the LiteX client's picture as the golden model draws it with so much
 * local memory, for `make litex-sim` to compare with. What else the client says goes to stderr.
 */
#include <stdio.h>
#include <stdlib.h>

#include "draw.h"

static void say(const char *line) { fprintf(stderr, "%s\n", line); }

int main(int argc, char **argv)
{
    static uint8_t pixels[PICTURE_BYTES];
    struct picture picture = {.pixels = pixels};
    if (argc != 3) {
        fprintf(stderr, "usage: picture_model SEGMENT1 SEGMENT2\n");
        return 2;
    }
    const struct draw_machine machine = {(uint32_t)strtoul(argv[1], NULL, 0), (uint32_t)strtoul(argv[2], NULL, 0), 0};
    int status = draw_picture(&machine, &picture, say);
    if (status == TESSERA_OK) printf("%08x\n", picture.crc);
    return status == TESSERA_OK ? 0 : 1;
}
