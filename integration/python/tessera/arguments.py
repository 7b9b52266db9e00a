# SPDX-License-Identifier: Apache-2.0
"""Arguments of calls: whole numbers, and names for numbers. What does not fit is refused in a sentence."""
from __future__ import annotations

import operator
from enum import IntEnum
from typing import Any, Iterable, Type, TypeVar, Union

Kind = TypeVar('Kind', bound=IntEnum)


def whole(name: str, value: Any) -> int:
    """The whole number that an argument has to be. A float is refused, also 2.0."""
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f'{name} {value!r}: a whole number is needed') from None


def named(kind: Type[Kind], name: str, value: Union[str, int, Kind]) -> Kind:
    """A member of an enumeration from itself, its number or its name in either case."""
    if isinstance(value, str):
        if value.upper() in kind.__members__:
            return kind[value.upper()]
    elif (number := whole(name, value)) in kind.__members__.values():
        return kind(number)
    shown = repr(value) if isinstance(value, str) else int(value)
    raise ValueError(f'{name} {shown} is unknown. Possible: {", ".join(kind.__members__)}')


def flags(kind: Type[IntEnum], name: str, value: Union[str, int, Iterable[Union[str, int]]]) -> int:
    """The sum of flags: a number, a name, or several of both in a list."""
    if isinstance(value, str):
        return named(kind, name, value)
    if isinstance(value, (list, tuple, set, frozenset)):
        total = 0
        for each in value:
            total |= flags(kind, name, each)
        return total
    return whole(name, value)
