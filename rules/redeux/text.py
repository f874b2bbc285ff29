"""The words of RPS Redeux."""

from collections.abc import Sequence
from dataclasses import replace

from messages import N, join, ngettext_lazy
from rules.engine import GameText, Names, Prompt, Seat, Value
from rules.engine.scoreboard import PHASE, ROUND, WINS, FactForm, FactOwner, ShownFact
from rules.events import BetsOpened, Pairs
from rules.redeux.events import (
    Boxes,
    HandsTaken,
    PairTie,
    PairWon,
    RiskDeckShuffled,
    RiskRoundsBegin,
    RoundWon,
)
from rules.redeux.table import ROUND_POINTS
from rules.text import (
    about_players,
    cards_text,
    fill,
    join_clauses,
    join_counts,
    list_names,
    points_text,
    seat_name,
    template,
    template_by,
)

NOBODY_BETS = N("Nobody bets.")
_WON_CARDS = ShownFact(label=N("Won cards"), icon="cards", until=("pairs", "risk rounds", "pair won"))
_BETS_AFTER_TIE = {"stand": N("The bets stand."), "ask": N("Place new bets.")}


def _tie(event: PairTie, names: Names) -> str:
    tie = fill(N("Tie ({throws}). Throw again."), event.values, names)
    return tie if event.bets is None else join([tie, _BETS_AFTER_TIE[event.bets]])


def _win(event: RoundWon, names: Names) -> str:
    points = points_text(event.points)
    if not event.lost:
        return fill(N("{name} wins {points} ({throws})."), event.values, names, points=points)
    loser = next(seat for seat in event.pair if seat != event.seat)
    message = N("{name} wins {points}; {loser} loses {lost} ({throws}).")
    return fill(message, event.values, names, points=points, loser=seat_name(loser, names))


def _pairs(event: Pairs, names: Names) -> str | list[str]:
    """Return who plays whom; nothing if that is clear."""
    if event.games == 1 and len(event.pairs) == 1:
        return []
    pairs = join_clauses(
        [
            N("{one} against {other}", one=seat_name(first, names), other=seat_name(second, names))
            for first, second in event.pairs
        ]
    )
    if event.games == 1:
        return pairs
    return join([N("Game {number} of {games}.", number=event.game, games=event.games), pairs])


def _bets(event: BetsOpened, names: Names) -> str:
    if not any(event.bets.values()):
        return NOBODY_BETS
    bets = ((seat_name(seat, names), bet) for seat, bet in event.bets.items())
    return join_clauses(
        [N("{name} bets {bet}", name=who, bet=bet) if bet else N("{name} doesn’t bet", name=who) for who, bet in bets]
    )


def _risk_rounds_begin(event: RiskRoundsBegin, names: Names) -> str:
    seats = [seat for pair in event.pairs for seat in pair]
    if event.starting_points is not None:
        points = points_text(event.starting_points)
        return N("Risk Rounds up to {goal} points. Everybody begins with {points}.", goal=event.goal, points=points)
    if len(seats) == len(names) > 2:
        return N("Risk Rounds: all play on to {goal} points.", goal=event.goal)
    return N("Risk Rounds: {who} play on to {goal} points.", who=list_names(seats, names), goal=event.goal)


def _all_bets(events: Sequence[BetsOpened], names: Names) -> list[str]:
    bets = [(seat_name(seat, names), bet) for event in events for seat, bet in event.bets.items() if bet]
    return [N("Bets: {bets}.", bets=join_counts(bets)) if bets else NOBODY_BETS]


def _all_wins(events: Sequence[RoundWon], names: Names) -> list[str]:
    """Return who wins how many points; what the losers lose are their bets."""
    points = {event.points for event in events}
    winners = [event.seat for event in events]
    if len(points) == 1:
        each = points_text(points.pop())
        return about_players("{who} wins {points}.", "{who} each win {points}.", winners, names, points=each)
    won = join_counts((seat_name(event.seat, names), event.points) for event in events)
    return [N("Points won: {points}.", points=won)]


def _all_ties(events: Sequence[PairTie], names: Names) -> list[str]:
    who = join([list_names(event.pair, names) for event in events], ", ")
    bets = [_BETS_AFTER_TIE[event.bets] for event in events[:1] if event.bets is not None]
    return [join([N("Tie: {pairs}. Throw again.", pairs=who), *bets])]


def _all_pair_winners(events: Sequence[PairWon], names: Names) -> list[str]:
    primary, risk = (
        [event.seat for event in events if event.phase == phase] for phase in ("primary game", "risk rounds")
    )
    return [
        *about_players("{who} wins the Primary game.", "{who} win the Primary game.", primary, names),
        *about_players("{who} wins the Risk Rounds.", "{who} win the Risk Rounds.", risk, names),
    ]


def _boxes(event: Boxes, names: Names) -> list[str]:
    """Return what the players take from their boxes, and what the Risk Rounds need."""
    lines: list[str] = [
        ngettext_lazy(
            "Printed cards: {count} box of {cards}; each pair takes {each}.",
            "Printed cards: {count} boxes of {cards}; each pair takes {each}.",
            event.boxes,
            cards=event.cards,
            each=event.of_each,
        )
    ]
    if event.left is not None:
        lines.append(N("In Risk Rounds a pair also needs the other {left} cards of its box.", left=event.left))
    return lines


def _all_hands(events: Sequence[HandsTaken], names: Names) -> list[str]:
    return [N("Each player takes {cards}.", cards=cards_text(events[0].each))]


def _all_risk_decks(events: Sequence[RiskDeckShuffled], names: Names) -> list[str]:
    return [N("Each pair shares a shuffled Risk deck of {count} cards.", count=events[0].cards)]


def _bet_hint(prompt: Prompt) -> str:
    if prompt.opened_by is not None:
        return N("Your bet stays hidden until all have thrown. Win and you get twice as much; lose and it is gone.")
    if prompt.is_private:
        return N("Your bet stays hidden until all bets are in. Win and you get twice as much; lose and it is gone.")
    return N("Everybody sees your bet. Win and you get twice as much; lose and it is gone.")


def _bet_consequence(prompt: Prompt, seat: Seat, bet: Value) -> str:
    won = 2 * int(bet or 0) or ROUND_POINTS
    return N("Win: +{won} · Lose: −{lost}", won=won, lost=bet) if bet else N("Win: +{won} · Lose: 0", won=won)


def _risk_consequence(prompt: Prompt, seat: Seat, answer: Value) -> str:
    if answer == "yes":
        return N("You play on, to {goal} points", goal=prompt.about["goal"])
    return N("Your game ends here")


TEXT = GameText(
    sentences={
        "tie": _tie,
        "won": _win,
        "pairs": _pairs,
        "sits out": N("{name} sits this game out."),
        "pile": template(N("Match piles: {piles}."), piles="cards"),
        "bets": _bets,
        "boxes": _boxes,
        "risk rounds": _risk_rounds_begin,
        "pair won": template_by(
            "phase",
            {"primary game": N("{name} wins the Primary game."), "risk rounds": N("{name} wins the Risk Rounds.")},
        ),
        "play on": N("{who} have both reached the goal: the next round won decides."),
        "hands": template(N("{who} each take {cards}."), cards="each"),
        "risk deck": template(N("{who} share a shuffled Risk deck of {count} cards."), count="cards"),
        "drawn": template(N("{name} draws {card} and holds {cards}."), cards="hand"),
        "both draw": N("{who} discard their cards and draw one each; {left} left in the deck."),
    },
    summaries={
        "tie": _all_ties,
        "won": _all_wins,
        "bets": _all_bets,
        "pair won": _all_pair_winners,
        "hands": _all_hands,
        "risk deck": _all_risk_decks,
    },
    headings={
        "pile": N("Match piles"),
        "pairs": N("Pairs"),
        "sits out": N("Sits out"),
        "pair won": N("Pair won"),
        "play on": N("Play on"),
        "risk deck": N("Risk deck"),
        "both draw": N("Both draw"),
        "boxes": N("Boxes"),
    },
    questions={
        "bet": N("How much do you bet?"),
        "risk": N("Play on with Risk Rounds?"),
        "drawn": N("You drew a card"),
    },
    hints={
        "bet": _bet_hint,
        "risk": N("In Risk Rounds you bet the points you have, until somebody reaches the goal."),
    },
    words={
        "games.0": N("enough for all"),
        "starting_points": N("starting points"),
        "starting_points.0": N("none", "points"),
        "play_with": N("play with"),
        "ask": N("ask", "an option"),
        "always": N("always"),
        "never": N("never"),
        "sealed": N("sealed", "bets"),
        "open": N("open", "bets"),
        "tied_bets": N("tied bets"),
        "stand": N("stand", "bets"),
        "primary game": N("Primary game"),
        "risk rounds": N("Risk rounds"),
        "bets": N("bets"),
        "boxes": N("boxes", "of cards"),
        "hands": N("hands"),
        "drawn": N("drawn", "a card"),
        "risk": N("risk"),
    },
    consequences={"bet": _bet_consequence, "risk": _risk_consequence},
    time_outs={"bet": N("that counts as no bet")},
    scoreboard={
        "phase": PHASE,
        "pair won.phase": None,
        "round": replace(ROUND, owner=FactOwner.SEATS, total="rounds", in_common=True),
        "tie.round": replace(ROUND, in_common=True),
        "won.round": replace(ROUND, in_common=True),
        "game": ShownFact(total="games"),
        "goal": ShownFact(icon="aim", until=("pairs",)),
        "risk rounds.starting_points": None,
        "points": ShownFact(FactOwner.SEATS, label=N("This game"), form=FactForm.SCORE),
        "won.points": replace(WINS, owner=FactOwner.ACTOR, form=FactForm.SIGNED),
        "bets": ShownFact(FactOwner.SEATS, label=N("Bet"), icon="coin"),
        "boxes": ShownFact(),
        "boxes.cards": _WON_CARDS,
        "pile.cards": replace(_WON_CARDS, owner=FactOwner.SEATS),
        "pairs.pairs": ShownFact(FactOwner.GROUPS, label=N("Pair")),
        "sits out.seat": ShownFact(FactOwner.NAMED, "sits out", N("Sits out"), icon="nothing", until=("pairs",)),
        "pair won.seat": replace(WINS, name="pair won", label=N("Wins the pair")),
        "drawn.card": ShownFact(FactOwner.ACTOR, "drawn", N("Draws")),
        "drawn.hand": ShownFact(FactOwner.ACTOR, icon="cards", form=FactForm.HAND),
    },
)
