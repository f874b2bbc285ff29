"""Practising against the box: the seal binds to the throw and is shown before the count; a session at the simulated
table, with a late throw in it."""

import hashlib
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.base import CameraError
from device.simulated.sound import SimulatedSound
from device.simulated.table.table import SimulatedTable
from device.sound.sound import Tone
from device.system.clock import JumpingClock
from rules.engine import Seat
from rules.throws import Throw
from tests.throwlock.match.test_match import FewFrames, SeesAll
from throwlock.launch_options import Wanted
from throwlock.match.house_rules import House
from throwlock.match.practice import NONCE_BYTES, BoxToo, Commitment, Practise, commit, opens
from throwlock.practice_runner import practise_at, practise_from_home
from throwlock.review.lan_switch import Network
from throwlock.session import Evening
from throwlock.settings.model import Settings
from throwlock.simulation.players import SimulatedPlayers
from throwlock.simulation.scripted_fouls import Plan
from throwlock.tables.hands import Table
from ui.i18n.language import MARKED, said, use
from ui.screen.pages.practice.view import GROUP, STOP, THROW, Opened, Score, Sealed, by_hand, grouped
from ui.screen.pages.views import Cadence, Choosing, Chosen, Notice, Reveal, Waiting
from vision.zones import Zone, spread

MS = 1_000_000
NONCES = st.binary(min_size=NONCE_BYTES, max_size=NONCE_BYTES).map(bytes.hex)
COMMITMENTS = st.builds(Commitment, st.sampled_from(Throw), NONCES)


@given(COMMITMENTS, st.sampled_from(Throw), NONCES)
def test_a_seal_opens_to_its_own_throw_and_nonce_only(made: Commitment, throw: Throw, nonce: str) -> None:
    assert opens(made.opening, made.seal)
    other = Commitment(throw, nonce)
    assert opens(other.opening, made.seal) == (other == made)
    assert not opens(Commitment(made.throw, nonce).opening, made.seal) or nonce == made.nonce


@given(COMMITMENTS, st.text())
def test_nothing_else_opens_a_seal(made: Commitment, text: str) -> None:
    assert not opens(text, made.seal)
    for bent in (made.opening + "\n", " " + made.opening, made.opening.upper(), made.opening[:-1]):
        assert not opens(bent, made.seal)
    loose = "rock "  # what is not of the box's own form is none of its openings, whatever its hash
    assert not opens(loose, hashlib.sha256(loose.encode()).hexdigest())


def test_the_box_draws_every_throw_and_no_nonce_twice() -> None:
    drawn = [commit() for _ in range(300)]
    assert {one.throw for one in drawn} == set(Throw)
    assert len({one.nonce for one in drawn}) == len({one.seal for one in drawn}) == 300
    assert all(opens(one.opening, one.seal) for one in drawn)


def test_the_seal_is_made_again_by_the_command_that_is_shown() -> None:
    made = commit()
    run = subprocess.run(["sh", "-c", by_hand(made.opening)], capture_output=True, text=True, check=True)
    assert run.stdout.split()[0] == made.seal
    assert "".join(grouped(made.seal)) == made.seal and {len(group) for group in grouped(made.seal)} == {GROUP}


@dataclass
class Person:
    """A display before which somebody touches ``touches``, one after the other, and then stops."""

    touches: list[Any]
    seen: list[Any] = field(default_factory=list)

    def show(self, view: Any) -> None:
        self.seen.append(view)

    def ask(self, view: Any) -> Any:
        self.seen.append(view)
        return self.touches.pop(0) if self.touches else STOP

    def of(self, *kinds: type) -> list[Any]:
        return [view for view in self.seen if isinstance(view, kinds)]


class Acting(SimulatedPlayers):
    """Players whose plans are given, throw by throw."""

    def __init__(self, table: Any, acts: Sequence[Plan]) -> None:
        super().__init__(0, table)
        self._acts = acts

    def plans(self, seats: Sequence[Seat], number: int) -> Mapping[Seat, Plan]:
        return dict.fromkeys(seats, self._acts[number])


def sitting(person: Person, acts: Sequence[Plan], draws: Sequence[Commitment]) -> tuple[Score, SimulatedSound]:
    """A session whose judge knows what the hand was told."""
    clock, judge, left = JumpingClock(), SeesAll(), list(draws)
    sound = SimulatedSound(clock)
    seen: Any = judge
    table = Table(FewFrames(), spread(1), seen, person, clock, House(), Acting(judge, acts), sound=sound)
    return Practise(table, lambda: left.pop(0)).play(), sound


ROCK, PAPER, SCISSORS = (Commitment(throw, "0f" * NONCE_BYTES) for throw in Throw)


def test_the_seal_is_shown_before_the_count_and_tells_nothing_of_the_throw() -> None:
    person = Person([THROW, THROW, THROW, THROW, THROW])
    score, sound = sitting(person, [Plan(Throw.PAPER, 20)] * 3, [ROCK, PAPER, SCISSORS, ROCK])
    assert score == Score(1, 1, 1)
    order = [type(view) for view in person.of(Sealed, Cadence, Opened)]
    assert order[0] is Sealed and order.index(Cadence) < order.index(Opened)
    first = person.of(Sealed)[0]
    assert first.seal == ROCK.seal and first.said == ""
    assert [opened.opening for opened in person.of(Opened)] == [one.opening for one in (ROCK, PAPER, SCISSORS)]
    assert all(opens(opened.opening, opened.seal) for opened in person.of(Opened))
    assert [sealed.seal for sealed in person.of(Sealed)[:3]] == [opened.seal for opened in person.of(Opened)]
    assert [opened.result for opened in person.of(Opened)] == [
        "You win: paper beats rock.",
        "A tie: both paper.",
        "The box wins: scissors beats paper.",
    ]
    told = [heard.tone for heard in sound.heard if heard.tone in (Tone.WIN, Tone.LOCK, Tone.FOUL)]
    assert told == [Tone.WIN, Tone.LOCK, Tone.LOCK]


def test_a_void_round_is_thrown_again_under_the_same_seal_which_stays_closed() -> None:
    person = Person([THROW, THROW, STOP])
    acts = [Plan(Throw.PAPER, 20, half_open=True), Plan(Throw.PAPER, 20)]
    score, _ = sitting(person, acts, [SCISSORS])
    assert score == Score(lost=1, fouls=1)
    before, after = person.of(Sealed)
    assert before.seal == after.seal and "none of the three" in after.said
    assert len(person.of(Opened)) == 1 and len(person.of(Reveal)) == 1
    assert not any(ROCK.nonce in repr(view) for view in person.seen[: person.seen.index(person.of(Opened)[0])])


def test_who_stops_at_the_seal_has_thrown_nothing() -> None:
    person = Person([STOP])
    assert sitting(person, [], [ROCK])[0] == Score()
    assert not person.of(Cadence, Opened)


def test_a_session_at_the_simulated_table_with_the_real_lock() -> None:
    """The person is alone, and late all the same: the box's own hand shows at the cue."""
    clock = JumpingClock()
    camera = SimulatedTable(clock, 2, seed=5)
    camera.start()
    person = Person([THROW, THROW, STOP])
    acts = [Plan(Throw.PAPER, 330), Plan(Throw.PAPER, 20)]
    with BoxToo(seats=1) as judge:
        zones = tuple(Zone(*zone) for zone in camera.zones)[:1]
        table = Table(camera, zones, judge, person, clock, House(), Acting(camera, acts))
        score = Practise(table, lambda: ROCK).play()
    assert score == Score(won=1, fouls=1)
    assert person.of(Sealed)[1].said.startswith("Player 1 was late: paper")
    opened = person.of(Opened)[0]
    assert opened.yours is Throw.PAPER and opened.crop.shape[2] == 3
    assert opened.after_ms is not None and 0 <= opened.after_ms < 150


def test_the_tool_sets_all_of_it_up_and_says_what_is_wrong() -> None:
    person = Person([STOP])
    assert practise_at(person, "simulated", Settings(), JumpingClock()) == Score()
    assert [type(view) for view in person.seen] == [Waiting, Sealed]
    with pytest.raises(CameraError, match="a clip throws the same"):
        practise_at(person, "clip:nothing.mp4", Settings(), JumpingClock())
    practise_from_home(person, "no camera of ours", Settings(), 1)
    assert isinstance(person.seen[-1], Notice)


def test_the_first_page_leads_there_and_back(tmp_path: Path) -> None:
    wanted = Chosen("classic", 2, {})
    person = Person(["practise", STOP, wanted])
    journal = tmp_path / "new.journal"
    with Network(journal, port=0) as network:
        assert Evening(Wanted(journal, "simulated"), person, lambda *_: None, (), 0).at_home(network) == wanted
    assert [type(view) for view in person.seen] == [Choosing, Waiting, Sealed, Choosing]
    assert not journal.exists(), "practising keeps nothing"


def test_what_is_said_is_said_in_the_language_spoken() -> None:
    use(MARKED)
    try:
        person = Person([THROW])
        sitting(person, [Plan(Throw.PAPER, 20)], [ROCK])
        assert said(person.of(Opened)[0].result).startswith("⟦You win: ⟦paper⟧")
    finally:
        use("en")
