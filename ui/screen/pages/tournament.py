"""A tournament as plain data: its rounds, a match of it, its standings and its players. Pure: no surface, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from typing_extensions import override

from messages import N, join, ngettext_lazy
from rules.record.tournament import TournamentBody, TournamentNoShow, TournamentPlayerWithdrawn
from rules.text import list_names
from rules.tournaments.fixture import Fixture, FixtureId, Format
from ui.screen.pages.seating import NameTypingPage
from ui.screen.views import CompoundAnswer, InteractiveView, ListPage, Page, Press, Reply
from ui.text import labels
from ui.text.tournaments import (
    FORMAT_SENTENCES,
    TIE_BREAK_HEADINGS,
    TIE_BREAK_NAMES,
    TIE_BREAK_SENTENCES,
    TournamentSummary,
)

GIVE_UP_ANSWER = "give up"
"""The answer of people who give a tournament up."""


@dataclass(frozen=True)
class ToTournament(CompoundAnswer):
    """The answer of people who go to the page of tournament ``number``."""

    number: int


@dataclass(frozen=True)
class TournamentAction(CompoundAnswer):
    """The answer of people who change a tournament."""

    event: TournamentBody


@dataclass(frozen=True)
class PlayFixture(CompoundAnswer):
    """The answer of people who play a match of a tournament here."""

    fixture: FixtureId


@dataclass(frozen=True)
class LateEntry(CompoundAnswer):
    """The answer of people who enter another player."""

    name: str


@dataclass(frozen=True)
class TournamentView(InteractiveView):
    """A tournament. Answered with a PlayFixture, a TournamentAction, a LateEntry, GIVE_UP_ANSWER, or "back"."""

    is_idle = True

    number: int
    """Its number in the journal."""
    summary: TournamentSummary
    """What is shown of it."""
    can_enter: bool = False
    """Whether another player can enter."""
    notes: Mapping[FixtureId, str] = field(default_factory=dict)
    """What people should know of a fixture: that its match was interrupted, drawn or given up."""

    @override
    def first_page(self) -> "TournamentRoundPage":
        """The round that is played now; once all is over, the last. Of a bracket semi-finals and final stay
        together."""
        at = self.ready[0] if self.ready else None
        rounds = [n for n, fixtures in enumerate(self.rounds) if at in fixtures]
        last = len(self.rounds) - 1
        if self.summary.format is Format.KNOCKOUT:
            last -= 1
        return TournamentRoundPage(self, max(0, min([*rounds[:1], last])))

    @cached_property
    def rounds(self) -> tuple[tuple[Fixture, ...], ...]:
        """The fixtures of each round, of all groups together, in the order in which they are played."""
        rounds: dict[tuple[str, int], list[Fixture]] = {}
        for fixture in self.summary.fixtures:
            rounds.setdefault((fixture.stage, fixture.round), []).append(fixture)
        return tuple(map(tuple, rounds.values()))

    @property
    def is_open(self) -> bool:
        """Whether it is neither over nor given up."""
        return self.summary.is_open

    @cached_property
    def ready(self) -> tuple[Fixture, ...]:
        """The fixtures that can be played now: first those that have begun."""
        return self.summary.ready

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


class TournamentPage(Page):
    """A page of a tournament, which leads ``back`` to another, or is of a round."""

    is_idle = True

    back: "TournamentPage"

    @property
    def summary(self) -> TournamentSummary:
        """What is shown of the tournament."""
        return self.back.summary


@dataclass(frozen=True)
class TournamentRoundPage(ListPage, TournamentPage):
    """A round, of a bracket with those that follow from it; what can be played next, or who has won."""

    view: TournamentView
    round: int
    list_page: int = field(default=-1, kw_only=True)
    """The part of the round; -1: the one with the next match."""

    @property
    @override
    def summary(self) -> TournamentSummary:
        return self.view.summary

    @property
    def selected(self) -> int | None:
        """The place in the round, from 0, of the match that must be shown; None if people have turned the page."""
        if self.list_page >= 0:
            return None
        ready = self.view.ready[:1]
        return next((n for n, fixture in enumerate(self.view.rounds[self.round]) if fixture in ready), 0)

    @property
    def columns(self) -> tuple[tuple[Fixture, ...], ...]:
        """This round and, of a bracket, the later ones of the same stage."""
        rounds = self.view.rounds[self.round : self.round + 1]
        if rounds and rounds[0][0].id.is_knockout:
            later = self.view.rounds[self.round + 1 :]
            rounds += tuple(fixtures for fixtures in later if fixtures[0].stage == rounds[0][0].stage)
        return rounds

    def turn(self, by: int) -> "TournamentRoundPage":
        """Return the page of the round so many further on."""
        return replace(self, round=self.round + by, list_page=-1)


@dataclass(frozen=True)
class FixturePage(TournamentPage):
    """A match of the tournament: to be played, or its result to be entered or corrected."""

    back: TournamentRoundPage
    fixture: Fixture
    chosen: frozenset[int] = frozenset()
    """The players who were touched."""

    def toggle(self, player: int) -> "FixturePage":
        """Return the page after a touch on a player: in a knock-out only one can be chosen."""
        others = frozenset[int]() if self.fixture.id.is_knockout else self.chosen
        return replace(self, chosen=self.chosen - {player} if player in self.chosen else others | {player})

    @property
    def is_result(self) -> bool:
        """Whether those who are chosen can have won: a knock-out needs one winner, elsewhere several have drawn."""
        return len(self.chosen) == 1 or not self.fixture.id.is_knockout

    def note_absent(self) -> "ConfirmPage | FixturePage":
        """Return the question whether the first player who is chosen did not come; this page while none is."""
        if not self.winners:
            return self
        event = TournamentNoShow(tournament=self.back.view.number, fixture=self.fixture.id, player=self.winners[0])
        return ConfirmPage(self, Reply(TournamentAction(event)))

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who are chosen, in the order of the match."""
        return tuple(player for player in self.fixture.present if player in self.chosen)


@dataclass(frozen=True)
class StandingsPage(ListPage, TournamentPage):
    """One of the tables, from 0."""

    back: TournamentRoundPage
    table: int = 0


@dataclass(frozen=True)
class PointsPage(TournamentPage):
    """How points and tie-breaks count."""

    back: StandingsPage


@dataclass(frozen=True)
class PlayersPage(ListPage, TournamentPage):
    """Everybody in the tournament, to leave it or to enter it."""

    back: TournamentRoundPage

    def select(self, player: int) -> "ConfirmPage":
        """Return the page after a touch on a player."""
        return ConfirmPage(
            self, Reply(TournamentAction(TournamentPlayerWithdrawn(tournament=self.back.view.number, player=player)))
        )


@dataclass(frozen=True)
class ConfirmPage(TournamentPage):
    """The question whether people mean what they touched, which can't be taken back."""

    back: PlayersPage | FixturePage
    reply: Reply
    """What they touched."""


@dataclass(frozen=True)
class EntryKeyboardPage(NameTypingPage, TournamentPage):
    """The keyboard for the name of another player."""

    back: PlayersPage

    @override
    def finish(self) -> Press | None:
        """The entry."""
        return Reply(LateEntry(self.name)) if self.name else None


PLAY = N("Play")
PREVIOUS_ROUND, NEXT_ROUND = N("Previous round"), N("Next round")
STANDINGS = N("Standings")
PLAYERS = N("Players")
NO_MATCHES = N("There is no match yet: a tournament needs two players.")
GIVEN_UP = N("The tournament was given up.")
OPEN_PLACE = N("open", "nobody yet")
INTERRUPTED = N("Interrupted: it goes on where it was.")
MATCH_GIVEN_UP = N("It was given up, and is played from the beginning.")
DRAWN_AGAIN = N("It was drawn, and is played again.")
CHOOSE_WINNER = N("Play it here, or touch who won elsewhere.")
CORRECT_WINNER = N("Is that wrong? Touch who won.")
NOT_COME = N("Did not come")
LEFT = N("left", "a player who withdrew")
ADD_PLAYER = N("Add a player")
GIVE_UP = N("Give the tournament up")
WITHDRAW_HELP = N("Touch a player who leaves the tournament.")
HOW_POINTS_COUNT = N("How points count")
MATCH_POINTS = N("A win is 1 point, a draw ½, a bye 1.")
TABLE_POINTS = N("Everybody you leave behind you at your table is 1 point, everybody level with you ½.")
KNOCKOUT_ORDER = N("Whoever got further is ahead; players who went out in the same round share a place.")
PREVIOUS_TABLE, NEXT_TABLE = N("Previous table"), N("Next table")
COLUMN_HEADINGS = (N("Pts", "heading"), N("W", "heading: won"), N("D", "heading: drawn"), N("L", "heading: lost"))
WITHDRAWN_SENTENCE = N("In brackets: players who left the tournament.")
HEADINGS_SENTENCE = N("Pts: points · W: won · D: drawn · L: lost")
THEN = N("At equal points these count, in this order:")


def title(summary: TournamentSummary) -> str:
    """Return what people call a tournament."""
    return summary.heading or N(summary.title)


def won_text(summary: TournamentSummary) -> str:
    """Return who has won: "Ada wins", "Ada and Ben share the title"."""
    names = summary.champion_names
    if len(summary.champions) > 1:
        return N("{names} share the title", names=names)
    return N("{name} wins", name=names) if names else N("Nobody has won.")


def prize_text(summary: TournamentSummary) -> str:
    """Return what the champions have won, and who is second and third."""
    count = ngettext_lazy("{count} player", "{count} players", len(summary.names))
    parts: list[str] = [join([title(summary), count], " · ")]
    names = dict(enumerate(summary.names, 1))
    for place in (2, 3):
        if players := summary.players_at(place):
            parts.append(join([f"{place}. ", list_names(players, names)], ""))
    return join(parts, "\n")


def round_title(summary: TournamentSummary, fixtures: tuple[Fixture, ...]) -> str:
    """Return the name of a round, of all groups together."""
    first = fixtures[0]
    return N("Round {number}", number=first.round) if first.stage == "G" else summary.round_title(first)


def next_heading(view: TournamentView, fixture: Fixture) -> str:
    """Return what is above the names of the next match."""
    return join([N("Next", "match"), view.summary.round_title(fixture)], " · ")


def play_label(note: str) -> str:
    """Return the label of the button that plays a match, given its note."""
    return labels.GO_ON if note == INTERRUPTED else PLAY


def enter_label(page: FixturePage) -> str:
    """Return the label of the button that enters, or corrects, a result."""
    names = dict(enumerate(page.back.view.summary.names, 1))
    if not page.winners:
        return N("Enter the result") if page.fixture.id.is_knockout else N("Drawn", "a match")
    if len(page.winners) > 1:
        return N("{names} drew", names=list_names(page.winners, names))
    return N("{name} won", name=names[page.winners[0]])


def confirm_texts(page: ConfirmPage) -> tuple[str, str, str]:
    """Return the question, what happens, and the label of the button."""
    answer = page.reply.value
    view = page.back.back.view
    event = answer.event if isinstance(answer, TournamentAction) else None
    match event:
        case TournamentPlayerWithdrawn(player=player):
            name = view.summary.name(player)
            text = N("Whoever still has to play against {name} wins without a match. This can’t be undone.", name=name)
            return N("Does {name} leave the tournament?", name=name), text, N("{name} leaves", name=name)
        case TournamentNoShow(player=player):
            name = view.summary.name(player)
            table = view.summary.format is Format.TABLES
            text = (
                N("The others at the table play without {name}.", name=name)
                if table
                else N("The opponent of {name} wins without a match.", name=name)
            )
            return N("Did {name} not come?", name=name), text, NOT_COME
    text = N("What was played stays in past matches. This can’t be undone.")
    return N("Give the tournament up?"), text, GIVE_UP


def points_lines(summary: TournamentSummary, table: int) -> list[str]:
    """Return how points and tie-breaks count in a table, a sentence each."""
    rows = summary.tables[table][1]
    breaks = list(rows[0].tie_breaks) if rows else []
    lines: list[str] = [TABLE_POINTS if summary.format is Format.TABLES else MATCH_POINTS]
    if not breaks:
        lines = [FORMAT_SENTENCES[summary.format], KNOCKOUT_ORDER]
    lines += [THEN] if breaks else []
    for name in breaks:
        heading, full = TIE_BREAK_HEADINGS[name], TIE_BREAK_NAMES[name]
        names = full if heading == full else join([heading, full], " · ")
        lines.append(join([names, TIE_BREAK_SENTENCES[name]], ": "))
    if any(row.withdrawn for row in rows):
        lines.append(WITHDRAWN_SENTENCE)
    return [HEADINGS_SENTENCE, *lines]
