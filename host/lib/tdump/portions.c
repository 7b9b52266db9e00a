/* SPDX-License-Identifier: Apache-2.0
 *
 * See portions.h. The words before the tail are not known to begin with a packet, so a submission is what looks like
 * one: a RUN of a possible place and length, and a FENCE after it.
 */
#include "lib/tdump/portions.h"

#include <string.h>

#include "lib/tdump/tdump.h"

enum { LOOK = PKT_RUN_WORDS + PKT_FENCE_WORDS, COMMAND_MOST = 262144, BITS = 32 };

static bool is_submission(const uint32_t words[LOOK], bool is_privileged)
{
    const uint32_t run = PKT_RUN | FIELD_PUT(is_privileged, PKT_RUN_PRIVILEGED);
    const uint32_t fence = words[PKT_RUN_WORDS] & ~FIELD_PUT(1, PKT_FENCE_INTERRUPT);
    const uint32_t bytes = words[PKT_RUN_BYTES_WORD];
    return words[0] == run && words[PKT_RUN_ADDRESS_WORD] % 4u == 0 &&
           words[PKT_RUN_ADDRESS_WORD] < (uint32_t)COMMAND_MOST && bytes % 4u == 0 && bytes != 0 &&
           bytes <= GPU_LIMIT(DMA_BYTES_MAX) && fence == PKT_FENCE;
}

/* Has a newer one been put where this was? */
static bool is_overwritten(const struct portion_found *one, const struct portion_found *newer, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (one->at < newer[i].at + newer[i].bytes && newer[i].at < one->at + one->bytes) return true;
    return false;
}

uint32_t portions_find(const uint32_t *ring, uint32_t log2, uint32_t tail, bool is_privileged,
                       struct portion_found found[PORTIONS_FOUND_MAX])
{
    const uint32_t size = 1u << log2, mask = size - 1u;
    uint32_t count = 0;
    for (uint32_t back = LOOK; back <= size && count < PORTIONS_FOUND_MAX; back++) {
        uint32_t words[LOOK];
        for (uint32_t i = 0; i < LOOK; i++) words[i] = ring[(tail - back + i) & mask];
        if (!is_submission(words, is_privileged)) continue;
        const struct portion_found one = {words[PKT_RUN_ADDRESS_WORD], words[PKT_RUN_BYTES_WORD],
                                          words[PKT_RUN_WORDS + PKT_FENCE_VALUE_WORD]};
        if (is_overwritten(&one, found, count)) continue;
        found[count++] = one;
    }
    for (uint32_t i = 0; i < count / 2u; i++) {
        const struct portion_found one = found[i];
        found[i] = found[count - 1u - i];
        found[count - 1u - i] = one;
    }
    return count;
}

/* ------------------------------------------------------------------ of which DMA buffer */

/* Words of these that are as at `start`; *compared: those that no patch location changes. */
static uint32_t alike(const struct stream_view *view, const uint32_t *is_patched, const uint32_t *words, uint32_t count,
                      uint32_t start, uint32_t *compared)
{
    uint32_t same = 0;
    *compared = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((is_patched[(start + i) / BITS] >> (start + i) % BITS & 1u) != 0) continue;
        ++*compared;
        same += words[i] == view->words[start + i];
    }
    return same;
}

bool portions_match(const struct stream_view *view, const uint32_t *words, uint32_t count, uint32_t end,
                    uint32_t *start)
{
    static const uint32_t most = LIMIT_BITS_DMA_BYTES_MAX / 4;
    uint32_t is_patched[LIMIT_BITS_DMA_BYTES_MAX / 4 / BITS];
    uint32_t best = 0;
    bool is_found = false;
    if (view->word_count > most || count > view->word_count) return false;
    memset(is_patched, 0, sizeof is_patched);
    for (uint32_t i = 0; i < view->patch_count; i++) {
        const uint32_t word = view->patches[i * GPU_LIMIT(PATCH_ENTRY_WORDS) + PATCH_PATCH_OFFSET] / 4u;
        if (word < most) is_patched[word / BITS] |= 1u << word % BITS;
    }
    /* A portion begins with the buffer, or where a patch location lets it. */
    for (uint32_t i = 0; i <= view->patch_count; i++) {
        const uint32_t from =
            i == 0 ? 0 : view->patches[(i - 1u) * GPU_LIMIT(PATCH_ENTRY_WORDS) + PATCH_SPLIT_OFFSET] / 4u;
        uint32_t compared = 0;
        if (from > view->word_count - count || (end != TDUMP_NOWHERE && (from + count) * 4u != end)) continue;
        const uint32_t same = alike(view, is_patched, words, count, from, &compared);
        if (2u * same < compared || (is_found && same <= best)) continue;
        best = same;
        *start = from * 4u;
        is_found = true;
    }
    return is_found;
}
