#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goal: each public name says what it is, and takes numbers and names that are right, and no others. Method: all public
names of the package by inspection; each argument once with a value that is wrong; objects used after their end."""
import inspect
import os
import pathlib
import pickle
import pkgutil
import re
import subprocess
import sys
import typing

from bench import ROOT, WHERE, main, raises

import tessera  # noqa: E402
from tessera import ALLOCATION, BLIT, FORMAT, library  # noqa: E402

CLASSES = [value for name, value in vars(tessera).items()
           if name in tessera.__all__ and inspect.isclass(value) and value.__module__ != 'tessera.spec']


def members():
    """(name, object) of each public function, class, method and property; of what a class inherits, its own alone."""
    for name in tessera.__all__:
        value = getattr(tessera, name)
        if inspect.isclass(value) and value in CLASSES:
            yield name, value
            for inner, member in vars(value).items():
                if not inner.startswith('_') and (inspect.isfunction(member) or isinstance(member, property)):
                    yield f'{name}.{inner}', member
        elif inspect.isfunction(value):
            yield name, value


def test_docstrings():
    found = dict(members())
    assert {'open', 'timeline', 'Device', 'Device.submit', 'Device.cycles', 'Ticket.is_done', 'Allocation.evict',
            'Surface.read_rgba', 'Surface.write_rgba', 'Stream.blit_map', 'Stream.clear', 'Error'} <= set(found)
    assert len(found) > 40
    for name, member in found.items():
        text = vars(member).get('__doc__') if inspect.isclass(member) else member.__doc__
        assert text and len(text.split()) >= 2, f'{name} has no docstring'
        assert text.rstrip().endswith(('.', '?', "'SPLITS', ...")), f"{name}'s docstring is not a sentence: {text}"
    for place, words in ((tessera.__doc__, 'B, G, R, A'), (tessera.Surface.__doc__, 'B, G, R, A in memory'),
                         (tessera.Surface.read.__doc__, 'B, G, R, A'), (tessera.Surface.write.__doc__, 'B, G, R, A'),
                         (tessera.Stream.__doc__, 'B, G, R, A'),
                         (tessera.Surface.read_rgba.__doc__, 'red, green, blue, alpha')):
        assert words in ' '.join(place.split())
    with open(ROOT / 'docs/python.md', encoding='utf-8') as file:
        page = file.read()
    assert 'B, G, R, A' in page
    for name, member in found.items():
        assert name.split('.')[-1] in page, f'docs/python.md does not name {name}'


def test_hints():
    """Each parameter and each result has a type, and py.typed says so to others."""
    assert (ROOT / 'integration/python/tessera/py.typed').exists()
    with open(ROOT / 'integration/python/pyproject.toml', encoding='utf-8') as file:
        assert 'py.typed' in file.read()
    counted = 0
    modules = [tessera] + [__import__(f'tessera.{each.name}', fromlist=['x'])
                           for each in pkgutil.iter_modules(tessera.__path__)]
    for module in modules:
        functions = [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__]
        for value in vars(module).values():
            if inspect.isclass(value) and value.__module__ == module.__name__ and module.__name__ != 'tessera.spec':
                functions += [f.fget if isinstance(f, property) else f for f in vars(value).values()
                              if inspect.isfunction(f) or isinstance(f, property)]
        for function in functions:
            if function.__code__.co_filename != module.__file__:  # made by NamedTuple, ctypes
                continue
            names = [n for n in inspect.signature(function).parameters if n not in ('self', 'cls')]
            missing = [n for n in names + ['return'] if n not in function.__annotations__]
            assert not missing, f'{module.__name__}.{function.__qualname__}: {missing} without a type'
            typing.get_type_hints(function, localns={'Device': tessera.Device, 'Stream': tessera.Stream,
                                                     'Ticket': tessera.Ticket})
            counted += 1
    assert counted > 60, counted
    device = sys.modules['tessera.device']
    assert typing.get_type_hints(tessera.Device.submit)['return'] is device.Ticket
    assert typing.get_type_hints(tessera.Ticket.wait)['return'] is int


def test_repr():
    with tessera.open(WHERE) as gpu:
        assert repr(gpu) == f'Device({WHERE!r})'
        surface, allocation, stream = gpu.surface(64, 48, 'RGB565'), gpu.allocation(5000), gpu.stream()
        assert repr(surface) == 'Surface(64 x 48, RGB565)'
        assert repr(allocation) == 'Allocation(5000 bytes)'
        assert repr(stream) == 'Stream(0 bytes, 0 patch locations)'
        stream.fill(surface, 0, 0, 4, 4, 7)
        assert repr(stream) == f'Stream({len(stream)} bytes, {stream.patches} patch locations)' and len(stream) > 0
        assert stream.patches == 1
        ticket = gpu.submit(stream)
        assert repr(ticket).startswith('Ticket(') and 'done' not in repr(ticket)
        fence = ticket.wait()
        assert repr(ticket).endswith(f', done: fence {fence})') and fence > 0
        assert repr(surface.where()).startswith('Residence(segment=')
        error = raises(tessera.Error, lambda: tessera.open('elsewhere'))
        assert repr(error) == f'{type(error).__name__}({error.status}, {str(error)!r})'
        allocation.destroy()
        assert repr(allocation) == 'Allocation(5000 bytes, destroyed)'
    assert repr(gpu) == f'Device({WHERE!r}, closed)' and repr(surface) == 'Surface(64 x 48, RGB565, destroyed)'
    for kind in CLASSES:
        assert kind.__repr__ is not object.__repr__, kind


def test_names():
    """A name in either case, a number or a member; nothing else."""
    with tessera.open(WHERE) as gpu:
        for format in 'RGB565', 'rgb565', 1, FORMAT.RGB565:
            assert gpu.surface(4, 4, format).format is FORMAT.RGB565
        assert gpu.surface(4, 4, format='ARGB8888').format is gpu.surface(4, 4).format is FORMAT.ARGB8888
        everything = ', '.join(FORMAT.__members__)
        raises(ValueError, lambda: gpu.surface(4, 4, 'ARGB888'), "format 'ARGB888' is unknown", everything)
        raises(ValueError, lambda: gpu.surface(4, 4, 9), 'format 9 is unknown', everything)
        raises(ValueError, lambda: gpu.surface(4, 4, BLIT.MOD + 4), 'format 9')
        one = gpu.surface(4, 4)
        raises(ValueError, lambda: gpu.stream().blit(one, one, mode=FORMAT.A4), 'mode 14 is')
        raises(ValueError, lambda: gpu.surface(4, 4, 1.0), 'format 1.0: a whole number')
        raises(ValueError, lambda: gpu.surface(4, 4, None), 'format None')
        surface, stream = gpu.surface(4, 4), gpu.stream()
        for mode in 'ADDD', 6, -1, 1.0, None:
            raises(ValueError, lambda: stream.blit(surface, surface, mode=mode), 'mode')
            raises(ValueError, lambda: stream.blit_map(surface, surface, mode=mode), 'mode')
        raises(ValueError, lambda: stream.blit(surface, surface, mode='ADDD'), 'COPY, KEY, BLEND, ROP, ADD, MOD')
        assert len(stream) == 0
        both = ALLOCATION.CPU_VISIBLE | ALLOCATION.PINNED
        for flags in both, ['CPU_VISIBLE', 'PINNED'], ('cpu_visible', ALLOCATION.PINNED), {'PINNED', 1}:
            for made in gpu.allocation(4096, flags), gpu.surface(4, 4, flags=flags):
                made.write(b'1' * made.size)
                assert made.read() is not None
                assert tessera.arguments.flags(ALLOCATION, 'flags', flags) == both
        assert tessera.arguments.flags(ALLOCATION, 'flags', ['PINNED']) == ALLOCATION.PINNED
        assert tessera.arguments.flags(ALLOCATION, 'flags', []) == 0
        raises(ValueError, lambda: gpu.allocation(4096, 'VISIBLE'), "flags 'VISIBLE' is unknown", 'CPU_VISIBLE')
        raises(ValueError, lambda: gpu.allocation(4096, ['PINNED', 1.5]), 'flags 1.5')
        raises(ValueError, lambda: gpu.allocation(4096, 1.5), 'flags 1.5')


def test_floats():
    """Each number of each call: a float is refused by name, a whole number of another kind is not."""
    class Number:
        def __index__(self):
            return 2

    two = Number()
    with tessera.open(WHERE) as gpu:
        surface, other, stream = gpu.surface(two, two), gpu.surface(4, 4), gpu.stream(two)
        calls = {'width': lambda v: gpu.surface(v, 2), 'height': lambda v: gpu.surface(2, v),
                 'size': gpu.allocation, 'slots': gpu.stream, 'priority': gpu.context,
                 'node': lambda v: gpu.context(0, v),
                 'context': lambda v: gpu.submit(stream, v), 'flags': lambda v: gpu.submit(stream, None, v),
                 'read_set': lambda v: gpu.allocation(4096, read_set=v),
                 'seed': lambda v: tessera.open(WHERE, seed=v),
                 'latency': lambda v: tessera.open(WHERE, {'latency': v}),
                 'x': lambda v: stream.fill(other, v, 0, 1, 1, 1), 'y': lambda v: stream.fill(other, 0, v, 1, 1, 1),
                 'colour': lambda v: stream.fill(other, 0, 0, 1, 1, v),
                 'value': lambda v: stream.blit(other, surface, value=v),
                 'key': lambda v: stream.blit(other, surface, is_keyed=True, key=v),
                 'quarters': lambda v: stream.blit_map(other, surface, quarters=v),
                 'offset': lambda v: stream.palette(other, v),
                 'pattern': lambda v: stream.fill_bytes(other, 4, v)}
        for name, call in calls.items():
            raises(ValueError, lambda: call(1.5), f'{name} 1.5: a whole number is needed')
            raises(ValueError, lambda: call(2.0), f'{name} 2.0: a whole number is needed')
            raises(ValueError, lambda: call('2'), f"{name} '2': a whole number is needed")
        assert len(stream) == 0
        raises(ValueError, lambda: stream.fill(other, 0, 0, 1.5, 1, 1), 'width 1.5')
        raises(ValueError, lambda: stream.fill(other, 0, 0, 1, 1.5, 1), 'height 1.5')
        for name in 'source_x', 'source_y':
            raises(ValueError, lambda: stream.blit(other, surface, **{name: 1.5}), f'{name} 1.5')
            raises(ValueError, lambda: stream.blit_map(other, surface, **{name: 1.5}), f'{name} 1.5')
        for size in 1.5, '2':
            raises(ValueError, lambda: stream.copy(other, surface, size), f'size {size!r}')
            raises(ValueError, lambda: stream.fill_bytes(other, size, 0), f'size {size!r}')
            raises(ValueError, lambda: stream.copy(other, surface, 4, size), f'offset {size!r}')
            raises(ValueError, lambda: stream.copy(other, surface, 4, 0, size), f'offset {size!r}')
            raises(ValueError, lambda: surface.read_bytes(0, size), f'size {size!r}')
        assert (surface.width, surface.height, surface.size) == (2, 2, 16)
        stream.fill(other, two, two, two, two, two)
        stream.blit(other, surface, two, two, width=two, height=two)
        gpu.submit(stream).wait()


def test_kinds():
    """Objects of a wrong kind, names that no structure has, and slots that there are not."""
    with tessera.open(WHERE) as gpu:
        surface, allocation, stream = gpu.surface(4, 4), gpu.allocation(4096), gpu.stream()
        raises(TypeError, lambda: stream.fill(allocation, 0, 0, 1, 1, 1), 'target Allocation', 'a Surface is needed')
        raises(TypeError, lambda: stream.blit(surface, allocation), 'source Allocation', 'a Surface is needed')
        raises(TypeError, lambda: stream.blit(None, surface), 'target None')
        raises(TypeError, lambda: stream.blit_map(None, surface), 'target None')
        raises(TypeError, lambda: stream.blit_map(surface, 'sprite'), "source 'sprite'")
        raises(TypeError, lambda: stream.copy(surface, b'bytes', 4), 'source', 'an Allocation is needed')
        raises(TypeError, lambda: stream.fill_bytes(7, 4, 4), 'target 7')
        raises(TypeError, lambda: stream.palette(7), 'colours 7')
        raises(TypeError, lambda: gpu.submit(surface), 'Surface', 'a Stream is needed')
        raises(TypeError, lambda: tessera.open(7), 'where 7', "'model'")
        raises(TypeError, lambda: stream.blit(surface, surface, is_keyd=True), 'is_keyd', 'is_keyed')
        raises(TypeError, lambda: gpu.surface(4, 4, pich=3), 'pich', 'pitch')
        raises(TypeError, lambda: tessera.open(WHERE, {'sed': 3}), 'sed', 'seed')
        assert len(stream) == 0 and stream
        for slots in 1, 62, -3:
            raises(ValueError, lambda: gpu.stream(slots), f'{slots} slots: 2 to 61')
        gpu.stream(61)


def test_rectangles():
    """One unit past each side, of target and source, of each call: refused in Python before anything is bound."""
    with tessera.open(WHERE) as gpu:
        target, source, stream = gpu.surface(9, 7), gpu.surface(5, 3), gpu.stream()
        for x, y, width, height in ((-1, 0, 1, 1), (0, -1, 1, 1), (9, 0, 1, 1), (0, 7, 1, 1), (0, 0, 10, 1),
                                    (0, 0, 1, 8), (0, 0, -1, 1), (0, 0, 1, -1), (5, 0, 5, 1), (0, 5, 1, 3)):
            text = f'{width} x {height} at {x}, {y} is not inside 9 x 7'
            raises(ValueError, lambda: stream.fill(target, x, y, width, height, 1), text)
            raises(ValueError, lambda: stream.blit_map(target, source, x, y, width, height), text)
            raises(ValueError, lambda: target.must_hold(x, y, width, height), text)
        for x, y, width, height in ((-1, 0, 1, 1), (0, -1, 1, 1), (5, 0, 1, 1), (0, 3, 1, 1), (0, 0, 6, 1),
                                    (0, 0, 1, 4), (3, 0, 3, 1), (0, 2, 1, 2)):
            text = f'{width} x {height} at {x}, {y} is not inside 5 x 3'
            raises(ValueError, lambda: stream.blit(target, source, 0, 0, x, y, width, height), text)
            raises(ValueError, lambda: stream.blit_map(target, source, 0, 0, 1, 1, x, y, width, height), text)
        raises(ValueError, lambda: stream.blit(target, source, x=5), '5 x 3 at 5, 0 is not inside 9 x 7')
        raises(ValueError, lambda: stream.blit(target, source, y=5), '5 x 3 at 0, 5')
        assert len(stream) == 0 and stream.patches == 0
        target.must_hold(0, 0, 9, 7)
        target.must_hold(9, 7, 0, 0)
        stream.fill(target, 8, 6, 1, 1, 1)
        stream.blit(target, source, 4, 4)
        stream.blit(target, source, 8, 6, 4, 2)
        stream.blit_map(target, source, 8, 6, source_x=4, source_y=2)
        gpu.submit(stream).wait()


def test_after_the_end():
    """What was destroyed or closed, and what is another device's, is refused and not drawn."""
    with tessera.open(WHERE) as gpu, tessera.open(WHERE) as other:
        kept, gone, foreign, stream = gpu.surface(8, 8), gpu.surface(8, 8), other.surface(8, 8), gpu.stream()
        stream.blit(kept, gone)
        raises(ValueError, lambda: stream.fill(foreign, 0, 0, 1, 1, 1), 'Surface(8 x 8, ARGB8888) belongs to Device')
        raises(ValueError, lambda: other.submit(stream), 'belongs to Device')
        gone.destroy()
        for call in gone.read, gone.where, gone.evict, gone.destroy, lambda: gone.write(bytes(256)), \
                lambda: stream.fill(gone, 0, 0, 1, 1, 1), lambda: stream.blit(kept, gone), \
                lambda: stream.copy(kept, gone, 4), lambda: stream.palette(gone), lambda: gpu.submit(stream), \
                lambda: stream.fill(kept, 0, 0, 1, 1, 1), lambda: gpu.stream().blit_map(gone, kept), \
                lambda: gpu.stream().blit_map(kept, gone), lambda: gpu.stream().blit(gone, kept):
            raises(ValueError, call, 'Surface(8 x 8, ARGB8888, destroyed) cannot be used', 'destroy()')
        assert gone._repr_png_() is None and kept._repr_png_() is not None
        stream.clear()
        assert len(stream) == 0 and stream.patches == 0
        stream.fill(kept, 0, 0, 8, 8, 0x01020304)
        ticket = gpu.submit(stream)
        ticket.wait()
        assert ticket.is_done
        raises(ValueError, ticket.wait, 'waited for already')
        assert kept.read_bytes() == b'\x04\x03\x02\x01' * 64
        stream.clear()
        stream.fill(kept, 0, 0, 8, 8, 5)
        last = gpu.submit(stream)
    for call in gpu.segments, gpu.statistics, gpu.context, lambda: gpu.allocation(8), lambda: gpu.surface(8, 8), \
            lambda: gpu.cycles, lambda: gpu.submit(stream), lambda: last.is_done, last.wait:
        raises(ValueError, call, 'the device is closed')
    for call in kept.read, kept.where, lambda: stream.fill(kept, 0, 0, 1, 1, 1):
        raises(ValueError, call, 'cannot be used', 'close()')
    gpu.close()
    assert kept._repr_png_() is None


def test_errors():
    with tessera.open(WHERE) as gpu:
        refused = raises(tessera.Error, lambda: gpu.allocation(1 << 30))
        assert refused.name == 'TESSERA_NO_MEMORY' and str(refused).count('TESSERA_NO_MEMORY') <= 1
        assert not isinstance(refused, ValueError)
        surface, stream = gpu.surface(4, 4), gpu.stream()
        misuse = raises(tessera.Misuse, lambda: stream.palette(surface, 128))
        assert isinstance(misuse, ValueError) and misuse.name == 'TESSERA_MISUSE' and misuse.status == -10
        assert str(tessera.Error(-1, 'TESSERA_LINK: gone')) == 'TESSERA_LINK: gone'
        assert str(tessera.Error(-1, 'gone')) == 'TESSERA_LINK: gone'


def test_library_is_found():
    """By TESSERA_LIBRARY; what cannot be loaded is an ImportError that says what to do."""
    asked = [sys.executable, '-c', 'import tessera; print(tessera.library.find())']
    environment = {name: os.environ[name] for name in ('MUTANT', 'MUTANT_REACHED') if name in os.environ}
    environment.update(PYTHONPATH=str(ROOT / 'integration/python'), PATH='/usr/bin:/bin')
    found = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True).stdout.strip()
    assert found == str(ROOT / 'build/python/libtessera.so')
    for named in found, '':
        again = subprocess.run(asked, env={**environment, 'TESSERA_LIBRARY': named}, capture_output=True, text=True)
        assert again.stdout.strip() == found, again.stderr
    missing = subprocess.run(asked, env={**environment, 'TESSERA_LIBRARY': '/no/such.so'}, capture_output=True,
                             text=True)
    assert missing.returncode != 0 and '/no/such.so' in missing.stderr and 'make python' in missing.stderr
    assert pickle.loads(pickle.dumps(FORMAT.RGB565)) is FORMAT.RGB565


def test_firmware_of_a_wheel():
    """The image beside the library is loaded, unless another one is named or the model has its own."""
    device, asked = sys.modules['tessera.device'], []

    def open_device(gpu, where, of_device, options, message):
        asked.append((where, options._obj.firmware))
        message.value = b'refused here'
        return -4

    original = device.library.tessera_open_device, device.FIRMWARE
    try:
        device.library.tessera_open_device = open_device
        for image, options, expected in ((pathlib.Path(__file__), {}, os.fsencode(__file__)),
                                         (pathlib.Path('/no/such/image'), {}, None),
                                         (pathlib.Path(__file__), {'firmware': '/other/image'}, b'/other/image'),
                                         (pathlib.Path(__file__), {'firmware': None}, os.fsencode(__file__)),
                                         (pathlib.Path('/no'), {'firmware': '/other/image'}, b'/other/image')):
            device.FIRMWARE = image
            for where in 'simulator', 'model':
                error = raises(tessera.Error, lambda: tessera.open(where, **options), 'refused here')
                assert error.name == 'TESSERA_FIRMWARE'
            assert asked[-2] == (b'simulator', expected)
            assert asked[-1] == (b'model', os.fsencode(options['firmware']) if options.get('firmware') else None)
    finally:
        device.library.tessera_open_device, device.FIRMWARE = original


def test_closed_once():
    device, closed = sys.modules['tessera.device'], []
    original = device.library.tessera_close
    try:
        device.library.tessera_close = lambda gpu: closed.append(gpu.value) or original(gpu)
        with tessera.open(WHERE) as gpu:
            at = gpu._gpu.value
            assert not closed
        assert closed == [at]
        gpu.close()
        assert closed == [at]
    finally:
        device.library.tessera_close = original


def test_no_room():
    """A stream for which there is no memory, and maps of more than 32767 units or of none."""
    streams = sys.modules['tessera.stream']
    original = streams.library.tessera_stream_create
    with tessera.open(WHERE) as gpu:
        try:
            streams.library.tessera_stream_create = lambda: None
            raises(MemoryError, gpu.stream, 'a stream')
        finally:
            streams.library.tessera_stream_create = original
        wide, target, stream = gpu.surface(40000, 1, 'A8'), gpu.surface(4, 4), gpu.stream()
        raises(ValueError, lambda: stream.blit_map(target, wide), '40000 x 1 to 4 x 4', '32767')
        for name in 'source_width', 'source_height':
            error = raises(ValueError, lambda: stream.blit_map(target, wide, source_x=4, **{name: 0}), 'not be 0')
            assert '32767' not in str(error) and isinstance(error, tessera.Misuse)
        stream.clear()
        target.write(bytes(64))
        other = gpu.surface(4, 4)
        other.write(b'1' * 64)
        for name in 'width', 'height':
            stream.blit_map(target, other, **{name: 0})
            stream.blit(target, other, **{name: 0})
        gpu.submit(stream).wait()
        assert target.read_bytes() == bytes(64)


def test_calls():
    """Each call that the package declares has as many arguments as in the headers; messages are as long."""
    headers = ''.join(path.read_text() for path in (ROOT / 'host/include').glob('*.h'))
    prototypes = dict(re.findall(r'\btessera_(\w+)\(([^()]*)\);', re.sub(r'/\*.*?\*/', '', headers, flags=re.S)))
    for name, shape in library.CALLS.items():
        count = 0 if prototypes[name] == 'void' else prototypes[name].count(',') + 1
        assert len(shape) - 1 == count, f'tessera_{name}: {count} arguments in the header'
    assert f'char message[{library.MESSAGE_BYTES}]' in headers


if __name__ == '__main__':
    sys.exit(main(globals()))
