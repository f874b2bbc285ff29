"""The trials: rounds that come back the same from their seed, what is kept of them, and the tables made of that."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.throws import Throw
from tools.docs.generated_sections import SectionError
from tools.trials import cue, generate, lock_window, other_methods, report, runner, tables
from tools.trials.__main__ import main
from tools.trials.generate import CUE_NS, MS, make_trial
from tools.trials.outcomes import EXPECTED_VERDICTS, EXPECTED_VOIDS, SeatOutcome
from tools.trials.step_chart import Curve, CurveStep, draw_curves
from ui.sheets.bar_chart import to_svg
from vision.hands.model import ModelError, model_path
from vision.lock.verdict import Verdict

DOCS = Path(__file__).parents[2] / "docs" / "lock-accuracy.md"
HONEST = SeatOutcome(
    seed=1,
    case="",
    seats=2,
    wide=1280,
    fps=60.0,
    exposure_ms=8.0,
    readout_ms=5.0,
    drop=0.0,
    cloth="felt",
    lock_ms=170.0,
    seat=1,
    side="left",
    skin=0.5,
    left=False,
    size=1.0,
    kind="honest",
    throw="paper",
    shown_ms=20.0,
    then=None,
    lateness_ms=None,
    verdict="on time",
    found="paper",
    found_at_lock="paper",
    found_ms=22.0,
    plus_minus_ms=4.0,
    found_lock_ms=172.0,
    trouble=None,
    calls=25,
    labels="rrppppppppppppppppppp",
)
LATE = replace(
    HONEST, seat=2, side="right", kind="late", lateness_ms=150.0, shown_ms=320.0, verdict="late", found_ms=322.0
)


def late_at(ms: float, verdict: str, seed: int = 2) -> SeatOutcome:
    return replace(LATE, seed=seed, lateness_ms=ms, shown_ms=170 + ms, found_ms=170 + ms, verdict=verdict)


def some(seed: int = 3, rounds: int = 400, half_ms: float = 40.0) -> list[SeatOutcome]:
    """Made-up outcomes of a lock that catches what comes ``half_ms`` after it."""
    chance = np.random.default_rng(seed)
    found = []
    for number in range(rounds):
        ms = float(chance.uniform(-60, 400))
        verdict = "late" if ms + chance.normal(0, 5) > half_ms else "on time"
        found += [replace(HONEST, seed=number), late_at(ms, verdict, number)]
    return found


# -------- rounds


def test_a_seed_always_makes_the_same_round_and_every_kind_comes() -> None:
    made = [make_trial(seed) for seed in range(400)]
    assert made == [make_trial(seed) for seed in range(400)]
    assert {part.kind for one in made for part in one.plans} == {*EXPECTED_VERDICTS, *EXPECTED_VOIDS}
    assert {one.case for one in made} == set(generate.DISTURBANCE_RATES)
    assert {one.conditions.fps for one in made} == {30, 60, 120}
    assert any(person.left for one in made for person in one.people)
    assert any(person.size < 0.75 for one in made for person in one.people)


@given(st.integers(0, 1 << 20))
def test_the_truth_of_a_round_is_what_its_kinds_say(seed: int) -> None:
    made = make_trial(seed)
    shown = {
        number: (part.performance.shown_ns - CUE_NS) / MS
        for number, part in enumerate(made.plans)
        if part.performance and not part.performance.hidden
    }
    lock_ms = (made.lock_ns - CUE_NS) / MS
    assert made.case not in generate.HARMLESS_CASES or any(part.kind == "honest" for part in made.plans)
    for number, part in enumerate(made.plans):
        if part.kind in ("honest", "changed"):
            assert -40 <= shown[number] <= 80 and shown[number] <= lock_ms - 30
        if part.kind == "late":
            assert part.lateness_ms == pytest.approx(shown[number] - lock_ms, abs=0.01)
        if part.kind == "changed" and part.performance and part.performance.changed_ns:
            assert part.lateness_ms == pytest.approx((part.performance.changed_ns - made.lock_ns) / MS, abs=0.01)
        if part.kind == "early":
            assert shown[number] <= -200


# -------- what is kept


def test_a_run_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "seats.jsonl"
    for seed in (5, 6):
        runner.append_outcomes(path, [replace(HONEST, seed=seed), replace(LATE, seed=seed)])
    whole = path.read_text()
    path.write_text(whole + whole.splitlines()[0].replace('"seed": 5', '"seed": 7') + '\n{"seed": 7, "se')
    found = runner.read_outcomes(path)
    assert [(one.seed, one.seat) for one in found] == [(5, 1), (5, 2), (6, 1), (6, 2)]
    runner.write_outcomes(path, found)
    assert path.read_text() == whole


def test_a_file_of_something_else_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "seats.jsonl"
    path.write_text('{"seed": 1}\n{"seed": 2}\n')
    with pytest.raises(runner.OutcomeFileError, match="line 1, is no outcome"):
        runner.read_outcomes(path)
    with pytest.raises(SystemExit, match="name another file"):
        main(["--tables", str(path)])
    with pytest.raises(SystemExit, match="No such file"):
        main(["--tables", str(tmp_path / "none.jsonl")])


def test_seeds_that_are_kept_are_not_run_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "seats.jsonl"
    runner.append_outcomes(path, [replace(HONEST, seed=5), replace(LATE, seed=5)])
    main(["--rounds", "1", "--seed", "5", "--out", str(path)])
    assert "1 rounds, 2 seats" in capsys.readouterr().out
    assert len(path.read_text().splitlines()) == 2


# -------- figures


@given(st.integers(0, 400), st.integers(1, 400))
def test_an_interval_holds_its_share_and_narrows(hits: int, of: int) -> None:
    share = tables.Share(min(hits, of), of)
    low, high = share.bounds
    assert 0 <= low <= share.share <= high <= 1
    more = tables.Share(10 * share.hits, 10 * of).bounds
    assert more[1] - more[0] < high - low


def test_an_interval_as_in_the_textbooks() -> None:
    assert tables.Share(0, 10).bounds == pytest.approx((0, 0.2775), abs=1e-4)
    assert tables.Share(8, 10).bounds == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_aims_count_who_they_say() -> None:
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
    assert "| honest seats accused | 1 of 2 | 50.00 %" in tables.target_table(found)


def test_a_round_that_was_voided_is_not_right() -> None:
    assert HONEST.is_correct and not replace(HONEST, trouble="moved").is_correct


def test_a_round_with_trouble_must_be_voided_for_it_and_accuses_nobody() -> None:
    covered = replace(HONEST, case="covered", kind="covered", verdict="unseen")
    assert not covered.is_correct and not replace(covered, trouble="moved").is_correct
    voided = replace(covered, trouble="covered")
    assert voided.is_correct and not voided.is_accused
    assert tables.needlessly_voided([voided, replace(HONEST, seed=8, trouble="moved"), replace(HONEST, seed=9)]) == (
        1,
        2,
    )


def test_a_late_hand_before_the_lock_must_not_be_accused() -> None:
    assert late_at(-20, "on time").is_correct and not late_at(-20, "late").is_correct
    assert late_at(50, "on time").is_correct and late_at(50, "late").is_correct


@pytest.mark.parametrize(
    ("labels", "one_look", "last", "commonest"),
    [
        ("rrrrrrrrrrrrrrrrrrrrr", Throw.ROCK, Throw.ROCK, Throw.ROCK),
        ("rrrppppppppppppprrr--", Throw.PAPER, Throw.ROCK, Throw.PAPER),
        ("rrrrrrrssssssssssssss", Throw.ROCK, Throw.SCISSORS, Throw.SCISSORS),
        ("---------------------", None, None, None),
        ("rr-pp----------------", None, Throw.PAPER, Throw.PAPER),
    ],
)
def test_other_ways_read_labels(
    labels: str, one_look: Throw | None, last: Throw | None, commonest: Throw | None
) -> None:
    assert (other_methods.single_label(labels), other_methods.last_label(labels), other_methods.most_common_label(labels)) == (
        one_look,
        last,
        commonest,
    )


def test_the_others_table_counts_the_cheats_later_throw() -> None:
    changed = replace(
        LATE, kind="changed", throw="paper", then="rock", verdict="changed", labels="rr" + "p" * 5 + "r" * 14
    )
    told = tables.method_table([HONEST, LATE, changed])
    assert "| the lock | 0 of 1 (0.0 %) | 0 of 1 (0.0 %) | 0 of 1 (0.0 %) | 0 of 1 (0.0 %) |" in told
    assert "| the last label within 2 s | 1 of 1 (100.0 %) | 1 of 1 (100.0 %) |" in told


# -------- the window


def test_the_ruling_is_found_again() -> None:
    rule = lock_window.fit_lateness_model(some(half_ms=40))
    assert rule.midpoint_ms == pytest.approx(40, abs=8)
    assert rule.spread_ms <= 14


def test_a_longer_window_costs_the_honest_less_and_gives_the_cheat_more() -> None:
    rule = lock_window.LatenessModel(40, 5)
    crowd = lock_window.HonestPlayers("two", 2, 60)
    out = [lock_window.honest_late_share(crowd, ms, rule) for ms in (50, 100, 150, 250)]
    into = [lock_window.cheat_success_share((230, 40), ms, rule) for ms in (50, 100, 150, 250)]
    assert lock_window.honest_late_share(lock_window.HonestPlayers("within", 2, 60, uniform=True), 150, rule) < 1e-6
    assert out == sorted(out, reverse=True) and out[0] > 0.1 and out[-1] < 0.001
    assert into == sorted(into) and into[0] < 0.001


def test_the_cue_turns_most_of_every_half_of_the_screen() -> None:
    for preview in (False, True):
        shares = cue.changed_shares(preview)
        assert set(shares) == {"left", "right", "upper", "lower"}
        assert min(shares.values()) > 0.5


def test_rounds_are_ruled_anew_from_the_times_found() -> None:
    rule = lock_window.LatenessModel(40, 5)
    slow = replace(HONEST, seat=2, found_ms=150.0)
    assert lock_window.rejudge([HONEST, slow], 150, rule) == (0, 2)
    assert lock_window.rejudge([HONEST, slow], 50, rule) == (1, 2)
    assert lock_window.rejudge([replace(HONEST, kind="late"), slow], 50, rule) == (1, 1)


# -------- paper


def test_the_page_has_a_place_for_every_table_and_is_made_again() -> None:
    page = DOCS.read_text()
    made = report.update_page_text(page, some())
    assert made != page and report.update_page_text(made, some()) == made
    for name in report.TABLES:
        assert f"<!-- {name}: begin -->\n" in made
    with pytest.raises(SectionError, match="rounds: begin"):
        report.update_page_text("# Nothing", some())


def test_the_curve_is_drawn_within_the_picture(tmp_path: Path) -> None:
    for ending in ("svg", "png"):
        report.write_chart(some(), tmp_path / f"curve.{ending}")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    text = to_svg(
        draw_curves(
            "Title", "Subtitle", [Curve("Late", (CurveStep(-20, 0, 0, 0, 0.1, 9), CurveStep(0, 20, 1, 0.8, 1, 7)))]
        )
    )
    assert "Late (n = 16)" in text and ">lock<" in text


# -------- with the real model


@pytest.fixture
def model() -> None:
    try:
        model_path("full")
    except ModelError as fault:
        pytest.skip(f"no hand model: {fault}")


@pytest.mark.usefixtures("model")
def test_a_run_judges_looks_and_keeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "seats.jsonl"
    main(["--rounds", "1", "--seed", "100", "--out", str(path), "--others"])
    told = capsys.readouterr().out
    assert "honest seats accused | 0 of 1" in told and "Calls of the hand model" in told
    first, second = runner.read_outcomes(path)
    assert {first.verdict, second.verdict} == {Verdict.EARLY, Verdict.ON_TIME}
    assert {len(first.labels), len(second.labels)} == {21}
    assert {other_methods.last_label(one.labels) for one in (first, second)} == {Throw.PAPER}
    main(["--tables", str(path)])
    assert "the commonest label" in capsys.readouterr().out
