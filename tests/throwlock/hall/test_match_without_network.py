"""A match is played as without a hall while the broker is killed, hangs or comes back: the journal is the same, and
afterwards the hub has all of it."""

import random
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from device.system.clock import SimulatedClock
from rules.catalogue import GAMES
from tests.helpers.hall_broker import HallBroker, ScriptedHub
from tests.helpers.journal_events import json_body
from tests.helpers.random_games import random_answers
from throwlock.hall.homie import BoxFacts
from throwlock.hall.link import HallLink
from throwlock.house_rules import HouseRules
from throwlock.journal.journal import Journal, JournalReader
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.replay.config import MatchConfig
from throwlock.tables.answers import ScreenAnswers
from throwlock.tables.source import RoundSource
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.views import Answer, InteractiveView, View

pytestmark = pytest.mark.slow


@dataclass
class People:
    """A display whose people answer at random; ``before_question`` is called before each."""

    before_question: Callable[[int], None] = lambda number: None
    questions: int = 0
    threads: set[str] = field(default_factory=set)

    def show(self, view: View) -> None:
        pass

    def ask(self, view: InteractiveView) -> Answer:
        if not isinstance(view, GroupQuestion):
            return None
        self.questions += 1
        self.before_question(self.questions)
        self.threads |= {thread.name for thread in threading.enumerate()}
        return dict(random_answers(view.prompt, random.Random(self.questions)))


def play(journal_path: Path, people: People) -> None:
    game = GAMES["redeux"].set_up(2, {"risk": "always", "goal": 50})
    config = MatchConfig(game, ("Ada", "Ben"), HouseRules(), 7, "simulated")
    with Journal(journal_path) as journal:
        number = journal.start_match(config.start_event(), config.names)
        clock = SimulatedClock()
        Match(
            journal,
            number,
            RoundSource(ScreenAnswers(people)),
            MatchOutput(people, clock, lambda line: None, Pace(0.0, 0.0)),
        ).play()


def bodies(journal: Path) -> list[object]:
    with JournalReader(journal) as reader:
        return [
            {name: value for name, value in json_body(event).items() if name != "players"} for event in reader.events()
        ]


def hashes(journal: Path) -> list[str]:
    with JournalReader(journal) as reader:
        return [row.hash for row in reader.event_rows()]


@pytest.mark.parametrize("trouble", ["killed and wiped", "hung"])
def test_a_match_goes_on_whatever_happens_to_the_broker(trouble: str, broker: HallBroker, tmp_path: Path) -> None:
    alone = tmp_path / "alone.journal"
    play(alone, People())
    hub = ScriptedHub(broker)
    linked = tmp_path / "linked.journal"
    link = HallLink(broker.membership, linked, BoxFacts)
    link.start()
    hub.wait_until(lambda: hub.states.get("$state") == "ready")

    def cut(number: int) -> None:
        if number == 5:  # something of the match has been stored by now
            hub.wait_until(lambda: sum(map(len, hub.copy.journals.values())) >= 2)
            if trouble == "hung":
                broker.send_signal(signal.SIGSTOP)
            else:
                broker.kill()
                broker.wipe()

    people = People(cut)
    play(linked, people)
    assert bodies(linked) == bodies(alone) and "hall" in people.threads
    if trouble == "hung":
        broker.send_signal(signal.SIGCONT)
    else:
        broker.start()
    hub.wait_until(lambda: [one.hash for events in hub.copy.journals.values() for one in events] == hashes(linked))
    link.stop()
    hub.stop()
