"""The foul rule of a match: whether a round counts, and who is to blame when it does not."""

from collections.abc import Mapping, Sequence

from rules.engine import Ask, Seat, Value
from throwlock.match.house_rules import OnFoul
from vision.lock.judge import Judgement
from vision.lock.verdict import SeatVerdict, Verdict


def ruled(judgement: Judgement, on_foul: OnFoul, ask: Ask, spent: Sequence[Seat] = ()) -> dict[Seat, Value] | None:
    """Everybody's throw by the house rule on fouls; None when the round is void. Where nobody shows a throw there is
    nothing to stand, and a game that has no rule for a missing throw has the round thrown again. A hand that is not
    there is no foul where the game itself says what becomes of a time-out. With trouble the round is void, whatever the
    house rule, and so it is where another's hand hid that of somebody who is not to blame. For the ``spent`` seats no
    round is thrown again any more: they forfeit it."""
    untold = any(_untold(seat) for seat in judgement.seats)
    if judgement.trouble is not None or untold:
        return None
    fouls = to_blame(judgement, ask)
    if on_foul is OnFoul.REPLAY and not set(fouls) <= set(spent):
        return None
    forfeit = on_foul is not OnFoul.STAND
    answers: dict[Seat, Value] = {
        seat.seat: None if forfeit and seat.seat in fouls else seat.at_lock for seat in judgement.seats
    }
    given = [value for value in answers.values() if value is not None]
    may_miss = ask.no_answer or ask.seconds is not None
    return answers if (given or not fouls) and (may_miss or len(given) == len(answers)) else None


def to_blame(judgement: Judgement, ask: Ask) -> tuple[Seat, ...]:
    """The seats that made a foul; nobody where the round was troubled."""
    if judgement.trouble is not None:
        return ()
    return tuple(seat.seat for seat in judgement.fouls if not _timed_out(seat, ask))


def _timed_out(seat: SeatVerdict, ask: Ask) -> bool:
    """Whether a seat let its time pass, in a game that has a rule for that."""
    return ask.seconds is not None and seat.verdict is Verdict.UNSEEN


def _not_held(answers: Mapping[Seat, Value], ask: Ask) -> tuple[Seat, ...]:
    """Who threw what the game does not allow them: a card they can't hold any more."""
    return tuple(seat for seat, value in answers.items() if value is not None and not ask.seats[seat].allows(value))


def _untold(seat: SeatVerdict) -> bool:
    """Whether a seat is not to blame, but another's hand hid what it threw, or its card can't be read. A blank card is
    read and shows no throw."""
    hidden = seat.verdict is Verdict.ON_TIME and seat.at_lock is None and seat.card is None
    return hidden or seat.verdict is Verdict.UNREAD
