"""The texts of marking when a filmed hand showed its throw."""

from messages import N
from rules.text import THROW_WORDS
from rules.throws import Throw
from ui.i18n.language import t
from ui.screen.pages.dispute.strings import signed_ms
from ui.screen.pages.labelling.view import LabelPage, Mark
from ui.text.verdicts import COUNT_WORDS

MARK_NAMES = {
    Mark.ONSET: N("Begins to form"),
    Mark.SETTLED: N("Complete"),
    Mark.HELD: N("Held until"),
}
AT_REST = N("Fist at rest")
STEP_LABELS = {
    -5: N("Five frames back"),
    -1: N("One frame back"),
    1: N("One frame on"),
    5: N("Five frames on"),
}
PLAY, STOP_PLAYING = N("Play slowly"), N("Stop playing")
UNDO = N("Undo")
NOT_SURE = N("Not sure")
SKIP, NEXT = N("Skip"), N("Next hand")
PREVIOUS, STOP = N("Previous"), N("Stop for now")
NO_THROW = N("no throw")


def mark_name(throw: Throw | None, mark: Mark) -> str:
    """What a mark means for a throw."""
    return AT_REST if throw is Throw.ROCK and mark is Mark.SETTLED else MARK_NAMES[mark]


def frame_text(page: LabelPage) -> str:
    """The number of the frame, and its time from the call."""
    at = signed_ms(page.view.times_ms[page.frame])
    total, call = len(page.view.times_ms), t(COUNT_WORDS[-1])
    return t("Frame {number} of {total} · {call} {ms} ms", number=page.frame + 1, total=total, call=call, ms=at)


def mark_text(page: LabelPage, mark: Mark) -> str:
    """Where a mark is."""
    at = page.marks.get(mark)
    return "–" if at is None else t("frame {number}", number=at + 1)


def throw_text(page: LabelPage) -> str:
    """What the hand throws."""
    return t(NO_THROW) if page.throw is None else t(THROW_WORDS[page.throw])
