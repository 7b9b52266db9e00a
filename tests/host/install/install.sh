#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Goal: what `make install` leaves is whole: programs of one's own are built against it alone, in C and C++, shared and
# static, and run on the golden model and the simulated chip; only tessera_* is exported; one version everywhere; the
# manual has every option; `make uninstall` leaves nothing. Method: an installation in a PREFIX of its own, one below a
# DESTDIR, and everything is called from another folder. install.sh OUTPUT_DIR SDL_PROGRAM
set -u
passed=0 failed=0 tree=$PWD
rm -rf "$1"; mkdir -p "$1/work"
out=$(cd "$1" && pwd) sdl=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
prefix=$out/prefix work=$out/work version=$(cat VERSION)
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
check() { # NAME, then a command
    local name=$1; shift
    if "$@" >"$work/log" 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAIL $name"; head -n 20 "$work/log"; fi
}
same() { # NAME, then two texts
    check "$1: $(diff <(echo "$2") <(echo "$3"))" test "$2" = "$3"
}
make_it() { make -C "$tree" --no-print-directory "$@"; }
files() { (cd "$1" && find . ! -type d ! -path './share/tessera/doc/*' | sort | sed 's,^\./,,'); }

# Where nothing is built, it builds all of it first.
builds_first() { make_it -pn install BUILD="$work/none" 2>/dev/null | grep -q "^install: .*/tessera-record\( \|$\)"; }
check "make install where nothing is built" builds_first
check "make install" make_it install PREFIX="$prefix" DESTDIR=
cd "$work" || exit 2
same "what is installed" "bin/tessera
bin/tessera-gpu
bin/tessera-live
bin/tessera-record
include/tessera/gpu_spec.h
include/tessera/tessera.h
include/tessera/tessera_device.h
include/tessera/tessera_dump.h
include/tessera/tessera_stream.h
include/tessera/tessera_values.h
include/tessera/transport.h
lib/libtessera.a
lib/libtessera.so
lib/libtessera.so.${version%%.*}
lib/libtessera.so.$version
lib/pkgconfig/tessera.pc
lib/tessera/libtessera-record.so
lib/tessera/tessera-live
lib/tessera/tessera-record
share/man/man1/tessera-gpu.1
share/man/man1/tessera-live.1
share/man/man1/tessera-record.1
share/man/man1/tessera.1
share/tessera/gpu-tcm.elf
share/tessera/gpu.elf" "$(files "$prefix" | LC_ALL=C sort)"

# One version.
same "tessera --version" "tessera $version" "$("$prefix/bin/tessera" --version)"
same "pkg-config" "$version" "$(pkg-config --modversion tessera)"
same "soname" "libtessera.so.${version%%.*}" \
    "$(objdump -p "$prefix/lib/libtessera.so" | awk '$1 == "SONAME" { print $2 }')"
for page in tessera tessera-record tessera-live tessera-gpu; do
    check "version in $page(1)" grep -q "^\.TH .*\"Tessera $version\"" "$prefix/share/man/man1/$page.1"
done

# Names: exactly what the public headers declare, and nothing else, in both libraries.
declared=$(cat "$prefix"/include/tessera/*.h | sed 's,/\*.*\*/,,' | awk '/^ \*|^#/ { next } { print }' |
    grep -oE '\<tessera_[a-z_0-9]+\(' | tr -d '(' | sort -u)
check "the headers declare functions" test "$(wc -l <<<"$declared")" -gt 40
same "names of the shared library" "$declared" \
    "$(nm -D --defined-only "$prefix/lib/libtessera.so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort)"
same "names of the static library" "$declared" \
    "$(nm -g --defined-only "$prefix/lib/libtessera.a" | awk 'NF == 3 { print $3 }' | sort)"

# Every header by itself, in both languages, with all warnings.
for header in "$prefix"/include/tessera/*.h; do
    name=tessera/$(basename "$header")
    check "$name in C" gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only $(pkg-config --cflags tessera) \
        -include "$name" -x c /dev/null
    check "$name in C++" g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only $(pkg-config --cflags tessera) \
        -include "$name" -x c++ /dev/null
done

# The example, against the shared and the static library; a C++ program.
cp "$prefix/share/tessera/doc/picture.c" "$tree/tests/host/install/picture_check.cpp" .
check "shared" gcc -std=c11 -Wall -Wextra -Werror -o shared picture.c $(pkg-config --cflags --libs tessera libpng)
check "static" gcc -std=c11 -Wall -Wextra -Werror -static -o static picture.c \
    $(pkg-config --static --cflags --libs tessera libpng)
cp "$prefix/share/tessera/doc/sprite.c" .
check "the second example" gcc -std=c11 -Wall -Wextra -Werror -o sprite sprite.c \
    $(pkg-config --cflags --libs tessera libpng)
check "C++" g++ -std=c++17 -Wall -Wextra -Werror -o cxx picture_check.cpp $(pkg-config --cflags --libs tessera libpng)
check "C++, static" g++ -std=c++17 -static -o cxx_static picture_check.cpp \
    $(pkg-config --static --cflags --libs tessera libpng)
check "the static one needs no library" bash -c "! ldd ./static | grep tessera"
export LD_LIBRARY_PATH=$prefix/lib
check "the shared one uses ours" bash -c "ldd ./shared | grep -F '$prefix/lib/libtessera.so.${version%%.*}'"
for program in shared static; do
    for device in model simulator; do
        check "$program on the $device" "./$program" $device $program-$device.png
    done
done
check "the second example runs" ./sprite model sprite.png
check "pictures, version, C++" ./cxx "$version" {shared,static}-{model,simulator}.png
check "C++, static, runs" ./cxx_static "$version" shared-model.png
check "a wrong picture is noticed" bash -c "! ./cxx $version '$tree/docs/frame.png'"
check "no device of that name" bash -c "./shared toaster x.png 2>&1 | grep -q 'model, simulator, tty'"
unset LD_LIBRARY_PATH

# The programs, from here.
check "tessera info" "$prefix/bin/tessera" info
check "tessera run" "$prefix/bin/tessera" run --model --frames 1 --no-compare --out "$work/run"
check "tessera-record" "$prefix/bin/tessera-record" -n 2 -o two.tsdl "$sdl"
check "tessera-live" "$prefix/bin/tessera-live" --check -n 2 "$sdl"
check "tessera-live on the chip" "$prefix/bin/tessera-live" --device simulator -n 1 "$sdl"
check "tessera play" "$prefix/bin/tessera" play two.tsdl --model --out "$work/play"
# It says that it cannot listen only after the GPU has started, with the installed firmware.
export prefix
gpu_starts() { "$prefix/bin/tessera-gpu" --device "$1" --socket /nowhere/gpu.sock 2>&1 | grep -q "cannot listen on"; }
check "tessera-gpu on the model" gpu_starts model
export -f gpu_starts
check "tessera-gpu on the chip" gpu_starts simulator
mv "$prefix/share/tessera/gpu.elf" gpu.elf
check "the firmware is the installed one" bash -c "! '$prefix/bin/tessera' info && ! ./static simulator x.png &&
    ! gpu_starts simulator"
mv gpu.elf "$prefix/share/tessera/gpu.elf"

# The manual: sound, wherever it lies, and every option of every command in it.
for page in "$prefix"/share/man/man1/*.1; do
    same "groff on ${page##*/}" "" "$(groff -man -Tutf8 -ww -z "$page" 2>&1)"
    for folders in 2 5 8 11 14; do
        deep=$(printf 'folder%d/\\\\:' $(seq $folders))
        same "groff on ${page##*/}, $folders folders down" "" \
            "$(sed "s,^\.I /,.I /\\\\:$deep," "$page" | groff -man -Tutf8 -ww -z 2>&1)"
    done
done
groff -man -Tascii -P-cbou "$prefix/share/man/man1/tessera.1" >manual.txt
options=0
for command in run bad-input info gdb console play replay contend; do
    check "tessera $command is in the manual" grep -q "^ *tessera $command" manual.txt
    for option in $("$prefix/bin/tessera" $command --help | awk '/^  --/ { print $1 }'); do
        awk -v name="tessera $command" '/^   tessera / { is_in = $0 == "   " name } is_in' manual.txt >section.txt
        check "$command $option is in the manual" grep -qE -e "^ +$option( |\$)" section.txt
        options=$((options + 1))
    done
done
check "options of the commands: $options" test "$options" -gt 80
for program in tessera-record tessera-live; do
    for option in $("$prefix/bin/$program" -h | grep -oE -e '^  -[a-z]\>'); do
        check "$program $option is in the manual" \
            grep -q "^\.B[IR]* .*-${option#-}" "$prefix/share/man/man1/$program.1"
    done
done

for option in $("$prefix/bin/tessera-gpu" --help | awk '/^  --/ { print $1 }'); do
    check "tessera-gpu $option is in the manual" \
        grep -qE "^\.BI? .*${option//-/\\\\-}( |\"|\$)" "$prefix/share/man/man1/tessera-gpu.1"
done

# Below DESTDIR the same files, that know nothing of it; and uninstalled nothing is left.
check "make install DESTDIR" make_it install PREFIX=/opt/gpu DESTDIR="$out/stage"
same "staged files" "$(files "$prefix")" "$(files "$out/stage/opt/gpu")"
check "no file knows the stage" bash -c "! grep -rIl -e '$out' '$out/stage'"
check "nor does the program" bash -c "! grep -qF '$out' '$out/stage/opt/gpu/bin/tessera'"
check "the program knows its place" grep -qF /opt/gpu/share/tessera/gpu.elf "$out/stage/opt/gpu/bin/tessera"
check "make uninstall" make_it uninstall PREFIX="$prefix" DESTDIR=
check "make uninstall DESTDIR" make_it uninstall PREFIX=/opt/gpu DESTDIR="$out/stage"
same "what is left" "" "$(find "$prefix" "$out/stage" ! -type d; find "$prefix" "$out/stage" -name '*tessera*')"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
