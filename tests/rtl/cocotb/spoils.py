# SPDX-License-Identifier: Apache-2.0
"""What chip_axi.v breaks between chip and judges for a number, and what has to come of it: the violation that is the
first, or one of the two words. ready.sh holds that chip_axi.v has the same numbers."""
CHANNELS = ("m_ar", "m_aw", "m_w", "l_ar", "l_aw", "l_w", "h_b", "h_r")
PIXELS, LEFTOVERS = "pixels", "leftovers"       # no violation, but other bytes; beats that belong to no burst
HAS_ASSERTED = "system memory: cocotbext-axi has asserted: assert"
SPOILS = {
    **{1 + 2 * at: (f"{channel} is withdrawn", f"{channel} has not stood") for at, channel in enumerate(CHANNELS)},
    **{2 + 2 * at: (f"{channel} changes", f"{channel} has not stood") for at, channel in enumerate(CHANNELS)},
    17: ("a read crosses 4 KB", f"{HAS_ASSERTED} 0x1000-"),
    18: ("a write crosses 4 KB", f"{HAS_ASSERTED} 0x1000-"),
    19: ("no last beat", f"{HAS_ASSERTED} last =="),
    20: ("the wrong last beat", f"{HAS_ASSERTED} last =="),
    21: ("a read beyond memory", "system memory: a read of 0x8"),
    22: ("a write to a page that was not given", "system memory: a write of 0x4"),
    23: ("a read beyond segment 2", "segment 2: a read of 0x4"),
    24: ("a FIXED burst", "system memory: a read that is no INCR burst"),
    25: ("another number of beats than data", f"{HAS_ASSERTED} last =="),
    26: ("a strobe before its address", "system memory: a strobe at 0x"),
    27: ("another bit in segment 2", PIXELS),
    28: ("a beat that belongs to no burst", LEFTOVERS),
}

if __name__ == "__main__":
    print(*SPOILS, sep="\n")
