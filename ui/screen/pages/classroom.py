"""The views of a class as plain data: the roll call over the live image, and everybody's standing, derived from the
facts of a match. Pure: no surface, no clock."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from typing_extensions import override

from messages import N, join
from rules.engine import Json, Seat
from rules.engine.scoreboard import FactForm
from rules.throws import Outcome, Throw
from ui.i18n.language import ngettext, render, t
from ui.screen.pages.scoreboard import Facts
from ui.screen.views import UntimedPage
from ui.text import labels

if TYPE_CHECKING:  # its pictures load OpenCV, which web pages don't need
    from ui.screen.pages.reveal import Reveal

SHOUT_ANSWER, HOME_ANSWER = "shout", "home"
"""The answers to the pages of a class."""


@dataclass(frozen=True)
class Attendance:
    """Who holds up a card, as the camera has seen since the roll call began."""

    seen: frozenset[Seat] = frozenset()
    """The players whose card was seen."""
    duplicates: tuple[Seat, ...] = ()
    """Numbers with more than one card."""
    unknown: tuple[int, ...] = ()
    """Numbers of no player here."""
    camera_error: str = ""
    """Why there is no image; "" where there is one."""


@dataclass(frozen=True)
class RollCall(UntimedPage):
    """The roll call: everybody holds up their card and is ticked off. Answered with SHOUT_ANSWER or HOME_ANSWER."""

    title: str
    players: tuple[str, ...]
    """The names by number, from 1; "": none."""
    poll_camera: Callable[[], Attendance]
    """Returns the newest attendance."""
    attendance: Attendance = Attendance()
    rethrow_reason: str | None = None
    """Why a round is thrown again; None if none is."""

    @property
    @override
    def is_polled(self) -> bool:
        return True

    @override
    def poll(self) -> Self:
        """Return the page with the students whose cards have been seen by now ticked off."""
        return replace(self, attendance=self.poll_camera())

    @property
    def missing(self) -> tuple[Seat, ...]:
        """The players whose card was not seen yet."""
        return tuple(seat for seat in range(1, len(self.players) + 1) if seat not in self.attendance.seen)


@dataclass(frozen=True)
class PlayerStanding:
    """One player's throw and its outcome, streak and health; ``None`` or 0 where unknown."""

    throw: Throw | None = None
    outcome: Outcome | None = None
    streak: int = 0
    health: int | None = None
    is_drawn: bool = False
    """Whether the box has drawn the throw, for somebody who showed none."""


def player_standing(facts: Facts) -> PlayerStanding:
    """Return the standing of the player whom these ``facts`` are about."""
    values: dict[str, Json] = {fact.name: fact.value for fact in facts}
    forms: dict[FactForm, Json] = {fact.shown.form: fact.value for fact in facts}
    throw = forms.get(FactForm.THROW)
    return PlayerStanding(
        Throw(throw) if isinstance(throw, str) else None,
        Outcome.from_result(forms.get(FactForm.OUTCOME)),
        _as_int(values.get("streaks")) or 0,
        _as_int(values.get("health")),
        "random throw" in values,
    )


def _as_int(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


@dataclass(frozen=True)
class ThrowCount:
    """One throw of a round."""

    throw: Throw
    count: int
    """How many threw it."""
    beats: tuple[Throw, ...]
    """The throws that it beats."""
    outcomes: Mapping[Outcome, int]
    """How many of its players won, lost and tied."""


def count_throws(standings: Sequence[PlayerStanding], table: Facts) -> tuple[ThrowCount, ...]:
    """Return the counts of a round, one for each throw; none if the facts about the ``table`` have no round."""
    beats_table = next((fact.value for fact in table if fact.shown.form is FactForm.PAIRS), None)
    if not isinstance(beats_table, Mapping):
        return ()
    lines = []
    for throw in Throw:
        throwers = [standing for standing in standings if standing.throw is throw]
        outcomes = {outcome: sum(standing.outcome is outcome for standing in throwers) for outcome in Outcome}
        beaten = {
            loser
            for pair, winner in beats_table.items()
            if winner == throw.value
            for loser in map(Throw, str(pair).split("-"))
            if loser is not throw
        }
        lines.append(ThrowCount(throw, len(throwers), tuple(loser for loser in Throw if loser in beaten), outcomes))
    return tuple(lines)


ALL_READY = N("All ready: go")
LEAVE = N("Leave")
READING_CARDS = N("Reading everybody’s card")
ALL_CARDS_SEEN = N("Everybody’s card has been seen.")
HOLD_CARD_UP = N("Hold your card up to the camera, any way round.")
ALL_RESULTS = N("All results")
POINTS = N("points")
BEATS = N("beats")
STREAK = N("wins in a row (−: losses)")
MATCH_WON = N("won the match")
NO_THROW = N("no throw")
DRAWN = N("drawn at random")
OUTCOMES = {Outcome.WON: N("won"), Outcome.TIED: N("tied"), Outcome.LOST: N("lost")}
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
    """The missing players, by number and name; nothing before the first card was seen."""
    if not view.attendance.seen:
        return ""
    if not view.missing:
        return t(ALL_CARDS_SEEN)
    names = [numbered_name(seat, view.players[seat - 1]) for seat in view.missing]
    if len(names) > MAX_LISTED_NAMES:
        some = join(names[:MAX_LISTED_NAMES], ", ")
        return t("Missing: {names} and {more} more", names=some, more=len(names) - MAX_LISTED_NAMES)
    return t("Missing: {names}", names=join(names, ", "))


def thrown_text(view: "Reveal") -> str:
    """The number of throws, and the players without one."""
    missing = [numbered_name(seat.seat, seat.player.name) for seat in view.seats if seat.last_throw is None]
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
    return str(seat) if own_name(seat, name) is None else join([str(seat), name])


def podium_name(seat: Seat, name: str) -> str:
    """A player's number and own name, or their default name: among places, a number alone would be ambiguous."""
    return name if own_name(seat, name) is None else join([str(seat), name])


def own_name(seat: Seat, name: str) -> str | None:
    """A player's own name; None for a default one such as "Player 7"."""
    return None if not name or name in (f"Player {seat}", str(seat)) else name


def roll_call_text(view: RollCall) -> str:
    """What everybody does, or once the first cards were seen, who is missing."""
    return missing_text(view) or t(HOLD_CARD_UP)


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
    return f"+{score}" if score > 0 else labels.plain_number(score)


def winners_text(count: int, points: int) -> str:
    """The number of winners and their points."""
    return ngettext("{count} winner, {points}", "{count} winners, {points} each", count, points=points_text(points))


def more_text(count: int) -> str:
    """How many more players share a place."""
    return ngettext("and {count} more", "and {count} more", count)


def points_text(points: int) -> str:
    """A number of points."""
    return ngettext("{count} point", "{count} points", points, count=labels.plain_number(points))
