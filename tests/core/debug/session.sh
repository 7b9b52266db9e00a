#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goal: gdb-multiarch debugs the firmware on the simulated chip: registers, CSRs, memory, hardware breakpoint,
# breakpoint in memory, an object of thousands of bytes, the source's names, step, next, watch a variable, continue,
# interrupt, kill; and the command refuses what it cannot do. Method: session.gdb in batch mode, its output line by
# line. With BOARD_SIM the same on the simulated board, through its serial line.
# session.sh TESSERA FIRMWARE OUT [BOARD_SIM]
set -u
tessera=$1 firmware=$2 out=$3 board=${4:-}
passed=0 failed=0
here=$(dirname "$0")
mkdir -p "$out" && rm -f "$out"/*.log
check() { # NAME, then a command
    local name=$1; shift
    if "$@" >/dev/null; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $name"; fi
}
says() { check "$1" grep -qE "$2" "$out/gdb.log"; }
refuses() { # NAME, EXPECTED, then a command
    local name=$1 expected=$2; shift 2
    "$@" >"$out/refused.log" 2>&1
    local code=$?
    check "$name: exit status $code" test "$code" -eq 2
    check "$name: $(tail -n 1 "$out/refused.log")" grep -q "$expected" "$out/refused.log"
}

device=() patience=1
if [ -n "$board" ]; then
    "$board" --port 0 --once >"$out/board.log" 2>&1 &
    simulation=$!
    trap 'kill $simulation 2>/dev/null' EXIT
    for ((i = 0; i < 300; i++)); do
        line=$(sed -n 's/.*listening on port \([0-9]*\).*/\1/p' "$out/board.log" 2>/dev/null)
        [ -n "$line" ] && break
        sleep 0.1
    done
    check "the board says its port" test -n "$line"
    patience=8 device=(--device "tcp:localhost:$line" --textures 12 --segment1 8 --segment2 128)
fi
"$tessera" gdb --port 0 --frames 1 --firmware "$firmware" --out "$out" "${device[@]}" >"$out/tessera.log" 2>&1 &
server=$!
trap 'kill $server ${simulation:-} 2>/dev/null' EXIT
for ((i = 0; i < 300; i++)); do
    port=$(sed -n 's/.*waits for gdb on port \([0-9]*\).*/\1/p' "$out/tessera.log" 2>/dev/null)
    [ -n "$port" ] && break
    sleep 0.1
done
check "the server says its port" test -n "$port"
if [ -z "$board" ]; then
    refuses "a port in use" "cannot use port $port" "$tessera" gdb --port "$port" --frames 1 --out "$out/refused"
    refuses "the golden model" "no debug unit" "$tessera" gdb --model --port 0 --frames 1 --out "$out/refused"
    refuses "no port" "give a number from 0 to 65535" "$tessera" gdb --port 65536
fi

timeout $((patience * 150)) gdb-multiarch -nx -batch -ex "set remotetimeout $((patience * 100))" \
    -ex "target remote 127.0.0.1:$port" -x "$here/session.gdb" "$firmware" >"$out/gdb.log" 2>&1 &
gdb=$!
for ((i = 0; i < 1400 * patience; i++)); do # Ctrl-C as a terminal would send it, once gdb has let the core run
    if grep -q '^RUN$' "$out/gdb.log"; then sleep 1; pkill -INT -P $gdb gdb-multiarch; break; fi
    kill -0 $gdb 2>/dev/null || break
    sleep 0.1
done
wait $gdb
check "gdb's exit status $?" true
wait $server
check "the server ends with gdb" grep -q 'gdb ended the session' "$out/tessera.log"

says "stopped before the first instruction" '^START pc 0$'
says "a CSR" '^MISA 40001104$'
says "a hardware breakpoint" '^MAIN 1$'
says "mtvec is set before main" '^MTVEC 1$'
says "stepi" '^STEPI 1$'
says "a register written" '^REGISTER 12345678$'
says "stepi over a store that protection denies" '^DENIED 1 cause 7 address 0$'
says "memory written" '^MEMORY cafe1234$'
says "a GPU register through the core" '^ID 41525354$'
says "a breakpoint in memory" '^Breakpoint 2(\.1)?, .*host_peek'
says "the backtrace ends in main" '^#[0-9]+ .*main \(\) at firmware/main\.c'
says "a large object: $(grep '^LARGE' "$out/gdb.log")" '^LARGE [0-9]{4,5}$'
says "its content" '^\$[0-9]+ = \{\{'
check "names are the source's" bash -c "! grep -E '[.]lto_priv[.][0-9]' '$out/gdb.log'"
says "next" '^NEXT 1$'
says "the watched variable" '^Hardware watchpoint 3: -location gpu\.manager\.host\.submit_head'
says "its old value" '^Old value = 0$'
says "its new value" '^New value = 1$'
says "the variable" '^HEAD 1$'
says "an interrupt" '^Program received signal SIGINT'
says "after the interrupt" '^STOPPED 1$'
# Where the interrupt stops it, gdb shows the line of source, which may say anything.
check "no error of gdb's" bash -c \
    "! grep -vE '^[0-9]+[[:space:]]' '$out/gdb.log' | grep -iE 'error|cannot|warning: (remote|unrecognized|invalid)'"
[ "$failed" -eq 0 ] || { echo "--- gdb:"; cat "$out/gdb.log"; echo "--- tessera:"; cat "$out/tessera.log"; }
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
