"""What the house makes of a judged round: replay, stand, forfeit; what is told, revealed and journaled."""

import json
from dataclasses import replace

import numpy as np
import pytest

from rules.engine import Prompt
from rules.throws import THROW_CHOICES, Throw
from tests.vision.test_evidence import CUE, FRAMES, JUDGEMENT, LEFT, MS, RIGHT
from throwlock.match.foul_policy import apply_foul_rule, fouling_seats
from throwlock.match.house_rules import FoulRule
from throwlock.match.judgement_json import judgement_to_json
from throwlock.match.verdict_text import verdict_text
from ui.text import verdicts
from vision.lock.judge import Judgement
from vision.lock.transition_time import TimeEstimate
from vision.lock.verdict import SeatVerdict, Verdict
from vision.lock.void_reasons import VoidKind, VoidReason
from vision.zones import default_zones

NAMES = {1: "Ada", 2: "Bo"}
ZONES = dict(enumerate(default_zones(2), 1))
ASK = Prompt("throw", {1: THROW_CHOICES, 2: THROW_CHOICES}, sealed=True)
STRICT, LENIENT = ASK, replace(ASK, allow_no_answer=True)
"""A game that must have every throw, and one with a rule for no throw."""
FOULS = [verdict for verdict in Verdict if verdict.foul]


def judgement(verdict: Verdict, at_lock: Throw | None = Throw.ROCK) -> Judgement:
    """Ada is on time with paper; Bo has ``verdict``."""
    if verdict in (Verdict.UNSEEN, Verdict.UNCLEAR):
        at_lock = None
    ada = SeatVerdict(1, Verdict.ON_TIME, Throw.PAPER, Throw.PAPER, TimeEstimate(CUE, MS), LEFT)
    bo = SeatVerdict(2, verdict, at_lock, at_lock, TimeEstimate(CUE + 20 * MS, MS) if at_lock else None, RIGHT)
    return Judgement(CUE, CUE, CUE + 150 * MS, 150 * MS, FRAMES[55], (ada, bo))


@pytest.mark.parametrize("house", list(FoulRule))
def test_a_round_without_a_foul_counts(house: FoulRule) -> None:
    made = judgement(Verdict.ON_TIME)
    assert apply_foul_rule(made, house, STRICT) == {1: "paper", 2: "rock"}
    assert verdict_text(made, (), True, NAMES, house) == verdicts.ALL_ON_TIME


@pytest.mark.parametrize("verdict", FOULS)
def test_replay_voids_every_foul(verdict: Verdict) -> None:
    made = judgement(verdict)
    assert apply_foul_rule(made, FoulRule.REPLAY, LENIENT) is None
    said = verdict_text(made, (2,), False, NAMES, FoulRule.REPLAY)
    assert "Bo" in said and "Ada" not in said and said.endswith(verdicts.ROUND_REPLAYED)


@pytest.mark.parametrize("verdict", FOULS)
def test_journaled_sentence_takes_any_names(verdict: Verdict) -> None:
    made, names = judgement(verdict), {1: "{2} & {name}", 2: "Bo\\1"}
    made = replace(made, seats=(made.seats[0], replace(made.seats[1], entered_zone=1)))
    kept = verdict_text(made, (2,), False, verdicts.seat_placeholders(names), FoulRule.REPLAY)
    assert "{2}" in kept and "Bo" not in kept
    assert verdicts.fill_names(kept, names) == verdict_text(made, (2,), False, names, FoulRule.REPLAY)
    assert verdicts.fill_names(kept, {}) == verdict_text(
        made, (2,), False, {1: "Player 1", 2: "Player 2"}, FoulRule.REPLAY
    )


@pytest.mark.parametrize("verdict", [Verdict.LATE, Verdict.EARLY, Verdict.CHANGED])
def test_stand_counts_what_the_lock_shows(verdict: Verdict) -> None:
    assert apply_foul_rule(judgement(verdict), FoulRule.STAND, STRICT) == {1: "paper", 2: "rock"}


@pytest.mark.parametrize("verdict", FOULS)
def test_forfeit_is_no_throw(verdict: Verdict) -> None:
    assert apply_foul_rule(judgement(verdict), FoulRule.FORFEIT, LENIENT) == {1: "paper", 2: None}
    assert verdict_text(judgement(verdict), (2,), True, NAMES, FoulRule.FORFEIT).endswith(verdicts.THROW_FORFEITED)


@pytest.mark.parametrize("house", [FoulRule.STAND, FoulRule.FORFEIT])
def test_a_game_without_a_rule_for_no_throw_throws_again(house: FoulRule) -> None:
    assert apply_foul_rule(judgement(Verdict.UNSEEN), house, STRICT) is None
    assert apply_foul_rule(judgement(Verdict.UNSEEN), house, LENIENT) == {1: "paper", 2: None}


def test_missing_hand_is_a_time_out_if_the_game_has_a_rule() -> None:
    timed = replace(ASK, seconds=10.0)
    assert apply_foul_rule(judgement(Verdict.UNSEEN), FoulRule.REPLAY, timed) == {1: "paper", 2: None}
    assert apply_foul_rule(judgement(Verdict.LATE), FoulRule.REPLAY, timed) is None


def test_round_without_any_throw_is_void() -> None:
    both = judgement(Verdict.UNSEEN)
    nobody = Judgement(CUE, None, CUE + 150 * MS, 150 * MS, FRAMES[55], (both.seats[1], both.seats[1]))
    for house in FoulRule:
        assert apply_foul_rule(nobody, house, LENIENT) is None


def test_judgement_is_json_in_ms_after_the_cue() -> None:
    kept = json.loads(json.dumps(judgement_to_json(JUDGEMENT, ZONES)))
    assert (kept["first_shown_ms"], kept["lock_ms"], kept["window_ms"]) == (0, 150, 150)
    assert kept["seats"]["2"]["shown_ms"] == 330 and kept["seats"]["2"]["verdict"] == "late"
    assert np.isclose(kept["lock_frame_ms"], 150)


@pytest.mark.parametrize("house", list(FoulRule))
@pytest.mark.parametrize("kind", list(VoidKind))
def test_void_reason_voids_a_round_without_a_foul(house: FoulRule, kind: VoidKind) -> None:
    made = replace(
        judgement(Verdict.LATE), void_reason=VoidReason(kind, 2 if kind is VoidKind.REACHING else None, 0.06)
    )
    assert apply_foul_rule(made, house, LENIENT) is None and fouling_seats(made, LENIENT) == ()
    said = verdict_text(made, (), False, NAMES, house)
    assert verdicts.NO_FOUL in said and said.endswith(verdicts.ROUND_REPLAYED) and "late" not in said
    assert ("Bo" in said) == (kind is VoidKind.REACHING)
    kept = json.loads(json.dumps(judgement_to_json(made, ZONES)))
    assert kept["void_reason"] == {
        "kind": str(kind),
        "seat": 2 if kind is VoidKind.REACHING else None,
        "measured": 0.06,
    }


def test_hidden_hand_is_unreadable() -> None:
    """Somebody is to blame, but not Ada, whose throw nobody could see."""
    made = judgement(Verdict.WRONG_ZONE)
    hidden = replace(
        made, seats=(replace(made.seats[0], throw=None, at_lock=None), replace(made.seats[1], entered_zone=1))
    )
    assert fouling_seats(hidden, LENIENT) == (2,)
    assert all(apply_foul_rule(hidden, house, LENIENT) is None for house in FoulRule)
    assert "Bo's hand was in Ada's zone" in verdict_text(hidden, (2,), False, NAMES, FoulRule.STAND)
    assert json.loads(json.dumps(judgement_to_json(hidden, ZONES)))["seats"]["2"]["entered_zone"] == 1
