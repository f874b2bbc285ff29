"""Tournaments computed from a journal: from their own events, and from the matches that were played for them."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count

from messages import N
from rules.catalogue import find_game
from rules.engine import Game, IllegalSetupError, Rules
from rules.record.tournament import (
    TournamentAbandoned,
    TournamentBody,
    TournamentCorrected,
    TournamentMatch,
    TournamentNoShow,
    TournamentPlayerEntered,
    TournamentResult,
    TournamentStarted,
    apply,
    draw_before,
)
from rules.tournaments.fixture import MAX_PLAYERS, Fixture, FixtureId, Format, TournamentError, TournamentSetup
from rules.tournaments.tournament import Tournament
from throwlock.journal.events import MatchEnded, MatchStarted, ResultRecord
from throwlock.journal.file import JournalDamagedError
from throwlock.journal.journal import NO_MATCH, Event, Journal, JournalError, JournalReader
from ui.text.names import normalise_name
from ui.text.tournaments import TournamentSummary, summarise


@dataclass(frozen=True)
class TournamentRecord:
    """A tournament of a journal."""

    number: int
    """The number of the event that started it."""
    at: str
    """When it started, ISO 8601 in UTC."""
    started: TournamentStarted
    """That event's body."""
    rules: Rules
    """Its game."""
    keys: tuple[str, ...]
    """The players' keys in seed order."""
    names: tuple[str, ...]
    """The players' names in seed order."""
    state: Tournament
    """How far it is."""
    matches: Mapping[FixtureId, int] = field(default_factory=dict)
    """The number of the last match that ended, by fixture."""
    abandoned: bool = False
    """Whether it was given up."""
    interrupted: FixtureId | None = None
    """The fixture whose match can be resumed."""

    @property
    def title(self) -> str:
        """What people call it, by default after its game."""
        return self.started.title or N(self.rules.title)

    @property
    def is_open(self) -> bool:
        """Whether it is neither over nor given up."""
        return not (self.abandoned or self.state.is_over)

    def name(self, player: int) -> str:
        """Return a player's name."""
        return self.names[player - 1]

    def summary(self) -> TournamentSummary:
        """Return everything that is shown of it."""
        return summarise(self.state, self.rules.title, self.names, self.title, is_open=self.is_open)

    def find_player(self, text: str) -> int:
        """Return the player of a name or a number. Raises TournamentError if there is none."""
        for number, name in enumerate(self.names, 1):
            if normalise_name(str(name)) == normalise_name(text):
                return number
        if text.isdecimal() and 1 <= int(text) <= len(self.names):
            return int(text)
        raise TournamentError(N("nobody in the tournament is called {name}", name=text))

    def game(self, fixture: Fixture) -> Game:
        """Return the game of a fixture's match. Raises IllegalSetupError if so many can't play it."""
        return self.rules.set_up(len(fixture.present), self.started.options)

    def match_of(self, fixture: Fixture) -> TournamentMatch:
        """Return what the first event of a fixture's match says of the tournament."""
        return TournamentMatch(tournament=self.number, fixture=fixture.id, players=fixture.present)


def tournament_setup(body: TournamentStarted, rules: Rules) -> TournamentSetup:
    """Return the set-up that a tournament's first event describes."""
    return TournamentSetup(
        body.format, body.rounds, body.group_size, body.qualifiers, body.table_size, max(2, rules.min_players)
    )


def check_tournament(body: TournamentStarted, players: int) -> Rules:
    """Return the game of a tournament that is about to start. Raises TournamentError, or IllegalSetupError."""
    rules = find_game(body.game)
    if players < 2:
        raise TournamentError(N("a tournament needs two players"))
    if players > MAX_PLAYERS:
        raise TournamentError(N("a tournament is for at most {count} players", count=MAX_PLAYERS))
    if body.format is not Format.TABLES:
        rules.set_up(2, body.options)
        return rules
    if players < rules.min_players:
        raise TournamentError(N("a table needs {count} players", count=rules.min_players))
    rules.set_up(max(rules.min_players, min(players, body.table_size)), body.options)
    return rules


def read_tournament(reader: JournalReader, number: int) -> TournamentRecord:
    """Compute tournament ``number`` of a journal.

    Raises:
        JournalError: There is no such tournament, this version can't play it, or its events don't fit.
    """
    events = reader.tournament_events(number)
    started = events[0].body if events else None
    if not isinstance(started, TournamentStarted):
        raise JournalError(N("{path} has no tournament {number}", path=reader.path, number=number))
    try:
        rules = find_game(started.game)
        state = Tournament(tournament_setup(started, rules))
        for _ in started.players:
            state.enter()
        matches, fixtures = _apply_events(state, events[1:])
    except (IllegalSetupError, TournamentError) as error:
        raise JournalDamagedError(
            N("tournament {number} can’t be read: {why}", number=number, why=error.text)
        ) from error
    keys = (
        *started.player_keys,
        *(event.body.player for event in events if isinstance(event.body, TournamentPlayerEntered)),
    )
    abandoned = any(isinstance(event.body, TournamentAbandoned) for event in events)
    unfinished = fixtures.get(reader.unfinished_match() or NO_MATCH)
    return TournamentRecord(
        number,
        events[0].at,
        started,
        rules,
        keys,
        reader.names_of(keys),
        state,
        matches,
        abandoned,
        unfinished.fixture if unfinished else None,
    )


def newest_tournament(reader: JournalReader) -> TournamentRecord | None:
    """Return the newest tournament of a journal; None if there is none. Raises JournalError."""
    numbers = reader.tournaments()
    return read_tournament(reader, numbers[-1]) if numbers else None


def _apply_events(state: Tournament, events: list[Event]) -> tuple[dict[FixtureId, int], dict[int, TournamentMatch]]:
    """Apply a tournament's events. Return the last match that ended, by fixture, and the fixtures by match. Results of
    matches that the tournament has no place for any more, since somebody has withdrawn meanwhile, are left out."""
    matches: dict[FixtureId, int] = {}
    fixtures: dict[int, TournamentMatch] = {}
    for event in events:
        match event.body:
            case MatchStarted(tournament=TournamentMatch() as of):
                fixtures[event.match] = of
                with suppress(TournamentError):
                    state.start(of.fixture)
            case MatchEnded(result=result) if event.match in fixtures:
                of = fixtures[event.match]
                winners, scores = result_by_player(of, result)
                if matches.get(of.fixture) == event.match:  # disputed at its end, it ended again
                    with suppress(TournamentError):
                        state.correct(of.fixture, winners, scores)
                        continue
                with suppress(TournamentError):
                    state.end(of.fixture, winners, scores)
                    matches[of.fixture] = event.match
            case body if isinstance(body, TournamentBody):
                apply(state, body)
    return matches, fixtures


def result_by_player(of: TournamentMatch, result: ResultRecord) -> tuple[tuple[int, ...], dict[int, int]]:
    """Return the winners and the scores of a match by the players' numbers."""
    players = dict(zip(count(1), of.players))
    return (
        tuple(players[seat] for seat in result.winners if seat in players),
        {players[seat]: score for seat, score in result.scores.items() if seat in players},
    )


def append_to_tournament(journal: Journal, record: TournamentRecord, body: TournamentBody) -> TournamentRecord:
    """Write an event of a tournament, after checking that it can happen now, and return the tournament after it. If it
    is the first of a match of a round, the round's draw is written before it.

    Raises:
        TournamentError: It can't happen now. Nothing was written.
        JournalError: The journal can't be written.
    """
    if not record.is_open and not isinstance(body, TournamentCorrected):
        raise TournamentError(N("the tournament is over"))
    draw = None
    if isinstance(body, TournamentResult | TournamentNoShow):
        draw = draw_before(record.state, record.number, body.fixture)
    apply(record.state, body)
    if draw is not None:
        journal.append(NO_MATCH, draw)
    journal.append(NO_MATCH, body)
    return read_tournament(journal, record.number)


def keep_draw(journal: Journal, match: TournamentMatch) -> None:
    """Write the draw of a match's round, or stage, unless it is written: the match is about to begin. Raises
    TournamentError if the tournament has no such match, JournalError."""
    record = read_tournament(journal, match.tournament)
    draw = draw_before(record.state, record.number, match.fixture)
    if draw is not None:
        journal.append(NO_MATCH, draw)


def enter_tournament(journal: Journal, record: TournamentRecord, name: str) -> TournamentRecord:
    """Write that another player entered, and return the tournament after it. Raises TournamentError and JournalError;
    nothing was written then."""
    if any(normalise_name(str(known)) == normalise_name(name) for known in record.names):
        raise TournamentError(N("{name} is in the tournament already", name=name))
    if not record.is_open:
        raise TournamentError(N("the tournament is over"))
    record.state.enter()
    journal.enter_player(record.number, name)
    return read_tournament(journal, record.number)
