"""Samples of marking a filmed hand: at first, half done, done, a rock, and a clip that plays."""

from dataclasses import replace

from device.camera.frames import Pixels
from messages import N
from rules.throws import Throw
from ui.screen.pages.how_to_play_shots import drawn_hand
from ui.screen.pages.labelling import HandToLabel, LabelPage, Mark
from ui.screen.views import View

OPENS_AT = 52


def hand_to_label(throw: Throw, seat: int = 2) -> HandToLabel:
    """A filmed hand, which opens from a fist."""

    def image(frame: int) -> Pixels:
        return drawn_hand(throw if frame >= OPENS_AT else Throw.ROCK, seat)

    times = tuple(round(-1500 + number * 1000 / 30, 1) for number in range(88))
    title = N("Throw {number} · {player}", number=3, player=N("Player {seat}", seat=seat))
    return HandToLabel(title, seat, times, image, throw, 45, has_previous=True)


def samples() -> dict[str, View]:
    """Return the samples by name."""
    paper, rock = hand_to_label(Throw.PAPER), hand_to_label(Throw.ROCK, 1)
    begun = paper.first_page().with_frame(50).with_mark(Mark.ONSET).with_frame(53)
    done = begun.with_mark(Mark.SETTLED).with_frame(80).with_mark(Mark.HELD)
    return {
        "labelling": replace(paper, has_previous=False),
        "labelling-begun": begun,
        "labelling-done": done,
        "labelling-rock": rock.first_page().with_frame(46).with_mark(Mark.SETTLED),
        "labelling-none": LabelPage(paper, 60, None),
        "labelling-playing": begun.play(),
    }
