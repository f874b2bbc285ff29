"""The words of a room full of players: the roll that is called, everybody's throw, and what a round came to."""

from collections.abc import Sequence

from rules.engine import Json, Seat
from ui.i18n.language import N, row, said, t, tn
from ui.screen.pages.classroom.view import RollCall
from ui.screen.pages.views import Reveal

SHOUT = N("All ready: shout")
HOME = N("Leave")
GO_ON = N("Go on")
LOOKING = N("Reading everybody's card")
ALL_THERE = N("Everybody's card has been seen.")
HOLD_UP = N("Hold your card up to the camera, any way round.")
LONGEST = 160
"""Letters of a sentence that is read in a glance."""
MOST_NAMED = 12
"""So many are called by name, the others counted."""


def throwing(some: int, every: int) -> str:
    """How many throw, of how many there are; all where 0 are named."""
    if some in (0, every):
        return tn("{count} player", "{count} players", every)
    return t("{some} of {every} players throw", some=some, every=every)


def seen(view: RollCall) -> str:
    """How many cards were seen, of how many."""
    return t("{some} of {every} seen", some=len(view.players) - len(view.missing), every=len(view.players))


def missing(view: RollCall) -> str:
    """Who is missing, by number and name."""
    if not view.missing:
        return t(ALL_THERE)
    names = [called(seat, view.players[seat - 1]) for seat in view.missing]
    if len(names) > MOST_NAMED:
        some = row(names[:MOST_NAMED], ", ")
        return t("Missing: {names} and {more} more", names=some, more=len(names) - MOST_NAMED)
    return t("Missing: {names}", names=row(names, ", "))


def thrown(view: Reveal) -> str:
    """How many have thrown, and who has not."""
    without = [called(seat.player.seat, seat.player.name) for seat in view.seats if seat.throw is None]
    if without and len(view.sentence) <= LONGEST:
        return said(view.sentence)  # it says why as well
    every = len(view.seats)
    head = tn(
        "{count} throw of {every} players.", "{count} throws of {every} players.", every - len(without), every=every
    )
    if not without:
        return head
    more = "" if len(without) <= MOST_NAMED else " …"
    return row([head, t("No throw: {names}", names=row(without[:MOST_NAMED], ", ") + more)])


def called(seat: Seat, name: str) -> str:
    """A player's number, with their name where they have one."""
    return str(seat) if own_name(seat, name) is None else f"{seat} {name}"


def own_name(seat: Seat, name: str) -> str | None:
    """A name, unless it is but "Player 7"."""
    return None if not name or name in (f"Player {seat}", str(seat)) else name


def troubles(view: RollCall) -> str:
    """What is wrong with the cards, or the camera; nothing where nothing is."""
    if view.roll.fault:
        return t("The camera gives no picture.")
    parts = []
    if view.roll.twice:
        parts.append(t("More than one card: {numbers}", numbers=_numbers(view.roll.twice)))
    if view.roll.strangers:
        parts.append(t("Not of this class: {numbers}", numbers=_numbers(view.roll.strangers)))
    return row(parts, " · ")


def _numbers(seats: Sequence[Seat]) -> str:
    return row(map(str, seats[:MOST_NAMED]), ", ")


def round_of(round_number: Json) -> str:
    """Which round it is."""
    return t("Round {number}", number=round_number)


def signed(score: int) -> str:
    """A score, with its sign."""
    return f"+{score}" if score > 0 else number(score)


def number(count: int) -> str:
    """A whole number, with a minus as wide as a plus."""
    return str(count).replace("-", "−")


def winners(count: int, points: int) -> str:
    """How many have won, with how many points."""
    return tn("{count} winner, {points}", "{count} winners, {points} each", count, points=_points(points))


def _points(points: int) -> str:
    return tn("{count} point", "{count} points", points)
