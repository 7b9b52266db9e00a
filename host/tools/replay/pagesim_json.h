/* SPDX-License-Identifier: Apache-2.0
 *
 * A workload as a JSON object, for writers that add to it.
 */
#ifndef PAGESIM_JSON_H
#define PAGESIM_JSON_H

#include <json-c/json.h>

#include "tools/replay/pagesim.h"

/* The object of a pagesim-1 file; give it back with json_object_put(). Of buffers, their bytes and lists of patches
 * and steps are read; of steps, the time. */
json_object *pagesim_to_json(const struct pagesim *workload);

/* Write the object to a file and give it back. False: `message` says why it could not be written. */
bool pagesim_write_json(json_object *root, const char *path, char message[PAGESIM_MESSAGE]);

#endif
