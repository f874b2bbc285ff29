"""Journals written round by round: what each hand showed is given, and nothing is judged."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rules.catalogue import find_game
from rules.engine import Game
from rules.record.match import REFEREE
from rules.record.round import RoundView
from tests.helpers.journal_events import round_body, seat_record
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, ResultRecord
from throwlock.journal.journal import Evidence, Journal
from throwlock.replay.config import MatchConfig
from throwlock.replay.corrections import plan_correction
from throwlock.replay.project import project
from throwlock.review.archive import ArchiveOpener
from ui.web.views import MatchPage

NAMES = ("Ada", "Ben", "Chidi", "Dora", "Eve", "Fritz")
CLASSIC = find_game("classic").set_up(2, {"best_of": 5})
R, P, S = "rock", "paper", "scissors"
RESULT = ResultRecord(winners=(1,), scores={1: 3, 2: 0})


def make_hand(throw: str | None, verdict: str = "on time", **more: Any) -> dict[str, Any]:
    """Return a seat of a judgement as stored."""
    return seat_record(verdict, throw, **{"shown_ms": 30.0, "inferences": 20, "zone": [0.1, 0.2, 0.3, 0.4], **more})


class JournalBuilder:
    """Builds a match in a journal."""

    def __init__(self, path: Path, game: Game = CLASSIC) -> None:
        self.path, self.game = path, game
        self.journal = Journal(path)
        self.shelf = ArchiveOpener(path, path.parent / "cache")
        self.match = self.start_match(*NAMES[: game.setup.seats])

    def start_match(self, *names: str) -> int:
        """Start a match in the journal and return its number."""
        config = MatchConfig(self.game, names, HouseRules(), camera="clip:x")
        return self.journal.start_match(config.start_event(), names)

    def close(self) -> None:
        self.journal.close()
        self.shelf.close()

    def add_round(self, *hands: str | dict[str, Any], answers: bool | None = None, void_reason: Any = None) -> int:
        """A round of these hands; with a foul or trouble void unless ``answers``. Returns its event."""
        seats = {n: one if isinstance(one, dict) else make_hand(one) for n, one in enumerate(hands, 1)}
        fouls = [seat for seat, one in seats.items() if one["verdict"] != "on time"]
        counts = not (fouls or void_reason) if answers is None else answers
        body = round_body(
            seats,
            {seat: one["at_lock"] for seat, one in seats.items()} if counts else None,
            fouls,
            "{2} was late." if fouls else "Everyone was on time.",
            void_reason=void_reason,
            lock_frame_ms=171.5,
        )
        pictures = [Evidence("lock.jpg", "image/jpeg", b"lock"), Evidence("strip-1.jpg", "image/jpeg", b"strip")]
        return self.journal.append(self.match, body, pictures).number

    def add_answer(self, kind: str, answers: Mapping[int, Any], **more: Any) -> None:
        self.journal.append(self.match, Answered(prompt=kind, answers=dict(answers), **more))

    def correct(self, number: int, seat: int | None, to: str | None = None) -> None:
        made = plan_correction(project(self.journal.events(self.match), REFEREE), number, seat, to)
        self.journal.append(self.match, made.model_copy(update={"text": "{1} said so."}))

    def page(self) -> MatchPage:
        with self.shelf.open() as archive:
            return archive.match(self.match)

    def rounds(self) -> list[RoundView]:
        return list(self.page().view.rounds)
