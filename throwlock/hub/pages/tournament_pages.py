"""Tournaments of a hall as its pages show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg

from rules.record.tournament import TournamentCorrected, TournamentNoShow, TournamentResult
from rules.tournaments.fixture import Fixture, FixtureId, Format
from throwlock.hub.pairings import HallBox
from throwlock.hub.tournaments import HallTournament
from ui.text.tournaments import TournamentSummary

MAX_NEWEST_RESULTS = 8


@dataclass(frozen=True)
class PlayingLine:
    """A match that is played, or is to be played, at a table."""

    pairing: str
    fixture: FixtureId
    table: str
    is_away: bool
    """Whether its box is not connected."""
    rounds: int | None = None
    """How many were thrown so far; None before it begins."""


@dataclass(frozen=True)
class HallTournamentPage:
    """A tournament as everybody may see it."""

    number: int
    summary: TournamentSummary
    rounds: int
    """Of a Swiss, or of tables: how many there will be."""
    is_open: bool
    is_abandoned: bool
    playing: tuple[PlayingLine, ...] = ()
    newest: tuple[tuple[FixtureId, str], ...] = ()
    """The fixtures whose results came last, the newest first, each with its table ("": entered by hand)."""

    @property
    def is_bracket(self) -> bool:
        """Whether its rounds are best shown as columns of a bracket."""
        return self.summary.format in (Format.KNOCKOUT, Format.DOUBLE_KNOCKOUT)

    def fixture(self, fixture: FixtureId) -> Fixture:
        """Return a fixture. Raises StopIteration if there is none of this id."""
        return next(listed for listed in self.summary.fixtures if listed.id == fixture)


def read_round_counts(connection: psycopg.Connection[Any]) -> dict[str, int]:
    """Return how many rounds were thrown of the match of each open pairing that has begun."""
    rows = connection.execute(
        """WITH still_open AS MATERIALIZED (SELECT id FROM open_pairing)
        SELECT id, (
            SELECT count(*) FROM event
            WHERE event.journal = newest.journal AND event.match = newest.match AND kind = 'round_judged'
        )
        FROM still_open CROSS JOIN LATERAL (
            SELECT journal, match FROM pairing_match
            WHERE pairing = still_open.id AND NOT EXISTS (
                SELECT FROM event
                WHERE event.journal = pairing_match.journal AND event.match = pairing_match.match
                    AND kind = 'match_abandoned'
            )
            ORDER BY journal DESC, match DESC LIMIT 1
        ) AS newest"""
    )
    return dict(rows.fetchall())


def tournament_page(
    tournament: HallTournament, boxes: Mapping[str, HallBox], rounds: Mapping[str, int]
) -> HallTournamentPage:
    """Return a tournament as everybody may see it. ``rounds`` has how many were thrown, by pairing."""
    order = {box: n for n, box in enumerate(boxes)}
    playing = sorted(tournament.open.values(), key=lambda pairing: order.get(pairing.box, len(order)))
    record = tournament.record
    return HallTournamentPage(
        number=record.number,
        summary=record.summary(),
        rounds=record.state.rounds,
        is_open=record.is_open,
        is_abandoned=record.abandoned,
        playing=tuple(
            PlayingLine(
                pairing.pairing,
                pairing.fixture,
                table_name(boxes, pairing.box),
                pairing.box not in boxes or boxes[pairing.box].state not in ("ready", "init", "alert"),
                rounds.get(pairing.pairing),
            )
            for pairing in playing
        ),
        newest=tuple((fixture, table_name(boxes, box) if box else "") for fixture, box in _newest_results(tournament)),
    )


def table_name(boxes: Mapping[str, HallBox], box: str) -> str:
    """Return the name of a box's table."""
    return boxes[box].table_name if box in boxes else box


def _newest_results(tournament: HallTournament) -> list[tuple[FixtureId, str]]:
    """Return the fixtures whose results came last, each with its box ("": by hand)."""
    came = {}
    for fixture, pairing in tournament.pairings.items():
        came[fixture] = tournament.matches[pairing.pairing].stored_at, pairing.box
    for entry in tournament.log:
        if isinstance(entry.body, TournamentResult | TournamentCorrected | TournamentNoShow):
            came[entry.body.fixture] = entry.at, ""
    decided = {fixture.id for fixture in tournament.record.state.fixtures if fixture.outcome is not None}
    newest = sorted((at, fixture, box) for fixture, (at, box) in came.items() if fixture in decided)
    return [(fixture, box) for _, fixture, box in reversed(newest)][:MAX_NEWEST_RESULTS]
