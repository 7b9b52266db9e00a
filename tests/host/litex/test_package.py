#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goal: the package tessera_litex is whole without LiteX at hand. Method: every file of it compiles; its list of the
chip's files is that of tessera.core; every port of rtl/gpu.v but the watchers' is in the module's text; the client is
compiled and linked for a LiteX processor as build_client does it, and then needs no call of a system; what is wrong
with the tree is said in one line.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "integration" / "litex"
sys.path.insert(0, str(PACKAGE))
import tessera_litex                                                                                # noqa: E402
from tessera_litex import boards, client                                                                    # noqa: E402

passed = failed = 0


def note(is_so, what):
    global passed, failed
    passed, failed = passed + bool(is_so), failed + (not is_so)
    if not is_so:
        print("not so:", what)


def check_files():
    for file in sorted(PACKAGE.rglob("*.py")):
        try:
            compile(file.read_text(), str(file), "exec")
            note(True, "")
        except SyntaxError as error:
            note(False, f"{file} compiles: {error}")
    core = (ROOT / "tessera.core").read_text().split("filesets:")[1].split("  bench:")[0]
    listed = sorted(str(ROOT / name) for name in re.findall(r"- (rtl/\S+\.v)$", core, re.M))
    note(tessera_litex.sources() == listed, "the chip's files are those of tessera.core")


def check_ports():
    """The module makes names by h, m, l and their channels, by d for the display, f for lines. Watchers have others."""
    header = (ROOT / "rtl" / "gpu.v").read_text().split(");\n`include")[0]
    ports = set(re.findall(r"^ +(?:input|output) +wire +(?:\[.*?\] *)?(\w+)", header, re.M))
    made = {"clk", "rst", "irq"}
    channels = {"aw": "addr", "ar": "addr", "w": "data strb", "r": "data resp", "b": "resp"}
    burst = {"aw": " len size burst", "ar": " len size burst", "w": " last", "r": " last", "b": ""}
    for letter in "hml":
        for channel, bits in channels.items():
            for bit in (bits + (burst[channel] if letter != "h" else "") + " valid ready").split():
                made.add(f"{letter}_{channel}{bit}")
    module = (PACKAGE / "tessera_litex" / "core.py").read_text()
    made |= set(re.findall(r"\b[io]_((?:pixel|d|f)_\w+)=", module))
    watchers = r"probe_|trace_|console_|exit_|retire_|core_held|panicked|m_a[rw]user|pixel_khz|pixel_on|l_urgent|" \
               r"f_ar(?:addr|len|valid)"
    watched = {name for name in ports if re.match(watchers, name)}
    sleep = {f"{kind}_{part}" for kind in ("clk", "rst") for part in ("render", "paging", "fabric", "display")}
    note(ports - watched - sleep == made, f"ports: {sorted((ports - watched - sleep) ^ made)}")


def check_linked(what, line, elf, base):
    """Compiled without a word, from `base` on, whole and alone. Returns what nm says of it."""
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    note(done.returncode == 0 and not done.stdout, f"{what} compiles: {done.stdout}")
    names = subprocess.check_output(["riscv64-unknown-elf-nm", str(elf)], text=True)
    note(re.search(f"^{base:08x} T _start$", names, re.M), f"{what} begins at 0x{base:x}")
    note(not re.search(r" (U|w) ", names), f"nothing of {what} is left open: {names.count(' U ')}")
    note(not re.search(r" T (sbrk|_sbrk|open|fopen|write|exit)$", names, re.M), f"no call of a system is in {what}")
    return names


def check_client(folder):
    whole, image = client.firmware({"TESSERA_FIRMWARE_BYTES": 262144}), folder / "client.firmware"
    client.check_image(whole)
    subprocess.run(["riscv64-unknown-elf-objcopy", "--strip-all", whole, image], check=True)
    elf = folder / "client.elf"
    soc = ROOT / "tests" / "host" / "litex" / "soc"
    flags = "-march=rv32i2p0_m -mabi=ilp32"
    for defines in ((), ("CLIENT_KEEPS_CACHE",)):
        line = client.command([str(soc)], elf, image, flags, defines=defines)
        check_linked(f"the client {defines}", line, elf, 0x40000000)
    called = subprocess.check_output(["riscv64-unknown-elf-objdump", "-d", "--disassemble=calloc", str(elf)], text=True)
    note("<memset>" in called and not re.search(r"(jal|j|tail|call)\s.*<calloc>", called),
         "calloc does not call itself")
    done = subprocess.run(client.command([str(soc)], elf, image, flags, room=64 << 10), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    note(done.returncode != 0 and "overflowed" in done.stdout, "one that does not fit is not linked")


MAPPED = """
     Number of cells:                  9
     LUT4                              1
   Number of cells:              72001
     CCU2C                        9076
     DP16KD                        109
     LUT4                        20305
     MULT18X18D                     26
     TRELLIS_DPR16X4              2898
     TRELLIS_FF                  17163
"""
PLACED = """
Info: Max frequency for clock '$glbnet$sys_clk': 31.20 MHz (FAIL at 45.00 MHz)
Info: Max frequency for clock 'spi_clk': 90.10 MHz (PASS at 12.00 MHz)
Info: Max frequency for clock '$glbnet$sys_clk': 46.13 MHz (PASS at 45.00 MHz)
"""


def check_boards():
    """The targets' lists, and what is read out of the tools' words; that they do so is test-litex-board's."""
    header = (ROOT / "rtl" / "gpu.v").read_text().split(") (")[0]
    known = set(re.findall(r"parameter +(?:\[.*?\] *)?(\w+)", header)) | {"system_bytes", "segment2_bytes"}
    given = set(boards.CHIP).union(*(board["chip"] for board in boards.BOARDS.values()))
    note(given <= known, f"they are parameters of the chip: {given - known}")
    counted = boards.cells(MAPPED)
    note(counted["LUT4"] == 20305 and counted["DP16KD"] == 109, f"the last count is taken: {counted}")
    lines, fits = boards.table(boards.BOARDS["ulx3s"], counted)
    note(fits and lines[0].split() == ["LUT4", str(20305 + 2 * 9076 + 6 * 2898), "of", "83640"], f"it fits: {lines}")
    lines, fits = boards.table(boards.BOARDS["colorlight_i9"], counted)
    note(not fits and [line.endswith("   too many") for line in lines] == [True, True, False], f"it does not: {lines}")
    note(boards.clocks(PLACED) == ["  $glbnet$sys_clk: 46.13 MHz, asked 45.00", "  spi_clk: 90.10 MHz, asked 12.00"],
         f"the clocks: {boards.clocks(PLACED)}")
    for name, board in boards.BOARDS.items():
        note(board["DP16KD"] * 2048 > board["chip"]["SEGMENT1_BYTES"] + board["chip"].get("COMMAND_BYTES", 64 << 10),
             f"{name}: the chip's own memories are smaller than the FPGA's")


def check_lvgl(folder):
    """The LVGL program with the stand-in of it."""
    image, elf = client.firmware({"TESSERA_FIRMWARE_BYTES": 262144}), folder / "lvgl.elf"
    tests = ROOT / "tests" / "host"
    sources, options = client.lvgl_program(str(tests / "litex" / "lvgl_stand_in.c"),
                                           str(tests / "play" / "lvgl" / "stand_in.c"),
                                           str(tests / "play" / "lvgl" / "stand_in_draw.c"))
    line = client.command([str(tests / name) for name in ("litex/soc", "litex", "play/lvgl")], elf, image,
                          "-march=rv32i2p0_m -mabi=ilp32", sources, base=0x43a80000, room=5 << 20, options=options,
                          defines=["STAND_IN_MINOR=5", "STAND_IN_SILENT", "LVGL_OWN_BYTES=0x500000"])
    names = check_linked("the LVGL program", line, elf, 0x43a80000)
    room = max(int(place, 16) for place in re.findall(r"^([0-9a-f]{8}) [bB] ", names, re.M)) - 0x43a80000
    note(room < 5 << 20, f"it has room: {room}")


def says(action, begin):
    try:
        action()
    except tessera_litex.TesseraError as error:
        return str(error).startswith(begin) and "\n" not in str(error)
    return False


def check_wrong(folder):
    note(says(lambda: client.check_image(folder / "none.elf"), "no firmware image "), "an image that is not there")
    (folder / "rtl").mkdir()
    (folder / "build").mkdir()
    (folder / "rtl" / "gpu.v").write_text("")
    (folder / "image.elf").write_text("")
    (folder / "rtl" / "gpu_spec.vh").write_text("localparam [31:0] GPU_ABI_HASH = 32'h00c0ffee;\n")
    (folder / "build" / "gpu_hash.h").write_text("#define GPU_ABI_HASH 0xc0ffefu\n")
    os.environ["TESSERA_ROOT"] = str(folder)
    note(tessera_litex.root() == folder, "TESSERA_ROOT names the tree")
    note(says(lambda: client.check_image(folder / "image.elf"),
              "RTL and firmware differ: the RTL has ABI hash 0x00c0ffee, firmware and library have 0x00c0ffef: run"),
         "an image of another ABI")
    (folder / "build" / "gpu_hash.h").write_text("#define GPU_ABI_HASH 0xc0ffeeu\n")
    note(client.check_image(folder / "image.elf") is None, "one of the same")
    del os.environ["TESSERA_ROOT"]


with tempfile.TemporaryDirectory() as temporary:
    check_files()
    check_ports()
    check_client(Path(temporary))
    check_boards()
    check_lvgl(Path(temporary))
    check_wrong(Path(temporary))
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
