"""Every word the screen itself says, in one place: prompts, verdicts, labels. Constants are said in the language
spoken when they are drawn, functions return words in it; a game's code names have theirs in words_games.py."""

from collections.abc import Mapping, Sequence

from rules.board.board import Side, Space
from rules.engine import Option, Rules, Seat, Value
from rules.throws import Throw
from ui.i18n import language
from ui.i18n.language import N, Text, capital, t, tn
from ui.screen.drawing.board_geometry import Setting, Token, Way, controls
from ui.screen.pages.ask import strings as ask_strings
from ui.screen.pages.ask.strings import about, answer, heading, plain, prompt, seat, signs, told, value
from ui.screen.pages.views import Player, Reckoned
from ui.text.names import CARDS

__all__ = ["about", "answer", "heading", "plain", "prompt", "seat", "signs", "told", "value"]

READY = N("Get ready")
CHOOSE_GAME = N("Choose a game")
LOOKING = N("Looking at your hands")
LOOKING_DETAIL = N("The box reads everyone from one single picture")
PLAYERS = N("Players")
START = N("Start")
BACK = N("Games")
EARLIER = N("Earlier")
MORE = N("More")
SHOW = N("Touch when ready")
LOCK = N("LOCK")
FIRST = N("first")
NO_THROW = N("NO THROW")
AGAIN = N("Play again")
HOME = N("Other games")
KEYS = N(
    "Arrows: move · Enter: press · Seats 1–8: their digit key raises, the key below it confirms · Escape twice: leave"
)
LEAVE = N("Press Escape once more to leave")
FEWER = N("Fewer")
CONFIRM = N("Confirm")
PLUS, MINUS = "+", "−"

RECONSTRUCTION = N("Board and set-up are our reconstruction")
LEGEND = (N("goes there"), N("hits what is there"), N("costs you something"))

CLEAR = N("Clear")
ERASE = N("Erase a digit")
DONE = N("Done")
EACH = N("Each of them")
TOGETHER = N("All of them")
BATTLES = (N("won", "battles"), N("lost", "battles"), N("tied", "battles"))

ZONES = N("Everybody's zone")
ZONES_HOW = N("Drag a zone to move it, a corner to resize it")
ZONES_HANDS = N("Hold out hands")
ZONES_EVEN = N("Spread evenly")
ZONES_RENUMBER = N("Turn the numbers")
ZONES_LEAVE = N("Leave as it was")
NO_PICTURE = N("No picture from the camera")

KINDS = {
    "R": (N("Rock"), N("Rocks")),
    "P": (N("Paper"), N("Papers")),
    "S": (N("Scissors"), N("Scissors", "several")),
    "F": (N("Flag"), N("Flags")),
}
"""The board's pieces: one, and several."""
SIDES = (N("South"), N("North"))
SIDE_LETTERS = (N("S", "South"), N("N", "North"))
DIRECTIONS = {
    "E": N("East"),
    "NE": N("North-East"),
    "NW": N("North-West"),
    "W": N("West"),
    "SW": N("South-West"),
    "SE": N("South-East"),
}

PRESETS = {"least": N("least"), "half": N("half"), "most": N("all")}

VERDICTS = {
    "on time": N("On time"),
    "late": N("LATE"),
    "early": N("EARLY"),
    "changed": N("CHANGED"),
    "unclear": N("UNCLEAR"),
    "unseen": N("NOT SEEN"),
    "two hands": N("TWO HANDS"),
    "wrong zone": N("WRONG ZONE"),
    "lifted": N("LIFTED"),
    "two cards": N("TWO CARDS"),
    "not theirs": N("NOT THEIRS"),
    "played before": N("PLAYED"),
    "wrong deck": N("WRONG DECK"),
    "a copy": N("A COPY"),
    "one too many": N("TOO MANY"),
    "not read": N("Not read"),
    "void": N("Void"),
}
"""Each verdict as the reveal says it; a foul stands in capitals."""

AGAINST = {"win": N("beats {other}"), "loss": N("loses to {other}"), "tie": N("ties with {other}")}
ROUND_ENDS = {"win": N("WINS"), "loss": N("loses"), "tie": N("level"), None: N("nobody")}


def times(answer: str, count: int) -> str:
    """An answer that there is ``count`` times, such as a card in the hand."""
    return f"{answer} ×{count}" if count > 1 else answer


def zone_of(seat: Seat, names: Sequence[str]) -> str:
    """Whose zone was touched last."""
    return f"{seat} · {names[seat - 1]}" if seat <= len(names) else t("Seat {seat}", seat=seat)


def line(text: str) -> str:
    """A line that explains, with a capital in front."""
    return t(capital(text))


def title(rules: Rules) -> str:
    """A game's title."""
    return t(rules.title)


def game_about(rules: Rules) -> str:
    """A line about a game."""
    return line(N(rules.about))


def option_name(option: Option) -> str:
    """An option's name for people."""
    return plain(option.name)


def option_about(option: Option) -> str:
    """A line about an option."""
    return line(N(option.about))


def option_value(option: Option, value: Value) -> str:
    """What an option is set to."""
    return ask_strings.value(value, option.name)


def option_to(option: Option, value: Value) -> str:
    """To set an option."""
    return f"{option_name(option)}: {option_value(option, value)}"


def confirm(value: int) -> str:
    """To confirm a number."""
    return t("Confirm {value}", value=value)


def preset(name: str, number: int) -> str:
    """A number worth a button of its own; none where it is 0."""
    return f"{t(PRESETS[name])}  {number}" if number else str(number)


def throw(one: Throw) -> str:
    """A throw, as large as it goes."""
    return t(CARDS[one]).upper()


def beat_drawing(word: str) -> str | None:
    """The drawing of a word of the count that is a throw's name."""
    here = {t(name).casefold(): str(one) for one, name in CARDS.items()}
    return here.get(t(word).casefold() if isinstance(word, Text) else word.casefold())


def points(score: int) -> str:
    """How many points somebody has."""
    return tn("{count} point", "{count} points", score)


def how_many(fewest: int, most: int) -> str:
    """How many can play."""
    return players(fewest) if fewest == most else t("{fewest}–{most} players", fewest=fewest, most=most)


def players(count: int) -> str:
    """How many play."""
    return tn("{count} player", "{count} players", count)


def only_you(player: Player) -> str:
    """The hand-over of a sealed question."""
    return t("Only {name} looks now", name=player.name)


def verdict(word: str) -> str:
    """A verdict as the reveal says it."""
    return t(VERDICTS[word]) if word in VERDICTS else plain(word)


def after_first(milliseconds: float | None) -> str:
    """How long after the first hand somebody showed theirs."""
    if milliseconds is None:
        return ""
    if round(milliseconds) == 0:
        return t(FIRST)
    return f"{'+' if milliseconds > 0 else '−'}{abs(round(milliseconds))} ms"


def lock(window_ms: float) -> str:
    """The label of the lock on the time line."""
    return f"{t(LOCK)} {round(window_ms)} ms"


def seconds(left: float) -> str:
    """A count-down."""
    return f"{max(0, int(-(-left // 1)))} s"


def choice(name: str) -> str:
    """A choice of a notice as its button says it."""
    return plain(name)


def by(count: int) -> str:
    """A step of a number, with its sign."""
    return f"{PLUS if count > 0 else MINUS}{abs(count)}"


def number(count: int) -> str:
    """A number that may be long: 94,906,266."""
    return language.number(count)


def how_many_threw(move: Throw) -> str:
    """The question of the calculator's keys."""
    return t("How many threw {throw}?", throw=CARDS[move])


def up_to(most: int) -> str:
    """The largest number allowed."""
    return t("up to {most}", most=number(most))


def switch(name: str, on: bool) -> str:
    """An option of the calculator and how it stands."""
    return f"{plain(name)}: {t(ask_strings.NAMES['on' if on else 'off'])}"


def against(result: str, other: Throw) -> str:
    """One move's result against another."""
    return t(AGAINST[result], other=CARDS[other])


def round_ends(outcome: str | None) -> str:
    """How the round ends for those of a move."""
    return t(ROUND_ENDS[outcome])


def totals(reckoned: Reckoned) -> str:
    """A round of Battle in a line."""
    total = reckoned.total
    return t(
        "{players} players, {battles} battles: {won} won and as many lost, {tied} tied",
        players=number(reckoned.players),
        battles=number(reckoned.battles),
        won=number(total.wins),
        tied=number(total.ties),
    )


def piece(token: Token) -> str:
    """A piece of the board."""
    return t(KINDS[token[0]][0]) if len(token) == 2 else t("Stack of {count}", count=len(token) - 1)


def on_space(name: str, token: Token | None) -> str:
    """A space and what stands on it."""
    return name if token is None else f"{name}: {_owned(token)}"


def board_title(on: Setting, taken: Space | None, move: Way | None) -> str:
    """What is about to move, or whose move it is."""
    names = on.board.names
    if move is not None:
        here, there = names[move.origin], names[move.lands[-1]]
        if move.spread:
            return t("Spread {here} to {there}", here=here, there=there)
        return t("{piece} {here} to {there}", piece=piece(on.pieces[move.origin]), here=here, there=there)
    if taken is not None:
        return t("{piece} on {here}", piece=piece(on.pieces[taken]), here=names[taken])
    return t("{side} to move", side=SIDES[on.to_move])


def board_hint(on: Setting, taken: Space | None, moves: bool, spreads: bool) -> str:
    """What to touch now."""
    if taken is None:
        return t("Touch one of your pieces, then where it goes.")
    token = on.pieces[taken]
    owners = "".join(t(SIDE_LETTERS[int(owner)]) for owner in token[1:])
    told = f"{t('From the bottom: {owners}.', owners=owners)} " if len(token) > 2 else ""
    if not on.own(taken):
        return f"{told}{_owned(token)}."
    if not moves:
        return told + t("It can't move now.")
    return told + (t("Touch where it goes, or spread it:") if spreads else t("Touch where it goes."))


def costs_you(things: Mapping[str, int]) -> str:
    """What of one's own a move takes off the board."""
    return t("Costs you {things}", things=_things(things))


def takes(things: Mapping[str, int]) -> str:
    """What of the others' a move takes off the board."""
    return t("Takes {things}", things=_things(things)) if things else t("Takes nothing")


def spread(direction: str) -> str:
    """To spread a stack in a direction."""
    return t("Spread {direction}", direction=DIRECTIONS[direction])


def _owned(token: Token) -> str:
    """A piece and whose it is."""
    side: Side = controls(token)
    return t("{side}’s {piece}", side=SIDES[side], piece=piece(token))


def _things(things: Mapping[str, int]) -> str:
    return ", ".join(
        t(KINDS[kind][0]) if count == 1 else f"{count} {t(KINDS[kind][1])}" for kind, count in things.items()
    )
