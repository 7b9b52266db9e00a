#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mover_complete.sh DIRECTORY RTL... -- JOB...: bounded proofs of mover_complete.v with Yosys and its abc. A job is
# MOST:PATIENCE:ERRORS:BOUND:DEPTH[:fails]: no assertion, the RTL's own included, fails within DEPTH cycles of reset.
# With `fails` one has to fail.
set -u
abc=$(command -v yosys-abc || command -v berkeley-abc) || { echo 'berkeley-abc is missing' >&2; exit 2; }
directory=$1; shift
rtl=()
while [ "$1" != -- ]; do rtl+=("$1"); shift; done
shift
mkdir -p "$directory"
# So short a command needs little storage: the FIFOs and the read buffer keep their pointers and lose the memory
# after them but for 4 and 16 words; assertions put in here say that no more are ever in use.
less_storage() { # FILE
    sed -e 's/memory \[0:DEPTH-1\]/memory [0:3]/' -e 's/memory\[\(head\|tail\)_index\]/memory[\1_index[1:0]]/' \
        -e 's/level <= DEPTH\[LOG2_DEPTH:0\]/level <= 4/' \
        -e 's/memory \[0:255\]/memory [0:15]/' -e 's/memory\[\(tail\|head_next\)\]/memory[\1[3:0]]/' \
        -e "s/push && tail_next == head)/push \&\& tail_next - head > 8'd16)/" "$1"
}
sources=()
for file in "${rtl[@]}"; do
    sources+=("$directory/$(basename "$file")")
    less_storage "$file" >"$directory/$(basename "$file")"
done
[ "$(cat "$directory/sync_fifo.v" "$directory/mover_buffer.v" |
     grep -c 'level <= 4)\|head > 8.d16)\|\[0:3\];\|\[0:15\];')" -eq 4 ] || { echo 'storage not found'; exit 2; }
passed=0 failed=0
without='-DCONFIG_MAPS=0 -DCONFIG_PALETTE=0 -DCONFIG_MASKS=0' # what this proof says nothing about (rtl/config.vh)
for job in "$@"; do
    IFS=: read -r most patience errors bound depth fails <<<"$job:"
    name=$directory/complete-$most-$patience-$errors-$bound
    wanted="No output asserted in $depth frames"
    case $fails in fails*) wanted='was asserted in frame' ;; esac
    start=$SECONDS
    if yosys -q -l "$name.yosys.log" -p "
            read_verilog -formal -DGPU_ASSERT $without -Irtl ${sources[*]} tests/formal/mover/mover_complete.v
            chparam -set MOST $most -set PATIENCE $patience -set ERRORS $errors -set BOUND $bound mover_complete
            hierarchy -top mover_complete
            setattr -mod -unset keep_hierarchy
            prep -top mover_complete -flatten -nordff
            memory_map -formal
            async2sync
            chformal -assume -early
            formalff -setundef -clk2ff -ff2anyinit
            setundef -undriven -anyseq
            opt -fast
            dffunmap
            opt_clean
            techmap
            opt -fast
            abc -g AND -fast
            opt_clean
            write_aiger -I -B -zinit -map $name.map $name.aig" >/dev/null 2>&1 &&
       timeout "${FORMAL_TIMEOUT:-300}" "$abc" -c \
           "read_aiger $name.aig; fold; strash; scorr; bmc3 -F $depth -v" >"$name.log" 2>&1 &&
       grep -q "$wanted" "$name.log"; then
        passed=$((passed + 1)); word="as it should be"
    else
        failed=$((failed + 1)); word=FAILED
    fi
    echo "up to $most bytes, patience $patience, errors $errors, bound $bound${fails:+ (must be missed)}: $word" \
         "to cycle $depth in $((SECONDS - start)) s"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
