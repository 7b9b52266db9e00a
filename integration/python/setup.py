# SPDX-License-Identifier: Apache-2.0
"""A wheel that holds libtessera is of one kind of machine, though of any version of Python: its calls go by ctypes.
`make python-wheel` lays the library beside the package. Everything else is in pyproject.toml."""
import pathlib

import setuptools

HAS_LIBRARY = (pathlib.Path(__file__).resolve().parent / 'tessera/libtessera.so').exists()


class WithLibrary(setuptools.Distribution):
    """Says whether the wheel is of one kind of machine."""

    def has_ext_modules(self):
        return HAS_LIBRARY


def commands():
    """Without the package `wheel` no wheel can be built, but everything else can."""
    try:
        from wheel.bdist_wheel import bdist_wheel
    except ImportError:
        return {}

    class Tagged(bdist_wheel):
        def get_tag(self):
            return ('py3', 'none', super().get_tag()[2])
    return {'bdist_wheel': Tagged}


setuptools.setup(distclass=WithLibrary, cmdclass=commands())
