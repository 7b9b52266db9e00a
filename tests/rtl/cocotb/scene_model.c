/* SPDX-License-Identifier: Apache-2.0
 *
 * scene_model SEGMENT1 SEGMENT2 >PIXELS: the scene's bytes as the golden model draws them. With no words it prints
 * where the members of struct transport lie, for the Python that has to write the same (client.py).
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "device.h"
#include "scene.h"

static void print_layout(void)
{
    printf("register_read %zu\nregister_write %zu\nmemory_read %zu\nmemory_write %zu\n",
           offsetof(struct transport, register_read), offsetof(struct transport, register_write),
           offsetof(struct transport, memory_read), offsetof(struct transport, memory_write));
    printf("wait %zu\ncycles %zu\nclose %zu\ntake_pages %zu\ngive_pages %zu\ninside %zu\nmemory_bytes %zu\nerror %zu\n",
           offsetof(struct transport, wait), offsetof(struct transport, cycles), offsetof(struct transport, close),
           offsetof(struct transport, take_pages), offsetof(struct transport, give_pages),
           offsetof(struct transport, inside), offsetof(struct transport, memory_bytes),
           offsetof(struct transport, error));
    printf("bytes %zu\npixels %d\n", sizeof(struct transport), SCENE_BYTES);
}

static int draw(const struct device_options *options)
{
    static uint8_t pixels[SCENE_BYTES];
    struct transport transport;
    struct tessera *gpu = NULL;
    uint32_t evictions = 0;
    char message[256] = "";
    struct device *device = device_create(options, message);
    if (device == NULL) {
        fprintf(stderr, "%s\n", message);
        return TESSERA_LINK;
    }
    device_transport(device, &transport);
    int status = scene_open(&gpu, &transport, NULL, 1, message);
    if (status == TESSERA_OK) status = scene_draw(gpu, pixels, &evictions);
    fprintf(stderr, "%s, %u evictions %s\n", tessera_status_name(status), (unsigned)evictions, message);
    if (gpu != NULL) tessera_close(gpu);
    else device_destroy(device);
    if (status == TESSERA_OK && fwrite(pixels, 1, sizeof pixels, stdout) != sizeof pixels) status = TESSERA_LINK;
    return evictions == 0 ? TESSERA_MISUSE : status;
}

int main(int argc, char **argv)
{
    if (argc == 1) {
        print_layout();
        return 0;
    }
    if (argc != 3) {
        fprintf(stderr, "usage: scene_model [SEGMENT1 SEGMENT2]\n");
        return 2;
    }
    const struct device_options options = {.memory_bytes = 8 << 20,
                                           .segment1_bytes = (uint32_t)strtoul(argv[1], NULL, 0),
                                           .segment2_bytes = (uint32_t)strtoul(argv[2], NULL, 0),
                                           .seed = 1};
    return draw(&options) == TESSERA_OK ? 0 : 1;
}
