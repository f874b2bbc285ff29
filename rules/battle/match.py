"""Battle: any number of players, and everybody battles everybody. A round is reckoned from how many threw what, so that
it takes as long for a million players as for ten."""

from collections.abc import Mapping, Sequence

from rules.battle.calculator import Outcome, Round, Tally, winner
from rules.battle.options import ROUND_OPTIONS, RoundOptions
from rules.battle.players import Player, Players
from rules.engine import BOX, Ask, Choices, Json, Option, Result, Rules, Say, Script, Seat, Setup, Span
from rules.parallel import Part
from rules.throws import THROWS, Throw, as_said

SELECTION_SECONDS, BLITZ_SECONDS = 5, 3
"""How long the selection lasts, and how long under Blitz."""
REVIEW_SECONDS = 2
"""Added to the selection where there is a last round's result to look at."""

Throws = dict[Seat, Throw]
"""What everybody plays in a round; nobody is without a throw once the box has thrown for those who showed none."""


def battle(setup: Setup) -> Script:
    """The source runs rounds for ever; a match has a number of them, or ends when fewer than two players are left.
    Whoever then has the highest score has won."""
    players, options = Players(setup), RoundOptions(setup)
    yield from players.make_teams(players.seats)
    yield from options.ask(players.seats)
    for number in range(1, setup.number("rounds") + 1):
        if number > 1 and setup.options["changes"]:
            yield from between_rounds(players, options)
            if len(players) < 2:
                break
        on = yield from options.of_round(number, players.seats)
        yield from one_round(number, players, on)
    best = max((player.score for player in players), default=0)
    return Result(tuple(p.seat for p in players if p.score == best), players.scores(), players.counters())


def between_rounds(players: Players, options: RoundOptions) -> Part[None]:
    """Players may join, leave or reset. Who joins, and who wants to, says what they wish of the options."""
    done = yield from players.change(wishes=bool(options.wished))
    yield from options.ask(sorted(done.get("join", []) + done.get("wish", [])))


def one_round(number: int, players: Players, on: Sequence[str]) -> Part[None]:
    """One round with the options that are ``on``: selection, battles, streaks and scores, health."""
    if "survivor" in on:
        yield from restore_if_decided(players)  # somebody may have left
    fighters = players.with_health() if "survivor" in on else list(players)
    throws = yield from selection(number, fighters, players, on)
    battles = battles_of(throws, players, on)
    tally_of = {(move, team): battles.tally(move, team) for team in range(len(battles.teams)) for move in Throw}
    results = {seat: tally_of[throw, players[seat].side(on)] for seat, throw in throws.items()}
    for seat, tally in results.items():
        players[seat].take(tally, on)
    yield said_round(number, on, throws, battles, results)
    yield players.said()
    if "survivor" in on:
        losers = [player for player in fighters if results[player.seat].outcome is Outcome.LOSS]
        yield from lose_health(losers, players)


def said_round(number: int, on: Sequence[str], throws: Throws, battles: Round, results: Mapping[Seat, Tally]) -> Say:
    """What a round came to: the moves table, and everybody's battles won, lost and tied."""
    return Say(
        "round",
        {
            "round": number,
            "options": list(on),
            "throws": as_said({**throws}),
            "counts": {move.value: count for move, count in battles.counts.items()},
            "table": moves_table(battles),
            "won": {str(seat): tally.wins for seat, tally in results.items()},
            "lost": {str(seat): tally.losses for seat, tally in results.items()},
            "tied": {str(seat): tally.ties for seat, tally in results.items()},
            "outcomes": {str(seat): tally.outcome.value for seat, tally in results.items()},
        },
    )


def selection(number: int, fighters: Sequence[Player], players: Players, on: Sequence[str]) -> Part[Throws]:
    """Everybody throws on the shout, except those who by their streak see the others' throws first: they throw on a
    second one. Where everybody holds that bonus, there is nothing to see, and everybody throws at once."""
    seconds = BLITZ_SECONDS if "blitz" in on else SELECTION_SECONDS
    review = REVIEW_SECONDS if number > 1 else 0
    about: dict[str, Json] = {"round": number, "options": list(on)}
    looking = [player for player in fighters if player.sees(on)]
    at_once = [player for player in fighters if not player.sees(on)]
    throws = yield from shout(at_once or looking, {}, players, on, seconds + review, about)
    if at_once and looking:
        yield Say("second look", {"seats": [player.seat for player in looking], "throws": as_said({**throws})})
        about = {**about, "phase": "second look", "throws": as_said({**throws})}
        throws = yield from shout(looking, throws, players, on, seconds, about)
    return throws


def shout(
    now: Sequence[Player], locked: Throws, players: Players, on: Sequence[str], seconds: int, about: Mapping[str, Json]
) -> Part[Throws]:
    """The players of ``now`` throw, and are locked with those that were. Who shows nothing gets a random throw, drawn
    by the box; those whom their streak helps get, each for themselves, the best one against all that are locked."""
    seats = dict.fromkeys((player.seat for player in now), THROWS)
    shown = yield Ask("throw", seats, sealed=True, seconds=seconds, no_answer=True, about=about)
    throws = locked | {seat: Throw(str(value)) for seat, value in shown.items() if value is not None}
    silent = [player for player in now if shown[player.seat] is None]
    helped = [player for player in silent if player.helped(on)]
    throws |= yield from random_throws([player.seat for player in silent if not player.helped(on)])
    battles = battles_of(throws, players, on)
    if best := {player.seat: battles.best(player.side(on)) for player in helped}:
        throws |= best
        yield Say("best throws", {"throws": as_said({**best})})
    return dict(sorted(throws.items()))


def random_throws(seats: Sequence[Seat]) -> Part[Throws]:
    """A throw drawn by the box for each of ``seats``."""
    drawn: Throws = {}
    for seat in seats:
        answer = yield Ask("draw", {BOX: THROWS}, secret=True, about={"draws": "a throw", "seat": seat})
        drawn[seat] = Throw(str(answer[BOX]))
    if drawn:
        yield Say("random throws", {"throws": as_said({**drawn})})
    return drawn


def battles_of(throws: Throws, players: Players, on: Sequence[str]) -> Round:
    """The battles between those who have thrown: all against all, or under Team one team against the other."""
    teams = [dict.fromkeys(Throw, 0) for _ in range(2 if "team" in on else 1)]
    for seat, throw in throws.items():
        teams[players[seat].side(on)][throw] += 1
    return Round(tuple(teams), inverted="inverted" in on, count="count" in on)


def moves_table(battles: Round) -> dict[str, Json]:
    """Which move of each two beats the other: ``{"rock-paper": "paper", …}``, or "tie"."""
    table: dict[str, Json] = {}
    for one, other in ((Throw.ROCK, Throw.PAPER), (Throw.PAPER, Throw.SCISSORS), (Throw.SCISSORS, Throw.ROCK)):
        best = winner(one, other, battles.counts, battles.inverted, battles.count)
        table[f"{one}-{other}"] = best.value if best else "tie"
    return table


def lose_health(losers: Sequence[Player], players: Players) -> Part[None]:
    """Survivor: a round lost costs a health point; who has none left is out."""
    for player in losers:
        player.health -= 1
    yield said_health(players, out=[player.seat for player in losers if not player.health])
    yield from restore_if_decided(players)


def restore_if_decided(players: Players) -> Part[None]:
    """Survivor: one left in is the survivor, and everybody's health is restored. Not all can lose one round, but those
    who were in may leave or reset: with nobody left in, everybody is restored and nobody has survived."""
    left = players.with_health()
    if len(left) > 1:
        return
    for player in players:
        player.health = players.full_health
    if left:
        yield Say("survivor", {"seat": left[0].seat})
    yield said_health(players, out=[])


def said_health(players: Players, out: list[Seat]) -> Say:
    """Everybody's health points, and who has just lost the last one."""
    return Say("health", {"out": out, "health": {str(player.seat): player.health for player in players}})


OPTIONS = (
    Option("rounds", Span(1, 1000), 10, "how many rounds are played"),
    *ROUND_OPTIONS,
    Option("teams", Choices(("seats", "choose")), "seats", "two teams: odd seats against even, or as people choose"),
    Option("health", Span(1, 100), 3, "health points everybody begins Survivor with"),
    Option("changes", Choices((False, True)), False, "after every round, ask who leaves, comes back or starts afresh"),
)

BATTLE = Rules(
    name="battle",
    title="Battle",
    version=1,
    fewest=2,
    most=1_000_000,
    about="Everybody battles everybody. More battles won than lost wins the round; streaks of wins are worth more.",
    options=OPTIONS,
    script=battle,
)
