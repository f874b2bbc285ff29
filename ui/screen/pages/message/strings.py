"""Sentences for an event that comes without any."""

from collections.abc import Mapping, Sequence

from rules.engine import GameEvent, Json
from ui.i18n.language import t
from ui.screen.pages.common.game_words import CODE_WORDS, code_word, event_heading, format_fact, seat_label


def fact_lines(event: GameEvent) -> tuple[str, ...]:
    """Return the sentences for an event that comes without any: its facts, one a line."""
    lines = [
        f"{code_word(name)}: {_fact_text(fact)}"
        for name, fact in event.facts.items()
        if name not in ("scores", "position")
    ]
    return tuple(lines) or (event_heading(event),)


def _fact_text(fact: Json) -> str:
    if fact is None or isinstance(fact, bool):
        return t(CODE_WORDS[{None: "none", True: "yes", False: "no"}[fact]])
    if isinstance(fact, Mapping):
        return ", ".join(
            f"{seat_label(int(name)) if name.isdecimal() else code_word(name)} {_fact_text(f)}"
            for name, f in fact.items()
        )
    if isinstance(fact, Sequence) and not isinstance(fact, str):
        return ", ".join(_fact_text(part) for part in fact) or t(CODE_WORDS["none"])
    return format_fact(fact)
