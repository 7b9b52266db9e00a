/* SPDX-License-Identifier: Apache-2.0
 *
 * What the page can turn (protocol.md, Knobs), as lines of text "name value"; what is missing has its default.
 */
#ifndef TESSERA_WEB_KNOBS_H
#define TESSERA_WEB_KNOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/scene/scenes.h"

enum { KNOBS_APERTURE_LEAST = 16, KNOBS_QUEUED_MOST = 16, KNOBS_FRAMES_MOST = 999 };

/* Of knobs.display: nothing is shown; frames are, by flips at blanks; by flips that do not wait. */
enum { KNOBS_DARK, KNOBS_FLIPS, KNOBS_AT_ONCE };

struct knobs {
    const struct scene_about *scene; /* the first computed one by default */
    char file[64];                   /* "" for a scene, else the name of what was loaded */
    uint32_t seed, frames, segment1, segment2, aperture, queued, split_cost, display;
    uint32_t force; /* HOST.FORCE, the policy included */
    bool is_own;    /* the visitor's policy in its place (own_policy.h) */
    bool is_copied;
    struct {
        int32_t priority;
        uint32_t budget;
    } contexts[SCENE_PROGRAMS];
};

/* False with one line in `message`: a name that is none, a value out of its range, knobs that contradict each other. */
bool knobs_parse(struct knobs *knobs, const char *text, char message[256]);

/* Forced modes by number, NULL after the last, and what each does; and policies. */
const char *knobs_force_name(uint32_t number);
const char *knobs_force_text(uint32_t number);
const char *knobs_policy_name(uint32_t number);
const char *knobs_policy_text(uint32_t number);
/* Is the forced mode (the policy) on? */
bool knobs_is_forced(const struct knobs *knobs, uint32_t number);
uint32_t knobs_policy(const struct knobs *knobs);

#endif
