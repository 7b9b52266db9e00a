# SPDX-License-Identifier: Apache-2.0
"""What the device or the library refuses, as exceptions."""
from __future__ import annotations

from typing import NoReturn

from .library import library

MISUSE = -10  # TESSERA_MISUSE


class Error(Exception):
    """The device or the library has refused a call. The text says what is wrong and what to do.

    `name` is the status ('NO_PLACEMENT', 'TESSERA_LINK'). `status` is its number."""

    status: int
    name: str

    def __init__(self, status: int, text: str) -> None:
        self.status, self.name = status, library.tessera_status_name(status).decode()
        super().__init__(text if text.startswith(self.name) else f'{self.name}: {text}')

    def __repr__(self) -> str:
        return f'{type(self).__name__}({self.status}, {str(self)!r})'


class Misuse(Error, ValueError):
    """An argument is out of range, or contradicts an earlier call. It is also a ValueError."""


def refuse(status: int, text: str) -> NoReturn:
    """Raise what belongs to a status."""
    raise (Misuse if status == MISUSE else Error)(status, text)
