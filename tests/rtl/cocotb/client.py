# SPDX-License-Identifier: Apache-2.0
"""libtessera and scene.c through ctypes. Nothing of cocotb is in here, so that `make test` can compare the struct with
the compiler's: client.py LAYOUT, which `scene_model` prints."""
import ctypes
import sys

SYSTEM_BYTES, SEGMENT2_BYTES = 8 << 20, 256 << 10           # chip_axi.v
LISTS, POOL, CLEARED = 0x90000, 0x290000, 0x10000           # host/lib/tessera_internal.h
SCENE_BYTES = 64 * 64 * 2
CONTROL, CORE_RUN = 0x08, 1                                 # spec/gpu.def

VERBS = ("register_read", "register_write", "memory_read", "memory_write", "wait", "cycles", "close")
READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32))
WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32)
MOVE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_size_t)
WAIT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32)
CYCLES = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
CLOSE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Transport(ctypes.Structure):
    """host/include/transport.h"""
    _fields_ = [("context", ctypes.c_void_p), *zip(VERBS, (READ, WRITE, MOVE, MOVE, WAIT, CYCLES, CLOSE)),
                ("take_pages", ctypes.c_void_p), ("give_pages", ctypes.c_void_p),
                ("inside", ctypes.c_void_p * 2),
                ("memory_bytes", ctypes.c_uint32), ("error", ctypes.c_char * 256)]


class Client:
    """A program over a transport whose verbs are Python's: an object with a method for each of VERBS."""

    def __init__(self, path, verbs):
        self.library, self.gpu = ctypes.CDLL(path), ctypes.c_void_p()
        self.library.tessera_message.restype = self.library.tessera_status_name.restype = ctypes.c_char_p
        types = dict(Transport._fields_)
        calls = (types[verb](getattr(verbs, verb)) for verb in VERBS)
        self.transport = Transport(None, *calls, None, None, SYSTEM_BYTES)

    def open(self, firmware, seed):
        """Load the image through the registers, start it, wait until it has booted: a status and words."""
        message = ctypes.create_string_buffer(256)
        status = self.library.scene_open(ctypes.byref(self.gpu), ctypes.byref(self.transport), firmware.encode(), seed,
                                         message)
        return status, message.value.decode()

    def draw(self):
        """The scene: a status, its bytes, evictions."""
        pixels, evictions = ctypes.create_string_buffer(SCENE_BYTES), ctypes.c_uint32()
        return self.library.scene_draw(self.gpu, pixels, ctypes.byref(evictions)), pixels.raw, evictions.value

    def why(self, status):
        name, message = self.library.tessera_status_name(status), self.library.tessera_message(self.gpu)
        return f"{name.decode()}: {message.decode()}" if status else name.decode()


def compare(path):
    """Members whose place the compiler says is another one."""
    with open(path, encoding="ascii") as lines:
        said = {name: int(number) for name, number in (line.split() for line in lines)}
    here = {name: getattr(Transport, name).offset for name, _ in Transport._fields_ if name != "context"}
    here |= {"bytes": ctypes.sizeof(Transport), "pixels": SCENE_BYTES}
    return sorted(name for name in said.keys() | here.keys() if said.get(name) != here.get(name))


if __name__ == "__main__":
    wrong = compare(sys.argv[1])
    print(f"client.py does not agree with C: {', '.join(wrong)}" if wrong else "client.py agrees with C")
    sys.exit(bool(wrong))
