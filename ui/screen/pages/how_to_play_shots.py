"""What an excerpt of a match shows, shot after shot: the pages of the screen on which it is played, with the touches
that answer them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pygame

from device.camera.frames import Pixels
from messages import N
from rules.engine import Answers, GameEvent, IntRange, Seat, Value, visible_events
from rules.engine.explanation import Step
from rules.events import Scores, ThrowsShown
from rules.record.judgement import JudgementRecord, SeatRecord
from rules.record.round import PlayerLink, beaten_pairs, game_outcomes, judged_seat
from rules.text import THROW_WORDS
from rules.throws import Throw
from ui.screen.drawing.icons import icon
from ui.screen.drawing.theme import SEAT_MARKS, Colour
from ui.screen.pages import how_to_play as how_to_play_page
from ui.screen.pages.classroom import Attendance, RollCall
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.how_to_play import MatchScene, OwnScene, ThrowMethod
from ui.screen.pages.message import GameMessage
from ui.screen.pages.practice import THROW_ANSWER, CommitmentReveal, CommitmentView, PracticeScore
from ui.screen.pages.question import BoardPage, new_draft
from ui.screen.pages.reveal import Reveal, SeatPictures
from ui.screen.pages.scoreboard import ScoreboardHistory
from ui.screen.views import Press, Reply, View
from ui.text import verdicts

SAMPLE_OPENING = "scissors 7f3a09c2d4e81b6650aa31cf9e72d18b"
"""What the box sealed in a sample of practice: its throw and random digits."""
SKIN_COLOURS: tuple[Colour, ...] = ((236, 188, 160), (150, 98, 66), (205, 150, 112), (92, 60, 44))
CLOTH_COLOURS: tuple[Colour, ...] = ((38, 66, 122), (56, 92, 74), (96, 52, 60), (70, 70, 84))
SAMPLE_NAMES = ("Ada", "Ben", "Chidi", "Dora", "Emil", "Fumi", "Gita", "Hugo")
CLASS_SIZE = 30
"""The students of a sample class."""
BEAT_S, REVEAL_S, MESSAGE_S, QUESTION_S, TOUCH_S = 0.45, 3.0, 3.0, 1.2, 1.6
"""How long a beat of the count, the throws, a message, a question and a touch are shown."""
FIRST_HAND_MS = (0.0, 31.0, 12.0, 88.0, 140.0, 60.0, 35.0, 118.0)
"""When the hands of sample throws show, after the first one."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A page of the screen for some time."""

    view: View
    seconds: float
    touch: Press | None = None
    """A finger touches the target that leads there; None: nothing is touched."""


@lru_cache(maxsize=16)
def own_shots(scene: OwnScene) -> tuple[Shot, ...]:
    """Return the shots of a page of a class, where one player after the other is ticked off, or of practice."""
    digest = hashlib.sha256(SAMPLE_OPENING.encode()).hexdigest()
    match scene:
        case OwnScene.ROLL_CALL:
            names = tuple(map(sample_name, range(1, CLASS_SIZE + 1)))
            seen = (frozenset(range(1, count + 1)) for count in range(0, CLASS_SIZE + 1, 3))
            return tuple(Shot(RollCall("", names, Attendance, Attendance(answered)), BEAT_S) for answered in seen)
        case OwnScene.SEAL:
            return (Shot(CommitmentView(digest, PracticeScore()), TOUCH_S, Reply(THROW_ANSWER)),)
    yours, box = Throw.PAPER, Throw.SCISSORS
    result = N(how_to_play_page.LOST_ROUND, box=THROW_WORDS[box], yours=THROW_WORDS[yours])
    score = PracticeScore(lost=1)
    reveal = CommitmentReveal(digest, SAMPLE_OPENING, drawn_hand(yours, 1), yours, box, result, score, 24.0)
    return (Shot(reveal, REVEAL_S, Reply(THROW_ANSWER)),)


@lru_cache(maxsize=16)
def match_shots(scene: MatchScene) -> tuple[Shot, ...]:
    """Return the shots of a part of a match."""
    return tuple(shot for step in scene.excerpt.steps() for shot in _step_shots(step, scene))


def _step_shots(step: Step, scene: MatchScene) -> Sequence[Shot]:
    by_screen = step.prompt.kind != "throw" or scene.setting.method is ThrowMethod.SCREEN
    shots = _question_shots(step, scene) if by_screen else _throw_shots(step, scene)
    return [*shots, *_message_shots(step, scene)]


def _players(step: Step, scene: MatchScene, *, after: bool) -> tuple[Player, ...]:
    events = [*step.past, *step.events] if after else [*step.past]
    facts = ScoreboardHistory().facts(events, None if after else step.prompt, step.events if after else ())
    points = next((event.scores for event in reversed(events) if isinstance(event, Scores)), {})
    return tuple(
        Player(seat, sample_name(seat), points.get(seat), None, facts.of_seat(seat))
        for seat in range(1, scene.seats + 1)
    )


def sample_name(seat: Seat) -> str:
    """Return the name of a player in a sample match."""
    return SAMPLE_NAMES[seat - 1] if seat <= len(SAMPLE_NAMES) else verdicts.default_name(seat)


def _throw_shots(step: Step, scene: MatchScene) -> Sequence[Shot]:
    players = _players(step, scene, after=False)
    title, words = verdicts.headline(step.prompt, scene.title), verdicts.COUNT_WORDS
    count = Countdown(players, title, words, 0, beat_s=BEAT_S, throwing=tuple(step.prompt.seats))
    public = visible_events(step.events)
    in_class = len(players) > len(SEAT_MARKS)
    throwing = tuple(replace(player, facts=()) for player in players if player.seat in step.answers)
    judgement, outcomes = _judge(step.answers, scene.setting.lock_ms), game_outcomes(public)
    seats = tuple(
        replace(
            judged_seat(judgement, player.seat, PlayerLink(None, player.name), is_foul=False),
            outcome=outcomes.get(player.seat),
        )
        for player in throwing
    )
    pictures = {seat: SeatPictures(_crop(throw, seat, in_class=in_class)) for seat, throw in step.answers.items()}
    sentence = _verdict(public, scene) or verdicts.ALL_ON_TIME
    return [
        *(Shot(replace(count, beat=beat), BEAT_S) for beat in range(len(words))),
        Shot(
            Reveal(seats, throwing, pictures, sentence, scene.setting.lock_ms, beaten_pairs(public), in_class=in_class),
            REVEAL_S,
        ),
    ]


def _judge(throws: Answers, lock_ms: float) -> JudgementRecord:
    """Return the judgement of a round in which everybody was on time."""
    seats = {
        seat: SeatRecord.on_time(Throw(str(throw)), FIRST_HAND_MS[seat % len(FIRST_HAND_MS)])
        for seat, throw in throws.items()
    }
    times = {"first_shown_ms": 0.0, "lock_ms": lock_ms, "window_ms": lock_ms, "lock_frame_ms": lock_ms}
    return JudgementRecord.model_validate({**times, "void_reason": None, "seats": seats})


def _crop(throw: Value, seat: Seat, *, in_class: bool) -> Pixels:
    return np.zeros((1, 1, 3), np.uint8) if in_class else drawn_hand(Throw(str(throw)), seat)


def _question_shots(step: Step, scene: MatchScene) -> Sequence[Shot]:
    prompt, seat = step.prompt, next(iter(step.prompt.seats))
    question = GroupQuestion(_players(step, scene, after=False), prompt)
    everybody = question.first_page()
    shots = []
    if everybody.own_page is None:
        shots.append(Shot(everybody, TOUCH_S, everybody.open_seat(seat)))
    draft, value = new_draft(question.question_for(seat)), step.answers[seat]
    if isinstance(draft, BoardPage):
        move = next(move for move in draft.moves if move.notation == value)
        selected, proposed = draft.select(move.origin), draft.propose(move)
        return [
            Shot(draft, TOUCH_S, selected),
            Shot(selected, TOUCH_S, proposed),
            Shot(proposed, TOUCH_S, Reply(value)),
        ]
    if isinstance(draft.allowed, IntRange) and value != draft.value:
        shots.append(Shot(draft, QUESTION_S))
        draft = replace(draft, value=value)
    return [*shots, Shot(draft, TOUCH_S, Reply(value))]


def _message_shots(step: Step, scene: MatchScene) -> Sequence[Shot]:
    public = visible_events(step.events)
    messages = [event for event in public if event.kind not in verdicts.SCOREBOARD_KINDS]
    if not messages:
        return []
    names = {seat: sample_name(seat) for seat in range(1, scene.seats + 1)}
    lines = tuple(line for event in messages for line in verdicts.event_sentences(event, names))
    table = ScoreboardHistory().facts([*step.past, *step.events], None, public).table
    return [Shot(GameMessage(_players(step, scene, after=True), messages[-1], lines, table), MESSAGE_S)]


def _verdict(events: Sequence[GameEvent], scene: MatchScene) -> str | None:
    """Return the game's sentence about the throws."""
    names = {seat: sample_name(seat) for seat in range(1, scene.seats + 1)}
    lines = next((verdicts.event_sentences(event, names) for event in events if isinstance(event, ThrowsShown)), ())
    return lines[min(1, len(lines) - 1)] if lines else None


def drawn_hand(throw: Throw | None, seat: int) -> Pixels:
    """A stand-in for a seat's crop: the drawing of a hand, in a skin's colour on a cloth's."""
    surface = pygame.Surface((240, 240), 0, 32)
    surface.fill(CLOTH_COLOURS[seat // 2 % len(CLOTH_COLOURS)])
    if throw is not None:
        surface.blit(icon(throw, 190, SKIN_COLOURS[seat % len(SKIN_COLOURS)]), (25, 35))
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))
