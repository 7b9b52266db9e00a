#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Break one promise of paging buffers at a time in the firmware of second.elf, and prove that test_second notices on
# the chip. A mutation that nothing notices is a failure, and so is one that changes nothing because the source has
# moved on. Usage: second_mutations.sh COMPILE LINK OBJECTS-FOLDER [NAME ...]: the commands that make second.elf; all
# mutations without names. second_mutations.sh --apply: only whether each still changes its file.
set -u
only_applied=
if [ "$*" = --apply ]; then only_applied=yes; set -- '' '' ''; fi
compile=$1 link=$2 objects=$3
shift 3
names=" $* "
out=build/system/mutations
mkdir -p "$out"
passed=0 failed=0

# mutate NAME TEST FILE PERL-EXPRESSION: the expression edits the whole file; TEST of test_second has to fail.
mutate() {
    local name=$1 test=$2 file=$3 expression=$4 others
    [ "$names" = "  " ] || case $names in *" $name "*) ;; *) return ;; esac
    perl -0pe "$expression" "$file" >"$out/mutated.c"
    if cmp -s "$file" "$out/mutated.c"; then
        echo "FAIL $name: the mutation no longer applies to $file"; failed=$((failed + 1)); return
    fi
    if [ -n "$only_applied" ]; then passed=$((passed + 1)); return; fi
    others=$(ls "$objects"/*/*.o "$objects"/*/*/*.o | grep -v "/${file%.c}.o")
    if ! $compile -c -o "$out/mutated.o" "$out/mutated.c" 2>"$out/$name.log" ||
        ! $link -o "$out/second.elf" firmware/platform/start.S $others "$out/mutated.o" 2>>"$out/$name.log"; then
        echo "FAIL $name: does not build, see $out/$name.log"; failed=$((failed + 1)); return
    fi
    if timeout 300 build/system/test_second --only "$test" --first 1 --firmware "$out/second.elf" \
        >"$out/$name.log" 2>&1; then
        echo "FAIL $name: test_second did not notice"; failed=$((failed + 1))
    else
        echo "ok   $name: $(grep -m 1 -E '^FAILED|^[A-Z]{3}-[0-9]' "$out/$name.log" | cut -c 1-90)"
        passed=$((passed + 1))
    fi
}

mutate partial-not-submitted exchange firmware/page/paging.c `# PGB-05` \
    's/paging->is_full = !flush\(paging\);/paging->is_full = paging->is_open = false;/'
mutate multipass-restarts exchange firmware/page/paging.c `# PGB-07` \
    's/    uint32_t pass = arguments->multipass_offset;/    if (was_fresh) arguments->multipass_offset = 0;\n$&/'
mutate size-not-set-anew exchange firmware/page/paging.c `# PGB-09` \
    's/    arguments->dma_size = start \+ paging/'\
'    if (arguments->multipass_offset == 0u) arguments->dma_size = start + paging/'
mutate private-data-not-set-anew exchange firmware/page/paging.c `# PGB-09` \
    's/    arguments->private_data = paging->private_data\[paging->buffer\];\n    paging->is_open/'\
'    if (paging->last_fence == 0u) $&/'
mutate no-progress-goes-on fatal firmware/page/paging.c `# PGB-10` \
    's/if \(was_fresh && /if (was_fresh \&\& 0 \&\& /'
mutate operations-not-batched exchange firmware/page/paging.c `# PGB-11, PGB-12` \
    's/(case DDI_SUCCESS: complete_operation\(paging, allocation\);)/$1 (void)flush(paging);/'
mutate buffers-unaligned exchange firmware/page/paging.c `# PGB-12` \
    's/\(uint32_t\)PAGING_STRIDE/2048u/'
mutate size-changed exchange firmware/page/paging.c `# PGB-13` \
    's/\.dma_buffer_size = bytes,/.dma_buffer_size = paging->setup.buffer_bytes,/'
mutate words-changed exchange firmware/page/paging.c `# PGB-13` \
    's/    ASSERT\(bytes <= paging->setup\.buffer_bytes\);[^\n]*\n/'\
'$&    hal_command_write(start, hal_command_read(start) ^ 0x80000000u);\n/'
mutate start-at-every-piece exchange firmware/page/paging.c `# PGB-14` \
    's/if \(paging->transferred == 0u\) flags \|=/flags |=/'
mutate start-begins-anew exchange firmware/driver/driver_paging.c `# PGB-15` \
    's/    uint32_t page = 0; /'\
'    if ((transfer->flags & DDI_TRANSFER_START) != 0u) arguments->multipass_offset = 0;\n$&/'
mutate transfer-left-open exchange firmware/page/paging.c `# PGB-16, PGB-17` \
    's/if \(paging->transferred < bytes_of\(entry\)\) return true;/'\
'if (paging->transferred < bytes_of(entry)) return false;/'
mutate page-left-out exchange firmware/page/paging.c `# PGB-17` \
    's/paging->transferred \+= arguments/paging->transferred += (uint32_t)PAGE_BYTES + arguments/'
mutate arguments-change exchange firmware/page/paging.c `# PGB-22` \
    's/    case DDI_INSUFFICIENT_DMA_BUFFER:\n/'\
'$&        if (arguments->operation == DDI_TRANSFER) arguments->u.transfer.mdl_offset++;\n/'
mutate busy-discard-is-fatal exchange firmware/page/paging.c `# PGB-25` \
    's/if \(flags == NULL \|\|/if (flags == NULL || arguments->operation == DDI_DISCARD_CONTENT ||/'
mutate idle-while-rendering exchange firmware/page/paging.c `# PGB-26` \
    's/return has_passed\(paging, NODE_RENDER, entry->last_fence\) &&\s+/'\
'(void)entry;\n    return /'
mutate never-idle exchange firmware/page/paging.c `# PGB-26` \
    's/        \*idle_flags\(paging\) \|= [^\n]*\n//'
mutate idle-not-held passes firmware/page/paging.c `# PGB-27` \
    's/ && !is_idle\(paging, entry\)\) return false;/ \&\& false) return false;/'
mutate batch-not-flushed exchange firmware/page/paging.c `# PGB-28` \
    's/if \(!flush\(paging\) \|\| !is_idle\(paging, entry\)\) return false;/'\
'if (!is_idle(paging, entry)) return false;/'
mutate busy-for-everything fatal firmware/page/paging.c `# PGB-29` \
    's/if \(flags == NULL \|\| \(\*flags & DDI_TRANSFER_ALLOCATION_IS_IDLE\) != 0u\) hal_panic/if (0) hal_panic/'
mutate other-codes-go-on fatal firmware/page/paging.c `# PGB-29` \
    's/    case DDI_NOT_SUPPORTED:\n    default: hal_panic\(PANIC_DRIVER, status\);/'\
'    case DDI_NOT_SUPPORTED:\n    default: return true;/'
mutate unmapped-in-use apertures firmware/page/paging.c `# PGB-38` \
    's/    paging->must_wait_render = true;/    paging->must_wait_render = false;/'
mutate special-lock-transfer exchange firmware/page/paging.c `# PGB-43` \
    's/(uint32_t through = paging->detour_segment;\n    paging->arguments\.operation = )DDI_TRANSFER/'\
'$1(enum ddi_operation)7/'
mutate tiles-through-aperture swizzled firmware/page/paging.c `# PGB-44` \
    's/        transfer->destination\.segment_id = through;/'\
'        transfer->flags &= ~(uint32_t)DDI_TRANSFER_UNSWIZZLE;\n$&/'
mutate call-inside-a-call exchange tests/unit/second_driver.c `# PGB-48` \
    's/    driver->calls\+\+;/$&\n    (void)second_gpu()->manager.ddi.query_engine_status(adapter, NODE_RENDER);/'
mutate page-not-accounted exchange firmware/memory/segment.c `# the validators` \
    's/    segment->used_pages = \(uint16_t\)\(segment->used_pages - map->link\[owner\]\.count\);\n//'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
