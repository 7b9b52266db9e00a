#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goal: tests/meta/distribution.sh says what it lacks, counts what fails, and leaves nothing behind but what it is told
# to keep. Method: stand-ins for debootstrap, which needs a network, and for chroot, which needs a whole system: the
# command then runs here, in the copied tree. Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../../.." || exit 2
. tests/meta/must_fail/expect.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$log"' EXIT
mkdir "$folder/bin" "$folder/tmp" "$folder/bare"
for tool in bash sh dirname sed id uname; do ln -s "$(command -v $tool)" "$folder/bare/$tool"; done

try() { TMPDIR=$folder/tmp PATH=$folder/bin:$PATH tests/meta/distribution.sh "$@"; }
is_clean() { [ -z "$(ls -A "$folder/tmp")" ] && ! grep -qF "$folder" /proc/self/mountinfo; }
stand_in() { # NAME TEXT
    printf '#!/bin/bash\n%s\n' "$2" >"$folder/bin/$1" && chmod +x "$folder/bin/$1"
}

must_fail "no suite" "SUITE [COMMAND...]" try
must_fail "a suite that is a path" "is not a name of a suite" try ../trixie
must_fail "an option that is none" "unknown option" try --kepe trixie
missing() { PATH=$folder/bare tests/meta/distribution.sh trixie; }
# Its own additions to PATH may hold the tools after all.
if ! PATH=/usr/sbin:/sbin command -v debootstrap >/dev/null; then
    must_fail "no debootstrap" "these programs are missing: debootstrap" missing
fi

skipped=0
if [ "$(id -u)" -ne 0 ]; then
    must_fail "no rights" "root's rights" try trixie
    skipped=8
elif ! git rev-parse HEAD >/dev/null 2>&1 || ! unshare --mount --pid --fork true 2>/dev/null; then
    echo "SKIPPED: no repository, or no namespaces"
    skipped=8
else
    stand_in debootstrap 'echo "no such suite"; mkdir "$3/proc"; exit 1'
    must_fail "a root that cannot be made" "could not make a root" try trixie
    must_pass "nothing is left of it" is_clean
    stand_in debootstrap 'mkdir -p "$3/proc" "$3/dev"'
    stand_in chroot 'cd "$1" || exit 2; while [ "$1" != -c ]; do shift; done; command=${2#cd /tessera && }
cd tessera || exit 2; case $command in apt-get*) exit 0 ;; esac; exec bash -c "$command"'
    must_pass "commands that pass" try trixie 'test -f Makefile && grep -q "/root/proc " /proc/self/mountinfo' true
    must_fail "a command that fails" "2 passed, 2 failed" try trixie false 'echo 2 passed, 1 failed; exit 1'
    skips() { try trixie 'echo 4 passed, 0 failed, 3 skipped' | grep -qx '4 passed, 0 failed, 3 skipped'; }
    must_pass "what was skipped is in the sum" skips
    must_fail "counts that hide a failure" "5 passed, 1 failed" try trixie 'echo 5 passed, 0 failed; exit 3'
    TMPDIR=$folder/tmp PATH=$folder/bin:$PATH tests/meta/distribution.sh trixie 'echo begun; sleep 100' >"$folder/out" &
    ended=$!
    for i in $(seq 100); do grep -q '^begun' "$folder/out" && break; sleep 0.1; done
    kill -TERM $ended
    ends() { wait $ended || { code=$?; echo "status $code"; return $code; }; }
    must_fail "ended from outside" "status 143" ends
    must_pass "nothing is left of any" is_clean
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
