/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations in words.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu_names.h"
#include "machine_internal.h"

const char *machine_kind(const struct operation *operation)
{
    switch (operation->by) {
    case BY_FIRMWARE: return trace_name(operation->kind);
    case BY_PROGRAM: return operation->kind == 0 ? "READ" : message_name(operation->kind);
    default: return packet_name(operation->kind);
    }
}

static const char *name_of(const struct machine *machine, uint32_t handle)
{
    const struct known *known = handle != 0 ? view_known(machine->view, handle) : NULL;
    return known != NULL ? known->name : "nothing";
}

static const char *plural(uint32_t count) { return count == 1u ? "" : "s"; }

static void describe_firmware(const struct machine *machine, const struct operation *operation, char text[160])
{
    const uint32_t argument = operation->argument, segment = operation->detail >> 28;
    const char *name = name_of(machine, argument);
    switch (operation->kind) {
    case TRACE_ACCEPT: snprintf(text, 160, "took DMA buffer %u from the ring", argument); break;
    case TRACE_PLANNED:
        if (argument == 0) snprintf(text, 160, "found no plan: even the first group does not fit");
        else snprintf(text, 160, "planned a portion of %u patch location%s", argument, plural(argument));
        break;
    case TRACE_PORTION: snprintf(text, 160, "submitted portion %u to the render node", argument); break;
    case TRACE_SPLIT: snprintf(text, 160, "split the DMA buffer at its byte %u", argument); break;
    case TRACE_PAGING: snprintf(text, 160, "submitted copies, fence %u, to the paging node", argument); break;
    case TRACE_EVICT: snprintf(text, 160, "evicted %s", name); break;
    case TRACE_PAGE_IN:
        if (segment == LIMIT_BITS_SEGMENT_COUNT)
            snprintf(text, 160, "mapped %s into the aperture, from page %u", name, operation->detail & 0xffffffu);
        else
            snprintf(text, 160, "plans %s into segment %u, from page %u", name, segment, operation->detail & 0xffffffu);
        break;
    case TRACE_MOVE:
        snprintf(text, 160, "moves %s inside segment %u, to page %u", name, segment, operation->detail & 0xffffffu);
        break;
    case TRACE_COMPLETE: snprintf(text, 160, "says that DMA buffer %u is complete", argument); break;
    default: snprintf(text, 160, "%s %u", trace_name(operation->kind), argument); break;
    }
}

static void describe_packet(const struct operation *operation, char text[160])
{
    const uint32_t detail = operation->detail, width = detail & 0xffffu, height = detail >> 16;
    const char *name = packet_name(operation->kind);
    switch (operation->kind) {
    case PKT_BLIT: snprintf(text, 160, "drew %u x %u units of a texture", width, height); break;
    case PKT_FILL_RECT: snprintf(text, 160, "filled %u x %u units", width, height); break;
    case PKT_BIND:
        snprintf(text, 160, detail == 0 ? "unbound slot %u" : "bound slot %u to 0x%08" PRIx32,
                 operation->argument >> 8 & 63u, detail);
        break;
    case PKT_COPY_LIST:
        snprintf(text, 160, "copied %u KB %s the program's pages", detail / 1024u,
                 FIELD_GET(operation->argument, PKT_COPY_LIST_TO_SYSTEM) != 0 ? "out to" : "in from");
        break;
    case PKT_COPY: snprintf(text, 160, "copied %u bytes", detail); break;
    case PKT_FILL: snprintf(text, 160, "filled %u bytes", detail); break;
    case PKT_MAP_LIST:
    case PKT_MAP: snprintf(text, 160, "mapped %u page%s into the aperture", detail, plural(detail)); break;
    case PKT_UNMAP: snprintf(text, 160, "unmapped %u page%s of the aperture", detail, plural(detail)); break;
    case PKT_GUARD: snprintf(text, 160, "may access %u page%s from now on", detail, plural(detail)); break;
    case PKT_FENCE: snprintf(text, 160, "passed its fence %u", detail); break;
    case PKT_WAIT_FENCE:
        snprintf(text, 160, "continued: fence %u of the %s node is passed", detail,
                 operation->by == BY_RENDER ? "paging" : "render");
        break;
    case PKT_RUN:
        snprintf(text, 160, "began a %s of %u bytes", operation->by == BY_RENDER ? "portion" : "paging buffer", detail);
        break;
    default: snprintf(text, 160, "%s", name); break;
    }
}

static void describe_program(const struct machine *machine, const struct operation *operation, char text[160])
{
    const char *name = name_of(machine, operation->argument);
    switch (operation->kind) {
    case 0: snprintf(text, 160, "read the picture of frame %u", operation->argument); break;
    case MSG_SUBMIT: snprintf(text, 160, "submitted a DMA buffer of %u bytes", operation->detail); break;
    case MSG_LOCK: snprintf(text, 160, "asks to lock %s, to read or write it", name); break;
    case MSG_UNLOCK: snprintf(text, 160, "unlocks %s", name); break;
    case MSG_DESTROY_ALLOCATION: snprintf(text, 160, "destroys %s", name); break;
    case MSG_CREATE_ALLOCATION: snprintf(text, 160, "creates an allocation"); break;
    default: snprintf(text, 160, "sends %s", message_name(operation->kind)); break;
    }
}

void machine_describe(const struct machine *machine, const struct operation *operation, char text[160])
{
    if (operation->by == BY_FIRMWARE) describe_firmware(machine, operation, text);
    else if (operation->by == BY_PROGRAM) describe_program(machine, operation, text);
    else describe_packet(operation, text);
}
