"""What the house makes of a judged round: replay, stand, forfeit; what is told, revealed and journaled."""

import json
from dataclasses import replace

import numpy as np
import pytest
from test_evidence import CUE, FRAMES, JUDGEMENT, LEFT, MS, RIGHT

from rules.engine import Ask
from rules.throws import THROWS, Throw
from throwlock.match.foul_policy import ruled, to_blame
from throwlock.match.house_rules import OnFoul
from throwlock.match.judgement_json import judged
from throwlock.match.verdict_text import said_of
from ui.text import verdicts
from vision.lock.judge import Judgement
from vision.lock.transition_time import Instant
from vision.lock.verdict import SeatVerdict, Verdict
from vision.lock.void_reasons import Trouble, TroubleKind
from vision.zones import spread

NAMES = {1: "Ada", 2: "Bo"}
ZONES = dict(enumerate(spread(2), 1))
ASK = Ask("throw", {1: THROWS, 2: THROWS}, sealed=True)
STRICT, LENIENT = ASK, replace(ASK, no_answer=True)
"""A game that must have every throw, and one with a rule for no throw."""
FOULS = [verdict for verdict in Verdict if verdict.foul]


def judgement(verdict: Verdict, at_lock: Throw | None = Throw.ROCK) -> Judgement:
    """Ada is on time with paper; Bo has ``verdict``."""
    if verdict in (Verdict.UNSEEN, Verdict.UNCLEAR):
        at_lock = None
    ada = SeatVerdict(1, Verdict.ON_TIME, Throw.PAPER, Throw.PAPER, Instant(CUE, MS), LEFT)
    bo = SeatVerdict(2, verdict, at_lock, at_lock, Instant(CUE + 20 * MS, MS) if at_lock else None, RIGHT)
    return Judgement(CUE, CUE, CUE + 150 * MS, 150 * MS, FRAMES[55], (ada, bo))


@pytest.mark.parametrize("house", list(OnFoul))
def test_a_round_without_a_foul_counts(house: OnFoul) -> None:
    made = judgement(Verdict.ON_TIME)
    assert ruled(made, house, STRICT) == {1: "paper", 2: "rock"}
    assert said_of(made, (), True, NAMES, house) == verdicts.ALL_ON_TIME


@pytest.mark.parametrize("verdict", FOULS)
def test_replay_voids_every_foul(verdict: Verdict) -> None:
    made = judgement(verdict)
    assert ruled(made, OnFoul.REPLAY, LENIENT) is None
    said = said_of(made, (2,), False, NAMES, OnFoul.REPLAY)
    assert "Bo" in said and "Ada" not in said and said.endswith(verdicts.THROWN_AGAIN)


@pytest.mark.parametrize("verdict", FOULS)
def test_a_kept_sentence_is_told_with_any_names(verdict: Verdict) -> None:
    made, names = judgement(verdict), {1: "{2} & {name}", 2: "Bo\\1"}
    made = replace(made, seats=(made.seats[0], replace(made.seats[1], into=1)))
    kept = said_of(made, (2,), False, verdicts.places(names), OnFoul.REPLAY)
    assert "{2}" in kept and "Bo" not in kept
    assert verdicts.named(kept, names) == said_of(made, (2,), False, names, OnFoul.REPLAY)
    assert verdicts.named(kept, {}) == said_of(made, (2,), False, {1: "Player 1", 2: "Player 2"}, OnFoul.REPLAY)


@pytest.mark.parametrize("verdict", [Verdict.LATE, Verdict.EARLY, Verdict.CHANGED])
def test_stand_counts_what_the_lock_shows(verdict: Verdict) -> None:
    assert ruled(judgement(verdict), OnFoul.STAND, STRICT) == {1: "paper", 2: "rock"}


@pytest.mark.parametrize("verdict", FOULS)
def test_forfeit_is_no_throw(verdict: Verdict) -> None:
    assert ruled(judgement(verdict), OnFoul.FORFEIT, LENIENT) == {1: "paper", 2: None}
    assert said_of(judgement(verdict), (2,), True, NAMES, OnFoul.FORFEIT).endswith(verdicts.FORFEITED)


@pytest.mark.parametrize("house", [OnFoul.STAND, OnFoul.FORFEIT])
def test_a_game_without_a_rule_for_no_throw_throws_again(house: OnFoul) -> None:
    assert ruled(judgement(Verdict.UNSEEN), house, STRICT) is None
    assert ruled(judgement(Verdict.UNSEEN), house, LENIENT) == {1: "paper", 2: None}


def test_a_hand_away_is_a_time_out_where_the_game_knows_one() -> None:
    timed = replace(ASK, seconds=10.0)
    assert ruled(judgement(Verdict.UNSEEN), OnFoul.REPLAY, timed) == {1: "paper", 2: None}
    assert ruled(judgement(Verdict.LATE), OnFoul.REPLAY, timed) is None


def test_nobodys_throw_is_thrown_again() -> None:
    both = judgement(Verdict.UNSEEN)
    nobody = Judgement(CUE, None, CUE + 150 * MS, 150 * MS, FRAMES[55], (both.seats[1], both.seats[1]))
    for house in OnFoul:
        assert ruled(nobody, house, LENIENT) is None


def test_what_the_journal_keeps_is_json_in_ms_after_the_cue() -> None:
    kept = json.loads(json.dumps(judged(JUDGEMENT, ZONES)))
    assert (kept["first_ms"], kept["lock_ms"], kept["window_ms"]) == (0, 150, 150)
    assert kept["seats"]["2"]["shown_ms"] == 330 and kept["seats"]["2"]["verdict"] == "late"
    assert np.isclose(kept["lock_frame_ms"], 150)


@pytest.mark.parametrize("house", list(OnFoul))
@pytest.mark.parametrize("kind", list(TroubleKind))
def test_trouble_voids_a_round_and_blames_nobody(house: OnFoul, kind: TroubleKind) -> None:
    made = replace(judgement(Verdict.LATE), trouble=Trouble(kind, 2 if kind is TroubleKind.REACHING else None, 0.06))
    assert ruled(made, house, LENIENT) is None and to_blame(made, LENIENT) == ()
    said = said_of(made, (), False, NAMES, house)
    assert verdicts.NOBODYS_FAULT in said and said.endswith(verdicts.THROWN_AGAIN) and "late" not in said
    assert ("Bo" in said) == (kind is TroubleKind.REACHING)
    kept = json.loads(json.dumps(judged(made, ZONES)))
    assert kept["trouble"] == {"kind": str(kind), "seat": 2 if kind is TroubleKind.REACHING else None, "figure": 0.06}


def test_a_hand_that_another_hid_is_not_read() -> None:
    """Somebody is to blame, but not Ada, whose throw nobody could see."""
    made = judgement(Verdict.WRONG_ZONE)
    hidden = replace(made, seats=(replace(made.seats[0], throw=None, at_lock=None), replace(made.seats[1], into=1)))
    assert to_blame(hidden, LENIENT) == (2,)
    assert all(ruled(hidden, house, LENIENT) is None for house in OnFoul)
    assert "Bo's hand was in Ada's zone" in said_of(hidden, (2,), False, NAMES, OnFoul.STAND)
    assert json.loads(json.dumps(judged(hidden, ZONES)))["seats"]["2"]["into"] == 1
