/* SPDX-License-Identifier: Apache-2.0
 *
 * picture DEVICE FILE: a program of one's own. The GPU fills an allocation with one colour; it is read back and written
 * as a PNG file. DEVICE is model, simulator, tty:/dev/NAME or tcp:HOST:PORT. docs/library.md says how it is built.
 */
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <tessera/tessera_device.h>
#include <tessera/tessera_stream.h>

enum { WIDTH = 64, HEIGHT = 48, BYTES = WIDTH * HEIGHT * 4 };

static int draw(struct tessera *gpu, struct tessera_stream *stream, uint8_t *pixels)
{
    struct tessera_allocation_options wish = {.bytes = BYTES, .flags = TESSERA_ALLOCATION_CPU_VISIBLE};
    struct tessera_place place = {0};
    uint32_t context = 0;
    tessera_ticket ticket = 0;
    int status = tessera_allocation_create(gpu, &wish, &place.allocation);
    if (status == TESSERA_OK) status = tessera_context_create(gpu, 0, 0, &context);
    if (status == TESSERA_OK) status = tessera_stream_fill(stream, &place, BYTES, 0xff3366ccu);
    if (status == TESSERA_OK) status = tessera_submit(gpu, context, stream, 0, &ticket);
    if (status == TESSERA_OK) status = tessera_wait(gpu, ticket, NULL);
    return status == TESSERA_OK ? tessera_read(gpu, place.allocation, 0, pixels, BYTES) : status;
}

int main(int argc, char **argv)
{
    static uint8_t pixels[BYTES];
    char message[256] = "usage: picture DEVICE FILE";
    struct tessera *gpu = NULL;
    if (argc != 3 || tessera_open_device(&gpu, argv[1], NULL, NULL, message) != TESSERA_OK) {
        fprintf(stderr, "picture: %s\n", message);
        return 2;
    }
    struct tessera_stream *stream = tessera_stream_create();
    int status = stream != NULL ? draw(gpu, stream, pixels) : TESSERA_NO_MEMORY;
    if (status != TESSERA_OK) fprintf(stderr, "picture: %s: %s\n", tessera_status_name(status), tessera_message(gpu));
    tessera_stream_destroy(stream);
    tessera_close(gpu);
    png_image image = {.version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_BGRA};
    bool is_written = status == TESSERA_OK && png_image_write_to_file(&image, argv[2], 0, pixels, 0, NULL) != 0;
    if (status == TESSERA_OK && !is_written) fprintf(stderr, "picture: %s: %s\n", argv[2], image.message);
    return is_written ? 0 : 1;
}
