"""The views of practising against the box, as plain data: the seal of its throw before the count, and the reveal after
it."""

from dataclasses import dataclass, field, replace

from pygame import Rect
from typing_extensions import override

from device.camera.frames import Pixels
from messages import N
from rules.text import THROW_WORDS
from rules.throws import Throw
from ui.charts.proof_code import qr_modules
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, FOUL, LINE, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import draw_card, draw_header, draw_modules, hand_row
from ui.screen.pages.how_to_play import HOW_TO_PLAY
from ui.screen.views import Explain, ImageView, Page, Reply, explain_nothing
from ui.text import labels
from ui.text.verdicts import YOU

THROW_ANSWER, STOP_ANSWER = "throw", "stop"
DIGITS_PER_GROUP = 4
"""The digits in a group of a seal, so that two seals can be compared by eye."""


@dataclass(frozen=True)
class PracticeScore:
    """Rounds that the person won, lost and tied, and how many fouls they made."""

    won: int = 0
    lost: int = 0
    tied: int = 0
    fouls: int = 0


@dataclass(frozen=True)
class CommitmentView(Page):
    """The box's throw is fixed; ``digest`` is its commitment, a SHA-256 in 64 hex digits, of which a QR code is shown
    and, with ``shows_digits``, the digits. ``message`` is why a round is thrown again with the same commitment.
    Answered with THROW_ANSWER or STOP_ANSWER. ``explain`` returns the page that explains practice."""

    digest: str
    score: PracticeScore
    message: str = ""
    shows_digits: bool = False
    explain: Explain = field(default=explain_nothing, compare=False)

    @property
    @override
    def key(self) -> object:
        return type(self), self.shows_digits


@dataclass(frozen=True, eq=False)
class CommitmentReveal(ImageView, Page):
    """The round is over: ``result`` is the sentence about the person's throw, in their crop of the lock frame, against
    the box's. ``opening`` is the text the ``digest`` was made of: the throw and random digits; it ``matches`` if that
    is so. ``after_ms`` is when the person's hand showed, in ms after the cue. ``shows_check``: opening and digest are
    shown. Answered with THROW_ANSWER or STOP_ANSWER."""

    digest: str
    opening: str
    crop: Pixels
    your_throw: Throw
    box_throw: Throw
    result: str
    score: PracticeScore
    after_ms: float | None = None
    matches: bool = True
    shows_check: bool = False

    @property
    @override
    def key(self) -> object:
        return type(self), self.shows_check


def group_digits(digest: str) -> tuple[str, ...]:
    """Return a seal in groups that can be compared by eye."""
    return tuple(digest[at : at + DIGITS_PER_GROUP] for at in range(0, len(digest), DIGITS_PER_GROUP))


def seal_text(digest: str) -> str:
    """Return what a phone shows that scans a seal's QR code, in the letters that take the least room."""
    return f"THROWLOCK SEAL {digest.upper()}"


TITLE = N("Practise against the box")
THROW_IS_FIXED = N("I have chosen my throw.")
SEAL_DETAIL = N(
    "This code seals it: I can’t change it now. To check that after the round, scan it, or touch it for the digits."
)
SHOW_DIGITS = N("Show the seal in digits")
DIGITS_TITLE = N("The seal of my throw")
DIGITS_DETAIL = N(
    "It is the SHA-256 hash of my throw and some random digits. Write it down or take a photo to compare it after the "
    "round."
)
BEGIN_COUNT = N("Begin the count")
STOP = N("Stop")
NEXT_ROUND = N("Next round")
BOX = N("The box")
CHECK = N("Check the seal")
SEALED_TEXT = N("The sealed text:")
DIGEST_SHOWN = N("Its SHA-256 hash is the seal that you saw before the round:")
HOW_TO_CHECK = N("Any SHA-256 tool gives the same digits.")


def score_text(score: PracticeScore) -> str:
    """The score, from the person's side."""
    return t("Won {won} · lost {lost} · tied {tied}", won=score.won, lost=score.lost, tied=score.tied)


def fouls_text(score: PracticeScore) -> str:
    """The number of fouls the person made; empty before the first."""
    return t("Fouls: {count}", count=score.fouls) if score.fouls else ""


def shown_at(after_ms: float) -> str:
    """The time at which the person's hand showed."""
    return t("shown {ms} ms from the call", ms=f"{after_ms:+.0f}".replace("-", "−"))


def kept_promise(view: CommitmentReveal) -> str:
    """Whether the throw that the box showed is the one that it had sealed."""
    throw = t(THROW_WORDS[view.box_throw])
    if view.matches:
        return t("The box had chosen {throw} before you threw: its seal matches.", throw=throw)
    return t("The seal does not match: the box had not chosen {throw} before you threw.", throw=throw)


GROUP_WIDTH_EM = 2.6
"""The width of the widest group, as a share of its type's size: all are to be of one size."""


@paints(CommitmentView)
def draw_commitment(canvas: Canvas, view: CommitmentView) -> None:
    """Draw the seal as a QR code, and the button that begins the count; or the seal in digits, large enough to copy."""
    theme = canvas.theme
    if view.shows_digits:
        body = _draw_back(canvas, DIGITS_TITLE, replace(view, shows_digits=False))
        seal, why = layout.rows(body, [5, 3], theme.gap)
        _draw_digest(canvas, seal, view.digest, 4 if theme.portrait else 8, theme.big)
        canvas.text(why, DIGITS_DETAIL, theme.body, MUTED, max_lines=5)
        return
    body = _draw_header(canvas, view.score)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.5), theme.gap)
    _draw_buttons(canvas, foot, BEGIN_COUNT, view.explain(view))
    if view.message:
        width = body.w - 2 * theme.units(2) - theme.units(6) - theme.gap
        line, body = layout.split_top(body, canvas.text_height(view.message, width) + 2 * theme.units(1.2), theme.gap)
        sign, message_box = layout.split_left(draw_card(canvas, line, 2, 1), theme.units(6), theme.gap)
        canvas.icon(sign, "foul", FOUL)
        canvas.text(message_box, view.message, theme.small, align="left", max_lines=3)
    if theme.portrait:
        text, code = layout.rows(body, [2, 3], theme.gap)
    else:
        text, code = layout.columns(body, [3, 2], theme.gap * 2)
    title, why = layout.rows(text, [1, 2], theme.gap)
    canvas.text(title, THROW_IS_FIXED, theme.units(8), max_lines=2)
    canvas.text(why, SEAL_DETAIL, theme.title, MUTED, max_lines=5)
    place = draw_modules(canvas, code, qr_modules(seal_text(view.digest)))
    canvas.add_target(place, replace(view, shows_digits=True), SHOW_DIGITS)


@paints(CommitmentReveal)
def draw_commitment_reveal(canvas: Canvas, view: CommitmentReveal) -> None:
    """Draw both throws, the result, and whether the seal matches; or everything needed to check that."""
    theme = canvas.theme
    if view.shows_check:
        _draw_check(canvas, view)
        return
    body = _draw_header(canvas, view.score)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.3), theme.gap)
    _draw_buttons(canvas, foot, NEXT_ROUND)
    result, body = layout.split_top(body, theme.units(15 if theme.portrait else 10), theme.gap)
    canvas.text(result, view.result, theme.big, ACCENT, max_lines=2 if theme.portrait else 1)
    hands, seal = layout.split_bottom(body, round(theme.touch_size * (3 if theme.portrait else 1.4)), theme.gap)
    your_cell, box_cell = layout.columns(hands, [1, 1], theme.gap)
    inner, line = _draw_hand_card(canvas, your_cell, YOU, view.your_throw)
    canvas.image(layout.centre(inner, min(inner.size), min(inner.size)), view.crop, PANEL)
    if view.after_ms is not None:
        canvas.text(line, shown_at(view.after_ms), theme.small, MUTED, max_lines=2)
    inner, _ = _draw_hand_card(canvas, box_cell, BOX, view.box_throw)
    canvas.icon(inner, str(view.box_throw))
    _draw_seal(canvas, seal, view)


def _draw_seal(canvas: Canvas, box: Rect, view: CommitmentReveal) -> None:
    """Draw whether the seal matches, and the button to the check."""
    theme = canvas.theme
    inner = draw_card(canvas, box, 2, 1)
    if theme.portrait:
        line, button = layout.rows(inner, [1, 1], theme.gap)
    else:
        line, button = layout.split_right(inner, theme.units(36), theme.gap)
    sign, line = layout.split_left(line, theme.units(6), theme.gap)
    canvas.icon(sign, *(("good", ACCENT) if view.matches else ("foul", FOUL)))
    canvas.text(line, kept_promise(view), theme.body, align="left", max_lines=2)
    place = layout.centre(button, button.w, max(theme.touch_size, min(button.h, round(theme.touch_size * 1.2))))
    canvas.button(place, CHECK, replace(view, shows_check=True))


def _draw_back(canvas: Canvas, title: str, page: Page) -> Rect:
    """Draw the header of a page about the seal and the button back to ``page``. Return what is left between them."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, title)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.3), theme.gap)
    (place,) = hand_row(canvas, foot, [1], theme.gap)
    canvas.button(place, labels.BACK, page, icon="back", size=theme.title, leads_back=True)
    return body


def _draw_header(canvas: Canvas, score: PracticeScore) -> Rect:
    """Draw the title with the score, and the fouls once there are any. Returns the page below it."""
    theme = canvas.theme
    note = " · ".join(part for part in (score_text(score), fouls_text(score)) if part)
    if not theme.portrait:
        return draw_header(canvas, canvas.page, TITLE, note=note)
    line, body = layout.split_top(draw_header(canvas, canvas.page, TITLE), theme.units(7), theme.gap)
    canvas.text(line, note, theme.body, MUTED, align="left")
    return body


def _draw_buttons(canvas: Canvas, foot: Rect, label: str, explanation: Page | None = None) -> None:
    stop, throw = hand_row(canvas, foot, [1, 1 if explanation else 2], canvas.theme.gap)
    if explanation is not None:
        explain, stop = hand_row(canvas, stop, [1, 1], canvas.theme.gap)
        canvas.button(explain, HOW_TO_PLAY, explanation)
    canvas.button(stop, STOP, Reply(STOP_ANSWER), size=canvas.theme.title)
    canvas.button(throw, label, Reply(THROW_ANSWER), size=canvas.theme.title, main=True)


def _draw_digest(canvas: Canvas, box: Rect, digest: str, groups_per_row: int, size: int) -> None:
    """Draw a seal in groups on a grid."""
    theme = canvas.theme
    groups = group_digits(digest)
    cells = layout.grid(draw_card(canvas, box, 2, 1, edge=LINE), len(groups), groups_per_row, theme.units(2))
    size = min(size, round(cells[0].w / GROUP_WIDTH_EM), cells[0].h)
    for cell, group in zip(cells, groups, strict=True):
        canvas.text(cell, group, size, TEXT)


def _draw_hand_card(canvas: Canvas, cell: Rect, player: str, throw: Throw) -> tuple[Rect, Rect]:
    """Draw the card of one side, with its throw's name: below the hand, or in landscape next to it. Returns the places
    of the hand and of the line below the name."""
    theme = canvas.theme
    inner = draw_card(canvas, cell, 2, 1.5)
    if theme.portrait:
        name, inner = layout.split_top(inner, theme.units(6), theme.gap)
        hand, words = layout.split_bottom(inner, theme.units(22), 0)
        word, line = layout.rows(words, [8, 12], theme.gap)
    else:
        hand, words = layout.columns(inner, [1, 1], theme.gap)
        name, word, line = layout.rows(words, [2, 3, 2], 0)
    canvas.text(name, player, theme.body, MUTED)
    canvas.text(word, labels.throw_text(throw), theme.title)
    return hand, line


def _draw_check(canvas: Canvas, view: CommitmentReveal) -> None:
    """Draw the sealed text, its hash, and how to compute that anywhere else."""
    theme = canvas.theme
    body = _draw_back(canvas, CHECK, replace(view, shows_check=False))
    parts = [2, 2, 2, 6, 2] if theme.portrait else [2, 2, 2, 5, 2]
    label, opening, shown, digest, how = layout.rows(body, parts, theme.gap)
    canvas.text(label, SEALED_TEXT, theme.body, MUTED, align="left")
    canvas.text(opening, view.opening, theme.title, align="left", max_lines=2)
    canvas.text(shown, DIGEST_SHOWN, theme.body, MUTED, align="left", max_lines=2)
    _draw_digest(canvas, digest, view.digest, 4 if theme.portrait else 8, theme.title)
    canvas.text(how, HOW_TO_CHECK, theme.body, MUTED, align="left", max_lines=2)
