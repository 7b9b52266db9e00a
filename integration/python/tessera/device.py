# SPDX-License-Identifier: Apache-2.0
"""A device, and the DMA buffers under way in it."""
from __future__ import annotations

import ctypes
import os
from ctypes import byref
from typing import Any, Dict, List, Optional, Type, Union
from types import TracebackType

from .arguments import named, whole
from .display import Display
from .errors import Error, refuse
from .library import FIRMWARE, MESSAGE_BYTES, Completion, DeviceOptions, Options, Segment, library
from .spec import ALLOCATION, FORMAT, REGISTER_CORE_CYCLE_HI, REGISTER_CORE_CYCLE_LO, STATISTICS
from .stream import Stream
from .surface import Allocation, Surface


class Device:
    """An open GPU. Use it in a `with`, or call close(); allocations and contexts end with it."""

    def __init__(self, where: str = 'model', device: Optional[Dict[str, Any]] = None, **options: Any) -> None:
        """As tessera.open."""
        if not isinstance(where, str):
            raise TypeError(f"where {where!r}: a text is needed, 'model', 'simulator', 'tty:...' or 'tcp:...'")
        message = ctypes.create_string_buffer(MESSAGE_BYTES)
        firmware = options.get('firmware')
        if firmware is None and where != 'model' and FIRMWARE.exists():
            firmware = FIRMWARE  # of a wheel
        options['firmware'] = None if firmware is None else os.fsencode(firmware)
        self._where, self._context, self._gpu = where, None, None  # type: str, Optional[int], Optional[ctypes.c_void_p]
        wishes, gpu = Options(**options), ctypes.c_void_p()
        status = library.tessera_open_device(byref(gpu), where.encode(), byref(DeviceOptions(**(device or {}))),
                                             byref(wishes), message)
        if status != 0:
            raise Error(status, message.value.decode())
        self._gpu = gpu

    def __repr__(self) -> str:
        return f'Device({self._where!r}{"" if self._gpu is not None else ", closed"})'

    def __enter__(self) -> Device:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        """End the device with all its allocations and contexts. A second call does nothing."""
        if self._gpu is not None:
            library.tessera_close(self._gpu)
        self._gpu = None

    def _must(self, status: int) -> None:
        if status != 0:
            refuse(status, library.tessera_message(self._gpu).decode())

    def _must_be_open(self) -> None:
        if self._gpu is None:
            raise ValueError('the device is closed: open it again')

    def _call(self, name: str, *arguments: Any) -> None:
        self._must_be_open()
        self._must(getattr(library, 'tessera_' + name)(self._gpu, *arguments))

    def segments(self) -> List[Dict[str, Any]]:
        """The segments of memory, as dictionaries: base (GPU address), bytes, is_aperture."""
        count = ctypes.c_uint32()
        self._call('query_segments', None, byref(count))
        found = (Segment * count.value)()
        self._call('query_segments', found, byref(count))
        return [{'base': s.base, 'bytes': s.bytes, 'is_aperture': bool(s.flags & 1)} for s in found]

    def statistics(self) -> Dict[str, int]:
        """The firmware's counters by name: 'EVICTIONS', 'SPLITS', ..."""
        values = (ctypes.c_uint32 * len(STATISTICS))()
        self._call('statistics', values)
        return dict(zip(STATISTICS, values))

    @property
    def cycles(self) -> int:
        """The device's counter of cycles since its reset. That of the golden model counts steps, and measures
        nothing."""
        low, high, again = ctypes.c_uint32(), ctypes.c_uint32(), ctypes.c_uint32()
        while True:
            for register, value in ((REGISTER_CORE_CYCLE_HI, high), (REGISTER_CORE_CYCLE_LO, low),
                                    (REGISTER_CORE_CYCLE_HI, again)):
                self._call('register_read', register, byref(value))
            if high.value == again.value:
                return high.value << 32 | low.value

    @property
    def display(self) -> Display:
        """The display: modes, flips, cursor and vertical blanks."""
        return Display(self)

    def allocation(self, size: int, flags: Any = ALLOCATION.CPU_VISIBLE, **options: Any) -> Allocation:
        """`size` bytes that the GPU moves. `flags`: numbers or names of ALLOCATION, one or a list. More options: those
        of struct tessera_allocation_options."""
        return Allocation(self, size, flags, options)

    def surface(self, width: int, height: int, format: Union[str, FORMAT] = FORMAT.ARGB8888,
                **options: Any) -> Surface:
        """Pixels of a format: FORMAT.RGB565 or 'RGB565'. Options as of allocation()."""
        return Surface(self, width, height, named(FORMAT, 'format', format), options)

    def context(self, priority: int = 0, node: int = 0) -> int:
        """A context for submit(). DMA buffers of one context run in order. submit() makes one for itself where none is
        given."""
        context = ctypes.c_uint32()
        self._call('context_create', whole('node', node), whole('priority', priority), byref(context))
        return context.value

    def stream(self, slots: int = 2) -> Stream:
        """A DMA buffer to fill. `slots` surfaces stay bound, 2 to 61. What is bound has to be in memory at once; other
        surfaces are bound again when they are drawn."""
        return Stream(self, slots)

    def submit(self, stream: Stream, context: Optional[int] = None, flags: int = 0) -> Ticket:
        """Queue what a stream holds, and return a Ticket. The stream can be changed at once."""
        if not isinstance(stream, Stream):
            raise TypeError(f'submit {stream!r}: a Stream is needed')
        self._must_be_open()
        stream._must_be_drawable(self)
        if context is None:
            if self._context is None:
                self._context = self.context()
            context = self._context
        ticket = ctypes.c_uint32()
        self._call('submit', whole('context', context), stream._stream, whole('flags', flags), byref(ticket))
        return Ticket(self, ticket.value, context)


class Ticket:
    """A DMA buffer under way. Wait for each once. Made by Device.submit."""

    def __init__(self, gpu: Device, ticket: int, context: int) -> None:
        self._gpu, self._ticket, self._context = gpu, ticket, context
        self._fence: Optional[int] = None

    def __repr__(self) -> str:
        if self._fence is not None:
            return f'Ticket({self._ticket}, done: fence {self._fence})'
        return f'Ticket({self._ticket})'

    @property
    def is_done(self) -> bool:
        """Would wait() return at once?"""
        self._gpu._must_be_open()
        return bool(library.tessera_is_done(self._gpu._gpu, self._ticket))

    def wait(self) -> int:
        """Wait until the buffer has been drawn, and return its fence. Error: the device refused it, or stopped in
        it."""
        completion = Completion()
        self._gpu._call('wait', self._ticket, byref(completion))
        self._fence = int(completion.fence)
        return self._fence
