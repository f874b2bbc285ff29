"""Who the players of a journal are: their keys, and the names of those who were not forgotten."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from referee.journal import Event, JournalReader
from ui.web.views import PlayerLink


class People:
    """The players of a journal as it stands now."""

    def __init__(self, journal: JournalReader) -> None:
        self.names: Mapping[str, str] = _names(journal)
        self.gone: Sequence[str] = ()

    def keys(self, began: Event) -> tuple[str | None, ...]:
        """The keys of a match's players in seat order, from the event that began it."""
        return tuple(_key(str(name)) for name in began.body["players"])

    def link(self, key: str | None, seat: int) -> PlayerLink:
        """The player of a seat; of one who was forgotten, the seat."""
        name = self.names.get(key) if key is not None else None
        return PlayerLink(None, f"Player {seat}") if name is None else PlayerLink(key, name)

    def links(self, began: Event) -> tuple[PlayerLink, ...]:
        """A match's players in seat order."""
        return tuple(self.link(key, seat) for seat, key in enumerate(self.keys(began), 1))


def _names(journal: JournalReader) -> dict[str, str]:
    return {
        _key(str(name)): str(name) for match in journal.matches() for name in journal.events(match)[0].body["players"]
    }


def _key(name: str) -> str:
    return sha256(name.strip().casefold().encode()).hexdigest()[:16]
