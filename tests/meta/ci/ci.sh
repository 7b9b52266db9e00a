#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: the workflow of the forge runs .ci/run, and what both name is in the tree; .ci/run fails when something failed,
# and on Debian 12 when something was skipped there. Method: their words; then copies of them with a fault each, which
# have to be noticed; .ci/run itself with stand-ins for make and for the other Debian.
work=build/ci passed=0 failed=0
makefiles=$(find host sim tests -name '*.mk')
note() { if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL  $2"; fi; }

# judge WORKFLOW RUN: prints what is wrong with them
judge() {
    grep -qE '^ *- run: \.ci/run$' "$1" || echo "$1: no step is .ci/run"
    grep -q 'uses: actions/checkout@' "$1" || echo "$1: nothing checks the project out"
    [ -x "$2" ] || echo "$2 cannot be executed"
    sed 's/^ *#.*//; s,build/[a-z/]*,,g' "$1" "$2" >$work/words
    for path in $(grep -oE '(\.ci|tests|host|firmware|docs)/[A-Za-z0-9_./-]+' $work/words); do
        [ -e "$path" ] || echo "$path is not in the tree"
    done
    for verb in $(grep -oE "make [a-z]+[a-z -]*" "$2" | sed 's/^make//'); do
        cat Makefile $makefiles | grep -qE "^\.PHONY:.* $verb( |\$)|^([a-z-]+ )*$verb( [a-z-]+)*:" ||
            echo "make has no verb $verb"
    done
}

rm -rf $work && mkdir -p $work
cp .ci/run $work/run
judge .github/workflows/ci.yml .ci/run >$work/found
note "$([ ! -s $work/found ]; echo $?)" "$(cat $work/found)"
# spoilt WHAT EXPECTED EXPRESSION FILE: the same with a fault in `workflow` or `run`
spoilt() {
    cp .github/workflows/ci.yml $work/workflow; cp .ci/run $work/run
    sed -i "$2" "$work/$3"
    judge $work/workflow $work/run >$work/found
    grep -q "$1" $work/found; note $? "not noticed: $2"
}
spoilt 'no step is .ci/run' 's,run: .ci/run,run: true,' workflow
spoilt 'nothing checks' 's,actions/checkout,actions/cache,' workflow
spoilt 'is not in the tree' 's,tests/meta/distribution.sh,tests/none.sh,' run
spoilt 'no verb' "s,make test-rest,make test-none," run

# ci SYSTEM MAKE OTHER: .ci/run on that system where every make says MAKE, and the other Debian says OTHER
mkdir -p $work/tree/.ci $work/tree/tests/meta $work/bin
cp .ci/run $work/tree/.ci/run
ci() {
    printf 'ID=%s\nVERSION_ID=%s\n' "${1%% *}" "${1##* }" >$work/release
    printf '#!/bin/sh\necho "$SAYS"\n' >$work/bin/make
    printf '#!/bin/sh\necho "%s"\n' "$3" >$work/tree/tests/meta/distribution.sh
    for stand_in in sudo apt-get debootstrap; do printf '#!/bin/sh\nexit 0\n' >$work/bin/$stand_in; done
    printf '#!/bin/sh\nexec "$@"\n' >$work/bin/sudo
    chmod +x $work/bin/* $work/tree/tests/meta/distribution.sh
    SAYS=$2 OS_RELEASE=$PWD/$work/release PATH=$PWD/$work/bin:$PATH $work/tree/.ci/run >$work/said 2>&1
}
good='2 passed, 0 failed'
ci 'debian 12' "$good" "$good"; note $? 'all passes'
ci 'debian 12' "$good" "$good, 3 skipped"; note $? 'what the other Debian skips is allowed'
[ "$(tail -n 1 $work/said)" = '14 passed, 0 failed, 3 skipped' ]; note $? '... and told'
! ci 'debian 12' "$good, 1 skipped" "$good"; note $? 'not noticed: something skipped on Debian 12'
grep -q 'checks were skipped: a failure, since Debian 12' $work/said; note $? '... or not said'
ci 'ubuntu 24.04' "$good, 1 skipped" "$good"; note $? 'another distribution may skip'
! ci 'debian 12' '1 passed, 1 failed' "$good"; note $? 'not noticed: a failure'
! ci 'debian 12' "$good" '1 passed, 1 failed'; note $? 'not noticed: a failure in the other Debian'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
