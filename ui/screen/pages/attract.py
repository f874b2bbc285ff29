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
        begin_s, move_s, rest_s, _ = _times(seconds)
        loop_s = seconds % LOOP_S
        return replace(self, shown_s=begin_s if loop_s < move_s else min(loop_s, rest_s))

    @override
    def still_s(self, elapsed_s: float) -> float:
        _, move_s, rest_s, end_s = _times(elapsed_s)
        loop_s = elapsed_s % LOOP_S
        return max(0.0, move_s - loop_s, end_s - loop_s if loop_s >= rest_s else 0.0)


@dataclass(frozen=True)
class AttractScene:
    """A scene: its name, its length and the sentence that explains it."""

    name: str
    duration_s: float
    sentence: LazyText
    moves: tuple[float, float]
    """From which share of it to which something moves: before and after it is a still picture."""


ATTRACT_SCENES = (
    AttractScene("count", 3.6, N("Hold a fist over your zone: it comes down on every word."), (0.0, 0.76)),
    AttractScene("show", 3.2, N("On {word} everybody shows a hand at once.", word=COUNT_WORDS[-1]), (0.2, 0.25)),
    AttractScene(
        "lock",
        4.2,
        N("The first hand starts the clock: a moment later, one image fixes everyone’s throw."),
        (0.0, 0.72),
    ),
    AttractScene("late", 3.8, N("Whoever waits to see yours is late, and everyone sees it."), (0.0, 0.72)),
    AttractScene("won", 3.6, N("Who beats whom, points and bets: the box keeps score."), (0.0, 0.35)),
)
"""In the order they are shown."""
LOOP_S = sum(scene.duration_s for scene in ATTRACT_SCENES)

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


def _times(shown_s: float) -> tuple[float, float, float, float]:
    """Return the times of the current scene in the loop, in s: its begin, when something begins to move, when it rests
    again, and its end."""
    begin_s, current = 0.0, scene_at(shown_s)[0]
    for scene in ATTRACT_SCENES[: ATTRACT_SCENES.index(current)]:
        begin_s += scene.duration_s
    move_s, rest_s = (begin_s + share * current.duration_s for share in current.moves)
    return begin_s, move_s, rest_s, begin_s + current.duration_s
