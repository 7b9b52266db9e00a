# SPDX-License-Identifier: Apache-2.0
"""Tessera, a soft GPU that manages its own memory, from Python.

    import tessera
    with tessera.open('model', segment1_pages=16) as gpu:
        picture = gpu.surface(64, 48)
        stream = gpu.stream()
        stream.fill(picture, 0, 0, 64, 48, 0xff3366cc)
        gpu.submit(stream).wait()
        print(picture.read())             # an array of numpy, where that is installed; else bytes

`open` takes the golden model ('model'), the simulated chip ('simulator') or a board ('tty:...', 'tcp:...'). What the
device or the library refuses is an Error with the status's name. docs/python.md has a longer example.
"""
import ctypes
import os

from .library import (MESSAGE_BYTES, Affine, AllocationOptions, Blit, Completion, DeviceOptions, Options, Place,
                      Residence, Segment, Surface as Binding, byref, load)
from .spec import (ALLOCATION, BLIT, FORMAT, LIMIT_SLOTS, REGISTER_CORE_CYCLE_HI, REGISTER_CORE_CYCLE_LO,
                   STATISTICS, STATUS)
from .timeline import timeline

try:
    import numpy
except ImportError:
    numpy = None

_library = load()
__version__ = _library.tessera_version().decode()
UNIT_BYTES = {FORMAT.BYTES: 1, FORMAT.RGB565: 2, FORMAT.ARGB8888: 4, FORMAT.XRGB8888: 4, FORMAT.RGB888: 3,
              FORMAT.ARGB1555: 2, FORMAT.A8: 1, FORMAT.INDEX8: 1}
UNITS_PER_BYTE = {FORMAT.A4: 2, FORMAT.A2: 4, FORMAT.A1: 8}
PITCH_MOST = 65535  # of BIND
MISUSE = -10  # TESSERA_MISUSE
FIRST_ROW = LIMIT_SLOTS - 3  # the last rows of the resource table are those of copies, fills and the palette


class Error(Exception):
    """`name` is the status's ('NO_PLACEMENT', 'TESSERA_LINK'), `status` its number, the text what to do about it."""

    def __init__(self, status, text):
        self.status, self.name = status, _library.tessera_status_name(status).decode()
        super().__init__(text if text.startswith(self.name) else f'{self.name}: {text}')


class Misuse(Error, ValueError):
    """An argument is out of range, or contradicts an earlier call. It is a ValueError, too."""


def _raise(status, text):
    raise (Misuse if status == MISUSE else Error)(status, text)


class Device:
    """An open GPU. Use it in a `with`, or call close(); allocations and contexts end with it."""

    def __init__(self, where='model', device=None, **options):
        message = ctypes.create_string_buffer(MESSAGE_BYTES)
        if 'firmware' in options:
            options['firmware'] = os.fsencode(options['firmware'])
        wishes, self._gpu, self._context = Options(**options), ctypes.c_void_p(), None
        status = _library.tessera_open_device(byref(self._gpu), where.encode(), byref(DeviceOptions(**(device or {}))),
                                              byref(wishes), message)
        if status != 0:
            self._gpu = None
            raise Error(status, message.value.decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self._gpu is not None:
            _library.tessera_close(self._gpu)
        self._gpu = None

    def _must(self, status):
        if status != 0:
            _raise(status, _library.tessera_message(self._gpu).decode())

    def _call(self, name, *arguments):
        if self._gpu is None:
            raise ValueError('the device is closed')
        self._must(getattr(_library, 'tessera_' + name)(self._gpu, *arguments))

    def segments(self):
        """A list of dictionaries: base (GPU address), bytes, is_aperture."""
        count = ctypes.c_uint32()
        self._call('query_segments', None, byref(count))
        found = (Segment * count.value)()
        self._call('query_segments', found, byref(count))
        return [{'base': s.base, 'bytes': s.bytes, 'is_aperture': bool(s.flags & 1)} for s in found]

    def statistics(self):
        """The firmware's counters by name: 'EVICTIONS', 'SPLITS', ..."""
        values = (ctypes.c_uint32 * len(STATISTICS))()
        self._call('statistics', values)
        return dict(zip(STATISTICS, values))

    @property
    def cycles(self):
        """Of the device, since its reset. Of the golden model: counted, not measured."""
        low, high, again = ctypes.c_uint32(), ctypes.c_uint32(), ctypes.c_uint32()
        while True:
            for register, value in ((REGISTER_CORE_CYCLE_HI, high), (REGISTER_CORE_CYCLE_LO, low),
                                    (REGISTER_CORE_CYCLE_HI, again)):
                self._call('register_read', register, byref(value))
            if high.value == again.value:
                return high.value << 32 | low.value

    def allocation(self, size, flags=ALLOCATION.CPU_VISIBLE, **options):
        """`size` bytes that the GPU moves; more options: those of struct tessera_allocation_options."""
        return Allocation(self, size, flags, options)

    def surface(self, width, height, format=FORMAT.ARGB8888, **options):
        """An allocation with a width, a height and a format, rows without a gap."""
        return Surface(self, width, height, FORMAT(format), options)

    def context(self, priority=0, node=0):
        """DMA buffers of one context run in order. submit() makes one for itself where none is given."""
        context = ctypes.c_uint32()
        self._call('context_create', node, priority, byref(context))
        return context.value

    def stream(self, slots=2):
        """A DMA buffer to fill. `slots` surfaces stay bound, 2 to 61: what is bound has to be in memory at once, and
        what is not is bound again when it is drawn."""
        return Stream(self, slots)

    def submit(self, stream, context=None, flags=0):
        """Queues it and returns a Ticket; the stream can be changed at once."""
        if context is None:
            if self._context is None:
                self._context = self.context()
            context = self._context
        ticket = ctypes.c_uint32()
        self._call('submit', context, stream._stream, flags, byref(ticket))
        return Ticket(self, ticket.value)


def open(where='model', device=None, **options):
    """Device(where, ...): options are those of struct tessera_options (segment1_pages, seed, ...), `device` a
    dictionary of struct tessera_device_options (latency, stall_percent, ...)."""
    return Device(where, device, **options)


class Ticket:
    """A DMA buffer under way. Wait for each once."""

    def __init__(self, gpu, ticket):
        self._gpu, self._ticket = gpu, ticket

    @property
    def is_done(self):
        return bool(_library.tessera_is_done(self._gpu._gpu, self._ticket))

    def wait(self):
        """Returns its fence; an Error if the device refused it or stopped in it."""
        completion = Completion()
        self._gpu._call('wait', self._ticket, byref(completion))
        return completion.fence


class Allocation:
    """Bytes that live in the host's pages, in a segment or behind the aperture, as the GPU's manager decides."""

    def __init__(self, gpu, size, flags, options):
        self._gpu, self.size, self._allocation = gpu, size, ctypes.c_void_p()
        wishes = AllocationOptions(bytes=size, flags=flags, **options)
        gpu._call('allocation_create', byref(wishes), byref(self._allocation))

    def write(self, data, offset=0):
        """Bytes, or an array of numpy that is contiguous."""
        view = memoryview(data).cast('B')
        buffer = (ctypes.c_char * len(view)).from_buffer_copy(view)
        self._gpu._call('write', self._allocation, offset, buffer, len(view))

    def read_bytes(self, offset=0, size=None):
        buffer = ctypes.create_string_buffer(self.size - offset if size is None else size)
        self._gpu._call('read', self._allocation, offset, buffer, len(buffer))
        return buffer.raw

    read = read_bytes

    def where(self):
        """(segment, offset, reason): the segment that holds it now, 0 for none, its offset there in bytes, and why it
        is read there, in words."""
        place = Residence()
        self._gpu._call('residence', self._allocation, byref(place))
        return place.segment, place.offset, _library.tessera_reason_name(place.reason).decode()

    def evict(self):
        self._gpu._call('evict', self._allocation)

    def destroy(self):
        """Waits for what uses it."""
        allocation, self._allocation = self._allocation, ctypes.c_void_p()
        self._gpu._call('allocation_destroy', allocation)


class Surface(Allocation):
    """Pixels. As an array of numpy: uint8 of (height, width, bytes of a unit), or uint16 of (height, width) for the
    formats of 16 bits. A4, A2 and A1, which are sources alone: the bytes as they lie, rows without a gap, the first
    unit in a byte's high bits."""

    def __init__(self, gpu, width, height, format, options):
        self.width, self.height, self.format = width, height, format
        self.unit, self.parts = UNIT_BYTES.get(format, 1), UNITS_PER_BYTE.get(format, 1)
        self.pitch = width * self.unit
        if not 0 < self.pitch <= PITCH_MOST or height < 1:
            raise ValueError(f'{width} x {height} of {format.name}: a width of 1 to {PITCH_MOST // self.unit} and '
                             'a height of 1 or more are possible')
        flags = options.pop('flags', ALLOCATION.CPU_VISIBLE)
        super().__init__(gpu, -(-self.pitch * height // self.parts), flags, options)

    def __repr__(self):
        return f'Surface({self.width} x {self.height}, {self.format.name})'

    @property
    def shape(self):
        if self.parts != 1:
            return (self.size,)
        return (self.height, self.width) if self.unit == 2 else (self.height, self.width, self.unit)

    def must_hold(self, x, y, width, height):
        """The device itself knows rows and their pitch, but no width."""
        if min(x, y, width, height) < 0 or x + width > self.width or y + height > self.height:
            raise ValueError(f'{width} x {height} at {x}, {y} is not inside {self.width} x {self.height}')

    def read(self):
        if numpy is None:
            return self.read_bytes()
        kind = numpy.uint16 if self.unit == 2 else numpy.uint8
        return numpy.frombuffer(self.read_bytes(), dtype=kind).reshape(self.shape).copy()

    def write(self, data, offset=0):
        view = memoryview(data)
        if offset == 0 and view.nbytes != self.size:
            raise ValueError(f'{view.nbytes} bytes for {self.width} x {self.height} of {self.format.name}: '
                             f'{self.size}, of shape {self.shape}')
        super().write(numpy.ascontiguousarray(data) if numpy is not None else data, offset)


class Stream:
    """One DMA buffer with its lists. Slots are taken by themselves, the one longest unused first."""

    def __init__(self, gpu, slots=2):
        if not 2 <= slots <= FIRST_ROW:
            raise ValueError(f'{slots} slots: 2 to {FIRST_ROW} are possible')
        self._gpu, self._slots, self._most = gpu, {}, slots
        self._stream = ctypes.c_void_p(_library.tessera_stream_create())
        if not self._stream:
            raise MemoryError('a stream')

    def __del__(self):
        if getattr(self, '_stream', None):
            _library.tessera_stream_destroy(self._stream)

    def clear(self):
        _library.tessera_stream_clear(self._stream)
        self._slots.clear()

    def __len__(self):
        """Bytes of commands."""
        return _library.tessera_stream_bytes(self._stream)

    @property
    def patches(self):
        return _library.tessera_stream_patches(self._stream)

    def _must(self, status):
        if status != 0:
            _raise(status, _library.tessera_stream_message(self._stream).decode())

    def _slot(self, surface, is_target):
        key = (surface, is_target)
        if key in self._slots:
            self._slots[key] = self._slots.pop(key)  # the one used last is the last
            return self._slots[key]
        slot = len(self._slots) if len(self._slots) < self._most else next(iter(self._slots.values()))
        self._must(_library.tessera_stream_bind(self._stream, slot, byref(Binding(
            allocation=surface._allocation, format=surface.format, pitch=surface.pitch, bytes=surface.size,
            width=surface.width, height=surface.height, is_target=is_target))))
        self._slots = {k: s for k, s in self._slots.items() if s != slot}
        self._slots[key] = slot
        return slot

    def fill(self, target, x, y, width, height, colour):
        """A rectangle; the colour is a unit of the target's format."""
        target.must_hold(x, y, width, height)
        slot = self._slot(target, True)
        self._must(_library.tessera_stream_fill_rect(self._stream, slot, x, y, width, height, colour))

    def blit(self, target, source, x=0, y=0, source_x=0, source_y=0, width=None, height=None, mode=BLIT.COPY,
             value=None, **how):
        """The source's rectangle (from source_x, source_y on; all of it) to x, y. `value`: the packet's VALUE; of BLEND
        and ADD the constant alpha, 255 where none is given. More: is_premultiplied, is_keyed with key, is_coloured,
        is_reverse, is_truncated, is_by_256, rop."""
        if value is None:
            value = 255 if mode in (BLIT.BLEND, BLIT.ADD) else 0
        width = source.width - source_x if width is None else width
        height = source.height - source_y if height is None else height
        source.must_hold(source_x, source_y, width, height)
        target.must_hold(x, y, width, height)
        self._must(_library.tessera_stream_blit(self._stream, byref(Blit(
            target=self._slot(target, True), source=self._slot(source, False), mode=mode, target_x=x, target_y=y,
            source_x=source_x, source_y=source_y, width=width, height=height, value=value, is_alpha_zero=True, **how))))

    def blit_map(self, target, source, x=0, y=0, width=None, height=None, source_x=0, source_y=0, source_width=None,
                 source_height=None, at=None, quarters=0, is_mirrored=False, is_transparent=False, is_repeated=False,
                 is_filtered=False, mode=BLIT.COPY, value=None, **how):
        """The source's rectangle by an affine map to the target's (from x, y on; all of it). `at` is the map: u, v,
        u_x, v_x, u_y, v_y, so that unit (i, j) of the target's rectangle is made of column u + i * u_x + j * u_y, row
        v + i * v_x + j * v_y of the source's; without it the source's is laid over the target's, mirrored left to
        right if so wished, then turned clockwise by so many quarters. Outside the source's rectangle lie its nearest
        units, or none is written (is_transparent), or it is repeated. is_filtered: between four units; with a map of
        one's own u and v are then half a unit less. The rest is as of blit, without is_reverse and rop."""
        if value is None:
            value = 255 if mode in (BLIT.BLEND, BLIT.ADD) else 0
        width = target.width - x if width is None else width
        height = target.height - y if height is None else height
        source_width = source.width - source_x if source_width is None else source_width
        source_height = source.height - source_y if source_height is None else source_height
        source.must_hold(source_x, source_y, source_width, source_height)
        target.must_hold(x, y, width, height)
        names = 'u', 'v', 'u_x', 'v_x', 'u_y', 'v_y'
        if at is not None and len(at) != len(names):
            raise ValueError(f'a map is {", ".join(names)}, not {len(at)} numbers')
        numbers = {} if at is None else {name: round(65536 * number) for name, number in zip(names, at)}
        affine = Affine(source_width=source_width, source_height=source_height, is_transparent=is_transparent,
                        is_repeated=is_repeated, is_filtered=is_filtered, **numbers)
        affine.blit = Blit(target=self._slot(target, True), source=self._slot(source, False), mode=mode, target_x=x,
                           target_y=y, source_x=source_x, source_y=source_y, width=width, height=height, value=value,
                           is_alpha_zero=True, **how)
        if at is None and all((width, height, source_width, source_height)):
            if _library.tessera_affine_fit(byref(affine), quarters, is_mirrored) != 0:
                raise ValueError(f'{source_width} x {source_height} to {width} x {height}: 32767 is the most')
        self._must(_library.tessera_stream_blit_affine(self._stream, byref(affine)))

    def palette(self, colours, offset=0):
        """What is drawn from FORMAT.INDEX8 takes its colours from here on from these 256 words (0xAARRGGBB) of an
        allocation, as they are when the buffer runs. The offset is a multiple of 256."""
        place = Place(allocation=colours._allocation, offset=offset, slot=FIRST_ROW + 2)
        self._must(_library.tessera_stream_palette(self._stream, byref(place)))

    def copy(self, target, source, size, target_offset=0, source_offset=0):
        """Bytes between two allocations."""
        self._must(_library.tessera_stream_copy(
            self._stream, byref(Place(allocation=target._allocation, offset=target_offset, slot=FIRST_ROW)),
            byref(Place(allocation=source._allocation, offset=source_offset, slot=FIRST_ROW + 1)), size))
        self._let_go(FIRST_ROW, FIRST_ROW + 1)

    def fill_bytes(self, target, size, pattern, offset=0):
        """A pattern of 32 bits."""
        place = Place(allocation=target._allocation, offset=offset, slot=FIRST_ROW)
        self._must(_library.tessera_stream_fill(self._stream, byref(place), size, pattern))
        self._let_go(FIRST_ROW)

    def _let_go(self, *rows):
        """What a row of the table holds has to be in memory."""
        for row in rows:
            self._must(_library.tessera_stream_unbind(self._stream, row))


__all__ = ['ALLOCATION', 'Allocation', 'BLIT', 'Device', 'Error', 'FORMAT', 'STATISTICS', 'STATUS', 'Stream', 'Surface',
           'Ticket', 'open', 'timeline']
