#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/meta/coverage/coverage.sh OUT MAKE JOBS: which lines of C and of RTL do the tests reach? In a copy of the tree,
# OUT/tree, everything is compiled without optimisation and with gcov's counters, and the tests of
# tests/meta/coverage/targets are run, with the simulated chip as it is always built; rtl.sh does the same for RTL in
# another copy. coverage.py adds up what they came to, writes the page and out/coverage.txt, and judges.
set -u
out=$1 make=$2 jobs=$3 root=$PWD
tree=$root/$out/tree
rm -rf "$out" && mkdir -p "$tree/build" || exit 2
tests/meta/coverage/rtl.sh "$out" "$make" "$jobs" || exit 1
{ git ls-files 2>/dev/null || find . -type f | sed 's,^\./,,' | grep -vE '^(build|out|\.git)/'; } |
    tar -cf - -T - | tar -xf - -C "$tree" || exit 2
# What is built and has no counters in it is not built again.
cp -a build/gen build/*.h "$tree/build/" 2>/dev/null
[ ! -d build/sim/obj ] || { mkdir -p "$tree/build/sim"; cp -a build/sim/obj build/sim/chip.o "$tree/build/sim/"; }
rm -f "$tree/tests/meta/counts" # how many checks there are depends on how the firmware is compiled
git init -q "$tree" && git -C "$tree" add -A || exit 2 # some tests ask git for the project's files
cat >"$root/$out/cc" <<'CC'
#!/bin/bash
# The compiler, with counters and without optimisation.
for argument in "$@"; do
    shift
    case $argument in -O[0-3]) ;; *) set -- "$@" "$argument" ;; esac
done
exec gcc -O0 --coverage "$@"
CC
printf '#!/bin/bash\n# Links what has counters.\nexec g++ --coverage "$@"\n' >"$root/$out/cxx"
chmod +x "$root/$out/cc" "$root/$out/cxx"
targets=$(sed 's/#.*//' tests/meta/coverage/targets)
env -u MAKEFLAGS -u MAKEOVERRIDES -u MFLAGS -u SUITE "$make" -C "$tree" -k -s -j "$jobs" --no-print-directory SUITE=1 \
    CC="$root/$out/cc" CXX="$root/$out/cxx" SANITIZE= $targets >"$out/tests.log" 2>&1 ||
    { tail -n 20 "$out/tests.log"; exit 1; }
# What a test comes to before it fails counts: whether tests pass is for `make test` to say.
grep -A 3 '^  FAIL' "$out/tests.log"
mkdir -p out
python3 -B tests/meta/coverage/coverage.py "$tree" "$out" tests/meta/coverage/unreached out/coverage.txt
