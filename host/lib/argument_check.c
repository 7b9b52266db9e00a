/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call of the library is given, checked before anything changes: no number is cut to the width of its field,
 * and a number that no device takes is said here, by the name of the field. What depends on the device's state (which
 * segments there are, what fits them, the owner) the device checks.
 */
#include "gpu_policies.h"
#include "lib/tessera_internal.h"

enum {
    ID_BITS = 5,         /* of a segment in a preference ... */
    PREFERENCE_BITS = 6, /* ... and with its direction */
    PREFERENCES = 5,
    PITCH_MOST = 0xffff,
    HEIGHT_MOST = 0xffff,
    LEVELS_MOST = 16,
    BOOT_OPTION_BITS = 23,
    PAGING_WORDS_LEAST = 5,
    PRIORITY_MOST = 7,
    OFFERS = 3
};

static int misuse(struct tessera *tessera, const char *call, const char *name, uint32_t value, const char *possible)
{
    return tessera_fail(tessera, TESSERA_MISUSE, "%s: %s %u is not possible: %s.", call, name, value, possible);
}

/* The bits of `value` that are not in `known`. */
static int check_bits(struct tessera *tessera, const char *call, const char *name, uint32_t value, uint32_t known)
{
    if ((value & ~known) == 0u) return TESSERA_OK;
    return tessera_fail(tessera, TESSERA_MISUSE, "%s: %s 0x%x has bits that are not possible: 0x%x. Leave them out.",
                        call, name, value, value & ~known);
}

/* ------------------------------------------------------------------ opening */

/* The tables that the firmware makes at boot. */
static int check_limits(struct tessera *tessera, const struct tessera_options *options)
{
    const struct {
        uint32_t value, limit;
        const char *what;
    } limits[] = {
        {options->allocations, GPU_LIMIT(ALLOCATIONS_MAX), "allocations"},
        {options->contexts, GPU_LIMIT(CONTEXTS_MAX), "contexts"},
        {options->list_entries, GPU_LIMIT(LIST_ENTRIES_MAX), "entries of a list"},
        {options->dma_bytes, GPU_LIMIT(DMA_BYTES_MAX), "bytes of a DMA buffer"},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].value > limits[i].limit)
            return tessera_fail(tessera, TESSERA_MISUSE, "%u %s are more than the %u that the firmware can manage.",
                                limits[i].value, limits[i].what, limits[i].limit);
    return TESSERA_OK;
}

int argument_check_options(struct tessera *tessera, const struct tessera_options *options)
{
    const uint32_t force = field_mask(HOST_FORCE_NO_LISTS_LSB + HOST_FORCE_NO_LISTS_WIDTH);
    const uint32_t policy = FIELD_GET(options->force, HOST_FORCE_POLICY);
    const uint32_t description = FIELD_GET(options->boot_options, HOST_BOOT_OPTIONS_DESCRIPTION);
    const uint32_t words = FIELD_GET(options->boot_options, HOST_BOOT_OPTIONS_PAGING_WORDS);
    int status = check_limits(tessera, options);
    if (status == TESSERA_OK) status = check_bits(tessera, "open", "force", options->force, force);
    if (status == TESSERA_OK)
        status = check_bits(tessera, "open", "boot_options", options->boot_options, field_mask(BOOT_OPTION_BITS));
    if (status != TESSERA_OK) return status;
    if (policy >= POLICY_COUNT)
        return tessera_fail(tessera, TESSERA_MISUSE, "open: force 0x%x names policy %u, 0 to %u is possible.",
                            options->force, policy, POLICY_COUNT - 1u);
    if (description > DESCRIPTION_CUT)
        return tessera_fail(tessera, TESSERA_MISUSE,
                            "open: boot_options 0x%x names description %u, 0 to %u is "
                            "possible.",
                            options->boot_options, description, (unsigned)DESCRIPTION_CUT);
    if (words != 0u && words < PAGING_WORDS_LEAST)
        return tessera_fail(tessera, TESSERA_MISUSE,
                            "open: boot_options 0x%x asks for paging buffers of %u words, 5 "
                            "is the least.",
                            options->boot_options, words);
    return TESSERA_OK;
}

/* ------------------------------------------------------------------ allocations */

/* Segment ids of 0 to SEGMENTS in five fields. */
static int check_preferred(struct tessera *tessera, uint32_t preferred)
{
    const char *const possible = "tessera_prefer makes this word of segments 0 to 8";
    if (preferred >> PREFERENCES * PREFERENCE_BITS != 0u)
        return misuse(tessera, "allocation_create", "preferred", preferred, possible);
    for (uint32_t left = preferred; left != 0u; left >>= PREFERENCE_BITS)
        if ((left & field_mask(ID_BITS)) > GPU_LIMIT(SEGMENTS))
            return misuse(tessera, "allocation_create", "preferred", preferred, possible);
    return TESSERA_OK;
}

static int check_sets(struct tessera *tessera, const struct tessera_allocation_options *options)
{
    const struct {
        const char *name;
        uint32_t value;
    } sets[] = {
        {"read_set", options->read_set}, {"write_set", options->write_set}, {"eviction_set", options->eviction_set}};
    int status = TESSERA_OK;
    for (size_t i = 0; i < sizeof sets / sizeof *sets && status == TESSERA_OK; i++)
        status = check_bits(tessera, "allocation_create", sets[i].name, sets[i].value, field_mask(GPU_LIMIT(SEGMENTS)));
    return status;
}

static int check_flags(struct tessera *tessera, uint32_t flags)
{
    const uint32_t of_cpu = ALLOCATION_PERMANENT_SYSMEM | ALLOCATION_CACHED;
    const uint32_t known = of_cpu | ALLOCATION_CPU_VISIBLE | ALLOCATION_FROM_END | ALLOCATION_SWIZZLED |
                           ALLOCATION_PINNED | ALLOCATION_UNDEFINED | ALLOCATION_SYNCHRONOUS_PAGING;
    int status = check_bits(tessera, "allocation_create", "flags", flags, known);
    if (status != TESSERA_OK || (flags & of_cpu) == 0u || (flags & ALLOCATION_CPU_VISIBLE) != 0u) return status;
    return tessera_fail(tessera, TESSERA_MISUSE,
                        "allocation_create: flags 0x%x: PERMANENT_SYSMEM and CACHED need CPU_VISIBLE.", flags);
}

/* Rows of whole tiles, and the levels. Without SWIZZLED nothing looks at them. */
static int check_shape(struct tessera *tessera, const struct tessera_allocation_options *options)
{
    const char *const call = "allocation_create";
    if ((options->flags & ALLOCATION_SWIZZLED) == 0u) return TESSERA_OK;
    if (options->pitch == 0u || options->pitch > PITCH_MOST || options->pitch % GPU_LIMIT(TILE_ROW_BYTES) != 0u)
        return misuse(tessera, call, "pitch", options->pitch, "a multiple of 32 up to 65504 is needed for SWIZZLED");
    if (options->height == 0u || options->height > HEIGHT_MOST || options->height % GPU_LIMIT(TILE_ROWS) != 0u)
        return misuse(tessera, call, "height", options->height, "a multiple of 8 up to 65528 is needed for SWIZZLED");
    if (options->levels == 0u || options->levels > LEVELS_MOST)
        return misuse(tessera, call, "levels", options->levels, "1 to 16 is needed for SWIZZLED");
    return TESSERA_OK;
}

int argument_check_allocation(struct tessera *tessera, const struct tessera_allocation_options *options)
{
    const char *const call = "allocation_create";
    const uint32_t alignment = options->alignment;
    if (options->bytes == 0u) return misuse(tessera, call, "bytes", 0, "an allocation has at least one byte");
    if ((alignment & (alignment - 1u)) != 0u || alignment > GPU_LIMIT(ALIGNMENT_BYTES))
        return misuse(tessera, call, "alignment", alignment, "a power of two up to 16777216 is, or 0");
    int status = check_flags(tessera, options->flags);
    if (status == TESSERA_OK) status = check_preferred(tessera, options->preferred);
    if (status == TESSERA_OK) status = check_sets(tessera, options);
    if (status == TESSERA_OK) status = check_shape(tessera, options);
    return status;
}

int argument_check_lock(struct tessera *tessera, uint32_t flags)
{
    const uint32_t both = LOCK_READ_ONLY | LOCK_WRITE_ONLY;
    const uint32_t known = both | LOCK_DONT_WAIT | LOCK_IGNORE_SYNC | LOCK_ENTIRE | LOCK_DONT_EVICT | LOCK_DISCARD;
    int status = check_bits(tessera, "lock", "flags", flags, known);
    if (status != TESSERA_OK || (flags & both) != both) return status;
    return tessera_fail(tessera, TESSERA_MISUSE,
                        "lock: flags 0x%x: READ_ONLY and WRITE_ONLY exclude each other. Leave out both to read and "
                        "write.",
                        flags);
}

int argument_check_priority(struct tessera *tessera, uint32_t priority)
{
    if (priority != 0u) return TESSERA_OK;
    return misuse(tessera, "set_priority", "priority", 0, "1 is the lowest, 0x78000000 is normal");
}

int argument_check_offer(struct tessera *tessera, uint32_t priority)
{
    if (priority >= 1u && priority <= OFFERS) return TESSERA_OK;
    return misuse(tessera, "offer", "priority", priority, "1 is low, 2 normal, 3 high");
}

/* ------------------------------------------------------------------ clients and contexts */

int argument_check_client(struct tessera *tessera, const char *call, uint32_t client)
{
    if (client < GPU_LIMIT(CLIENTS)) return TESSERA_OK;
    return misuse(tessera, call, "client", client, "0 to 63 is");
}

int argument_check_rights(struct tessera *tessera, uint32_t rights)
{
    int status = check_bits(tessera, "share", "rights", rights, RIGHT_READ | RIGHT_WRITE);
    if (status != TESSERA_OK || rights != RIGHT_WRITE) return status;
    return tessera_fail(tessera, TESSERA_MISUSE, "share: rights 0x%x: RIGHT_WRITE needs RIGHT_READ.", rights);
}

int argument_check_context(struct tessera *tessera, const char *call, uint32_t node, int32_t priority)
{
    if (node != 0u) return misuse(tessera, call, "node", node, "contexts draw on node 0, the render node");
    if (priority >= -PRIORITY_MOST && priority <= PRIORITY_MOST) return TESSERA_OK;
    return tessera_fail(tessera, TESSERA_MISUSE, "%s: priority %d is out of range, -7 to 7 is possible.", call,
                        (int)priority);
}

int argument_check_submit(struct tessera *tessera, uint32_t flags)
{
    return check_bits(tessera, "submit", "flags", flags, SUBMIT_FLAG_NULL_RENDERING);
}

int argument_check_limit(struct tessera *tessera, const char *call, uint32_t cycles)
{
    if (cycles >> 31 == 0u) return TESSERA_OK;
    return misuse(tessera, call, "limit_cycles", cycles, "0 to 2147483647 is");
}
