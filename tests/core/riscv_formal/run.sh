#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh CHECKOUT OUTPUT_DIR [CHECK...]: riscv-formal's checks of the control core. The user's own checkout generates
# them (its genchecks.py, from checks.cfg); this script does what its runner would: read a check's .sby, build its model
# with yosys, search it to the check's depth (../formal/search.sh). CHECK: glob patterns, everything without. A check
# that passed according to OUTPUT_DIR/results.txt is not run again. RISCV_FORMAL_TIMEOUT (900): processor seconds for
# each search; one that does not end is printed with the cycle it has reached. Seconds printed are the processor's.
set -u
checkout=$1 output=$2; shift 2
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$checkout/checks/genchecks.py" ] || {
    echo "riscv-formal: give a checkout of it: make riscv-formal RISCV_FORMAL=directory" >&2; exit 2; }
core=$output/cores/tessera
mkdir -p "$core"
ln -sfn "$(cd "$checkout" && pwd)/checks" "$output/checks"
ln -sfn "$(cd "$checkout" && pwd)/insns" "$output/insns"
ln -sfn "$(cd "$here/../../.." && pwd)" "$output/project"
"$here/configure.sh" >"$core/checks.cfg" || exit 2
(cd "$core" && python3 "../../checks/genchecks.py") >"$core/generate.log" 2>&1 ||
    { tail -n 5 "$core/generate.log" >&2; exit 2; }
results=$output/results.txt
touch "$results"

# The sections of a .sby: the files to copy, those written out in it, the yosys script.
unpack() { # SBY DIR
    awk -v dir="$2" '
        /^\[/       { section = $1; name = $2; sub(/\]$/, "", name); sub(/\]$/, "", section)
                      if (section == "[file") printf "" > (dir "/" name)
                      next }
        section == "[file"    { print > (dir "/" name) }
        section == "[files"   { if (NF) print > (dir "/files.txt") }
        section == "[options" && $1 == "depth" { print $2 > (dir "/depth.txt") }
        section == "[options" && $1 == "mode"  { print $2 > (dir "/mode.txt") }
        section == "[script" && NF {
            if ($1 == "read") { $1 = "read_verilog"; $2 = "-sv -formal" }
            print > (dir "/script.ys")
        }' "$1"
    while read -r file; do cp "$file" "$2/"; done <"$2/files.txt"
}
check() { # NAME: prints its result
    local dir=$output/run/$1 depth mode wanted=none answer seconds
    rm -rf "$dir"; mkdir -p "$dir"
    unpack "$core/checks/$1.sby" "$dir"
    depth=$(cat "$dir/depth.txt") mode=$(cat "$dir/mode.txt")
    # A cover statement holds where its denial has a counterexample.
    if [ "$mode" = cover ]; then
        cat >"$dir/deny.v" <<'END'
(* techmap_celltype = "$cover" *)
module deny (input A, input EN);
    \$assert denied (.A(!A), .EN(EN));
endmodule
END
        echo "techmap -map deny.v" >>"$dir/script.ys"
        wanted=found
    fi
    read -r answer seconds < <(cd "$dir" &&
        "$here/../formal/search.sh" script.ys "$depth" model "${RISCV_FORMAL_TIMEOUT:-900}")
    case $answer in
        "$wanted")    echo "$1 pass depth $((depth - 1)) $seconds s" ;;
        undecided-*)  echo "$1 TIMEOUT depth $((depth - 1)) reached ${answer#undecided-} after $seconds s" ;;
        none | found) echo "$1 FAIL depth $((depth - 1)) $seconds s" ;;
        *)            echo "$1 ERROR yosys: $dir/model.yosys.log" ;;
    esac
}
[ $# -gt 0 ] || set -- '*'
for pattern in "$@"; do
    # shellcheck disable=SC2254  # patterns are meant
    for name in $(awk -F: '/^all:/ { print $2 }' "$core/checks/makefile"); do
        case $name in $pattern) ;; *) continue ;; esac
        grep -q "^$name pass" "$results" && continue
        result=$(check "$name")
        echo "$result"
        grep -v "^$name " "$results" >"$results.new"; echo "$result" >>"$results.new"; mv "$results.new" "$results"
    done
done
echo "$(grep -c ' pass ' "$results") of $(grep -c ':$\|status:$' "$core/checks/makefile") pass"
awk '{ sum[$2]++ } END { for (word in sum) printf "%d %s  ", sum[word], word; print "" }' "$results"
! grep -vq ' pass ' "$results"
