/* SPDX-License-Identifier: Apache-2.0
 *
 * See bytes.h.
 */
#include "lib/tdump/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "gpu_hash.h"

/* Room for so many words more, all 0; NULL: there is none. */
static uint32_t *extend(struct bytes *bytes, size_t count)
{
    const size_t most = TDUMP_BYTES_MAX / 4;
    if (bytes->has_failed || count > most - bytes->count) {
        bytes->has_failed = true;
        return NULL;
    }
    if (bytes->count + count > bytes->room) {
        const size_t room = 2 * (bytes->count + count) < most ? 2 * (bytes->count + count) : most;
        uint32_t *grown = realloc(bytes->words, room * sizeof *grown);
        if (grown == NULL) {
            bytes->has_failed = true;
            return NULL;
        }
        bytes->words = grown;
        bytes->room = room;
    }
    uint32_t *added = bytes->words + bytes->count;
    memset(added, 0, count * sizeof *added);
    bytes->count += count;
    return added;
}

uint32_t *bytes_begin(struct bytes *bytes, enum tdump_tag tag, size_t count)
{
    uint32_t *head = extend(bytes, count + 2u);
    if (head == NULL) return NULL;
    head[0] = (uint32_t)tag;
    head[1] = (uint32_t)count * 4u;
    bytes->sections++;
    return head + 2;
}

void bytes_take_back(struct bytes *bytes, size_t count)
{
    bytes->count -= count + 2u;
    bytes->sections--;
}

void bytes_finish(struct bytes *bytes)
{
    uint32_t *words = bytes->words;
    memcpy(words, TDUMP_LETTERS, TDUMP_LETTERS_BYTES);
    words[TDUMP_HEAD_VERSION] = TDUMP_VERSION;
    words[TDUMP_HEAD_ABI] = GPU_ABI_HASH;
    words[TDUMP_HEAD_BYTES] = (uint32_t)bytes->count * 4u;
    words[TDUMP_HEAD_SECTIONS] = bytes->sections;
    words[TDUMP_HEAD_CHECK] = tdump_check(words, bytes->count * 4u);
}

void bytes_start(struct bytes *bytes)
{
    *bytes = (struct bytes){0};
    (void)extend(bytes, TDUMP_HEAD_WORDS);
}

void bytes_shorten(struct bytes *bytes, uint32_t *section, size_t less)
{
    bytes->count -= less;
    section[-1] -= (uint32_t)less * 4u;
}

bool bytes_have(const struct bytes *bytes, enum tdump_tag tag, uint32_t word, uint32_t value)
{
    for (size_t at = TDUMP_HEAD_WORDS; at < bytes->count; at = bytes_next(bytes, at))
        if (bytes->words[at] == (uint32_t)tag && bytes->words[at + 2 + word] == value) return true;
    return false;
}
