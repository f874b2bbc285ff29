"""Samples of the reveal: with a foul and every verdict, decided, with the count of fouls, of cards."""

from dataclasses import replace

from messages import join
from rules.record.judgement import Verdict
from rules.throws import Outcome, Throw
from tests.helpers.samples.common import NAMES, players, players_with_fouls
from ui.screen.pages.how_to_play_shots import drawn_hand
from ui.screen.pages.reveal import Reveal, SeatReveal
from ui.screen.views import View
from ui.text.cards import CARD_VERDICTS, DUPLICATE_CARD
from ui.text.verdicts import ROUND_REPLAYED, foul_sentence


def mixed_reveal(count: int) -> Reveal:
    """A reveal with a foul in it, and with every verdict where there are enough seats."""
    rock, paper, scissors = Throw
    throws = ((paper,), (rock, scissors), (rock,), (paper,), (), (scissors, paper), (scissors, rock), ())
    after = (0.0, 212.0, 31.0, 88.0, 140.0, 60.0, -320.0, None)
    verdicts = ("on time", "late", "on time", "on time", "unclear", "changed", "early", "unseen")
    seats = tuple(
        SeatReveal(
            player,
            drawn_hand(shown[-1 if verdict == "early" else 0] if shown else None, player.seat),
            shown,
            verdict,
            verdict in ("late", "early", "changed"),
            ms,
            early_ms=380.0 if verdict == "early" else None,
            proof_crop=drawn_hand(shown[0 if verdict == "early" else -1], player.seat) if len(shown) == 2 else None,
        )
        for player, shown, verdict, ms in zip(players(count), throws, verdicts, after, strict=False)
    )
    late = foul_sentence(Verdict.LATE, NAMES[1], 212.0, 0.0, Throw.SCISSORS, None)
    return Reveal(seats, join([late, ROUND_REPLAYED]), 150.0)


def close_reveal() -> Reveal:
    """A reveal in which one player may have been late."""
    on_time, late = (
        SeatReveal(player, drawn_hand(throw, player.seat), (throw,), "on time", False, 0.0)
        for player, throw in zip(players(2), (Throw.PAPER, Throw.ROCK), strict=True)
    )
    late = replace(
        late,
        throws=(Throw.ROCK, Throw.SCISSORS),
        verdict=Verdict.TOO_CLOSE,
        after_first_ms=168.0,
        interval_ms=31.0,
        proof_crop=drawn_hand(Throw.SCISSORS, 2),
    )
    sentence = foul_sentence(Verdict.LATE, NAMES[1], 168.0, 0.0, Throw.SCISSORS, None, interval_ms=31.0)
    return Reveal((on_time, late), join([sentence, ROUND_REPLAYED]), 150.0)


def decided_reveal(count: int, shown_s: float | None = None) -> Reveal:
    """A reveal without a foul: paper beats rock."""
    after = (0.0, 31.0, 12.0, 88.0, 140.0, 60.0, 35.0, 118.0)
    seats = tuple(
        SeatReveal(
            player,
            drawn_hand(throw, player.seat),
            (throw,),
            "on time",
            False,
            ms,
            Outcome.WON if throw is Throw.PAPER else Outcome.LOST,
        )
        for player, throw, ms in zip(players(count), (Throw.PAPER, Throw.ROCK) * 4, after, strict=False)
    )
    sentence = "Ann wins 20; Bartholomew loses 5."
    return Reveal(
        seats, sentence, 150.0, ((Throw.PAPER, Throw.ROCK),), has_slow_motion=True, seconds_left=3.5, shown_s=shown_s
    )


def reveal_with_foul_counts(count: int) -> Reveal:
    """A reveal with everybody's fouls so far."""
    reveal = mixed_reveal(count)
    seats = tuple(
        replace(seat, player=player) for seat, player in zip(reveal.seats, players_with_fouls(count), strict=True)
    )
    return replace(reveal, seats=seats)


def card_reveal() -> Reveal:
    """A reveal with every verdict that only a card can have."""
    seats = tuple(
        SeatReveal(player, drawn_hand(throw, player.seat), (throw,), verdict, verdict != "not read", None)
        for player, verdict, throw in zip(players(8), CARD_VERDICTS, (*Throw, *Throw, *Throw), strict=False)
    )
    return Reveal(seats, DUPLICATE_CARD, 1000.0)


def samples() -> dict[str, View]:
    """Return the samples by name."""
    pages: dict[str, View] = {
        "reveal-cards-8": card_reveal(),
        "reveal-too-close-2": close_reveal(),
        "reveal-turns-2": decided_reveal(2, 0.06),
        "reveal-opens-2": decided_reveal(2, 0.24),
        "reveal-passes-8": decided_reveal(8, 1.0),
    }
    for count in (2, 8):
        pages |= {
            f"reveal-won-{count}": decided_reveal(count),
            f"reveal-dispute-{count}": replace(reveal_with_foul_counts(count), seconds_left=3.0),
        }
    return pages | {f"reveal-{count}": mixed_reveal(count) for count in (2, 3, 8)}
