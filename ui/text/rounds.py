"""A match and its rounds as sentences: a round's title and verdict, a seat's foul, why a round is void, its outcome.

They are made from the round as it is written down, as are the pages, so that both give the same throws and times."""

from collections.abc import Mapping, Sequence

from messages import N, join
from rules.engine import GameEvent, Names, Seat
from rules.record.judgement import JudgementRecord
from rules.record.match import MatchState, MatchView, StepView
from rules.record.round import DisputeView, FoulRule, RoundView
from rules.text import list_names
from ui.text import verdicts
from ui.text.verdicts import CLASS_CAUSES

DROPPED_TEXT = N("It no longer counts: a round before it was corrected.")
ABANDONED_TEXT = N("Abandoned.")


def verdict_text(
    judgement: JudgementRecord, fouls: Sequence[Seat], counts: bool, names: Mapping[Seat, str], foul_rule: FoulRule
) -> str:
    """Return the verdict on a round; ``counts`` is whether the round counts."""
    if judgement.void_reason is not None:
        return join([void_text(judgement, names), verdicts.ROUND_REPLAYED])
    judged_by_seat = judgement.seats.items()
    undecided = [seat for seat, judged in judged_by_seat if judged.verdict.is_undecided]
    if not fouls and not undecided:
        nobody_threw = not counts and all(judged.verdict.is_foul for judged in judgement.seats.values())
        return verdicts.NOBODY_THREW if nobody_threw else verdicts.ALL_ON_TIME
    fouled = [seat for seat, judged in judged_by_seat if judged.verdict.is_foul and seat in fouls]
    if illegal := fouls[len(fouled) :]:  # throws that the game doesn't allow come last
        return verdicts.illegal_throws_sentence({names[seat]: judgement.seats[seat].at_lock for seat in illegal})
    parts = [verdicts.foul_sentence(judgement, seat, names) for seat in (*fouled, *undecided)]
    end = (
        verdicts.ROUND_REPLAYED
        if not counts
        else verdicts.LOCK_IMAGE_STANDS
        if foul_rule is FoulRule.STAND
        else verdicts.THROW_FORFEITED
    )
    return join([*parts, end])


def class_verdict_text(judgement: JudgementRecord, names: Mapping[Seat, str]) -> str:
    """Return the verdict on a round of a class, in which nobody can foul."""
    if judgement.void_reason is not None:
        return join([N("The camera gave no image at the lock."), verdicts.ROUND_REPLAYED])
    without = [seat for seat, judged in judgement.seats.items() if judged.at_lock is None]
    every = len(judgement.seats)
    count = every - len(without)
    if not count:
        return join([N("No throw was seen."), verdicts.ROUND_REPLAYED])
    parts = [N("Throws read: {count} of {every}.", count=count, every=every)]
    for cause, why in CLASS_CAUSES.items():
        if seats := [seat for seat in without if judgement.seats[seat].cause == cause]:
            parts.append(N("{names}: {why}.", names=list_names(seats, names), why=why))
    return join(parts)


def void_text(judgement: JudgementRecord, names: Mapping[Seat, str]) -> str:
    """Return why the round can't be judged; "" if it can."""
    reason = judgement.void_reason
    if reason is None:
        return ""
    return verdicts.void_sentence(reason.kind, reason.measured, None if reason.seat is None else names[reason.seat])


def round_title(line: RoundView) -> str:
    """Return a round's headline."""
    return verdicts.headline(line.prompt, line.game) if line.prompt else line.game


def round_sentence(line: RoundView) -> str:
    """Return the verdict on a round, and whether a correction dropped it."""
    sentence = verdict_sentence(line)
    return join([sentence, DROPPED_TEXT]) if line.is_dropped else sentence


def verdict_sentence(line: RoundView) -> str:
    """Return the verdict on a round, as it was written down."""
    return stored_text(line.judgement, line.fouls, line.was_judged, line.text, line.names)


def written_text(sentence: str) -> str:
    """Return a sentence as the journal has it: in English, with the straight apostrophes of its first versions, so that
    what any version wrote down is recognised."""
    return str(sentence).replace("’", "'")


def stored_text(
    judgement: JudgementRecord, fouls: Sequence[Seat], counts: bool, text: str, names: Mapping[Seat, str]
) -> str:
    """Return the sentence ``text`` of a round that ``counts`` or not, as it was thrown, with the players' ``names``.

    It is stored in English; one that this version would write as well can be shown in any language.
    """
    placeholders = verdicts.seat_placeholders(judgement.seats)
    made = [verdict_text(judgement, fouls, counts, placeholders, rule) for rule in FoulRule]
    made.append(class_verdict_text(judgement, placeholders))
    written = written_text(text)
    known = next((sentence for sentence in made if written_text(sentence) == written), text)
    return verdicts.fill_names(known, names)


def outcome_sentences(line: RoundView) -> tuple[str, ...]:
    """Return what the game made of a round."""
    return event_sentences(line.events, line.names)


def step_sentences(step: StepView, names: Names) -> tuple[str, ...]:
    """Return what happened between rounds."""
    taken_back = (verdicts.fill_names(step.text, names),) if step.text else ()
    return (*taken_back, *event_sentences(step.events, names))


def event_sentences(events: Sequence[GameEvent], names: Names) -> tuple[str, ...]:
    """Return the sentences about events of a game, without those that the scoreboard shows already."""
    unshown = [event for event in events if event.kind not in verdicts.SCOREBOARD_KINDS]
    return tuple(sentence for event in unshown for sentence in verdicts.event_sentences(event, names))


def dispute_sentence(line: RoundView, dispute: DisputeView) -> str:
    """Return what people agreed on in a dispute, as it was written down; "" if nothing was."""
    return verdicts.fill_names(dispute.text, line.names)


def ending_text(view: MatchView) -> str | None:
    """Return how a match ended; None while it is in progress."""
    if view.state is MatchState.FINISHED and view.result is not None:
        return verdicts.result_sentence(view.result, view.names)
    return ABANDONED_TEXT if view.state is MatchState.ABANDONED else None
