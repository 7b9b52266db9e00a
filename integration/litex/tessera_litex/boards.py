# SPDX-License-Identifier: Apache-2.0
"""The boards that tessera_litex.board knows, and what the tools say of them. Needs nothing but Python."""
import re

# No region for the firmware, and an aperture of 4 MB.
CHIP = dict(FIRMWARE_BYTES=0, APERTURE_PAGES=1024)
# Arguments of the target's BaseSoC, the chip's, and what the FPGA has (DP16KD: 2 KB each; TRELLIS_COMB: LUT4).
BOARDS = {
    "ulx3s": dict(target="radiona_ulx3s", base=dict(device="LFE5U-85F", sys_clk_freq=40e6),
                  chip=dict(SEGMENT1_BYTES=64 << 10), LUT4=83640, DP16KD=208, MULT18X18D=156),
    "colorlight_i9": dict(target="colorlight_i5", base=dict(board="i9", revision="7.2", sys_clk_freq=40e6),
                          chip=dict(SEGMENT1_BYTES=4 << 10, COMMAND_BYTES=16 << 10, system_bytes=4 << 20,
                                    segment2_bytes=1 << 20), LUT4=43848, DP16KD=108,
                          MULT18X18D=72),
}


def cells(text):
    """What Yosys counted last, by its log."""
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


def clocks(text):
    """nextpnr's last estimate of each clock, which is the routed one."""
    found = re.findall(r"Max frequency for clock\s+'([^']+)': ([0-9.]+) MHz \((\w+) at ([0-9.]+) MHz", text)
    return list({name: f"  {name}: {reached} MHz, asked {asked}" for name, reached, _, asked in found}.values())
