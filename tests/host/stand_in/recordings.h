/* SPDX-License-Identifier: Apache-2.0
 *
 * Files for test_commands.c: recordings, written by host/tools/recording/recording_write.c, and a WAD file.
 */
#ifndef TESTS_RECORDINGS_H
#define TESTS_RECORDINGS_H

/* mixed.tsdl: every kind of record, format and mode, surfaces larger than a band, 6 frames of 4 formats. few.tsdl: 2
 * frames with little in them. long.tsdl: 40 small frames. empty.tsdl: no frame. cut.tsdl: mixed.tsdl without its end.
 */
void write_recordings(const char *folder);
/* few.wad: of a WAD file what a scene draws, and few of its walls and floors: it is read in a twentieth of the time. */
void write_wad(const char *folder, const char *whole);

#endif
