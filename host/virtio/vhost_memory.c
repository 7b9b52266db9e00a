/* SPDX-License-Identifier: Apache-2.0
 *
 * See vhost_memory.h.
 */
#define _GNU_SOURCE
#include "virtio/vhost_memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { PAGE = 4096 };

/* Zeros again, that take no memory. */
static bool clear(struct vhost_memory *memory, const struct vhost_region *region)
{
    return mmap(memory->window + region->guest, region->bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

void vhost_memory_unmap(struct vhost_memory *memory)
{
    while (memory->count > 0) (void)clear(memory, &memory->region[--memory->count]);
}

static bool overlaps(const struct vhost_region *a, const struct vhost_region *b)
{
    return a->guest < b->guest + b->bytes && b->guest < a->guest + a->bytes;
}

/* A file that is shorter than it says would end this program at the first touch. */
static bool reaches(int file, const struct vhost_region *region)
{
    struct stat status;
    return fstat(file, &status) == 0 && status.st_size >= 0 && region->offset <= (uint64_t)status.st_size &&
           region->bytes <= (uint64_t)status.st_size - region->offset;
}

static const char *defect(const struct vhost_memory *memory, const struct vhost_region *region, int file)
{
    if (region->guest % PAGE != 0 || region->bytes % PAGE != 0 || region->offset % PAGE != 0 || region->bytes == 0)
        return "it is not of whole pages";
    if (region->guest > memory->window_bytes || region->bytes > memory->window_bytes - region->guest)
        return "it does not fit: give the guest less memory";
    if (region->user > UINT64_MAX - region->bytes) return "its address is out of range";
    if (!reaches(file, region)) return "its file is shorter";
    for (uint32_t i = 0; i < memory->count; i++)
        if (overlaps(region, &memory->region[i])) return "it overlaps another";
    return NULL;
}

bool vhost_memory_map(struct vhost_memory *memory, const struct vhost_region *regions, const int *files, uint32_t count,
                      char message[256])
{
    vhost_memory_unmap(memory);
    for (uint32_t i = 0; i < count; i++) {
        const struct vhost_region *region = &regions[i];
        const char *wrong = i == VHOST_REGIONS_MOST ? "there are too many" : defect(memory, region, files[i]);
        if (wrong == NULL && mmap(memory->window + region->guest, region->bytes, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_FIXED, files[i], (off_t)region->offset) == MAP_FAILED)
            wrong = strerror(errno);
        if (wrong != NULL) {
            snprintf(message, 256, "guest memory at 0x%" PRIx64 " of %" PRIu64 " bytes is refused: %s.", region->guest,
                     region->bytes, wrong);
            vhost_memory_unmap(memory);
            return false;
        }
        memory->region[memory->count++] = *region;
    }
    return true;
}

uint8_t *vhost_memory_user(const struct vhost_memory *memory, uint64_t address, uint64_t bytes)
{
    for (uint32_t i = 0; i < memory->count; i++) {
        const struct vhost_region *region = &memory->region[i];
        if (address < region->user || address - region->user > region->bytes) continue;
        const uint64_t offset = address - region->user;
        if (bytes <= region->bytes - offset) return memory->window + region->guest + offset;
    }
    return NULL;
}

static uint8_t *at(void *context, uint64_t address, uint64_t bytes)
{
    const struct vhost_memory *memory = context;
    for (uint32_t i = 0; i < memory->count; i++) {
        const struct vhost_region *region = &memory->region[i];
        if (address < region->guest || address - region->guest > region->bytes) continue;
        if (bytes <= region->bytes - (address - region->guest)) return memory->window + address;
    }
    return NULL;
}

struct guest_memory vhost_memory_guest(struct vhost_memory *memory) { return (struct guest_memory){memory, at}; }
