#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goal: what `make riscv-formal` hands to its checkout is a whole design, so that the checks cannot all end in an error
# unnoticed. Method: Yosys elaborates the files and defines of configure.sh below the wrapper, with a stand-in for the
# checkout's macros (outputs of RVFI and of the CSRs that checks.cfg names), every module known, nothing undriven or
# driven twice; and once for each module of the core that it uses with its file left out, which must be noticed.
# elaborate.sh OUTPUT_DIR. Ends with "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd); root=$(cd "$here/../../.." && pwd); output=$1
mkdir -p "$output"
passed=0 failed=0
section() { # NAME: its lines in the configuration
    awk -v wanted="[$1]" '/^\[/ { is_in = $0 == wanted; next } is_in && NF && !/^#/' "$output/checks.cfg"
}
"$here/configure.sh" >"$output/checks.cfg" || exit 2
mapfile -t files < <(section verilog-files | sed "s,^@basedir@/project,$root,")
{
    section defines
    echo '`define rvformal_rand_reg rand reg'
    section csrs | awk '{ print "`define RISCV_FORMAL_CSR_" toupper($1) }'
    echo '`define RVFI_OUTPUTS \'
    { for port in valid trap halt intr; do echo "output wire rvfi_$port"; done
      for port in mode:2 ixl:2 rs1_addr:5 rs2_addr:5 rd_addr:5 mem_rmask:4 mem_wmask:4 order:64 insn:32 rs1_rdata:32 \
                  rs2_rdata:32 rd_wdata:32 pc_rdata:32 pc_wdata:32 mem_addr:32 mem_rdata:32 mem_wdata:32; do
          echo "output wire [${port#*:}-1:0] rvfi_${port%:*}"
      done
      section csrs | awk '{ bits = $1 ~ /^(mcycle|minstret)$/ ? 64 : 32
          split("rmask wmask rdata wdata", kind, " ")
          for (i = 1; i <= 4; i++) print "output wire [" bits "-1:0] rvfi_csr_" $1 "_" kind[i] }'
    } | sed '$!s/$/, \\/'
} >"$output/macros.vh"
elaborate() { # FILE...
    yosys -q -l "$output/yosys.log" -p "read_verilog -sv -formal -I$root/rtl/core $output/macros.vh $*
        hierarchy -check -top rvfi_wrapper; proc; check -assert" >"$output/yosys.txt" 2>&1
}
if elaborate "${files[@]}"; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo "FAIL the design is not whole:"; tail -n 3 "$output/yosys.txt"; fi
mapfile -t used < <(sed -n 's/^Used module: .*\\\(core[a-z_]*\).*/\1/p' "$output/yosys.log" | sort -u)
[ ${#used[@]} -ge 10 ] || { failed=$((failed + 1)); echo "FAIL the core of only ${#used[@]} modules"; }
for module in "${used[@]}"; do
    rest=()
    for file in "${files[@]}"; do [ "$file" = "$root/rtl/core/$module.v" ] || rest+=("$file"); done
    if [ ${#rest[@]} -lt ${#files[@]} ] && ! elaborate "${rest[@]}"; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAIL nobody misses $module.v"; fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
