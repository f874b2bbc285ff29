"""The tournaments of a hall: computed from the organiser's events and from the matches that the boxes' journals have
committed, and from nothing else. In which order the journals arrive makes no difference:

- A match counts from when its pairing was assigned, by the first of its ends. If it ended again with another result,
  since it was disputed, it counts with that one; in a bracket only as long as no match that follows from it has been
  assigned. Whatever is decided next notes which of its results it was decided by (``MatchResultTaken``).
- A match whose pairing was taken back does not count, unless the organiser says so (``MatchCounted``).
- What the organiser enters or corrects by hand counts before anything that a box sends.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from psycopg import Connection

from messages import N
from rules.record.tournament import (
    HallPlayerEntered,
    TournamentAbandoned,
    TournamentCorrected,
    TournamentMatch,
    TournamentNoShow,
    TournamentPlayerWithdrawn,
    TournamentResult,
    TournamentStarted,
    apply,
    draw_before,
)
from rules.tournaments.fixture import Fixture, FixtureId, TournamentError
from rules.tournaments.tournament import Tournament
from throwlock.hub.players import read_names
from throwlock.hub.tournament_log import (
    LogBody,
    LogEntry,
    MatchCounted,
    MatchResultTaken,
    PairingGiven,
    PairingTakenBack,
    read_log,
    write_log,
)
from throwlock.journal.events import ResultRecord
from throwlock.replay.tournaments import (
    TournamentRecord,
    check_tournament,
    result_by_player,
    tournament_setup,
)

FORGOTTEN_NAME = N("Forgotten player")
MAX_THINKING_S = 30.0
"""Longest time between two statements of somebody who holds the tournaments' lock; then PostgreSQL takes it away."""


@dataclass(frozen=True)
class HallMatchRecord:
    """The match that a box plays, or has played, for a pairing."""

    journal: int
    """The journal's id in the hub's database."""
    match: int
    """Its number in that journal."""
    stored_at: datetime
    """When the newest of these events was stored."""
    ends: tuple[tuple[int, ResultRecord], ...] = ()
    """How it ended, each time it did: the event's number and the result."""
    is_abandoned: bool = False
    """Whether people gave it up."""


@dataclass(frozen=True)
class HallTournament:
    """A tournament of the hall."""

    record: TournamentRecord
    """How far it is; its players' keys are the hall's ids."""
    log: tuple[LogEntry, ...]
    """The events it follows from."""
    open: Mapping[FixtureId, PairingGiven]
    """The pairings that are to be played, or being played, by fixture."""
    taken_back: tuple[PairingGiven, ...]
    """The pairings that were taken back although a match was played for them that could count."""
    pending: tuple[MatchResultTaken, ...]
    """Results that count since their match ended again, which nothing was decided by yet."""
    late: tuple[PairingGiven, ...]
    """Matches that ended again when others had followed from them: the first result stays."""
    unfitting: tuple[tuple[LogEntry, TournamentError], ...]
    """Events that can't have happened as the journals are now, and why."""
    matches: Mapping[str, HallMatchRecord]
    """The match of each pairing that has one."""
    pairings: Mapping[FixtureId, PairingGiven]
    """The pairing whose match counts, by fixture."""
    is_automatic: bool = False
    """Whether what can be played is assigned to free boxes automatically."""

    @property
    def ready(self) -> tuple[Fixture, ...]:
        """The fixtures that can be assigned now."""
        if not self.record.is_open:
            return ()
        return tuple(fixture for fixture in self.record.state.ready if fixture.id not in self.open)


@dataclass
class _Replay:
    """A tournament while its events are applied."""

    number: int
    state: Tournament
    matches: Mapping[str, HallMatchRecord]
    final_taken_back: frozenset[str]
    keys: list[str] = field(default_factory=list)
    given: dict[str, PairingGiven] = field(default_factory=dict)
    open: dict[FixtureId, PairingGiven] = field(default_factory=dict)
    counted: dict[FixtureId, PairingGiven] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    by_hand: set[FixtureId] = field(default_factory=set)

    def apply(self, body: LogBody) -> None:
        """Apply an event. Raises TournamentError if it can't have happened."""
        match body:
            case HallPlayerEntered():
                apply(self.state, body)
                self.keys.append(body.player)
            case PairingGiven():
                self._give(body)
            case PairingTakenBack():
                given = self.given[body.pairing]
                self.open = {name: pairing for name, pairing in self.open.items() if pairing.pairing != given.pairing}
            case MatchCounted():
                self._count(self.given[body.pairing])
            case MatchResultTaken():
                self._take_end(self.given[body.pairing], body.number)
            case TournamentResult() if self.state.fixture(body.fixture).outcome is not None:
                self.state.correct(body.fixture, body.winners)
                self.by_hand.add(body.fixture)
            case TournamentResult() | TournamentCorrected():
                apply(self.state, body)
                self.by_hand.add(body.fixture)
            case _:
                apply(self.state, body)

    def _give(self, given: PairingGiven) -> None:
        self.given[given.pairing] = given
        if given.pairing in self.final_taken_back:
            self.open[given.fixture] = given
            return
        fixture = self.state.fixture(given.fixture)
        self.open[given.fixture] = given  # also if it does not fit: until somebody takes it back
        if set(fixture.present) != set(given.players):
            raise TournamentError(N("match {name} is played by others now", name=given.fixture))
        self.state.start(given.fixture)
        self._count(given)

    def _count(self, given: PairingGiven) -> None:
        """Apply the first end of a pairing's match, if it has ended."""
        record = self.matches.get(given.pairing)
        if record is None or not record.ends:
            return
        number, result = record.ends[0]
        self._apply_result(given, result)
        self.ends[given.pairing] = number
        self.counted[given.fixture] = given
        self.open.pop(given.fixture, None)

    def _apply_result(self, given: PairingGiven, result: ResultRecord) -> None:
        of = TournamentMatch(tournament=self.number, fixture=given.fixture, players=given.players)
        has_result = self.state.fixture(given.fixture).outcome is not None
        take = self.state.correct if has_result else self.state.end  # a drawn match of a bracket has none
        take(given.fixture, *result_by_player(of, result))

    def _take_end(self, given: PairingGiven, number: int) -> None:
        result = dict(self.matches[given.pairing].ends).get(number)
        if result is None:
            raise TournamentError(N("match {name} has no such result", name=given.fixture))
        self._apply_result(given, result)
        self.ends[given.pairing] = number

    def apply_newest_ends(self) -> tuple[list[MatchResultTaken], list[PairingGiven]]:
        """Apply the last result of each match that ended again; return those that count, and those that come too
        late."""
        pending: list[MatchResultTaken] = []
        late: list[PairingGiven] = []
        for fixture, given in self.counted.items():
            ends = dict(self.matches[given.pairing].ends)
            number, newest = self.matches[given.pairing].ends[-1]
            if fixture in self.by_hand or newest == ends[self.ends[given.pairing]]:
                continue
            try:
                if fixture in self.open:
                    raise TournamentError(N("match {name} is played again", name=fixture))
                self._apply_result(given, newest)
            except TournamentError:
                late.append(given)
            else:
                pending.append(MatchResultTaken(pairing=given.pairing, number=number))
        return pending, late


def compute_tournament(
    number: int,
    log: Sequence[LogEntry],
    matches: Mapping[str, HallMatchRecord],
    names: Mapping[str, str],
    *,
    is_automatic: bool = False,
) -> HallTournament:
    """Compute a tournament from its events, the matches of its pairings and the players' names by id. Events that do
    not fit are left out. Raises TournamentError, or IllegalSetupError, if its first event is not that of a tournament
    this version can play."""
    started = log[0].body if log else None
    if not isinstance(started, TournamentStarted):
        raise TournamentError(N("there is no tournament {number}", number=number))
    rules = check_tournament(started, max(2, sum(isinstance(entry.body, HallPlayerEntered) for entry in log)))
    taken_back = frozenset(entry.body.pairing for entry in log if isinstance(entry.body, PairingTakenBack))
    replay = _Replay(number, Tournament(tournament_setup(started, rules)), matches, taken_back)
    unfitting = []
    for entry in log[1:]:
        try:
            replay.apply(entry.body)
        except TournamentError as error:
            unfitting.append((entry, error))
    pending, late = replay.apply_newest_ends()
    record = TournamentRecord(
        number,
        log[0].at.astimezone(UTC).isoformat(),
        started,
        rules,
        tuple(replay.keys),
        tuple(names.get(key) or FORGOTTEN_NAME for key in replay.keys),
        replay.state,
        {fixture: matches[given.pairing].match for fixture, given in replay.counted.items()},
        any(isinstance(entry.body, TournamentAbandoned) for entry in log),
    )
    counted = {given.pairing for given in replay.counted.values()}
    known = {fixture.id for fixture in replay.state.fixtures}
    return HallTournament(
        record,
        tuple(log),
        {fixture: given for fixture, given in replay.open.items() if fixture in known},
        tuple(
            given
            for pairing, given in replay.given.items()
            if pairing in taken_back - counted and pairing in matches and matches[pairing].ends
        ),
        tuple(pending),
        tuple(late),
        tuple(unfitting),
        matches,
        replay.counted,
        is_automatic,
    )


def read_matches(connection: Connection[Any], tournament: int) -> dict[str, HallMatchRecord]:
    """Return the match of each pairing: of several the first that ended, else the newest."""
    rows = connection.execute(
        """SELECT pairing, journal, match, event.stored_at, event.number, event.kind, event.body ->> 'result'
        FROM pairing_match
        JOIN event USING (journal, match)
        WHERE tournament = %s AND event.understood
            AND event.kind IN ('match_started', 'match_ended', 'match_abandoned')
        ORDER BY journal, match, event.number""",
        (tournament,),
    )
    records: dict[tuple[str, int, int], HallMatchRecord] = {}
    for pairing, journal, match, at, number, kind, result in rows:
        record = replace(records.get((pairing, journal, match), HallMatchRecord(journal, match, at)), stored_at=at)
        if kind == "match_ended":
            record = replace(record, ends=(*record.ends, (number, ResultRecord.model_validate_json(result))))
        elif kind == "match_abandoned":
            record = replace(record, is_abandoned=True)
        records[pairing, journal, match] = record
    matches: dict[str, HallMatchRecord] = {}
    for (pairing, _, _), record in records.items():
        if pairing not in matches or not matches[pairing].ends:
            matches[pairing] = record
    return matches


def read_hall_tournament(connection: Connection[Any], number: int) -> HallTournament:
    """Return a tournament as it stands. Raises TournamentError and IllegalSetupError."""
    row = connection.execute("SELECT is_automatic FROM tournament WHERE id = %s", (number,)).fetchone()
    if row is None:
        raise TournamentError(N("there is no tournament {number}", number=number))
    return compute_tournament(
        number,
        read_log(connection, number),
        read_matches(connection, number),
        read_names(connection),
        is_automatic=row[0],
    )


def lock_tournaments(connection: Connection[Any]) -> None:
    """Let nobody else decide anything until the transaction ends: a box is assigned once, and a number is an event's
    once."""
    # A hub whose machine fails in between would hold the lock for as long as TCP keeps its connection: two hours.
    connection.execute(f"SET LOCAL idle_in_transaction_session_timeout = '{MAX_THINKING_S:g}s'")
    connection.execute("LOCK TABLE tournament IN SHARE ROW EXCLUSIVE MODE")


def start_tournament(connection: Connection[Any], started: TournamentStarted, players: Sequence[str], by: str) -> int:
    """Start a tournament of players of the hall, given by their ids in the order of their seeds, and return its
    number. Raises TournamentError and IllegalSetupError."""
    check_tournament(started, len(players))
    lock_tournaments(connection)
    row = connection.execute("INSERT INTO tournament DEFAULT VALUES RETURNING id").fetchone()
    assert row is not None
    write_log(connection, row[0], 0, by, [started, *(HallPlayerEntered(player=player) for player in players)])
    return int(row[0])


def set_automatic(connection: Connection[Any], number: int, *, automatic: bool) -> None:
    """Have what can be played assigned to free boxes by itself, or not any more."""
    connection.execute("UPDATE tournament SET is_automatic = %s WHERE id = %s", (automatic, number))


def decide(connection: Connection[Any], number: int, body: LogBody, by: str) -> HallTournament:
    """Write what the organiser decided about a tournament, and return it as it then stands. With it goes whatever
    follows from it: pairings of a player who withdraws, or of a fixture whose result is entered, are taken back.

    Raises:
        TournamentError: It can't happen now. Nothing was written.
    """
    lock_tournaments(connection)
    before = read_hall_tournament(connection, number)
    return write_decisions(connection, before, plan(before, body), by)


def write_decisions(
    connection: Connection[Any], before: HallTournament, bodies: Sequence[LogBody], by: str
) -> HallTournament:
    """Write events that were planned for a tournament whose lock the caller holds, and return it as it then stands.
    Raises TournamentError: one of them can't happen now. Nothing was written."""
    number, count, at = before.record.number, len(before.log), datetime.now(UTC)
    entries = [LogEntry(n, at, by, body) for n, body in enumerate(bodies, count + 1)]
    names = dict(zip(before.record.keys, before.record.names, strict=True))
    names |= read_names(connection) if any(isinstance(body, HallPlayerEntered) for body in bodies) else {}
    after = compute_tournament(number, [*before.log, *entries], before.matches, names, is_automatic=before.is_automatic)
    for entry, error in after.unfitting:
        if entry.number > count:
            raise error
    write_log(connection, number, count, by, bodies)
    return after


def plan(before: HallTournament, body: LogBody) -> list[LogBody]:
    """Return the events to write for one that the organiser wants: what it was decided by, what follows from it and
    itself. The result of a fixture that has one is a correction. Raises TournamentError if the tournament is over, or
    the event is about a player or a pairing that it can't be about."""
    state = before.record.state
    if isinstance(body, TournamentResult) and state.fixture(body.fixture).outcome is not None:
        body = TournamentCorrected(**body.model_dump())
    over = not before.record.is_open
    if over and not isinstance(body, TournamentCorrected | MatchCounted | PairingTakenBack):
        raise TournamentError(N("the tournament is over"))
    _check_subject(before, body)
    bodies: list[LogBody] = [*before.pending]
    draw = None
    match body:
        case TournamentResult() | TournamentNoShow():
            bodies += _taken_back(before, [body.fixture])
            draw = draw_before(state, before.record.number, body.fixture)
        case PairingGiven():
            draw = draw_before(state, before.record.number, body.fixture)
        case MatchCounted():
            bodies += _taken_back(
                before, [given.fixture for given in before.taken_back if given.pairing == body.pairing]
            )
        case TournamentPlayerWithdrawn():
            bodies += _taken_back(before, [name for name, given in before.open.items() if body.player in given.players])
        case TournamentAbandoned():
            bodies += _taken_back(before, before.open)
    if draw is not None:
        bodies.append(draw)
    return [*bodies, body]


def _check_subject(before: HallTournament, body: LogBody) -> None:
    """Raise TournamentError if an event is about a player or a pairing that it can't be about."""
    state = before.record.state
    match body:
        case HallPlayerEntered() if body.player in before.record.keys:
            raise TournamentError(N("this player is in the tournament already"))
        case TournamentPlayerWithdrawn() if body.player not in state.remaining:
            raise TournamentError(N("this player is not in the tournament"))
        case TournamentResult() | TournamentCorrected() if {*body.winners} - {*state.fixture(body.fixture).players}:
            raise TournamentError(N("whoever won has to be one of the players"))
        case TournamentNoShow() if body.player not in state.fixture(body.fixture).players:
            raise TournamentError(N("whoever did not come has to be one of the players"))
        case PairingTakenBack() if body.pairing not in [given.pairing for given in before.open.values()]:
            raise TournamentError(N("this match is not at a table any more"))
        case MatchCounted() if body.pairing not in [given.pairing for given in before.taken_back]:
            raise TournamentError(N("this match can’t be counted"))


def _taken_back(before: HallTournament, fixtures: Iterable[FixtureId]) -> list[LogBody]:
    return [PairingTakenBack(pairing=before.open[fixture].pairing) for fixture in fixtures if fixture in before.open]
