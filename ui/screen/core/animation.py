"""What moves on the screen: a view that goes on by itself says how, and what of a page is new beside the one before, so
that a window draws only what moved."""

from collections.abc import Set
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Self

import numpy as np


class Moves:
    """A view or page that goes on by itself while nobody touches it. The window asks for it as it is at each frame;
    everything else asks for nothing and sees it as it begins."""

    @property
    def moves_s(self) -> float:
        """For how many seconds after it was shown it changes (``math.inf``: for ever)."""
        return 0.0

    def after(self, seconds: float) -> Self:
        """As it is so many ``seconds`` after it was shown."""
        del seconds
        return self


def moved(before: object, after: object, names: Set[str]) -> Set[str] | None:
    """Which of the fields called ``names``, at any depth of two pages, are otherwise in ``after`` than in ``before``;
    ``None`` where anything else is, or where there is nothing any more in a field, or was nothing, or its picture has
    another shape: then the page is laid out anew. It may answer ``None`` too often, never too seldom."""
    if before is after:
        return set()
    if type(before) is not type(after):
        return None
    if not is_dataclass(before):
        return set() if isinstance(before, str | int | float | Enum) and before == after else None
    found: set[str] = set()
    kind: Any = type(before)
    for name in _names(kind):
        one, other = getattr(before, name), getattr(after, name)
        if one is other:
            continue
        if name not in names:
            inner = moved(one, other, names)
            if inner is None:
                return None
            found |= inner
        elif one is None or other is None or _shape(one) != _shape(other):
            return None
        else:
            found.add(name)
    return found


@lru_cache(maxsize=256)
def _names(of: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(of))


def _shape(value: object) -> tuple[int, ...] | None:
    return value.shape if isinstance(value, np.ndarray) else None
