"""A box's services in a process of their own, for a test that changes this process's time of day (libfaketime):
``python clock_box.py JOURNAL``. Each line of its input is a JSON list, a command and its arguments; each line of its
output the answer."""

import contextlib
import io
import json
import random
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rules.catalogue import find_game
from throwlock.cli.main import run_command
from throwlock.hall.homie import BoxFacts
from throwlock.hall.journal_stream import JournalStream
from throwlock.hall.link import HallLink
from throwlock.hall.membership import read_membership
from throwlock.hub.hub import Hub
from throwlock.hub.pages.server import HallServer
from throwlock.hub.setup import read_hub_settings
from throwlock.journal.journal import Journal
from throwlock.journal.kept_frames import KeepLimit, KeptFrames, StoredFrames
from throwlock.pads.table import PadTable
from throwlock.tv.second_screen import SecondScreen
from throwlock.web.server import ReviewServer
from tools.sample_journal import SampleMatch

KEEP_HOURS = 24


class ClockBox:
    """Review pages, phones' pads and second screens of a journal, and the match that is played in it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._frames = KeptFrames(path)
        self._journal = Journal(path)
        self._match = SampleMatch(self._journal, random.Random(1), find_game("battle").set_up(3, {"changes": False}))
        pads = PadTable()
        pads.open(("Ann", "Ben", "Cy"), in_class=False, has_rounds=True)
        self._server = ReviewServer(path, lan=True, port=0, pads=pads, tv=SecondScreen())

    def start(self) -> list[str | None]:
        """Serve the pages. Return their address, and the codes of the review pages, pads and second screens."""
        self._server.start()
        return [f"http://127.0.0.1:{self._server.port}", self._server.code, self._server.pad_code, self._server.tv_code]

    def now(self) -> str:
        """Return the time of day."""
        return datetime.now(UTC).isoformat()

    def play(self, answers: int) -> int:
        """Play on in the match, and return how many events the journal has."""
        self._match.play(answers)
        return len(self._journal.events(self._match.number))

    def keep_frames(self, event: int) -> int:
        """Keep a round's frames, throw away those that are too old, and return how many that were."""
        self._frames.save(event, f"{event:064x}", StoredFrames((0.0,), {(1, 0): b"jpeg"}))
        return self._frames.trim(KeepLimit(KEEP_HOURS * 3600, 10**9))

    def join(self, file: str) -> None:
        """Link the box to the hall of this file."""
        self._link = HallLink(read_membership(Path(file)), self._path, BoxFacts)
        self._link.start()

    def hall(self) -> list[str]:
        """Return how far the link has come, and what people are told of it."""
        return [self._link.status.state, str(self._link.status.error)]

    def sendable(self) -> int:
        """Return how many events may be sent: those of a round that goes on are held."""
        stream = JournalStream(self._path)
        stream.refresh()
        return stream.newest[0]

    def run_hub(self, folder: str) -> str:
        """Run the hub of this hall's folder, and return the address of its pages."""
        settings = read_hub_settings(Path(folder))
        Hub(settings.database, settings.broker_access(1)).start()
        pages = HallServer(settings.database, host="127.0.0.1", port=0)
        pages.start()
        return f"http://127.0.0.1:{pages.port}"

    def run(self, *arguments: str) -> list[Any]:
        """Run a command, and return its exit status and output."""
        with contextlib.redirect_stdout(io.StringIO()) as output:
            status = run_command(list(arguments))
        return [status, output.getvalue()]

    def stop(self) -> int:
        """End the match and stop serving. Return how many frames are kept."""
        self._match.play()
        self._server.stop()
        self._journal.close()
        return len([*self._frames.folder.iterdir()])


def main() -> None:
    """Answer commands until the input ends."""
    box = ClockBox(Path(sys.argv[1]))
    for line in sys.stdin:
        command, *arguments = json.loads(line)
        print(json.dumps(getattr(box, command)(*arguments)), flush=True)


if __name__ == "__main__":
    main()
