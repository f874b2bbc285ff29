"""Budgets of a Raspberry Pi: counted instructions, and published speeds."""

from pytest import approx

from tools.docs.boards import SPEEDS, BoardCounts, BoardSpeed, Counts, Range, RoundCounts, read_counts

NOTHING = Counts(instructions=0, multiply_adds=0)
BOARD = BoardSpeed(
    "a board", "pi-4", clock=2, plain_per_cycle=1.5, multiply_adds_per_cycle=1, linpack=16, network=2
)  # fmt: skip


def counts(judge: int) -> BoardCounts:
    """Return a round of two seats with a detection of 4e9 multiply-adds and two trackings of 2e9 each."""
    return BoardCounts(
        date="2026-11-27",
        detect=Counts(instructions=0, multiply_adds=4_000_000_000),
        track=Counts(instructions=0, multiply_adds=2_000_000_000),
        page=NOTHING,
        frame=NOTHING,
        rounds={
            "2": RoundCounts(judge=Counts(instructions=judge, multiply_adds=0), detections=1, trackings=2),
        },
    )


def test_a_network_takes_four_cores_or_one() -> None:
    """8e9 multiply-adds: 8e9 a second at most, 4e9 by Linpack, 2e9 by another network."""
    four, one = BOARD.network_s(8_000_000_000), BOARD.network_s(8_000_000_000, cores=1)
    assert (four.least, four.estimate, four.most) == approx((1, 2, 4))
    assert (one.least, one.estimate, one.most) == approx((4, 8, 16))


def test_a_verdict_takes_the_judge_and_the_model_in_turn_or_at_once() -> None:
    """The judge 6 s or, at best, 4; the model 2 s, 1 at best and 4 at worst."""
    verdict = BOARD.verdict_s(counts(18_000_000_000), "2")
    assert (verdict.least, verdict.estimate, verdict.most) == approx((4, 8, 10))
    assert BOARD.verdict_s(counts(0), "2").least == approx(1)


def test_times_are_written_with_their_bounds() -> None:
    assert str(Range(0.11, 0.2304, 0.35)) == "230 ms (110–350)"
    assert str(Range(0.0061, 0.0092, 0.0092)) == "9.2 ms (6.1–9.2)"
    assert str(Range(0.42, 1.16, 1.6)) == "1.2 s (0.4–1.6)"


def test_every_board_was_counted() -> None:
    assert {speed.counted_as for speed in SPEEDS} == read_counts().keys()
