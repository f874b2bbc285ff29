"""The foul rule of a match: which seats fouled, whether the round counts, and with which throws."""

from collections.abc import Mapping, Sequence

from rules.engine import Prompt, Seat, Value
from throwlock.house_rules import FoulRule
from vision.lock.judge import Judgement
from vision.lock.verdict import SeatVerdict, Verdict


def apply_foul_rule(
    judgement: Judgement, foul_rule: FoulRule, prompt: Prompt, exhausted: Sequence[Seat] = ()
) -> dict[Seat, Value] | None:
    """Apply the foul rule to a judged round. Return everybody's throw (None: no throw), or None if the round is void.

    Under any rule a round is void if the camera can't judge it, if a throw is unreadable, if a foul left no throw at
    all, or if a throw is missing and the game has no rule for that.

    Args:
        judgement: The judged round.
        foul_rule: What a foul leads to.
        prompt: The game's prompt for the throws.
        exhausted: Seats whose replays are used up: their fouls forfeit the throw instead of voiding the round.
    """
    unreadable = any(is_unreadable(seat) for seat in judgement.seats)
    if judgement.void_reason is not None or unreadable:
        return None
    fouls = fouling_seats(judgement, prompt)
    if foul_rule is FoulRule.REPLAY and not set(fouls) <= set(exhausted):
        return None
    forfeit = foul_rule is not FoulRule.STAND
    answers: dict[Seat, Value] = {
        seat.seat: None if forfeit and seat.seat in fouls else seat.at_lock for seat in judgement.seats
    }
    given = [value for value in answers.values() if value is not None]
    may_miss = prompt.allow_no_answer or prompt.seconds is not None
    return answers if (given or not fouls) and (may_miss or len(given) == len(answers)) else None


def fouling_seats(judgement: Judgement, prompt: Prompt) -> tuple[Seat, ...]:
    """Return the seats that fouled; none if the camera can't judge the round. A missing hand is no foul if the game has
    a rule for time-outs."""
    if judgement.void_reason is not None:
        return ()
    return tuple(seat.seat for seat in judgement.fouls if not _timed_out(seat, prompt))


def _timed_out(seat: SeatVerdict, prompt: Prompt) -> bool:
    """Whether a seat timed out in a game that has a rule for that."""
    return prompt.seconds is not None and seat.verdict is Verdict.UNSEEN


def illegal_throws(answers: Mapping[Seat, Value], prompt: Prompt) -> tuple[Seat, ...]:
    """Return the seats whose throw the game does not allow: a card they can't hold any more."""
    return tuple(seat for seat, value in answers.items() if value is not None and not prompt.seats[seat].allows(value))


def is_unreadable(seat: SeatVerdict) -> bool:
    """Whether a seat's throw is unknown through no fault of its own: another hand hid it, or its card can't be read. A
    blank card is readable and shows no throw."""
    hidden = seat.verdict is Verdict.ON_TIME and seat.at_lock is None and seat.card_marker is None
    return hidden or seat.verdict is Verdict.UNREAD
