"""Words of a hall's pages, which are in English as the review pages are."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rules.engine import Value, describe
from rules.tournaments.events import Fixture
from rules.tournaments.standings import StandingsRow
from throwlock.hub.pages.organiser_data import BoxLine
from throwlock.hub.pages.tournament_pages import HallTournamentPage
from ui.text.tournaments import FORMAT_NAMES, TIE_BREAK_HEADINGS, TIE_BREAK_NAMES, points_text
from ui.web.auth.access_code import format_code

__all__ = ["FORMAT_NAMES", "TIE_BREAK_HEADINGS", "TIE_BREAK_NAMES", "describe", "format_code", "points_text"]

STATE_NAMES = {
    "init": "starting",
    "ready": "connected",
    "disconnected": "switched off",
    "sleeping": "asleep",
    "lost": "lost",
    "alert": "needs help",
}
"""Homie's states in words."""
PROBLEM_NAMES = {
    "rewritten": "has other events than were stored",
    "cut": "has fewer events than were stored",
    "forged": "sent an event whose hash is not that of its content",
    "unknown box": "was not added to the hall",
}


def clock(at: datetime | None) -> str:
    """Return a time of day on this machine's clock: "18:05"; with the day if that is not today."""
    if at is None:
        return ""
    local = at.astimezone()
    is_today = local.date() == datetime.now(UTC).astimezone().date()
    return local.strftime("%H:%M" if is_today else "%-d %b, %H:%M")


def box_state(box: BoxLine) -> str:
    """Return a box's state in words."""
    if box.state == "ready" and box.match:
        return f"playing {box.match}"
    return STATE_NAMES.get(box.state, box.state)


def tournament_state(page: HallTournamentPage) -> str:
    """Return how far a tournament is: "Round 2 of 3", "Abandoned"."""
    if page.is_abandoned:
        return "Abandoned"
    if not page.is_open:
        return "Finished"
    summary = page.summary
    for title, fixtures in summary.rounds():
        if any(one.outcome is None and not one.is_bye for one in fixtures):
            swiss_round = fixtures[0].stage in ("S", "T")
            return f"{title} of {page.rounds}" if swiss_round else str(title)
    return ""


def players_of(page: HallTournamentPage, fixture: Fixture) -> str:
    """Return who plays a fixture, as far as that is known."""
    names = [str(page.summary.name(player)) or "…" for player in fixture.players]
    return " – ".join(names)


def rounds_text(rounds: int | None) -> str:
    """Return how far a match at a table is."""
    if rounds is None:
        return "about to begin"
    return "1 round played" if rounds == 1 else f"{rounds} rounds played"


def tie_breaks(rows: Sequence[StandingsRow]) -> tuple[str, ...]:
    """Return the tie-breaks of a table, in the order in which they count."""
    return tuple(rows[0].tie_breaks) if rows else ()


def describe_value(value: Value) -> str:
    """Return an option's value as people type it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
