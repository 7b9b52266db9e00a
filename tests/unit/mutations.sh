#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Break one rule of the firmware at a time, in a copy, and prove that the tests notice. A mutation that no
# test catches is a failure, and so is one that changes nothing because the source has moved on.
# The first five are those that the model's section 4.6 names. Usage: mutations.sh [NAME ...], all without names;
# mutations.sh --apply: only whether each still changes its file.
set -u
names=" $* " only_applied=
if [ "$*" = --apply ]; then names="  " only_applied=yes; fi
out=build/unit/mutations
mkdir -p "$out/base"
flags="-std=c11 -O1 -Ispec -Ibuild -Ihost -Ihost/include -Imodel -Ifirmware -Itests/unit"
passed=0 failed=0

# Everything unmutated, once.
[ -n "$only_applied" ] || for source in $(find firmware -name '*.c' ! -name main.c ! -name hal_mmio.c) \
    model/device.c model/device_hal.c model/engine_model.c model/engine_packets.c model/pixel_model.c \
    tests/unit/client.c tests/unit/second_driver.c tests/unit/second_model.c tests/unit/fake_hal.c \
    $(ls tests/unit/{memory,plan,driver,schedule,whole}/test_*.c); do
    object=$out/base/$(basename "$source" .c).o
    newer=$(find firmware model spec host tests/unit build/gpu_hash.h -name '*.[hd]*' -newer "$object" 2>/dev/null)
    if [ ! -e "$object" ] || [ "$source" -nt "$object" ] || [ -n "$newer" ]; then
        gcc $flags -c -o "$object" "$source" || exit 1
    fi
done

# found FOLDER... -- NAME...: the tests of these folders, those named first: they notice most.
found() {
    local folders=()
    while [ "$1" != -- ]; do folders+=("tests/unit/$1"); shift; done; shift
    { printf '%s\n' "$@"; find "${folders[@]}" -name 'test_*.c' | sed 's,.*/test_,,; s,\.c$,,' | sort; } |
        awk '!seen[$0]++ && $0 != "soak"'
}
module_tests=$(found memory plan driver -- residency tables driver share splitter)
whole_tests=$(found schedule whole -- system commands contexts segment_description rows manager promises locks \
    scheduling recovery)

# mutate NAME FILE PERL-EXPRESSION: the expression edits the whole file at once.
mutate() {
    local name=$1 file=$2 expression=$3 base
    if [ -n "$only_applied" ]; then
        if [ -z "$expression" ]; then return; fi
        if perl -0pe "$expression" "$file" | cmp -s - "$file"; then
            echo "FAIL $name: the mutation no longer applies to $file"; failed=$((failed + 1))
        else passed=$((passed + 1)); fi
        return
    fi
    [ "$names" = "  " ] || case $names in *" $name "*) ;; *) return ;; esac
    base=$(basename "$file" .c)
    perl -0pe "$expression" "$file" >"$out/$base.c"
    if [ "$expression" != "" ] && cmp -s "$file" "$out/$base.c"; then
        echo "FAIL $name: the mutation no longer applies to $file"; failed=$((failed + 1)); return
    fi
    if ! gcc $flags -c -o "$out/$base.o" "$out/$base.c" 2>"$out/$name.log"; then
        echo "FAIL $name: does not compile, see $out/$name.log"; failed=$((failed + 1)); return
    fi
    local objects modules
    objects=$(ls "$out"/base/*.o | grep -v -e "/$base.o" -e /test_ -e fake_hal)
    modules=$(ls "$out"/base/*.o | grep -v -e "/$base.o" -e /test_ -e device -e client -e second_)
    # A test is linked when its turn comes: most mutations are noticed by one of the first.
    attempt() { # SECONDS TEST OBJECTS [ARGUMENTS]
        local wrap=
        [ "$2" != hostile ] || wrap=-Wl,--wrap=hal_register_read # as unit.mk links it
        gcc $wrap -o "$out/$2" $3 "$out/$base.o" "$out/base/test_$2.o" || return 1
        timeout "$1" "$out/$2" ${4:-}
    }
    if (ulimit -c 0
        for test in $module_tests; do attempt 30 "$test" "$modules" || exit 1; done
        for test in $whole_tests; do attempt 30 "$test" "$objects" || exit 1; done
        # Among worlds 551 to 600 is one where a preemption makes clean what is being copied out.
        attempt 100 soak "$objects" "1 300" && timeout 30 "$out/soak" 551 50) >"$out/$name.log" 2>&1; then
        [ "$expression" = "" ] && return
        echo "FAIL $name: no test noticed"; failed=$((failed + 1))
    elif [ "$expression" = "" ]; then
        echo "FAIL $name: the tests fail without any mutation, see $out/$name.log"; exit 1
    else
        echo "ok   $name"; passed=$((passed + 1))
    fi
}

names="  " mutate nothing-broken firmware/plan/splitter.c ''

mutate no-undo firmware/plan/splitter.c \
    's/(\s+unmark_fresh\(job, )entry(, end, residency\);)/ if (end - entry > 1) ++*reached;$1*reached$2/'
mutate no-pin firmware/plan/splitter.c \
    's/(planner = job->context;.*?)mark_carried\(splitter, residency\);/$1/s'
mutate early-eviction firmware/plan/splitter.c \
    's/(static void update_slot)/static struct residency *early;\n$1/;
     s/(ASSERT\(residency->journal_count == 0u &&)/early = residency;\n    $1/;
     s/(    splitter->slot\[patch->slot\] = patch->allocation)/    if (early != 0 && splitter->slot[patch->slot] != SLOT_EMPTY)
        early->mark[splitter->slot[patch->slot] & 0x3ff] = 0;\n$1/'
mutate no-exemption firmware/plan/splitter.c \
    's/splitter->slot\[job->patches\[i\]\.slot\] = SLOT_EMPTY;/(void)splitter;/'
mutate no-table-clear firmware/plan/splitter.c \
    's/splitter->slot\[i\] = splitter->carried\[i\] = SLOT_EMPTY/splitter->carried[i] = SLOT_EMPTY/'
mutate no-render-wait firmware/page/paging.c \
    's/paging->must_wait_render = true;/paging->must_wait_render = false;/'
mutate no-paging-wait firmware/schedule/scheduler.c \
    's/\.must_wait = [^,]*\(ddi->query_current_fence[^;]*?paging_fence\),/.must_wait = false,/'
mutate never-dirty firmware/schedule/scheduler.c \
    's/allocation_set\(entry, ALLOCATION_DIRTY\);//'
mutate lock-does-not-wait firmware/frontend/command.c \
    's/if \(is_used \|\| !may_page\) return false;\n        if \(way/if (!may_page) return false;\n        if (way/'
mutate lock-does-not-drain firmware/frontend/command.c \
    's/return fence_reached\(ddi->query_current_fence\(ddi->adapter, NODE_PAGING\), command->paging_fence\);/return true;/'
mutate buffer-reused-early firmware/page/paging.c \
    's/if \(!has_passed\(paging, NODE_PAGING, paging->buffer_fence\[paging->buffer\]\)\) return false;//'
mutate multipass-forgotten firmware/driver/driver_paging.c \
    's/arguments->multipass_offset \+= piece.bytes;/arguments->multipass_offset += done == 0u ? 2u * piece.bytes : piece.bytes;/'
mutate idle-not-held firmware/page/paging.c \
    's/ && !is_idle\(paging, entry\)\) return false;/ \&\& false) return false;/'
mutate tiles-mixed-up firmware/driver/driver_paging.c \
    's/y % tile_rows \* tile_row,/y % tile_rows * tile_row ^ 32u,/'
mutate offered-content-copied firmware/page/paging.c \
    's/\(entry->offer == 0u \|\| paging->keeps_offered\)/true/'
mutate wrap-unsafe-age firmware/policy/literal.c \
    's/0x80000000u - \(residency->next_fence - entry->last_fence\)/entry->last_fence/'
mutate rollback-forgets firmware/plan/residency.c \
    's/if \(action != ACTION_PLACE\) restore\(residency, allocation\);//'
mutate guard-not-granted firmware/schedule/portion_access.c 's/, 0, true, may_write\};/, 0, true, false};/'
mutate guard-not-revoked firmware/schedule/portion_access.c 's/pages, false, false\};/0, false, false};/'
mutate revoked-in-one-segment firmware/schedule/portion_access.c 's/access->granted \|= 1u/access->granted = 1u/'
mutate in-place-where-it-may-not-be firmware/plan/splitter.c \
    's/if \(\(allocation_segments[^;]*== 0u\)\s+return false;/(void)is_written;/'
mutate withheld-runs-too firmware/driver/engine.c \
    's/if \(is_withholding\) erase\(engine, start, at\);/if (is_withholding) (void)erase;/'
mutate begun-buffer-withheld firmware/driver/engine.c \
    's/has_run && !continues\(engine, fence\)/has_run/'
mutate overtaken-in-context firmware/schedule/preemption.c \
    's/scheduler->jobs\[scheduler->current\]\.is_withheld = true;/(void)0;/'
mutate withheld-take-room firmware/driver/driver.c \
    's/PREEMPTION_CUT && !has_fence &&/PREEMPTION_CUT \&\& false \&\&/'
mutate room-asked-twice firmware/page/paging.c \
    's/    submit\(paging\); \/\* can_submit/    if (!flush(paging)) hal_panic(PANIC_SUBMIT, 0); \/* can_submit/'
mutate promised-idle-too-early firmware/page/paging.c 's/return paging_is_quiet\(paging\) && ddi/return ddi/'
mutate hung-behind-the-last firmware/schedule/recovery.c \
    's/!watch->is_armed \|\|/scheduler->queue_count == 0u ||/'
mutate ok-without-having-run firmware/schedule/scheduler.c \
    's/ fail\(record, [^;]*; \/\* since the plan/ fail(record, (struct refusal){STATUS_OK, 0}); \/* since the plan/;
     s/is_executed = record->result.status == STATUS_OK/is_executed = !is_lost(scheduler, record)/'
mutate mapped-after-reset firmware/driver/driver.c 's/packet_unmap\(0, aperture_pages\(\)/packet_unmap(0, 0/'
mutate streak-inherited firmware/memory/share.c \
    's/(\.weight = weight & 0xffu, \.used_at = )table->turn - SHARE_TURNS/$1table->entry[context].used_at/'
mutate reset-without-request firmware/schedule/recovery.c \
    's/    watch->has_asked = true;\n/    return true;\n/'
mutate copies-out-forgotten firmware/page/paging_reset.c \
    's/lose_saved\(paging, buffer\);/(void)buffer;/'
mutate prepatched-trusted firmware/ddi/patch.c \
    's/(bool is_right = hal_command_read\(place\)) == value;/$1 != 0u;/'
mutate dirt-of-the-withheld firmware/schedule/preemption.c \
    's/    take_back_dirt\(scheduler, record\);/    (void)take_back_dirt;/'
mutate withheld-keep-fences firmware/driver/driver.c \
    's/push\(engine, packet_fence\(preemption->fence_id\)\);/push(engine, packet_fence(--preemption->fence_id));/'
mutate preemption-starves firmware/schedule/preemption.c \
    's/context_urgency\(contexts, urgent\) > than->urgency/true/; s/if \(record->passed > context->passed\) [^;]*;//'
mutate paging-comes-back-reversed firmware/page/paging_reset.c \
    's/buffer_at\(paging, age\);\n        const struct ddi_submit/buffer_at(paging, 3u - age);\n        const struct ddi_submit/'
mutate lock-of-lost-content firmware/frontend/command.c \
    's/return finish\(reply, STATUS_CONTENT_LOST, 0\); \/\* by/(void)0; \/* by/'
mutate marks-grow-old firmware/schedule/scheduler.c 's/    age_marks\(scheduler\);/    (void)age_marks;/'
mutate pool-overwritten firmware/schedule/scheduler_jobs.c \
    's/return need <= low - high; /return true; /'
mutate youngest-evicted firmware/policy/literal.c \
    's/rank_of\(residency, older\) > (rank_of\(residency, allocation\))/rank_of(residency, older) < $1/'
mutate room-not-cleared firmware/policy/window.c \
    's/if \(segment_stands_in\(map, owner, place->first,/if (map->link[owner].first > place->first \&\& $&/; s/&& if \(/\&\& /'
mutate soft-pin-ignored firmware/policy/literal.c \
    's/\(is_pressing \|\| !allocation_is_soft_pinned\(&residency->table, allocation\)\)/true/'
mutate slides-what-is-bound firmware/policy/window.c \
    's/may_slide && \(mark & MARK_KEPT\) == 0u &&/may_slide \&\&/'
mutate begun-eviction-dropped firmware/page/paging.c \
    's/if \(!is_begun && \(/if (((void)is_begun, 1) \&\& (/'
mutate placed-twice firmware/plan/residency.c \
    's/\*word = is_planned \? \*word \| bit : \*word & ~bit;/(void)word; (void)bit;/'
mutate draw-writes-nothing firmware/validate/access.c \
    's/patches\[binding->entry\]\.is_written = 1;/patches[binding->entry].is_written = 0;/'
mutate copy-writes-nothing firmware/validate/access.c \
    's/patches\[entry\]\.is_written = 1;/patches[entry].is_written = 0;/'
mutate slides-twice firmware/policy/window.c \
    's/ && !residency_is_planned\(residency, owner\);/;/'
mutate undone-move-stays firmware/plan/residency.c \
    's/if \(action != ACTION_PLACE\) restore/if (action == ACTION_EVICT) restore/'
mutate references-forgotten firmware/schedule/scheduler_jobs.c \
    's/add_references\(scheduler, &record->job, true\);/ /; s/ASSERT\(is_added \?[^\n]*\n//'
mutate preserve-triple-taken firmware/memory/segment_description.c 's/1u << 3 \| 1u << 5/1u << 3 | 1u << 5 | 1u << 7/'
mutate overlap-missed firmware/memory/segment_description.c 's/low->size <= high->base/low->size <= 4096u + high->base/'
mutate caps-unchecked firmware/memory/segment_description.c \
    's/\(caps & DDI_CAP_NO_DMA_PATCHING\) == 0u \|\| [^;]*;/true;/'
mutate global-limit-ignored firmware/plan/commit.c \
    's/> residency->table\.commit_limit\) \{/> UINT32_MAX - 1u) {/'
mutate limit-forgotten-by-trim firmware/plan/commit.c \
    's/return commit_mapped_pages\(residency\) \+ pages <= [^;]*;/return true;/'
mutate segment-limit-ignored firmware/gpu.c \
    's/min_u32\(segment->size, segment->commit_limit\)/segment->size/'
mutate dedicated-not-bounded firmware/memory/segment_description.c \
    's/totals\.dedicated_system_memory = min_u64[^;]*;//'
mutate preference-unchecked firmware/memory/allocation.c \
    's/ && \(set >> \(id - 1u\) & 1u\) != 0u\);/);/'
mutate slot-bits-dropped firmware/validate/validate.c \
    's/entry\[PATCH_SLOT_ID\] >= SLOT_LIMIT/(entry[PATCH_SLOT_ID] \& 0xffffffu) >= SLOT_LIMIT/'
mutate synchronous-ignored firmware/page/paging.c \
    's/\(entry->flags & ALLOCATION_SYNCHRONOUS_PAGING\) != 0u && /0 \&\& /'
mutate detour-through-what-leaves firmware/page/paging.c \
    's/if \(is_still_used\(paging, id, place\.first, entry->pages, &mapped\)\) continue;/mapped = 0; (void)is_still_used;/'
mutate detour-left-mapped firmware/page/paging.c \
    's/if \(paging->detour == DETOUR_COPY\) paging->detour = DETOUR_UNMAP;//'
mutate piece-from-the-start firmware/page/paging.c \
    's/\.mdl_offset = paging->transferred \/ \(uint32_t\)PAGE_BYTES/.mdl_offset = 0/'
mutate start-at-every-piece firmware/page/paging.c 's/if \(paging->transferred == 0u\) flags \|=/flags |=/'
mutate private-room-lost firmware/page/paging.c \
    's/        paging->arguments\.private_data = paging->private_data\[paging->buffer\];\n        return true;/        return true;/'
mutate no-progress-goes-on firmware/page/paging.c 's/if \(was_fresh && /if (0 \&\& /'
mutate busy-for-everything firmware/page/paging.c \
    's/if \(flags == NULL \|\| \(\*flags & DDI_TRANSFER_ALLOCATION_IS_IDLE\) != 0u\) hal_panic/if (0) hal_panic/'
mutate coherent-everywhere firmware/page/paging.c \
    's/return \(entry->flags & ALLOCATION_CACHED\) != 0u &&/return true ||/'
mutate write-back-left-out firmware/frontend/command.c \
    's/\(entry->flags & ALLOCATION_DIRTY\) != 0u \? LOCK_WRITE_BACK : LOCK_AT_ONCE/LOCK_AT_ONCE/'
mutate sync-ignored-everywhere firmware/frontend/command.c \
    's/ && !is_discard && allocation_stays_in_pages\(&residency->table, entry\);/ \&\& !is_discard;/'
mutate old-instance-taken firmware/memory/allocation.c 's/is_ordered = instance >= group->named;/is_ordered = true;/'
mutate refused-list-counts firmware/memory/allocation.c \
    's/else group->named = group->used;/else group->used = group->named;/'
mutate alignment-unlimited firmware/memory/allocation.c 's/ \|\| alignment > GPU_LIMIT\(ALIGNMENT_BYTES\)//'
mutate generation-of-8-bits firmware/memory/allocation.c \
    's/\(entry->generation \+ 1u\) & 0xffffu/(entry->generation + 1u) \& 0xffu/'
mutate bank-direction-ignored firmware/memory/bank.c \
    's/request\.is_from_end = \(left & BANK_HINT_FROM_END\) != 0u;//'
mutate banks-of-any-segment firmware/memory/bank.c \
    's/return entry->hinted_banks != 0u && [^;]*;/return entry->hinted_banks != 0u;/'
mutate list-from-its-start firmware/driver/driver_paging.c 's/ \+ index \* 4u; \}/; }/'
mutate bound-not-set firmware/driver/driver.c \
    's/(NODE_PAGE_BOUND_OFFSET[^;]*), driver->system_pages\)/$1, 0x80000u)/'
mutate tiles-trust-the-list firmware/driver/driver_paging.c 's/ \|\| frame >= driver->system_pages\)/)/'
mutate spoiled-list-counts firmware/schedule/recovery.c \
    's/ && !is_hosts\)/)/'
mutate aperture-base-forgotten firmware/driver/driver_paging.c \
    's/driver_first_page\(driver, map->segment_id\) \+ //'
mutate tiles-for-nobody firmware/driver/driver_paging.c 's/return arguments->allocation\.handle != 0u && /return /'
mutate clobbers-what-is-carried firmware/schedule/scheduler.c \
    's/if \(scheduler->splitter\.carried\[i\] == SLOT_EMPTY\) slots/slots/'

# With care, and in pieces.
mutate care-without-effect firmware/policy/window.c 's/if \(!is_careful \|\| room->cost <= ideal\) break;/break;/'
mutate moves-always-dear firmware/policy/window.c \
    's/return residency->is_timed \? STEP_MOVE : STEP_MOVE_UNTIMED;/(void)residency; return STEP_MOVE;/'
mutate older-portions-awaited firmware/policy/eviction_cost.c \
    's/return is_newest \? min_u32/return true ? min_u32/; s/const bool is_newest = [^;]*;//'
mutate one-piece firmware/schedule/scheduler_jobs.c \
    's/ &&\s+\(hal_cycles\(\) - begin < \(uint32_t\)SLICE_CYCLES \|\| has_urgent_behind\(scheduler\)\)\);/);/'
mutate lost-meanwhile firmware/validate/validate.c \
    's/if \(!is_content_there\(scratch, why\)\)/if (0 \&\& !is_content_there(scratch, why))/'
mutate urgent-behind-a-piece firmware/schedule/scheduler_jobs.c \
    's/\|\| has_urgent_behind\(scheduler\)\)/|| (0 \&\& has_urgent_behind(scheduler)))/'
mutate piece-left-out firmware/validate/validate.c \
    's/scratch->patches_taken \+= count;/scratch->patches_taken = scratch->job.patch_count;/'
mutate message-behind-is-taken firmware/gpu.c \
    's/(if \(gpu->is_examining\) \{\n\s+examine\(gpu\);)/$1\n if (gpu->is_examining) host_pop(\&gpu->manager.host);/'

# Shares: who is counted, what is whose due, who is spared, who goes first.
mutate pages-of-the-first-user firmware/plan/residency.c \
    's/(entry\[allocation\]\.owner) != residency->planner/$1 == NO_CONTEXT/'
mutate apertures-counted firmware/plan/residency.c \
    's/if \(is_in_memory\) share_count/share_count/;
     s/if \(allocation_is_in_memory\(&residency->table, entry\)\) \{/{/g'
mutate pages-outlive-their-context firmware/frontend/command.c \
    's/    residency_disown\(&manager->residency, index\);\n    share_close\([^\n]*\n//'
mutate evictions-for-nobody-count firmware/plan/residency.c \
    's/(share_evicted\(&residency->shares, entry->owner, )(residency->planner),/$1 $2 == NO_CONTEXT ? 0u : $2,/'
mutate weight-ignored firmware/memory/share.c 's/left \* table->entry\[context\]\.weight \/ weights/left \/ weights/'
mutate idle-contexts-share firmware/memory/share.c 's/ && table->turn - share->used_at < \(uint32_t\)SHARE_TURNS//'
mutate surplus-lost firmware/memory/share.c \
    's/division->left -= share->pages;/division->left -= division->left * share->weight \/ division->weights;/'
mutate planner-keeps-its-surplus firmware/memory/share.c 's/context == planner \|\| held\(/held(/'
mutate need-forgotten firmware/memory/share.c \
    's/i == planner \? table->entry\[i\]\.pages \+ need :/i == planner ? table->entry[i].pages :/'
mutate nobody-spared firmware/policy/eviction_cost.c \
    's/return has_spared && price_is_spared\(residency, allocation\) \?/return 0 ?/;
     s/const bool has_spared = [^;]*;/const bool has_spared = false;/'
mutate spared-never-leave firmware/policy/lookahead.c \
    's/ && room_search_harder\(residency, rules\)\);/);/'
mutate spared-leave-for-any-group firmware/policy/lookahead.c 's/ && residency->is_minimum && / \&\& /'
mutate waits-cost-where-no-time-counts firmware/policy/eviction_cost.c \
    's/!residency->is_timed \|\| residency->is_hurried/residency->is_hurried/'
mutate shares-never-off firmware/memory/share.c 's/!table->is_off && //'
mutate legacy-kept firmware/memory/share.c \
    's/context < \(uint32_t\)CONTEXT_LIMIT && //; s/\|\|\s+table->entry\[NO_CONTEXT\]\.pages != 0u/|| false/'
mutate streak-without-end firmware/schedule/scheduler.c 's/scheduler->streak < \(uint32_t\)STREAK && //'
mutate streak-of-literal firmware/schedule/scheduler.c 's/ is_ahead &&//; s/const bool is_ahead = [^;]*;//'
mutate peak-ignored firmware/memory/share.c 's/table->has_more \? table->entry\[context\]\.peak : //'
mutate nobody-uses-memory firmware/schedule/scheduler.c 's/    share_use\(&scheduler[^;]*;//'
mutate priority-kept firmware/frontend/command.c 's/manager->contexts\.entry\[index\]\.priority = [^;]*;//'
mutate never-cramped firmware/schedule/scheduler.c 's/\*is_cramped = !is_planned[^;]*;/(void)is_cramped;/'
mutate always-cramped firmware/schedule/scheduler.c \
    's/\*is_cramped && policy_looks_ahead/true \&\& policy_looks_ahead/'
mutate packed-in-order firmware/plan/fitting.c 's/if \(effort == EFFORT_PACKED\) return [^;]*;//'
mutate pinned-moves firmware/plan/fitting.c \
    's/ &&\s+\(residency->table.entry\[allocation\].flags & ALLOCATION_PINNED\) == 0u;/;/'
mutate gap-forgotten firmware/policy/window.c \
    's/made->hole_limit, gap\);/made->hole_limit, 0 * gap);/'
mutate failed-job-forgotten firmware/schedule/scheduler.c \
    's/(return record->state == JOB_DRAINING)/(void)record; return false;/; s/return false; && [^;]*;/return false;/'
mutate in-vain-and-back firmware/plan/residency.c \
    's/\} else if \(was_in_vain\) \{/} else if (false \&\& was_in_vain) {/'
mutate doomed-goes-at-once firmware/schedule/destruction.c 's/if \(entry->references != 0u\) continue;//'
mutate doomed-is-found firmware/memory/allocation.c \
    's/ && \(table->entry\[\*index\]\.flags & ALLOCATION_DOOMED\) == 0u;/;/'
mutate locked-is-doomed firmware/schedule/destruction.c \
    's/if \(allocation_is_locked\(&residency->table, index\)\) return false;//'
mutate doomed-keeps-hints firmware/memory/bank.c 's/ && \(entry->flags & ALLOCATION_DOOMED\) == 0u;/;/'
mutate destruction-does-not-drain firmware/schedule/destruction.c \
    's/destruction->paging_fence\)\)\s+return false;/0)) return false;/'
mutate doomed-is-forgotten firmware/schedule/destruction.c 's/ && ended_jobs == destruction->ended_jobs\)/)/'
mutate full-table-refuses firmware/frontend/command.c \
    's/\(why->status != STATUS_OUT_OF_HANDLES \|\| table->doomed_count == 0u\) &&//'
mutate never-dead firmware/policy/eviction_cost.c \
    's/return residency->future != \(uint8_t\)FUTURE_STALE &&/return false \&\&/'
mutate dead-is-copied firmware/page/paging.c \
    's/ && !residency_is_dead\(residency, allocation\);/;/'
mutate dead-though-needed firmware/policy/eviction_cost.c \
    's/ &&\s+lookahead_in\(residency\)->next_use\[allocation\] == NEXT_USE_UNKNOWN &&\n/ \&\&\n/'
mutate dead-before-it-is-over firmware/policy/eviction_cost.c \
    's/\(fence_reached\(residency->over_fence, residency->table.entry\[allocation\].last_fence\)/(true/'
mutate never-its-own firmware/plan/residency.c \
    's/return fence_reached\(use->last_fence, residency->table.entry\[allocation\].last_fence\);/return false;/'
mutate its-own-though-used-since firmware/plan/residency.c \
    's/return fence_reached\(use->last_fence, residency->table.entry\[allocation\].last_fence\);/return true;/'
mutate dropped-pattern-forgotten firmware/plan/residency.c \
    's/if \(\(entry->flags & ALLOCATION_UNSAVED\) != 0u\) allocation_set[^;]*;\s+else//'
mutate filled-by-nobody firmware/plan/residency.c 's/if \(residency->current != NULL\) bit_set[^;]*;//'
mutate own-only-when-planned firmware/plan/residency.c \
    's/if (\(\(entry->flags & ALLOCATION_UNSAVED\) != 0u\)) (a[^;]*;)\s+else (if [^;]*;)/$3 else if ($1) $2/'
mutate repeat-not-noted firmware/schedule/preemption.c 's/residency_note_repeat\([^;]*;//'
mutate lost-content-found-again firmware/schedule/preemption.c \
    's/ && record->result\.status != STATUS_CONTENT_LOST\)/)/'
mutate pattern-taken-back firmware/schedule/preemption.c \
    's/if \(\(entry->flags & ALLOCATION_UNSAVED\) == 0u\) alloc/alloc/'
mutate dead-while-used firmware/policy/eviction_cost.c \
    's/    if \(residency->mark\[allocation\] != 0u\) return false;\n//'
mutate dead-though-news-came firmware/plan/residency.c 's/residency->future = FUTURE_STALE;\n\}/(void)0;\n}/'
mutate budget-unchecked firmware/frontend/command.c 's/if \(has_budget && budget > [^)]*\)\s+return [^;]*;//'
mutate handle-of-others firmware/memory/allocation.c \
    's/(allocation_find\(table, handle, index\)) && table->entry\[\*index\]\.client == client;/$1;/'
mutate right-for-all firmware/memory/allocation.c 's/if \(i == \(uint32_t\)RIGHT_LIMIT\) return 0;//'
mutate right-outlives firmware/memory/allocation.c 's/table->rights\.used &= ~\(1u << i\);/(void)0;/'
mutate right-writes firmware/validate/validate.c 's/rights & RIGHT_WRITE && //'
mutate context-of-others firmware/schedule/context.c \
    's/(context_find\(table, id, index\)) && table->entry\[\*index\]\.client == client;/$1;/'
mutate evict-of-others firmware/frontend/command.c 's/\(client == 0u \|\| entry->client == client\) &&//'
mutate told-of-others firmware/schedule/scheduler_jobs.c 's/\.client == 0u\) \{/.client < 64u) {/'
mutate never-barred firmware/schedule/context.c 's/if \(entry->recoveries <= limit\) return;/return;/'
mutate barred-for-good firmware/frontend/command.c 's/manager->contexts\.clients\[client\] = [^;]*;//'
mutate barred-in-other-windows firmware/schedule/context.c 's/ \|\| \(\(now - entry->since\) & last\) > window\)/)/'
mutate barred-with-contexts firmware/schedule/context.c \
    's/(\.client == client\)) table->entry\[i\]\.is_lost = true;/$1 continue;/'
mutate host-barred firmware/schedule/context.c 's/client == 0u \|\| (entry->recoveries ==)/$1/'
mutate moving-is-nobodys firmware/schedule/recovery.c 's/ && !has_client//'
mutate undefined-unfilled firmware/page/paging.c \
    's/bytes_of\(entry\), entry->pattern, target/0, entry->pattern, target/'
mutate order-forgotten firmware/frontend/deferred.c 's/!\(overtakes && is_submit/!(is_submit/'
mutate order-of-locks firmware/frontend/deferred.c 's/overtakes && is_submit\(at\(deferred, i\)\)/overtakes/'
mutate overtakes-its-own firmware/frontend/deferred.c 's/if \(place == deferred->count\) return/if (place != deferred->count + 1u) return/'
mutate new-instance-overtakes firmware/frontend/deferred.c \
    's/\(code == \(uint32_t\)MSG_LOCK && command->message\[MSG_LOCK_PAGES\] == 0u\)/code == (uint32_t)MSG_LOCK/'
mutate list-looked-at-in-part firmware/validate/validate.c 's/first < words; first \+= PIECE_WORDS/first < min_u32(words, 1u); first += PIECE_WORDS/'
mutate unreadable-names-nothing firmware/validate/validate.c 's/\(hal_system_failed\(&failed\)\) return true/(hal_system_failed(\&failed)) return false/'
mutate locked-while-named firmware/gpu.c 's/ &&\s*validation_spares\(&gpu->scheduler.validation, index\)//'
mutate oldest-gives-way firmware/frontend/deferred.c 's/count < most\)/count <= most)/'
mutate nobody-gives-way firmware/frontend/deferred.c 's/most = own \+ 2u/most = 99u/'
mutate client-unbounded firmware/frontend/deferred.c 's/DEFERRED_HOST : DEFERRED_CLIENT/DEFERRED_HOST : DEFERRED_HOST/'
mutate overtaken-by-its-own firmware/gpu.c 's/ && deferred_count\(&gpu->deferred, client\) == 0u;/;/'
mutate submits-hold-up firmware/gpu.c 's/ && !has_others_behind\(gpu\)\) return false;\n    \}/) return false;\n    }/'
mutate locked-while-used firmware/frontend/command.c \
    's/if \(entry->references != 0u \|\| choose_way\([^)]*\) != LOCK_AT_ONCE\)/if (0)/'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
