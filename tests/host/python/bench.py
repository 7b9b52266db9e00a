# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share: where it lies, the device, refusals, and a sum at the end."""
import os
import pathlib
import sys

if os.environ.get('PLAIN'):
    sys.modules['numpy'] = None  # as where it is not installed

ROOT = pathlib.Path(__file__).resolve().parents[3]
WHERE = os.environ.get('DEVICE', 'model')
sys.path.insert(0, str(ROOT / 'integration/python'))


def raises(kind, call, *words):
    """The call ends in this kind of exception, whose text has all these words."""
    try:
        call()
    except kind as error:
        for word in words:
            assert word in str(error), f'{word!r} is not in {error}'
        return error
    raise AssertionError(f'nothing was refused: {words}')


def main(tests, skipped=0):
    """Run the tests of a module, all or those that the command names, and print how many passed. PLAIN: without numpy,
    which is then not what is missing."""
    failed = passed = 0
    for name, test in list(tests.items()):
        if not name.startswith('test_') or (sys.argv[1:] and name not in sys.argv[1:]):
            continue
        try:
            test()
            passed += 1
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f'FAIL  {name}: {type(error).__name__}: {error}')
    left_out = f', {skipped} skipped' if skipped and not os.environ.get('PLAIN') and not sys.argv[1:] else ''
    print(f'{passed} passed, {failed} failed{left_out}')
    return failed != 0
