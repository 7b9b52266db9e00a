/* SPDX-License-Identifier: Apache-2.0
 *
 * Recordings for test_commands.c, written by host/record/recording_write.c.
 */
#ifndef TESTS_RECORDINGS_H
#define TESTS_RECORDINGS_H

/* mixed.tsdl: every kind of record, format and mode, surfaces larger than a band, 6 frames of 4 formats. few.tsdl: 2
 * frames with little in them. long.tsdl: 40 small frames. empty.tsdl: no frame. cut.tsdl: mixed.tsdl without its end.
 */
void write_recordings(const char *folder);

#endif
