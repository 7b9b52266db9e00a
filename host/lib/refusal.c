/* SPDX-License-Identifier: Apache-2.0
 *
 * Refusals of messages. What is wrong inside a DMA buffer is in refusal_reason.c.
 */
#include "lib/refusal.h"

#include <stdio.h>
#include <string.h>

#include "gpu_names.h"

static const struct {
    uint32_t code, word;
    const char *name;
} message_fields[] = {
#define MSG_FIELD(msg, word, name, doc) {MSG_##msg, (word), #name},
#include "gpu.def"
};

static const char *status_doc(uint32_t status)
{
    static const char *const docs[] = {
#define STATUS(name, value, doc) [value] = (doc),
#include "gpu.def"
    };
    return status < sizeof docs / sizeof *docs && docs[status] != NULL ? docs[status] : "";
}

static const char *field_of(uint32_t code, uint32_t word)
{
    for (unsigned i = 0; i < sizeof message_fields / sizeof *message_fields; i++)
        if (message_fields[i].code == code && message_fields[i].word == word) return message_fields[i].name;
    return NULL;
}

/* What a program can do about it, where the status alone says so. */
static const char *advice(uint32_t status)
{
    switch (status) {
    case STATUS_BAD_CONTEXT: return " Create one with tessera_context_create; a destroyed one cannot be used.";
    case STATUS_OUT_OF_HANDLES: return " Destroy something, or open with larger limits (tessera_options).";
    case STATUS_NO_SEGMENT: return " Make it smaller, or allow larger segments in its sets.";
    case STATUS_LIST_LENGTH: return " Submit shorter ones, or open with larger limits (tessera_options).";
    case STATUS_TIMEOUT: return " Its context is lost: create another, and submit less at a time.";
    case STATUS_CONTEXT_LOST: return " Create another context.";
    case STATUS_WAS_STILL_DRAWING: return " Wait for the submissions that use it, or lock without DONT_WAIT.";
    case STATUS_LOCKED: return " Unlock it first.";
    case STATUS_NOT_LOCKED: return " Lock it first.";
    case STATUS_NOT_CPU_VISIBLE: return " Create it with ALLOCATION_CPU_VISIBLE.";
    case STATUS_OFFERED: return " Call tessera_reclaim.";
    case STATUS_CONTENT_LOST: return " Destroy it and create it again.";
    case STATUS_BUSY: return " Wait for some of them.";
    case STATUS_NOT_OWNER: return " Client 0 gives it with tessera_give_display.";
    case STATUS_NO_MODE: return " tessera_query_display says which modes tessera_set_mode can set.";
    case STATUS_NO_BANDWIDTH: return " Use a smaller mode or format, or turn the overlay off.";
    case STATUS_SHOWN: return " Flip to something else first.";
    case STATUS_BAD_TIMELINE: return " Create it with tessera_timeline_create; its owner may share it.";
    case STATUS_POINT_TIMEOUT: return " Signal it sooner, or create its timeline with a larger limit.";
    case STATUS_MINIMUMS: return " Lower another client's with tessera_client_limit.";
    case STATUS_TABLE_SHARE: return " Destroy some of its own.";
    case STATUS_BARRED: return " Client 0 calls tessera_admit_client.";
    default: return "";
    }
}

/* What a status says of a surface that is to be shown, where its own sentence is about drawing; NULL: nothing else. */
static const char *surface_reason(uint32_t code, uint32_t status)
{
    if (code != MSG_FLIP && code != MSG_SET_CURSOR) return NULL;
    switch (status) {
    case STATUS_EXTENT: return "The surface leaves its allocation: offset, pitch or size is too large.";
    case STATUS_UNSUPPORTED: return "A swizzled surface cannot be shown.";
    case STATUS_NO_SEGMENT:
        return "The display reads memory segments alone. Allow one that is large enough in its sets.";
    default: return NULL;
    }
}

static bool names_a_message_word(uint32_t status)
{
    return status == STATUS_BAD_ARGUMENT || status == STATUS_BAD_ADDRESS || status == STATUS_BAD_HANDLE ||
           status == STATUS_BAD_SEGMENT_SET || status == STATUS_NO_SEGMENT || status == STATUS_LIST_LENGTH ||
           status == STATUS_BAD_TIMELINE;
}

/* The table's own sentence, without what it says about the detail. */
static void plain_reason(const uint32_t message[16], uint32_t status, uint32_t detail, char *text, size_t size)
{
    const char *doc = status_doc(status), *end = strstr(doc, " Detail");
    const int length = (int)(end != NULL ? (size_t)(end - doc) : strlen(doc));
    const uint32_t code = message_code(message[0]);
    const char *field = names_a_message_word(status) ? field_of(code, detail) : NULL;
    const char *surface = surface_reason(code, status);
    int used = snprintf(text, size, "%s", message_name(code));
    if (used < 0 || (size_t)used >= size) return;
    text += used, size -= (size_t)used;
    if (surface != NULL && (status != STATUS_UNSUPPORTED || detail == 0)) snprintf(text, size, ": %s", surface);
    else if (field != NULL && detail < 16u)
        snprintf(text, size, ": %s is %u (0x%x). %.*s%s", field, message[detail], message[detail], length, doc,
                 advice(status));
    else if (status == STATUS_FAULT)
        snprintf(text, size, ": the engine stopped in the DMA buffer: %s. Its context is lost: create another.",
                 fault_name(detail));
    else if (end != NULL)
        snprintf(text, size, ": %.*s Detail: %u (0x%x).%s", length, doc, detail, detail, advice(status));
    else snprintf(text, size, ": %.*s%s", length, doc, advice(status));
}

void refusal_text(const struct tessera *tessera, const uint32_t message[16], const struct stream_view *view,
                  uint32_t status, uint32_t detail, char text[REFUSAL_BYTES])
{
    int used = snprintf(text, REFUSAL_BYTES, "%s: ", status_name(status));
    if (used < 0) return;
    char *rest = text + used;
    const size_t left = REFUSAL_BYTES - (size_t)used;
    if (view == NULL || !refusal_reason(tessera, view, status, detail, rest, left))
        plain_reason(message, status, detail, rest, left);
}
