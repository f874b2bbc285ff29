"""Samples of a dispute: the evidence, one hand, a correction to agree on, and a round without images."""

from dataclasses import replace

from device.camera.frames import Pixels
from rules.throws import Throw
from tests.helpers.sample_rounds import sample_round, sample_seat
from tests.helpers.samples.reveal import close_reveal, mixed_reveal
from ui.screen.pages.dispute import AgreedCorrection, AgreePage, DisputedRound, DisputePage, HandPage
from ui.screen.pages.how_to_play_shots import drawn_hand
from ui.screen.pages.reveal import Reveal
from ui.screen.views import View


def disputed_round(
    count: int, *, earlier: bool = False, later: bool = False, reveal: Reveal | None = None
) -> DisputedRound:
    """A disputed round: every hand opens from a fist when it is shown."""
    shown = reveal or mixed_reveal(count)
    reveals = shown.seats
    seats = tuple(
        sample_seat(
            revealed.seat,
            revealed.throws,
            revealed.verdict,
            revealed.after_first_ms,
            6.5 if revealed.last_throw is Throw.ROCK else 2.4,
            is_foul=revealed.is_foul,
        )
        for revealed in reveals
    )
    times = tuple(round(-330 + 1000 * number / 60, 1) for number in range(48))

    def hand_image(seat: int, number: int) -> Pixels:
        revealed = seats[seat - 1]
        opened = revealed.record.shown_ms is not None and times[number] >= revealed.record.shown_ms
        return drawn_hand(reveals[seat - 1].last_throw if opened else Throw.ROCK, seat)

    sentence = (
        reveal.sentence
        if reveal
        else ("Bartholomew was late: scissors 212 ms after the first hand. The round is replayed.")
    )
    return DisputedRound(
        sample_round(seats, is_void=True),
        {
            player.seat: replace(player, fouls=int(revealed.is_foul))
            for revealed, player in zip(reveals, shown.players, strict=True)
        },
        "Risk rounds, round 3",
        sentence,
        times,
        hand_image,
        dict.fromkeys((seat.seat for seat in seats), (*map(str, Throw), None)),
        earlier,
        later,
    )


def counting(view: DisputedRound) -> DisputedRound:
    """Return the page of the same round if it counted."""
    return replace(view, line=replace(view.line, is_void=False))


def samples() -> dict[str, View]:
    """Return the samples by name."""
    pages: dict[str, View] = {f"dispute-{count}": disputed_round(count, earlier=True) for count in (2, 3, 8)}
    counts = counting(disputed_round(2, earlier=True, later=True))
    two = disputed_round(2)
    hand = HandPage(DisputePage(two, 29), two.seats[1])
    return pages | {
        "dispute-too-close": disputed_round(2, reveal=close_reveal()),
        "dispute-counts": DisputePage(counts, 12),
        "dispute-no-images": replace(disputed_round(8), frame_times_ms=()),
        "dispute-hand": hand,
        "dispute-agree": AgreePage(hand, AgreedCorrection(2, "scissors")),
        "dispute-void": AgreePage(counts.first_page(), AgreedCorrection(None)),
    }
