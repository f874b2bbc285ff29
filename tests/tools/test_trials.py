"""The trials: reproducible rounds, the file of outcomes, and the tables and the chart."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.throws import Throw
from tests.helpers.seat_outcomes import HONEST
from tools.trials import generate, lock_window, other_methods, runner, tables
from tools.trials.generate import CUE_NS, MS, make_trial
from tools.trials.outcomes import EXPECTED_VERDICTS, EXPECTED_VOIDS, SeatOutcome
from tools.trials.runner import TrialOptions, is_near_lock
from tools.trials.tables import Share

LATE = replace(
    HONEST, seat=2, side="right", kind="late", lateness_ms=150.0, shown_ms=320.0, verdict="late", found_ms=322.0
)


def late_at(ms: float, verdict: str, seed: int = 2) -> SeatOutcome:
    return replace(LATE, seed=seed, lateness_ms=ms, shown_ms=170 + ms, found_ms=170 + ms, verdict=verdict)


def made_up_outcomes(seed: int = 3, rounds: int = 400, half_ms: float = 40.0) -> list[SeatOutcome]:
    """Made-up outcomes of a judge that catches throws from ``half_ms`` after the lock."""
    rng = np.random.default_rng(seed)
    outcomes = []
    for number in range(rounds):
        ms = float(rng.uniform(-60, 400))
        verdict = "late" if ms + rng.normal(0, 5) > half_ms else "on time"
        outcomes += [replace(HONEST, seed=number), late_at(ms, verdict, number)]
    return outcomes


def test_make_trial_is_reproducible_and_covers_every_kind() -> None:
    trials = [make_trial(seed) for seed in range(400)]
    assert trials == [make_trial(seed) for seed in range(400)]
    assert {plan.kind for trial in trials for plan in trial.plans} == {*EXPECTED_VERDICTS, *EXPECTED_VOIDS}
    assert {trial.case for trial in trials} == set(generate.DISTURBANCE_RATES)
    assert {trial.conditions.fps for trial in trials} == {30, 60, 120}
    assert any(person.left for trial in trials for person in trial.people)
    assert any(person.size < 0.75 for trial in trials for person in trial.people)


@given(st.integers(0, 1 << 20))
def test_times_of_a_trial_match_its_kinds(seed: int) -> None:
    made = make_trial(seed)
    shown = {
        number: (plan.performance.shown_ns - CUE_NS) / MS
        for number, plan in enumerate(made.plans)
        if plan.performance and not plan.performance.hidden
    }
    lock_ms = (made.lock_ns - CUE_NS) / MS
    assert made.case not in generate.HARMLESS_CASES or any(plan.kind == "honest" for plan in made.plans)
    for number, plan in enumerate(made.plans):
        if plan.kind in ("honest", "changed"):
            assert -40 <= shown[number] <= 80 and shown[number] <= lock_ms - 30
        if plan.kind == "late":
            assert plan.lateness_ms == pytest.approx(shown[number] - lock_ms, abs=0.01)
        if plan.kind == "changed" and plan.performance and plan.performance.changed_ns:
            assert plan.lateness_ms == pytest.approx((plan.performance.changed_ns - made.lock_ns) / MS, abs=0.01)
        if plan.kind == "early":
            assert shown[number] <= -200


@pytest.mark.parametrize("cut", [0, 20])
def test_a_compressed_file_is_appended_to_and_survives_a_cut(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "trials.jsonl.gz"
    rounds = [[replace(HONEST, seed=seed), replace(LATE, seed=seed)] for seed in (1, 2, 3)]
    runner.write_outcomes(path, rounds[0])
    runner.append_outcomes(path, rounds[1])
    path.write_bytes(path.read_bytes()[: -cut or None])
    outcomes = runner.read_outcomes(path)
    assert outcomes == (rounds[0] if cut else rounds[0] + rounds[1])
    runner.write_outcomes(path, outcomes)
    first = path.read_bytes()
    runner.append_outcomes(path, rounds[2])
    assert runner.read_outcomes(path) == outcomes + rounds[2]
    runner.write_outcomes(path, outcomes)
    assert path.read_bytes() == first, "without the time of writing: a committed file changes only with its content"
    path.write_text("plain")
    with pytest.raises(runner.OutcomeFileError, match="not compressed"):
        runner.read_outcomes(path)


def test_wilson_interval_has_published_values() -> None:
    assert tables.Share(0, 10).bounds == pytest.approx((0, 0.2775), abs=1e-4)
    assert tables.Share(8, 10).bounds == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_target_table_counts_the_right_seats() -> None:
    found = [
        HONEST,
        replace(HONEST, seat=2, verdict="changed"),
        late_at(99, "on time"),
        late_at(100, "on time"),
        late_at(200, "late"),
    ]
    assert tables.honest_accused(found) == (1, 2)
    assert tables.cheats_caught(found, "late") == (1, 2)
    assert tables.cheats_caught(found, "changed") == (0, 0)
    changed = replace(HONEST, kind="changed", lateness_ms=250.0, decided_ms=HONEST.lock_ms + 240)
    in_time = replace(changed, decided_ms=HONEST.lock_ms + 260)
    assert tables.cheats_caught([changed, in_time], "changed") == (0, 1), "what comes after the decision is no foul"
    assert "| honest seats accused | 1 of 2 | 50.00 %" in tables.target_table(found)


def test_disturbed_round_must_be_voided_for_the_right_reason() -> None:
    assert HONEST.is_correct and not replace(HONEST, trouble="moved").is_correct
    covered = replace(HONEST, case="covered", kind="covered", verdict="unseen")
    assert not covered.is_correct and not replace(covered, trouble="moved").is_correct
    voided = replace(covered, trouble="covered")
    assert voided.is_correct and not voided.is_accused
    assert tables.needlessly_voided([voided, replace(HONEST, seed=8, trouble="moved"), replace(HONEST, seed=9)]) == (
        1,
        2,
    )


def test_late_hand_before_the_lock_must_not_be_accused() -> None:
    assert late_at(-20, "on time").is_correct and not late_at(-20, "late").is_correct
    assert late_at(50, "on time").is_correct and late_at(50, "late").is_correct


@pytest.mark.parametrize(
    ("labels", "single", "last", "most_common"),
    [
        ("rrrrrrrrrrrrrrrrrrrrr", Throw.ROCK, Throw.ROCK, Throw.ROCK),
        ("rrrppppppppppppprrr--", Throw.PAPER, Throw.ROCK, Throw.PAPER),
        ("rrrrrrrssssssssssssss", Throw.ROCK, Throw.SCISSORS, Throw.SCISSORS),
        ("---------------------", None, None, None),
        ("rr-pp----------------", None, Throw.PAPER, Throw.PAPER),
    ],
)
def test_other_methods_read_labels(
    labels: str, single: Throw | None, last: Throw | None, most_common: Throw | None
) -> None:
    methods = (other_methods.single_label, other_methods.last_label, other_methods.most_common_label)
    assert [method(labels) for method in methods] == [single, last, most_common]


def test_method_table_counts_later_throws_of_cheats() -> None:
    changed = replace(
        LATE, kind="changed", throw="paper", then="rock", verdict="changed", labels="rr" + "p" * 5 + "r" * 14
    )
    table = tables.method_table([HONEST, LATE, changed])
    assert "| the lock | 0 of 1 (0.0 %) | 0 of 1 (0.0 %) | 0 of 1 (0.0 %) | 0 of 1 (0.0 %) |" in table
    assert "| last label within 2 s | 1 of 1 (100.0 %) | 1 of 1 (100.0 %) |" in table


def test_fit_recovers_the_lateness_model() -> None:
    model = lock_window.fit_lateness_model(made_up_outcomes(half_ms=40))
    assert model.midpoint_ms == pytest.approx(40, abs=8)
    assert model.spread_ms <= 14


def test_too_close_is_neither_late_nor_counted() -> None:
    outcomes = [
        replace(one, verdict="too close to call") if one.kind == "late" and 0 < (one.lateness_ms or 0) < 40 else one
        for one in made_up_outcomes(half_ms=40)
    ]
    late, counts = (lock_window.fit_lateness_model(outcomes, or_too_close=flag) for flag in (False, True))
    assert late.midpoint_ms == pytest.approx(40, abs=8) and counts.midpoint_ms == pytest.approx(0, abs=8)
    assert f"half don't count {counts.midpoint_ms:.0f} ms" in lock_window.lateness_model_line(outcomes)


def test_lateness_table_tells_what_is_caught_from_what_is_too_close() -> None:
    outcomes = [late_at(5, "on time"), late_at(15, "too close to call"), late_at(19, "late"), late_at(70, "late")]
    rows = tables.lateness_table([*outcomes, replace(outcomes[1], kind="changed")]).splitlines()
    assert "| 0 to 20 ms | 1 of 3 | 1 of 3 | 0 of 1 | 1 of 1 |" in rows
    assert "| 60 to 80 ms | 1 of 1 | 0 of 1 | – | – |" in rows
    assert tables.too_close_share(outcomes) == Share(1, 4)


@pytest.mark.parametrize(("seats", "seeds"), [(2, range(40))])
def test_rounds_near_the_lock_have_a_throw_or_a_change_there(seats: int, seeds: range) -> None:
    options = TrialOptions((), None, seats)
    near = [seed for seed in seeds if is_near_lock(seed, options)]
    assert 0 < len(near) < len(seeds)
    for seed in near:
        plans = make_trial(seed, seats=seats).plans
        assert any(-60 <= part.lateness_ms < 160 for part in plans if part.lateness_ms is not None)


def test_rejudge_applies_another_window_to_the_times_found() -> None:
    model = lock_window.LatenessModel(40, 5)
    slow = replace(HONEST, seat=2, found_ms=150.0)
    assert lock_window.rejudge([HONEST, slow], 150, model) == (0, 2)
    assert lock_window.rejudge([HONEST, slow], 50, model) == (1, 2)
    assert lock_window.rejudge([replace(HONEST, kind="late"), slow], 50, model) == (1, 1)
