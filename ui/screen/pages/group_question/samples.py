"""Samples of a question that several seats answer together: open and sealed, entered and locked in, everybody's page
and a seat's own; and cards laid down before a camera."""

from types import MappingProxyType

from device.gpio.buttons import ButtonAction, ButtonEvent
from rules.engine import AllowedValues, Choices, IntRange, Json, Prompt
from rules.throws import THROW_CHOICES, Throw
from ui.i18n.language import t
from ui.screen.core.button_navigation import handle_group_button
from ui.screen.core.page_stack import Dialogue, Page
from ui.screen.pages.answers import Reply
from ui.screen.pages.common.samples import players
from ui.screen.pages.common.view import Player
from ui.screen.pages.group_question.view import (
    CameraAnswers,
    GroupQuestion,
    GroupQuestionPage,
    OpenSeatPage,
    next_group_page,
    open_group_question,
)
from ui.screen.pages.question.hints import first_time_hint
from ui.screen.pages.question.view import OpenQuestion
from ui.screen.pages.views import View
from ui.text.cards import CARD_PROMPTS

WISH_CHOICES = Choices(("on", "off", "don't care"))
ROUND_FACTS: MappingProxyType[str, Json] = MappingProxyType({"phase": "risk rounds", "round": 3})
BLITZ_FACTS: MappingProxyType[str, Json] = MappingProxyType({"option": "blitz", "means": "selection lasts 3 s"})
CARD_NOTES = (None, "moving", "face up", "two cards", None, "wrong deck", "no card", "moving")
"""What the camera lacks for each seat; None for those that are in."""


def samples() -> dict[str, View | Page]:
    """Return the samples by name."""
    people = players(8)
    return {
        **_by_touch_and_buttons(people),
        "group-cards-2": _lay_cards(people[:2]),
        "group-cards-8": _lay_cards(people),
        "group-hint-claim": first_time("claim", Choices(tuple(Throw)), False, 1),
        "group-hint-bets": first_time("bet", IntRange(0, 95, 5), True),
    }


def _by_touch_and_buttons(people: tuple[Player, ...]) -> dict[str, Page]:
    """Return pages for the first of ``people``, as many as each page needs, at most eight."""
    stakes = IntRange(0, 95, 5)
    sealed = Prompt("bet", dict.fromkeys((1, 2), stakes), True, 20, 0, about=ROUND_FACTS)
    two = _press_buttons(people[:2], sealed, 14.0, (1, ButtonAction.RAISE), (1, ButtonAction.CONFIRM))
    three = Prompt("bet", dict.fromkeys((1, 2, 3), stakes), False, 20, 0, about=ROUND_FACTS)
    wished = Prompt(
        "wish", dict.fromkeys(range(1, 9), WISH_CHOICES), seconds=20, default="don't care", about=BLITZ_FACTS
    )
    wishes = _press_buttons(
        people,
        wished,
        9.0,
        (1, ButtonAction.RAISE),
        (2, ButtonAction.CONFIRM),
        (3, ButtonAction.RAISE_REPEAT),
        (3, ButtonAction.CONFIRM),
    )
    held: dict[int, AllowedValues] = {1: Choices(("rock", "paper")), 2: Choices(("paper", "scissors"))}
    return {
        "group-sealed-2": two,
        "group-handed-over": _press_screen(two, OpenSeatPage(2)),
        "group-own": _press_screen(two, OpenSeatPage(2), OpenQuestion()),
        "group-open-3": _press_buttons(
            people[:3],
            three,
            14.0,
            (1, ButtonAction.RAISE),
            (1, ButtonAction.CONFIRM),
            (2, ButtonAction.RAISE_REPEAT),
            (2, ButtonAction.RAISE),
        ),
        "group-sealed-8": _press_buttons(
            people,
            Prompt("bet", dict.fromkeys(range(1, 9), stakes), True, 20, 0, about=ROUND_FACTS),
            14.0,
            (3, ButtonAction.CONFIRM),
            (5, ButtonAction.CONFIRM_HOLD),
        ),
        "group-throw-2": _press_buttons(people[:2], Prompt("throw", dict.fromkeys((1, 2), THROW_CHOICES), True), None),
        "group-held-2": _press_buttons(people[:2], Prompt("throw", held, True), None),
        "group-risk-4": _press_buttons(
            people[:4],
            Prompt("risk", dict.fromkeys(range(1, 5), Choices(("yes", "no")))),
            None,
            *(
                (1, ButtonAction.RAISE),
                (2, ButtonAction.RAISE),
                (2, ButtonAction.CONFIRM),
                (3, ButtonAction.CONFIRM_HOLD),
            ),
        ),
        "group-wish-8": wishes,
        "group-wish-own": _press_screen(wishes, OpenSeatPage(1)),
    }


def first_time(kind: str, options: AllowedValues, sealed: bool, count: int = 2) -> GroupQuestion:
    """A question that is asked for the first time in a match."""
    prompt = Prompt(
        kind, dict.fromkeys(range(1, count + 1), options), sealed, 20, 0, about=MappingProxyType({"round": 1})
    )
    return GroupQuestion(players(2), prompt, 17.0, first_time_hint(prompt))


def _press_buttons(
    people: tuple[Player, ...], prompt: Prompt, seconds_left: float | None, *actions: tuple[int, ButtonAction]
) -> GroupQuestionPage:
    page = open_group_question(GroupQuestion(people, prompt, seconds_left))
    for seat, action in actions:
        after = handle_group_button(page, ButtonEvent(seat, action, 0))
        page = after if isinstance(after, GroupQuestionPage) else page
    return page


def _press_screen(page: GroupQuestionPage, *presses: OpenSeatPage | OpenQuestion) -> GroupQuestionPage:
    for press in presses:
        after = next_group_page(page, press)
        page = page if isinstance(after, Reply) else after
    return page


def _lay_cards(people: tuple[Player, ...]) -> Page:
    prompt = Prompt("place", {player.seat: Choices(("down",)) for player in people})
    notes = dict(enumerate(CARD_NOTES[: len(people)], 1))
    camera = CameraAnswers(
        {seat: "down" for seat, note in notes.items() if note is None},
        {seat: t(CARD_PROMPTS[note]) for seat, note in notes.items() if note is not None},
    )
    dialogue = Dialogue(GroupQuestion(people, prompt, poll_camera=lambda: camera))
    dialogue.poll_camera()
    return dialogue.page
