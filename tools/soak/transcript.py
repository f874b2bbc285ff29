"""Compares what a player process wrote down with what is in the journal."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules.engine import GameEvent, Play, Result
from throwlock.journal.events import Answered, MatchEnded, RoundJudged, RoundVoided
from throwlock.journal.hash_chain import parse_proof_code
from throwlock.journal.journal import Event, JournalError, JournalReader
from throwlock.replay.config import config_from_events
from throwlock.review.verify import verify
from ui.text import verdicts

Line = Mapping[str, Any]
WARNING_NOT_ERASED = "a refused transaction may still be in the log"
"""What the journal logs when the disk takes no write at all any more, not even the one that erases what it refused."""


@dataclass
class Findings:
    """What was compared, and what was wrong with it, each a sentence."""

    shown: int = 0
    written: int = 0
    refused: int = 0
    came_back: int = 0
    problems: list[str] = field(default_factory=list)


def read_transcript(path: Path) -> list[Line]:
    """Return the lines of a transcript; its last one may have been cut off."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line[-1] == "\n"]


def compare(lines: Sequence[Line], journal: Path, expected: Sequence[Any] | None = None) -> Findings:
    """Compare a transcript with the journal at its end, which must hold all that was written and shown. ``expected`` is
    the journal's ``history`` if nothing had happened to it."""
    findings = Findings()
    findings.problems += _continuity_problems(lines, findings)
    try:
        with JournalReader(journal) as reader:
            findings.problems += verify(reader).problems
            events = reader.events()
            matches = [reader.events(match) for match in reader.matches()]
    except JournalError as error:
        findings.problems.append(f"the journal can't be read: {error}")
        return findings
    hashes = {event.number: event.hash for event in events}
    for line in lines:
        if line["kind"] == "written":
            findings.written += 1
            if hashes.get(line["number"]) != line["hash"]:
                findings.problems.append(f"event {line['number']} was written and is lost")
    findings.problems += shown_problems(lines, events, [*_pages(matches)], findings)
    if expected is not None and [*map(_comparable, events)] != [*expected]:
        findings.problems.append("a match went on otherwise than without any fault")
    return findings


def history(journal: Path) -> list[Any]:
    """Return the kinds and bodies of all events, without images and whatever differs from journal to journal. Raises
    JournalError."""
    with JournalReader(journal) as reader:
        return [_comparable(event) for event in reader.events()]


def _comparable(event: Event) -> Any:
    body = event.body.model_dump(mode="json", exclude={"evidence", "players"})
    return event.kind, event.match, body, event.names


def _continuity_problems(lines: Sequence[Line], findings: Findings) -> Iterator[str]:
    """Yield where a restart found another newest event than the one before had left."""
    newest: tuple[int, str] = (0, "")
    is_trying = may_be_there = False
    for line in lines:
        kind = line["kind"]
        if kind == "try":
            is_trying = True
        elif kind == "warning":
            may_be_there |= line["text"].startswith(WARNING_NOT_ERASED)
        elif kind == "not written":
            is_trying = False
        elif kind == "refused":
            findings.refused += 1
            yield from _refusal_problems(line)
        elif kind == "failed":
            yield f"not an error of the journal: {line['error']}"
        elif kind in ("opened", "written"):
            if kind == "opened" and (problem := _restart_problem(line, newest, is_trying or may_be_there)):
                yield problem
            elif kind == "opened" and line["number"] > newest[0] and not is_trying:
                findings.came_back += 1
            newest, is_trying, may_be_there = (line["number"], line["hash"]), False, False


def _refusal_problems(line: Line) -> Iterator[str]:
    if line["damaged"]:
        yield f"nothing is damaged, and yet: {line['error']}"
    if "\n" in line["error"]:
        yield f"the message has several lines: {line['error']!r}"


def _restart_problem(line: Line, newest: tuple[int, str], one_more_is_fine: bool) -> str | None:
    """Return what is wrong with the newest event that a restart found; ``newest`` is the one before it."""
    more = line["number"] - newest[0]
    if more < 0:
        return f"event {newest[0]} is lost after a restart"
    if more > 1 or (more == 1 and not one_more_is_fine):
        return f"event {newest[0] + 1} was refused, and is there after a restart"
    if more == 0 and line["hash"] != newest[1]:
        return f"event {newest[0]} is another one after a restart"
    return None


@dataclass
class Page:
    """What may be shown once an event is written."""

    event: Event
    names: Mapping[int, str]
    messages: Sequence[GameEvent]
    result: Result | None
    is_first: bool

    def differs_from(self, line: Line) -> bool:
        """Return whether a page that was shown is another one."""
        body = self.event.body
        match line["page"]:
            case "reveal":
                return not isinstance(body, RoundJudged | RoundVoided) or _seats(body) != line["seats"]
            case "message":
                sentences = {str(one) for event in self.messages for one in verdicts.event_sentences(event, self.names)}
                return not set(line["sentences"]) <= sentences
            case "result":
                sentence = self.result and str(verdicts.result_sentence(self.result, self.names))
                is_end = isinstance(body, MatchEnded) and line["proof_code"] == line["code"]
                return not is_end or sentence != line["sentence"]
        return False


def _seats(body: RoundJudged | RoundVoided) -> dict[str, list[Any]]:
    judgement = body.judgement
    return {
        str(seat): [
            [throw for throw in one.shown_throws if throw],
            judgement.displayed_verdict(seat),
            judgement.after_first_ms(seat),
        ]
        for seat, one in judgement.seats.items()
    }


def _pages(matches: Sequence[Sequence[Event]]) -> Iterator[Page]:
    for events in matches:
        config = config_from_events(events)
        names, play = dict(enumerate(config.names, 1)), Play(config.game)  # what was shown came from the fold
        messages: Sequence[GameEvent] = tuple(play.events)
        for event in events:
            if event is not events[0]:
                messages = play.answer(event.body.answers) if isinstance(event.body, Answered | RoundJudged) else ()
            public = [one for one in messages if one.only is None]
            yield Page(event, names, public, play.result, event is events[0])


def shown_problems(
    lines: Sequence[Line], events: Sequence[Event], pages: Sequence[Page], findings: Findings
) -> Iterator[str]:
    """Yield what was shown and is not in the journal, or not so, or not once, or not in this order."""
    by_code = {event.hash[:25]: event.number for event in events}
    by_number = {page.event.number: page for page in pages}
    times: Counter[tuple[Any, ...]] = Counter()
    last = 0
    for line in lines:
        if line["kind"] != "shown" or line["page"] == "notice":
            continue
        findings.shown += 1
        number = by_code.get(parse_proof_code(line["code"]))
        if number is None:
            yield f"a {line['page']} was shown, and its event {line['code']} is lost"
            continue
        if number < last:
            yield f"event {number} was shown after event {last}"
        last, page = number, by_number[number]
        if page.differs_from(line):
            yield f"the {line['page']} shown after event {number} does not follow from it: {line}"
        key = number, line["page"], *line.get("sentences", ())
        times[key] += 1
        if times[key] > 1 and not page.is_first:
            yield f"the {line['page']} of event {number} was shown twice"
