"""What the box says to people in sentences, on the screen and on the terminal: verdicts, what happened in a game. Every
sentence is a Text: English in the journal and on the terminal, and on the screen in the language spoken there."""

import re
from collections.abc import Iterable, Mapping

from rules.engine import Ask, Result, Say, Seat
from rules.throws import Throw
from ui.i18n.language import N, Nn, Text, capital, row
from ui.text import cards
from ui.text.games import KINDS
from ui.text.names import Names, card_named, each_has, listed, points_of, shape

COUNT = (
    N("ROCK", "the count, 1"),
    N("PAPER", "the count, 2"),
    N("SCISSORS", "the count, 3"),
    N("SHOOT!", "the count, 4"),
)
"""The words everybody throws on: hands come down on each, and show on the last."""
ALL_ON_TIME = N("Everybody on time.")
THROWN_AGAIN = N("The round is thrown again.")
STANDS = N("What the lock picture shows counts.")
FORFEITED = N("That is no throw.")
NOBODYS_FAULT = N("That is nobody's foul.")
BESIDE = ("score", "pile")
"""What is said of the points stands beside the players' names wherever a match is shown; the rest is what happened."""

_PLACE = re.compile(r"\{(\d+)\}")


def neutral(seat: Seat) -> str:
    """What somebody is called whose name is not known, or not any more."""
    return N("Player {seat}", seat=seat)


def places(seats: Iterable[Seat]) -> dict[Seat, str]:
    """Names for sentences that are to be kept: ``{1}`` for seat 1. ``named`` puts the players' own in their place."""
    return {seat: f"{{{seat}}}" for seat in seats}


def named(sentence: str, names: Names) -> str:
    """A kept sentence with the players' names in it. No sentence of the box's has braces of its own, and a name is put
    in as it is, whatever it looks like."""

    def put_in(text: str) -> str:
        if (whole := _PLACE.fullmatch(text)) is not None:
            return names.get(int(whole[1])) or neutral(int(whole[1]))
        return _PLACE.sub(lambda found: names.get(int(found[1]), neutral(int(found[1]))), text)

    return sentence.mapped(put_in) if isinstance(sentence, Text) else put_in(sentence)


def headline(ask: Ask, game: str) -> str:
    """The headline of a throw: what round of the game titled ``game`` it is, as "Primary game, round 2"."""
    named = str(ask.about.get("phase", ""))
    phase = _PHASES.get(named) or (N(game) if not named else capital(named))
    rounds = ask.about.get("round")
    numbers = set(rounds.values()) if isinstance(rounds, Mapping) else {rounds}
    if len(numbers) != 1 or numbers == {None}:
        return phase
    return N("{phase}, round {number}", phase=phase, number=numbers.pop())


_PHASES = {
    "primary game": N("Primary game"),
    "risk rounds": N("Risk rounds"),
    "second look": N("Second look"),
    "throws": N("Throws"),
    "rethrows": N("Rethrows"),
}


def accusation(
    verdict: str,
    name: str,
    late_ms: float,
    early_ms: float,
    throw: Throw | None,
    then: Throw | None,
    cause: str | None = None,
    whose: str | None = None,
    by_card: bool = False,
) -> str:
    """A foul in a sentence. ``late_ms`` is after the first hand, ``early_ms`` before the cue; ``cause`` is why a hand
    is unclear or unseen, ``whose`` zone it was that a hand strayed to; ``by_card``, that a card shows the throw."""
    if by_card or verdict in cards.OF_CARDS:
        return cards.accusation(verdict, name, cause, late_ms, early_ms, throw, then)
    throws = {"name": name, "throw": shape(throw)}
    match verdict:
        case "late":
            said = N("{name} was late: {throw} {ms} ms after the first hand.", ms=f"{late_ms:.0f}", **throws)
        case "early" if early_ms > 0:
            early = f"{early_ms:.0f}"
            said = N("{name} was early: {throw} was there before the call, {ms} ms early.", ms=early, **throws)
        case "early":
            said = N("{name} was early: {throw} was there before the call.", **throws)
        case "changed":
            said = N("{name} changed: {throw} at the lock, {then} afterwards.", then=shape(then), **throws)
        case "two hands":
            said = N("{name} had two hands in the zone: only one may throw.", name=name)
        case "wrong zone" if whose:
            said = N("{name}'s hand was in {other}'s zone, not in {name}'s own.", name=name, other=whose)
        case "wrong zone":
            said = N("{name}'s hand was in another player's zone, not in {name}'s own.", name=name)
        case _:
            said = _unread(verdict, name, cause)
    return said


def _unread(verdict: str, name: str, cause: str | None) -> Text:
    """Why there is no throw of ``name``'s."""
    match cause:
        case "half open":
            return N("{name}'s hand was half open at the lock: none of the three.", name=name)
        case "not whole in its zone":
            return N("{name}'s hand was not whole in its zone.", name=name)
        case "gone at the lock":
            return N("{name}'s hand was gone when it counted.", name=name)
        case "never in its zone":
            return N("{name}'s hand was never seen in its zone.", name=name)
    if verdict == "unclear":
        return N("{name}'s hand is none of the three.", name=name)
    return N("{name}'s hand was not seen.", name=name)


def trouble(kind: str, figure: float, whose: str | None = None) -> str:
    """Why a round can't be judged, in sentences. ``figure`` is what was measured; ``whose`` zone it concerns (None: the
    whole picture)."""
    match kind:
        case "reaching over" if whose:
            why = N("Somebody reached over {name}'s zone and hid the hand there.", name=whose)
        case "reaching over":
            why = N("Somebody reached over the table and hid the hand there.")
        case "covered" if whose:
            why = N("The camera was covered over {name}'s zone.", name=whose)
        case "covered":
            why = N("The camera was covered.")
        case "copies":
            why = cards.COPIES
        case "moved":
            why = N(
                "The camera was moved, by {percent}% of its picture: see that every hand is in its zone.",
                percent=f"{100 * figure:.0f}",
            )
        case "too dark":
            why = N("It was too dark to see hands (brightness {level} of 255): make light.", level=f"{figure:.0f}")
        case _:
            why = N("The camera gave no picture for {ms} ms: too few to tell who showed when.", ms=f"{figure:.0f}")
    return row([why, NOBODYS_FAULT])


def not_held(throws: Mapping[str, object]) -> str:
    """Somebody threw a card they can't hold any more."""
    parts = [
        N("{name} has no {throw} left to throw.", name=name, throw=card_named(throw)) for name, throw in throws.items()
    ]
    return row([*parts, THROWN_AGAIN])


def corrected(title: str, name: str | None, was: object, to: object, void: bool, dropped: int) -> str:
    """What a dispute came to, in sentences. Without a ``name`` the round was made void; ``void``: it is none that
    counts now; ``dropped``: how many later answers no longer count."""
    parts = [N("{round}: corrected by the table.", round=title)]
    if name is None:
        parts.append(THROWN_AGAIN)
    else:
        if was != to:
            parts.append(N("{name}: {to} instead of {was}.", name=name, to=card_named(to), was=card_named(was)))
        else:
            parts.append(N("{name}: {to} counts.", name=name, to=card_named(to)))
        if void:
            parts.append(N("The round is still void."))
    if dropped:
        parts.append(Nn("{count} later answer no longer counts.", "{count} later answers no longer count.", dropped))
    return row(parts)


def fouls(counts: Mapping[str, int]) -> str:
    """How many fouls whoever has any has made."""
    return N("Fouls: {fouls}.", fouls=each_has(counts.items())) if counts else ""


def upheld(title: str) -> str:
    """A dispute that changed nothing."""
    return N("{round} was disputed: the verdict stands.", round=title)


def tell(say: Say, names: Names) -> tuple[str, ...]:
    """What a game said, in sentences. A kind without words of its own is told by its facts."""
    known = KINDS.get(say.kind)
    return known(say.facts, names) if known else _plainly(say)


def told_result(result: Result, names: Names) -> str:
    """How a game ended, in a sentence."""
    if not result.winners:
        return N("Nobody has won.")
    points = {result.scores.get(seat, 0) for seat in result.winners}
    who, count = listed(result.winners, names), len(result.winners)
    if len(points) > 1:
        return Nn("{who} has won.", "{who} have won.", count, who=who)
    score = points_of(points.pop(), "chip" if "pot" in result.more else "point")
    if result.more.get("draw"):
        return N("A draw of {who} with {points} each.", who=who, points=score)
    return Nn("{who} has won with {points}.", "{who} have won with {points}.", count, who=who, points=score)


def _plainly(say: Say) -> tuple[str, ...]:
    facts = ", ".join(f"{name} {fact}" for name, fact in say.facts.items())
    return (f"{say.kind.capitalize()}: {facts}." if facts else f"{say.kind.capitalize()}.",)
