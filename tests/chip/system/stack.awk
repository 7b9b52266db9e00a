# SPDX-License-Identifier: Apache-2.0
#
# The deepest that each of the firmware's stacks can get, from an image's disassembly (objdump -d) and its relocations
# (objdump -r, of code and constants; for gawk): every function's frames, and who calls whom. What has its address
# taken, which only relocations tell from any other number, may be called wherever a register is; a function that can
# call itself is an error, as nothing would bound it. The driver's patch() calls what portion_describe() gave it.
# -v room="FUNCTION=BYTES ...": what a
# stack begins with, and its room. Prints the deepest chain of calls of each.

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
/\t[a-z.]+\tsp,/ && !/\taddi?\tsp,sp,|\t(s[bhw]|b[a-z]+)\tsp,/ && name !~ /^(_start|trap|stack_switch|stack_last)$/ {
    stop(name "'s frame is of no constant size")
}
/\tjalr\t/ && named == "" { calls[name][name ~ /^patch(\.lto_priv\.[0-9]+)?$/ ? "portion_address" : "*"] }
# No switch has a table (firmware.mk), so this is a tail call; that from one memory to the other has the place named.
/\tjr\t[^r]/ && named == "" { calls[name]["*"] }
/\t(j|jr|jal|jalr|b[a-z]+)\t/ {
    if (named != "" && (named != name || /\tjal\t/)) calls[name][named]
    next
}

function deepest(of,    to, most, found) {
    if (of == "stack_last") return 0 # it begins with an empty stack
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
    count = split(room, stack, " ")
    for (i = 1; i <= count; i++) {
        split(stack[i], part, "=")
        if (!(part[1] in is_function) || part[2] == 0) stop("no " part[1] ", or no room for it")
        begins[i] = part[1]
        bytes[i] = part[2]
        delete is_taken[part[1]] # a stack that is empty begins with it
    }
    if (count == 0 || !has_relocations) stop("no room=FUNCTION=BYTES, or no relocations")
    delete is_taken["trap"] # these begin with an empty stack
    delete is_taken["stack_begin"]
    for (f in is_taken)
        if (f in is_function) calls["*"][f]
    for (i = 1; i <= count; i++) {
        need = deepest(begins[i])
        for (f = begins[i]; f != ""; f = then[f]) printf "%8d  %s\n", frame[f], f == "*" ? "(through a register)" : f
        printf "%8d  of %d bytes\n", need, bytes[i]
        if (need > bytes[i]) is_small = 1
    }
    if (is_small) stop("does not fit")
}
