# SPDX-License-Identifier: Apache-2.0
"""Tessera in a LiteX SoC: docs/litex.md."""
from tessera_litex.client import build_client
from tessera_litex.tree import TesseraError, root, sources

__all__ = ["Tessera", "TesseraError", "build_client", "root", "sources"]


def __getattr__(name):
    """LiteX is needed by the module alone."""
    if name != "Tessera":
        raise AttributeError(name)
    from tessera_litex.core import Tessera
    return Tessera
