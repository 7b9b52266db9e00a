#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/meta/tidy/format.sh [--write] FILE...: is each file laid out as .clang-format says? With --write it is
# afterwards. Versions of clang-format differ, so only the one that the tree is kept with may judge.
version=14
for tool in clang-format-$version clang-format; do
    $tool --version 2>/dev/null | grep -q "version $version\." && break
    tool=
done
if [ -z "$tool" ]; then
    echo "clang-format $version is not installed (Debian 12: apt-get install clang-format): nothing is checked"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
if [ "$1" = --write ]; then shift; exec "$tool" -i "$@"; fi
bad=$("$tool" --dry-run --Werror "$@" 2>&1 |
      sed -n 's/^\([^:]*\):\([0-9]*\):.*error: code should be clang-formatted.*/\1:\2/p' | sort -t: -k1,1 -u)
failed=0
for place in $bad; do failed=$((failed + 1)); echo "$place: not as .clang-format says; make format"; done
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
