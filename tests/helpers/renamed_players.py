"""Views with other names."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from rules.record.round import PlayerLink
from ui.screen.pages.common import Player
from ui.screen.pages.guests import Guest
from ui.screen.pages.phones import SeatPhone


def renamed(view: Any, name: str) -> Any:
    """Return ``view`` with everybody called ``name``, at any depth of its fields."""
    if isinstance(view, tuple) and not hasattr(view, "_fields"):
        return tuple(renamed(part, name) for part in view)
    if not is_dataclass(view) or isinstance(view, type):
        return view
    changed = {field.name: renamed(getattr(view, field.name), name) for field in fields(view) if field.init}
    if isinstance(view, Player | PlayerLink | SeatPhone | Guest):
        changed["name"] = name
    return replace(view, **{key: value for key, value in changed.items() if value is not getattr(view, key)})
