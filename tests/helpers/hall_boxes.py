"""Boxes of a hall that play what they are given: their journals' events, stored as the hub stores them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import psycopg

from rules.record.tournament import TournamentStarted
from rules.tournaments.fixture import Format
from tests.helpers.hall_streams import batch, bodies, chain, origin, started, store_batch
from throwlock.hall.protocol import Pairing, StreamEvent
from throwlock.hub.pairings import read_pairings
from throwlock.hub.players import add_players
from throwlock.hub.tournaments import start_tournament
from throwlock.journal.events import Body, MatchAbandoned, MatchEnded, ResultRecord

NAMES = ("Ada", "Ben", "Cy", "Dora", "Eve", "Finn", "Gus", "Hana")


@dataclass
class PlayingBox:
    """A box with a journal. What it commits is stored by ``send``."""

    connection: psycopg.Connection
    name: str
    events: list[StreamEvent] = field(default_factory=list)
    sent: int = 0

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        return read_pairings(self.connection, self.name).pairings

    def commit(self, match: int, *events: Body) -> None:
        self.events = chain(bodies(match, *events), origin(self.name), self.events)

    def begin(self, pairing: Pairing) -> int:
        """Begin a pairing's match, and return the match's number."""
        match = len(self.events) + 1
        self.commit(match, started(pairing.id, [player.id for player in pairing.players]))
        return match

    def end(self, match: int, *winners: int, scores: Sequence[int] = (2, 1)) -> None:
        """End a match, won by the seats ``winners``."""
        self.commit(match, MatchEnded(result=ResultRecord(winners=winners, scores=dict(enumerate(scores, 1)))))

    def abandon(self, match: int) -> None:
        self.commit(match, MatchAbandoned())

    def play(self, pairing: Pairing, *winners: int) -> int:
        """Play a pairing's match to its end."""
        match = self.begin(pairing)
        self.end(match, *winners)
        return match

    def win(self, name: str) -> int:
        """Play the next pairing; whoever is called ``name`` wins."""
        pairing = self.pairings[0]
        return self.play(pairing, [player.name for player in pairing.players].index(name) + 1)

    def send(self) -> None:
        """Send what has not been sent."""
        if self.events[self.sent :]:
            store_batch(self.connection, self.name, batch(origin(self.name), self.events[self.sent :]))
            self.sent = len(self.events)
        self.connection.commit()


def add_playing_boxes(connection: psycopg.Connection, count: int) -> list[PlayingBox]:
    """Add boxes that are ready, at Table 1 and so on."""
    for number in range(1, count + 1):
        connection.execute(
            "INSERT INTO box (id, table_name, state) VALUES (%s, %s, 'ready')", (f"box-{number}", f"Table {number}")
        )
    connection.commit()
    return [PlayingBox(connection, f"box-{number}") for number in range(1, count + 1)]


def new_tournament(
    connection: psycopg.Connection, form: Format, names: Sequence[str] = NAMES[:4], *, automatic: bool = False
) -> int:
    """Start a tournament of players with these names, and return its number."""
    setup = TournamentStarted(title="Spring open", game="classic", options={}, format=form)
    number = start_tournament(connection, setup, add_players(connection, names), "organiser")
    connection.execute("UPDATE tournament SET is_automatic = %s WHERE id = %s", (automatic, number))
    connection.commit()
    return number
