/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what is read of a workload, what scaling and cutting leave of it, its yardsticks, the jobs that
 * a replay makes of it and what is said of damaged text change only where that is meant. Method: the families and
 * invented workloads, each as it is, scaled and cut; all that their structures hold and all that is written goes into
 * sums, and so does every message about text in which bytes were changed. tests/host/report/written holds the sums.
 *   test_pagesim_held FOLDER SUMS
 */
#include <inttypes.h>
#include <stdlib.h>

#include "families.h"
#include "held.h"
#include "lib/tessera_internal.h"
#include "tools/replay/replay_stream.h"

static void add(uint32_t *sum, const char *text)
{
    *sum = (uint32_t)crc32(*sum, (const uint8_t *)text, (uInt)strlen(text));
}

static void add_numbers(uint32_t *sum, const uint32_t *numbers, size_t count)
{
    char text[32];
    for (size_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%" PRIu32 " ", numbers[i]);
        add(sum, text);
    }
}

static void add_structure(uint32_t *sum, const struct pagesim *workload)
{
    const uint32_t counts[] = {workload->slots,        workload->segment_count, workload->allocation_count,
                               workload->buffer_count, workload->patch_count,   workload->step_count,
                               workload->member_count};
    add(sum, workload->name != NULL ? workload->name : "no name");
    add_numbers(sum, counts, sizeof counts / sizeof *counts);
    for (uint32_t i = 0; i < workload->segment_count; i++)
        add_numbers(sum, (const uint32_t[]){workload->segments[i].is_aperture, workload->segments[i].pages}, 2);
    for (uint32_t i = 0; i < workload->allocation_count; i++) {
        const struct pagesim_allocation *allocation = &workload->allocations[i];
        add_numbers(sum,
                    (const uint32_t[]){allocation->pages, allocation->segment, allocation->alignment_pages,
                                       allocation->init, allocation->is_temporary, allocation->first_step,
                                       allocation->last_step},
                    7);
    }
    for (uint32_t i = 0; i < workload->buffer_count; i++) {
        const struct pagesim_buffer *buffer = &workload->buffers[i];
        add_numbers(sum,
                    (const uint32_t[]){buffer->bytes, buffer->first_patch, buffer->patch_count, buffer->step_count}, 4);
    }
    for (uint32_t i = 0; i < workload->patch_count; i++) {
        const struct pagesim_patch *patch = &workload->patches[i];
        add_numbers(sum, (const uint32_t[]){patch->slot, patch->allocation, patch->split_offset, patch->is_written}, 4);
    }
    for (uint32_t i = 0; i < workload->step_count; i++) {
        const struct pagesim_step *step = &workload->steps[i];
        add_numbers(sum,
                    (const uint32_t[]){step->buffer, step->start, step->end, step->first_patch, step->patch_count,
                                       step->first_member, step->member_count, (uint32_t)(step->time * 1024)},
                    8);
    }
    for (uint32_t i = 0; i < workload->member_count; i++) {
        const struct pagesim_member *member = &workload->members[i];
        add_numbers(sum, (const uint32_t[]){member->allocation, member->is_written, member->is_sticky}, 3);
    }
}

static struct {
    uint32_t structures, yardsticks, files, refusals, jobs, long_jobs;
    uint32_t *of_jobs; /* the sum that jobs go into */
} held;

/* ------------------------------------------------------------------ the jobs that a replay makes of it */

enum { SURFACES = 512 };

static void take_job(const struct stream_job *job, const struct tessera_stream *stream)
{
    const uint32_t *parts[3];
    uint32_t words[3];
    tessera_stream_parts(stream, &parts[0], &words[0], &parts[1], &words[1], &parts[2], &words[2]);
    for (unsigned i = 0; i < 3; i++)
        *held.of_jobs = (uint32_t)crc32(*held.of_jobs, (const uint8_t *)parts[i], (uInt)(4u * words[i]));
    *held.of_jobs = (uint32_t)crc32(*held.of_jobs, (const uint8_t *)job->words, 4u * words[0]);
    add_numbers(held.of_jobs, job->offsets, job->step_count + 1u);
    add_numbers(held.of_jobs, job->draw_first, job->step_count + 1u);
    add_numbers(held.of_jobs,
                (const uint32_t[]){job->buffer, job->first_step, job->step_count, job->patch_count, job->unread,
                                   (uint32_t)job->draw_bytes},
                6);
    for (uint32_t i = 0; i < job->draw_first[job->step_count]; i++)
        add_numbers(held.of_jobs, (const uint32_t *)(const void *)&job->draws[i], sizeof *job->draws / 4u);
}

/* Every buffer, from its first step and, as after a step that failed, from another one. */
static void take_jobs(const struct pagesim *workload, uint32_t seed_of_content, double work)
{
    static struct tessera_allocation surfaces[SURFACES];
    struct tessera_allocation *allocations[SURFACES];
    char message[PAGESIM_MESSAGE] = "";
    if (workload->allocation_count + 2u > SURFACES || workload->step_count == 0) return;
    for (uint32_t i = 0; i < SURFACES; i++) {
        surfaces[i] = (struct tessera_allocation){.handle = 100 + i, .bytes = 1u << 30};
        allocations[i] = &surfaces[i];
    }
    const bool has_collector = workload->slots < PAGESIM_SLOTS && seed_of_content % 4u != 0;
    const struct stream_setup setup = {.workload = workload,
                                       .allocations = allocations,
                                       .collector_pages = 16,
                                       .collector_slot = has_collector ? (int)workload->slots : STREAM_NO_COLLECTOR,
                                       .work = work,
                                       .seed = seed_of_content};
    struct tessera_stream *stream = tessera_stream_create();
    for (uint32_t i = 0; i < workload->buffer_count; i++) {
        const struct pagesim_buffer *buffer = &workload->buffers[i];
        uint32_t end = buffer->first_step + buffer->step_count;
        for (uint32_t step = buffer->first_step; step < end; step += 1u + pick(buffer->step_count)) {
            struct stream_job job;
            add_numbers(held.of_jobs, (const uint32_t[]){stream_build(&setup, step, end, stream, &job, message)}, 1);
            if (message[0] != 0) break;
            take_job(&job, stream);
            passed++;
            stream_job_free(&job);
        }
        add(held.of_jobs, message);
        message[0] = 0;
    }
    tessera_stream_destroy(stream);
}

static void take(const struct pagesim *workload)
{
    char path[600], message[PAGESIM_MESSAGE] = "";
    size_t bytes;
    add_structure(&held.structures, workload);
    add_numbers(&held.yardsticks,
                (const uint32_t[]){pagesim_minimum_portions(workload), (uint32_t)pagesim_minimum_loads(workload),
                                   (uint32_t)pagesim_minimum_traffic(workload)},
                3);
    snprintf(path, sizeof path, "%s/pagesim-held.json", folder);
    passed += pagesim_write(workload, path, message);
    add(&held.files, (const char *)load(path, &bytes));
    held.of_jobs = &held.jobs;
    take_jobs(workload, workload->step_count, workload->patch_count % 5u * 700.0);
    const uint32_t next = seed;
    held.of_jobs = &held.long_jobs; /* the room in the buffer, and not the time, decides how much is drawn */
    take_jobs(workload, workload->step_count + 1u, 1e9);
    seed = next;
}

/* As it is, then smaller, then shorter. */
static void take_text(char *text, uint32_t divisor)
{
    char message[PAGESIM_MESSAGE] = "";
    struct pagesim *workload = pagesim_parse(text, strlen(text), "file", message);
    uint32_t grown = 0;
    if (workload == NULL) {
        failed++, printf("FAILED: %s\n", message);
        return;
    }
    take(workload);
    add_numbers(&held.structures, (const uint32_t[]){pagesim_scale(workload, divisor, &grown, message), grown}, 2);
    take(workload);
    add_numbers(&held.structures,
                (const uint32_t[]){pagesim_limit(workload, workload->buffer_count / 2u + 1u, message)}, 1);
    take(workload);
    pagesim_free(workload);
    free(text);
}

/* A buffer of hundreds of steps: the room that is left is shared out among those to come. */
static char *long_text(uint32_t steps)
{
    char *text = malloc(1u << 16);
    if (text == NULL) exit(2);
    size_t length = (size_t)sprintf(
        text, "{\"slots\":3,\"segments\":[{\"size\":65536}],\"allocs\":[{\"size\":4096},{\"size\":8192},"
              "{\"size\":8192},{\"size\":4096,\"temp\":true}],\"buffers\":[{\"len\":100000,\"patches\":[");
    for (uint32_t i = 0; i < steps; i++)
        length += (size_t)sprintf(text + length, "%s[%u,%u,%u,%u]", i > 0 ? "," : "", (unsigned)(i % 3u),
                                  (unsigned)(i / 3u % 4u), (unsigned)(i * 8u), i % 5u == 0);
    (void)sprintf(text + length, "]}]}");
    return text;
}

/* The words of a refusal hold json-c's, which versions of it change: what is ours ends before. */
static void damage(uint32_t rounds)
{
    uint32_t accepted = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        static const char pieces[] = "0123456789-.,:[]{}\"eEnul\\ \n\t\0xyz";
        char *text = random_text(round % 40u), message[PAGESIM_MESSAGE] = "";
        size_t length = strlen(text);
        for (uint32_t i = 0; i < 1u + round % 3u; i++) text[pick((uint32_t)length)] = pieces[pick(sizeof pieces - 1)];
        if (round % 7u == 0) length = pick((uint32_t)length);
        struct pagesim *workload = pagesim_parse(text, length, "file", message);
        char *foreign = strstr(message, "not JSON: ");
        if (foreign != NULL) *foreign = 0;
        add(&held.refusals, message);
        if (workload != NULL) add_structure(&held.refusals, workload);
        accepted += workload != NULL;
        pagesim_free(workload);
        free(text);
    }
    if (accepted > rounds / 20 && accepted < rounds / 2) passed++;
    else failed++, printf("FAILED: %" PRIu32 " of %" PRIu32 " damaged texts are read\n", accepted, rounds);
}

int main(int argc, char **argv)
{
    if (argc != 3) return printf("usage: test_pagesim_held FOLDER SUMS\n"), 2;
    folder = argv[1];
    sums = argv[2];
    for (uint32_t i = 0; i < 2u * FAMILY_COUNT; i++)
        take_text(family_text((enum family)(i % FAMILY_COUNT), 40 + i, 2), 2 + i % 4u);
    for (uint32_t i = 0; i < 120; i++) take_text(random_text(1000 + i), 2 + i % 3u);
    take_text(long_text(70), 2);
    take_text(long_text(700), 3);
    damage(4000);
    hold("pagesim-structures", held.structures);
    hold("pagesim-yardsticks", held.yardsticks);
    hold("pagesim-files", held.files);
    hold("pagesim-refusals", held.refusals);
    hold("pagesim-jobs", held.jobs);
    hold("pagesim-long-jobs", held.long_jobs);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
