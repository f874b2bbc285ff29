"""A round explained in five scenes that follow each other while nobody plays. Pure: the page depends on the time
alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from typing_extensions import override

from messages import LazyText, N
from ui.screen.views import LiveView, Page
from ui.text.verdicts import COUNT_WORDS


@dataclass(frozen=True)
class AttractMode(LiveView, Page):
    """A round explained in a loop while nobody plays. Answered with "home" by any touch or key."""

    is_idle = True

    shown_s: float = 0.0
    """How many seconds ago it began."""

    @override
    def at_time(self, seconds: float) -> Self:
        return replace(self, shown_s=seconds)


@dataclass(frozen=True)
class AttractScene:
    """A scene: its name, its length and the sentence that explains it."""

    name: str
    duration_s: float
    sentence: LazyText


ATTRACT_SCENES = (
    AttractScene("count", 3.6, N("Hold a fist over your zone: it comes down on every word.")),
    AttractScene("show", 3.2, N("On {word} everybody shows a hand at once.", word=COUNT_WORDS[-1])),
    AttractScene("lock", 4.2, N("The first hand starts the clock: a moment later, one image fixes everyone’s throw.")),
    AttractScene("late", 3.8, N("Whoever waits to see yours is late, and everyone sees it.")),
    AttractScene("won", 3.6, N("Who beats whom, points and bets: the box keeps score.")),
)
"""In the order they are shown."""

ATTRACT_AFTER_S = 60.0
"""Seconds without a touch on the home page until this is shown."""

SECOND_HAND_MS, LATE_HAND_MS = 62.0, 230.0
"""The time after the first hand at which the second one shows, in time and late."""


def scene_at(shown_s: float, scenes: Sequence[AttractScene] = ATTRACT_SCENES) -> tuple[AttractScene, float]:
    """Return the scene ``shown_s`` seconds after the loop of ``scenes`` began, and the share of it that has passed
    (0–1)."""
    left = shown_s % sum(scene.duration_s for scene in scenes)
    for scene in scenes[:-1]:
        if left < scene.duration_s:
            return scene, left / scene.duration_s
        left -= scene.duration_s
    return scenes[-1], min(1.0, left / scenes[-1].duration_s)
