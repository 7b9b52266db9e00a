/* SPDX-License-Identifier: Apache-2.0
 *
 * What bringup.c (on the chip) and test_bringup.c (the host) agree on: places in system memory (bus
 * addresses) and words of the mail line.
 */
#ifndef TEST_BRINGUP_H
#define TEST_BRINGUP_H

#define BRINGUP_MAIL 0x00001000u     /* one line: word 0 host to chip, word 1 chip to host */
#define BRINGUP_SOURCE 0x00010003u   /* odd on purpose */
#define BRINGUP_TARGET 0x00020000u   /* what the aperture maps */
#define BRINGUP_SHIFT 5u             /* target offset in the aperture */
#define BRINGUP_SEGMENT2 0x00003000u /* offset in segment 2 */
#define BRINGUP_BYTES 9001u
#define BRINGUP_PAGES 3u
#define BRINGUP_HELLO 0x48454c4fu
#define BRINGUP_DONE 0x444f4e45u
#define BRINGUP_BYE 0x42594521u
#define BRINGUP_EXIT 42

#endif
