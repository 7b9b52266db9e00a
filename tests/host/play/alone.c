/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that the recorder cannot record, for record.sh; each lives for three seconds. Compiled
 *
 *   alone-static   statically
 *   alone-within   with an SDL of its own (-DHAS_SDL_WITHIN): the recorder's functions are never asked
 */
#include <stdlib.h>
#include <unistd.h>

#ifdef HAS_SDL_WITHIN
int SDL_Init(unsigned flags);
/* As SDL does when it starts. */
int SDL_Init(unsigned flags) { return getenv("SDL_VIDEODRIVER") == NULL ? (int)flags : 0; }
#endif

int main(void)
{
#ifdef HAS_SDL_WITHIN
    (void)SDL_Init(0x20);
#endif
    sleep(3);
    return 0;
}
