"""How a round goes, in five scenes that follow each other while nobody is there. Pure: the time alone says what is
seen."""

from dataclasses import dataclass

from ui.i18n.language import N, Text
from ui.text.verdicts import COUNT


@dataclass(frozen=True)
class Scene:
    """What happens, how long it takes and the sentence that explains it."""

    name: str
    seconds: float
    sentence: Text


SCENES = (
    Scene("count", 3.6, N("Hold a fist over your zone: it comes down on every word.")),
    Scene("show", 3.2, N("On {word} everybody shows a hand at once.", word=COUNT[-1])),
    Scene("lock", 4.2, N("The first hand starts the clock: a moment later one picture is everybody's throw.")),
    Scene("late", 3.8, N("Whoever waits to see yours comes after the line, and everybody sees it.")),
    Scene("won", 3.6, N("Who beats whom, points and bets: the box keeps count.")),
)
"""In the order they are seen."""
ATTRACT_AFTER_S = 60.0
"""How long nobody touches the choice of games until it is shown."""
LOOP_S = sum(scene.seconds for scene in SCENES)
WINDOW_MS, SECOND_MS, LATE_MS = 150.0, 62.0, 230.0
"""The window drawn, and when after the first hand the second one comes, honestly and late."""


def scene_at(shown_s: float) -> tuple[Scene, float]:
    """The scene so many seconds after the loop began, and how much of it has passed (0–1)."""
    left = shown_s % LOOP_S
    for scene in SCENES[:-1]:
        if left < scene.seconds:
            return scene, left / scene.seconds
        left -= scene.seconds
    return SCENES[-1], min(1.0, left / SCENES[-1].seconds)
