"""A game of one's own: both show up to five fingers; Player 1 wins an even sum, Player 2 an odd one.

``python even_or_odd.py`` plays it with random answers. docs/adding-a-game.md installs a game, and then
it is on the box's home page."""

import random

from messages import N
from rules.engine import Game, GameText, IntRange, Option, Play, Result, Rules, SampleMatch, Script, SealedPrompt, Setup
from rules.engine.scoreboard import ShownFact
from rules.events import Other, Scores

FINGERS = IntRange(0, 5)


def even_or_odd(setup: Setup) -> Script:
    """Play until a player has won more than half of the rounds."""
    won = {1: 0, 2: 0}
    while max(won.values()) <= setup.number("best_of") // 2:
        about = {"round": sum(won.values()) + 1, "best_of": setup.number("best_of")}
        fingers = yield SealedPrompt("fingers", {1: FINGERS, 2: FINGERS}, about)
        total = sum(int(shown) for shown in fingers.values() if shown is not None)
        winner = 1 if total % 2 == 0 else 2
        won[winner] += 1
        yield Other("counted", {"seat": winner, "total": total})
        yield Scores(won)
    return Result((max(won, key=lambda seat: won[seat]),), won)


EVEN_OR_ODD = Rules(
    name="even-or-odd",
    title="Even or Odd",
    version=1,
    min_players=2,
    max_players=2,
    description="Both show fingers: Player 1 wins an even sum, Player 2 an odd one.",
    options=(Option("best_of", IntRange(1, 99, 2), 5, "best of 3, 5, 7 …"),),
    script=even_or_odd,
    text=GameText(
        sentences={"counted": N("{total} fingers: {name} wins.")},
        headings={"counted": N("Counted")},
        questions={"fingers": N("How many fingers?")},
        words={"best_of": N("best of")},
        scoreboard={"best_of": ShownFact()},
    ),
    samples=(SampleMatch(2, {"best_of": 3}),),
)


def play_at_random(game: Game, seed: int) -> Result | None:
    """Play a game with random answers, print each event, and return the result."""
    answers, play = random.Random(seed), Play(game)
    while play.prompt:
        for event in play.answer({seat: answers.randint(0, 5) for seat in play.prompt.seats}):
            print(event.kind, dict(event.facts))
    return play.result


if __name__ == "__main__":
    print(play_at_random(EVEN_OR_ODD.set_up(2), seed=1))
