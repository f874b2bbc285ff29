"""Samples of a question that several seats answer together: open and sealed, entered and locked in, everybody's page
and a seat's own; and cards laid down before a camera."""

from dataclasses import replace
from types import MappingProxyType

from device.gpio.buttons import ButtonAction, ButtonEvent
from rules.battle.text import TEXT as BATTLE_TEXT
from rules.engine import (
    AllowedValues,
    Choices,
    FactValue,
    GameText,
    IntRange,
    Json,
    OptionalPrompt,
    Prompt,
    SealedPrompt,
    ThrowPrompt,
    TimeLimit,
)
from rules.future.text import TEXT as FUTURE_TEXT
from rules.redeux.text import TEXT as REDEUX_TEXT
from rules.throws import THROW_CHOICES, Throw
from tests.helpers.samples.common import declared_fact, players
from ui.i18n.language import t
from ui.screen.input import handle_group_button
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage, LiveAnswers
from ui.screen.pages.question import first_time_hint, new_draft
from ui.screen.views import View
from ui.text.verdicts import CARD_PROMPTS

STAKES, WISH_CHOICES = IntRange(0, 95, 5), Choices(("on", "off", "don't care"))
ROUND_FACTS: MappingProxyType[str, FactValue] = MappingProxyType(
    {"phase": "risk rounds", "round": dict.fromkeys(range(1, 9), 3)}
)
BLITZ_FACTS: MappingProxyType[str, Json] = MappingProxyType({"option": "blitz", "means": "selection lasts 3 s"})
CARD_NOTES = (None, "moving", "face up", "two cards", None, "wrong deck", "no card", "moving")
"""What the camera lacks for each seat; None for those that are in."""
ACTIONS = {
    "+": ButtonAction.RAISE,
    "»": ButtonAction.RAISE_REPEAT,
    "!": ButtonAction.CONFIRM,
    "-": ButtonAction.CONFIRM_HOLD,
}


def samples() -> dict[str, View]:
    """Return the samples by name."""
    two = _bets(2, "1+ 1!", sealed=True)
    wishing, unset = dict.fromkeys(range(1, 9), WISH_CHOICES), "don't care"
    wish = Prompt("wish", wishing, about=BLITZ_FACTS, time_limit=TimeLimit(20, default=unset), text=BATTLE_TEXT)
    risk = Prompt("risk", dict.fromkeys(range(1, 5), Choices(("yes", "no"))), text=REDEUX_TEXT)
    wishes = _wait(press_buttons(wish, "1+ 2! 3» 3!"), 11.0)
    own = two.open_seat(2)
    assert own.own_page is not None
    held: dict[int, AllowedValues] = {1: Choices(("rock", "paper")), 2: Choices(("paper", "scissors"))}
    return {
        "group-sealed-2": two,
        "group-handed-over": own,
        "group-own": own.with_own_page(new_draft(own.own_page.view)),
        "group-time-up": _wait(own.with_own_page(new_draft(own.own_page.view)), 20.0),
        "group-time-told": _wait(two.start_time(2, by_button=True), 20.0),
        "group-open-3": _bets(3, "1+ 1! 2» 2+"),
        "group-sealed-8": _bets(8, "3! 5-", sealed=True),
        "group-phones-4": _answer_on_phones(4),
        "group-claims-on-phone": _act_on_phone(6),
        "group-throw-2": press_buttons(ThrowPrompt(dict.fromkeys((1, 2), THROW_CHOICES))),
        "group-held-2": press_buttons(ThrowPrompt(held)),
        "group-risk-4": press_buttons(risk, "1+ 2+ 2! 3-"),
        "group-wish-8": wishes,
        "group-wish-own": wishes.open_seat(1),
        "group-changes-4": _changes(4),
        "group-changes-8": _changes(8),
        "group-changes-own": _changes(8).open_seat(1),
        "group-cards-2": _lay_cards(2),
        "group-cards-8": _lay_cards(8),
        "group-hint-claim": first_time("claim", Choices(tuple(Throw)), False, FUTURE_TEXT, 1),
        "group-hint-bets": first_time("bet", STAKES, True, REDEUX_TEXT),
    }


def _changes(count: int) -> GroupQuestionPage:
    """Who comes or goes in a Battle: seat 2 leaves, and nobody is in the last one."""
    taken, empty = Choices(("stay", "leave", "reset", "wish", "stop")), Choices(("wait", "join"))
    seats: dict[int, AllowedValues] = {**dict.fromkeys(range(1, count), taken), count: empty}
    prompt = OptionalPrompt("table", seats, text=BATTLE_TEXT)
    people = tuple(
        replace(player, facts=(declared_fact("free", True, BATTLE_TEXT),) * (player.seat == count))
        for player in players(count)
    )
    page = GroupQuestion(people, prompt, hint=first_time_hint(prompt)).first_page().with_answer(2, "leave")
    assert isinstance(page, GroupQuestionPage)
    return page


def first_time(kind: str, options: AllowedValues, sealed: bool, text: GameText, count: int = 2) -> GroupQuestion:
    """A question that is asked for the first time in a match."""
    seats = range(1, count + 1)
    facts: dict[str, FactValue] = {"round": dict.fromkeys(seats, 1) if text is REDEUX_TEXT else 1}
    time_limit = TimeLimit(20, default=0) if kind == "bet" else None
    prompt = (SealedPrompt if sealed else Prompt)(
        kind, dict.fromkeys(seats, options), facts, time_limit=time_limit, text=text
    )
    return GroupQuestion(players(2), prompt, prompt.seconds, first_time_hint(prompt))


def press_buttons(prompt: Prompt, actions: str = "") -> GroupQuestionPage:
    """The page of ``prompt`` after the seats' ``actions``: "1+ 2!" is raise of seat 1, then confirm of seat 2."""
    page = GroupQuestion(players(len(prompt.seats)), prompt, prompt.seconds).first_page()
    for action in actions.split():
        after = handle_group_button(page, ButtonEvent(int(action[0]), ACTIONS[action[1]], 0))
        page = after if isinstance(after, GroupQuestionPage) else page
    return page


def _bets(count: int, actions: str, *, sealed: bool = False) -> GroupQuestionPage:
    seats = dict.fromkeys(range(1, count + 1), STAKES)
    return _wait(
        press_buttons(
            (SealedPrompt if sealed else Prompt)(
                "bet", seats, ROUND_FACTS, time_limit=TimeLimit(20, 0), text=REDEUX_TEXT
            ),
            actions,
        ),
        6.0,
    )


def _answer_on_phones(count: int) -> View:
    """Bets of which the first is in, and the others of even seats are on a phone."""
    prompt = SealedPrompt("bet", dict.fromkeys(range(1, count + 1), STAKES), about=ROUND_FACTS, text=REDEUX_TEXT)
    live = LiveAnswers({1: 5}, phones=frozenset(range(2, count + 1, 2)))
    page = GroupQuestion(players(count), prompt, poll_answers=lambda _: live).first_page().poll()
    assert isinstance(page, GroupQuestionPage)
    return page


def _act_on_phone(count: int) -> View:
    """The choice of a player with a phone, after some have claimed a card."""
    about: dict[str, FactValue] = {"turn": 3, "lap": 2, "pot": 17, "claims": {1: "rock", 2: "paper", 5: "rock"}}
    prompt = Prompt("act", {4: Choices(("fold", "bet"))}, about, text=FUTURE_TEXT)
    live = LiveAnswers(phones=frozenset({4}))
    return GroupQuestion(players(count), prompt, poll_answers=lambda _: live).first_page()


def _wait(page: GroupQuestionPage, seconds: float) -> GroupQuestionPage:
    later = page.pass_time(seconds, 0.0)
    assert isinstance(later, GroupQuestionPage)
    return later


def _lay_cards(count: int) -> View:
    notes = dict(enumerate(CARD_NOTES[:count], 1))
    camera = LiveAnswers(
        {seat: "down" for seat, note in notes.items() if note is None},
        {seat: t(CARD_PROMPTS[note]) for seat, note in notes.items() if note is not None},
    )
    prompt = Prompt("place", dict.fromkeys(notes, Choices(("down",))))
    page = GroupQuestion(players(count), prompt, poll_answers=lambda _: camera).first_page().poll()
    assert isinstance(page, GroupQuestionPage)
    return page
