/* SPDX-License-Identifier: Apache-2.0
 *
 * How test_regs.c asks the core for a register access: one line of system memory. The host writes the
 * request and then SEQUENCE; the core answers with RESULT and then DONE = SEQUENCE.
 */
#ifndef TEST_MAILBOX_H
#define TEST_MAILBOX_H

enum { MAILBOX = 0x2000 }; /* bus address of the request line; the answer line follows */
enum { MAIL_SEQUENCE = 0, MAIL_OPERATION = 1, MAIL_ADDRESS = 2, MAIL_VALUE = 3 };
enum { MAIL_ANSWER = MAILBOX + 64, MAIL_DONE = 0, MAIL_RESULT = 1, MAIL_CAUSE = 2 };
enum { MAIL_READ = 1, MAIL_WRITE = 2, MAIL_WRITE_BYTE = 3, MAIL_READ_BYTE = 4, MAIL_LINES = 5 };

#endif
