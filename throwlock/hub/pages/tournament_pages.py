"""Tournaments of a hall as its pages show them."""

from collections.abc import Mapping
from typing import Any

import psycopg

from throwlock.hub.pairings import Box
from throwlock.hub.tournaments import HallTournament
from throwlock.journal.events import TournamentCorrected, TournamentNoShow, TournamentResult
from ui.web.hall.view import HallTournamentPage, PlayingLine

MAX_NEWEST_RESULTS = 8


def read_progress(connection: psycopg.Connection[Any]) -> dict[str, int]:
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


def tournament_page(found: HallTournament, boxes: Mapping[str, Box], rounds: Mapping[str, int]) -> HallTournamentPage:
    """Return a tournament as everybody may see it; ``rounds`` were thrown of the matches that have begun."""

    def table(box: str) -> str:
        return boxes[box].table_name if box in boxes else box

    playing = [
        PlayingLine(
            given.pairing,
            fixture,
            table(given.box),
            given.box not in boxes or boxes[given.box].state not in ("ready", "init", "alert"),
            rounds.get(given.pairing),
        )
        for fixture, given in found.open.items()
    ]
    order = {box: place for place, box in enumerate(boxes)}
    playing.sort(key=lambda one: order.get(found.open[one.fixture].box, len(order)))
    record = found.record
    return HallTournamentPage(
        number=record.number,
        summary=record.summary(),
        rounds=record.state.rounds,
        is_open=record.is_open,
        is_abandoned=record.abandoned,
        playing=tuple(playing),
        newest=tuple((fixture, table(box) if box else "") for fixture, box in _newest_results(found)),
    )


def _newest_results(found: HallTournament) -> list[tuple[str, str]]:
    """Return the fixtures whose results came last, each with its box ("": by hand)."""
    came = {}
    for fixture, given in found.pairings.items():
        came[fixture] = found.matches[given.pairing].stored_at, given.box
    for entry in found.log:
        if isinstance(entry.body, TournamentResult | TournamentCorrected | TournamentNoShow):
            came[entry.body.fixture] = entry.at, ""
    known = {one.id for one in found.record.state.fixtures if one.outcome is not None}
    newest = sorted((at, fixture, box) for fixture, (at, box) in came.items() if fixture in known)
    return [(fixture, box) for _, fixture, box in reversed(newest)][:MAX_NEWEST_RESULTS]
