"""A tournament as plain data: its rounds, a match of it, its standings and its players. Pure: no surface, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from rules.tournaments.events import Fixture, Format, PlayerWithdrawn, TournamentEvent
from ui.screen.pages.answers import CompoundAnswer, Reply
from ui.screen.pages.seating.view import NameTypingPage
from ui.screen.pages.views import InteractiveView, ListPage, Page, Press
from ui.text.tournaments import TournamentSummary

KNOCKOUT_STAGES = "KLF"
GIVE_UP_ANSWER = "give up"
"""The answer of people who give a tournament up."""


@dataclass(frozen=True)
class ToTournament(CompoundAnswer):
    """The answer of people who go to the page of tournament ``number``."""

    number: int


@dataclass(frozen=True)
class TournamentAction(CompoundAnswer):
    """The answer of people who change a tournament, or, with FixtureStarted, play a match of it here."""

    event: TournamentEvent


@dataclass(frozen=True)
class LateEntry(CompoundAnswer):
    """The answer of people who enter another player."""

    name: str


@dataclass(frozen=True)
class TournamentView(InteractiveView):
    """A tournament. Answered with a TournamentAction, a LateEntry, GIVE_UP_ANSWER, or "back".

    Attributes:
        summary: What is shown of it.
        is_open: Whether it goes on.
        can_enter: Whether another player can enter.
        notes: What people should know of a fixture, by its id: that its match was interrupted, drawn or given up.
    """

    is_idle = True

    summary: TournamentSummary
    is_open: bool = True
    can_enter: bool = False
    notes: Mapping[str, str] = field(default_factory=dict)

    def first_page(self) -> "RoundPage":
        """See InteractiveView: the round that is played now; once all is over, the last. Of a
        bracket semi-finals and final stay together."""
        at = self.ready[0] if self.ready else None
        rounds = [n for n, fixtures in enumerate(self.rounds) if at in fixtures]
        last = len(self.rounds) - 1
        if self.summary.format is Format.KNOCKOUT:
            last -= 1
        return RoundPage(self, max(0, min([*rounds[:1], last])))

    @cached_property
    def rounds(self) -> tuple[tuple[Fixture, ...], ...]:
        """The fixtures of each round, of all groups together, in the order in which they are played."""
        found: dict[tuple[str, int], list[Fixture]] = {}
        for fixture in self.summary.fixtures:
            found.setdefault((fixture.stage, fixture.round), []).append(fixture)
        return tuple(map(tuple, found.values()))

    @cached_property
    def ready(self) -> tuple[Fixture, ...]:
        """The fixtures that can be played now: first those that have begun."""
        found = [fixture for fixture in self.summary.fixtures if fixture.is_ready] if self.is_open else []
        return tuple(sorted(found, key=lambda fixture: not fixture.started))

    @cached_property
    def withdrawn(self) -> frozenset[int]:
        """The players who have withdrawn."""
        return frozenset(row.player for _, rows in self.summary.tables for row in rows if row.withdrawn)

    def can_withdraw(self, player: int) -> bool:
        """Return whether a player can still leave."""
        if not self.is_open or player in self.withdrawn:
            return False
        if self.summary.format in (Format.SWISS, Format.TABLES):
            return True
        return any(player in fixture.players for fixture in self.summary.fixtures if fixture.outcome is None)


class _TournamentPage(Page):
    """A page of a tournament. Nobody plays meanwhile."""

    is_idle = True


@dataclass(frozen=True)
class RoundPage(ListPage, _TournamentPage):
    """A round, of a bracket with those that follow from it; what can be played next, or who has won."""

    view: TournamentView
    round: int
    list_page: int = field(default=-1, kw_only=True)
    """The part of the round; -1: the one with the next match."""

    @property
    def selected(self) -> int | None:
        """The place in the round, from 0, of the match that must be shown; None if people have turned the page."""
        if self.list_page >= 0:
            return None
        ready = self.view.ready[:1]
        return next((n for n, one in enumerate(self.view.rounds[self.round]) if one in ready), 0)

    @property
    def columns(self) -> tuple[tuple[Fixture, ...], ...]:
        """This round and, of a bracket, the later ones of the same stage."""
        rounds = self.view.rounds[self.round : self.round + 1]
        if rounds and rounds[0][0].stage in KNOCKOUT_STAGES:
            later = self.view.rounds[self.round + 1 :]
            rounds += tuple(one for one in later if one[0].stage == rounds[0][0].stage)
        return rounds

    def turn(self, by: int) -> "RoundPage":
        """Return the page of the round so many further on."""
        return replace(self, round=self.round + by, list_page=-1)


@dataclass(frozen=True)
class FixturePage(_TournamentPage):
    """A match of the tournament: to be played, or its result to be entered or corrected. ``chosen`` are the players
    who were touched."""

    back: RoundPage
    fixture: Fixture
    chosen: frozenset[int] = frozenset()

    def toggle(self, player: int) -> "FixturePage":
        """Return the page after a touch on a player: in a knock-out only one can be chosen."""
        others = frozenset[int]() if self.fixture.stage in KNOCKOUT_STAGES else self.chosen
        return replace(self, chosen=self.chosen - {player} if player in self.chosen else others | {player})

    @property
    def is_result(self) -> bool:
        """Whether those who are chosen can have won: a knock-out needs one winner, elsewhere several have drawn."""
        return len(self.chosen) == 1 or self.fixture.stage not in KNOCKOUT_STAGES

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who are chosen, in the order of the match."""
        return tuple(player for player in self.fixture.present if player in self.chosen)


@dataclass(frozen=True)
class StandingsPage(ListPage, _TournamentPage):
    """One of the tables, from 0."""

    back: RoundPage
    table: int = 0


@dataclass(frozen=True)
class PointsPage(_TournamentPage):
    """How points and tie-breaks count."""

    back: StandingsPage


@dataclass(frozen=True)
class PlayersPage(ListPage, _TournamentPage):
    """Everybody in the tournament, to leave it or to enter it."""

    back: RoundPage

    def select(self, player: int) -> "ConfirmPage":
        """Return the page after a touch on a player."""
        return ConfirmPage(self, Reply(TournamentAction(PlayerWithdrawn(player))))


@dataclass(frozen=True)
class ConfirmPage(_TournamentPage):
    """The question whether people mean what they touched, which can't be taken back: ``reply``."""

    back: PlayersPage | FixturePage
    reply: Reply


@dataclass(frozen=True)
class EntryKeyboardPage(NameTypingPage, _TournamentPage):
    """The keyboard for the name of another player."""

    back: PlayersPage

    def finish(self) -> Press | None:
        """See TypingPage: the entry."""
        return Reply(LateEntry(self.text.strip())) if self.text.strip() else None
