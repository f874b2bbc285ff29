"""The texts of a question: its prompt, its context, its answers."""

from collections.abc import Mapping

from messages import N, capitalise
from rules.engine import FactValue, Prompt, Seat, Value
from rules.throws import Throw
from ui.i18n.language import t
from ui.screen.pages.common.game_words import code_word, format_fact, value_text
from ui.screen.pages.scoreboard.view import HEADLINE_FACTS, TOTAL_FACTS

FACTS_SHOWN_ELSEWHERE = {"points", "chips", "claims", "throws", "position", "option"}
"""Facts of a prompt that are shown elsewhere on its page."""


def question_text(prompt: Prompt) -> str:
    """The question of ``prompt``: the game's, or the box's for a throw and a card; else the name of its kind."""
    if prompt.kind in prompt.text.questions:
        question = prompt.text.questions[prompt.kind]
        return t(question if isinstance(question, str) else question(prompt))
    if prompt.kind == "throw":
        return t("Which throw?")
    if prompt.kind == "place":
        return t("Which card goes face down?") if prompt.secret else t("Put your card face down")
    return code_word(prompt.kind, prompt.text) + "?"


def public_throws(prompt: Prompt) -> dict[Seat, str]:
    """Everybody's claimed or shown throw by seat, if ``prompt`` has them."""
    throws = prompt.about.get("claims") or prompt.about.get("throws")
    if not isinstance(throws, Mapping):
        return {}
    return {seat: str(throw) for seat, throw in throws.items() if isinstance(seat, int) and throw in list(Throw)}


def about_text(prompt: Prompt, seat: Seat | None = None) -> str:
    """The context of a prompt in one line, such as "Risk rounds · Round 3 · Goal 100": its single facts, and of those
    by seat the one of ``seat``, or what all seats asked have in common, without those shown elsewhere."""
    own = prompt.text.headlines.get(prompt.kind)
    totals = {TOTAL_FACTS[name] for name in prompt.about if name in TOTAL_FACTS}
    parts = [t(own(prompt))] if own else []
    for name, fact in prompt.about.items():
        if name in (*FACTS_SHOWN_ELSEWHERE, *totals) or (own and name in HEADLINE_FACTS):
            continue
        value: FactValue = fact if not isinstance(fact, Mapping) else None
        if isinstance(fact, Mapping):
            by_seat = dict[Seat | str, FactValue](fact.items())
            values = [by_seat.get(asked) for asked in (prompt.seats if seat is None else (seat,))]
            value = values[0] if values.count(values[0]) == len(values) else None
        total = prompt.about.get(TOTAL_FACTS.get(name, ""))
        if name == "means":
            parts.append(t(capitalise(N(str(value)))))
        elif isinstance(value, str):
            parts.append(code_word(value, prompt.text))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            shown = format_fact(value) if total is None else f"{format_fact(value)} / {total}"
            parts.append(f"{code_word(name, prompt.text)} {shown}")
    return " · ".join(parts)


def time_out_text(prompt: Prompt, sentence: str) -> str:
    """The ``sentence`` with the meaning, by the game's rules, of a player's time running out at ``prompt``."""
    default = prompt.default
    meaning = t(prompt.text.time_outs[prompt.kind]) if prompt.kind in prompt.text.time_outs else None
    if meaning is None and default is not None:
        meaning = t("that counts as “{answer}”", answer=answer_text(prompt, default))
    return t(sentence, meaning=meaning or t("that counts as no answer"))


def card_label(card: str, count: int) -> str:
    """A kind of card and how many there are of it: "Rock ×3"."""
    return f"{code_word(card)} ×{count}"


def answer_text(prompt: Prompt, value: Value) -> str:
    """The label of an answer to ``prompt``."""
    return t("It is down") if value == "down" else value_text(value, prompt.text, prompt.kind)
