"""Whether the box's own cue favours a seat: how much of the screen turns on the last word of the count, side by
side."""

from collections.abc import Sequence

import numpy as np

from tools.trials.figures import table
from tools.trials.judging import Outcome
from ui.screen.core.png_display import picture
from ui.screen.pages.views import Cadence, Player
from ui.text.verdicts import COUNT

SIZE = 1280, 720
HALVES = {"left": np.s_[:, :640], "right": np.s_[:, 640:], "upper": np.s_[:360], "lower": np.s_[360:]}
"""The screen's halves by their columns and rows."""


def turned(preview: bool) -> dict[str, float]:
    """The share (0–1) of the pixels of each half that change with the last word; with a live ``preview`` or without."""
    shot = np.full((90, 160, 3), 90, np.uint8) if preview else None
    players = tuple(Player(seat, name) for seat, name in enumerate(("Ada", "Ben"), 1))
    last = len(COUNT) - 1
    before, after = (picture(Cadence(players, "Classic", COUNT, beat, preview=shot), SIZE) for beat in (last - 1, last))
    changed = (before != after).any(axis=2)
    return {name: float(changed[half].mean()) for name, half in HALVES.items()}


def cue_table(_: Sequence[Outcome]) -> str:
    """The shares, without and with the live picture."""
    rows = [
        (name, *(f"{share:.1%}" for share in turned(preview).values()))
        for name, preview in {"the count alone": False, "with the live picture": True}.items()
    ]
    return table(["half of the screen that turns", *HALVES], rows)
