/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's messages about clients: figures, limits, and the budget event. Without the firmware's region all of them
 * are answered UNSUPPORTED (client_absent.c).
 */
#ifndef FIRMWARE_CLIENT_COMMAND_H
#define FIRMWARE_CLIENT_COMMAND_H

#include "schedule/manager.h"

/* QUERY_CLIENT. Refuses NOT_ALLOWED, of another client's figures, unless client 0 asks (detail: the message code), and
 * BAD_ARGUMENT. O(1). */
struct reply client_query(struct manager *manager, const uint32_t message[MESSAGE_WORDS]);

/* SET_CLIENT. Refuses BAD_ARGUMENT, and MINIMUMS if the minimums of all clients, with what is pinned, would exceed the
 * segment. Yields. O(clients * residents) with minimums. */
struct reply client_set(struct manager *manager, const uint32_t message[MESSAGE_WORDS]);

/* WAIT_BUDGET. True: *reply is the answer: BUSY where it would wait and with it as many messages as the completion ring
 * has entries, since none could be taken to end it. False: it waits, and client_tell answers it. O(1). */
bool client_wait(struct manager *manager, const uint32_t message[MESSAGE_WORDS], struct reply *reply);

/* Answer those whose client has given way. To be called when clients.has_news of the residency. O(clients). */
void client_tell(struct manager *manager);

/* The id goes to another client: its counts begin again, and its budget event is over. Limits stay. O(1). */
void client_reset(struct manager *manager, uint32_t client);

#endif
