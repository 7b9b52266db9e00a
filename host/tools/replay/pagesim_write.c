/* SPDX-License-Identifier: Apache-2.0
 *
 * A workload written back as "pagesim-1", so that what was really replayed (scaled, cut short) can be given
 * to other tools and to a checker of schedules.
 */
#include "tools/replay/pagesim_json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static json_object *bytes_of(uint32_t pages) { return json_object_new_int64((int64_t)pages * PAGESIM_PAGE_BYTES); }

static json_object *segments_of(const struct pagesim *workload)
{
    json_object *array = json_object_new_array();
    for (uint32_t i = 0; i < workload->segment_count; i++) {
        json_object *object = json_object_new_object();
        json_object_object_add(object, "kind",
                               json_object_new_string(workload->segments[i].is_aperture ? "aperture" : "local"));
        json_object_object_add(object, "size", bytes_of(workload->segments[i].pages));
        json_object_array_add(array, object);
    }
    return array;
}

static json_object *allocations_of(const struct pagesim *workload)
{
    static const char *const inits[] = {"backing", "undef", "resident"};
    json_object *array = json_object_new_array();
    for (uint32_t i = 0; i < workload->allocation_count; i++) {
        const struct pagesim_allocation *allocation = &workload->allocations[i];
        json_object *object = json_object_new_object();
        json_object_object_add(object, "size", bytes_of(allocation->pages));
        json_object_object_add(object, "seg", json_object_new_int64(allocation->segment));
        json_object_object_add(object, "align", bytes_of(allocation->alignment_pages));
        json_object_object_add(object, "init", json_object_new_string(inits[allocation->init]));
        if (allocation->is_temporary) json_object_object_add(object, "temp", json_object_new_boolean(1));
        json_object_array_add(array, object);
    }
    return array;
}

static json_object *buffer_of(const struct pagesim *workload, const struct pagesim_buffer *buffer)
{
    json_object *object = json_object_new_object(), *patches = json_object_new_array(),
                *times = json_object_new_array();
    for (uint32_t i = 0; i < buffer->patch_count; i++) {
        const struct pagesim_patch *patch = &workload->patches[buffer->first_patch + i];
        json_object *entry = json_object_new_array();
        json_object_array_add(entry, json_object_new_int64(patch->slot));
        json_object_array_add(entry,
                              patch->allocation == PAGESIM_NULL ? NULL : json_object_new_int64(patch->allocation));
        json_object_array_add(entry, json_object_new_int64(patch->split_offset));
        json_object_array_add(entry, json_object_new_int64(patch->is_written));
        json_object_array_add(patches, entry);
    }
    for (uint32_t t = 0; t < buffer->step_count; t++)
        json_object_array_add(times, json_object_new_double(workload->steps[buffer->first_step + t].time));
    json_object_object_add(object, "len", json_object_new_int64(buffer->bytes));
    json_object_object_add(object, "patches", patches);
    json_object_object_add(object, "times", times);
    return object;
}

json_object *pagesim_to_json(const struct pagesim *workload)
{
    json_object *root = json_object_new_object(), *buffers = json_object_new_array();
    json_object_object_add(root, "format", json_object_new_string("pagesim-1"));
    json_object_object_add(root, "name", json_object_new_string(workload->name));
    json_object_object_add(root, "page", json_object_new_int(PAGESIM_PAGE_BYTES));
    json_object_object_add(root, "slots", json_object_new_int64(workload->slots));
    json_object_object_add(root, "segments", segments_of(workload));
    json_object_object_add(root, "allocs", allocations_of(workload));
    for (uint32_t i = 0; i < workload->buffer_count; i++)
        json_object_array_add(buffers, buffer_of(workload, &workload->buffers[i]));
    json_object_object_add(root, "buffers", buffers);
    return root;
}

bool pagesim_write_json(json_object *root, const char *path, char message[PAGESIM_MESSAGE])
{
    bool is_written = json_object_to_file_ext(path, root, JSON_C_TO_STRING_PLAIN) == 0;
    if (!is_written) snprintf(message, PAGESIM_MESSAGE, "%s: cannot be written: %s", path, strerror(errno));
    json_object_put(root);
    return is_written;
}

bool pagesim_write(const struct pagesim *workload, const char *path, char message[PAGESIM_MESSAGE])
{
    return pagesim_write_json(pagesim_to_json(workload), path, message);
}
