"""Practising against the box: the seal binds to the throw and is shown before the count; a session at the simulated
table, with a late throw in it."""

import hashlib
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.base import CameraError
from device.camera.frames import Size
from device.simulated.controls import SimulatedSound
from device.simulated.table.camera import SimulatedTable
from device.sound.base import NullSound, Tone
from device.system.clock import SimulatedClock
from rules.catalogue import find_game
from rules.engine import Seat
from rules.record.judgement import Verdict
from rules.throws import Throw
from tests.helpers.foul_sentences import said_of
from tests.helpers.scripted_display import touch_labels
from tests.helpers.table_matches import FakeCamera, PerfectJudge
from tests.helpers.table_parts import hand_table
from throwlock.home import GameSession
from throwlock.launch_options import LaunchOptions
from throwlock.practice import (
    NONCE_BYTES,
    Commitment,
    PracticeSession,
    commit,
    practise_from_home,
    run_practice,
    verify_opening,
)
from throwlock.session import Services
from throwlock.simulation.players import SimulatedPlayers
from throwlock.simulation.scripted_fouls import ThrowPlan
from throwlock.tables.source import RoundSource
from ui.i18n.language import PSEUDO_LANGUAGE, render, set_language
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.pages.countdown import Countdown, Preparing
from ui.screen.pages.home import ChosenGame, GameMenu
from ui.screen.pages.notice import Notice
from ui.screen.pages.practice import (
    DIGITS_PER_GROUP,
    STOP_ANSWER,
    THROW_ANSWER,
    CommitmentReveal,
    CommitmentView,
    PracticeScore,
    group_digits,
)
from ui.screen.pages.reveal import Reveal
from ui.text.verdicts import YOU, void_sentence
from vision.lock.judge import Judge
from vision.zones import Zone, default_zones

MS = 1_000_000
NONCES = st.binary(min_size=NONCE_BYTES, max_size=NONCE_BYTES).map(bytes.hex)
COMMITMENTS = st.builds(Commitment, st.sampled_from(Throw), NONCES)


@given(COMMITMENTS, st.sampled_from(Throw), NONCES)
def test_seal_opens_only_to_its_own_throw_and_nonce(made: Commitment, throw: Throw, nonce: str) -> None:
    assert verify_opening(made.opening, made.seal)
    other = Commitment(throw, nonce)
    assert verify_opening(other.opening, made.seal) == (other == made)
    assert not verify_opening(Commitment(made.throw, nonce).opening, made.seal) or nonce == made.nonce


@given(COMMITMENTS, st.text())
def test_other_text_does_not_open_a_seal(made: Commitment, text: str) -> None:
    assert not verify_opening(text, made.seal)
    for bent in (made.opening + "\n", " " + made.opening, made.opening.upper(), made.opening[:-1]):
        assert not verify_opening(bent, made.seal)
    loose = "rock "  # what is not of the box's own form is none of its openings, whatever its hash
    assert not verify_opening(loose, hashlib.sha256(loose.encode()).hexdigest())


def test_the_box_draws_every_throw_and_no_nonce_twice() -> None:
    drawn = [commit() for _ in range(300)]
    assert {one.throw for one in drawn} == set(Throw)
    assert len({one.nonce for one in drawn}) == len({one.seal for one in drawn}) == 300
    assert all(verify_opening(one.opening, one.seal) for one in drawn)


def test_the_documented_command_computes_the_seal() -> None:
    made = commit()
    (command,) = re.findall(r"printf '.*' \| sha256sum", Path("docs/playing.md").read_text())
    command = re.sub("'.*'", f"'{made.opening}'", command)
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert run.stdout.split()[0] == made.seal
    assert "".join(group_digits(made.seal)) == made.seal and {len(group) for group in group_digits(made.seal)} == {
        DIGITS_PER_GROUP
    }


@dataclass
class Person:
    """A display before which somebody touches ``touches``, one after the other, and then stops."""

    touches: list[Any]
    seen: list[Any] = field(default_factory=list)

    def show(self, view: Any) -> None:
        self.seen.append(view)

    def ask(self, view: Any) -> Any:
        self.seen.append(view)
        return self.touches.pop(0) if self.touches else STOP_ANSWER

    def of(self, *kinds: type) -> list[Any]:
        return [view for view in self.seen if isinstance(view, kinds)]


class ScriptedPlayers(SimulatedPlayers):
    """Players whose plans are given, throw by throw."""

    def __init__(self, table: Any, plans_to_act: Sequence[ThrowPlan]) -> None:
        super().__init__(0, table)
        self._acts = plans_to_act

    def plans(self, seats: Sequence[Seat], number: int) -> Mapping[Seat, ThrowPlan]:
        return dict.fromkeys(seats, self._acts[number])


def practice_session(
    person: Person, plans_to_act: Sequence[ThrowPlan], draws: Sequence[Commitment]
) -> tuple[PracticeScore, SimulatedSound]:
    """A session whose judge knows what the hand was told."""
    clock, judge, left = SimulatedClock(), PerfectJudge(), list(draws)
    sound = SimulatedSound(clock)
    players = ScriptedPlayers(judge, plans_to_act)
    table = hand_table(
        FakeCamera(), default_zones(1), judge, person, clock, listener=players, sound=sound, against_box=True
    )
    return PracticeSession(RoundSource(players, (table,)), person, clock, sound, lambda: left.pop(0)).play(), sound


ROCK, PAPER, SCISSORS = (Commitment(throw, "0f" * NONCE_BYTES) for throw in Throw)


def test_seal_is_shown_before_the_count_and_hides_the_throw() -> None:
    person = Person([THROW_ANSWER, THROW_ANSWER, THROW_ANSWER, THROW_ANSWER, THROW_ANSWER])
    score, sound = practice_session(person, [ThrowPlan(Throw.PAPER, 20)] * 3, [ROCK, PAPER, SCISSORS, ROCK])
    assert score == PracticeScore(1, 1, 1)
    order = [type(view) for view in person.of(CommitmentView, Countdown, CommitmentReveal)]
    assert order[0] is CommitmentView and order.index(Countdown) < order.index(CommitmentReveal)
    first = person.of(CommitmentView)[0]
    assert first.digest == ROCK.seal and first.message == ""
    assert [opened.opening for opened in person.of(CommitmentReveal)] == [
        one.opening for one in (ROCK, PAPER, SCISSORS)
    ]
    assert all(verify_opening(opened.opening, opened.digest) for opened in person.of(CommitmentReveal))
    assert all(opened.matches for opened in person.of(CommitmentReveal))
    assert [sealed.digest for sealed in person.of(CommitmentView)[:3]] == [
        opened.digest for opened in person.of(CommitmentReveal)
    ]
    assert [opened.result for opened in person.of(CommitmentReveal)] == [
        "You win: paper beats rock.",
        "A tie: both paper.",
        "The box wins: scissors beats paper.",
    ]
    tones = [heard.tone for heard in sound.played if heard.tone in (Tone.ROUND_WON, Tone.TIE, Tone.REVEAL, Tone.FOUL)]
    assert tones == [Tone.ROUND_WON, Tone.TIE, Tone.REVEAL]


def test_void_round_is_thrown_again_under_the_same_seal() -> None:
    person = Person([THROW_ANSWER, THROW_ANSWER, STOP_ANSWER])
    plans_to_act = [ThrowPlan(Throw.PAPER, 20, half_open=True), ThrowPlan(Throw.PAPER, 20)]
    score, _ = practice_session(person, plans_to_act, [SCISSORS])
    assert score == PracticeScore(lost=1, fouls=1)
    before, after = person.of(CommitmentView)
    assert before.digest == after.digest
    assert after.message.startswith("Your hand was not rock, paper or scissors.")
    assert person.of(Reveal)[0].sentence == after.message
    assert len(person.of(CommitmentReveal)) == 1 and len(person.of(Reveal)) == 1
    assert not any(
        ROCK.nonce in repr(view) for view in person.seen[: person.seen.index(person.of(CommitmentReveal)[0])]
    )


HAND_VERDICTS = (
    *(Verdict.LATE, Verdict.EARLY, Verdict.CHANGED),
    *(Verdict.TWO_HANDS, Verdict.UNCLEAR, Verdict.UNSEEN),
)
HAND_CAUSES = (None, "half open", "not whole in its zone", "gone at the lock", "never in its zone")


@pytest.mark.parametrize("cause", HAND_CAUSES)
@pytest.mark.parametrize("verdict", HAND_VERDICTS)
@pytest.mark.parametrize("early_ms", [0.0, 80.0])
def test_sentences_about_a_foul_speak_to_who_practises(verdict: Verdict, cause: str | None, early_ms: float) -> None:
    sentence = said_of(verdict, YOU, 200.0, early_ms, Throw.ROCK, Throw.PAPER, cause)
    assert sentence.startswith(("You were ", "You changed: ", "You had ", "Your hand was "))
    named = said_of(verdict, "Ada", 200.0, early_ms, Throw.ROCK, Throw.PAPER, cause)
    assert named.startswith("Ada") and named != sentence


@pytest.mark.parametrize("kind", ["reaching over", "covered"])
def test_void_rounds_are_explained_to_who_practises(kind: str) -> None:
    assert "your zone" in void_sentence(kind, 0.5, YOU) and "Ada’s zone" in void_sentence(kind, 0.5, "Ada")


class Toucher(Person):
    """A person who touches the targets with these labels on the pages that are asked."""

    size = PANEL_SIZES[0]

    def ask(self, view: Any) -> Any:
        self.seen.append(view)
        return touch_labels(view, self.touches, self.size)


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_practice_by_touch_from_the_seal_to_its_check_and_out(size: Size) -> None:
    touches = ["Show the seal in digits", "Back", "Begin the count", "Check the seal", "Back", "Next round"]
    person = Toucher([*touches, "Begin the count", "Next round", "Stop"])
    person.size = size
    score, _ = practice_session(person, [ThrowPlan(Throw.PAPER, 20)] * 2, [ROCK, PAPER, SCISSORS])
    assert score == PracticeScore(won=1, tied=1) and person.touches == []


def test_stopping_at_the_seal_throws_nothing() -> None:
    person = Person([STOP_ANSWER])
    assert practice_session(person, [], [ROCK])[0] == PracticeScore()
    assert not person.of(Countdown, CommitmentReveal)


@pytest.mark.slow
def test_a_session_at_the_simulated_table_with_the_real_lock() -> None:
    """The person is alone, and late all the same: the box's own hand shows at the cue."""
    clock = SimulatedClock()
    camera = SimulatedTable(clock, 2, seed=5)
    camera.start()
    person = Person([THROW_ANSWER, THROW_ANSWER, STOP_ANSWER])
    plans_to_act = [ThrowPlan(Throw.PAPER, 330), ThrowPlan(Throw.PAPER, 20)]
    with Judge(seats=1) as judge:
        zones = tuple(Zone(*zone) for zone in camera.zones)[:1]
        players = ScriptedPlayers(camera, plans_to_act)
        table = hand_table(camera, zones, judge, person, clock, listener=players, against_box=True)
        score = PracticeSession(RoundSource(players, (table,)), person, clock, NullSound(), lambda: ROCK).play()
    assert score == PracticeScore(won=1, fouls=1)
    assert person.of(CommitmentView)[1].message.startswith("You were late: paper")
    opened = person.of(CommitmentReveal)[0]
    assert opened.your_throw is Throw.PAPER and opened.crop.shape[2] == 3
    assert opened.after_ms is not None and 0 <= opened.after_ms < 150


def options_for(camera: str) -> LaunchOptions:
    return LaunchOptions(Path("unused.journal"), camera)


def test_run_practice_sets_up_everything_and_reports_errors() -> None:
    person = Person([STOP_ANSWER])
    assert run_practice(options_for("simulated"), person, SimulatedClock()) == PracticeScore()
    assert [type(view) for view in person.seen] == [Preparing, CommitmentView]
    with pytest.raises(CameraError, match="a clip shows the same throw"):
        run_practice(options_for("clip:nothing.mp4"), person, SimulatedClock())
    practise_from_home(options_for("no camera of ours"), person, 1, Services())
    assert isinstance(person.seen[-1], Notice)


def test_home_page_leads_to_practice_and_back(tmp_path: Path) -> None:
    chosen = ChosenGame("classic", 2, {})
    person = Person(["practise", STOP_ANSWER, chosen])
    journal = tmp_path / "new.journal"
    session = GameSession(LaunchOptions(journal, "simulated"), person, lambda *_: None, (), 0)
    assert session.choose_game().game.setup == find_game("classic").set_up(2).setup
    assert [type(view) for view in person.seen] == [GameMenu, Preparing, CommitmentView, GameMenu]
    assert not journal.exists(), "practising keeps nothing"


def test_results_are_translated() -> None:
    set_language(PSEUDO_LANGUAGE)
    person = Person([THROW_ANSWER])
    practice_session(person, [ThrowPlan(Throw.PAPER, 20)], [ROCK])
    assert render(person.of(CommitmentReveal)[0].result).startswith("⟦You win: ⟦paper⟧")
