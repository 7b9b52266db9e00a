# SPDX-License-Identifier: Apache-2.0
#
# The deepest that the firmware's stack can get, from an image's disassembly (objdump -d) and its relocations
# (objdump -r, of code and constants; for gawk): every function's frames, and who calls whom. What has its address
# taken, which only relocations tell from any other number, may be called wherever a register is; a function that can
# call itself is an error, as nothing would bound it. -v room=BYTES. Prints the deepest chain of calls.

function stop(text) {
    print "stack: " text
    is_bad = 1
    exit 1
}

/^[0-9a-f]+ <.*>:$/ {
    name = gensub(/[<>:]/, "", "g", $2)
    is_function[name]
    next
}
$2 ~ /^R_RISCV_/ {
    if ($2 ~ /^R_RISCV_(32|(PCREL_)?HI20|LO12_[IS])$/) is_taken[$3]
    has_relocations = 1
    next
}
{ named = match($0, /<([^>+]+)>$/, part) ? part[1] : "" }
match($0, /\taddi?\tsp,sp,-([0-9]+)/, part) {
    frame[name] += part[1] # several count together
    next
}
/\tsub\tsp,/ || /\taddi?\tsp,sp,[a-z]/ { stop(name "'s frame is of no constant size") }
# start.S sets the empty stack; anything else that writes sp is unknown to us (stores and branches only read it).
/\t[a-z.]+\tsp,/ && !/\taddi?\tsp,sp,|\t(s[bhw]|b[a-z]+)\tsp,/ && name !~ /^(_start|trap)$/ {
    stop(name "'s frame is of no constant size")
}
/\tjalr\t/ && named == "" { calls[name]["*"] }
# No switch has a table (firmware.mk), so this is a tail call; that from one memory to the other has the place named.
/\tjr\t[^r]/ && named == "" { calls[name]["*"] }
/\t(j|jr|jal|jalr|b[a-z]+)\t/ {
    if (named != "" && (named != name || /\tjal\t/)) calls[name][named]
    next
}

function deepest(of,    to, most, found) {
    if (of in known) return known[of]
    if (of in is_open) stop(of " can call itself")
    is_open[of]
    most = 0
    if (of in calls)
        for (to in calls[of]) {
            found = deepest(to)
            if (found >= most) {
                most = found
                then[of] = to
            }
        }
    delete is_open[of]
    return known[of] = frame[of] + most
}

END {
    if (is_bad) exit 1
    if (!("main" in is_function) || !has_relocations || room == 0)
        stop("no disassembly, no relocations or no room=BYTES")
    delete is_taken["trap"] # it begins with an empty stack
    for (f in is_taken)
        if (f in is_function) calls["*"][f]
    need = deepest("main")
    for (f = "main"; f != ""; f = then[f]) printf "%8d  %s\n", frame[f], f == "*" ? "(through a register)" : f
    printf "%8d  of %d bytes\n", need, room
    if (need > room) stop("does not fit")
}
