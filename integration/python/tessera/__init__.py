# SPDX-License-Identifier: Apache-2.0
"""Tessera, a soft GPU that manages its own memory, from Python.

    import tessera
    with tessera.open('model', segment1_pages=16) as gpu:
        picture = gpu.surface(64, 48)     # ARGB8888: the bytes of a pixel are B, G, R, A
        stream = gpu.stream()
        stream.fill(picture, 0, 0, 64, 48, 0xff3366cc)
        gpu.submit(stream).wait()
        print(picture.read_rgba())        # R, G, B, A: an array of numpy, where that is installed; else bytes

`open` takes the golden model ('model'), the simulated chip ('simulator') or a board ('tty:...', 'tcp:...'). What the
device or the library refuses is an Error with the status's name. docs/python.md has a longer example.
"""
from __future__ import annotations

from typing import Any, Dict, Optional

from .device import Device, Ticket
from .display import Blanked, Display, Shown
from .errors import Error, Misuse
from .library import library as _library
from .pixels import UNIT_BYTES as UNIT_BYTES, UNITS_PER_BYTE as UNITS_PER_BYTE
from .spec import ALLOCATION, BLIT, DISPLAY_MODE, FORMAT, MIX, PLANE, STATISTICS, STATUS, WHEN
from .stream import Stream
from .surface import Allocation, Residence, Surface
from .timeline import timeline

__version__: str = _library.tessera_version().decode()


def open(where: str = 'model', device: Optional[Dict[str, Any]] = None, **options: Any) -> Device:
    """Open a device. Options are those of struct tessera_options (segment1_pages, seed, ...), and `device` is a
    dictionary of struct tessera_device_options (latency, stall_percent, ...)."""
    return Device(where, device, **options)


__all__ = ['ALLOCATION', 'Allocation', 'BLIT', 'Blanked', 'DISPLAY_MODE', 'Device', 'Display', 'Error', 'FORMAT', 'MIX',
           'Misuse', 'PLANE', 'Residence', 'STATISTICS', 'STATUS', 'Shown', 'Stream', 'Surface', 'Ticket', 'WHEN',
           'open', 'timeline']
