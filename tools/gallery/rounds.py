"""The gallery's rounds: what is at stake and how things stand, reveals that open and pass, a result that rises."""

from dataclasses import replace
from types import MappingProxyType

from rules.engine import Ask, Choices, Options, Result, Say, Span
from rules.throws import Throw
from tools.gallery.people import NAMES, WORDS, crop, players
from ui.screen.core.page_stack import Page
from ui.screen.pages.ask.hints import hint
from ui.screen.pages.ask.view import entry
from ui.screen.pages.home.view import SCENES
from ui.screen.pages.standing.view import Fact
from ui.screen.pages.views import (
    Attract,
    Cadence,
    Ended,
    Gather,
    Player,
    Question,
    Reveal,
    SeatReveal,
    Told,
    View,
    Waiting,
)


def decided(count: int, shown_s: float | None = None) -> Reveal:
    """A reveal without a foul: paper beats rock."""
    after = (0.0, 31.0, 12.0, 88.0, 140.0, 60.0, 35.0, 118.0)
    seats = tuple(
        SeatReveal(
            player,
            crop(throw, player.seat),
            throw,
            "on time",
            False,
            ms,
            "win" if throw is Throw.PAPER else "loss",
        )
        for player, throw, ms in zip(players(count), (Throw.PAPER, Throw.ROCK) * 4, after, strict=False)
    )
    sentence = "Ann wins 20 points; the other loses 5 points."
    return Reveal(seats, sentence, 150.0, ((Throw.PAPER, Throw.ROCK),), seconds_left=3.5, shown_s=shown_s)


def standings(count: int) -> tuple[Player, ...]:
    """Players of whom much is so."""
    told = (
        (Fact("streaks", 3), Fact("bets", 10), Fact("claims", "rock")),
        (Fact("streaks", -2), Fact("bets", 0), Fact("folded", True)),
        (Fact("health", 5), Fact("cards", 4), Fact("out", True)),
    )
    return tuple(replace(player, fouls=player.seat % 3, facts=told[player.seat % 3]) for player in players(count))


STAKES = (Fact("phase", "risk rounds"), Fact("round", 3), Fact("goal", 100), Fact("pot", 17))


DEALT = MappingProxyType({"rock": 2, "paper": 3, "scissors": 1})


def _asked(kind: str, options: Options, sealed: bool, count: int = 2) -> Gather:
    """A question that is asked for the first time in a match."""
    ask = Ask(kind, dict.fromkeys(range(1, count + 1), options), sealed, 20, 0, about=MappingProxyType({"round": 1}))
    return Gather(players(2), ask, 17.0, hint(ask))


def moment_pages() -> dict[str, View | Page]:
    """What a round is about and what came of it: stakes, standings, reveals that open and pass, a result that rises."""
    shown: dict[str, View | Page] = {
        **{f"attract-{scene.name}": Attract(at) for scene, at in zip(SCENES, (1.0, 5.5, 9.0, 14.0, 17.0), strict=True)},
        "hint-bet": entry(_asked("bet", Span(0, 95, 5), True).part(1)),
        "hint-claim": _asked("claim", Choices(tuple(Throw)), False, 1),
        "hint-bets": _asked("bet", Span(0, 95, 5), True),
        "cards-dealt": entry(
            Question(
                players(2), Ask("hand", {1: Choices(("seen",))}, secret=True, about={"seat": 1, "cards": DEALT}), 1
            )
        ),
        "waiting": Waiting("RPS Redeux", 0.1),
        "reveal-opens-2": decided(2, 0.1),
        "reveal-passes-8": decided(8, 1.0),
    }
    for count in (2, 8):
        people = standings(count)
        result = Result((2,), {p.seat: p.score or 0 for p in people}, {"streaks": {"1": 2, "2": 5}, "draw": False})
        shown |= {
            f"reveal-won-{count}": decided(count),
            f"cadence-stakes-{count}": Cadence(
                people,
                "Risk rounds, round 3",
                WORDS,
                0,
                0.4,
                facts=STAKES,
                throwing=tuple(range(1, count)),
                hint="Fist on every word, and show your throw on SHOOT!",
            ),
            f"told-standing-{count}": Told(
                people,
                Say("score", {}),
                ("Ann wins 20 points; the other loses 5 points.",),
                STAKES,
                seconds_left=2.5,
                shown_s=0.5,
            ),
            f"told-known-{count}": Told(people, Say("won", {}), (), STAKES, known=True, seconds_left=2.5, shown_s=0.5),
            f"ended-standing-{count}": Ended(
                people, result, f"{NAMES[1]} has won with 70 points.", True, seconds_left=15.0, shown_s=0.2
            ),
        }
    return shown
