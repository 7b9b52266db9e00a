# SPDX-License-Identifier: Apache-2.0
# The last counts in a log of Yosys's `stat` as one line; -v name=NAME.
/LUT4|CCU2C|TRELLIS_FF|TRELLIS_DPR16X4|DP16KD|PDPW16KD|MULT18X18D/ {n[$1] = $2}
END {
    printf "%-24s LUT4 %5d  CCU2C %4d  FF %5d  LUTRAM %4d  block RAM %d  multipliers %d\n", name, n["LUT4"],
        n["CCU2C"], n["TRELLIS_FF"], n["TRELLIS_DPR16X4"], n["DP16KD"] + n["PDPW16KD"], n["MULT18X18D"]
}
