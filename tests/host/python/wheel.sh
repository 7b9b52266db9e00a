#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Goal: the wheel is all that a program needs. Method: it is installed in a virtual environment without a network and
# without this tree's library, and draws on the golden model and on the simulated chip from another folder.
# wheel.sh FOLDER-OF-THE-WHEEL
passed=0 failed=0
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $2"; fi; }
wheel=$(ls "$1"/*.whl) out=$(cd "$1/.." && pwd)/installed
rm -rf "$out"
case $wheel in *-py3-none-linux_*.whl) note 0 ;; *) note 1 "the name says the kind of machine: $wheel" ;; esac
wheel=$(cd "$1" && pwd)/${wheel##*/}
/usr/bin/python3 -m venv "$out" >/dev/null
note $? 'python3-venv makes an environment'
"$out/bin/pip" install -q --disable-pip-version-check --no-index --no-deps "$wheel"
note $? 'pip installs it without an index'
cat >"$out/draw.py" <<'END'
import os, sys
import tessera
folder = os.path.dirname(tessera.__file__)
assert folder.startswith(sys.prefix), folder
assert tessera.library.find() == os.path.join(folder, 'libtessera.so')
for name in 'py.typed', 'gpu.elf', 'libtessera.so':
    assert os.path.exists(os.path.join(folder, name)), name
with tessera.open(sys.argv[1]) as gpu:
    picture, sprite, stream = gpu.surface(64, 48, 'RGB565'), gpu.surface(8, 8), gpu.stream()
    sprite.write_rgba(bytes([255, 0, 0, 128]) * 64)
    stream.fill(picture, 0, 0, 64, 48, 0x001f)
    stream.blit(picture, sprite, x=3, y=2, mode='BLEND')
    gpu.submit(stream).wait()
    rgba = bytes(memoryview(picture.read_rgba()).cast('B'))
    pixel = lambda x, y: tuple(rgba[4 * (64 * y + x):][:4])
    assert pixel(2, 2) == pixel(11, 2) == pixel(3, 10) == (0, 0, 255, 255), pixel(2, 2)
    assert pixel(3, 2) == pixel(10, 9) == (132, 0, 123, 255), pixel(3, 2)
    assert picture._repr_png_().startswith(b'\x89PNG')
print('drawn')
END
# From an empty folder, and nothing of the tree in the environment. Last, with a firmware in the wheel that is none.
for device in model simulator; do
    [ "$(cd "$out" && env -i PATH=/usr/bin:/bin "$out/bin/python" draw.py $device 2>&1 | tail -n 1)" = drawn ]
    note $? "it draws on the $device"
done
said=$(cd "$out" && env -i PATH=/usr/bin:/bin "$out/bin/python" -c \
    "import tessera; tessera.open('simulator', firmware='/no/such/image')" 2>&1 | tail -n 1)
case $said in *TESSERA_*/no/such/image*) note 0 ;; *) note 1 "another firmware can be named: $said" ;; esac
echo broken >"$(echo "$out"/lib/python3*/site-packages/tessera)/gpu.elf"
said=$(cd "$out" && env -i PATH=/usr/bin:/bin "$out/bin/python" draw.py simulator 2>&1 | tail -n 1)
case $said in *TESSERA_FIRMWARE*) note 0 ;; *) note 1 "the firmware that it loads is the wheel's: $said" ;; esac
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
