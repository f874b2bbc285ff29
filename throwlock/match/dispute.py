"""The evidence of a disputed round, and what its readings may be corrected to."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future

from rules.engine import Game, Seat
from rules.record.judgement import VOID_VERDICT, Verdict
from throwlock.journal.events import Round, RoundJudged
from throwlock.journal.journal import Event, Evidence
from throwlock.nonessential import nonessential
from throwlock.replay.answers import effective_answers
from throwlock.replay.corrections import allowed_readings, disputed_ask, find_round, readings_after
from throwlock.tables.round_frames import RoundFrames, frames_from_strips
from ui.screen.pages.common import Player
from ui.screen.pages.dispute import DisputedRound, DisputedSeat
from ui.text import verdicts
from ui.text.rounds import stored_text

ROUNDS_IN_MEMORY = 3
"""How many of the last rounds keep every frame around the lock in memory."""


def frames_from_journal(thrown: Round, evidence: Sequence[Evidence]) -> RoundFrames:
    """Return the frames of a round that the journal has: the exposures of its strips, or none without strips."""
    strips = {piece.name: piece.data for piece in evidence}
    return frames_from_strips(list(thrown.judgement.seats), thrown.judgement.lock_ms, strips)


class RecentRoundFrames:
    """The frames of a match's last rounds."""

    def __init__(self, evidence: Callable[[int], Sequence[Evidence]]) -> None:
        self._evidence = evidence
        self._frames: dict[int, Future[RoundFrames]] = {}

    def keep(self, number: int, frames: Future[RoundFrames]) -> None:
        """Keep the frames of the round of event ``number``, and drop those of old rounds."""
        self._frames[number] = frames
        for old in list(self._frames)[:-ROUNDS_IN_MEMORY]:
            del self._frames[old]

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Change the events' numbers, by old number; others stay."""
        self._frames = {numbers.get(old, old): frames for old, frames in self._frames.items()}

    def of(self, number: int, thrown: Round) -> RoundFrames:
        """Return the frames of the round of event ``number``, as many as are left."""
        if number in self._frames:
            with nonessential(f"the frames of round {number} can't be shown"):
                return self._frames[number].result()
        return frames_from_journal(thrown, self._evidence(number))

    @property
    def size_bytes(self) -> int:
        """The size of all JPEGs in memory."""
        return sum(frames.result().size_bytes for frames in self._frames.values())


def _displayed_verdict(thrown: Round, seat: Seat, *, unsettled: bool) -> str:
    """Return the verdict on a seat; VOID_VERDICT if it makes the round void through no fault or time of its own."""
    verdict = thrown.judgement.seats[seat].verdict
    return VOID_VERDICT if unsettled and seat not in thrown.fouls and verdict != Verdict.TOO_CLOSE else verdict


def dispute_view(
    game: Game, events: Sequence[Event], number: int, frames: RoundFrames, players: Sequence[Player]
) -> DisputedRound:
    """Return the page for disputing the round of event ``number``. Raises CorrectionError if the match has changed so
    that the round is no longer part of it."""
    prompt = disputed_ask(game, events, number)
    thrown, readings = find_round(events, number), readings_after(events, number)
    judgement, names = thrown.judgement, {player.seat: player.name for player in players}
    seats = tuple(
        DisputedSeat(
            player,
            _displayed_verdict(thrown, player.seat, unsettled=player.seat in readings.unsettled),
            readings.values[player.seat],
            player.seat in readings.unsettled,
            judged.shown_ms,
            judged.uncertainty_ms or 0.0,
            allowed_readings(prompt, player.seat),
        )
        for player in players
        if (judged := judgement.seats.get(player.seat))
    )
    return DisputedRound(
        verdicts.headline(prompt, game.rules.title),
        stored_text(judgement, thrown.fouls, isinstance(thrown, RoundJudged), thrown.text, names),
        seats,
        judgement.first_shown_ms,
        judgement.lock_ms,
        frames.times_ms,
        frames.image,
        is_void=number not in effective_answers(events),
    )
