"""The views of practising against the box, as plain data: the seal of its throw before the count, and the reveal after
it."""

from dataclasses import dataclass, field, replace

from pygame import Rect
from typing_extensions import override

from device.camera.frames import Pixels
from messages import N
from rules.text import THROW_WORDS
from rules.throws import Throw
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.forms import Column, Either, Flip, Form, Row, hint, lays_out
from ui.screen.drawing.nodes import (
    GAP,
    TOUCH,
    Button,
    CardPanel,
    Drawing,
    Icon,
    Node,
    QrCode,
    Text,
    TextSize,
    font_size,
)
from ui.screen.drawing.theme import ACCENT, FOUL, LINE, MUTED, PANEL, TEXT
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
    """The box's throw is fixed, and its commitment is shown as a QR code. Answered with THROW_ANSWER or STOP_ANSWER."""

    digest: str
    """The commitment: a SHA-256 in 64 hex digits."""
    score: PracticeScore
    message: str = ""
    """Why a round is thrown again with the same commitment."""
    shows_digits: bool = False
    """Whether the digits are shown as well."""
    explain: Explain = field(default=explain_nothing, compare=False)
    """Returns the page that explains practice."""

    @property
    @override
    def key(self) -> object:
        return type(self), self.shows_digits


@dataclass(frozen=True, eq=False)
class CommitmentReveal(ImageView, Page):
    """The round against the box is over. Answered with THROW_ANSWER or STOP_ANSWER."""

    digest: str
    """The commitment: a SHA-256 in 64 hex digits."""
    opening: str
    """The text the commitment was made of: the throw and random digits."""
    crop: Pixels
    """The person's crop of the lock frame."""
    your_throw: Throw
    box_throw: Throw
    result: str
    """The sentence about the person's throw against the box's."""
    score: PracticeScore
    after_ms: float | None = None
    """When the person's hand showed, after the cue; None if that isn't known."""
    matches: bool = True
    """Whether the commitment is that of the opening."""
    shows_check: bool = False
    """Whether opening and commitment are shown."""

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
    """The number of fouls the person made; "" before the first."""
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


@lays_out(CommitmentView)
def lay_out_commitment(view: CommitmentView) -> Form:
    """Return the seal as a QR code, and the button that begins the count; or the seal in digits, large enough to
    copy."""
    if view.shows_digits:
        digits = Either(_digest_card(view.digest, 8, "big"), _digest_card(view.digest, 4, "big"), share=5)
        why = Text(DIGITS_DETAIL, "body", MUTED, lines=5, share=3)
        return _detail_form(DIGITS_TITLE, digits, why, back=replace(view, shows_digits=False))
    words = Column(Text(THROW_IS_FIXED, 8, lines=2), Text(SEAL_DETAIL, "title", MUTED, lines=5, share=2), share=(3, 2))
    code = QrCode(seal_text(view.digest), replace(view, shows_digits=True), SHOW_DIGITS, share=(2, 3))
    return Form(
        TITLE,
        hint(view.message, "foul", FOUL) if view.message else None,
        Flip(words, code, gap=(2 * GAP, GAP)),
        foot=_buttons(BEGIN_COUNT, view.explain(view)),
        foot_length=1.5 * TOUCH,
        note=_score_note(view.score),
    )


@lays_out(CommitmentReveal)
def lay_out_commitment_reveal(view: CommitmentReveal) -> Form:
    """Return both throws, the result, and whether the seal matches; or everything needed to check that."""
    if view.shows_check:
        return _check_form(view)
    crop = Drawing(lambda canvas, box: canvas.image(layout.centre(box, min(box.size), min(box.size)), view.crop, PANEL))
    shown = "" if view.after_ms is None else shown_at(view.after_ms)
    return Form(
        TITLE,
        Text(view.result, "big", ACCENT, lines=2, length=(10, 15)),
        Row(
            _hand_card(YOU, view.your_throw, crop, shown),
            _hand_card(BOX, view.box_throw, Icon(str(view.box_throw), TEXT), ""),
        ),
        _seal_card(view),
        foot=_buttons(NEXT_ROUND),
        foot_length=1.3 * TOUCH,
        note=_score_note(view.score),
    )


def _seal_card(view: CommitmentReveal) -> CardPanel:
    """Return whether the seal matches, and the button to the check."""
    icon = Icon("good", length=6) if view.matches else Icon("foul", FOUL, length=6)
    check = Button(CHECK, replace(view, shows_check=True), size="body", length=(36, 1.2 * TOUCH))
    row = Flip(Row(icon, Text(kept_promise(view), lines=2, align="left")), check)
    return CardPanel(row, down=1, length=(1.4 * TOUCH, 3 * TOUCH))


def _score_note(score: PracticeScore) -> str:
    """Return the score, and the fouls once there are any."""
    return " · ".join(part for part in (score_text(score), fouls_text(score)) if part)


def _buttons(label: str, explanation: Page | None = None) -> tuple[Node | None, ...]:
    explain = None if explanation is None else Button(HOW_TO_PLAY, explanation, size="body")
    stop = Button(STOP, Reply(STOP_ANSWER))
    return explain, stop, Button(label, Reply(THROW_ANSWER), main=True, share=2)


def _detail_form(title: str, *nodes: Node, back: Page) -> Form:
    """Return a page about the seal, with the button ``back``."""
    button = Button(labels.BACK, back, "back", leads_back=True)
    return Form(title, *nodes, foot=(button,), foot_length=1.3 * TOUCH)


def _digest_card(digest: str, groups_per_row: int, size: TextSize) -> CardPanel:
    """Return a seal in groups on a grid, all of one size."""

    def draw(canvas: Canvas, box: Rect) -> None:
        groups = group_digits(digest)
        cells = layout.grid(box, len(groups), groups_per_row, canvas.theme.units(2))
        height = min(font_size(size, canvas.theme), round(cells[0].w / GROUP_WIDTH_EM), cells[0].h)
        for cell, group in zip(cells, groups, strict=True):
            canvas.text(cell, group, height, TEXT)

    return CardPanel(Drawing(draw), down=1, edge=LINE)


def _hand_card(player: str, throw: Throw, hand: Node, about: str) -> CardPanel:
    """Return the card of one side, with its throw's name: below the hand, or in landscape next to it."""
    name, word = Text(player, "body", MUTED, lines=1), Text(labels.throw_text(throw), "title", lines=1)
    line = Text(about, "small", MUTED, lines=2)
    beside = Column(replace(name, share=2), replace(word, share=3), replace(line, share=2), gap=0)
    below = Column(replace(word, share=8), replace(line, share=12), length=22)
    return CardPanel(Either(Row(hand, beside), Column(replace(name, length=6), hand, below)), down=1.5)


def _check_form(view: CommitmentReveal) -> Form:
    """Return the sealed text, its hash, and how to compute that anywhere else."""
    return _detail_form(
        CHECK,
        Text(SEALED_TEXT, "body", MUTED, lines=1, align="left", share=2),
        Text(view.opening, "title", lines=2, align="left", share=2),
        Text(DIGEST_SHOWN, "body", MUTED, lines=2, align="left", share=2),
        Either(_digest_card(view.digest, 8, "title"), _digest_card(view.digest, 4, "title"), share=(5, 6)),
        Text(HOW_TO_CHECK, "body", MUTED, lines=2, align="left", share=2),
        back=replace(view, shows_check=False),
    )
