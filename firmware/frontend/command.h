/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's messages other than SUBMIT. A client's are carried out in an order in which its LOCK sees the results of
 * everything that it submitted before (deferred.h); several of different clients may be under way.
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
    uint32_t passed; /* bit per entry of the table of deferred messages: a SUBMIT that it need not wait for */
    uint8_t behind;  /* the entry of one that it waits for, plus one; 0: none is known */
};

/* Its message is there; nothing has been done. */
static inline void command_begin(struct command *command)
{
    command->stage = COMMAND_START;
    command->passed = command->behind = 0;
}

/* A message of this code changes nothing but what it answers. */
static inline bool command_only_reads(uint32_t code)
{
    return code == (uint32_t)MSG_NOP || code == (uint32_t)MSG_QUERY_SEGMENT || code == (uint32_t)MSG_QUERY_ALLOCATION ||
           code == (uint32_t)MSG_QUERY_CONTEXT || code == (uint32_t)MSG_QUERY_STATISTICS;
}

/* Go on with the command. True: finished, *reply is the answer. False: it waits. `may_page`: no portion
 * holds the residency plan, so the command may make one. `test` is for the one self test that is under way. */
bool command_step(struct command *command, struct manager *manager, struct self_test *test, bool may_page,
                  struct reply *reply);

#endif
