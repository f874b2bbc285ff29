"""Every word the screen itself says, in one place: prompts, verdicts, labels. English; another language is another
file like this one."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from rules.hexboard.board import SIDES, Side, Space
from rules.script import Ask, Json, Option, Result, Say, Seat, Value
from rules.throws import Throw
from ui.screen.board import Setting, Token, Way, controls
from ui.screen.views import Player, Reckoned

READY = "Get ready"
CHOOSE_GAME = "Choose a game"
LOOKING = "Looking at your hands"
LOOKING_DETAIL = "The box reads everyone from one single picture"
PLAYERS = "Players"
START = "Start"
BACK = "Games"
EARLIER = "Earlier"
MORE = "More"
CONFIRM = "Confirm"
SHOW = "Touch when ready"
LOCK = "LOCK"
FIRST = "first"
NO_THROW = "NO THROW"
AGAIN = "Play again"
HOME = "Other games"
KEYS = "Arrows: move · Enter: press · 1–9: press that button · Escape twice: leave"
LEAVE = "Press Escape once more to leave"
FEWER = "Fewer"
PLUS, MINUS = "+", "−"

RECONSTRUCTION = "Board and set-up are our reconstruction"
LEGEND = ("goes there", "hits what is there", "costs you something")

CLEAR = "Clear"
ERASE = "Erase a digit"
DONE = "Done"
EACH = "Each of them"
TOGETHER = "All of them"
BATTLES = ("won", "lost", "tied")

ZONES = "Everybody's zone"
ZONES_HOW = "Drag a zone to move it, a corner to resize it"
ZONES_HANDS = "Hold out hands"
ZONES_EVEN = "Spread evenly"
ZONES_RENUMBER = "Turn the numbers"
ZONES_LEAVE = "Leave as it was"
NO_PICTURE = "No picture from the camera"
STILL = "Keep still"

KINDS = {"R": ("Rock", "Rocks"), "P": ("Paper", "Papers"), "S": ("Scissors", "Scissors"), "F": ("Flag", "Flags")}
"""The board's pieces: one, and several."""
DIRECTIONS = {
    "E": "East",
    "NE": "North-East",
    "NW": "North-West",
    "W": "West",
    "SW": "South-West",
    "SE": "South-East",
}

PROMPTS = {
    "bet": "How much do you bet?",
    "place": "Which card goes face down?",
    "throw": "Which throw?",
    "risk": "Play on with Risk Rounds?",
    "offer": "Play on?",
    "claim": "What do you claim it is?",
    "act": "What do you do?",
    "fold": "Fold or stay?",
    "call": "Call or raise?",
    "raise": "How much do you raise?",
    "discard": "Which card do you discard?",
    "reading": "What did the hand show?",
    "wish": "Do you wish for {option}?",
    "table": "What now, between the rounds?",
    "team": "Which team?",
    "move": "Which move?",
}
"""The question asked for each kind of ask that has one, with facts it is about in braces; any other is made from the
kind's own name."""

CARDS_DOWN = {"place": "Put your card face down", "discard": "Discard a card, face down"}
"""What to do where the answer can only be that a card is down."""
ELSEWHERE = {"points", "chips", "claims", "throws", "position"}
"""Facts an ask is about that stand elsewhere on its page."""

HEADINGS = {
    "score": "Score",
    "scored": "Score",
    "tie": "Tie",
    "foul": "Foul",
    "round": "Round",
    "won": "Won",
    "bets": "Bets",
    "moved": "Last move",
    "passed": "No move",
}

ANSWERS = {
    ("place", "down"): "It is down",
    ("discard", "down"): "It is down",
    ("table", "wish"): "New wishes",
    ("table", "reset"): "Start afresh",
}
"""Answers that read better than their own word, by the kind of ask."""

PRESETS = {"least": "least", "half": "half", "most": "all"}

VERDICTS = {
    "on time": "On time",
    "late": "LATE",
    "early": "EARLY",
    "changed": "CHANGED",
    "unclear": "UNCLEAR",
    "unseen": "NOT SEEN",
    "two hands": "TWO HANDS",
    "wrong zone": "WRONG ZONE",
    "void": "Void",
}
"""Each verdict as the reveal says it; a foul stands in capitals."""


def plain(name: str) -> str:
    """A name from the code as a person would write it: "best_of" is "Best of"."""
    text = re.sub("(?<=[a-z])[-_]+(?=[a-z0-9])", " ", name).strip(" _") or name
    return text[:1].upper() + text[1:]


def prompt(ask: Ask) -> str:
    """The question of ``ask``."""
    if ask.kind in CARDS_DOWN and all(options.allows("down") for options in ask.seats.values()):
        return CARDS_DOWN[ask.kind]
    known = PROMPTS.get(ask.kind)
    return known.format_map(defaultdict(lambda: "it", ask.about)) if known else plain(ask.kind) + "?"


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
        if isinstance(mine, str):
            told.append(plain(mine))
        elif isinstance(mine, int | float) and not isinstance(mine, bool):
            told.append(f"{plain(name)} {_single(mine)}")
    return " · ".join(told)


def heading(say: Say) -> str:
    """What something said is, in a word or two."""
    return HEADINGS.get(say.kind, plain(say.kind))


def told(say: Say) -> tuple[str, ...]:
    """Sentences for something said that came without any: its own facts, one a line."""
    lines = [f"{plain(name)}: {_fact(fact)}" for name, fact in say.facts.items() if name not in ("scores", "position")]
    return tuple(lines) or (heading(say),)


def value(answer: Value) -> str:
    """An answer as a button says it."""
    if isinstance(answer, bool):
        return "Yes" if answer else "No"
    if answer is None:
        return "Nothing"
    return plain(answer) if isinstance(answer, str) else str(answer)


def answer(ask: Ask, given: Value) -> str:
    """An answer to ``ask`` as its button says it."""
    named = ANSWERS.get((ask.kind, given)) if isinstance(given, str) else None
    return named or value(given)


def times(answer: str, count: int) -> str:
    """An answer that there is ``count`` times, such as a card in the hand."""
    return f"{answer} ×{count}" if count > 1 else answer


def zone_of(seat: Seat, names: Sequence[str]) -> str:
    """Whose zone was touched last."""
    return f"{seat} · {names[seat - 1]}" if seat <= len(names) else f"Seat {seat}"


def line(text: str) -> str:
    """A line that explains, with a capital in front."""
    return text[:1].upper() + text[1:]


def option_name(option: Option) -> str:
    """An option's name for people."""
    return plain(option.name)


def points(score: int) -> str:
    """How many points somebody has."""
    return "1 point" if score == 1 else f"{score} points"


def how_many(fewest: int, most: int) -> str:
    """How many can play."""
    return f"{fewest} players" if fewest == most else f"{fewest}–{most} players"


def players(count: int) -> str:
    """How many play."""
    return f"{count} player" if count == 1 else f"{count} players"


def only_you(player: Player) -> str:
    """The hand-over of a sealed question."""
    return f"Only {player.name} looks now"


def seat(number: Seat) -> str:
    """A seat by its number."""
    return f"Seat {number}"


def verdict(word: str) -> str:
    """A verdict as the reveal says it."""
    return VERDICTS.get(word, plain(word))


def after_first(milliseconds: float | None) -> str:
    """How long after the first hand somebody showed theirs."""
    if milliseconds is None:
        return ""
    if round(milliseconds) == 0:
        return FIRST
    return f"{'+' if milliseconds > 0 else '−'}{abs(round(milliseconds))} ms"


def lock(window_ms: float) -> str:
    """The label of the lock on the time line."""
    return f"{LOCK} {round(window_ms)} ms"


def seconds(left: float) -> str:
    """A count-down."""
    return f"{max(0, int(-(-left // 1)))} s"


def choice(name: str) -> str:
    """A choice of a notice as its button says it."""
    return plain(name)


def by(count: int) -> str:
    """A step of a number, with its sign."""
    return f"{PLUS if count > 0 else MINUS}{abs(count)}"


def outcome(result: Result) -> str:
    """What a result tells besides winners and scores, in one line."""
    return about(result.more)


def number(count: int) -> str:
    """A number that may be long: 94,906,266."""
    return f"{count:,}"


def how_many_threw(move: Throw) -> str:
    """The question of the calculator's keys."""
    return f"How many threw {move}?"


def up_to(most: int) -> str:
    """The largest number allowed."""
    return f"up to {number(most)}"


def switch(name: str, on: bool) -> str:
    """An option of the calculator and how it stands."""
    return f"{plain(name)}: {'on' if on else 'off'}"


def against(result: str, other: Throw) -> str:
    """One move's result against another."""
    return {"win": "beats {}", "loss": "loses to {}", "tie": "ties with {}"}[result].format(other)


def round_ends(outcome: str | None) -> str:
    """How the round ends for those of a move."""
    return {"win": "WINS", "loss": "loses", "tie": "level", None: "nobody"}[outcome]


def totals(reckoned: Reckoned) -> str:
    """A round of Battle in a line."""
    total = reckoned.total
    return (
        f"{number(reckoned.players)} players, {number(reckoned.battles)} battles: "
        f"{number(total.wins)} won and as many lost, {number(total.ties)} tied"
    )


def piece(token: Token) -> str:
    """A piece of the board."""
    return KINDS[token[0]][0] if len(token) == 2 else f"Stack of {len(token) - 1}"


def on_space(name: str, token: Token | None) -> str:
    """A space and what stands on it."""
    return name if token is None else f"{name}: {_of(controls(token))} {piece(token)}"


def board_title(on: Setting, taken: Space | None, move: Way | None) -> str:
    """What is about to move, or whose move it is."""
    names = on.board.names
    if move is not None:
        what = "Spread" if move.spread else piece(on.pieces[move.origin])
        return f"{what} {names[move.origin]} to {names[move.lands[-1]]}"
    if taken is not None:
        return f"{piece(on.pieces[taken])} on {names[taken]}"
    return f"{SIDES[on.to_move]} to move"


def board_hint(on: Setting, taken: Space | None, moves: bool, spreads: bool) -> str:
    """What to touch now."""
    if taken is None:
        return "Touch one of your pieces, then where it goes."
    token = on.pieces[taken]
    told = f"From the bottom: {''.join(SIDES[int(owner)][0] for owner in token[1:])}. " if len(token) > 2 else ""
    if not on.own(taken):
        return f"{told}{_of(controls(token))} {piece(token)}."
    if not moves:
        return f"{told}It can't move now."
    return f"{told}Touch where it goes{', or spread it:' if spreads else '.'}"


def costs_you(things: Mapping[str, int]) -> str:
    """What of one's own a move takes off the board."""
    return f"Costs you {_things(things)}"


def takes(things: Mapping[str, int]) -> str:
    """What of the others' a move takes off the board."""
    return f"Takes {_things(things)}" if things else "Takes nothing"


def spread(direction: str) -> str:
    """To spread a stack in a direction."""
    return f"Spread {DIRECTIONS[direction]}"


def _of(side: Side) -> str:
    return f"{SIDES[side]}’s"


def _things(things: Mapping[str, int]) -> str:
    return ", ".join(KINDS[kind][0] if count == 1 else f"{count} {KINDS[kind][1]}" for kind, count in things.items())


def _single(fact: Json) -> str:
    return f"{fact:g}" if isinstance(fact, float) else str(fact)


def _fact(fact: Json) -> str:
    if fact is None or isinstance(fact, bool):
        return {None: "none", True: "yes", False: "no"}[fact]
    if isinstance(fact, Mapping):
        return ", ".join(
            f"{seat(int(name)) if name.isdecimal() else plain(name)} {_fact(f)}" for name, f in fact.items()
        )
    if isinstance(fact, Sequence) and not isinstance(fact, str):
        return ", ".join(_fact(part) for part in fact) or "none"
    return _single(fact)
