#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a guest with igt-gpu-tools runs in the disk of igt_disk.sh: for each line "TEST PATTERN" of /run/tests, the
# subtests of /igt/tests/TEST that the pattern names. The serial line says "igt TEST@SUBTEST RESULT" for each, and for
# one that fails the assertion. A subtest that takes more than 90 seconds is killed: its result is TIMEOUT.
export PATH=/bin HOME=/tmp
say() { echo "guest: $*" >/dev/ttyS0; }

# Until it ends, or nothing new has begun for 90 seconds.
run() { # TEST PATTERN LOG
    local last= now quiet=0 process status
    case $2 in
        -) /igt/tests/"$1" >"$3" 2>&1 </dev/null & ;;
        *) /igt/tests/"$1" --run-subtest "$2" >"$3" 2>&1 </dev/null & ;;
    esac
    process=$!
    tail -f "$3" | awk '/^Starting|^Subtest/ { print; fflush() }' >/dev/ttyS0 & # what it is at, for whoever looks
    while kill -0 $process 2>/dev/null; do
        sleep 1
        now=$(grep -c '^Starting ' "$3")
        [ "$now" = "$last" ] && quiet=$((quiet + 1)) || quiet=0
        last=$now
        [ $quiet -lt 90 ] || kill -9 $process
    done
    wait $process
    status=$?
    killall tail
    return $status
}
# The results of a log; the subtests that began are in /tmp/begun.
tell() { # TEST LOG STATUS
    awk -v test="$1" -v status="$3" '
        function say(name, result) { print "guest: igt " test "@" name " " result; told[name] = 1 }
        /^Starting subtest: / { begun[$3] = 1; print $3 >"/tmp/begun" }
        /Failed assertion: / && why == "" { why = $0 }
        /^Subtest [^ ]*: / {
            name = $2; sub(/:$/, "", name)
            say(name, $3)
            if ($3 == "FAIL") print "guest: igt-why " test "@" name ": " why
            why = ""
        }
        END {
            for (name in begun) if (!(name in told)) say(name, status == 137 ? "TIMEOUT" : "CRASH")
        }' "$2" >/dev/ttyS0
}
# A test without subtests has its result in its exit status.
single() { # TEST LOG STATUS
    case $3 in
        0) say "igt $1@- SUCCESS" ;;
        77) say "igt $1@- SKIP" ;;
        137) say "igt $1@- TIMEOUT" ;;
        *) say "igt $1@- FAIL" ;;
    esac
}
# All of it; after a subtest that ends the process the others go on.
whole() { # TEST PATTERN
    local pattern=$2 turn status
    if [ -z "$(/igt/tests/"$1" --list-subtests 2>/dev/null)" ]; then
        run "$1" - /tmp/log
        single "$1" /tmp/log $?
        return
    fi
    for turn in 1 2 3 4 5 6 7 8 9 10; do
        run "$1" "$pattern" /tmp/log
        status=$?
        : >/tmp/begun
        tell "$1" /tmp/log $status
        [ -s /tmp/begun ] && [ $status -ge 99 ] || return
        pattern=$pattern$(sed 's/^/,!/' /tmp/begun | tr -d '\n')
    done
}

while read -r test pattern; do
    [ -x /igt/tests/"$test" ] || { say "igt $test@- ABSENT"; continue; }
    whole "$test" "${pattern:-*}"
done </run/tests
