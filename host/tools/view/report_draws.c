/* SPDX-License-Identifier: Apache-2.0
 *
 * See report_draws.h. What the page has to know of packets, formats and modes is printed from the table.
 */
#include "tools/view/report_draws.h"

#include <inttypes.h>
#include <string.h>

#include "gpu_spec.h"
#include "tools/view/draws_encode.h"
#include "tools/view/base64.h"

static const struct {
    uint8_t opcode, word, lsb, width;
    const char *name;
} packet_fields[] = {
#define PKT_FIELD(packet, word, name, lsb, width, kind, doc) {PKT_##packet, word, lsb, width, #name},
#include "gpu.def"
};

static const struct {
    const char *group, *name, *doc;
    uint32_t value;
} enumerators[] = {
#define ENUMERATOR(group, name, value, doc) {#group, #name, doc, value},
#include "gpu.def"
};

static void print_fields(FILE *file, const char *name, uint32_t opcode, uint32_t words)
{
    const char *comma = "";
    fprintf(file, "\"%s\":{\"opcode\":%" PRIu32 ",\"words\":%" PRIu32 ",\"fields\":[", name, opcode, words);
    for (size_t i = 0; i < sizeof packet_fields / sizeof *packet_fields; i++) {
        if (packet_fields[i].opcode != opcode) continue;
        fprintf(file, "%s[\"%s\",%d,%d,%d]", comma, packet_fields[i].name, packet_fields[i].word, packet_fields[i].lsb,
                packet_fields[i].width);
        comma = ",";
    }
    fputs("]},", file);
}

void report_print_group(FILE *file, const char *member, const char *group, bool is_text)
{
    const char *comma = "";
    fprintf(file, "\"%s\":{", member);
    for (size_t i = 0; i < sizeof enumerators / sizeof *enumerators; i++) {
        if (strcmp(enumerators[i].group, group) != 0) continue;
        fprintf(file, "%s\"%" PRIu32 "\":\"", comma, enumerators[i].value);
        json_print_text(file, is_text ? enumerators[i].doc : enumerators[i].name);
        fputc('"', file);
        comma = ",";
    }
    fputs("},", file);
}

static void print_surfaces(FILE *file, const struct draw_encoder *encoder)
{
    fputs("\n\"surfaces\":[", file);
    for (uint32_t i = 0; i < encoded_surfaces(encoder); i++) {
        const struct encoded_surface *surface = encoded_surface(encoder, i);
        fputs(i != 0 ? ",[\"" : "[\"", file);
        json_print_text(file, surface->name);
        fprintf(file, "\",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", surface->width, surface->height, surface->format);
    }
    fputs("],\n", file);
}

static void print_encoded(FILE *file, const struct encoded *encoded)
{
    struct base64 base64 = {.file = file};
    fputs(",\"", file);
    for (uint32_t i = 0; i < encoded->bytes; i++) base64_byte(&base64, encoded->data[i]);
    base64_end(&base64);
    fputc('"', file);
}

/* Those whose stays are left out have no name among the names of the page. */
static void print_allocations(FILE *file, const struct view *view)
{
    const char *comma = "";
    fputs("\"allocations\":{", file);
    for (uint32_t i = 0; i < VIEW_KNOWN; i++) {
        if (view->known[i].arrivals == 0) continue;
        fprintf(file, "%s\"%" PRIu32 "\":\"0x%" PRIx32 "\"", comma, i, view->known[i].handle);
        comma = ",";
    }
    fputs("},\n", file);
}

void report_draws(FILE *file, const struct view *view)
{
    const struct draw_encoder *encoder = view->draws != NULL ? view->draws->encoder : NULL;
    if (encoder == NULL) {
        fputs("\"draws\":null\n", file);
        return;
    }
    fprintf(file,
            "\"draws\":{\"first\":%" PRIu32 ",\"last\":%" PRIu32 ",\"full\":%s,\"lost\":%" PRIu32
            ",\"key\":%d,\"columns\":%d,\n",
            view->draws->first, view->draws->last, view->draws->is_full ? "true" : "false", view->draws->lost,
            KEY_FRAMES, DRAW_FIELDS);
    print_fields(file, "BLIT", PKT_BLIT, PKT_BLIT_WORDS);
    print_fields(file, "BLIT_AFFINE", PKT_BLIT_AFFINE, PKT_BLIT_AFFINE_WORDS);
    print_fields(file, "FILL_RECT", PKT_FILL_RECT, PKT_FILL_RECT_WORDS);
    report_print_group(file, "formats", "FORMAT", false);
    report_print_group(file, "modes", "BLIT", false);
    print_surfaces(file, encoder);
    print_allocations(file, view);
    fprintf(file, "\"textures\":%" PRIu32 ",\n\"frames\":[", view->draws->texture_count);
    for (uint32_t i = 0; i < encoded_frames(encoder); i++) {
        const struct encoded_frame *frame = encoded_frame(encoder, i);
        fprintf(file, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRId64 ",%" PRIu32 ",%" PRIu32, i != 0 ? ",\n" : "",
                frame->number, frame->rows, frame->begin, frame->surface != NOTHING ? (int64_t)frame->surface : -1,
                frame->later, frame->wrong);
        print_encoded(file, &frame->draws);
        print_encoded(file, &frame->textures);
        print_encoded(file, &frame->expected);
        fputc(']', file);
    }
    fputs("]}\n", file);
}
