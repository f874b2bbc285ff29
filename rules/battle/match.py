"""Battle: any number of players, and everybody battles everybody. Rounds are computed from throw counts, so they take
as long for a million players as for ten."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from messages import N, ngettext_lazy
from rules.battle.calculator import BattleRound, Tally, winning_throw
from rules.battle.events import BestThrows, Health, RandomThrows, RoundPlayed, SecondLook, SurvivingTeam, Survivor
from rules.battle.options import ROUND_OPTIONS, RoundOptions
from rules.battle.players import BattlePlayer, BattlePlayers
from rules.battle.text import TEXT
from rules.engine import (
    BOX,
    STOP_ANSWER,
    Answers,
    Choices,
    FactValue,
    Game,
    IntRange,
    Option,
    Result,
    Rules,
    SampleMatch,
    Script,
    Seat,
    Setup,
    ThrowPrompt,
    TimeLimit,
    ask_box,
)
from rules.engine.explanation import BeatsScene, ExplanationPage, OutcomeLine, OutcomesScene, ThrowScene
from rules.engine.play import excerpt
from rules.parallel import GameStep
from rules.throws import THROW_CHOICES, Outcome, Throw

SELECTION_SECONDS, BLITZ_SECONDS = 5, 3
"""Time to choose a throw, without and with Blitz."""
REVIEW_SECONDS = 2
"""Extra time from the second round on, to look at the last round's result."""

LockedThrows = dict[Seat, Throw]
"""The throws of a round; the box has thrown for players who showed nothing."""


def battle(setup: Setup) -> Script:
    """Play round after round until people stop, fewer than two are left, or ``rounds`` are over; then the highest score
    wins. ("This game is continuously running rounds forever", battle.txt, Gameplay.)"""
    players, options = BattlePlayers(setup), RoundOptions(setup)
    rounds = setup.number("rounds")
    if players.free_seats:
        yield players.score_event()
    yield from players.assign_teams(players.taken_seats)
    number = 0
    while number < rounds or not rounds:
        if (setup.options["changes"] or not rounds) and (yield from change_players(players, options)):
            break
        number += 1
        active = yield from options.choose_for_round(number, players.taken_seats)
        yield from play_round(number, players, active)
    best = max((player.score for player in players), default=0)
    winners = tuple(player.seat for player in players if player.score == best) if number else ()
    return Result(winners, players.scores(), players.result_details())


def change_players(players: BattlePlayers, options: RoundOptions) -> GameStep[bool]:
    """Let players join, leave, reset or change their wishes, until nobody wants to any more. Return whether the match
    is over: somebody stopped it, or fewer than two are left."""
    while seats_by_choice := (yield from players.ask_changes(with_wishes=bool(options.left_to_players))):
        options.forget_wishes(seats_by_choice.get("join", []))
        if STOP_ANSWER in seats_by_choice or len(players) < 2:
            return True
        yield from options.ask_wishes(sorted(seats_by_choice.get("wish", [])))
    return False


def play_round(number: int, players: BattlePlayers, active: Sequence[str]) -> GameStep[None]:
    """Play a round with the ``active`` options: selection, battles, streaks and scores, health."""
    if "survivor" in active:
        yield from restore_if_decided(players, active)  # somebody may have left
    fighters = players.with_health() if "survivor" in active else list(players)
    throws = yield from select_throws(number, fighters, players, active)
    battles = make_battles(throws, players, active)
    tally_of = {(throw, team): battles.tally(throw, team) for team in range(len(battles.teams)) for throw in Throw}
    results = {seat: tally_of[throw, players[seat].side(active)] for seat, throw in throws.items()}
    for seat, tally in results.items():
        players[seat].record_round(tally, active)
    yield round_played(number, active, throws, battles, results)
    yield players.score_event()
    if "survivor" in active:
        losers = [player for player in fighters if results[player.seat].outcome is Outcome.LOST]
        yield from lose_health(losers, players, active)


def round_played(
    number: int, active: Sequence[str], throws: LockedThrows, battles: BattleRound, results: Mapping[Seat, Tally]
) -> RoundPlayed:
    """Return the result of a round: which throw beats which, and everybody's battles won, lost and tied."""
    return RoundPlayed(
        number,
        list(active),
        throws,
        battles.counts,
        throws_table(battles),
        won={seat: tally.wins for seat, tally in results.items()},
        lost={seat: tally.losses for seat, tally in results.items()},
        tied={seat: tally.ties for seat, tally in results.items()},
        outcomes={seat: tally.outcome for seat, tally in results.items()},
    )


def select_throws(
    number: int, fighters: Sequence[BattlePlayer], players: BattlePlayers, active: Sequence[str]
) -> GameStep[LockedThrows]:
    """Let everybody throw on the shout; then those whose streak shows them the others' throws, on a second shout. If
    everybody has that bonus there is nothing to see, and all throw at once."""
    seconds = BLITZ_SECONDS if "blitz" in active else SELECTION_SECONDS
    review = REVIEW_SECONDS if number > 1 else 0
    about: dict[str, FactValue] = {"round": number, "options": list(active)}
    first = [player for player in fighters if not player.has_second_look(active)]
    second = [player for player in fighters if player.has_second_look(active)]
    throws = yield from lock_throws(first or second, {}, players, active, seconds + review, about)
    if first and second:
        yield SecondLook([player.seat for player in second], throws)
        about = {**about, "phase": "second look", "throws": throws}
        throws = yield from lock_throws(second, throws, players, active, seconds, about)
    return throws


def lock_throws(
    throwing: Sequence[BattlePlayer],
    locked: LockedThrows,
    players: BattlePlayers,
    active: Sequence[str],
    seconds: int,
    about: Mapping[str, FactValue],
) -> GameStep[LockedThrows]:
    """Let the ``throwing`` players throw and return their throws with those already ``locked``.

    A player who shows nothing gets a random throw, or with a long losing streak the best throw against all locked ones.
    """
    seats = dict.fromkeys((player.seat for player in throwing), THROW_CHOICES)
    answers = yield ThrowPrompt(seats, about, time_limit=TimeLimit(seconds), may_be_missing=True)
    throws = locked | {seat: Throw(str(value)) for seat, value in answers.items() if value is not None}
    silent = [player for player in throwing if answers[player.seat] is None]
    helped = [player for player in silent if player.gets_best_throw(active)]
    throws |= yield from draw_random_throws([player.seat for player in silent if not player.gets_best_throw(active)])
    battles = make_battles(throws, players, active)
    if best := {player.seat: battles.best_throw(player.side(active)) for player in helped}:
        throws |= best
        yield BestThrows(best)
    return dict(sorted(throws.items()))


def draw_random_throws(seats: Sequence[Seat]) -> GameStep[LockedThrows]:
    """Let the box draw a throw for each of ``seats``."""
    drawn: LockedThrows = {}
    for seat in seats:
        about: dict[str, FactValue] = {"draws": "a throw", "seat": seat}
        answers = yield ask_box(THROW_CHOICES, about, opened_by="random throws")
        drawn[seat] = Throw(str(answers[BOX]))
    if drawn:
        yield RandomThrows(drawn)
    return drawn


def make_battles(throws: LockedThrows, players: BattlePlayers, active: Sequence[str]) -> BattleRound:
    """Return the battles of these throws: all against all, or under Team one team against the other."""
    teams = [dict.fromkeys(Throw, 0) for _ in range(2 if "team" in active else 1)]
    for seat, throw in throws.items():
        teams[players[seat].side(active)][throw] += 1
    return BattleRound(tuple(teams), inverted="inverted" in active, count="count" in active)


def throws_table(battles: BattleRound) -> dict[str, str]:
    """Return the winner of each pair of throws: ``{"rock-paper": "paper", …}``, or "tie"."""
    table: dict[str, str] = {}
    for first, second in ((Throw.ROCK, Throw.PAPER), (Throw.PAPER, Throw.SCISSORS), (Throw.SCISSORS, Throw.ROCK)):
        winner = winning_throw(first, second, battles.counts, battles.inverted, battles.count)
        table[f"{first}-{second}"] = winner.value if winner else "tie"
    return table


def lose_health(losers: Sequence[BattlePlayer], players: BattlePlayers, active: Sequence[str]) -> GameStep[None]:
    """Survivor: take a health point from the losers of a round; players with none left are out."""
    for player in losers:
        player.health -= 1
    yield health_event(players, out=[player.seat for player in losers if not player.health])
    yield from restore_if_decided(players, active)


def restore_if_decided(players: BattlePlayers, active: Sequence[str]) -> GameStep[None]:
    """Survivor: when one player is left with health, or under *Team* one team against players who are out, announce the
    survivors and restore everybody's health: "When there is a survivor, all player health points are reset to a
    positive number" (battle.txt, Survivor). A team alone has no battles, and so nobody would ever lose another point.

    A round can't eliminate everybody, but the last players may leave or reset: then all are restored, with no survivor.
    """
    left = players.with_health()
    team_alone = "team" in active and len({player.team for player in left}) == 1 and len(left) < len(players)
    if len(left) > 1 and not team_alone:
        return
    for player in players:
        player.health = players.full_health
    if len(left) == 1:
        yield Survivor(left[0].seat)
    elif left:
        yield SurvivingTeam([player.seat for player in left])
    yield health_event(players, out=[])


def health_event(players: BattlePlayers, out: list[Seat]) -> Health:
    """Return everybody's health points and the seats that have just lost their last one."""
    return Health(out, {player.seat: player.health for player in players})


OPTIONS = (
    Option("rounds", IntRange(0, 1000), 0, N("number of rounds; endless (0): until you end the game")),
    *ROUND_OPTIONS,
    Option(
        "teams", Choices(("seats", "choose")), "seats", N("two teams: odd seats against even, or each player chooses")
    ),
    Option("health", IntRange(1, 100), 3, N("health points at the start of Survivor")),
    Option("changes", Choices((False, True)), True, N("between rounds, players may leave, join and start afresh")),
    Option("free", IntRange(0, 6), 0, N("seats that are free at first, for players who come later")),
)


SAMPLE_THROWS: tuple[Answers, ...] = (
    {seat: ("rock", "scissors", "paper", "scissors", "rock")[seat % 5] for seat in range(1, 100)},
)
OPTION_OUTCOMES = MappingProxyType(
    {
        "team": OutcomeLine(("shield",), TEXT.words["team"], N("only the other team")),
        "survivor": OutcomeLine(("heart",), TEXT.words["survivor"], N("a loss costs health")),
        "count": OutcomeLine(("rock", "rock", "paper"), TEXT.words["count"], N("twice as many win")),
        "inverted": OutcomeLine(("swap",), TEXT.words["inverted"], N("all the other way round")),
        "classic": OutcomeLine(("flame",), TEXT.words["classic"], N("no bonus, no help")),
        "blitz": OutcomeLine(("clock",), TEXT.words["blitz"], N("less time to choose")),
    }
)
"""The options of a round, those that change most first."""
MAX_OPTIONS = 4
"""How many of them are explained: as many as fit on a page."""


def how_to_play(game: Game) -> Sequence[ExplanationPage]:
    """Return the pages, with the options that are on or that the players decide."""
    setup = game.setup
    sample: dict[str, Sequence[Answers]] = {
        "throw": SAMPLE_THROWS,
        "table": [dict.fromkeys(range(1, setup.seats + 1), "stay")],
    }
    active = [name for name in OPTION_OUTCOMES if setup.options.get(name, False) is not False]
    pages = [
        ExplanationPage(BeatsScene(inverted=setup.options["inverted"] is True)),
        ExplanationPage(ThrowScene()),
        ExplanationPage(
            excerpt(game, sample, "throw", 1),
            N("Everybody battles the other team. Win more battles than you lose: +1 point. Lose more: −1.")
            if setup.options["team"] is True
            else N("Everybody battles everybody. Win more battles than you lose: +1 point. Lose more: −1."),
        ),
    ]
    if setup.options["classic"] is not True:
        pages.append(_bonus_page())
    if active:
        lines = tuple(OPTION_OUTCOMES[name] for name in active[:MAX_OPTIONS])
        wished = any(setup.options[name] == "wish" for name in active[:MAX_OPTIONS])
        text = (
            N("Everybody wishes for options; each round the wishes of one player, drawn at random, count.")
            if wished
            else N("These options are on:")
        )
        pages.append(ExplanationPage(OutcomesScene(lines), text))
    pages.append(_end_page(setup))
    return pages


def _bonus_page() -> ExplanationPage:
    """What a streak brings (battle.txt, Streak Bonuses)."""
    return ExplanationPage(
        OutcomesScene(
            (
                OutcomeLine(("flame",), N("{count} wins in a row", count=3), "+2", True),
                OutcomeLine(("flame",), N("{count} wins in a row", count=4), "+3", True),
                OutcomeLine(("flame", "eye"), N("{count} wins in a row", count=5), "+4", True),
                OutcomeLine(("eye",), N("{count} losses in a row", count=3), "−1", False),
            )
        ),
        N("Winning streaks score more. After five wins or three losses you see the other throws before yours."),
    )


def _end_page(setup: Setup) -> ExplanationPage:
    """When the match ends, and who wins it."""
    rounds = setup.options.get("rounds")
    lines = [
        OutcomeLine(("clock",), ngettext_lazy("{count} round", "{count} rounds", rounds), N("the match ends"))
        if isinstance(rounds, int) and rounds > 0
        else OutcomeLine(("again",), N("round after round"), N("until you stop")),
        OutcomeLine(("crown",), N("highest score"), N("wins"), True),
    ]
    if setup.options.get("changes") is True:
        lines.append(OutcomeLine(("swap",), N("between rounds"), N("join, leave, reset")))
    text = (
        ngettext_lazy(
            "After {count} round, the highest score wins.", "After {count} rounds, the highest score wins.", rounds
        )
        if isinstance(rounds, int) and rounds > 0
        else N("The game goes on until you stop. Then the highest score wins.")
    )
    return ExplanationPage(OutcomesScene(tuple(lines)), text)


BATTLE = Rules(
    name="battle",
    title=N("Battle"),
    version=3,
    min_players=2,
    picture=("scissors", "burst", "rock"),
    max_players=1_000_000,
    description=N(
        "Everybody battles everybody. Win more battles than you lose to win the round; winning streaks score extra."
    ),
    options=OPTIONS,
    script=battle,
    text=TEXT,
    samples=(SampleMatch(4, {"rounds": 2}), SampleMatch(3, {"free": 1})),
    how_to_play=how_to_play,
    says_outcomes=True,
)
