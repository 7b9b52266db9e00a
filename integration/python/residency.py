#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A dozen pictures in memory for six: draws them, and shows where the manager has each of them after every frame.

    residency.py [model|simulator] [FRAMES]

A column is a frame, a row a picture: 1 and 2 a segment of memory, 3 behind the aperture, . the host's pages alone."""
import sys

import tessera
from tessera import BLIT, FORMAT

PICTURES, SIDE = 12, 64


def main(where='model', frames=10):
    # 16 KB each; segment 1 holds four of them and the screen, segment 2 two.
    with tessera.open(where, segment1_pages=32, segment2_pages=8) as gpu:
        # Neither may be used behind the aperture.
        screen = gpu.surface(SIDE * 2, SIDE, FORMAT.RGB565, read_set=3, write_set=3)
        pictures = [gpu.surface(SIDE, SIDE, read_set=3, write_set=3) for _ in range(PICTURES)]
        for i, picture in enumerate(pictures):
            picture.write(bytes([20 * i, 255 - 20 * i, 128, 200]) * SIDE * SIDE)
        seen = []
        for frame in range(frames):
            stream = gpu.stream()
            stream.fill(screen, 0, 0, screen.width, screen.height, 0)
            for i in range(PICTURES):
                stream.blit(screen, pictures[(frame + i) % PICTURES], x=SIDE * (i % 2), mode=BLIT.BLEND)
            gpu.submit(stream).wait()
            seen.append([picture.where()[0] for picture in pictures])
        for i in range(PICTURES):
            print(f'picture {i:2}  ', ' '.join('.123'[places[i]] for places in seen))
        counted = gpu.statistics()
        print(f'{counted["PORTIONS"]} portions of {counted["DMA_BUFFERS"]} DMA buffers, {counted["SPLITS"]} splits, '
              f'{counted["EVICTIONS"]} evictions')
        return counted, screen.read_bytes()


if __name__ == '__main__':
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
