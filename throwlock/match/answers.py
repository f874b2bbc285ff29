"""Answers of a match on their way to the journal, and taken back."""

import random
from contextlib import suppress

from rules.engine import (
    Prompt,
)
from throwlock.journal.events import Answered, Body, RoundJudged
from throwlock.match.ongoing import OngoingMatch
from throwlock.replay.corrections import CorrectionError, RevealedError, plan_break_off, plan_undo_before_reveal
from throwlock.table_setup.cameras import CameraKind
from throwlock.tables.source import PlayedRound
from ui.text import verdicts
from ui.text.rounds import written_text


def draw_generator(match: OngoingMatch) -> random.Random:
    """Return the random generator of a match's next draw: seeded at a simulated table, so that it can be repeated; for
    people the operating system's, which nobody can predict."""
    if match.config.camera == CameraKind.SIMULATED:
        return random.Random(f"{match.config.seed}/{len(match.events)}")
    return random.SystemRandom()


def answers_event(prompt: Prompt, played: PlayedRound) -> Body:
    """Return the event of a prompt's answers. Raises IllegalAnswerError for what the game would refuse, which must
    never reach the disk."""
    assert played.answers is not None  # it counts
    checked = prompt.check(played.answers)
    answers = {seat: checked[seat] if value is not None else None for seat, value in played.answers.items()}
    thrown = played.thrown
    if thrown is None:
        return Answered(prompt=prompt.kind, answers=answers, secret=prompt.is_secret)
    return RoundJudged(
        prompt=prompt.kind,
        answers=answers,
        secret=prompt.is_secret,
        judgement=thrown.record,
        fouls=thrown.fouls,
        text=written_text(thrown.text),
    )


def can_undo(match: OngoingMatch) -> bool:
    """Whether there are answers that people entered, and can take back."""
    try:
        plan_undo_before_reveal(match.view, match.events)
    except CorrectionError:
        return False
    return True


def why_undo_ends(match: OngoingMatch) -> str:
    """Return why nothing more can be taken back, if that is since something was revealed; else ""."""
    try:
        plan_undo_before_reveal(match.view, match.events)
    except RevealedError as error:
        return error.text
    except CorrectionError:
        return ""
    return ""


def undo(match: OngoingMatch) -> str:
    """Take back the answers that people entered last; they are asked for again. Return what was taken back, with
    placeholders for names. Raises CorrectionError, JournalError."""
    planned = plan_undo_before_reveal(match.view, match.events)
    prompt = next(step.prompt for step in match.view.steps if step.event == planned.round)
    assert prompt is not None  # it was answered
    text = verdicts.undo_sentence(match.headline(prompt))
    match.write(planned.model_copy(update={"text": text}))
    return text


def break_off_round(match: OngoingMatch) -> None:
    """Go back to the game's optional prompt, if nobody has thrown since; or else it comes after the round."""
    prompt = match.view.prompt
    if prompt is not None and prompt.is_optional:
        return
    with suppress(CorrectionError):
        planned = plan_break_off(match.events)
        match.write(planned.model_copy(update={"text": verdicts.break_off_sentence()}))
