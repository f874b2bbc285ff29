"""Who the players of a journal are: their keys, and the names of those who were not forgotten."""

from collections.abc import Sequence

from throwlock.journal.journal import Event, JournalReader
from throwlock.journal.player_names import named_alike
from ui.text import verdicts
from ui.web.views import PlayerLink


class People:
    """The players of a journal as it stands now: ``names`` by key, ``gone`` the keys of those who were forgotten."""

    def __init__(self, journal: JournalReader) -> None:
        self._journal = journal
        players = journal.players()
        self.names = {key: name for key, name in players.items() if name is not None}
        self.gone = tuple(key for key, name in players.items() if name is None)

    def keys(self, began: Event) -> tuple[str | None, ...]:
        """The keys of a match's players in seat order, from the event that began it."""
        return self._journal.keys(began)

    def link(self, key: str) -> PlayerLink:
        """A player who has a name."""
        return PlayerLink(key, self.names[key])

    def of_seat(self, key: str | None, seat: int) -> PlayerLink:
        """The player of a seat, whether they have a name or not."""
        return self.link(key) if key in self.names else PlayerLink(None, verdicts.neutral(seat))

    def of(self, began: Event) -> tuple[PlayerLink, ...]:
        """A match's players in seat order."""
        keys = self._journal.keys(began)
        names = began.names or tuple(map(verdicts.neutral, range(1, len(keys) + 1)))
        return tuple(
            PlayerLink(key if key in self.names else None, name) for key, name in zip(keys, names, strict=True)
        )

    def sitting(self, match: int, keys: Sequence[str | None]) -> tuple[PlayerLink, ...]:
        """The players of a match by their keys; from its first event where these don't tell all of them apart."""
        known = tuple(self.link(key) for key in keys if key is not None and key in self.names)
        if len({named_alike(player.name) for player in known}) == len(keys):
            return known
        began = self._journal.event(match)
        return () if began is None else self.of(began)
