"""The words for names in the code: a game's facts and answers, and what the box can do. A name without a word is shown
as the code has it, without its underscores, in English."""

import re

from messages import LazyText, N, capitalise
from rules.engine import NO_TEXT, GameEvent, GameText, Json, Seat, Value
from rules.text import SHARED_TEXT, game_word
from ui.i18n.language import t

BOX_WORDS = {
    "go on": N("go on"),
    "go on with it": N("go on with it"),
    "stop": N("stop"),
    "try again": N("try again"),
    "give it up": N("give it up"),
    "home": N("home"),
    "play without the camera": N("play without the camera"),
    "begin a new journal": N("begin a new journal"),
    "back": N("back"),
    "stay on": N("stay on"),
    "shut down": N("shut down"),
    "restart": N("restart"),
    "keep it": N("keep it"),
    "set it up": N("set it up"),
    "play": N("play"),
    "skip": N("skip"),
    "skip all": N("skip all"),
    "all play": N("all play"),
    "they wait": N("they wait"),
    "start again": N("start again"),
    "turn it back": N("turn it back"),
    "delete": N("delete"),
    "delete everything": N("delete everything"),
    "film the last one again": N("film the last one again"),
    "practise": N("practise"),
    "class": N("class"),
    "settings": N("settings"),
    "calculator": N("calculator"),
    "zones": N("zones"),
    "tournament": N("tournament"),
    "past matches": N("past matches"),
    "awards": N("awards"),
    "who is here": N("who is here"),
    "phones and review": N("phones and review"),
    "phones and review are on": N("phones and review: on"),
    "hall": N("hall"),
    "hall is on": N("hall: on"),
}
"""The words for answers and tools that are not a game's, as written within a line."""


def code_word(name: str, text: GameText = NO_TEXT) -> str:
    """A name from the code as a person would write it: "best_of" is "Best of". ``text`` has the words of its game."""
    word = name if isinstance(name, LazyText) else game_word(name, text) or BOX_WORDS.get(name)
    if word is not None:
        return t(capitalise(word))
    plain = re.sub("(?<=[a-z])[-_]+(?=[a-z0-9])", " ", name).strip(" _") or name
    return plain[:1].upper() + plain[1:]


def value_text(answer: Value, text: GameText = NO_TEXT, name: str = "") -> str:
    """The text for an answer, as on a button; ``name`` is that of its option or of the kind of prompt."""
    if isinstance(answer, bool):
        return t("Yes") if answer else t("No")
    if answer is None:
        return t("Nothing")
    special = f"{name}.{answer}"
    if special in text.words:
        return code_word(special, text)
    return code_word(answer, text) if isinstance(answer, str) else str(answer)


def seat_label(seat: Seat) -> str:
    """A seat by its number."""
    return t("Seat {seat}", seat=seat)


def event_heading(event: GameEvent) -> str:
    """The heading of an event, in a word or two."""
    return kind_heading(event.kind, event.text)


def kind_heading(kind: str, text: GameText) -> str:
    """The heading of a kind of event or prompt."""
    heading = text.headings.get(kind) or SHARED_TEXT.headings.get(kind)
    return t(heading) if heading else code_word(kind, text)


def format_fact(fact: Json) -> str:
    """A single fact as text: a number without needless digits, a word as it is."""
    return f"{fact:g}" if isinstance(fact, float) else str(fact)
