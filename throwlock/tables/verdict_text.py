"""Verdicts as sentences: the round's result, a seat's foul, the reason for a void round."""

from collections.abc import Mapping, Sequence

from messages import join
from rules.engine import Seat
from throwlock.house_rules import FoulRule
from ui.text import verdicts
from vision.cards.lock import CardCause
from vision.lock.judge import Judgement
from vision.lock.verdict import SeatVerdict, Verdict

CARD_CAUSES = tuple(CardCause)


def verdict_text(
    judgement: Judgement, fouls: Sequence[Seat], counts: bool, names: Mapping[Seat, str], foul_rule: FoulRule
) -> str:
    """Return the verdict on a round; ``counts`` is whether the round counts."""
    if judgement.void_reason is not None:
        return join([void_text(judgement, names), verdicts.ROUND_REPLAYED])
    unread = [seat for seat in judgement.seats if seat.verdict is Verdict.UNREAD]
    if not fouls and not unread:
        return verdicts.ALL_ON_TIME
    fouled = [seat for seat in judgement.fouls if seat.seat in fouls]
    parts = [foul_text(seat, judgement, names) for seat in (*fouled, *unread)]
    end = (
        verdicts.ROUND_REPLAYED
        if not counts
        else verdicts.LOCK_IMAGE_STANDS
        if foul_rule is FoulRule.STAND
        else verdicts.THROW_FORFEITED
    )
    return join([*parts, end])


def foul_text(seat: SeatVerdict, judgement: Judgement, names: Mapping[Seat, str]) -> str:
    """Return a sentence on a seat's foul; ``names`` are by seat."""
    late_ms = judgement.ms_after_first(seat.shown.time_ns) if seat.shown else 0.0
    early_ms = (judgement.cue_ns - seat.shown.time_ns) / 1e6 if seat.shown else 0.0
    return verdicts.foul_sentence(
        str(seat.verdict),
        names[seat.seat],
        late_ms=late_ms,
        early_ms=early_ms,
        throw=seat.throw,
        later_throw=seat.changed_to,
        cause=seat.cause,
        zone_owner=_zone_owner(seat.entered_zone, judgement, names),
        by_card=seat.card_marker is not None or seat.cause in CARD_CAUSES,
    )


def void_text(judgement: Judgement, names: Mapping[Seat, str]) -> str:
    """Return why the round can't be judged; "" if it can."""
    reason = judgement.void_reason
    if reason is None:
        return ""
    return verdicts.void_sentence(str(reason.kind), reason.measurement, _zone_owner(reason.zone, judgement, names))


def _zone_owner(zone: int | None, judgement: Judgement, names: Mapping[Seat, str]) -> str | None:
    """Return the name of the player at a zone, by its number in the judgement (from 1)."""
    return None if zone is None else names[judgement.seats[zone - 1].seat]
