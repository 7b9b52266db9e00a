/* SPDX-License-Identifier: Apache-2.0
 *
 * Built-in self tests of the aperture that the host can ask for at any time: the documents' dummy-page check in
 * both modes and their coherency check (CNF-01, CNF-02). They use one free aperture page and a few words of
 * the dummy page, go through the DDI and the paging node like everything else, and disturb nothing.
 */
#ifndef FIRMWARE_SELF_TEST_H
#define FIRMWARE_SELF_TEST_H

#include "schedule/manager.h"

enum self_test_number { SELF_TEST_UNMAPPED = 1, SELF_TEST_CORRUPTION = 2, SELF_TEST_COHERENCY = 3, SELF_TEST_LAST = 3 };

enum { SELF_TEST_WORDS = 16 };

struct self_test {
    uint32_t saved[2 * SELF_TEST_WORDS]; /* of the dummy page: source area, target area */
    uint32_t saved_list;                 /* the word used as page list */
    uint32_t sum;                        /* of the rest of the dummy page */
    uint32_t round;                      /* rounds begun */
    uint32_t fence;                      /* of the round under way */
};

/* Its operations go into one paging buffer, which must be this large: four operations on one page. */
enum { SELF_TEST_PAGING_BYTES = 256 };

/* Is an aperture page free for it? */
bool self_test_has_page(struct manager *manager);
/* Begin round self_test->round of the test: false when no paging buffer is free now, and nothing has been
 * done. May be called when commands may page (see command.h) and a page is free. */
bool self_test_begin(struct self_test *self_test, struct manager *manager, uint32_t number);
/* The round is complete on the paging node: what it found, 0 = as it must be, else the step that failed. */
uint32_t self_test_check(struct self_test *self_test, struct manager *manager, uint32_t number);
/* Rounds of the test; the dummy page is as before after the last one's check. */
uint32_t self_test_rounds(uint32_t number);

#endif
