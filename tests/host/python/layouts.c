/* SPDX-License-Identifier: Apache-2.0
 *
 * Structures of the public headers as this compiler lays them out: "NAME SIZE", and for each member of it "NAME MEMBER
 * OFFSET SIZE". test_tessera.py holds those of the package against them.
 */
#include <stdio.h>

#include "tessera_device.h"
#include "tessera_stream.h"

#define WHOLE(name) printf("%s %zu\n", #name, sizeof(struct name))
#define MEMBER(name, member) \
    printf("%s %s %zu %zu\n", #name, #member, offsetof(struct name, member), sizeof(((struct name *)0)->member))

int main(void)
{
    WHOLE(tessera_options);
    MEMBER(tessera_options, firmware);
    MEMBER(tessera_options, segment1_pages);
    MEMBER(tessera_options, segment2_pages);
    MEMBER(tessera_options, force);
    MEMBER(tessera_options, timeout_cycles);
    MEMBER(tessera_options, boot_options);
    MEMBER(tessera_options, commit_limit);
    MEMBER(tessera_options, allocations);
    MEMBER(tessera_options, contexts);
    MEMBER(tessera_options, list_entries);
    MEMBER(tessera_options, dma_bytes);
    MEMBER(tessera_options, seed);
    MEMBER(tessera_options, patience_cycles);
    MEMBER(tessera_options, abi);
    MEMBER(tessera_options, own_bytes);
    WHOLE(tessera_device_options);
    MEMBER(tessera_device_options, seed);
    MEMBER(tessera_device_options, latency);
    MEMBER(tessera_device_options, stall_percent);
    MEMBER(tessera_device_options, max_cycles);
    MEMBER(tessera_device_options, keeps_firmware);
    MEMBER(tessera_device_options, memory_bytes);
    MEMBER(tessera_device_options, memory);
    MEMBER(tessera_device_options, memory_descriptor);
    WHOLE(tessera_allocation_options);
    MEMBER(tessera_allocation_options, bytes);
    MEMBER(tessera_allocation_options, alignment);
    MEMBER(tessera_allocation_options, flags);
    MEMBER(tessera_allocation_options, preferred);
    MEMBER(tessera_allocation_options, read_set);
    MEMBER(tessera_allocation_options, write_set);
    MEMBER(tessera_allocation_options, eviction_set);
    MEMBER(tessera_allocation_options, priority);
    MEMBER(tessera_allocation_options, pitch);
    MEMBER(tessera_allocation_options, height);
    MEMBER(tessera_allocation_options, levels);
    MEMBER(tessera_allocation_options, pattern);
    MEMBER(tessera_allocation_options, context);
    MEMBER(tessera_allocation_options, address);
    MEMBER(tessera_allocation_options, pages);
    MEMBER(tessera_allocation_options, page_count);
    WHOLE(tessera_segment);
    MEMBER(tessera_segment, flags);
    MEMBER(tessera_segment, base);
    MEMBER(tessera_segment, bytes);
    MEMBER(tessera_segment, commit_limit);
    WHOLE(tessera_residence);
    MEMBER(tessera_residence, segment);
    MEMBER(tessera_residence, offset);
    MEMBER(tessera_residence, reason);
    WHOLE(tessera_completion);
    MEMBER(tessera_completion, status);
    MEMBER(tessera_completion, detail);
    MEMBER(tessera_completion, fence);
    MEMBER(tessera_completion, words);
    WHOLE(tessera_surface);
    MEMBER(tessera_surface, allocation);
    MEMBER(tessera_surface, offset);
    MEMBER(tessera_surface, format);
    MEMBER(tessera_surface, pitch);
    MEMBER(tessera_surface, bytes);
    MEMBER(tessera_surface, is_target);
    MEMBER(tessera_surface, width);
    MEMBER(tessera_surface, height);
    WHOLE(tessera_blit);
    MEMBER(tessera_blit, target);
    MEMBER(tessera_blit, source);
    MEMBER(tessera_blit, mode);
    MEMBER(tessera_blit, target_x);
    MEMBER(tessera_blit, target_y);
    MEMBER(tessera_blit, source_x);
    MEMBER(tessera_blit, source_y);
    MEMBER(tessera_blit, width);
    MEMBER(tessera_blit, height);
    MEMBER(tessera_blit, value);
    MEMBER(tessera_blit, rop);
    MEMBER(tessera_blit, key);
    MEMBER(tessera_blit, is_premultiplied);
    MEMBER(tessera_blit, is_reverse);
    MEMBER(tessera_blit, is_keyed);
    MEMBER(tessera_blit, is_coloured);
    MEMBER(tessera_blit, is_truncated);
    MEMBER(tessera_blit, is_by_256);
    MEMBER(tessera_blit, is_alpha_zero);
    WHOLE(tessera_affine);
    MEMBER(tessera_affine, blit);
    MEMBER(tessera_affine, source_width);
    MEMBER(tessera_affine, source_height);
    MEMBER(tessera_affine, u);
    MEMBER(tessera_affine, v);
    MEMBER(tessera_affine, u_x);
    MEMBER(tessera_affine, v_x);
    MEMBER(tessera_affine, u_y);
    MEMBER(tessera_affine, v_y);
    MEMBER(tessera_affine, is_transparent);
    MEMBER(tessera_affine, is_repeated);
    MEMBER(tessera_affine, is_filtered);
    WHOLE(tessera_place);
    MEMBER(tessera_place, allocation);
    MEMBER(tessera_place, offset);
    MEMBER(tessera_place, slot);
    WHOLE(tessera_display);
    MEMBER(tessera_display, modes);
    MEMBER(tessera_display, columns);
    MEMBER(tessera_display, rows);
    MEMBER(tessera_display, frame);
    MEMBER(tessera_display, is_owner);
    WHOLE(tessera_flip);
    MEMBER(tessera_flip, plane);
    MEMBER(tessera_flip, allocation);
    MEMBER(tessera_flip, offset);
    MEMBER(tessera_flip, pitch);
    MEMBER(tessera_flip, format);
    MEMBER(tessera_flip, when);
    MEMBER(tessera_flip, frame);
    MEMBER(tessera_flip, context);
    MEMBER(tessera_flip, after);
    MEMBER(tessera_flip, x);
    MEMBER(tessera_flip, y);
    MEMBER(tessera_flip, width);
    MEMBER(tessera_flip, height);
    MEMBER(tessera_flip, mix);
    MEMBER(tessera_flip, value);
    WHOLE(tessera_blank);
    MEMBER(tessera_blank, frame);
    MEMBER(tessera_blank, cycle);
    return 0;
}
