"""Words of a hall's pages, in the language of the browser."""

from collections.abc import Sequence
from datetime import UTC, datetime

from messages import N
from rules.engine import AllowedValues, FormattedText, IntRange, typed_text
from rules.tournaments.fixture import Fixture
from rules.tournaments.standings import StandingsRow
from throwlock.hub.pages.organiser_data import BoxLine
from throwlock.hub.pages.tournament_pages import HallTournamentPage
from ui.i18n.language import current_language, format_datetime, format_decimal, ngettext, render, t
from ui.text.tournaments import FORMAT_NAMES, TIE_BREAK_HEADINGS, TIE_BREAK_NAMES, points_text
from ui.web.access_code import format_code

__all__ = [
    "FORMAT_NAMES",
    "TIE_BREAK_HEADINGS",
    "TIE_BREAK_NAMES",
    "current_language",
    "format_code",
    "points_text",
]

STATE_NAMES = {
    "init": N("starting", "a box"),
    "ready": N("connected", "a box"),
    "disconnected": N("switched off", "a box"),
    "sleeping": N("asleep", "a box"),
    "lost": N("lost", "a box"),
    "alert": N("needs help", "a box"),
}
"""Homie's states in words."""
PROBLEM_NAMES = {
    "rewritten": N("it has other events than were stored"),
    "cut": N("it has fewer events than were stored"),
    "forged": N("it sent an event whose hash is not that of its content"),
    "unknown box": N("it was not added to the hall"),
}
"""What is wrong with a box's journal."""
EXCESS_NAMES = {
    "too fast": N("it sends more than a box may, and what is too much is taken later"),
    "full": N("it has used up its share of the disk, and nothing more of it is taken until what it sent is deleted"),
}
"""What a box has too much of."""


def heading(page: HallTournamentPage) -> str:
    """Return what people call a tournament, by default after its game."""
    return render(page.summary.heading or page.summary.title)


def problem_text(kind: str) -> str:
    """Return what is wrong with a box's journal."""
    return render(PROBLEM_NAMES.get(kind, kind))


def excess_text(excess: str) -> str:
    """Return what a box has too much of."""
    return render(EXCESS_NAMES.get(excess, excess))


def clock(at: datetime | None) -> str:
    """Return a time of day on this machine's clock: "18:05"; with the day if that is not today."""
    if at is None:
        return ""
    local = at.astimezone()
    is_today = local.date() == datetime.now(UTC).astimezone().date()
    return render(format_datetime(local, "" if is_today else "medium"))


def box_state(box: BoxLine) -> str:
    """Return a box's state in words."""
    if box.state == "ready" and box.match:
        return t("playing {game}", game=box.match)
    return render(STATE_NAMES.get(box.state, box.state))


def tournament_state(page: HallTournamentPage) -> str:
    """Return how far a tournament is: "Round 2 of 3", "Abandoned"."""
    if page.is_abandoned:
        return t("Abandoned", "a tournament")
    if not page.is_open:
        return t("Finished", "a tournament")
    summary = page.summary
    for title, fixtures in summary.rounds():
        if any(fixture.outcome is None and not fixture.is_bye for fixture in fixtures):
            swiss_round = fixtures[0].stage in ("S", "T")
            return t("{round} of {count}", round=title, count=page.rounds) if swiss_round else render(title)
    return ""


def players_of(page: HallTournamentPage, fixture: Fixture) -> str:
    """Return who plays a fixture, as far as that is known."""
    return " – ".join(render(page.summary.name(player)) or "…" for player in fixture.players)


def rounds_text(rounds: int | None) -> str:
    """Return how far a match at a table is."""
    if rounds is None:
        return t("about to begin")
    return ngettext("{count} round played", "{count} rounds played", rounds)


def tie_breaks(rows: Sequence[StandingsRow]) -> tuple[str, ...]:
    """Return the tie-breaks of a table, in the order in which they count."""
    return tuple(rows[0].tie_breaks) if rows else ()


def decimal(value: float) -> str:
    """Return a number with one decimal."""
    return render(format_decimal(value, 1))


def allowed_text(allowed: AllowedValues) -> str:
    """Return what people can type for an option."""
    if isinstance(allowed, IntRange):
        if allowed.step != 1:
            return t("{start} to {stop} in steps of {step}", start=allowed.start, stop=allowed.stop, step=allowed.step)
        return t("{start} to {stop}", start=allowed.start, stop=allowed.stop)
    values = ", ".join(map(typed_text, allowed.values))
    return f"{values}, {render(allowed.format_hint)}" if isinstance(allowed, FormattedText) else values
