/* SPDX-License-Identifier: Apache-2.0
 *
 * sprite DEVICE FILE: surfaces, blending and scaling. A sprite with an alpha is drawn over a background, once as it is,
 * once half transparent and once four times as large; the screen is written as a PNG file. DEVICE is model, simulator,
 * tty:/dev/NAME or tcp:HOST:PORT. docs/library.md has the calls.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera/tessera_device.h>
#include <tessera/tessera_stream.h>

enum { WIDTH = 128, HEIGHT = 96, SIDE = 16, SCREEN_SLOT = 0, SPRITE_SLOT = 1, BLUE = 0x1f, SCALED = 4 * SIDE };
enum { SCREEN_BYTES = WIDTH * HEIGHT * 2 };

/* Ends the program where a call has failed. The text says what is wrong and what to do. */
static void must(int status, const char *message)
{
    if (status == TESSERA_OK) return;
    fprintf(stderr, "sprite: %s: %s\n", tessera_status_name(status), message);
    exit(1);
}

/* An allocation that holds the surface's pixels; the surface is what a stream binds. */
static struct tessera_surface make_surface(struct tessera *gpu, enum tessera_format format, uint32_t width,
                                           uint32_t height, uint32_t unit_bytes)
{
    struct tessera_surface surface = {.format = format, .pitch = width * unit_bytes, .width = width, .height = height};
    struct tessera_allocation_options wish = {.bytes = surface.pitch * height, .flags = TESSERA_ALLOCATION_CPU_VISIBLE};
    must(tessera_allocation_create(gpu, &wish, &surface.allocation), tessera_message(gpu));
    return surface;
}

/* A red square that fades from left to right: bytes blue, green, red, alpha. */
static void paint_sprite(struct tessera *gpu, const struct tessera_surface *sprite)
{
    uint8_t pixels[SIDE * SIDE][4] = {{0}};
    for (int i = 0; i < SIDE * SIDE; i++) {
        pixels[i][2] = 255;
        pixels[i][3] = (uint8_t)(255 - 16 * (i % SIDE));
    }
    must(tessera_write(gpu, sprite->allocation, 0, pixels, sizeof pixels), tessera_message(gpu));
}

static void draw(struct tessera_stream *stream, const struct tessera_surface *screen,
                 const struct tessera_surface *sprite)
{
    /* Value 255: the sprite's own alpha; 128: half of it. */
    struct tessera_blit blit = {.target = SCREEN_SLOT, .source = SPRITE_SLOT, .mode = TESSERA_BLEND, .value = 255};
    must(tessera_stream_bind(stream, SCREEN_SLOT, screen), tessera_stream_message(stream));
    must(tessera_stream_bind(stream, SPRITE_SLOT, sprite), tessera_stream_message(stream));
    must(tessera_stream_fill_rect(stream, SCREEN_SLOT, 0, 0, WIDTH, HEIGHT, BLUE), tessera_stream_message(stream));
    blit.width = blit.height = SIDE;
    blit.target_x = blit.target_y = 8;
    must(tessera_stream_blit(stream, &blit), tessera_stream_message(stream));
    blit.target_y = 40;
    blit.value = 128;
    must(tessera_stream_blit(stream, &blit), tessera_stream_message(stream));
    /* A map from the target's rectangle to all of the sprite. */
    struct tessera_affine map = {.blit = blit, .source_width = SIDE, .source_height = SIDE};
    map.blit.target_x = 48;
    map.blit.target_y = 16;
    map.blit.width = map.blit.height = SCALED;
    map.blit.value = 255;
    must(tessera_affine_fit(&map, 0, false), "the map does not fit");
    must(tessera_stream_blit_affine(stream, &map), tessera_stream_message(stream));
}

int main(int argc, char **argv)
{
    static uint16_t pixels[WIDTH * HEIGHT];
    static uint8_t rgb[WIDTH * HEIGHT][3];
    char message[256] = "usage: sprite DEVICE FILE";
    struct tessera *gpu = NULL;
    uint32_t context = 0;
    tessera_ticket ticket = 0;
    if (argc != 3 || tessera_open_device(&gpu, argv[1], NULL, NULL, message) != TESSERA_OK) {
        fprintf(stderr, "sprite: %s\n", message);
        return 2;
    }
    struct tessera_surface screen = make_surface(gpu, TESSERA_RGB565, WIDTH, HEIGHT, 2);
    struct tessera_surface sprite = make_surface(gpu, TESSERA_ARGB8888, SIDE, SIDE, 4);
    struct tessera_stream *stream = tessera_stream_create();
    screen.is_target = true;
    must(stream != NULL ? TESSERA_OK : TESSERA_NO_MEMORY, "a stream");
    paint_sprite(gpu, &sprite);
    draw(stream, &screen, &sprite);
    must(tessera_context_create(gpu, 0, 0, &context), tessera_message(gpu));
    must(tessera_submit(gpu, context, stream, 0, &ticket), tessera_message(gpu));
    must(tessera_wait(gpu, ticket, NULL), tessera_message(gpu));
    must(tessera_read(gpu, screen.allocation, 0, pixels, SCREEN_BYTES), tessera_message(gpu));
    tessera_stream_destroy(stream);
    tessera_close(gpu);
    for (int i = 0; i < WIDTH * HEIGHT; i++) { /* 5, 6 and 5 bits to 8 */
        rgb[i][0] = (uint8_t)(pixels[i] >> 11 << 3 | pixels[i] >> 13);
        rgb[i][1] = (uint8_t)((pixels[i] >> 5 & 63) << 2 | (pixels[i] >> 9 & 3));
        rgb[i][2] = (uint8_t)((pixels[i] & 31) << 3 | (pixels[i] >> 2 & 7));
    }
    png_image image = {.version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGB};
    if (png_image_write_to_file(&image, argv[2], 0, rgb, 0, NULL) != 0) return 0;
    fprintf(stderr, "sprite: %s: %s\n", argv[2], image.message);
    return 1;
}
