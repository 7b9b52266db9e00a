/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that the recorder cannot record, for record.sh; each lives for three seconds. Compiled
 *
 *   alone-static   statically
 *   alone-within   with an SDL of its own (-DHAS_SDL_WITHIN): the recorder's functions are never asked
 *   alone-three    against a library that is called SDL 3
 */
#include <stdlib.h>
#include <unistd.h>

#ifdef HAS_SDL_WITHIN
int SDL_Init(unsigned flags);
/* As SDL does when it starts. */
int SDL_Init(unsigned flags) { return getenv("SDL_VIDEODRIVER") == NULL ? (int)flags : 0; }
#endif
#ifdef NEEDS_SDL3
int SDL_Init(unsigned flags);
#endif

int main(void)
{
#if defined HAS_SDL_WITHIN || defined NEEDS_SDL3
    (void)SDL_Init(0x20);
#endif
    sleep(3);
    return 0;
}
