"""The texts of a question: its prompt, its context, its answers."""

from collections.abc import Mapping

from rules.engine import Json, Prompt, Seat, Value
from rules.throws import Throw
from ui.i18n.language import N, capitalise, ngettext, t
from ui.screen.pages.common.game_words import CODE_WORDS, code_word, format_fact, value_text
from ui.screen.pages.common.view import Player

TOUCH_WHEN_READY = N("Touch when ready")
PLUS, MINUS = "+", "−"

PRESET_WORDS = {"least": N("least"), "half": N("half"), "most": N("all")}


def with_count(answer: str, count: int) -> str:
    """The label of an answer, with its ``count`` if it is there several times, such as a card in the hand."""
    return f"{answer} ×{count}" if count > 1 else answer


def confirm_label(value: int) -> str:
    """The label of the button that confirms a number."""
    return t("Confirm {value}", value=value)


def preset_label(name: str, number: int) -> str:
    """The label of a preset's button: its name and number, or only the number if that is 0."""
    return f"{t(PRESET_WORDS[name])}  {number}" if number else str(number)


def points_text(score: int) -> str:
    """A number of points."""
    return ngettext("{count} point", "{count} points", score)


def hand_over_text(player: Player) -> str:
    """The sentence that hands a sealed question over to its player."""
    return t("{name} only – everyone else look away", name=player.name)


def signed_step(count: int) -> str:
    """A step of a number, with its sign."""
    return f"{PLUS if count > 0 else MINUS}{abs(count)}"


QUESTIONS = {
    "bet": N("How much do you bet?"),
    "place": N("Which card goes face down?"),
    "throw": N("Which throw?"),
    "risk": N("Play on with Risk Rounds?"),
    "offer": N("Play on?"),
    "claim": N("What do you claim it is?"),
    "act": N("What do you do?"),
    "fold": N("Fold or stay?"),
    "call": N("Call or raise?"),
    "raise": N("How much do you raise?"),
    "discard": N("Which card do you discard?"),
    "reading": N("What did the hand show?"),
    "wish": N("Do you wish for {option}?"),
    "table": N("What now, between the rounds?"),
    "team": N("Which team?"),
    "move": N("Which move?"),
    "hand": N("These are your cards"),
    "drawn": N("You drew a card"),
}
"""The question for each kind of prompt, with the option it is about in braces; any other kind is asked by its own
name."""
CARD_DOWN_QUESTIONS = {"place": N("Put your card face down"), "discard": N("Discard a card, face down")}
"""The instructions for prompts whose only answer is that a card is down."""

FACTS_SHOWN_ELSEWHERE = {"points", "chips", "claims", "throws", "position"}
"""Facts of a prompt that are shown elsewhere on its page."""
ANSWER_WORDS = {
    ("place", "down"): N("It is down"),
    ("discard", "down"): N("It is down"),
    ("table", "wish"): N("New wishes"),
    ("table", "reset"): N("Start afresh"),
}
"""Answers that read better than their own word, by the kind of prompt."""


def question_text(prompt: Prompt) -> str:
    """The question of ``prompt``."""
    if prompt.kind in CARD_DOWN_QUESTIONS and all(options.allows("down") for options in prompt.seats.values()):
        return t(CARD_DOWN_QUESTIONS[prompt.kind])
    if prompt.kind == "wish":
        option = str(prompt.about.get("option", ""))
        return t("Do you wish for {option}?", option=CODE_WORDS.get(option, option or t("it")))
    return t(QUESTIONS[prompt.kind]) if prompt.kind in QUESTIONS else code_word(prompt.kind) + "?"


def public_throws(prompt: Prompt) -> dict[Seat, str]:
    """Everybody's claimed or shown throw by seat, if ``prompt`` has them."""
    throws = prompt.about.get("claims") or prompt.about.get("throws")
    if not isinstance(throws, Mapping):
        return {}
    return {int(seat): str(throw) for seat, throw in throws.items() if seat.isdecimal() and throw in list(Throw)}


def about_text(facts: Mapping[str, Json], seat: Seat | None = None) -> str:
    """The context of a prompt in one line, such as "Risk rounds · Round 3 · Goal 100": its single facts, and of those
    by seat the one of ``seat``, without those shown elsewhere."""
    parts: list[str] = []
    for name, fact in facts.items():
        if name in FACTS_SHOWN_ELSEWHERE:
            continue
        value = fact.get(str(seat)) if isinstance(fact, Mapping) else fact
        if name == "means":
            parts.append(t(capitalise(N(str(value)))))
        elif isinstance(value, str):
            parts.append(code_word(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            parts.append(f"{code_word(name)} {format_fact(value)}")
    return " · ".join(parts)


def answer_text(prompt: Prompt, value: Value) -> str:
    """The label of an answer to ``prompt``."""
    label = ANSWER_WORDS.get((prompt.kind, value)) if isinstance(value, str) else None
    return t(label) if label else value_text(value)
