"""The foul rule of a match: which seats fouled, whether the round counts, and with which throws. It works on the round
as it is written down, so that ``throwlock verify`` can apply it again."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.engine import Prompt, Seat, Value
from rules.record.judgement import JudgementRecord, SeatRecord, Verdict
from rules.record.round import FoulRule


@dataclass(frozen=True)
class RoundOutcome:
    """What a judged round leads to."""

    answers: dict[Seat, Value] | None
    """Everybody's throw (None: no throw); None if the round is void."""
    fouls: tuple[Seat, ...]
    """The seats that fouled; those whose throw the game does not allow come last."""


def decide_round(
    judgement: JudgementRecord, foul_rule: FoulRule, prompt: Prompt, exhausted: Sequence[Seat] = ()
) -> RoundOutcome:
    """Decide what a judged round leads to. A throw that the game does not allow is a foul, and the round is void. A
    round without any hand is void as well, and nobody's foul. ``exhausted`` are the seats whose replays are used
    up."""
    if is_empty_round(judgement, prompt):
        return RoundOutcome(None, ())
    answers = apply_foul_rule(judgement, foul_rule, prompt, exhausted)
    fouls = fouling_seats(judgement, prompt)
    illegal = tuple(
        seat for seat, value in (answers or {}).items() if value is not None and not prompt.seats[seat].allows(value)
    )
    return RoundOutcome(None, (*fouls, *illegal)) if illegal else RoundOutcome(answers, fouls)


def apply_foul_rule(
    judgement: JudgementRecord, foul_rule: FoulRule, prompt: Prompt, exhausted: Sequence[Seat] = ()
) -> dict[Seat, Value] | None:
    """Apply the foul rule to a judged round. Return everybody's throw (None: no throw), or None if the round is void.

    Under any rule a round is void if the camera can't judge it, if a throw is unreadable or too close to call, if a
    foul left no throw at all, or if a throw is missing and the game has no rule for that.

    Args:
        judgement: The judged round.
        foul_rule: What a foul leads to.
        prompt: The game's prompt for the throws.
        exhausted: Seats whose replays are used up: their fouls forfeit the throw instead of voiding the round.
    """
    undecided = any(is_undecided(seat) for seat in judgement.seats.values())
    if judgement.void_reason is not None or undecided:
        return None
    fouls = fouling_seats(judgement, prompt)
    if foul_rule is FoulRule.REPLAY and not set(fouls) <= set(exhausted):
        return None
    forfeit = foul_rule is not FoulRule.STAND
    answers: dict[Seat, Value] = {
        seat: None if forfeit and seat in fouls else judged.at_lock for seat, judged in judgement.seats.items()
    }
    given = [value for value in answers.values() if value is not None]
    return answers if (given or not fouls) and (prompt.allows_no_answer or len(given) == len(answers)) else None


def fouling_seats(judgement: JudgementRecord, prompt: Prompt) -> tuple[Seat, ...]:
    """Return the seats that fouled; none if the camera can't judge the round. A missing hand is no foul if the game has
    a rule for time-outs."""
    if judgement.void_reason is not None:
        return ()
    return tuple(
        seat
        for seat, judged in judgement.seats.items()
        if judged.verdict.is_foul and not (prompt.seconds is not None and judged.verdict == Verdict.UNSEEN)
    )


def is_empty_round(judgement: JudgementRecord, prompt: Prompt) -> bool:
    """Whether nobody seems to be there: no hand was seen, or no card turned over, in a round of several players. In a
    second look the others have just thrown, and to show nothing may be meant."""
    seats = judgement.seats.values()
    absent = all(seat.verdict == Verdict.UNSEEN or seat.cause == "not turned over" for seat in seats)
    return absent and judgement.void_reason is None and len(seats) > 1 and prompt.about.get("phase") != "second look"


def is_undecided(seat: SeatRecord) -> bool:
    """Whether it is unknown what a seat's throw counts as, and nobody's fault: another hand hid it, it can't be
    read, or its time is too close to call. A blank card is readable and shows no throw."""
    hidden = seat.verdict == Verdict.ON_TIME and seat.at_lock is None and seat.card is None
    return hidden or seat.verdict.is_undecided


def apply_class_rule(judgement: JudgementRecord) -> dict[Seat, Value] | None:
    """Return everybody's throw in a class, in which nobody can foul, or None if the round is void: if the camera can't
    judge it, or nobody threw."""
    throws: dict[Seat, Value] = {seat: judged.at_lock for seat, judged in judgement.seats.items()}
    counts = judgement.void_reason is None and any(throw is not None for throw in throws.values())
    return throws if counts else None
