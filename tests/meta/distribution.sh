#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/meta/distribution.sh [--cache FOLDER] [--keep] SUITE [COMMAND...]: what a newcomer does on a machine where
# nothing is installed. Makes a minimal root of this distribution with debootstrap (trixie, bookworm, ...), puts the
# committed tree and make into it and runs each COMMAND, a line for the shell, in the tree there; without any, the
# README's two. A command that says its counts in a last line "N passed, N failed" counts so, any other as one.
#   --cache FOLDER   packages are taken from here and those that had to be fetched put here ($DISTRIBUTION_CACHE)
#   --keep           leaves the root and says where it is; its tests' logs are in tessera/build/tests there
# MIRROR in the environment: another mirror than debootstrap's own. http_proxy and its like reach the root.
#
# All mounts are made in a mount namespace of the command's own, which ends with it however it ends, and so do all
# processes in its process namespace; nothing outside the folder made here is ever removed.
set -u
cache=${DISTRIBUTION_CACHE:-} keep=
usage() { sed -n 's/^# \{0,1\}//; 3,10p' "$0"; }
stop() { echo "tests/meta/distribution.sh: $*" >&2; exit 2; }
while [ $# -gt 0 ]; do
    case $1 in
        --cache) [ $# -ge 2 ] || stop "--cache needs a folder. --help lists the options."; cache=$2; shift 2 ;;
        --keep)  keep=1; shift ;;
        --help)  usage; exit 0 ;;
        -*)      stop "unknown option '$1'. --help lists the options." ;;
        *)       break ;;
    esac
done
[ $# -ge 1 ] || { usage >&2; exit 2; }
suite=$1; shift
[[ $suite =~ ^[a-z][a-z0-9.-]*$ ]] || stop "'$suite' is not a name of a suite. Name one of Debian's, such as trixie."
[ $# -gt 0 ] || set -- 'make run' 'make deps test'
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 2

PATH=$PATH:/usr/sbin:/sbin
missing=
for tool in debootstrap unshare chroot mount git tar; do command -v $tool >/dev/null || missing+=" $tool"; done
[ -z "$missing" ] || stop "these programs are missing:$missing. Run: apt-get install debootstrap util-linux git tar"
[ "$(id -u)" -eq 0 ] || stop "chroot needs root's rights. Run: sudo tests/meta/distribution.sh $suite"
unshare --mount --pid --fork true 2>/dev/null ||
    stop "this system allows no mount and process namespaces (unshare). Run it on another one."
tree() { git -c safe.directory="$here" -C "$here" "$@"; }
commit=$(tree rev-parse HEAD) || stop "$here is not a git repository. The committed tree is tested, so clone it first."
[ -z "$(tree status --porcelain)" ] || echo "Changes that are not committed are not tested."

# ------------------------------------------------------------------ the root
work=$(mktemp -d "${TMPDIR:-/var/tmp}/tessera-$suite.XXXXXXXX") && root=$work/root && mkdir "$root" || exit 2
packages=$root/var/cache/apt/archives
# Removes only what mktemp made, and only while nothing is mounted in it.
clean_up() {
    [ -z "$child" ] || kill -KILL "$child" # and with it everything that it started
    if [ -n "$cache" ] && [ -d "$packages" ]; then
        find "$packages" -maxdepth 1 -name '*.deb' -exec cp -n --reflink=auto {} "$cache" \;
    fi
    if grep -qF " $work/" /proc/self/mountinfo; then
        echo "Something is still mounted in $work. Unmount it, then remove the folder." >&2
    elif [ -n "$keep" ]; then
        echo "kept: $root"
    else
        rm -rf --one-file-system "$work" || { sleep 2; rm -rf --one-file-system "$work"; }
    fi
}
child=
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
if [ -n "$cache" ]; then
    mkdir -p "$cache" "$packages" && cache=$(cd "$cache" && pwd) || exit 2
    find "$cache" -maxdepth 1 -name '*.deb' -exec cp --reflink=auto {} "$packages" \;
fi

# alone COMMAND...: in namespaces of its own, and waited for in a way that a signal interrupts.
alone() {
    unshare --mount --propagation private --pid --fork --kill-child --mount-proc "$@" </dev/null &
    child=$!
    wait $child
    set -- $?
    child=
    return $1
}
# inside COMMAND: in the tree within the root, with /proc and, if possible, terminals.
inside() {
    local setting settings=()
    for setting in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        [ -z "${!setting:-}" ] || settings+=("$setting=${!setting}")
    done
    ROOT=$root alone bash -c '
        mount -t proc proc "$ROOT/proc" || exit 2
        mkdir -p "$ROOT/dev/pts"
        mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$ROOT/dev/pts" 2>/dev/null ||
            echo "There is no /dev/pts: tests that need a terminal are skipped."
        exec chroot "$ROOT" "$@"' inside /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C \
        DEBIAN_FRONTEND=noninteractive "${settings[@]}" bash -c "cd /tessera && $1"
}
echo "== a minimal root of $suite"
alone debootstrap --variant=minbase "$suite" "$root" ${MIRROR:+"$MIRROR"} >"$work/log" 2>&1 || {
    tail -n 20 "$work/log"
    stop "debootstrap could not make a root of $suite"
}
mkdir -p "$root/etc/dpkg/dpkg.cfg.d" # the root does not outlive this script, so nothing is synced to the disk
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/no-sync"
mkdir "$root/tessera" && tree archive "$commit" | tar -x -C "$root/tessera" || stop "the tree could not be copied"
inside 'apt-get update -qq && apt-get install -y -qq --no-install-recommends make >/dev/null' >"$work/log" 2>&1 || {
    tail -n 20 "$work/log"
    stop "make could not be installed in $suite"
}

# ------------------------------------------------------------------ the commands
passed=0 failed=0 skipped=0
mkfifo "$work/output" || exit 2
for command in "$@"; do
    echo "== $suite, $commit: $command"
    tee "$work/log" <"$work/output" &
    shown=$!
    inside "$command" >"$work/output" 2>&1
    code=$?
    wait $shown
    counts=$(tail -n 1 "$work/log" | sed -nE 's/^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$/\1 \2 \4/p')
    if [ -z "$counts" ]; then
        [ "$code" -eq 0 ] && counts="1 0" || counts="0 1"
    fi
    read -r good bad left_out <<<"$counts"
    skipped=$((skipped + ${left_out:-0}))
    [ "$code" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    passed=$((passed + good)) failed=$((failed + bad))
    [ "$code" -eq 0 ] || echo "== exit status $code: $command"
done
trap - EXIT
clean_up
echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
