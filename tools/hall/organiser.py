"""Who holds a tournament in a trial hall."""

from collections.abc import Sequence

from psycopg import Connection, OperationalError

from rules.record.tournament import TournamentStarted
from rules.tournaments.fixture import Format
from throwlock.hub.database import DatabaseError, connect
from throwlock.hub.players import add_players, check_in
from throwlock.hub.tournaments import HallTournament, read_hall_tournament, start_tournament

NAME = "organiser"
GAME, BEST_OF = "classic", 3


class Organiser:
    """Starts a Swiss of ``players`` in the hall whose database is ``dsn``, by default of as many rounds as are usual,
    has the hub give out what can be played, and looks at how it stands."""

    def __init__(self, dsn: str, players: Sequence[str], title: str, rounds: int = 0) -> None:
        self._dsn = dsn
        self._connection: Connection | None = None
        with connect(dsn) as connection:
            keys = add_players(connection, players)
            for key in keys:
                check_in(connection, key, present=True)
            started = TournamentStarted(
                title=title, game=GAME, options={"best_of": BEST_OF}, format=Format.SWISS, rounds=rounds
            )
            self.tournament = start_tournament(connection, started, keys, NAME)
            connection.execute("UPDATE tournament SET is_automatic = true WHERE id = %s", (self.tournament,))

    def look(self) -> HallTournament | None:
        """Return the tournament as it stands; None while there is no database."""
        try:
            if self._connection is None:
                self._connection = connect(self._dsn)
            with self._connection.transaction():
                return read_hall_tournament(self._connection, self.tournament)
        except (DatabaseError, OperationalError):
            self.close()
            return None

    def close(self) -> None:
        """Leave the database."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None
