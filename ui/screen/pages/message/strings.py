"""Sentences for an event that comes without any."""

from collections.abc import Mapping, Sequence

from rules.engine import GameEvent, GameText, Json
from rules.text import SHARED_TEXT
from ui.i18n.language import t
from ui.screen.pages.common.game_words import code_word, event_heading, format_fact, seat_label


def fact_lines(event: GameEvent) -> tuple[str, ...]:
    """Return the sentences for an event that comes without any: its facts, one a line."""
    lines = [
        f"{code_word(name, event.text)}: {_fact_text(fact, event.text)}"
        for name, fact in event.facts.items()
        if name not in ("scores", "position")
    ]
    return tuple(lines) or (event_heading(event),)


def _fact_text(fact: Json, text: GameText) -> str:
    if fact is None or isinstance(fact, bool):
        return t(SHARED_TEXT.words[{None: "none", True: "yes", False: "no"}[fact]])
    if isinstance(fact, Mapping):
        return ", ".join(
            f"{seat_label(int(name)) if name.isdecimal() else code_word(name, text)} {_fact_text(part, text)}"
            for name, part in fact.items()
        )
    if isinstance(fact, Sequence) and not isinstance(fact, str):
        return ", ".join(_fact_text(part, text) for part in fact) or t(SHARED_TEXT.words["none"])
    return format_fact(fact)
