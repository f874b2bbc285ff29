"""The words for a game's code names: its phases, facts, options and their values, answers. A name that is not here is
shown as the code has it, without its underscores, in English."""

import re
from collections.abc import Mapping

from rules.engine import GameEvent, Json, Seat, Value
from ui.i18n.language import LazyText, N, capitalise, t
from ui.text.names import THROW_WORDS

CODE_WORDS: Mapping[str, LazyText] = {
    **THROW_WORDS,
    # answers and values of options
    "yes": N("yes"),
    "no": N("no"),
    "on": N("on"),
    "off": N("off"),
    "don't care": N("don't care"),
    "down": N("down", "a card"),
    "got it": N("got it"),
    "fold": N("fold"),
    "bet": N("bet"),
    "call": N("call", "a bet"),
    "raise": N("raise", "a bet"),
    "stay": N("stay"),
    "leave": N("leave"),
    "join": N("join"),
    "wait": N("wait"),
    "wish": N("wish"),
    "reset": N("start afresh"),
    "go on": N("go on"),
    "stop": N("stop"),
    "try again": N("try again"),
    "give it up": N("give it up"),
    "home": N("home"),
    "play without the camera": N("play without the camera"),
    "begin a new journal": N("begin a new journal"),
    "back": N("back"),
    "hands": N("hands"),
    "cards": N("cards"),
    "box": N("box", "who draws cards"),
    "table": N("table", "who draws cards"),
    "ask": N("ask", "an option"),
    "always": N("always"),
    "never": N("never"),
    "sealed": N("sealed", "bets"),
    "open": N("open", "bets"),
    "stand": N("stand", "bets"),
    "right": N("right", "a neighbour"),
    "left": N("left", "a neighbour"),
    "seats": N("by seat", "teams"),
    "choose": N("choose", "teams"),
    "throw": N("throw"),
    "all": N("all", "enemy Scissors"),
    "any": N("any", "enemy Scissors"),
    "pass": N("pass", "no legal move"),
    "loss": N("loss", "no legal move"),
    "reconstruction": N("reconstruction"),
    "none": N("none"),
    # phases
    "primary game": N("Primary game"),
    "risk rounds": N("Risk rounds"),
    "second look": N("second look"),
    "first move": N("first move"),
    "throws": N("throws"),
    "rethrows": N("rethrows"),
    # facts
    "round": N("round"),
    "rounds": N("rounds"),
    "best_of": N("best of"),
    "goal": N("goal"),
    "turn": N("turn", "of a game"),
    "turns": N("turns", "of a game"),
    "game": N("game"),
    "lap": N("lap"),
    "pot": N("pot"),
    "option": N("option"),
    "of": N("of", "so many"),
    "roll": N("roll"),
    "outcome": N("outcome"),
    "degree": N("degree"),
    "reason": N("reason"),
    "plies": N("moves", "how many"),
    "hand": N("hand", "of cards"),
    "drawn": N("drawn", "a card"),
    "place": N("place a card"),
    "risk": N("risk"),
    "offer": N("offer"),
    "claim": N("claim"),
    "act": N("turn", "to act"),
    "discard": N("discard"),
    "reading": N("reading"),
    "team": N("team"),
    "move": N("move"),
    # outcomes
    "success": N("success"),
    "failure": N("failure"),
    "failed": N("failed"),
    "botch": N("botch"),
    "draw": N("draw", "nobody wins"),
    "flag": N("a Flag lost"),
    "both flags": N("both Flags lost"),
    "no move": N("no move left"),
    "nobody can move": N("nobody can move"),
    "repetition": N("repetition"),
    "quiet": N("nothing left the board"),
    # options
    "games": N("games"),
    "play_with": N("play with"),
    "bets": N("bets"),
    "tied_bets": N("tied bets"),
    "difficulty": N("difficulty"),
    "teams": N("teams"),
    "health": N("health"),
    "changes": N("changes"),
    "blitz": N("blitz"),
    "classic": N("classic"),
    "inverted": N("inverted"),
    "count": N("count", "an option of Battle"),
    "survivor": N("survivor"),
    "direction": N("direction"),
    "flags": N("flags"),
    "start": N("start", "who moves first"),
    "lock": N("lock", "Scissors"),
    "stuck": N("stuck"),
    "board": N("board"),
    # what the box can do besides games
    "practise": N("practise"),
    "class": N("class"),
    "settings": N("settings"),
    "calculator": N("calculator"),
    "zones": N("zones"),
    "past matches": N("past matches"),
    "review on the network": N("review on the network"),
    "review is on": N("review is on"),
}
"""The words for names of the code that people are shown, as written within a line."""

OPTION_VALUE_WORDS: Mapping[tuple[str, str], LazyText] = {
    ("cards", "cards"): N("cards", "who deals them"),
    ("start", "throw"): N("by a throw"),
}
"""Values that mean something else in one option, by the option and the value."""

EVENT_HEADINGS = {
    "score": N("Score"),
    "scored": N("Score"),
    "pile": N("Match piles"),
    "tie": N("Tie"),
    "foul": N("Foul"),
    "round": N("Round"),
    "won": N("Won"),
    "bets": N("Bets"),
    "moved": N("Last move"),
    "passed": N("No move"),
    "out": N("Out"),
    "pairs": N("Pairs"),
    "sits out": N("Sits out"),
    "risk rounds": N("Risk rounds"),
    "pair won": N("Pair won"),
    "play on": N("Play on"),
    "hands": N("Hands"),
    "risk deck": N("Risk deck"),
    "drawn": N("Drawn"),
    "both draw": N("Both draw"),
    "roll": N("Roll"),
    "thrown": N("Thrown"),
    "rethrows": N("Rethrows"),
    "rolled": N("Rolled"),
    "deal": N("Deal"),
    "hand": N("Hand"),
    "turn": N("Turn", "of a game"),
    "blind": N("Blind"),
    "bet": N("Bet"),
    "claim": N("Claim"),
    "folded": N("Folded"),
    "called": N("Called"),
    "pot taken": N("Pot taken"),
    "revealed": N("Revealed"),
    "pot won": N("Pot won"),
    "nobody wins": N("Nobody wins"),
    "teams": N("Teams"),
    "options": N("Options"),
    "second look": N("Second look"),
    "random throws": N("Random throws"),
    "best throws": N("Best throws"),
    "health": N("Health"),
    "survivor": N("Survivor"),
    "table": N("Table"),
    "board": N("Board"),
    "begins": N("Begins"),
    "over": N("Over"),
}


def code_word(name: str) -> str:
    """A name from the code as a person would write it: "best_of" is "Best of"."""
    if isinstance(name, LazyText):
        return t(capitalise(name))
    if name in CODE_WORDS:
        return t(capitalise(CODE_WORDS[name]))
    text = re.sub("(?<=[a-z])[-_]+(?=[a-z0-9])", " ", name).strip(" _") or name
    return text[:1].upper() + text[1:]


def value_text(answer: Value, option: str | None = None) -> str:
    """The text for an answer, or for a value of the option called ``option``, as on a button."""
    if isinstance(answer, bool):
        return t("Yes") if answer else t("No")
    if answer is None:
        return t("Nothing")
    if not isinstance(answer, str):
        return str(answer)
    special = OPTION_VALUE_WORDS.get((option or "", answer))
    return code_word(special if special is not None else answer)


def seat_label(seat: Seat) -> str:
    """A seat by its number."""
    return t("Seat {seat}", seat=seat)


def event_heading(event: GameEvent) -> str:
    """The heading of an event, in a word or two."""
    return t(EVENT_HEADINGS[event.kind]) if event.kind in EVENT_HEADINGS else code_word(event.kind)


def format_fact(fact: Json) -> str:
    """A single fact as text: a number without needless digits, a word as it is."""
    return f"{fact:g}" if isinstance(fact, float) else str(fact)
