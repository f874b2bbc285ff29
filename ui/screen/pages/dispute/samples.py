"""Samples of a dispute: the evidence, one hand, a correction to agree on, and a round without images."""

from dataclasses import replace

from device.camera.frames import Pixels
from rules.throws import Throw
from ui.screen.core.page_stack import Page, first_page
from ui.screen.pages.common.samples import crop, press_all
from ui.screen.pages.dispute.view import (
    AgreedCorrection,
    DisputedRound,
    DisputedSeat,
    LookAtHand,
    ProposeCorrection,
    SeekFrame,
)
from ui.screen.pages.reveal.samples import mixed_reveal
from ui.screen.pages.views import View


def disputed_round(count: int, *, earlier: bool = False, later: bool = False) -> DisputedRound:
    """A disputed round: every hand opens from a fist when it is shown."""
    reveals = mixed_reveal(count).seats
    seats = tuple(
        DisputedSeat(
            replace(revealed.player, fouls=int(revealed.foul)),
            revealed.verdict,
            None if revealed.throw is None else str(revealed.throw),
            revealed.foul,
            None if revealed.after_first_ms is None else revealed.after_first_ms + 12,
            6.5 if revealed.throw is Throw.ROCK else 2.4,
            (*map(str, Throw), None),
        )
        for revealed in reveals
    )
    times = tuple(round(-330 + 1000 * number / 60, 1) for number in range(48))

    def hand_image(seat: int, number: int) -> Pixels:
        revealed = seats[seat - 1]
        opened = revealed.shown_ms is not None and times[number] >= revealed.shown_ms
        return crop(reveals[seat - 1].throw if opened else Throw.ROCK, seat)

    sentence = "Bartholomew was late: scissors 212 ms after the first hand. The round is replayed."
    return DisputedRound("Risk rounds, round 3", sentence, seats, 12.0, 162.0, times, hand_image, True, earlier, later)


def samples() -> dict[str, View | Page]:
    """Return the samples by name."""
    pages: dict[str, View | Page] = {f"dispute-{count}": disputed_round(count, earlier=True) for count in (2, 3, 8)}
    counts = replace(disputed_round(2, earlier=True, later=True), is_void=False)
    hand = press_all(first_page(disputed_round(2)), LookAtHand(2), SeekFrame(29))
    return pages | {
        "dispute-counts": press_all(first_page(counts), SeekFrame(12)),
        "dispute-no-images": replace(disputed_round(8), frame_times_ms=()),
        "dispute-hand": hand,
        "dispute-agree": press_all(hand, ProposeCorrection(AgreedCorrection(2, "scissors"))),
        "dispute-void": press_all(first_page(counts), ProposeCorrection(AgreedCorrection(None))),
    }
