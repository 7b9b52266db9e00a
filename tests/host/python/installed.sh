#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# installed.sh ENVIRONMENT: the package as pip installs it draws, from another folder; its tests pass with
# numpy, under pytest, on the golden model and on the simulated chip; and mypy finds its types sound.
python=$(pwd)/$1/bin/python passed=0 failed=0
note() { if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $2"; fi; }
"$python" -m pip install -q --disable-pip-version-check --no-build-isolation --force-reinstall integration/python
note $? 'pip installs it'
library=$(pwd)/build/python/libtessera.so
(cd / && TESSERA_LIBRARY=$library "$python" -c "
import tessera
assert 'site-packages' in tessera.__file__, tessera.__file__
with tessera.open('model') as gpu:
    picture, stream = gpu.surface(64, 48), gpu.stream()
    stream.fill(picture, 0, 0, 64, 48, 0xff3366cc)
    gpu.submit(stream).wait()
    assert (picture.read() == [0xcc, 0x66, 0x33, 0xff]).all()")
note $? 'it draws'
rm -rf integration/python/build integration/python/*.egg-info
(cd / && "$python" -m mypy --strict --cache-dir=/dev/null "$OLDPWD/integration/python/tessera")
note $? 'the types of the package agree: mypy --strict'
for device in model simulator; do
    DEVICE=$device "$python" -m pytest -q -p no:cacheprovider tests/host/python
    note $? "pytest: $device"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
