/* SPDX-License-Identifier: Apache-2.0
 *
 * See guest_info.h.
 */
#include "virtio/guest_info.h"

#include <inttypes.h>

enum { MEGABYTE = 1 << 20 };

static const char *format_name(uint32_t format)
{
    switch (format) {
    case VIRTIO_BGRA: return "BGRA";
    case VIRTIO_BGRX: return "BGRX";
    case VIRTIO_ARGB: return "ARGB";
    case VIRTIO_XRGB: return "XRGB";
    case VIRTIO_RGBA: return "RGBA";
    case VIRTIO_XBGR: return "XBGR";
    case VIRTIO_ABGR: return "ABGR";
    case VIRTIO_RGBX: return "RGBX";
    default: return "?";
    }
}

static void print_display(FILE *file, const struct guest_info *info)
{
    uint32_t x, y;
    for (uint32_t i = 0; i < info->gpu->scanouts; i++) {
        const struct virtio_gpu_scanout *scanout = &info->gpu->scanout[i];
        if (scanout->place == VIRTIO_GPU_NOTHING) fprintf(file, "scanout %" PRIu32 "   shows nothing\n", i);
        else
            fprintf(file, "scanout %" PRIu32 "   shows %" PRIu32 "x%" PRIu32 " of resource %" PRIu32 "\n", i,
                    scanout->rectangle.width, scanout->rectangle.height, info->gpu->resource[scanout->place].id);
    }
    fprintf(file, "display     %s, %" PRIu64 " flips\n", scanout_is_shown(info->scanout) ? "shows it" : "off",
            info->counts->scanout.flips);
    if (info->counts->scanout.read_back != 0)
        fprintf(file, "read back   %" PRIu64 " scanouts, the last: %s\n", info->counts->scanout.read_back,
                info->counts->scanout.reason);
    if (scanout_cursor(info->scanout, &x, &y)) fprintf(file, "cursor      at %" PRIu32 ",%" PRIu32 "\n", x, y);
    else fputs("cursor      hidden\n", file);
}

static void print_resource(FILE *file, const struct guest_info *info, uint32_t place)
{
    const struct virtio_gpu_resource *resource = &info->gpu->resource[place];
    struct painter_place where;
    char size[24];
    if (resource->is_buffer) {
        const bool is_drawn_with = submitter_allocation(info->submitter, place) != NULL;
        fprintf(file, "%10" PRIu32 "  %" PRIu32 " bytes of a program's, %s\n", resource->id, resource->width,
                is_drawn_with ? "an allocation" : "memory alone");
        return;
    }
    painter_where(info->painter, place, &where);
    snprintf(size, sizeof size, "%" PRIu32 "x%" PRIu32, resource->width, resource->height);
    fprintf(file, "%10" PRIu32 "  %-11s %s  %-12s   ", resource->id, size, format_name(resource->format),
            where.is_local ? "local memory" : "host memory");
    if (!resource->has_backing) fputs("no pages\n", file);
    else if (where.guest_pages != 0) fprintf(file, "%" PRIu32 " pages, read in place\n", where.guest_pages);
    else fprintf(file, "%" PRIu32 " parts, copied by the host\n", where.entries);
}

void guest_info_print(FILE *file, const struct guest_info *info)
{
    const struct guest_counts *counts = info->counts;
    fprintf(file, "device      %s\n", info->device);
    print_display(file, info);
    fprintf(file, "resources   %" PRIu32 " of %d, %.1f of %.1f MB\n", counts->resources, VIRTIO_GPU_RESOURCES_MOST,
            (double)counts->bytes / MEGABYTE, (double)info->gpu->bytes_most / MEGABYTE);
    if (counts->resources != 0) fputs("  resource  size        form  content is     the guest's memory for it\n", file);
    for (uint32_t i = 0; i < VIRTIO_GPU_RESOURCES_MOST; i++)
        if (info->gpu->resource[i].id != 0) print_resource(file, info, i);
    fprintf(file,
            "commands    %" PRIu64 ", %" PRIu64 " refused (%" PRIu64 " resources too large)\ntransfers   %" PRIu64
            " of %" PRIu64 " pixels, %" PRIu64 " copied by the host\nflushes     %" PRIu64 "\ncursor      %" PRIu64
            " commands\n",
            counts->gpu.commands, counts->gpu.refused, counts->painter.too_large, counts->gpu.transfers,
            counts->gpu.pixels, counts->painter.copied, counts->gpu.flushes, counts->gpu.cursors);
    if (counts->gpu.payloads != 0)
        fprintf(file,
                "programs    %" PRIu32 " of %" PRIu32 " draw, %" PRIu32 " allocations; %" PRIu64
                " submissions and %" PRIu64 " messages, %" PRIu64 " refused\n",
                counts->programs.clients, counts->program_contexts, counts->programs.allocations,
                counts->programs.submissions, counts->programs.messages, counts->programs.refused);
    if (counts->gpu.surplus != 0)
        fprintf(file, "surplus     %" PRIu64 " buffers of programs that had their share\n", counts->gpu.surplus);
    fprintf(file, "paging      %" PRIu32 " evictions, %" PRIu32 " pages in, %" PRIu32 " out\n",
            counts->statistics[TESSERA_STATISTIC_EVICTIONS], counts->statistics[TESSERA_STATISTIC_PAGES_IN],
            counts->statistics[TESSERA_STATISTIC_PAGES_OUT]);
    if (counts->painter.failures != 0)
        fprintf(file, "failures    %" PRIu64 ", the last: %s\n", counts->painter.failures, counts->message);
}
