/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's messages other than SUBMIT.
 *
 * A client's messages are carried out in an order in which its LOCK sees the results of everything that it submitted
 * before (deferred.h). Messages of several clients may be under way at once.
 */
#ifndef FIRMWARE_COMMAND_H
#define FIRMWARE_COMMAND_H

#include "schedule/manager.h"
#include "frontend/self_test.h"

enum command_stage {
    COMMAND_START,    /* nothing is done; may wait until no job refers to the allocation */
    COMMAND_EVICTING, /* its evictions are being built */
    COMMAND_DRAINING  /* waits until the paging node has done them */
};

struct command {
    uint32_t message[MESSAGE_WORDS];
    enum command_stage stage;
    uint32_t paging_fence;
    uint32_t passed; /* bit per entry of the table of deferred messages: a SUBMIT that it need not wait for */
    uint16_t looked; /* so many pages of its list, or the residents up to this index, have been looked at */
    uint8_t behind;  /* index plus one of a deferred message that it waits for; 0: none known */
    bool goes_on;    /* the last step has come to an end, and the next one need not wait */
};

/* A message has arrived and nothing is done. */
static inline void command_begin(struct command *command)
{
    command->stage = COMMAND_START;
    command->passed = command->looked = command->behind = 0;
}

/* May the message be carried out at once? One that only reads, an UNLOCK, a LOCK of what is idle: at any time. A
 * CREATE_ALLOCATION of few pages: unless work is paused. command_answer takes less than 1,500 cycles.
 * O(jobs + paging buffers). */
bool command_is_quick(const struct command *command, const struct manager *manager, bool is_paused);

/* Answer a quick one. */
void command_answer(struct command *command, struct manager *manager, struct reply *reply);

/* Continue a command; one that is not quick yields. True: finished, and *reply is the answer, OK or a refusal. False:
 * it waits; call again. `may_page`: no portion holds the residency plan, so the command may make one. `test`: the one
 * self test that can be under way. */
bool command_step(struct command *command, struct manager *manager, struct self_test *test, bool may_page,
                  struct reply *reply);

#endif
