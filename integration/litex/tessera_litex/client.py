# SPDX-License-Identifier: Apache-2.0
"""A bare-metal program for the SoC's processor with libtessera in it, linked for the beginning of main_ram."""
import os
import re
import shlex
import subprocess
from pathlib import Path

from tessera_litex.tree import TesseraError, root

LIBRARY = ("host/lib/device/transport_mmio.c", "host/lib/argument_check.c", "host/lib/packet_text.c",
           "host/lib/refusal.c", "host/lib/refusal_reason.c", "host/lib/stream_check.c", "host/lib/tessera.c",
           "host/lib/tessera_image.c",
           "host/lib/tessera_client.c", "host/lib/tessera_display.c", "host/lib/tessera_link.c",
           "host/lib/tessera_memory.c", "host/lib/tessera_pages.c", "host/lib/tessera_timeline.c",
           "host/lib/tessera_queue.c", "host/lib/tessera_stream.c", "host/lib/gdb/debug.c", "host/lib/tdump/bytes.c",
           "host/lib/tdump/command_memory.c", "host/lib/tdump/portions.c", "host/lib/tdump/sections_buffers.c",
           "host/lib/tdump/sections_device.c", "host/lib/tdump/tdump_read.c", "host/lib/tdump/tdump_write.c")
START = ("start.S", "heap.c", "words.c")
CLIENT = START + ("main.c", "picture.c", "soc.c")
INCLUDES = ("host", "host/include", "spec", "build")
# uint32_t is a long there, which printf's checks want to be told; nothing else is left out.
FLAGS = ("-misa-spec=2.2 --specs=picolibc.specs -nostartfiles -O2 -std=gnu11 -Wall -Wextra -Wno-format "
         "-ffunction-sections -fdata-sections -Wl,--gc-sections "
         "-Wl,--no-warn-rwx-segments").split()


def folder():
    return root() / "integration" / "litex" / "client"


def firmware(soc_constants):
    """The chip's image in this tree: another one where there is no region for its cold part."""
    name = "gpu.elf" if int(soc_constants["TESSERA_FIRMWARE_BYTES"]) else "gpu-tcm.elf"
    return root() / "build" / "firmware" / name


def _hash(path):
    found = re.search(r"GPU_ABI_HASH\W+(?:32'h|0x)([0-9a-f]+)", path.read_text()) if path.is_file() else None
    return found and found.group(1).rjust(8, "0")


def check_image(image):
    """There is an image, and what it and the library are built from is what the RTL is built from; else one line that
    says what to do. (An image from elsewhere is judged by the chip: the client then says so.)"""
    if not Path(image).is_file():
        raise TesseraError(f"no firmware image {image}: run `make firmware` in {root()}")
    hardware, built = _hash(root() / "rtl" / "gpu_spec.vh"), _hash(root() / "build" / "gpu_hash.h")
    if built is None:
        raise TesseraError(f"no {root() / 'build' / 'gpu_hash.h'}: run `make firmware` in {root()}")
    if hardware != built:
        raise TesseraError(f"RTL and firmware differ: the RTL has ABI hash 0x{hardware}, firmware and library have "
                           f"0x{built}: run `make firmware` in {root()}")


def machine_flags(cpu_flags):
    """LiteX writes the specification's version into the architecture's name; the libraries go by the bare one."""
    return shlex.split(re.sub(r"(-march=rv32i)2p0_", r"\1", cpu_flags))


def lvgl_program(*library):
    """integration/litex/lvgl: sources, with the files or the archive of an LVGL, and the compiler's options that it
    needs besides LVGL's own folders (main.c has the wrappers)."""
    here = root() / "integration" / "litex"
    wrapped = ("lv_obj_update_layout", "lv_obj_enable_style_refresh", "lv_demo_widgets_analytics_create",
               "lv_demo_widgets_shop_create")
    return ([*(str(here / "client" / name) for name in ("soc.c", "picture.c")),
             *(str(here / "lvgl" / name) for name in ("main.c", "scene.c")),
             *(str(name) for name in sorted((root() / "host" / "clients" / "lvgl").glob("*.c"))), *library],
            [f"-Wl,--wrap={name}" for name in wrapped])


def command(includes, output, image, cpu_flags, sources=(), base=0x40000000, room=2 << 20, defines=(),
            stack=0x10002000, prefix="riscv64-unknown-elf-", options=()):
    """The compiler's command line; `includes` are LiteX's: the SoC's own headers and its processor's."""
    here = folder()
    own = [str(here / name) for name in (START if sources else CLIENT)] + [*sources]
    folders = [*(root() / name for name in INCLUDES), here, *includes]
    return [f"{prefix}gcc", *machine_flags(cpu_flags), *FLAGS, *[f"-I{name}" for name in folders],
            *[f"-D{name}" for name in defines], *options,
            f'-DCLIENT_FIRMWARE="{image}"', "-T", str(here / "client.ld"), f"-Wl,--defsym=CLIENT_BASE={base}",
            f"-Wl,--defsym=CLIENT_BYTES={room}",
            f"-Wl,--defsym=client_stack_top={stack}", "-o", str(output), *own,
            *[str(root() / name) for name in LIBRARY]]


def run(line):
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise TesseraError(f"{Path(line[0]).name}: {done.stdout.strip()}")


def build_client(soc, include_folder, output, sources=(), image=None, defines=(), prefix="riscv64-unknown-elf-",
                 place=None, options=()):
    """Compiles the client of integration/litex/client, or one's own `sources` with its start and heap, for `soc`;
    `include_folder` is .../software/include of LiteX's Builder, `options` are more of the compiler's. Returns the path
    of the binary for sdram_init, which the BIOS runs from the beginning of main_ram: everything below the GPU's memory
    may be used by it. Or `place` is (address, bytes): where it lies, and how much it may use."""
    import litex.soc
    image = Path(image) if image else firmware(soc.constants)
    check_image(image)
    output, litex = Path(output), Path(litex.soc.__file__).parent
    stripped = output.with_suffix(".firmware")
    output.parent.mkdir(parents=True, exist_ok=True)
    run([f"{prefix}objcopy", "--strip-all", str(image), str(stripped)])
    main = soc.bus.regions["main_ram"]
    base, room = place or (main.origin, min(main.size, int(soc.constants["TESSERA_SYSTEM_BASE"]) - main.origin))
    sram = soc.bus.regions["sram"]
    if sram.size < 8 << 10:
        raise TesseraError(f"too little memory: an sram of {sram.size} bytes for the stack: take "
                           "integrated_sram_size=0x2000")
    if room < 1 << 20:
        raise TesseraError(f"too little memory: {room} bytes of main_ram are left for the program, it takes 1 MB: take "
                           "less system_bytes, or a larger memory")
    includes = [str(include_folder), str(litex / "software" / "include"), str(litex / "software"),
                str(litex / "cores" / "cpu" / soc.cpu_type)]
    elf = output.with_suffix(".elf")
    run(command(includes, elf, os.path.abspath(stripped), soc.cpu.gcc_flags, sources, base, room, defines,
                 sram.origin + sram.size, prefix, options))
    run([f"{prefix}objcopy", "-O", "binary", str(elf), str(output)])
    return str(output)
