# SPDX-License-Identifier: Apache-2.0
"""`make litex-lvgl LVGL_DIR=`: LVGL on the SoC of `make litex-sim`, its frames drawn without and with the GPU.

The GPU's system memory is the first 8 MB of main_ram here, and the program lies in it: so layers and images of LVGL are
bound where they lie (host/clients/lvgl/lv_draw_tessera.h). LVGL is compiled from LVGL_DIR, which stays as it is."""
import argparse
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tessera_litex.client import build_client, lvgl_program, machine_flags, run
from tessera_litex.sim import System, add_options, simulate
from tessera_litex.tree import TesseraError, conclude, root

PROGRAM_OFFSET, SYSTEM_BYTES = 3 << 20, 8 << 20     # of system memory: the library's pages, then the program's
DISPLAY = "320x200@60Hz"                            # integration/litex/lvgl/scene.h


def system(sdram_init=()):
    return System("litedram", sdram_init, sram_bytes=0x8000, display=DISPLAY, base=0x40000000,
                  system_bytes=SYSTEM_BYTES)


def own_place(soc):
    """The program's part of system memory: address and bytes."""
    return int(soc.constants["TESSERA_SYSTEM_BASE"]) + PROGRAM_OFFSET, SYSTEM_BYTES - PROGRAM_OFFSET


def library(lvgl, folder, compiler, flags, jobs):
    """LVGL and its widgets demo, compiled as integration/litex/lvgl/lv_conf.h says, as an archive."""
    if not (lvgl / "lvgl.h").is_file() or not (lvgl / "demos" / "widgets").is_dir():
        raise TesseraError(f"{lvgl} has no lvgl.h, or no demos/widgets: name a checkout of LVGL 9.4 or 9.5")
    stamp, said = folder / "stamp", "\n".join([str(lvgl), *flags])
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != said:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        stamp.write_text(said, encoding="utf-8")
    least = (root() / "integration" / "litex" / "lvgl" / "lv_conf.h").stat().st_mtime
    files = sorted([*lvgl.glob("src/**/*.c"), *lvgl.glob("demos/widgets/**/*.c"), *lvgl.glob("demos/*.c")])

    def compiled(file):
        made = folder / (str(file.relative_to(lvgl)).replace("/", "_") + ".o")
        if not made.is_file() or made.stat().st_mtime < max(least, file.stat().st_mtime):
            run([compiler, *flags, "-O2", "-w", "-ffunction-sections", "-fdata-sections", "-c", "-o", str(made),
                 str(file)])
        return str(made)

    with ThreadPoolExecutor(jobs) as pool:
        objects = list(pool.map(compiled, files))
    archive = folder / "liblvgl.a"
    archive.unlink(missing_ok=True)
    run(["riscv64-unknown-elf-ar", "rcs", str(archive), *objects])
    return str(archive)


def program_of(lvgl, jobs=2, defines=()):
    """What simulate takes: integration/litex/lvgl with this LVGL."""
    here = root() / "integration" / "litex" / "lvgl"
    lvgl_flags = ["-DLV_CONF_INCLUDE_SIMPLE", f"-I{here}", "-isystem", str(lvgl), "-isystem", str(lvgl / "src")]

    def program(soc, includes, output):
        place = own_place(soc)
        flags = [*machine_flags(soc.cpu.gcc_flags), "--specs=picolibc.specs", "-std=gnu11", *lvgl_flags]
        archive = library(lvgl, output.parent / "lvgl", "riscv64-unknown-elf-gcc", flags, jobs)
        sources, options = lvgl_program(archive)
        return build_client(soc, includes, output, sources, place=place, options=[*lvgl_flags, *options],
                            defines=[f"LVGL_OWN_BYTES={place[1]}", *defines]), place[0]
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lvgl", type=Path, help="a checkout of LVGL 9.4 or 9.5")
    add_options(parser, "litex-lvgl", seconds=3600)
    options = parser.parse_args()
    program = program_of(options.lvgl.resolve(), options.jobs, options.define)
    return conclude("litex-lvgl", lambda: simulate(system, options.build, options.picture, program=program,
                                                   seconds=options.seconds, jobs=options.jobs,
                                                   is_same=options.same_simulator))


if __name__ == "__main__":
    sys.exit(main())
