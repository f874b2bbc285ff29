"""The players of a journal: keys, and names of those who were not forgotten."""

from collections.abc import Sequence

from rules.record.round import PlayerLink
from throwlock.journal.journal import Event, JournalReader, match_started
from ui.text import verdicts
from ui.text.names import normalise_name


class PlayerDirectory:
    """A journal's players: ``names`` by key, and ``forgotten_keys``."""

    def __init__(self, journal: JournalReader) -> None:
        self._journal = journal
        players = journal.players()
        self.names = {key: name for key, name in players.items() if name is not None}
        self.forgotten_keys = tuple(key for key, name in players.items() if name is None)

    def link(self, key: str) -> PlayerLink:
        """Return the link to a player with a name."""
        return PlayerLink(key, self.names[key])

    def link_for_seat(self, key: str | None, seat: int) -> PlayerLink:
        """Return the player of a seat, with or without a name."""
        return self.link(key) if key in self.names else PlayerLink(None, verdicts.default_name(seat))

    def links(self, started: Event) -> tuple[PlayerLink, ...]:
        """Return a match's players in seat order."""
        keys = match_started([started]).player_keys
        names = started.names or tuple(map(verdicts.default_name, range(1, len(keys) + 1)))
        return tuple(
            PlayerLink(key if key in self.names else None, name) for key, name in zip(keys, names, strict=True)
        )

    def links_from_keys(self, match: int, keys: Sequence[str | None]) -> tuple[PlayerLink, ...]:
        """Return a match's players by their keys; from its first event when a key is missing or names are equal."""
        known = tuple(self.link(key) for key in keys if key is not None and key in self.names)
        if len({normalise_name(player.name) for player in known}) == len(keys):
            return known
        started = self._journal.event(match)
        return () if started is None else self.links(started)
