"""What people are told in place of a game's code names: its phases, facts, options and their values, answers, throws. A
name that is not here is shown as the code has it, without its underscores, in English."""

import re
from collections.abc import Mapping, Sequence

from rules.engine import Ask, Json, Say, Seat, Value
from rules.throws import Throw
from ui.i18n.language import N, Text, capital, t
from ui.text.names import CARDS

NAMES: Mapping[str, Text] = {
    **CARDS,
    # answers and values of options
    "yes": N("yes"),
    "no": N("no"),
    "on": N("on"),
    "off": N("off"),
    "don't care": N("don't care"),
    "down": N("down", "a card"),
    "seen": N("seen"),
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
"""Every name of the code that people are shown, as it stands within a line."""

OF_OPTIONS: Mapping[tuple[str, str], Text] = {
    ("cards", "cards"): N("cards", "who deals them"),
    ("start", "throw"): N("by a throw"),
}
"""Values that mean something else in one option, by the option and the value."""


PROMPTS = {
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
"""The question asked for each kind of ask that has one, with the option it is about in braces; any other is made from
the kind's own name."""

CARDS_DOWN = {"place": N("Put your card face down"), "discard": N("Discard a card, face down")}
"""What to do where the answer can only be that a card is down."""
ELSEWHERE = {"points", "chips", "claims", "throws", "position"}
"""Facts an ask is about that stand elsewhere on its page."""

HEADINGS = {
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

ANSWERS = {
    ("place", "down"): N("It is down"),
    ("discard", "down"): N("It is down"),
    ("table", "wish"): N("New wishes"),
    ("table", "reset"): N("Start afresh"),
}
"""Answers that read better than their own word, by the kind of ask."""


def plain(name: str) -> str:
    """A name from the code as a person would write it: "best_of" is "Best of"."""
    if isinstance(name, Text):
        return t(capital(name))
    if name in NAMES:
        return t(capital(NAMES[name]))
    text = re.sub("(?<=[a-z])[-_]+(?=[a-z0-9])", " ", name).strip(" _") or name
    return text[:1].upper() + text[1:]


def value(answer: Value, option: str | None = None) -> str:
    """An answer, or what the option called ``option`` is set to, as a button says it."""
    if isinstance(answer, bool):
        return t("Yes") if answer else t("No")
    if answer is None:
        return t("Nothing")
    if not isinstance(answer, str):
        return str(answer)
    special = OF_OPTIONS.get((option or "", answer))
    return plain(special if special is not None else answer)


def seat(number: Seat) -> str:
    """A seat by its number."""
    return t("Seat {seat}", seat=number)


def prompt(ask: Ask) -> str:
    """The question of ``ask``."""
    if ask.kind in CARDS_DOWN and all(options.allows("down") for options in ask.seats.values()):
        return t(CARDS_DOWN[ask.kind])
    if ask.kind == "wish":
        option = str(ask.about.get("option", ""))
        return t("Do you wish for {option}?", option=NAMES.get(option, option or t("it")))
    return t(PROMPTS[ask.kind]) if ask.kind in PROMPTS else plain(ask.kind) + "?"


def signs(ask: Ask) -> dict[Seat, str]:
    """What everybody claimed or threw, of which ``ask`` tells: a throw by seat."""
    told = ask.about.get("claims") or ask.about.get("throws")
    if not isinstance(told, Mapping):
        return {}
    return {int(of): str(throw) for of, throw in told.items() if of.isdecimal() and throw in list(Throw)}


def about(facts: Mapping[str, Json], player: Seat | None = None) -> str:
    """What an ask is about in one line, such as "Risk rounds · Round 3 · Goal 100": its single facts, and of those told
    by seat the one of ``player``; some stand elsewhere."""
    told: list[str] = []
    for name, fact in facts.items():
        if name in ELSEWHERE:
            continue
        mine = fact.get(str(player)) if isinstance(fact, Mapping) else fact
        if name == "means":
            told.append(t(capital(N(str(mine)))))
        elif isinstance(mine, str):
            told.append(plain(mine))
        elif isinstance(mine, int | float) and not isinstance(mine, bool):
            told.append(f"{plain(name)} {_single(mine)}")
    return " · ".join(told)


def heading(say: Say) -> str:
    """What something said is, in a word or two."""
    return t(HEADINGS[say.kind]) if say.kind in HEADINGS else plain(say.kind)


def told(say: Say) -> tuple[str, ...]:
    """Sentences for something said that came without any: its own facts, one a line."""
    lines = [f"{plain(name)}: {_fact(fact)}" for name, fact in say.facts.items() if name not in ("scores", "position")]
    return tuple(lines) or (heading(say),)


def answer(ask: Ask, given: Value) -> str:
    """An answer to ``ask`` as its button says it."""
    named = ANSWERS.get((ask.kind, given)) if isinstance(given, str) else None
    return t(named) if named else value(given)


def _single(fact: Json) -> str:
    return f"{fact:g}" if isinstance(fact, float) else str(fact)


def _fact(fact: Json) -> str:
    if fact is None or isinstance(fact, bool):
        return t(NAMES[{None: "none", True: "yes", False: "no"}[fact]])
    if isinstance(fact, Mapping):
        return ", ".join(
            f"{seat(int(name)) if name.isdecimal() else plain(name)} {_fact(f)}" for name, f in fact.items()
        )
    if isinstance(fact, Sequence) and not isinstance(fact, str):
        return ", ".join(_fact(part) for part in fact) or t(NAMES["none"])
    return _single(fact)
