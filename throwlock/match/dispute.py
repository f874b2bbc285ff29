"""Disputes: the evidence of the last rounds, and what people agree that their readings should be."""

from collections.abc import Sequence
from dataclasses import replace

from messages import N, capitalise, join
from rules.record.round import RoundView
from throwlock.match.ongoing import OngoingMatch
from throwlock.match.reveal import Presenter
from throwlock.replay.corrections import (
    MAX_DISPUTABLE_ROUNDS,
    CorrectionError,
    allowed_readings,
    correction_event,
    disputable_rounds,
    rejection_event,
)
from throwlock.tables.presence import ask_page
from throwlock.tables.round_frames import RoundFrames
from ui.screen.core.display import Display
from ui.screen.pages.common import Player
from ui.screen.pages.dispute import AgreedCorrection, DisputedRound
from ui.screen.pages.notice import Notice
from ui.text import verdicts
from ui.text.rounds import round_title, verdict_sentence


class Disputes:
    """Disputes of a match's last rounds."""

    def __init__(self, match: OngoingMatch, presenter: Presenter, display: Display) -> None:
        self._match, self._presenter, self._display = match, presenter, display

    def open(self) -> bool:
        """Show people the evidence of the last rounds, and journal what they agree on. Return whether a correction
        changed the match; its messages have then been shown, and the match continues from there. Raises
        NobodyThereError."""
        match, index = self._match, 0
        while index < len(rounds := disputable_rounds(match.view, MAX_DISPUTABLE_ROUNDS)):
            line = rounds[index]
            view = dispute_view(line, match.frames.of(line.event, line.judgement), match.players())
            choice = ask_page(self._display, replace(view, has_earlier=index + 1 < len(rounds), has_later=index > 0))
            if choice in ("earlier", "later"):
                index += 1 if choice == "earlier" else -1
            elif isinstance(choice, AgreedCorrection):
                if self._correct(line.event, choice):
                    return True
            else:
                rejected = rejection_event(match.view, line.event)
                match.write(rejected)
                self._presenter.announce(rejected.text)
                break
        return False

    def _correct(self, number: int, agreed: AgreedCorrection) -> bool:
        """Journal a correction and replay the match with it. Return whether that changed the match: not while another
        hand of a void round is still unsettled."""
        match = self._match
        try:
            correction = correction_event(match.view, number, agreed.seat, agreed.reading)
        except CorrectionError as error:
            self._presenter.announce(f"That can't be corrected: {error}.")
            reason = capitalise(join([error.text, "."], ""))
            ask_page(self._display, Notice(N("That can’t be corrected"), reason, in_match=True))
            return False
        match.write(correction)
        sentence = verdicts.fill_names(correction.text, match.names)
        self._presenter.announce(sentence)
        ask_page(self._display, Notice(N("Corrected"), sentence, in_match=True))
        if correction.answers is None and agreed.seat is not None:
            return False
        self._presenter.show_messages(match.events_since(number), cards_turned=True)
        return True


def dispute_view(line: RoundView, frames: RoundFrames, players: Sequence[Player]) -> DisputedRound:
    """Return the page for disputing a round that the game still asks for."""
    assert line.prompt is not None  # it is still asked
    return DisputedRound(
        line,
        {player.seat: player for player in players},
        round_title(line),
        verdict_sentence(line),
        frames.times_ms,
        frames.image,
        {seat.seat: allowed_readings(line.prompt, seat.seat) for seat in line.seats},
    )
