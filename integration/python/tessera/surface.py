# SPDX-License-Identifier: Apache-2.0
"""Allocations, and surfaces: allocations of pixels."""
from __future__ import annotations

import ctypes
from ctypes import byref
from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional, Tuple

from .arguments import flags, named, whole
from .library import AllocationOptions, Residence as Answer, library
from .pixels import NO_COLOURS, UNIT_BYTES, UNITS_PER_BYTE, from_rgba, mask_alphas, png, to_rgba
from .spec import ALLOCATION, FORMAT

if TYPE_CHECKING:
    from .device import Device

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

PITCH_MOST = 65535  # of BIND
WORDS = {'B': 'uint8', 'H': 'uint16', 'I': 'uint32', 'L': 'uint32'}  # what memoryview calls them


class Residence(NamedTuple):
    """Where an allocation is: the segment that holds it (0: none), its offset there in bytes, and why it is read
    there, in words."""

    segment: int
    offset: int
    reason: str


def as_view(data: Any, name: str = 'data') -> memoryview:
    """What an argument's bytes are; pictures of other packages by way of numpy."""
    if numpy is not None and not isinstance(data, numpy.ndarray) and hasattr(data, '__array_interface__'):
        data = numpy.asarray(data)
    try:
        return memoryview(data)
    except (TypeError, ValueError):
        kind = getattr(data, 'dtype', type(data).__name__)
        raise TypeError(f'{name} of type {kind}: bytes or an array of whole numbers is needed') from None


class Allocation:
    """Bytes that live in the host's pages, in a segment or behind the aperture, as the GPU's manager decides.

    Made by Device.allocation. It lives until destroy() is called or the device is closed."""

    size: int

    def __init__(self, gpu: Device, size: int, flags_: Any, options: Dict[str, Any]) -> None:
        self._gpu, self.size = gpu, whole('size', size)
        self._allocation: Optional[ctypes.c_void_p] = ctypes.c_void_p()
        wishes = AllocationOptions(bytes=self.size, flags=flags(ALLOCATION, 'flags', flags_), **options)
        gpu._call('allocation_create', byref(wishes), byref(self._allocation))

    def __repr__(self) -> str:
        return f'{type(self).__name__}({self._about()}{"" if self._is_there() else ", destroyed"})'

    def _about(self) -> str:
        return f'{self.size} bytes'

    def _is_there(self) -> bool:
        return self._allocation is not None and self._gpu._gpu is not None

    def _held(self, gpu: Device) -> ctypes.c_void_p:
        """What the library knows it by, as long as it is there and belongs to this device."""
        if self._allocation is None or self._gpu._gpu is None:
            raise ValueError(f'{self!r} cannot be used: destroy() or close() was called before')
        if gpu is not self._gpu:
            raise ValueError(f'{self!r} belongs to {self._gpu!r}, not to {gpu!r}')
        return self._allocation

    def write(self, data: Any, offset: int = 0) -> None:
        """Copy bytes, or the bytes of an array, to `offset`. The allocation may be anywhere, also in use."""
        content, offset = as_view(data).tobytes(), whole('offset', offset)
        if not 0 <= offset <= offset + len(content) <= self.size:
            raise ValueError(f'{len(content)} bytes at {offset} are not inside {self.size} bytes')
        self._gpu._call('write', self._held(self._gpu), offset, content, len(content))

    def read_bytes(self, offset: int = 0, size: Optional[int] = None) -> bytes:
        """`size` bytes from `offset` on, by default all that follow. Waits for what is drawn there."""
        offset = whole('offset', offset)
        size = self.size - offset if size is None else whole('size', size)
        if offset < 0 or size < 0 or offset + size > self.size:
            raise ValueError(f'{size} bytes at {offset} are not inside {self.size} bytes')
        buffer = ctypes.create_string_buffer(size + 1)
        self._gpu._call('read', self._held(self._gpu), offset, buffer, size)
        return buffer.raw[:size]

    def read(self, offset: int = 0, size: Optional[int] = None) -> Any:
        """The same as read_bytes."""
        return self.read_bytes(offset, size)

    def where(self) -> Residence:
        """Where it is now: (segment, offset, reason)."""
        place = Answer()
        self._gpu._call('residence', self._held(self._gpu), byref(place))
        return Residence(place.segment, place.offset, library.tessera_reason_name(place.reason).decode())

    def evict(self) -> None:
        """Move it out of the GPU's memory to the host's pages."""
        self._gpu._call('evict', self._held(self._gpu))

    def destroy(self) -> None:
        """Wait for what uses it, then free it."""
        allocation, self._allocation = self._held(self._gpu), None
        self._gpu._call('allocation_destroy', allocation)


class Surface(Allocation):
    """Pixels: an allocation with a width, a height and a format. Rows have no gap. Made by Device.surface.

    The bytes of a pixel lie lowest first. ARGB8888 and XRGB8888 are B, G, R, A in memory, RGB888 is B, G, R, and the
    number 0xAARRGGBB is one unit of ARGB8888. read_rgba and write_rgba take R, G, B, A instead.

    As an array of numpy: uint8 of (height, width, bytes of a unit), or uint16 of (height, width) for the formats of 16
    bits. A4, A2 and A1 can only be drawn from. They are the bytes as they lie, the first unit in a byte's high bits."""

    width: int
    height: int
    format: FORMAT
    pitch: int
    unit: int  # bytes of a pixel; 1 for those of A4, A2, A1
    parts: int  # pixels in a byte of A4, A2 and A1; else 1

    def __init__(self, gpu: Device, width: int, height: int, format: Any, options: Dict[str, Any]) -> None:
        self.width, self.height = whole('width', width), whole('height', height)
        self.format = named(FORMAT, 'format', format)
        self.unit, self.parts = UNIT_BYTES.get(self.format, 1), UNITS_PER_BYTE.get(self.format, 1)
        self.pitch = self.width * self.unit
        if not 0 < self.pitch <= PITCH_MOST or self.height < 1:
            raise ValueError(f'{self.width} x {self.height} of {self.format.name}: a width of 1 to '
                             f'{PITCH_MOST // self.unit} and a height of 1 or more are possible')
        super().__init__(gpu, -(-self.pitch * self.height // self.parts),
                         options.pop('flags', ALLOCATION.CPU_VISIBLE), options)

    def _about(self) -> str:
        return f'{self.width} x {self.height}, {self.format.name}'

    @property
    def shape(self) -> Tuple[int, ...]:
        """The shape of what read() returns, with numpy."""
        if self.parts != 1:
            return (self.size,)
        return (self.height, self.width) if self.unit == 2 else (self.height, self.width, self.unit)

    def must_hold(self, x: int, y: int, width: int, height: int) -> None:
        """Raise ValueError unless this rectangle lies inside the surface."""
        x, y, width, height = (whole(*each) for each in (('x', x), ('y', y), ('width', width), ('height', height)))
        if min(x, y, width, height) < 0 or x + width > self.width or y + height > self.height:
            raise ValueError(f'{width} x {height} at {x}, {y} is not inside {self.width} x {self.height}')

    def read(self) -> Any:  # type: ignore[override]
        """The pixels as they lie in memory (B, G, R, A): an array of numpy of `shape`, or bytes without numpy."""
        if numpy is None:
            return self.read_bytes()
        kind = numpy.dtype('<u2') if self.unit == 2 else numpy.uint8
        return numpy.frombuffer(self.read_bytes(), dtype=kind).reshape(self.shape).copy()

    def write(self, data: Any, offset: int = 0) -> None:
        """Copy pixels as they lie in memory (B, G, R, A): bytes, or an array of `shape`. uint32 of (height, width)
        is also possible for the formats of 32 bits. With an offset: any bytes from there on."""
        view, wanted = as_view(data), 'uint16' if self.unit == 2 else 'uint8'
        kind = WORDS.get(view.format.lstrip('@=<'))
        if kind not in {1: ('uint8',), 2: ('uint8', 'uint16'), 3: ('uint8',), 4: ('uint8', 'uint32')}[self.unit]:
            raise TypeError(f'an array of {getattr(data, "dtype", view.format)}: {wanted} of shape {self.shape} is '
                            f"needed. If the values are right, convert with .astype('{wanted}')")
        if whole('offset', offset) == 0:
            self._must_be_all(view, kind)
        super().write(view, offset)

    def _must_be_all(self, view: memoryview, kind: Optional[str]) -> None:
        """As many numbers as there are pixels, in rows or one after the other."""
        if view.nbytes != self.size:
            raise ValueError(f'{view.nbytes} bytes for {self.width} x {self.height} of {self.format.name}: '
                             f'{self.size}, of shape {self.shape}')
        rows = (self.height, self.width)
        units = rows + (self.unit,) if kind == 'uint8' else rows
        if view.ndim > 1 and view.shape not in (units, rows):
            raise ValueError(f'an array of shape {view.shape} for {self.width} x {self.height} of '
                             f'{self.format.name}: shape {self.shape} is needed')

    def read_rgba(self) -> Any:
        """The pixels as red, green, blue, alpha: uint8 of (height, width, 4) with numpy, or bytes in this order. A mask
        is white with its alpha. INDEX8 and BYTES have no colours: ValueError."""
        self._must_have_colours('read_rgba')
        rgba = to_rgba(self.read_bytes(), self.format, self.width * self.height)
        if numpy is None:
            return rgba
        return numpy.frombuffer(rgba, dtype=numpy.uint8).reshape(self.height, self.width, 4).copy()

    def write_rgba(self, data: Any) -> None:
        """Convert red, green, blue, alpha to the format, and copy it: uint8 of (height, width, 4), or of (height,
        width, 3) which is opaque, or bytes in one of these orders. A mask takes the alpha."""
        self._must_have_colours('write_rgba')
        view, count = as_view(data), self.width * self.height
        if WORDS.get(view.format) != 'uint8':
            raise TypeError(f'an array of {getattr(data, "dtype", view.format)}: uint8 of shape '
                            f'{(self.height, self.width, 4)} is needed, red first')
        if view.nbytes not in (3 * count, 4 * count) or view.ndim > 1 and view.shape != (
                self.height, self.width, view.nbytes // count):
            raise ValueError(f'{view.nbytes} bytes of shape {view.shape} for {self.width} x {self.height}: shape '
                             f'{(self.height, self.width, 4)} or {(self.height, self.width, 3)} is needed')
        content = view.tobytes()
        if len(content) == 3 * count:
            rgba = bytearray(b'\xff') * (4 * count)
            rgba[0::4], rgba[1::4], rgba[2::4] = content[0::3], content[1::3], content[2::3]
            content = bytes(rgba)
        super().write(from_rgba(content, self.format))

    def _must_have_colours(self, call: str) -> None:
        if self.format in NO_COLOURS:
            raise ValueError(f'{call}: {self.format.name} has no colours. Use read() and write()')

    def _repr_png_(self) -> Optional[bytes]:
        """The picture that a notebook shows: colours, or grey for masks, INDEX8 and BYTES."""
        if not self._is_there():
            return None
        raw = self.read_bytes()
        if self.format in NO_COLOURS or self.format == FORMAT.A8 or self.parts != 1:
            return png(mask_alphas(raw, self.parts, self.width * self.height), self.width, self.height, 1)
        return png(to_rgba(raw, self.format, self.width * self.height), self.width, self.height, 4)
