"""Samples of the reveal: with a foul and every verdict, decided, with the count of fouls, of cards."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from messages import N, join
from rules.engine import Seat
from rules.record.judgement import CARD_VERDICTS, VOID_VERDICT, Verdict
from rules.record.round import PlayerLink, SeatView, entered_seat
from rules.throws import Outcome, Throw
from tests.helpers.foul_sentences import said_of
from tests.helpers.sample_rounds import sample_seat
from tests.helpers.samples.common import NAMES, players, players_with_fouls
from ui.screen.pages.common import Player
from ui.screen.pages.how_to_play_shots import drawn_hand
from ui.screen.pages.reveal import FaceDown, Reveal, SeatPictures, proof_throw
from ui.screen.views import View
from ui.text.verdicts import DUPLICATE_CARD, ROUND_REPLAYED


def revealed_seat(
    seat: Seat,
    throws: Sequence[Throw],
    after_first_ms: float | None,
    verdict: str = Verdict.ON_TIME,
    early_ms: float | None = None,
    name: str = "",
    **more: Any,
) -> SeatView:
    """Return a seat that showed ``throws``, in order of time. ``more`` are fields of the view; by default late, early
    and changed hands fouled."""
    judged = Verdict.UNSEEN if verdict == VOID_VERDICT else verdict
    is_foul = verdict in (Verdict.LATE, Verdict.EARLY, Verdict.CHANGED)
    view = sample_seat(seat, throws, judged, after_first_ms, is_foul=is_foul)
    record = view.record if early_ms is None else view.record.model_copy(update={"shown_ms": -early_ms})
    return replace(view, player=PlayerLink(None, name or NAMES[seat - 1]), verdict=verdict, record=record, **more)


def sample_pictures(seat: SeatView) -> SeatPictures:
    """Return pictures of what a seat showed: a second one if it showed two throws."""
    at_lock, proof = seat.record.at_lock, proof_throw(seat)
    is_other = len(seat.throws) == 2
    return SeatPictures(
        drawn_hand(Throw(at_lock) if at_lock else None, seat.seat), drawn_hand(proof, seat.seat) if is_other else None
    )


def sample_reveal(
    seats: Sequence[SeatView], sentence: str, window_ms: float = 150.0, people: Sequence[Player] = (), **more: Any
) -> Reveal:
    """Return the reveal of a round; the players are by default those that all samples have."""
    people = people or [player for player in players(8) if player.seat in {seat.seat for seat in seats}]
    pictures = {seat.seat: sample_pictures(seat) for seat in seats}
    return Reveal(tuple(seats), tuple(people), pictures, sentence, window_ms, **more)


def mixed_reveal(count: int) -> Reveal:
    """A reveal with a foul in it, and with every verdict where there are enough seats."""
    rock, paper, scissors = Throw
    throws = ((paper,), (rock, scissors), (rock,), (paper,), (), (scissors, paper), (scissors, rock), ())
    after = (0.0, 212.0, 31.0, 88.0, 140.0, 60.0, -320.0, None)
    verdicts = ("on time", "late", "on time", "on time", "unclear", "changed", "early", "unseen")
    seats = [
        revealed_seat(seat, shown, ms, verdict, early_ms=380.0 if verdict == "early" else None)
        for seat, shown, verdict, ms in zip(range(1, count + 1), throws, verdicts, after, strict=False)
    ]
    late = said_of(Verdict.LATE, NAMES[1], 212.0, 0.0, Throw.SCISSORS, None)
    return sample_reveal(seats, join([late, ROUND_REPLAYED]))


def close_reveal() -> Reveal:
    """A reveal in which one player may have been late."""
    on_time = revealed_seat(1, (Throw.PAPER,), 0.0)
    late = revealed_seat(2, (Throw.ROCK, Throw.SCISSORS), 168.0, Verdict.TOO_CLOSE, interval_ms=31.0)
    sentence = said_of(Verdict.LATE, NAMES[1], 168.0, 0.0, Throw.SCISSORS, None, interval_ms=31.0)
    return sample_reveal((on_time, late), join([sentence, ROUND_REPLAYED]))


def decided_reveal(count: int, shown_s: float | None = None) -> Reveal:
    """A reveal without a foul: paper beats rock."""
    after = (0.0, 31.0, 12.0, 88.0, 140.0, 60.0, 35.0, 118.0)
    seats = [
        revealed_seat(seat, (throw,), ms, outcome=Outcome.WON if throw is Throw.PAPER else Outcome.LOST)
        for seat, throw, ms in zip(range(1, count + 1), (Throw.PAPER, Throw.ROCK) * 4, after, strict=False)
    ]
    reveal = sample_reveal(seats, "Ann wins 20; Bartholomew loses 5.", beaten_pairs=((Throw.PAPER, Throw.ROCK),))
    return replace(reveal, has_slow_motion=True, seconds_left=3.5, shown_s=shown_s)


def three_throws_reveal() -> Reveal:
    """A reveal of all three throws, each of which beats another: a short sentence, with much beside it."""
    rock, paper, scissors = Throw
    seats = [
        revealed_seat(seat, (throw,), 12.0 * seat, outcome=outcome)
        for seat, (throw, outcome) in enumerate(
            ((paper, Outcome.WON), (scissors, Outcome.LOST), (rock, Outcome.TIED)), 1
        )
    ]
    pairs = ((paper, rock), (scissors, paper), (rock, scissors))
    reveal = sample_reveal(seats, N("{name} wins.", name=NAMES[0]), beaten_pairs=pairs)
    return replace(reveal, has_slow_motion=True, can_dispute=True, seconds_left=3.5)


def entered_reveal(count: int, shown_s: float | None = None) -> Reveal:
    """A reveal of entered throws, the first of which wins."""
    throws = (Throw.PAPER, *(Throw.ROCK,) * (count - 1))
    seats = [
        replace(
            entered_seat(seat, PlayerLink(None, NAMES[seat - 1]), throw),
            outcome=Outcome.WON if throw is Throw.PAPER else Outcome.LOST,
        )
        for seat, throw in enumerate(throws, 1)
    ]
    pairs = ((Throw.PAPER, Throw.ROCK),)
    sentence = N("{player} wins.", player=NAMES[0])
    return Reveal(
        tuple(seats),
        players(count),
        {},
        sentence,
        0.0,
        pairs,
        seconds_left=10.0,
        shown_s=shown_s,
        can_undo=True,
        can_dispute=False,
        is_judged=False,
    )


def reveal_with_foul_counts(count: int) -> Reveal:
    """A reveal with everybody's fouls so far."""
    return replace(mixed_reveal(count), players=players_with_fouls(count))


def card_reveal() -> Reveal:
    """A reveal with every verdict that only a card can have."""
    seats = [
        revealed_seat(seat, (throw,), None, verdict, is_foul=verdict.is_foul)
        for seat, (verdict, throw) in enumerate(zip(CARD_VERDICTS, (*Throw, *Throw, *Throw), strict=False), 1)
    ]
    return sample_reveal(seats, DUPLICATE_CARD, 1000.0)


def samples() -> dict[str, View]:
    """Return the samples by name."""
    pages: dict[str, View] = {
        "reveal-cards-8": card_reveal(),
        "reveal-three-throws-3": three_throws_reveal(),
        "reveal-too-close-2": close_reveal(),
        "reveal-turns-2": decided_reveal(2, 0.06),
        "reveal-opens-2": decided_reveal(2, 0.24),
        "reveal-passes-8": decided_reveal(8, 1.0),
        "reveal-won-4": decided_reveal(4),
    }
    for count in (2, 3, 8):
        pages[f"entered-{count}"] = entered_reveal(count)
        pages[f"entered-face-down-{count}"] = FaceDown(players(count), can_undo=True)
    for count in (2, 8):
        pages |= {
            f"reveal-won-{count}": decided_reveal(count),
            f"reveal-dispute-{count}": replace(reveal_with_foul_counts(count), seconds_left=3.0),
        }
    return pages | {f"reveal-{count}": mixed_reveal(count) for count in (2, 3, 8)}
