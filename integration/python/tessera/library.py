# SPDX-License-Identifier: Apache-2.0
"""libtessera by ctypes: the structures and calls of host/include/*.h that the package uses, and nothing of its own.
tests/host/python holds the structures against the headers."""
from __future__ import annotations

import ctypes
import os
import pathlib
import types
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_int32, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, ClassVar, Dict

from .arguments import whole

HERE = pathlib.Path(__file__).resolve().parent
FIRMWARE = HERE / 'gpu.elf'  # in a wheel, beside libtessera.so
MESSAGE_BYTES = 256


def fitting(name: str, value: Any, kind: type) -> int:
    """The number, if one of this kind holds it: ctypes by itself would cut it off."""
    number, bits = whole(name, value), 8 * ctypes.sizeof(kind)
    low = -(1 << bits - 1) if kind is c_int32 else 0
    if not low <= number < low + (1 << bits):
        raise ValueError(f'{name} {number}: {low} to {low + (1 << bits) - 1} is possible')
    return number


class Word(c_uint32):
    """An argument of 32 bits."""

    @classmethod
    def from_param(cls, value: Any) -> Any:
        return c_uint32(fitting('argument', value, c_uint32))


class Signed(c_int32):
    """The same with a sign."""

    @classmethod
    def from_param(cls, value: Any) -> Any:
        return c_int32(fitting('argument', value, c_int32))


class Checked(ctypes.Structure):
    """A structure made by names alone, whose numbers fit."""

    def __init__(self, **values: Any) -> None:
        fields: Dict[str, Any] = dict(self._fields_)  # type: ignore[arg-type]
        for name, value in values.items():
            if name not in fields:
                raise TypeError(f'{name}: one of {", ".join(fields)} is possible')
            if fields[name] in (c_uint32, c_uint64, c_int32):
                values[name] = fitting(name, value, fields[name])
        super().__init__(**values)


class Options(Checked):
    """struct tessera_options"""
    _fields_ = [('firmware', c_char_p), ('segment1_pages', c_uint32), ('segment2_pages', c_uint32), ('force', c_uint32),
                ('timeout_cycles', c_uint32), ('boot_options', c_uint32), ('commit_limit', c_uint32),
                ('allocations', c_uint32), ('contexts', c_uint32), ('list_entries', c_uint32),
                ('dma_bytes', c_uint32), ('seed', c_uint32), ('patience_cycles', c_uint64),
                ('abi', c_uint32), ('own_bytes', c_uint32)]


class DeviceOptions(Checked):
    """struct tessera_device_options"""
    _fields_ = [('seed', c_uint32), ('latency', c_uint32), ('stall_percent', c_uint32), ('max_cycles', c_uint64),
                ('keeps_firmware', c_bool), ('memory_bytes', c_uint32), ('memory', c_void_p),
                ('memory_descriptor', c_int)]


class AllocationOptions(Checked):
    """struct tessera_allocation_options"""
    _fields_ = [(name, c_uint32) for name in (
        'bytes', 'alignment', 'flags', 'preferred', 'read_set', 'write_set', 'eviction_set', 'priority', 'pitch',
        'height', 'levels', 'pattern', 'context', 'address')] + [('pages', POINTER(c_uint32)), ('page_count', c_uint32)]


class Segment(Checked):
    """struct tessera_segment"""
    _fields_ = [('flags', c_uint32), ('base', c_uint64), ('bytes', c_uint64), ('commit_limit', c_uint64)]


class Residence(Checked):
    """struct tessera_residence"""
    _fields_ = [('segment', c_uint32), ('offset', c_uint32), ('reason', c_uint32)]


class Completion(Checked):
    """struct tessera_completion"""
    _fields_ = [('status', c_uint32), ('detail', c_uint32), ('fence', c_uint32), ('words', c_uint32 * 4)]


class Surface(Checked):
    """struct tessera_surface"""
    _fields_ = [('allocation', c_void_p), ('offset', c_uint32), ('format', c_uint32), ('pitch', c_uint32),
                ('bytes', c_uint32), ('is_target', c_bool), ('width', c_uint32), ('height', c_uint32)]


class Blit(Checked):
    """struct tessera_blit"""
    _fields_ = [(name, c_uint32) for name in (
        'target', 'source', 'mode', 'target_x', 'target_y', 'source_x', 'source_y', 'width', 'height', 'value', 'rop',
        'key')] + [(name, c_bool) for name in (
            'is_premultiplied', 'is_reverse', 'is_keyed', 'is_coloured', 'is_truncated', 'is_by_256', 'is_alpha_zero')]


class Affine(Checked):
    """struct tessera_affine"""
    _fields_: ClassVar[Any] = [('blit', Blit)] + [
        (name, c_uint32) for name in ('source_width', 'source_height')] + [
        (name, c_int32) for name in ('u', 'v', 'u_x', 'v_x', 'u_y', 'v_y')] + [(name, c_bool) for name in (
            'is_transparent', 'is_repeated', 'is_filtered')]


class Place(Checked):
    """struct tessera_place"""
    _fields_ = [('allocation', c_void_p), ('offset', c_uint32), ('slot', c_uint32)]


class DisplayState(Checked):
    """struct tessera_display"""
    _fields_ = [(name, c_uint32) for name in ('modes', 'columns', 'rows', 'frame')] + [('is_owner', c_bool)]


class FlipOptions(Checked):
    """struct tessera_flip"""
    _fields_: ClassVar[Any] = [('plane', c_uint32), ('allocation', c_void_p)] + [(name, c_uint32) for name in (
        'offset', 'pitch', 'format', 'when', 'frame', 'context', 'after', 'x', 'y', 'width', 'height', 'mix', 'value')]


class Blank(Checked):
    """struct tessera_blank"""
    _fields_ = [('frame', c_uint32), ('cycle', c_uint64)]


# Name: result, arguments. A c_int result is a status.
CALLS = {
    'open_device': (c_int, POINTER(c_void_p), c_char_p, POINTER(DeviceOptions), POINTER(Options), c_char_p),
    'close': (None, c_void_p),
    'version': (c_char_p,),
    'message': (c_char_p, c_void_p),
    'status_name': (c_char_p, c_int),
    'reason_name': (c_char_p, Word),
    'query_segments': (c_int, c_void_p, POINTER(Segment), POINTER(c_uint32)),
    'statistics': (c_int, c_void_p, POINTER(c_uint32)),
    'register_read': (c_int, c_void_p, Word, POINTER(c_uint32)),
    'allocation_create': (c_int, c_void_p, POINTER(AllocationOptions), POINTER(c_void_p)),
    'allocation_destroy': (c_int, c_void_p, c_void_p),
    'write': (c_int, c_void_p, c_void_p, Word, c_void_p, Word),
    'read': (c_int, c_void_p, c_void_p, Word, c_void_p, Word),
    'residence': (c_int, c_void_p, c_void_p, POINTER(Residence)),
    'evict': (c_int, c_void_p, c_void_p),
    'context_create': (c_int, c_void_p, Word, Signed, POINTER(c_uint32)),
    'context_destroy': (c_int, c_void_p, Word),
    'submit': (c_int, c_void_p, Word, c_void_p, Word, POINTER(c_uint32)),
    'wait': (c_int, c_void_p, Word, POINTER(Completion)),
    'is_done': (c_bool, c_void_p, Word),
    'query_display': (c_int, c_void_p, POINTER(DisplayState)),
    'set_mode': (c_int, c_void_p, Word),
    'set_palette': (c_int, c_void_p, POINTER(c_uint32)),
    'flip': (c_int, c_void_p, POINTER(FlipOptions), POINTER(c_uint32)),
    'cursor': (c_int, c_void_p, c_void_p, Word, Word, Word, POINTER(c_uint32)),
    'move_cursor': (c_int, c_void_p, Signed, Signed),
    'wait_vblank': (c_int, c_void_p, Word, Word, POINTER(Blank)),
    'stream_create': (c_void_p,),
    'stream_destroy': (None, c_void_p),
    'stream_clear': (None, c_void_p),
    'stream_bind': (c_int, c_void_p, Word, POINTER(Surface)),
    'stream_unbind': (c_int, c_void_p, Word),
    'stream_fill_rect': (c_int, c_void_p) + (Word,) * 6,
    'stream_blit': (c_int, c_void_p, POINTER(Blit)),
    'stream_blit_affine': (c_int, c_void_p, POINTER(Affine)),
    'affine_fit': (c_int, POINTER(Affine), Word, c_bool),
    'stream_palette': (c_int, c_void_p, POINTER(Place)),
    'stream_copy': (c_int, c_void_p, POINTER(Place), POINTER(Place), Word),
    'stream_fill': (c_int, c_void_p, POINTER(Place), Word, Word),
    'stream_message': (c_char_p, c_void_p),
    'stream_bytes': (c_uint32, c_void_p),
    'stream_patches': (c_uint32, c_void_p),
}


def find() -> str:
    """Which library: the one that TESSERA_LIBRARY names, that beside this file (of a wheel), that of the tree around
    this package (make python), or an installed one."""
    named, in_tree = os.environ.get('TESSERA_LIBRARY'), HERE.parents[2] / 'build/python/libtessera.so'
    if named:
        return named
    return next((str(path) for path in (HERE / 'libtessera.so', in_tree) if path.exists()), 'libtessera.so')


def load() -> types.SimpleNamespace:
    """The library's calls, each with its arguments checked."""
    try:
        library = ctypes.CDLL(find())
    except OSError as error:
        raise ImportError(f'{error}. `make python` builds the library in the tree, `make install` installs it; '
                          'TESSERA_LIBRARY names another.') from None
    return types.SimpleNamespace(**{'tessera_' + call: _checked(getattr(library, 'tessera_' + call), *shape)
                                    for call, shape in CALLS.items()})


def _checked(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    function.restype, function.argtypes = result, arguments

    def call(*values: Any) -> Any:
        try:
            return function(*values)
        except ctypes.ArgumentError as error:  # an argument does not fit: Word
            raise ValueError(str(error)) from None
    return call


library = load()
