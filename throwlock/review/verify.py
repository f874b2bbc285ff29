"""Verifies a journal: its tables, the events' hashes and their chain, the evidence, the names, what judged rounds led
to, and the replay of every match to its result. Evidence and names may be deleted, if an event says so.

Whoever can write the whole file can chain all of it anew. ``verify`` therefore compares proof codes that were noted
elsewhere, and says what else it can't know."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import get_args

from rules.classroom import CLASS_RULES
from rules.engine import BOX, Game, IllegalAnswerError, Play, Prompt
from rules.record.match import REFEREE
from rules.record.tournament import TournamentBody
from throwlock.journal.events import (
    Answered,
    Corrected,
    Deleted,
    EvidenceRecord,
    MatchEnded,
    MatchStarted,
    Round,
    RoundJudged,
    RoundVoided,
    decode_body,
    record_result,
)
from throwlock.journal.file import JournalDamagedError
from throwlock.journal.hash_chain import is_original_evidence, parse_proof_code, proof_code
from throwlock.journal.journal import (
    NO_MATCH,
    Event,
    EventRow,
    JournalError,
    JournalReader,
    PlayerRow,
    event_hash,
    evidence_of,
    match_started,
)
from throwlock.journal.player_names import is_original_name
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.replay.corrections import (
    CorrectionError,
    count_fouls,
    is_skipped,
    plan_break_off,
    plan_correction,
    plan_undo,
)
from throwlock.replay.project import project
from throwlock.replay.tournaments import read_tournament
from throwlock.tables.foul_policy import apply_class_rule, decide_round

KINDS_OF_NO_MATCH = frozenset(body.kind for body in (Deleted, *get_args(TournamentBody)))


@dataclass(frozen=True)
class VerificationReport:
    """What checking a journal found."""

    matches: int
    """The number of matches checked."""
    events: int
    """The number of events checked."""
    evidence: int
    """The number of pieces of evidence checked."""
    problems: tuple[str, ...]
    """A sentence for each problem."""
    code: str = ""
    """The newest event's proof code; "" without events."""
    confirmed: tuple[str, ...] = ()
    """A sentence for each proof code that was found."""
    unknown: tuple[str, ...] = ()
    """A sentence for everything else that the journal can't show."""


def verify(journal: JournalReader, codes: Sequence[str] = ()) -> VerificationReport:
    """Verify a whole journal, including the pages of its file, and that the events with the proof ``codes`` are in it.

    Raises:
        ValueError: One of the codes is no proof code.
        JournalError: The journal can't be read at all.
    """
    prefixes = {code: parse_proof_code(code) for code in codes}
    file_problems = [f"the file is damaged: {line}" for line in journal.find_damage()]
    table_problems = journal.find_foreign_tables()
    if table_problems:  # nothing is read through tables, views and triggers of somebody else
        return VerificationReport(0, 0, 0, (*table_problems, *file_problems))
    try:
        report = _verify_contents(journal, prefixes)
    except JournalDamagedError as error:
        if not file_problems:
            raise
        return VerificationReport(0, 0, 0, (*file_problems, str(error)))
    return replace(report, problems=(*report.problems, *file_problems))


def _verify_contents(journal: JournalReader, prefixes: Mapping[str, str]) -> VerificationReport:
    chain = _check_events(journal, prefixes)
    problems, newest, confirmed = chain.problems, chain.newest, chain.confirmed
    problems += [
        f"no event has the proof code {code}: an event up to it was changed, or cut off, or it is of another journal"
        for code in prefixes
        if code not in confirmed
    ]
    if chain.newest_hash != journal.last_hash():
        problems.append(f"the last event is {newest}, but it is not the last one that was written")
    written = journal.marked_tail()
    if written is not None and written[0] > newest:
        problems.append(f"{_missing_text(newest + 1, written[0])}: written before the box crashed")
    elif written is not None and journal.number_and_hash(written[0])[1] != written[1]:
        problems.append(f"event {written[0]} is not the one that was written")
    pieces, evidence_problems = _check_evidence(journal, chain)
    problems += evidence_problems
    matches = journal.matches()
    players = {row.key: row for row in journal.player_rows()}
    problems += _name_problems(players.values(), chain.forgotten)
    rounds = {row.number for row in journal.event_rows("WHERE kind IN (?, ?)", RoundJudged.kind, RoundVoided.kind)}
    problems += [f"event {event} is marked, and is no round" for event in journal.marks().keys() - rounds]
    noted = journal.notes().keys() - rounds - set(matches)
    problems += [f"event {event} has a note, and is neither a match nor a round" for event in sorted(noted)]
    if not problems:
        strangers = set(players)
        for match in matches:
            events = journal.events(match)
            problems += replay_problems(match, events)
            keys = match_started(events).player_keys
            strangers -= set(keys)
            problems += [
                f"match {match}: its player {_short(key)} is missing from the table of players"
                for key in keys
                if key not in players
            ]
        for number in journal.tournaments():
            try:
                strangers -= set(read_tournament(journal, number).keys)
            except JournalError as error:
                problems.append(str(error))
        problems += [f"player {_short(key)} was added: nobody with that key played" for key in sorted(strangers)]
    return VerificationReport(
        len(matches),
        len(chain.listed),
        pieces,
        tuple(problems),
        proof_code(chain.newest_hash) if chain.listed and not problems else "",
        tuple(_confirmed_text(code, row, newest) for code, row in confirmed.items()),
        tuple(_unknown_texts(journal, players.values(), newest, bool(confirmed))),
    )


@dataclass
class _Chain:
    """What was found in a journal's events."""

    newest_hash: str
    newest: int = 0
    """The number of the newest event."""
    problems: list[str] = field(default_factory=list)
    confirmed: dict[str, EventRow] = field(default_factory=dict)
    """The events of the proof codes."""
    listed: dict[int, Mapping[str, EvidenceRecord] | None] = field(default_factory=dict)
    """The evidence of each event by name; None for an event that can't be read."""
    started: set[int] = field(default_factory=set)
    deleted: set[int] = field(default_factory=set)
    """The events whose evidence was deleted, according to later events."""
    forgotten: set[str] = field(default_factory=set)
    """The keys of players whose names were deleted, according to later events."""


def _check_events(journal: JournalReader, prefixes: Mapping[str, str]) -> _Chain:
    """Check hashes, order, matches and form of all events."""
    chain = _Chain(journal.origin_hash())
    for row in journal.event_rows():
        if row.number > chain.newest + 1:
            chain.problems.append(_missing_text(chain.newest + 1, row.number - 1))
        elif row.previous_hash != chain.newest_hash:
            chain.problems.append(
                f"event {row.number} does not follow event {row.number - 1}: one of them was swapped or inserted"
            )
        if _expected_hash(row) != row.hash:
            chain.problems.append(f"event {row.number} ({row.kind}) was changed after it was written")
        if row.kind == MatchStarted.kind:
            chain.started.add(row.number)
        starts, of_none = row.kind == MatchStarted.kind, row.kind in KINDS_OF_NO_MATCH
        if row.match != NO_MATCH if of_none else row.match not in chain.started or starts != (row.match == row.number):
            chain.problems.append(f"event {row.number} ({row.kind}) is of match {row.match}, which it can't be of")
        try:
            body = decode_body(row.kind, row.body)
            chain.listed[row.number] = evidence_of(body)
            if isinstance(body, Deleted):
                chain.deleted |= {event for event in body.events if event < row.number}
                chain.forgotten |= set(body.players)
        except (ValueError, TypeError):
            chain.problems.append(f"event {row.number} can't be read")
            chain.listed[row.number] = None
        chain.confirmed |= {code: row for code, prefix in prefixes.items() if str(row.hash).startswith(prefix)}
        chain.newest, chain.newest_hash = row.number, row.hash
    return chain


def _name_problems(players: Iterable[PlayerRow], forgotten: Set[str]) -> Iterator[str]:
    """Yield the players whose name or salt is not the one their key was made from, or is missing without being one of
    the keys ``forgotten``."""
    for row in players:
        is_text = all(isinstance(value, str | None) for value in row)
        if not is_text or not is_original_name(*row):
            named = row.name if isinstance(row.name, str) else "forgotten"
            yield f"player {_short(row.key)} is not {named}: their name or its salt was changed, swapped or taken out"
        elif row.name is None and row.key not in forgotten:
            yield f"player {_short(row.key)} has lost their name, and no event says that they were forgotten"


def _short(key: object) -> str:
    return str(key)[:8]


def _confirmed_text(code: str, row: EventRow, newest: int) -> str:
    of_match = f" of match {row.match}" if row.match != NO_MATCH else ""
    later = {0: "none", 1: "one event"}.get(newest - row.number, f"{newest - row.number} events")
    return (
        f"{code} is event {row.number}, {row.kind}{of_match}: it and all before it are as they were "
        f"when the code was shown; {later} came later"
    )


def _unknown_texts(journal: JournalReader, players: Iterable[PlayerRow], newest: int, has_code: bool) -> Iterator[str]:
    """Yield what can't be known of a journal from the journal alone."""
    after = "after the events confirmed " if has_code else ""
    yield (
        f"whether events {after}were cut off at the end, or written anew with all their hashes: compare a proof code "
        "that somebody noted at the end of a match, with --head CODE"
    )
    yield "whether the camera saw what was thrown, and whether the clock was right"
    deleted = sum(row.data is None for row in journal.evidence_rows())
    if deleted:
        yield f"who deleted {deleted} of the images, and what they showed"
    forgotten = sum(row.name is None for row in players)
    if forgotten:
        yield f"who the {forgotten} forgotten players were"
    if journal.marks() or journal.notes():
        yield "who wrote the marks and notes, and whether they were changed or deleted since: no hash covers them"
    marked = journal.marked_tail()
    if marked is not None and marked[0] < newest:
        yield f"whether anybody saw what came after event {marked[0]}: the box was stopped at that moment"


def _missing_text(first: int, last: int) -> str:
    return f"event {first} is missing" if first == last else f"events {first} to {last} are missing"


def _expected_hash(row: EventRow) -> str | None:
    """Return the hash a row should have; None for values that Throwlock never writes."""
    try:
        return event_hash(*row[:-1])
    except (TypeError, ValueError):
        return None


def _check_evidence(journal: JournalReader, chain: _Chain) -> tuple[int, list[str]]:
    """Return the number of pieces of evidence and their problems."""
    problems = []
    left = {
        (event, name): record for event, pieces in chain.listed.items() if pieces for name, record in pieces.items()
    }
    count = 0
    for row in journal.evidence_rows():
        count += 1
        if chain.listed.get(row.event, {}) is None:
            continue
        record = left.pop((row.event, row.name), None)
        if record is None:
            problems.append(f"event {row.event}: evidence {row.name} was added later")
        elif (row.media_type, row.commitment) != (record.media_type, record.commitment):
            problems.append(f"event {row.event}: its evidence {row.name} was changed")
        elif row.salt is None and row.data is None:
            if row.event not in chain.deleted:
                problems.append(f"event {row.event}: its evidence {row.name} was deleted, and no event says so")
        elif not is_original_evidence(record.commitment, row.name, record.media_type, row.salt, row.data):
            problems.append(f"event {row.event}: its evidence {row.name} was changed")
    return count, problems + [f"event {event}: its evidence {name} is missing" for event, name in left]


def replay_problems(match: int, events: list[Event]) -> Iterator[str]:
    """Yield the problems of replaying a match from its events: answers that do not follow from what the camera saw,
    that were not asked for, or that lead to another result."""
    try:
        config = config_from_events(events)
        game, play = config.game, Play(config.game)  # not the fold: that would vouch for itself
        for count, event in enumerate(events):
            match event.body:
                case Answered() | RoundJudged() | RoundVoided() as body:
                    for problem in _answer_problems(config, play.prompt, events[:count], body):
                        yield f"match {match}: event {event.number} {problem}"
                    if not isinstance(body, RoundVoided):
                        play.answer(body.answers)
                case Corrected() as body:
                    yield from _correction_problems(game, events[:count], event.number, body)
                    play = Play(game)
                    for answers in effective_answers(events[: count + 1]).values():
                        play.answer(answers)
                case MatchEnded(result=recorded):
                    if play.result is None or record_result(play.result) != recorded:
                        yield f"match {match} does not replay to the result in event {event.number}"
    except JournalError as error:
        yield str(error)
    except IllegalAnswerError as error:
        yield f"match {match} can't be replayed: {error}"


def _answer_problems(
    config: MatchConfig, prompt: Prompt | None, earlier: Sequence[Event], body: Answered | Round
) -> Iterator[str]:
    """Yield what is wrong with an answer to the game's ``prompt`` after the ``earlier`` events of the match."""
    if prompt is None:
        yield "comes after the end of the game"
        return
    secret = prompt.is_secret if isinstance(body, RoundVoided) else body.secret
    if (body.prompt, secret) != (prompt.kind, prompt.is_secret):
        yield f"answers {body.prompt!r}, and the game asked for {prompt.kind!r}"
    if isinstance(body, Answered):
        return
    asked = {seat: options for seat, options in prompt.seats.items() if seat != BOX}
    if body.judgement.seats.keys() != asked.keys():
        yield "judges other seats than those that threw"
        return
    judgement = body.judgement.model_copy(update={"seats": {seat: body.judgement.seats[seat] for seat in asked}})
    given = body.answers if isinstance(body, RoundJudged) else None
    thrown = given and {seat: value for seat, value in given.items() if seat != BOX}
    is_untimed = judgement.first_shown_ms is None and not body.fouls
    # of a class no hand is timed, and nobody can foul
    if config.game.rules.name == CLASS_RULES.name and is_untimed and apply_class_rule(judgement) == thrown:
        return
    house_rules = config.house_rules
    fouls_before = count_fouls(earlier) if house_rules.forfeit_after else {}
    exhausted = [seat for seat in asked if house_rules.replays_exhausted(fouls_before.get(seat, 0))]
    outcome = decide_round(judgement, house_rules.on_foul, prompt.to_players(), exhausted)
    if outcome.answers != thrown:
        yield "has other answers than its judgement and the house rules lead to"
    if set(outcome.fouls) != set(body.fouls):
        yield "has other fouls than its judgement"


def _correction_problems(game: Game, earlier: Sequence[Event], number: int, body: Corrected) -> Iterator[str]:
    """Yield the problems of the correction in event ``number``, compared with computing it anew."""
    try:
        corrected = next((event.body for event in earlier if event.number == body.round), None)
        if isinstance(corrected, Answered):
            expected = plan_break_off(earlier) if is_skipped(corrected) else plan_undo(earlier)
        else:
            expected = plan_correction(project(earlier, REFEREE, game=game), body.round, body.seat, body.to)
    except (CorrectionError, IllegalAnswerError) as error:
        yield f"event {number} makes an impossible correction: {error}"
        return
    if expected.model_copy(update={"by": body.by, "text": body.text}) != body:
        yield f"event {number} has another effect on the match than its correction"
