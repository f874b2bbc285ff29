"""Verdicts in sentences."""

from collections.abc import Mapping, Sequence

from rules.engine import Seat
from throwlock.match.house_rules import OnFoul
from ui.i18n.language import row
from ui.text import verdicts
from vision.cards.lock import CardCause
from vision.lock.judge import Judgement
from vision.lock.verdict import SeatVerdict, Verdict


def said_of(
    judgement: Judgement, fouls: Sequence[Seat], counts: bool, names: Mapping[Seat, str], on_foul: OnFoul
) -> str:
    """The verdict in a sentence or two for people."""
    if judgement.trouble is not None:
        return row([troubled(judgement, names), verdicts.THROWN_AGAIN])
    unread = [seat for seat in judgement.seats if seat.verdict is Verdict.UNREAD]
    if not fouls and not unread:
        return verdicts.ALL_ON_TIME
    blamed = [seat for seat in judgement.fouls if seat.seat in fouls]
    parts = [accused(seat, judgement, names) for seat in (*blamed, *unread)]
    end = verdicts.THROWN_AGAIN if not counts else verdicts.STANDS if on_foul is OnFoul.STAND else verdicts.FORFEITED
    return row([*parts, end])


def accused(seat: SeatVerdict, judgement: Judgement, names: Mapping[Seat, str]) -> str:
    """A seat's foul in a sentence; ``names`` are by the judgement's seats."""
    late_ms = judgement.after_first_ms(seat.shown.when_ns) if seat.shown else 0.0
    early_ms = (judgement.cue_ns - seat.shown.when_ns) / 1e6 if seat.shown else 0.0
    return verdicts.accusation(
        str(seat.verdict),
        names[seat.seat],
        late_ms=late_ms,
        early_ms=early_ms,
        throw=seat.throw,
        then=seat.then,
        cause=seat.cause,
        whose=_whose(seat.into, judgement, names),
        by_card=seat.card is not None or isinstance(seat.cause, CardCause),
    )


def troubled(judgement: Judgement, names: Mapping[Seat, str]) -> str:
    """Why the round can't be judged, in sentences; none where it can."""
    trouble = judgement.trouble
    if trouble is None:
        return ""
    return verdicts.trouble(str(trouble.kind), trouble.figure, _whose(trouble.zone, judgement, names))


def _whose(zone: int | None, judgement: Judgement, names: Mapping[Seat, str]) -> str | None:
    """Who sits at the zone of a number (from 1, as judged)."""
    return None if zone is None else names[judgement.seats[zone - 1].seat]
