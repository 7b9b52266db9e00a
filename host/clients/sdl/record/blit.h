/* SPDX-License-Identifier: Apache-2.0
 *
 * What of a blit or a fill SDL draws, and which operation of a recording draws the same.
 */
#ifndef TESSERA_RECORD_BLIT_H
#define TESSERA_RECORD_BLIT_H

#include "clients/sdl/record/tracker.h"

/* What is left of a blit, clipped as SDL does; the rectangles are those of the program's SDL, or NULL. False: nothing.
 */
bool blit_clip(const struct view *source, const void *source_rect, const struct view *target, const void *target_rect,
               struct area *area, int32_t *source_x, int32_t *source_y);
bool fill_clip(const struct view *target, const void *rect, struct area *area);

/* Units of ARGB8888: SDL 1.2 gives them the constant alpha of a source that has none, in a plain copy. */
bool blit_takes_alpha(const struct view *target);

/* Which mode of a recording does what SDL is going to do? REASON_NONE: the event has it. */
enum recording_reason blit_classify(const struct view *source, const struct view *target,
                                    struct recording_event *event);

/* Of an operation that blit_classify has a mode for: why SDL itself may draw otherwise than the GPU. (A recording has
 * it all the same: whoever plays it knows no SDL but the one of recording.h.) REASON_NONE: the same in every bit. */
enum recording_reason blit_inexact(const struct view *source, const struct view *target,
                                   const struct recording_event *event);
/* Of such an operation: does it read or write channels that no format of a recording has, so that SDL cuts what the
 * GPU keeps? Between two surfaces of the same units a copy is exact. REASON_NONE: it does not. */
enum recording_reason blit_width(const struct view *source, const struct view *target,
                                 const struct recording_event *event);
/* Is there a unit with the key's colour, but not with all of its bits? Whether SDL leaves it out depends on the SDL and
 * its blit; the GPU does. */
bool blit_has_key_bits(const struct view *source, const struct area *area);
/* Are these units of the source opaque or clear, and do the clear ones have one colour that no opaque one has? Then a
 * copy with that key is SDL's blend, if its formula is a copy where alpha is 255; `how` becomes one, and without clear
 * units a plain copy. */
bool blit_find_key(struct view *source, const struct area *area, struct recording_event *how);
/* SDL blends units of four bytes by other formulas if they are neither ARGB8888 nor XRGB8888. */
bool blit_is_reordered(const struct view *view);

#endif
