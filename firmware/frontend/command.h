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
    uint8_t behind;  /* index plus one of a deferred message that it waits for; 0: none known */
};

/* A message has arrived and nothing is done. */
static inline void command_begin(struct command *command)
{
    command->stage = COMMAND_START;
    command->passed = command->behind = 0;
}

/* Does a message of this code change nothing? */
static inline bool command_only_reads(uint32_t code)
{
    return code == (uint32_t)MSG_NOP || code == (uint32_t)MSG_QUERY_SEGMENT || code == (uint32_t)MSG_QUERY_ALLOCATION ||
           code == (uint32_t)MSG_QUERY_CONTEXT || code == (uint32_t)MSG_QUERY_STATISTICS;
}

/* Continue a command. True: finished, and *reply is the answer, OK or a refusal. False: it waits; call again.
 * `may_page`: no portion holds the residency plan, so the command may make one. `test`: the one self test that can
 * be under way. */
bool command_step(struct command *command, struct manager *manager, struct self_test *test, bool may_page,
                  struct reply *reply);

#endif
