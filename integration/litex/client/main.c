/* SPDX-License-Identifier: Apache-2.0
 *
 * The client of a LiteX system with Tessera: the picture on the chip's display if it has one, else on the SoC's video
 * framebuffer. Its last line is "client: done" or "client: failed".
 */
#include <stdbool.h>
#include <stdio.h>

#include <generated/soc.h>

#include "heap.h"
#include "picture.h"
#include "soc.h"

#ifndef CLIENT_SEGMENT2_PAGES
#define CLIENT_SEGMENT2_PAGES 0 /* all */
#endif

static unsigned char heap[512 * 1024] SOC_NOT_CLEARED;
static uint8_t pixels[PICTURE_BYTES] SOC_NOT_CLEARED;

static bool run(struct transport *transport)
{
    struct picture picture = {.pixels = pixels};
    const struct tessera_options options = {.segment2_pages = CLIENT_SEGMENT2_PAGES};
    struct tessera *gpu = NULL;
    char message[256], line[300];
    int status = tessera_open_image(&gpu, transport, &options, client_firmware,
                                    (size_t)(client_firmware_end - client_firmware), message);
    if (status != TESSERA_OK) {
        soc_say(message);
        return false;
    }
    uint32_t old = 0;
    bool is_shown = false;
    soc_say("the GPU's firmware runs");
    status = picture_agree(gpu, &old, soc_say);
    if (status == TESSERA_OK) status = picture_draw(gpu, &picture, soc_say);
    if (status == TESSERA_OK) status = picture_show(gpu, &picture, &is_shown, soc_say);
    if (status == TESSERA_OK && !is_shown) soc_show(TESSERA_SEGMENT2_BASE + picture.segment2_offset);
    if (status != TESSERA_OK) {
        snprintf(line, sizeof line, "%s: %s", tessera_status_name(status), tessera_message(gpu));
        soc_say(line);
    }
    return status == TESSERA_OK && old == 0;
}

int main(void)
{
    static struct transport transport;
    char line[64];
    soc_say("client: begins");
    soc_hide();
    heap_give(heap, sizeof heap);
    soc_transport(&transport);
    bool is_good = run(&transport);
    snprintf(line, sizeof line, "heap: %u KB of %u", (unsigned)(heap_most() >> 10), (unsigned)(sizeof heap >> 10));
    soc_say(line);
    soc_say(is_good ? "client: done" : "client: failed");
    return 0;
}
