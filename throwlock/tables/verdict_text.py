"""Verdicts as sentences: the round's result, a seat's foul, the reason for a void round. They are made from the round
as it is written down, as are the pages, so that both give the same throws and times."""

from collections.abc import Mapping, Sequence

from messages import join
from rules.engine import Seat
from rules.record.judgement import JudgementRecord, Verdict
from rules.throws import to_throw
from throwlock.house_rules import FoulRule
from throwlock.journal.events import Round, RoundJudged
from ui.text import verdicts
from ui.text.cards import CARD_CAUSES


def verdict_text(
    judgement: JudgementRecord, fouls: Sequence[Seat], counts: bool, names: Mapping[Seat, str], foul_rule: FoulRule
) -> str:
    """Return the verdict on a round; ``counts`` is whether the round counts."""
    if judgement.void_reason is not None:
        return join([void_text(judgement, names), verdicts.ROUND_REPLAYED])
    undecided = [
        seat for seat, judged in judgement.seats.items() if judged.verdict in (Verdict.TOO_CLOSE, Verdict.UNREAD)
    ]
    if not fouls and not undecided:
        return verdicts.ALL_ON_TIME
    fouled = [seat for seat, judged in judgement.seats.items() if judged.verdict.is_foul and seat in fouls]
    parts = [foul_text(judgement, seat, names) for seat in (*fouled, *undecided)]
    end = (
        verdicts.ROUND_REPLAYED
        if not counts
        else verdicts.LOCK_IMAGE_STANDS
        if foul_rule is FoulRule.STAND
        else verdicts.THROW_FORFEITED
    )
    return join([*parts, end])


def foul_text(judgement: JudgementRecord, seat: Seat, names: Mapping[Seat, str]) -> str:
    """Return a sentence on a seat's foul, or on what is too close to call; ``names`` are by seat."""
    judged = judgement.seats[seat]
    first, *_, last = shown if len(shown := judged.shown_throws) > 1 else shown * 2
    return verdicts.foul_sentence(
        judged.suspected_foul,
        names[seat],
        late_ms=judgement.after_first_ms(seat) or 0.0,
        early_ms=judged.early_ms or 0.0,
        throw=to_throw(last if judged.suspected_foul == Verdict.LATE else first),
        later_throw=to_throw(last),
        interval_ms=judgement.interval_ms(seat) or 0.0 if judged.verdict == Verdict.TOO_CLOSE else None,
        cause=judged.cause,
        zone_owner=None if judged.entered_zone is None else names[judged.entered_zone],
        by_card=judged.card is not None or judged.cause in CARD_CAUSES,
    )


def void_text(judgement: JudgementRecord, names: Mapping[Seat, str]) -> str:
    """Return why the round can't be judged; "" if it can."""
    reason = judgement.void_reason
    if reason is None:
        return ""
    return verdicts.void_sentence(reason.kind, reason.measured, None if reason.seat is None else names[reason.seat])


def stored_text(body: Round, names: Mapping[Seat, str]) -> str:
    """Return the sentence that a round of the journal has, with the players' ``names``. It is stored in English; one
    that this version would write as well can be shown in any language."""
    placeholders = verdicts.seat_placeholders(body.judgement.seats)
    counts = body.kind == RoundJudged.kind
    made = [verdict_text(body.judgement, body.fouls, counts, placeholders, rule) for rule in FoulRule]
    text = next((one for one in (*made, verdicts.NOBODY_THREW) if one == body.text), body.text)
    return verdicts.fill_names(text, names)
