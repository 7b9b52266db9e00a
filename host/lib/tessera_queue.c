/* SPDX-License-Identifier: Apache-2.0
 *
 * The two rings: messages in, completions out. A message in flight is found again by its tag; at most
 * TESSERA_OUTSTANDING exist. The ring can only be full while something is outstanding, so every wait ends with a
 * completion, a panic or the patience.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_names.h"
#include "lib/refusal.h"

_Static_assert(TESSERA_OUTSTANDING <= 1 << COMPLETE_RING_LOG2, "the completion ring cannot overflow");

/* ------------------------------------------------------------------ completions */

/* Free for another message. */
static void forget(struct tessera *tessera, struct outstanding *slot)
{
    slot->is_used = false;
    free(slot->refusal);
    slot->refusal = NULL;
    queue_count(tessera, -1);
}

void queue_count(struct tessera *tessera, int change)
{
    const bool was_any = tessera->flight_count != 0;
    tessera->flight_count += (uint32_t)change;
    const bool is_any = tessera->flight_count != 0;
    if (was_any != is_any && tessera->on_flight != NULL) tessera->on_flight(tessera->platform, is_any);
}

/* The DMA buffer of a SUBMIT, as it lies in its staging buffer, and its lists. The caller frees *copy. */
static bool staged_view(struct tessera *tessera, const struct outstanding *slot, struct stream_view *view,
                        uint32_t **copy)
{
    const uint32_t words = slot->message[MSG_SUBMIT_DMA_BYTES] / 4u, lists = slot->message[MSG_SUBMIT_LIST_COUNT];
    const uint32_t patches = slot->message[MSG_SUBMIT_PATCH_COUNT];
    const size_t list_words = (size_t)lists * GPU_LIMIT(LIST_ENTRY_WORDS);
    const size_t patch_words = (size_t)patches * GPU_LIMIT(PATCH_ENTRY_WORDS);
    *copy = malloc((words + list_words + patch_words + 1u) * sizeof **copy);
    if (*copy == NULL) return false;
    uint32_t *list = *copy + words, *patch = list + list_words;
    *view = (struct stream_view){*copy, list, patch, words, lists, patches, NULL};
    return link_read(tessera, slot->message[MSG_SUBMIT_DMA], *copy, words * 4u) == TESSERA_OK &&
           link_read(tessera, slot->message[MSG_SUBMIT_LIST], list, list_words * 4u) == TESSERA_OK &&
           link_read(tessera, slot->message[MSG_SUBMIT_PATCHES], patch, patch_words * 4u) == TESSERA_OK;
}

/* The sentence about a refusal, while the staging buffer still has what was refused. Without memory for it there is
 * none, and tessera_wait says less. */
static void note_refusal(struct tessera *tessera, struct outstanding *slot)
{
    const struct tessera_completion *answer = &slot->completion;
    struct stream_view view;
    uint32_t *copy = NULL;
    if (answer->status == STATUS_OK || answer->status == STATUS_BUSY) return;
    slot->refusal = malloc(REFUSAL_BYTES);
    if (slot->refusal == NULL) return;
    const bool has_view = slot->staging != 0 && staged_view(tessera, slot, &view, &copy);
    refusal_text(tessera, slot->message, has_view ? &view : NULL, answer->status, answer->detail, slot->refusal);
    free(copy);
}

static void take_completion(struct tessera *tessera, const uint32_t words[LIMIT_BITS_COMPLETION_WORDS])
{
    struct outstanding *slot = &tessera->outstanding[words[COMPLETION_TAG] % TESSERA_OUTSTANDING];
    if (!slot->is_used || slot->tag != words[COMPLETION_TAG])
        return; /* no call's: the device answered what was never asked */
    slot->is_done = true;
    slot->completion.status = words[COMPLETION_STATUS];
    slot->completion.detail = words[COMPLETION_DETAIL];
    slot->completion.fence = words[COMPLETION_FENCE];
    memcpy(slot->completion.words, words + 4, sizeof slot->completion.words);
    note_refusal(tessera, slot);
    if (tessera->fault_hooks != NULL) tessera->fault_hooks->answered(tessera, slot);
    if (slot->staging != 0) tessera_staging_free(tessera, slot->staging);
    slot->staging = 0;
    if (slot->is_abandoned) forget(tessera, slot);
}

int queue_collect(struct tessera *tessera, bool *progress)
{
    uint32_t tail = 0;
    *progress = false;
    /* Clear first: an entry that comes after the tail was read raises the line again. */
    int status = tessera_register_write(tessera, HOST_IRQ_STATUS_OFFSET, FIELD_PUT(1, HOST_IRQ_STATUS_COMPLETION));
    if (status == TESSERA_OK) status = tessera_register_read(tessera, HOST_COMPLETE_TAIL_OFFSET, &tail);
    if (status == TESSERA_OK && tail - tessera->complete_head > 1u << COMPLETE_RING_LOG2)
        return tessera_fail(tessera, TESSERA_PANIC, "the completion ring is inconsistent: head %u, tail %u.",
                            tessera->complete_head, tail);
    while (status == TESSERA_OK && tessera->complete_head != tail) {
        uint32_t words[LIMIT_BITS_COMPLETION_WORDS];
        uint32_t index = tessera->complete_head & field_mask(COMPLETE_RING_LOG2);
        status = link_read(tessera, COMPLETE_RING_ADDRESS + index * (uint32_t)sizeof words, words, sizeof words);
        if (status != TESSERA_OK) break; /* it stays in the ring */
        take_completion(tessera, words);
        tessera->complete_head++;
        *progress = true;
    }
    if (status == TESSERA_OK && *progress)
        status = tessera_register_write(tessera, HOST_COMPLETE_HEAD_OFFSET, tessera->complete_head);
    return status;
}

int queue_check_panic(struct tessera *tessera, const char *when)
{
    uint32_t code = 0, place = 0, cause = 0, address = 0;
    int status = tessera_register_read(tessera, HOST_PANIC_CODE_OFFSET, &code);
    if (status != TESSERA_OK || code == PANIC_NONE) return status;
    (void)tessera_register_read(tessera, HOST_PANIC_PLACE_OFFSET, &place);
    if (code != PANIC_TRAP)
        return tessera_fail(tessera, TESSERA_PANIC, "the firmware stopped%s: panic %u (%s) at 0x%x.", when, code,
                            panic_name(code), place);
    (void)tessera_register_read(tessera, HOST_PANIC_CAUSE_OFFSET, &cause);
    (void)tessera_register_read(tessera, HOST_PANIC_ADDRESS_OFFSET, &address);
    return tessera_fail(tessera, TESSERA_PANIC, "the firmware stopped%s: panic %u (%s) at 0x%x: %s, 0x%08x.", when,
                        code, panic_name(code), place, trap_name(cause), address);
}

static int stopped(struct tessera *tessera, int status)
{
    if (tessera->fault_hooks != NULL) tessera->fault_hooks->stopped(tessera, status);
    return status;
}

/* Take what has completed; if that is nothing, let the device work for a while. `*spent` counts cycles against the
 * patience. */
static int wait_a_slice(struct tessera *tessera, uint64_t *spent, bool *progress)
{
    enum { SLICE = 100000 };
    struct transport *transport = tessera->transport;
    int status = queue_collect(tessera, progress);
    if (status != TESSERA_OK || *progress) return status;
    status = queue_check_panic(tessera, "");
    if (status != TESSERA_OK) return stopped(tessera, status);
    if (*spent >= tessera->patience_cycles)
        return stopped(tessera,
                       tessera_fail(tessera, TESSERA_TIMED_OUT, "the device sent no completion within %llu cycles.",
                                    (unsigned long long)tessera->patience_cycles));
    uint64_t before = transport_cycles(transport);
    int result = transport->wait(transport->context, SLICE);
    if (result != TRANSPORT_OK)
        return tessera_fail(tessera, TESSERA_LINK, "waiting for a completion: %s",
                            transport->error[0] != 0 ? transport->error : "the link failed");
    uint64_t after = transport_cycles(transport);
    *spent += after > before ? after - before : SLICE;
    return TESSERA_OK;
}

/* Let the device work until something completes. */
static int wait_for_progress(struct tessera *tessera, uint64_t *spent)
{
    for (;;) {
        bool progress = false;
        int status = wait_a_slice(tessera, spent, &progress);
        if (status != TESSERA_OK || progress) return status;
    }
}

/* ------------------------------------------------------------------ messages */

/* NULL, with a message: there is none free. */
static struct outstanding *find_slot(struct tessera *tessera)
{
    for (unsigned tries = 0; tries < TESSERA_OUTSTANDING; tries++, tessera->next_tag++) {
        struct outstanding *candidate = &tessera->outstanding[tessera->next_tag % TESSERA_OUTSTANDING];
        if (candidate->is_used || tessera->next_tag == 0) continue;
        memset(candidate, 0, sizeof *candidate);
        candidate->is_used = true;
        candidate->tag = tessera->next_tag++;
        return candidate;
    }
    (void)tessera_fail(tessera, TESSERA_MISUSE, "%d messages are in flight or not waited for. Wait for one first.",
                       TESSERA_OUTSTANDING);
    return NULL;
}

static int ring_room(struct tessera *tessera)
{
    uint64_t spent = 0;
    for (;;) {
        if (tessera->submit_tail - tessera->submit_head < 1u << SUBMIT_RING_LOG2) return TESSERA_OK;
        int status = tessera_register_read(tessera, HOST_SUBMIT_HEAD_OFFSET, &tessera->submit_head);
        if (status != TESSERA_OK || tessera->submit_tail - tessera->submit_head < 1u << SUBMIT_RING_LOG2) return status;
        bool progress; /* what is taken may complete much later */
        status = wait_a_slice(tessera, &spent, &progress);
        if (status != TESSERA_OK) return status;
    }
}

int queue_send_staged(struct tessera *tessera, uint32_t message[16], uint32_t staging, tessera_ticket *ticket)
{
    int status = ring_room(tessera);
    if (status != TESSERA_OK) return status;
    struct outstanding *slot = find_slot(tessera);
    if (slot == NULL) return TESSERA_MISUSE;
    slot->staging = staging;
    message[0] |= message_word(0, tessera->client);
    tessera->senders |= 1ull << tessera->client;
    message[1] = slot->tag;
    memcpy(slot->message, message, sizeof slot->message);
    uint32_t index = tessera->submit_tail & field_mask(SUBMIT_RING_LOG2);
    status = link_write(tessera, SUBMIT_RING_ADDRESS + index * 64u, message, 64);
    if (status == TESSERA_OK) status = tessera_register_write(tessera, HOST_SUBMIT_TAIL_OFFSET, ++tessera->submit_tail);
    if (status != TESSERA_OK) slot->is_used = false;
    else queue_count(tessera, 1);
    *ticket = slot->tag;
    return status;
}

int tessera_send(struct tessera *tessera, uint32_t message[16], tessera_ticket *ticket)
{
    return queue_send_staged(tessera, message, 0, ticket);
}

static struct outstanding *find_ticket(struct tessera *tessera, tessera_ticket ticket)
{
    struct outstanding *slot = &tessera->outstanding[ticket % TESSERA_OUTSTANDING];
    return slot->is_used && slot->tag == ticket ? slot : NULL;
}

void queue_keep(struct tessera *tessera, tessera_ticket ticket, struct tessera_allocation *released)
{
    find_ticket(tessera, ticket)->released = released;
    released->is_released = true;
}

void queue_keep_lock(struct tessera *tessera, tessera_ticket ticket, struct tessera_allocation *locked)
{
    find_ticket(tessera, ticket)->locked = locked;
}

bool tessera_is_done(struct tessera *tessera, tessera_ticket ticket)
{
    bool progress;
    const struct outstanding *slot = find_ticket(tessera, ticket);
    if (slot == NULL || slot->is_done) return true;
    return queue_collect(tessera, &progress) == TESSERA_OK && slot->is_done;
}

/* The end of a call that waits. */
static int rested(struct tessera *tessera, int status)
{
    if (tessera->fault_hooks != NULL && status >= TESSERA_OK) tessera->fault_hooks->rest(tessera);
    return status;
}

int tessera_work(struct tessera *tessera, uint32_t cycles)
{
    bool progress = false;
    struct transport *transport = tessera->transport;
    int status = queue_collect(tessera, &progress);
    if (status == TESSERA_OK && !progress) {
        status = queue_check_panic(tessera, "");
        if (status != TESSERA_OK) return stopped(tessera, status);
    }
    if (status != TESSERA_OK || progress) return rested(tessera, status);
    if (transport->wait(transport->context, cycles) != TRANSPORT_OK)
        return tessera_fail(tessera, TESSERA_LINK, "letting the device work: %s",
                            transport->error[0] != 0 ? transport->error : "the link failed");
    return rested(tessera, queue_collect(tessera, &progress));
}

void (*queue_waits)(struct tessera *tessera);

static int wait_for(struct tessera *tessera, tessera_ticket ticket, struct tessera_completion *completion)
{
    uint64_t spent = 0;
    if (queue_waits != NULL) queue_waits(tessera);
    struct outstanding *slot = find_ticket(tessera, ticket);
    if (slot == NULL) return tessera_fail(tessera, TESSERA_MISUSE, "ticket %u was waited for already.", ticket);
    while (!slot->is_done) {
        int status = wait_for_progress(tessera, &spent);
        if (status != TESSERA_OK) return status;
    }
    if (completion != NULL) *completion = slot->completion;
    const uint32_t refused = slot->completion.status;
    char busy[REFUSAL_BYTES];
    if (refused == STATUS_BUSY) refusal_text(tessera, slot->message, NULL, refused, slot->completion.detail, busy);
    const char *text = refused == STATUS_BUSY ? busy : slot->refusal;
    if (refused != STATUS_OK && text != NULL) (void)tessera_fail(tessera, (int)refused, "%s", text);
    else if (refused != STATUS_OK)
        (void)tessera_fail(tessera, (int)refused, "%s: detail %u (0x%x)", status_name(refused), slot->completion.detail,
                           slot->completion.detail);
    forget(tessera, slot);
    if (slot->locked != NULL && slot->completion.status == STATUS_OK) slot->locked->is_locked = true;
    if (slot->released != NULL) slot->released->is_released = false;
    if (slot->released != NULL && slot->completion.status == STATUS_OK) {
        const int status = memory_release(tessera, slot->released);
        if (status != TESSERA_OK) return status;
    }
    return (int)refused;
}

int tessera_wait(struct tessera *tessera, tessera_ticket ticket, struct tessera_completion *completion)
{
    return rested(tessera, wait_for(tessera, ticket, completion));
}

bool queue_is_busy(struct tessera *tessera, int status, uint64_t *spent)
{
    bool progress;
    if (status != STATUS_BUSY || tessera->client == 0 || *spent >= tessera->patience_cycles) return false;
    return wait_a_slice(tessera, spent, &progress) == TESSERA_OK;
}

static int call_once(struct tessera *tessera, uint32_t message[16], struct tessera_completion *completion)
{
    tessera_ticket ticket;
    int status = tessera_send(tessera, message, &ticket);
    if (status != TESSERA_OK) return status;
    status = tessera_wait(tessera, ticket, completion);
    struct outstanding *slot = find_ticket(tessera, ticket);
    if (slot != NULL && slot->is_done) forget(tessera, slot);
    else if (slot != NULL) slot->is_abandoned = true; /* the link failed: the answer may still come */
    return status;
}

int tessera_call(struct tessera *tessera, uint32_t message[16], struct tessera_completion *completion)
{
    uint64_t spent = 0;
    int status;
    do status = call_once(tessera, message, completion);
    while (queue_is_busy(tessera, status, &spent));
    return status;
}

/* ------------------------------------------------------------------ staging buffers */

static uint32_t staging_bit(const struct tessera *tessera, uint32_t address)
{
    return 1u << (address - STAGING_ADDRESS) / tessera->staging_bytes;
}

static bool is_clients_staging(const struct tessera *tessera, uint32_t address)
{
    return (tessera->staging_clients & staging_bit(tessera, address)) != 0;
}

/* From now on it holds what is this client's. */
static void note_staging(struct tessera *tessera, uint32_t address)
{
    if (tessera->client != 0) tessera->staging_clients |= staging_bit(tessera, address);
    else tessera->staging_clients &= ~staging_bit(tessera, address);
}

static int take_staging(struct tessera *tessera, uint32_t *address)
{
    uint64_t spent = 0;
    for (;;) {
        for (uint32_t i = 0; i < STAGING_COUNT; i++) {
            if (!(tessera->staging_used & 1u << i)) {
                tessera->staging_used |= 1u << i;
                *address = STAGING_ADDRESS + i * tessera->staging_bytes;
                return TESSERA_OK;
            }
        }
        int status = wait_for_progress(tessera, &spent);
        if (status != TESSERA_OK) return status;
    }
}

/* What another client's DMA buffers and lists were is cleared before a program gets the buffer to read and write. */
int tessera_staging_take(struct tessera *tessera, uint32_t *address)
{
    int status = take_staging(tessera, address);
    if (status != TESSERA_OK || (tessera->client == 0 && !is_clients_staging(tessera, *address))) return status;
    status = memory_clear(tessera, *address, tessera->staging_bytes);
    if (status != TESSERA_OK) tessera_staging_free(tessera, *address);
    else note_staging(tessera, *address);
    return status;
}

void tessera_staging_free(struct tessera *tessera, uint32_t address)
{
    tessera->staging_used &= ~staging_bit(tessera, address);
}

/* ------------------------------------------------------------------ clients, contexts and submission */

int tessera_set_client(struct tessera *tessera, uint32_t client)
{
    int status = argument_check_client(tessera, "set_client", client);
    if (status == TESSERA_OK) tessera->client = client;
    return status;
}

int tessera_admit_client(struct tessera *tessera, uint32_t client)
{
    uint32_t message[16] = {MSG_ADMIT_CLIENT}, before = tessera->client;
    int status = argument_check_client(tessera, "admit_client", client);
    if (status != TESSERA_OK) return status;
    message[MSG_ADMIT_CLIENT_CLIENT] = client;
    tessera->client = 0;
    status = tessera_call(tessera, message, NULL);
    tessera->client = before;
    return status;
}

int queue_note(struct tessera *tessera, struct client_note **notes, uint32_t id)
{
    struct client_note *note = malloc(sizeof *note);
    if (note == NULL) return tessera_fail(tessera, TESSERA_NO_MEMORY, "out of memory");
    *note = (struct client_note){id, tessera->client, *notes};
    *notes = note;
    return TESSERA_OK;
}

void queue_forget(struct client_note **notes, uint32_t id)
{
    for (struct client_note **link = notes; *link != NULL; link = &(*link)->next) {
        struct client_note *note = *link;
        if (note->id != id) continue;
        *link = note->next;
        free(note);
        return;
    }
}

int tessera_context_create(struct tessera *tessera, uint32_t node, int32_t priority, uint32_t *context)
{
    uint32_t message[16] = {MSG_CREATE_CONTEXT};
    struct tessera_completion completion;
    message[MSG_CREATE_CONTEXT_NODE] = node;
    message[MSG_CREATE_CONTEXT_PRIORITY] = (uint32_t)priority;
    int status = argument_check_context(tessera, "context_create", node, priority);
    if (status == TESSERA_OK) status = tessera_call(tessera, message, &completion);
    if (status != TESSERA_OK) return status;
    *context = completion.words[REPLY_CREATE_CONTEXT_CONTEXT - 4];
    status = queue_note(tessera, &tessera->contexts, *context);
    if (status != TESSERA_OK) (void)tessera_context_destroy(tessera, *context);
    return status;
}

int tessera_context_destroy(struct tessera *tessera, uint32_t context)
{
    uint32_t message[16] = {MSG_DESTROY_CONTEXT};
    message[MSG_DESTROY_CONTEXT_CONTEXT] = context;
    int status = tessera_call(tessera, message, NULL);
    if (status == TESSERA_OK) queue_forget(&tessera->contexts, context);
    return status;
}

static int set_context(struct tessera *tessera, uint32_t context, uint32_t changes, int32_t priority, uint32_t budget)
{
    uint32_t message[16] = {MSG_SET_CONTEXT};
    message[MSG_SET_CONTEXT_CONTEXT] = context;
    message[MSG_SET_CONTEXT_CHANGES] = changes;
    message[MSG_SET_CONTEXT_PRIORITY] = (uint32_t)priority;
    message[MSG_SET_CONTEXT_BUDGET] = budget;
    return tessera_call(tessera, message, NULL);
}

int tessera_context_set_priority(struct tessera *tessera, uint32_t context, int32_t priority)
{
    int status = argument_check_context(tessera, "context_set_priority", 0, priority);
    return status != TESSERA_OK ? status : set_context(tessera, context, CONTEXT_PRIORITY, priority, 0);
}

int tessera_context_set_budget(struct tessera *tessera, uint32_t context, uint32_t pages)
{
    return set_context(tessera, context, CONTEXT_BUDGET, 0, pages);
}

int tessera_context_query(struct tessera *tessera, uint32_t context, struct tessera_share *share)
{
    uint32_t message[16] = {MSG_QUERY_CONTEXT};
    struct tessera_completion completion;
    message[MSG_QUERY_CONTEXT_CONTEXT] = context;
    int status = tessera_call(tessera, message, &completion);
    if (status != TESSERA_OK) return status;
    *share = (struct tessera_share){.share = completion.words[REPLY_QUERY_CONTEXT_SHARE - 4],
                                    .resident = completion.words[REPLY_QUERY_CONTEXT_RESIDENT - 4],
                                    .lost = completion.words[REPLY_QUERY_CONTEXT_LOST - 4],
                                    .taken = completion.words[REPLY_QUERY_CONTEXT_TAKEN - 4]};
    return TESSERA_OK;
}

static int stage(struct tessera *tessera, const struct stream_view *view, uint32_t address)
{
    int status = link_write(tessera, address, view->words, view->word_count * 4u);
    if (status == TESSERA_OK)
        status = link_write(tessera, address + tessera->staging_list, view->list,
                            view->list_count * GPU_LIMIT(LIST_ENTRY_WORDS) * 4u);
    if (status == TESSERA_OK && view->patch_count != 0)
        status = link_write(tessera, address + tessera->staging_patches, view->patches,
                            view->patch_count * GPU_LIMIT(PATCH_ENTRY_WORDS) * 4u);
    return status;
}

/* A stream may have been made for another device. */
static bool has_room_for(const struct tessera *tessera, const struct stream_view *view)
{
    const uint32_t list_room = tessera->staging_patches - tessera->staging_list;
    const uint32_t patch_room = tessera->staging_bytes - tessera->staging_patches;
    return view->word_count * 4u <= tessera->staging_list &&
           view->list_count * GPU_LIMIT(LIST_ENTRY_WORDS) * 4u <= list_room &&
           view->patch_count * GPU_LIMIT(PATCH_ENTRY_WORDS) * 4u <= patch_room;
}

void (*queue_submitted)(const struct stream_view *view);

int tessera_submit(struct tessera *tessera, uint32_t context, const struct tessera_stream *stream, uint32_t flags,
                   tessera_ticket *ticket)
{
    return tessera_submit_points(tessera, context, stream, flags, NULL, NULL, ticket);
}

void queue_points(uint32_t words[6], const struct tessera_point *wait, const struct tessera_point *signal)
{
    const struct tessera_point none = {0, 0},
                               *points[2] = {wait != NULL ? wait : &none, signal != NULL ? signal : &none};
    for (uint32_t i = 0; i < 2; i++) {
        words[3 * i] = points[i]->timeline;
        words[3 * i + 1] = (uint32_t)points[i]->value;
        words[3 * i + 2] = (uint32_t)(points[i]->value >> 32);
    }
}

int tessera_submit_points(struct tessera *tessera, uint32_t context, const struct tessera_stream *stream,
                          uint32_t flags, const struct tessera_point *wait, const struct tessera_point *signal,
                          tessera_ticket *ticket)
{
    struct stream_view view = stream_view(stream);
    uint32_t address = 0, message[16] = {MSG_SUBMIT};
    if (!has_room_for(tessera, &view))
        return tessera_fail(tessera, TESSERA_MISUSE,
                            "the stream is longer than this device was opened for. Split it, or open with larger "
                            "list_entries or dma_bytes.");
    int status = argument_check_submit(tessera, flags);
    if (status == TESSERA_OK) status = take_staging(tessera, &address);
    if (status != TESSERA_OK) return status;
    if (tessera->client != 0) note_staging(tessera, address);
    status = stage(tessera, &view, address);
    if (status != TESSERA_OK) {
        tessera_staging_free(tessera, address);
        return status;
    }
    if (queue_submitted != NULL) queue_submitted(&view);
    message[MSG_SUBMIT_CONTEXT] = context;
    message[MSG_SUBMIT_DMA] = address;
    message[MSG_SUBMIT_DMA_BYTES] = view.word_count * 4u;
    message[MSG_SUBMIT_LIST] = address + tessera->staging_list;
    message[MSG_SUBMIT_LIST_COUNT] = view.list_count;
    message[MSG_SUBMIT_PATCHES] = address + tessera->staging_patches;
    message[MSG_SUBMIT_PATCH_COUNT] = view.patch_count;
    message[MSG_SUBMIT_FLAGS] = flags;
    if (wait != NULL || signal != NULL) {
        message[MSG_SUBMIT_FLAGS] |= SUBMIT_FLAG_POINTS;
        queue_points(&message[MSG_SUBMIT_WAIT_TIMELINE], wait, signal);
    }
    for (uint32_t i = 1; i < view.list_count; i++)
        if (view.allocations[i] != NULL) view.allocations[i]->is_known_to_gpu = true;
    status = queue_send_staged(tessera, message, address, ticket);
    if (status != TESSERA_OK) tessera_staging_free(tessera, address);
    return status;
}
