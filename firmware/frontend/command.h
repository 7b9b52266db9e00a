/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's messages other than SUBMIT. One is carried out at a time; the ones behind it wait in the
 * host's ring, so a LOCK sees the results of everything submitted before it. Only a NOP does not wait for it.
 */
#ifndef FIRMWARE_COMMAND_H
#define FIRMWARE_COMMAND_H

#include "schedule/manager.h"
#include "frontend/self_test.h"

enum command_stage {
    COMMAND_START,    /* nothing done; may wait for references to end */
    COMMAND_EVICTING, /* its evictions are being built */
    COMMAND_DRAINING  /* waits for the paging node to have done them */
};

struct command {
    uint32_t message[MESSAGE_WORDS];
    enum command_stage stage;
    uint32_t paging_fence;
    struct self_test self_test;
};

void command_begin(struct command *command, const uint32_t message[MESSAGE_WORDS]);

/* Go on with the command. True: finished, *reply is the answer. False: it waits. `may_page`: no portion
 * holds the residency plan, so the command may make one. */
bool command_step(struct command *command, struct manager *manager, bool may_page, struct reply *reply);

/* Something waits, and with it the messages behind it in the host's ring, from `first` on (0: it has left the ring, 1:
 * it is the oldest one there). A NOP depends on nothing, so it is answered all the same, if it is among the oldest
 * HOST_LOOK_LIMIT. False: there is nothing new to look at. Looks at a few messages. */
bool command_look_past(struct manager *manager, uint32_t first);

#endif
