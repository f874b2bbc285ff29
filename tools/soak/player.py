"""The process that is killed: it plays matches with a journal and writes down everything at the moment it is shown.

``python -m tools.soak.player`` reads a ``Task`` as JSON from each line of its input and starts a process for it,
without loading Python anew. It prints that process's id and, once it has ended, its exit status; until the next line
that process can still be killed by its id without harm to another."""

import json
import logging
import os
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from typing_extensions import override

from device.system.clock import SimulatedClock
from rules.catalogue import GAMES
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Body, MatchStarted
from throwlock.journal.file import JournalDamagedError
from throwlock.journal.journal import Event, Evidence, Journal, JournalError
from throwlock.match.match import Match
from throwlock.replay.config import MatchConfig
from throwlock.seating import new_match_config
from tools.soak.curve import MATCH_CYCLE, resume_match
from ui.screen.core.display import Display
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.showdown import Showdown
from ui.text import verdicts

DONE, REFUSED, FAILED = 0, 3, 4
"""Exit status: all matches are played; the journal can't be written; an error that should not happen."""
RETRY_DELAY_S = 0.02


@dataclass(frozen=True)
class Task:
    """Matches to play with one journal."""

    journal: str
    """The journal's path."""
    transcript: str
    """The path of the file in which each event tried or written is noted."""
    first: int
    """The number of the first match among all matches of the run."""
    matches: int
    """How many to play."""
    retries: int = 0
    """How many times to try again after an error of the journal."""


def soak_config(number: int) -> MatchConfig:
    """Return the configuration of match ``number`` of all."""
    game, seats, options = MATCH_CYCLE[number % len(MATCH_CYCLE)]
    return new_match_config(GAMES[game].set_up(seats, options), (), HouseRules(), number, "simulated")


class Transcript(logging.Handler):
    """Writes a line of JSON for each thing that happens, in one call, so that it outlives the process."""

    def __init__(self, path: Path) -> None:
        super().__init__(logging.WARNING)
        self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def write(self, kind: str, **fields: Any) -> None:
        """Write one line."""
        os.write(self._handle, f"{json.dumps({'kind': kind, **fields})}\n".encode())

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self.write("warning", text=record.getMessage())


class TranscriptJournal(Journal):
    """A journal that writes down which events were tried and written."""

    def __init__(self, path: Path, transcript: Transcript) -> None:
        self._transcript = transcript
        super().__init__(path)

    @override
    def start_match(self, body: MatchStarted, names: Sequence[str | None]) -> int:
        with self._try():
            number = super().start_match(body, names)
        self._transcript.write("written", number=number, hash=self._newest[1])
        return number

    @override
    def append(self, match: int, body: Body, evidence: Sequence[Evidence] = ()) -> Event:
        with self._try():
            event = super().append(match, body, evidence)
        self._transcript.write("written", number=event.number, hash=event.hash)
        return event

    @contextmanager
    def _try(self) -> Iterator[None]:
        """Write down that an event is tried, and if it is refused."""
        self._transcript.write("try")
        try:
            yield
        except JournalError:
            self._transcript.write("not written")
            raise


class TranscriptDisplay(Display):
    """A display that writes down what it shows, with the proof code of the match's newest event at that moment."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self.match: Match | None = None

    def _write(self, page: str, **fields: Any) -> None:
        code = self.match.proof_code if self.match else None
        self._transcript.write("shown", page=page, code=code, **fields)

    @override
    def show(self, view: Any) -> None:
        match view:
            case Reveal():
                seats = {one.seat: [list(map(str, one.throws)), one.verdict, one.timed_ms]
                         for one in view.seats}  # fmt: skip
                self._write("reveal", seats=seats)
            case Showdown():
                lines = [*(one.sentence for one in view.cards), view.outcome]
                self._write("message", sentences=[str(line) for line in lines])
            case GameMessage():
                self._write("message", sentences=[str(one) for one in view.sentences])
            case MatchResult():
                self._write("result", sentence=str(view.sentence), proof_code=view.proof_code)
            case Notice():
                self._write("notice", text=str(view.text))

    @override
    def ask(self, view: Any) -> Any:
        self.show(view)
        return view.choices[0] if isinstance(view, Notice) and view.choices else None


def play_task(task: Task) -> int:
    """Play the matches of a task that are not in its journal yet, and return the exit status."""
    transcript = Transcript(Path(task.transcript))
    logging.getLogger().addHandler(transcript)
    retries = task.retries
    while True:
        try:
            if _play_next(task, transcript):
                return DONE
        except JournalError as error:
            transcript.write("refused", error=str(error), damaged=isinstance(error, JournalDamagedError))
            if not retries:
                return REFUSED
            retries -= 1
            time.sleep(RETRY_DELAY_S)
        except Exception:  # whatever else goes wrong is a fault of the program
            transcript.write("failed", error=traceback.format_exc())
            return FAILED


def _play_next(task: Task, transcript: Transcript) -> bool:
    """Play the next match, or the rest of one; return whether there is none left."""
    with TranscriptJournal(Path(task.journal), transcript) as journal:
        number, newest_hash = journal.number_and_hash()
        transcript.write("opened", number=number, hash=newest_hash)
        done = len(journal.matches()) - (journal.unfinished_match() is not None)
        if done == task.matches:
            return True
        clock, display = SimulatedClock(), TranscriptDisplay(transcript)
        match = resume_match(journal, soak_config(task.first + done), display, clock, lambda line: None)
        display.match = match
        result = match.play()
        sentence = verdicts.result_sentence(result, match.names)
        display.show(
            MatchResult(match.players(), result, sentence, proof_code=match.proof_code, match_number=match.number)
        )
    return False


def main() -> None:
    """Start a process for each line of the input."""
    while line := sys.stdin.readline():
        pid = os.fork()
        if pid == 0:
            os._exit(play_task(Task(**json.loads(line))))
        print(pid, flush=True)
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert ended is not None
        print(-ended.si_status if ended.si_code != os.CLD_EXITED else ended.si_status, flush=True)
        sys.stdin.readline()  # nobody will kill it any more
        os.waitpid(pid, 0)


def encode_task(task: Task) -> str:
    """Return a task as a line for the input of this module."""
    return json.dumps(asdict(task))


if __name__ == "__main__":
    main()
