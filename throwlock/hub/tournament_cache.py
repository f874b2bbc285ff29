"""Tournaments of the hall, computed again only when what they depend on has changed."""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from messages import shorten
from rules.engine import IllegalSetupError
from rules.tournaments.fixture import TournamentError
from throwlock.hub.tournaments import HallTournament, read_hall_tournament

logger = logging.getLogger(__name__)

Stamp = tuple[object, ...]
"""Counts of everything a tournament is computed from: with the same stamp it is the same."""


@dataclass(frozen=True)
class _Entry:
    stamp: Stamp
    tournament: HallTournament | None
    """None: this version can't play it."""


class TournamentCache:
    """The tournaments that were read last. For one thread."""

    def __init__(self) -> None:
        self._entries: dict[int, _Entry] = {}

    def read(self, connection: Connection[Any], numbers: Collection[int]) -> list[HallTournament]:
        """Return these tournaments, the newest first. One of a game that isn't installed any more is logged and left
        out. Raises psycopg.Error."""
        entries: dict[int, _Entry] = {}
        for number, stamp in _read_stamps(connection, numbers):
            entry = self._entries.get(number)
            entries[number] = entry if entry and entry.stamp == stamp else _Entry(stamp, _compute(connection, number))
        self._entries = entries
        return [entry.tournament for entry in entries.values() if entry.tournament is not None]


def _compute(connection: Connection[Any], number: int) -> HallTournament | None:
    try:
        return read_hall_tournament(connection, number)
    except (TournamentError, IllegalSetupError) as error:
        logger.warning("tournament %d is left out: %s", number, shorten(str(error), 200))
        return None


def _read_stamps(connection: Connection[Any], numbers: Collection[int]) -> list[tuple[int, Stamp]]:
    rows = connection.execute(
        """SELECT id, is_automatic, (SELECT count(*) FROM tournament_event WHERE tournament = wanted.id),
            (
                SELECT array_agg((journal, number) ORDER BY journal, number)::text
                FROM pairing_match JOIN event USING (journal, match)
                WHERE tournament = wanted.id AND event.kind IN ('match_started', 'match_ended', 'match_abandoned')
            ),
            (
                SELECT string_agg(player.name, ',' ORDER BY entered.number) FROM tournament_event AS entered
                JOIN player ON player.id = entered.body ->> 'player'
                WHERE tournament = wanted.id AND kind = 'hall_player_entered'
            )
        FROM tournament AS wanted WHERE id = ANY (%s) ORDER BY id DESC""",
        (list(numbers),),
    )
    return [(number, tuple(stamp)) for number, *stamp in rows]
