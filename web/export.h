/* SPDX-License-Identifier: Apache-2.0
 *
 * The results of a scene as `tessera run --model --no-compare` writes them: the same frames are run again, with time
 * line and pictures, on a machine of their own. The tape and what is shown stay as they are.
 */
#ifndef TESSERA_WEB_EXPORT_H
#define TESSERA_WEB_EXPORT_H

#include "machine.h"

/* out/trace.json, out/run.json, out/report.html and the pictures of the first `frames` frames, 1 at least. False with
 * one line in `message`. */
bool export_scene(const struct knobs *knobs, uint32_t frames, char message[256]);

#endif
