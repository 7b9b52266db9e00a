/* SPDX-License-Identifier: Apache-2.0
 *
 * A display for LiteX's simulator without a window: every frame that the pads `vga` show is written to frame.ppm, and
 * told on standard output with the cycle of its clock, the other pad, at which it was complete. A module of
 * litex.build.sim (extra_mods).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "modules.h"

enum { WIDTH_LIMIT = 4096, HEIGHT_LIMIT = 4096 };

struct session_s {
    char *clk, *de, *vsync;
    uint8_t *r, *g, *b;
    unsigned x, y, width;
    unsigned long long cycle;
    uint8_t *pixels;
};

static void *signal_named(struct pad_s *pads, const char *name)
{
    for (int i = 0; pads[i].name != NULL; i++)
        if (strcmp(pads[i].name, name) == 0) return pads[i].signal;
    return NULL;
}

static int frame_start(void *base) { return RC_OK; }

static int frame_new(void **session, char *arguments)
{
    struct session_s *s = calloc(1, sizeof *s);
    *session = s;
    if (s == NULL) return RC_NOENMEM;
    s->pixels = calloc(3u * WIDTH_LIMIT, HEIGHT_LIMIT);
    return s->pixels != NULL ? RC_OK : RC_NOENMEM;
}

static int frame_add_pads(void *session, struct pad_list_s *list)
{
    struct session_s *s = session;
    if (strcmp(list->name, "vga") == 0) {
        s->de = signal_named(list->pads, "de");
        s->vsync = signal_named(list->pads, "vsync");
        s->r = signal_named(list->pads, "r");
        s->g = signal_named(list->pads, "g");
        s->b = signal_named(list->pads, "b");
    } else s->clk = signal_named(list->pads, list->name);
    return RC_OK;
}

static void write_frame(const struct session_s *s)
{
    FILE *file = fopen("frame.tmp", "wb");
    int is_good = file != NULL;
    if (!is_good) return;
    fprintf(file, "P6\n%u %u\n255\n", s->width, s->y);
    for (unsigned y = 0; y < s->y; y++)
        is_good &= fwrite(s->pixels + 3u * WIDTH_LIMIT * y, 3, s->width, file) == s->width;
    is_good &= fclose(file) == 0 && rename("frame.tmp", "frame.ppm") == 0;
    printf(is_good ? "[frame] %u x %u at cycle %llu\n" : "[frame] cannot write %u x %u at cycle %llu\n", s->width, s->y,
           s->cycle);
    fflush(stdout);
}

static int frame_tick(void *session, uint64_t time_ps)
{
    static clk_edge_state_t edge;
    struct session_s *s = session;
    if (!clk_pos_edge(&edge, *s->clk)) return RC_OK;
    s->cycle++;
    if (*s->vsync) {
        if (s->y != 0) write_frame(s);
        s->x = s->y = s->width = 0;
    } else if (*s->de) {
        if (s->x < WIDTH_LIMIT && s->y < HEIGHT_LIMIT) {
            uint8_t *pixel = s->pixels + 3u * (WIDTH_LIMIT * s->y + s->x);
            pixel[0] = *s->r;
            pixel[1] = *s->g;
            pixel[2] = *s->b;
        }
        s->x++;
    } else if (s->x != 0) {
        s->width = s->x;
        s->x = 0;
        s->y++;
    }
    return RC_OK;
}

static struct ext_module_s module = {"frame", frame_start, frame_new, frame_add_pads, NULL, frame_tick};

int litex_sim_ext_module_init(int (*register_module)(struct ext_module_s *)) { return register_module(&module); }
