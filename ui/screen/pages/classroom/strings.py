"""The texts of a class: the roll call, everybody's throw, and the result of a round."""

from collections.abc import Sequence

from messages import N, join
from rules.engine import Json, Seat
from ui.i18n.language import ngettext, render, t
from ui.screen.pages.classroom.view import LOSS, TIE, WIN, RollCall
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.reveal.view import Reveal

ALL_READY = N("All ready: go")
LEAVE = N("Leave")
READING_CARDS = N("Reading everybody's card")
ALL_CARDS_SEEN = N("Everybody's card has been seen.")
HOLD_CARD_UP = N("Hold your card up to the camera, any way round.")
ALL_RESULTS = N("All results")
POINTS = N("points")
BEATS = N("beats")
STREAK = N("wins in a row (−: losses)")
MATCH_WON = N("won the match")
NO_THROW = N("no throw")
OUTCOMES = {WIN: N("won"), TIE: N("tied"), LOSS: N("lost")}
"""The meaning of the outcomes' icons."""
MAX_SENTENCE_LENGTH = 160
"""The longest sentence, in letters, that is read at a glance."""
MAX_LISTED_NAMES = 12
"""The most players listed by name; the others are counted."""


def throwing_text(throwing: int, total: int) -> str:
    """The number of players who throw, of all players; 0 means all of them."""
    if throwing in (0, total):
        return ngettext("{count} player", "{count} players", total)
    return ngettext("{count} of {every} players throws", "{count} of {every} players throw", throwing, every=total)


def seen_text(view: RollCall) -> str:
    """The number of cards seen, of all."""
    return t("{some} of {every} seen", some=len(view.players) - len(view.missing), every=len(view.players))


def missing_text(view: RollCall) -> str:
    """The missing players, by number and name."""
    if not view.missing:
        return t(ALL_CARDS_SEEN)
    names = [numbered_name(seat, view.players[seat - 1]) for seat in view.missing]
    if len(names) > MAX_LISTED_NAMES:
        some = join(names[:MAX_LISTED_NAMES], ", ")
        return t("Missing: {names} and {more} more", names=some, more=len(names) - MAX_LISTED_NAMES)
    return t("Missing: {names}", names=join(names, ", "))


def thrown_text(view: Reveal) -> str:
    """The number of throws, and the players without one."""
    missing = [numbered_name(seat.player.seat, seat.player.name) for seat in view.seats if seat.throw is None]
    if missing and len(view.sentence) <= MAX_SENTENCE_LENGTH:
        return render(view.sentence)  # which also says why
    every = len(view.seats)
    count_text = t("Throws read: {count} of {every}.", count=every - len(missing), every=every)
    if not missing:
        return count_text
    more = "" if len(missing) <= MAX_LISTED_NAMES else " …"
    return join([count_text, t("No throw: {names}", names=join(missing[:MAX_LISTED_NAMES], ", ") + more)])


def numbered_name(seat: Seat, name: str) -> str:
    """A player's number, with their name where they have one."""
    return str(seat) if own_name(seat, name) is None else f"{seat} {name}"


def podium_name(seat: Seat, name: str) -> str:
    """A player's number and own name, or their default name: among places, a number alone would be ambiguous."""
    return name if own_name(seat, name) is None else f"{seat} {name}"


def own_name(seat: Seat, name: str) -> str | None:
    """A player's own name; None for a default one such as "Player 7"."""
    return None if not name or name in (f"Player {seat}", str(seat)) else name


def problems_text(view: RollCall) -> str:
    """The problems with the cards or the camera; empty if there are none."""
    if view.attendance.camera_error:
        return t("The camera sends no images.")
    parts = []
    if view.attendance.duplicates:
        parts.append(t("More than one card: {numbers}", numbers=_list_numbers(view.attendance.duplicates)))
    if view.attendance.unknown:
        parts.append(t("Not of this class: {numbers}", numbers=_list_numbers(view.attendance.unknown)))
    return join(parts, " · ")


def _list_numbers(seats: Sequence[Seat]) -> str:
    return join(map(str, seats[:MAX_LISTED_NAMES]), ", ")


def round_title(round_number: Json) -> str:
    """The title of a round."""
    return t("Round {number}", number=round_number)


def signed_score(score: int) -> str:
    """A score, with its sign."""
    return f"+{score}" if score > 0 else common_strings.plain_number(score)


def winners_text(count: int, points: int) -> str:
    """The number of winners and their points."""
    return ngettext("{count} winner, {points}", "{count} winners, {points} each", count, points=points_text(points))


def more_text(count: int) -> str:
    """How many more players share a place."""
    return ngettext("and {count} more", "and {count} more", count)


def points_text(points: int) -> str:
    """A number of points."""
    return ngettext("{count} point", "{count} points", points)
