/* SPDX-License-Identifier: Apache-2.0
 *
 * In the place of the display's files where core memory has no room for them (gpu-tcm.elf): there is no display.
 */
#include "display/display.h"
#include "display/panel.h"

struct display *display_create(struct tables *tables, struct manager *manager, struct scheduler *scheduler)
{
    (void)tables, (void)manager, (void)scheduler;
    return NULL;
}

enum display_outcome display_command(struct display *display, const uint32_t message[MESSAGE_WORDS],
                                     struct reply *reply)
{
    const uint32_t code = message_code(message[0]);
    (void)display;
    *reply = (struct reply){0};
    if (code == (uint32_t)MSG_QUERY_DISPLAY) return DISPLAY_ANSWERED;
    reply->status = STATUS_UNSUPPORTED;
    reply->detail = code;
    return DISPLAY_ANSWERED;
}

bool display_look(struct display *display) { return display != NULL; }
bool display_hold(struct display *display) { return display != NULL; }
bool display_has_work(struct display *display) { return display != NULL; }
bool display_bring_in(struct display *display) { return display != NULL; }
void panel_show(uint32_t mode, uint32_t code, uint32_t place) { (void)mode, (void)code, (void)place; }
