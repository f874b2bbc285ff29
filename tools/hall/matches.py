"""What simulated boxes play: matches of the hall for real, without a camera, and recorded matches over and over."""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from device.system.clock import SimulatedClock
from rules.catalogue import GAMES, find_game
from rules.engine import Value
from throwlock.hall.protocol import Pairing
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, Body, HallMatch, MatchStarted, Round
from throwlock.journal.journal import Event, Journal, JournalReader, match_started, renumber_references
from throwlock.replay.config import MatchConfig
from throwlock.seating import new_match_config
from tools.soak.curve import resume_match
from ui.screen.core.display import NullDisplay

OPEN_GAMES: Sequence[tuple[str, int, dict[str, Value]]] = (
    ("classic", 2, {"best_of": 3}),
    ("redeux", 2, {"risk": "never"}),
    ("classic", 4, {}),
    ("tr", 2, {}),
)
"""Games, players and options without an answer that is secret for longer than a moment: a box may send each event at
once."""
SECRET_GAMES: Sequence[tuple[str, int, dict[str, Value]]] = (
    ("redeux", 2, {"risk": "always", "goal": 20}),
    ("future", 2, {}),
    ("battle", 3, {"free": 1}),
)
"""Those with sealed bets, cards or choices: a box holds its events back until the game reveals them."""


def play_match(journal: Journal, config: MatchConfig) -> None:
    """Play a match, or the journal's unfinished one, to its end: the real rules, match and journal, with simulated
    players and no camera. It takes a few hundredths of a second."""
    resume_match(journal, config, NullDisplay(), SimulatedClock(), lambda line: None).play()


def play_pairing(journal: Journal, pairing: Pairing, seed: int) -> None:
    """Play a match that the hub gave out, as ``play_match`` does."""
    names, players = [player.name for player in pairing.players], tuple(player.id for player in pairing.players)
    game = find_game(pairing.game).set_up(len(players), pairing.options)
    config = new_match_config(game, names, HouseRules(), seed, "simulated")
    started = config.start_event().model_copy(update={"hall": HallMatch(pairing=pairing.id, players=players)})
    journal.start_match(started, config.names)
    play_match(journal, config)


def played_pairings(journal: Journal) -> set[str]:
    """Return the pairings that the journal has matches of."""
    bodies = [event.body for event in journal.events_of_kinds(MatchStarted)]
    return {body.hall.pairing for body in bodies if isinstance(body, MatchStarted) and body.hall}


def record_matches(folder: Path, copies: int, *, secret: bool, seed: int = 0) -> list["RecordedMatch"]:
    """Play ``copies`` matches of each open game, and of each secret one if wanted, in a new journal in ``folder``, and
    return them."""
    games = [*OPEN_GAMES, *(SECRET_GAMES if secret else ())]
    with Journal(folder / "recorded.journal") as journal:
        for number, (name, seats, options) in enumerate(games * copies):
            game = GAMES[name].set_up(seats, options)
            play_match(journal, new_match_config(game, (), HouseRules(), seed + number, "simulated"))
    with JournalReader(folder / "recorded.journal") as reader:
        return [RecordedMatch(reader.events(match)) for match in reader.matches()]


@dataclass(frozen=True)
class RecordedMatch:
    """All events of a match that was played."""

    events: Sequence[Event]


class MatchRepeater:
    """Plays recorded matches, chosen by ``seed``, again into a journal, one event at a time: as events of their own,
    without images."""

    def __init__(self, journal: Journal, matches: Sequence[RecordedMatch], seed: int) -> None:
        self.journal = journal
        self._matches = matches
        self._rng = random.Random(seed)
        self._left: Iterator[Event] = iter(())
        self._numbers: dict[int, int] = {}
        self._match = 0
        self.is_between_matches = True

    def commit_next(self) -> Event:
        """Commit the next event, and return it."""
        old = next(self._left, None)
        if old is None:
            chosen = self._rng.choice(self._matches)
            first, self._left = chosen.events[0], iter(chosen.events[1:])
            self._match = self.journal.start_match(match_started(chosen.events), first.names)
            self._numbers = {first.number: self._match}
            self.is_between_matches = False
            new = self.journal.event(self._match)
            assert new is not None  # it was written just now
            return new
        new = self.journal.append(self._match, without_evidence(renumber_references(old.body, self._numbers)))
        self._numbers[old.number] = new.number
        self._peek()
        return new

    def finish_match(self) -> None:
        """Commit the rest of a match that was begun."""
        while not self.is_between_matches:
            self.commit_next()

    def _peek(self) -> None:
        following = next(self._left, None)
        self.is_between_matches = following is None
        self._left = iter(()) if following is None else itertools.chain([following], self._left)


def without_evidence(body: Body) -> Body:
    """Return a body without the images that it names."""
    return body.model_copy(update={"evidence": {}}) if isinstance(body, Answered | Round) else body
