/* SPDX-License-Identifier: Apache-2.0
 *
 * What the spoiled firmware (wild.c) does when the host writes one of these to HOST.SCRATCH. It answers there with the
 * address it is about to use.
 */
#ifndef TEST_WILD_H
#define TEST_WILD_H

enum wild {
    WILD_NOTHING,
    WILD_STORE_NULL,
    WILD_STORE_CODE,
    WILD_STORE_CONSTANT,
    WILD_STORE_COLD, /* code in the firmware's region */
    WILD_STORE_SEGMENT1,
    WILD_LOAD_SEGMENT2,
    WILD_STORE_APERTURE,
    WILD_STORE_BEYOND, /* the word after core memory */
    WILD_STORE_PAST,   /* the word after the firmware's region */
    WILD_STORE_HOLE,   /* where no space is */
    WILD_LOAD_HOLE,
    WILD_LOAD_ODD,
    WILD_JUMP_CONSTANT,
    WILD_JUMP_DATA,
    WILD_JUMP_STACK,
    WILD_JUMP_REGION, /* what is data of the firmware's region */
    WILD_JUMP_COMMAND,
    WILD_OVERFLOW, /* recursion without an end */
    WILD_ILLEGAL,
    WILD_EBREAK,
    WILD_KINDS
};

#endif
