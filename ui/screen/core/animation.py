"""The difference between two frames of a page, so that a window redraws only what moved."""

from collections.abc import Set
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

import numpy as np


def changed_fields(before: object, after: object, names: Set[str]) -> Set[str] | None:
    """Return which fields among ``names``, at any depth, differ between two pages; ``None`` if the page has to be laid
    out again: where any other field differs, or a field is or was ``None``, or an image has another shape. It may
    return ``None`` too often, never too rarely."""
    if before is after:
        return set()
    if type(before) is not type(after):
        return None
    if not is_dataclass(before):
        return set() if isinstance(before, str | int | float | Enum) and before == after else None
    changed: set[str] = set()
    page_type: Any = type(before)
    for name in _field_names(page_type):
        old, new = getattr(before, name), getattr(after, name)
        if old is new:
            continue
        if name not in names:
            inner = changed_fields(old, new, names)
            if inner is None:
                return None
            changed |= inner
        elif isinstance(old, float) and isinstance(new, float) and old == new:
            continue
        elif old is None or new is None or _shape(old) != _shape(new):
            return None
        else:
            changed.add(name)
    return changed


@lru_cache(maxsize=256)
def _field_names(page_type: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(page_type))


def _shape(value: object) -> tuple[int, ...] | None:
    return value.shape if isinstance(value, np.ndarray) else None
