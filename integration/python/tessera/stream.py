# SPDX-License-Identifier: Apache-2.0
"""One DMA buffer, and what is drawn by it."""
from __future__ import annotations

import ctypes
from ctypes import byref
from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Set, Tuple, Union

from .arguments import named, whole
from .errors import refuse
from .library import Affine, Blit, Place, Surface as Binding, fitting, library
from .spec import BLIT, LIMIT_SLOTS
from .surface import Allocation, Surface

if TYPE_CHECKING:
    from .device import Device

FIRST_ROW = LIMIT_SLOTS - 3  # the last rows of the resource table are those of copies, fills and the palette
MAP = 'u', 'v', 'u_x', 'v_x', 'u_y', 'v_y'
Mode = Union[str, int, BLIT]


class Stream:
    """One DMA buffer with its lists. Slots are taken by themselves, the one longest unused first. Made by
    Device.stream.

    Rectangles have to lie inside their surfaces. A colour is one unit of the target's format: 0xAARRGGBB for ARGB8888,
    whose bytes in memory are B, G, R, A."""

    def __init__(self, gpu: Device, slots: int = 2) -> None:
        self._gpu, self._most = gpu, whole('slots', slots)
        if not 2 <= self._most <= FIRST_ROW:
            raise ValueError(f'{self._most} slots: 2 to {FIRST_ROW} are possible')
        self._slots: Dict[Tuple[Surface, bool], int] = {}
        self._names: Set[Allocation] = set()  # of all that it draws
        self._stream: Optional[ctypes.c_void_p] = ctypes.c_void_p(library.tessera_stream_create())
        if not self._stream:
            raise MemoryError('no memory is left for a stream')

    def __del__(self) -> None:
        if getattr(self, '_stream', None):
            library.tessera_stream_destroy(self._stream)

    def __repr__(self) -> str:
        return f'Stream({len(self)} bytes, {self.patches} patch locations)'

    def clear(self) -> None:
        """Empty it, for another DMA buffer."""
        library.tessera_stream_clear(self._stream)
        self._slots.clear()
        self._names.clear()

    def __len__(self) -> int:
        """Bytes of commands."""
        return int(library.tessera_stream_bytes(self._stream))

    def __bool__(self) -> bool:
        """True also while it is empty."""
        return True

    @property
    def patches(self) -> int:
        """Patch locations: places where the firmware writes an address."""
        return int(library.tessera_stream_patches(self._stream))

    def _must(self, status: int) -> None:
        if status != 0:
            refuse(status, library.tessera_stream_message(self._stream).decode())

    def _must_be_drawable(self, gpu: Device) -> None:
        """All that it names is still there, and this device's."""
        for allocation in self._names:
            allocation._held(gpu)

    def _named(self, allocation: Allocation, kind: type, role: str) -> ctypes.c_void_p:
        if not isinstance(allocation, kind):
            raise TypeError(f'{role} {allocation!r}: {"a Surface" if kind is Surface else "an Allocation"} is needed')
        self._must_be_drawable(self._gpu)
        held = allocation._held(self._gpu)
        self._names.add(allocation)
        return held

    def _slot(self, surface: Surface, is_target: bool) -> int:
        key = (surface, is_target)
        if key in self._slots:
            self._slots[key] = self._slots.pop(key)  # the one used last is the last
            return self._slots[key]
        slot = len(self._slots) if len(self._slots) < self._most else next(iter(self._slots.values()))
        self._must(library.tessera_stream_bind(self._stream, slot, byref(Binding(
            allocation=surface._allocation, format=surface.format, pitch=surface.pitch, bytes=surface.size,
            width=surface.width, height=surface.height, is_target=is_target))))
        self._slots = {k: s for k, s in self._slots.items() if s != slot}
        self._slots[key] = slot
        return slot

    def fill(self, target: Surface, x: int, y: int, width: int, height: int, colour: int) -> None:
        """Fill a rectangle with a colour."""
        self._named(target, Surface, 'target')
        target.must_hold(x, y, width, height)
        colour = fitting('colour', colour, ctypes.c_uint32)
        slot = self._slot(target, True)
        self._must(library.tessera_stream_fill_rect(self._stream, slot, x, y, width, height, colour))

    def _blit(self, target: Surface, source: Surface, mode: Mode, value: Optional[int], how: Dict[str, Any]) -> Blit:
        """The part that blit and blit_map share; binds both surfaces last, after all that Python refuses."""
        mode = named(BLIT, 'mode', mode)
        if value is None:
            value = 255 if mode in (BLIT.BLEND, BLIT.ADD) else 0
        wishes = Blit(mode=mode, value=value, is_alpha_zero=True, **how)
        wishes.target, wishes.source = self._slot(target, True), self._slot(source, False)
        return wishes

    def blit(self, target: Surface, source: Surface, x: int = 0, y: int = 0, source_x: int = 0, source_y: int = 0,
             width: Optional[int] = None, height: Optional[int] = None, mode: Mode = BLIT.COPY,
             value: Optional[int] = None, **how: Any) -> None:
        """Draw the source's rectangle (by default from source_x, source_y to its end) at x, y.

        `mode`: BLIT.BLEND or 'BLEND'. `value`: the packet's VALUE; of BLEND and ADD it is the constant alpha, 255 where
        none is given. More: is_premultiplied, is_keyed with key, is_coloured, is_reverse, is_truncated, is_by_256, and
        rop for ROP."""
        self._named(source, Surface, 'source')
        self._named(target, Surface, 'target')
        source_x, source_y = whole('source_x', source_x), whole('source_y', source_y)
        width = source.width - source_x if width is None else width
        height = source.height - source_y if height is None else height
        source.must_hold(source_x, source_y, width, height)
        target.must_hold(x, y, width, height)
        self._must(library.tessera_stream_blit(self._stream, byref(self._blit(target, source, mode, value, dict(
            target_x=x, target_y=y, source_x=source_x, source_y=source_y, width=width, height=height, **how)))))

    def blit_map(self, target: Surface, source: Surface, x: int = 0, y: int = 0, width: Optional[int] = None,
                 height: Optional[int] = None, source_x: int = 0, source_y: int = 0,
                 source_width: Optional[int] = None, source_height: Optional[int] = None,
                 at: Optional[Sequence[float]] = None, quarters: int = 0, is_mirrored: bool = False,
                 is_transparent: bool = False, is_repeated: bool = False, is_filtered: bool = False,
                 mode: Mode = BLIT.COPY, value: Optional[int] = None, **how: Any) -> None:
        """Scale, mirror or turn: draw the source's rectangle by an affine map to the target's (by default from x, y to
        its end).

        Without `at` the source's rectangle covers the target's. It is mirrored left to right where is_mirrored says so,
        then turned clockwise by so many quarters. `at` is a map of your own: u, v, u_x, v_x, u_y, v_y. Unit (i, j) of
        the target's rectangle is then column u + i * u_x + j * u_y, row v + i * v_x + j * v_y of the source's.

        Outside the source's rectangle the nearest unit inside is taken. With is_transparent nothing is drawn there,
        with is_repeated the rectangle is repeated. is_filtered: between four units; in a map of your own u and v are
        then half a unit less. The rest is as of blit, without is_reverse and rop."""
        self._named(source, Surface, 'source')
        self._named(target, Surface, 'target')
        x, y, quarters = whole('x', x), whole('y', y), whole('quarters', quarters)
        source_x, source_y = whole('source_x', source_x), whole('source_y', source_y)
        width = target.width - x if width is None else width
        height = target.height - y if height is None else height
        source_width = source.width - source_x if source_width is None else source_width
        source_height = source.height - source_y if source_height is None else source_height
        source.must_hold(source_x, source_y, source_width, source_height)
        target.must_hold(x, y, width, height)
        if at is not None and len(at) != len(MAP):
            raise ValueError(f'a map is {", ".join(MAP)}, not {len(at)} numbers')
        numbers = {} if at is None else {name: round(65536 * number) for name, number in zip(MAP, at)}
        affine = Affine(source_width=source_width, source_height=source_height, is_transparent=is_transparent,
                        is_repeated=is_repeated, is_filtered=is_filtered, **numbers)
        affine.blit = self._blit(target, source, mode, value, dict(
            target_x=x, target_y=y, source_x=source_x, source_y=source_y, width=width, height=height, **how))
        if not width or not height:
            return  # as blit, which draws nothing then
        if at is None and source_width and source_height:
            if library.tessera_affine_fit(byref(affine), quarters, is_mirrored) != 0:
                raise ValueError(f'{source_width} x {source_height} to {width} x {height}: 32767 is the most')
        self._must(library.tessera_stream_blit_affine(self._stream, byref(affine)))

    def palette(self, colours: Allocation, offset: int = 0) -> None:
        """Take the colours of FORMAT.INDEX8 from 256 words (0xAARRGGBB) of an allocation from here on, as they are when
        the buffer runs. The offset is a multiple of 256."""
        place = Place(allocation=self._named(colours, Allocation, 'colours'), offset=offset, slot=FIRST_ROW + 2)
        self._must(library.tessera_stream_palette(self._stream, byref(place)))

    def copy(self, target: Allocation, source: Allocation, size: int, target_offset: int = 0,
             source_offset: int = 0) -> None:
        """Copy bytes between two allocations."""
        to = Place(allocation=self._named(target, Allocation, 'target'), offset=target_offset, slot=FIRST_ROW)
        of = Place(allocation=self._named(source, Allocation, 'source'), offset=source_offset, slot=FIRST_ROW + 1)
        self._must(library.tessera_stream_copy(self._stream, byref(to), byref(of), whole('size', size)))
        self._let_go(FIRST_ROW, FIRST_ROW + 1)

    def fill_bytes(self, target: Allocation, size: int, pattern: int, offset: int = 0) -> None:
        """Fill bytes with a pattern of 32 bits."""
        place = Place(allocation=self._named(target, Allocation, 'target'), offset=offset, slot=FIRST_ROW)
        self._must(library.tessera_stream_fill(self._stream, byref(place), whole('size', size),
                                               whole('pattern', pattern)))
        self._let_go(FIRST_ROW)

    def _let_go(self, *rows: int) -> None:
        """Unbind rows of the table, since what a row holds has to be in memory."""
        for row in rows:
            self._must(library.tessera_stream_unbind(self._stream, row))
