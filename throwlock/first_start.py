"""The first start of a box: it leads through what is set up once, and everything can be left out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from messages import N
from ui.screen.core.display import Display
from ui.screen.pages.notice import Notice

SET_UP, PLAY, SKIP, SKIP_ALL = "set it up", "play", "skip", "skip all"
TIME_ZONE = N("Time zone"), N("So that past matches have the right time.")
CAMERA = N("Camera"), N("Choose the camera, and look at its picture: it should see the whole table from above.")
ZONES = N("Zones"), N("Everybody holds out a hand, and the box makes a zone around each.")
SOUND = N("Sound"), N("Tones and a voice for the count, and how loud they are.")
WIFI = N("Wi-Fi"), N("For phones and a television. The games don’t need it.")
FIRST_ROUND = N("A first round"), N("Throw against the box. It seals its throw before the count.")


@dataclass(frozen=True)
class FirstStep:
    """Something that is set up at the first start."""

    words: tuple[str, str]
    """Its title, and what it is for."""
    set_up: Callable[[], object]
    answer: str = SET_UP
    """The choice that begins it."""


def lead_through(display: Display, steps: Sequence[FirstStep]) -> None:
    """Offer one step after the other, until people skip all that are left. Raises WindowClosedError."""
    for number, step in enumerate(steps, 1):
        title = N("{number}/{count} · {title}", number=number, count=len(steps), title=step.words[0])
        choices = (step.answer, SKIP, SKIP_ALL) if number < len(steps) else (step.answer, SKIP)
        answer = display.ask(Notice(title, step.words[1], choices, is_idle=True, icon="paper"))
        if answer == SKIP_ALL:
            return
        if answer == step.answer:
            step.set_up()
