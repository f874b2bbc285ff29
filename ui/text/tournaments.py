"""The words of tournaments: formats, rounds, points and tie-breaks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from messages import N, join
from rules.text import list_names
from rules.tournaments.fixture import BYE, Fixture, Format
from rules.tournaments.standings import StandingsRow
from rules.tournaments.tournament import Tournament

FORMAT_NAMES: Mapping[Format, str] = MappingProxyType(
    {
        Format.KNOCKOUT: N("Knock-out"),
        Format.DOUBLE_KNOCKOUT: N("Double knock-out"),
        Format.ROUND_ROBIN: N("Round robin"),
        Format.SWISS: N("Swiss"),
        Format.GROUPS: N("Groups, then knock-out"),
        Format.TABLES: N("Tables with points"),
    }
)
FORMAT_SENTENCES: Mapping[Format, str] = MappingProxyType(
    {
        Format.KNOCKOUT: N("Whoever loses is out."),
        Format.DOUBLE_KNOCKOUT: N("Whoever loses twice is out."),
        Format.ROUND_ROBIN: N("Everybody meets everybody."),
        Format.SWISS: N("A few rounds against players with about your points. Nobody is out."),
        Format.GROUPS: N("Everybody meets everybody in small groups; the best go on."),
        Format.TABLES: N("A few rounds at tables. A point for everybody you leave behind you."),
    }
)
"""What each format is."""
TIE_BREAK_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "buchholz": N("Buchholz"),
        "sonneborn-berger": N("Sonneborn-Berger"),
        "head to head": N("Head to head"),
        "wins": N("Wins", "heading"),
    }
)
TIE_BREAK_HEADINGS: Mapping[str, str] = MappingProxyType(
    {
        "buchholz": N("BH", "heading: Buchholz"),
        "sonneborn-berger": N("SB", "heading: Sonneborn-Berger"),
        "head to head": N("H2H", "heading: head to head"),
        "wins": N("W", "heading: won"),
    }
)
"""As short as a column of figures."""
TIE_BREAK_SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "buchholz": N("the points of all your opponents."),
        "sonneborn-berger": N("the points of those you beat, and half the points of those you drew with."),
        "head to head": N("your points against those who are level with you, if all of you have met."),
        "wins": N("the matches you have won."),
    }
)
"""What each tie-break is."""
BYE_NAME = N("bye")
"""In place of an opponent."""


def tie_break_columns(rows: Sequence[StandingsRow], *, besides_won: bool) -> tuple[str, ...]:
    """Return the tie-breaks that a table has columns of, in the order in which they count; ``besides_won``: the matches
    that were won have a column already."""
    breaks = rows[0].tie_breaks if rows else ()
    return tuple(tie_break for tie_break in breaks if tie_break != "wins" or not besides_won)


@dataclass(frozen=True)
class TournamentSummary:
    """Everything that is shown of a tournament."""

    title: str
    format: Format
    names: tuple[str, ...]
    """The players', in seed order."""
    fixtures: tuple[Fixture, ...]
    tables: tuple[tuple[str, tuple[StandingsRow, ...]], ...]
    """The standings, with a heading each."""
    champions: tuple[int, ...] = ()
    """Those who have won."""
    heading: str = ""
    """What people call it."""
    is_open: bool = True
    """Whether it is neither over nor given up."""

    @property
    def ready(self) -> tuple[Fixture, ...]:
        """The fixtures that can be played now: first those that have begun."""
        ready = [fixture for fixture in self.fixtures if fixture.is_ready] if self.is_open else []
        return tuple(sorted(ready, key=lambda fixture: not fixture.started))

    def name(self, player: int | None) -> str:
        """Return a player's name; "" for nobody yet."""
        return "" if player is None else BYE_NAME if player == BYE else self.names[player - 1]

    @property
    def champion_names(self) -> str:
        """Who has won: "Ada", "Ada and Ben"; "" before that."""
        return list_names(self.champions, dict(enumerate(self.names, 1))) if self.champions else ""

    def players_at(self, place: int) -> tuple[int, ...]:
        """Return who has a place in the last of the tables, without those who left."""
        _, rows = self.tables[-1]
        return tuple(row.player for row in rows if row.place == place and not row.withdrawn)

    def against(self, fixture: Fixture) -> str:
        """Return who plays a fixture: "Ada against Ben"."""
        names = [self.name(player) for player in fixture.present]
        if len(names) == 2:
            return N("{first} against {second}", first=names[0], second=names[1])
        return join(names, ", ")

    def round_title(self, fixture: Fixture) -> str:
        """Return the name of a fixture's round: "Round 2", "Semi-final", "Group 1, round 2"."""
        if fixture.stage == "G" and self.format is Format.GROUPS:
            return N("Group {group}, round {number}", group=fixture.group, number=fixture.round)
        if fixture.stage == "F":
            return N("Final") if fixture.round == 1 else N("Second final")
        if fixture.stage == "L":
            return N("Losers’ round {number}", number=fixture.round)
        if fixture.stage == "K":
            last = max(fixture.round for fixture in self.fixtures if fixture.stage == "K")
            names = {last: N("Winners’ final") if self.format is Format.DOUBLE_KNOCKOUT else N("Final")}
            if self.format is not Format.DOUBLE_KNOCKOUT:
                names |= {last - 1: N("Semi-final"), last - 2: N("Quarter-final")}
            if fixture.round in names:
                return names[fixture.round]
        return N("Round {number}", number=fixture.round)

    def rounds(self) -> Sequence[tuple[str, tuple[Fixture, ...]]]:
        """Return the fixtures of each round, with its name, in the order in which they are played."""
        rounds: dict[tuple[str, int, int], list[Fixture]] = {}
        for fixture in self.fixtures:
            rounds.setdefault((fixture.stage, fixture.group, fixture.round), []).append(fixture)
        return [(self.round_title(fixtures[0]), tuple(fixtures)) for fixtures in rounds.values()]

    def result(self, fixture: Fixture) -> str:
        """Return who has won a fixture, "" before that."""
        if fixture.is_bye or fixture.outcome is None:
            return N("bye") if fixture.is_bye else ""
        winners = fixture.outcome.winners
        if len(winners) != 1:
            return N("Drawn", "a match")
        name = self.name(winners[0])
        return N("{name} wins by walkover", name=name) if fixture.outcome.absent else N("{name} wins", name=name)


def summarise(
    state: Tournament, title: str, names: Sequence[str], heading: str = "", *, is_open: bool = True
) -> TournamentSummary:
    """Return everything that is shown of a tournament of the game with this title."""
    if state.setup.format is Format.GROUPS:
        tables: list[tuple[str, tuple[StandingsRow, ...]]] = [
            (N("Group {group}", group=group), tuple(state.standings(group)))
            for group in range(1, len(state.groups) + 1)
        ]
        if any(fixture.stage == "K" for fixture in state.fixtures):
            tables.append((N("Knock-out"), tuple(state.standings())))
    else:
        tables = [("", tuple(state.standings()))]
    return TournamentSummary(
        title, state.setup.format, tuple(names), state.fixtures, tuple(tables), state.champions, heading, is_open
    )


def points_text(points: float) -> str:
    """Return a multiple of ½, or of ¼, as text: 2½."""
    whole, quarters = divmod(round(4 * points), 4)
    part = ("", "¼", "½", "¾")[quarters]
    return part if part and not whole else f"{whole}{part}"
