/* SPDX-License-Identifier: Apache-2.0
 *
 * See guest_report.h.
 */
#include "virtio/guest_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/view/report_html.h"
#include "tools/view/view.h"

struct guest_report {
    const char *folder;
    struct view *view;
    const struct platform *platform;
    struct transport watched;
    uint32_t frames; /* that were written */
    bool is_model;
};

struct guest_report *guest_report_open(const char *folder, char message[256])
{
    struct guest_report *report = calloc(1, sizeof *report);
    snprintf(message, 256, "out of memory");
    if (report == NULL) return NULL;
    report->folder = folder;
    report->view = view_open(folder, message);
    if (report->view != NULL) return report;
    free(report);
    return NULL;
}

int guest_report_device(struct guest_report *report, struct tessera **tessera, struct platform *platform,
                        struct platform_options *device, const struct tessera_options *options, char message[256])
{
    struct tessera_options library = *options;
    device->probe = view_probe(report->view);
    report->is_model = device->is_model;
    report->platform = platform;
    if (platform_open(platform, device, message) != 0) return TESSERA_LINK;
    library.firmware = platform->firmware;
    view_watch(report->view, &platform->transport, &report->watched);
    const int status = tessera_open(tessera, &report->watched, &library, message);
    if (status != TESSERA_OK) report->watched.close(report->watched.context);
    else view_frame_begin(report->view, 0, transport_cycles(&report->watched));
    return status;
}

/* ------------------------------------------------------------------ as it happens */

static const char *command_name(uint32_t type)
{
    switch (type) {
    case COMMAND_GET_DISPLAY_INFO: return "GET_DISPLAY_INFO";
    case COMMAND_CREATE_2D: return "RESOURCE_CREATE_2D";
    case COMMAND_UNREF: return "RESOURCE_UNREF";
    case COMMAND_SET_SCANOUT: return "SET_SCANOUT";
    case COMMAND_FLUSH: return "RESOURCE_FLUSH";
    case COMMAND_TRANSFER_TO_HOST_2D: return "TRANSFER_TO_HOST_2D";
    case COMMAND_ATTACH_BACKING: return "ATTACH_BACKING";
    case COMMAND_DETACH_BACKING: return "DETACH_BACKING";
    case COMMAND_GET_EDID: return "GET_EDID";
    case COMMAND_GET_CAPSET_INFO: return "GET_CAPSET_INFO";
    case COMMAND_GET_CAPSET: return "GET_CAPSET";
    case COMMAND_CONTEXT_CREATE: return "CTX_CREATE";
    case COMMAND_CONTEXT_DESTROY: return "CTX_DESTROY";
    case COMMAND_CONTEXT_ATTACH: return "CTX_ATTACH_RESOURCE";
    case COMMAND_CONTEXT_DETACH: return "CTX_DETACH_RESOURCE";
    case COMMAND_CREATE_3D: return "RESOURCE_CREATE_3D";
    case COMMAND_TRANSFER_TO_HOST_3D: return "TRANSFER_TO_HOST_3D";
    case COMMAND_TRANSFER_FROM_HOST_3D: return "TRANSFER_FROM_HOST_3D";
    case COMMAND_SUBMIT_3D: return "SUBMIT_3D";
    case COMMAND_UPDATE_CURSOR: return "UPDATE_CURSOR";
    case COMMAND_MOVE_CURSOR: return "MOVE_CURSOR";
    default: return "a command that is not known";
    }
}

/* Where in a command its resource's identity is, in bytes; 0: it names none. */
static size_t resource_at(uint32_t type)
{
    switch (type) {
    case COMMAND_CREATE_2D: return offsetof(struct virtio_gpu_create_2d, resource);
    case COMMAND_ATTACH_BACKING: return offsetof(struct virtio_gpu_attach, resource);
    case COMMAND_CREATE_3D: return offsetof(struct virtio_gpu_create_3d, resource);
    case COMMAND_TRANSFER_TO_HOST_3D:
    case COMMAND_TRANSFER_FROM_HOST_3D: return offsetof(struct virtio_gpu_transfer_3d, resource);
    case COMMAND_CONTEXT_ATTACH:
    case COMMAND_CONTEXT_DETACH:
    case COMMAND_UNREF:
    case COMMAND_DETACH_BACKING: return offsetof(struct virtio_gpu_named, which);
    case COMMAND_SET_SCANOUT: return offsetof(struct virtio_gpu_set_scanout, resource);
    case COMMAND_FLUSH: return offsetof(struct virtio_gpu_flush, resource);
    case COMMAND_TRANSFER_TO_HOST_2D: return offsetof(struct virtio_gpu_transfer_2d, resource);
    case COMMAND_UPDATE_CURSOR: return offsetof(struct virtio_gpu_cursor, resource);
    default: return 0;
    }
}

void guest_report_command(struct guest_report *report, uint64_t begin, uint64_t end, const uint8_t *command)
{
    uint32_t type, resource = 0;
    char text[64];
    if (report == NULL) return;
    memcpy(&type, command, sizeof type);
    if (resource_at(type) != 0) memcpy(&resource, command + resource_at(type), sizeof resource);
    const char *name = command_name(type);
    if (resource == 0) snprintf(text, sizeof text, "%s", name);
    else snprintf(text, sizeof text, "%s resource %" PRIu32, name, resource);
    view_span(report->view, begin, end, text);
}

void guest_report_name(struct guest_report *report, const struct tessera_allocation *allocation, const char *name)
{
    if (report != NULL) view_name(report->view, tessera_allocation_handle(allocation), name);
}

void guest_report_frame(struct guest_report *report, uint32_t number, uint64_t cycle)
{
    if (report == NULL) return;
    view_frame_end(report->view, number, cycle);
    view_frame_begin(report->view, number + 1u, cycle);
    report->frames = number + 1u;
}

/* ------------------------------------------------------------------ at the end */

struct rows {
    struct report_row row[REPORT_ROWS];
    uint32_t count;
};

static void add(struct rows *rows, const char *name, uint64_t value, const char *note)
{
    struct report_row *row = &rows->row[rows->count++];
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(row->value, sizeof row->value, "%" PRIu64, value);
    snprintf(row->note, sizeof row->note, "%s", note);
}

static void fill_rows(const struct guest_report *report, const struct guest_counts *counts, struct rows *rows)
{
    const uint32_t *statistics = counts->statistics;
    add(rows, "pictures", report->frames, "written; two a second at most");
    add(rows, "commands of the guest", counts->gpu.commands, "");
    add(rows, "refused", counts->gpu.refused, "with the protocol's error");
    add(rows, "too large", counts->painter.too_large, "of them: resources that local memory can never hold");
    add(rows, "transfers", counts->gpu.transfers, "TRANSFER_TO_HOST_2D");
    add(rows, "in place", counts->painter.in_place, "of them, read by the GPU from the guest's own pages");
    add(rows, "copied by the host", counts->painter.copied, "of them");
    add(rows, "pixels transferred", counts->gpu.pixels, "");
    add(rows, "flushes", counts->gpu.flushes, "");
    add(rows, "flips", counts->scanout.flips, "shown by the display");
    add(rows, "read back", counts->scanout.read_back, counts->scanout.reason);
    add(rows, "cursor commands", counts->gpu.cursors, "");
    add(rows, "payloads of programs", counts->gpu.payloads, "SUBMIT_3D");
    add(rows, "programs refused", counts->programs.refused, "of them, with a status");
    add(rows, "programs at the end", counts->program_contexts, "");
    add(rows, "allocations at the end", counts->programs.allocations, "");
    add(rows, "resources at the end", counts->resources, "");
    add(rows, "their bytes", counts->bytes, "");
    add(rows, "DMA buffers", statistics[TESSERA_STATISTIC_DMA_BUFFERS], "");
    add(rows, "evictions", statistics[TESSERA_STATISTIC_EVICTIONS], "");
    add(rows, "paged in", (uint64_t)statistics[TESSERA_STATISTIC_PAGES_IN] * 4u, "KB, copied into local memory");
    add(rows, "paged out", (uint64_t)statistics[TESSERA_STATISTIC_PAGES_OUT] * 4u, "KB, copied out of it");
    add(rows, "failures", counts->painter.failures, counts->painter.failures != 0 ? counts->message : "");
}

/* The same as numbers: a member a row. */
static bool write_json(const struct guest_report *report, const struct rows *rows, char message[256])
{
    char path[512];
    snprintf(path, sizeof path, "%.480s/run.json", report->folder);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        snprintf(message, 256, "cannot write %.200s: %s", path, strerror(errno));
        return false;
    }
    fprintf(file, "{\n  \"version\": \"%s\",\n  \"device\": \"%s\"", tessera_version(), report->platform->name);
    for (uint32_t i = 0; i < rows->count; i++) {
        fputs(",\n  \"", file);
        for (const char *at = rows->row[i].name; *at != 0; at++) fputc(*at == ' ' ? '_' : *at, file);
        fprintf(file, "\": %s", rows->row[i].value);
    }
    fputs("\n}\n", file);
    bool is_good = ferror(file) == 0;
    is_good = fclose(file) == 0 && is_good;
    if (!is_good) snprintf(message, 256, "cannot write %.200s: %s. Is the disk full?", path, strerror(errno));
    return is_good;
}

static bool write_page(const struct guest_report *report, const struct guest_counts *counts, const struct rows *rows,
                       char message[256])
{
    char path[512], title[128];
    snprintf(path, sizeof path, "%.480s/report.html", report->folder);
    snprintf(title, sizeof title, "A Linux guest on the %s", report->platform->name);
    const struct report_page page = {.has_clock = !report->is_model,
                                     .title = title,
                                     .verdict = counts->painter.failures == 0 ? "Nothing failed." : counts->message,
                                     .is_good = counts->painter.failures == 0,
                                     .rows = rows->row,
                                     .row_count = rows->count,
                                     .directory = report->folder,
                                     .digits = GUEST_REPORT_DIGITS,
                                     .frame_count = report->frames};
    return report_html(path, report->view, &page, message) == 0;
}

bool guest_report_close(struct guest_report *report, const struct guest_counts *counts, char message[256])
{
    struct rows rows = {.count = 0};
    if (report == NULL) return true;
    bool is_good = view_close(report->view) == 0;
    if (!is_good) snprintf(message, 256, "cannot write all of %.200s/trace.json. Is the disk full?", report->folder);
    fill_rows(report, counts, &rows);
    is_good = is_good && write_json(report, &rows, message) && write_page(report, counts, &rows, message);
    view_free(report->view);
    free(report);
    return is_good;
}
