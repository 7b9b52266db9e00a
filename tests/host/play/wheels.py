# SPDX-License-Identifier: Apache-2.0
"""Draw 12 frames for wheels.sh, by pygame or by PySDL2: wheels.py plain|scaled|surfaces|renderer"""
import sys

WIDTH, HEIGHT, SIDE, FRAMES = 160, 100, 24, 12


def pygame_frames(is_scaled):
    import pygame
    pygame.display.init()
    screen = pygame.display.set_mode((WIDTH, HEIGHT), pygame.SCALED if is_scaled else 0)
    sprite = pygame.Surface((SIDE, SIDE))
    sprite.fill((20, 200, 90))
    for frame in range(FRAMES):
        screen.fill((frame * 20, 60, 90))
        screen.blit(sprite, (frame * 5, 30))
        pygame.display.flip()


def sdl_frames(is_rendered):
    import sdl2
    sdl2.SDL_Init(sdl2.SDL_INIT_VIDEO)
    window = sdl2.SDL_CreateWindow(b"wheels", 0, 0, WIDTH, HEIGHT, 0)
    renderer = sdl2.SDL_CreateRenderer(window, -1, 0) if is_rendered else None
    screen = None if is_rendered else sdl2.SDL_GetWindowSurface(window)
    for frame in range(FRAMES):
        place = sdl2.SDL_Rect(frame * 5, 30, SIDE, SIDE)
        if is_rendered:
            sdl2.SDL_SetRenderDrawColor(renderer, frame * 20, 60, 90, 255)
            sdl2.SDL_RenderClear(renderer)
            sdl2.SDL_SetRenderDrawColor(renderer, 20, 200, 90, 255)
            sdl2.SDL_RenderFillRect(renderer, place)
            sdl2.SDL_RenderPresent(renderer)
        else:
            sdl2.SDL_FillRect(screen, None, frame * 0x140000 + 0x3c5a)
            sdl2.SDL_FillRect(screen, place, 0x14c85a)
            sdl2.SDL_UpdateWindowSurface(window)
    sdl2.SDL_Quit()


if sys.argv[1] in ("plain", "scaled"):
    pygame_frames(sys.argv[1] == "scaled")
else:
    sdl_frames(sys.argv[1] == "renderer")
