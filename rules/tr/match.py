"""t|r: a die roll for role-playing games, thrown by a player (seat 1) against the game master (seat 2). A roll is
written t|r-d: t throws, r rethrows, difficulty d."""

from collections.abc import Mapping, Sequence

from messages import N, ngettext_lazy
from rules.engine import (
    Answers,
    FactValue,
    FormattedText,
    Game,
    IntRange,
    Option,
    Result,
    Rules,
    Script,
    Seat,
    Setup,
)
from rules.engine.explanation import BeatsScene, ExplanationPage, OutcomeLine, OutcomesScene, ThrowScene
from rules.engine.play import excerpt
from rules.events import Scores
from rules.parallel import GameStep
from rules.throws import Outcome, ask_for_throws, winner_and_loser
from rules.tr.events import RethrowsEarned, RollBegins, Rolled, Thrown
from rules.tr.roll import MAX_ROLL_NUMBER, ROLL_FORMAT, Roll
from rules.tr.text import TEXT

PLAYER: Seat = 1
GAME_MASTER: Seat = 2
ROLES = {PLAYER: "player", GAME_MASTER: "game master"}


def scores_of(wins: int) -> Mapping[Seat, int]:
    """Return both seats' scores: the player's wins; the game master has none."""
    return {PLAYER: wins, GAME_MASTER: 0}


def tr(setup: Setup) -> Script:
    """Play a roll: its throws, the botch check, its rethrows; then subtract the difficulty."""
    roll = roll_from_setup(setup)
    yield RollBegins(str(roll), roll.throws, roll.rethrows, roll.difficulty, ROLES)
    wins = losses = 0
    for number in range(1, roll.throws + 1):
        won = yield from throw_once(roll, "throws", number, roll.throws)
        losses += won is False
        if won:
            wins += 1
            yield Scores(scores_of(wins))
    if wins == 0:
        return (yield from end_roll(roll, wins, "botch" if losses else "failed", None))
    rethrows = min(wins, roll.rethrows)
    if roll.rethrows:
        yield RethrowsEarned(wins, rethrows)
    for number in range(1, rethrows + 1):
        if (yield from throw_once(roll, "rethrows", number, rethrows)):  # only wins count, and earn no further rethrow
            wins += 1
            yield Scores(scores_of(wins))
    degree = wins - roll.difficulty
    return (yield from end_roll(roll, wins, "success" if degree >= 0 else "failure", degree))


def throw_once(roll: Roll, phase: str, number: int, of: int) -> GameStep[bool | None]:
    """Throw once against the game master and return whether the player won; ``None`` is a tie, which is not thrown
    again. A player who shows nothing loses to any throw."""
    about: dict[str, FactValue] = {"roll": str(roll), "phase": phase, "throw": number, "of": of}
    if roll.difficulty:
        about["needed"] = roll.difficulty
    throws = yield from ask_for_throws((PLAYER, GAME_MASTER), about)
    pair = winner_and_loser(throws)
    won = None if pair is None else pair[0] == PLAYER
    outcome = {True: Outcome.WON, False: Outcome.LOST, None: Outcome.TIED}[won]
    yield Thrown(phase, number, of, outcome, throws)
    return won


def end_roll(roll: Roll, wins: int, outcome: str, degree: int | None) -> Script:
    """Announce and return the result. The player wins with a success, the game master with anything else."""
    yield Rolled(str(roll), wins, outcome, degree)
    winner = PLAYER if outcome == "success" else GAME_MASTER
    return Result((winner,), scores_of(wins), {"outcome": outcome, "degree": degree})


def roll_from_setup(setup: Setup) -> Roll:
    """Return the roll of a match: the option ``roll`` if given, or its three parts."""
    text = setup.choice("roll")
    if text != "none":
        return Roll.parse(text)
    return Roll(setup.number("throws"), setup.number("rethrows"), setup.number("difficulty"))


OPTIONS = (
    Option("throws", IntRange(1, MAX_ROLL_NUMBER), 3, N("the player’s throws (t)")),
    Option("rethrows", IntRange(0, MAX_ROLL_NUMBER), 0, N("at most this many extra throws, one per win (r)")),
    Option("difficulty", IntRange(0, MAX_ROLL_NUMBER), 0, N("wins needed to succeed (d)")),
    Option(
        "roll",
        FormattedText(("none",), ROLL_FORMAT, Roll.parse),
        "none",
        N("all three in one, such as 3|2-2; overrides the others"),
    ),
)


SAMPLE_THROWS: tuple[Answers, ...] = ({1: "paper", 2: "rock"}, {1: "scissors", 2: "scissors"}, {1: "rock", 2: "paper"})


def how_to_play(game: Game, roll: Roll) -> Sequence[ExplanationPage]:
    """Return the pages for a ``roll``."""
    rethrows = (
        [
            ExplanationPage(
                OutcomesScene(
                    (
                        OutcomeLine(("crown",), N("a throw won"), N("one more throw"), True),
                        OutcomeLine(("again", "crown"), N("an extra throw won"), N("one more win"), True),
                        OutcomeLine(("again",), N("an extra throw lost"), N("nothing happens")),
                    )
                ),
                ngettext_lazy(
                    "Each win earns an extra throw, but only {count} in all.",
                    "Each win earns an extra throw, {count} at most.",
                    roll.rethrows,
                ),
            )
        ]
        if roll.rethrows
        else []
    )
    return (
        ExplanationPage(BeatsScene()),
        ExplanationPage(ThrowScene()),
        ExplanationPage(
            excerpt(game, {"throw": SAMPLE_THROWS}, "throw"),
            ngettext_lazy(
                "Seat 1 is the player, seat 2 the game master. The player throws {count} time and counts the wins.",
                "Seat 1 is the player, seat 2 the game master. The player throws {count} times and counts the wins.",
                roll.throws,
            ),
        ),
        *rethrows,
        ExplanationPage(
            OutcomesScene(
                (
                    OutcomeLine(
                        ("crown",),
                        ngettext_lazy("{count} win or more", "{count} wins or more", max(1, roll.difficulty)),
                        N("success"),
                        True,
                    ),
                    *([OutcomeLine(("minus",), N("fewer wins"), N("failure"), False)] if roll.difficulty > 1 else []),
                    OutcomeLine(("level",), N("only ties"), N("failed"), False),
                    OutcomeLine(("burst",), N("no win, but a loss"), N("botch"), False),
                )
            ),
            N("The degree of success is the wins minus the difficulty ({count}).", count=roll.difficulty),
        ),
    )


TR = Rules(
    name="tr",
    title=N("t|r"),
    version=1,
    min_players=2,
    picture=("paper", "shield", "star"),
    max_players=2,
    description=N("A “die roll” for role-playing games: the player (seat 1) throws against the game master (seat 2)."),
    options=OPTIONS,
    script=tr,
    text=TEXT,
    how_to_play=lambda game: how_to_play(game, roll_from_setup(game.setup)),
)
