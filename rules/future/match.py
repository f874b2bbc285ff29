"""Future RPS: players place cards face down, name them truthfully or not, and bet chips. Claims are public; a card
stays secret until it is turned over, and a card that never is stays secret.

Seats are numbered to the right, as everywhere at the box: the right neighbour of seat 1 is seat 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle

from messages import N, ngettext_lazy
from rules.classic import eliminate_losers
from rules.engine import (
    AllowedValues,
    Answers,
    Choices,
    FactValue,
    Game,
    IntRange,
    Option,
    Prompt,
    Result,
    Rules,
    Script,
    Seat,
    Setup,
    Value,
)
from rules.engine.explanation import BeatsScene, ClaimedCard, ClaimsScene, ExplanationPage, OutcomeLine, OutcomesScene
from rules.engine.play import excerpt
from rules.future.cards import BoxDealtCards, PlayerDealtCards
from rules.future.events import (
    BetPlaced,
    BlindPaid,
    Called,
    ChipScores,
    Claimed,
    FirstThrow,
    Folded,
    NobodyWins,
    PotTaken,
    PotWon,
    Revealed,
    TurnBegins,
)
from rules.future.text import TEXT
from rules.markers import MarkerKind
from rules.parallel import GameStep
from rules.throws import THROW_CHOICES, ThrowsBySeat

STARTING_CHIPS = 10
"""Chips of each player at the start; the box of 60 is enough for six."""


class Chips:
    """The chips ``held`` by each seat, and the ``pot``."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.held = dict.fromkeys(seats, STARTING_CHIPS)
        self.pot = 0

    def bet(self, seat: Seat, chips: int) -> None:
        """Move a player's chips into the pot. Raises ValueError if the player has fewer."""
        if not 0 < chips <= self.held[seat]:
            raise ValueError(f"seat {seat} can't bet {chips} of {self.held[seat]} chips")
        self.held[seat] -= chips
        self.pot += chips

    def share(self, seats: Sequence[Seat]) -> int:
        """Share the pot equally among ``seats`` and return each one's chips. The remainder stays in the pot."""
        each, self.pot = divmod(self.pot, len(seats))
        for seat in seats:
            self.held[seat] += each
        return each

    def score_event(self) -> ChipScores:
        """Return everybody's chips and the pot, as the score."""
        return ChipScores(self.held, self.pot)


MAX_TURNS = 6
"""The most turns of a game: each takes a card of the hand."""
BLIND_CHIPS = 1
"""Chips the beginner's left neighbour puts into the pot before a turn: "forced bet (one chip)" (future_rps.txt)."""


@dataclass
class FutureTurn:
    """A turn in progress."""

    number: int
    """The turn, from 1."""
    order: Sequence[Seat]
    """The seats in the order in which they act, beginner first."""
    blind_payer: Seat
    """The seat that pays the blind."""
    chips: Chips
    """Everybody's chips and the pot."""
    cards: BoxDealtCards
    """The hands and the cards on the table."""
    lap: int = 1
    """How often the players have been asked to act, from 1."""
    active_seats: list[Seat] = field(default_factory=list)
    """The seats that have not folded."""
    claims: dict[Seat, str] = field(default_factory=dict)
    """What each seat claims its card to be."""

    def public_facts(self) -> dict[str, FactValue]:
        """Return what everybody may know when a player is asked."""
        return {
            "turn": self.number,
            "lap": self.lap,
            "pot": self.chips.pot,
            "chips": dict(self.chips.held),
            "claims": dict(self.claims),
        }

    def ask_seat(self, kind: str, seat: Seat, allowed: AllowedValues) -> GameStep[Value]:
        """Ask one player a public question and return the answer."""
        answers = yield Prompt(kind, {seat: allowed}, about=self.public_facts(), own_facts=self.cards.own_facts())
        return answers[seat]


def future(setup: Setup) -> Script:
    """Play six turns, or until a player is left without chips. Most chips wins; players sharing the most draw."""
    seats = range(1, setup.seats + 1)
    chips = Chips(seats)
    yield chips.score_event()
    beginner = yield from eliminate_losers(seats, FirstThrow, phase="first throw")
    cards = BoxDealtCards(seats) if setup.choice("cards") == "box" else PlayerDealtCards(seats)
    yield from cards.deal()
    for number in range(1, MAX_TURNS + 1):
        order = acting_order(seats, beginner, setup.choice("direction"))
        right, left = neighbours(seats, beginner)
        yield from play_turn(FutureTurn(number, order, left, chips, cards, active_seats=list(order)))
        if min(chips.held.values()) == 0:
            break
        beginner = right
    most = max(chips.held.values())
    winners = tuple(seat for seat in seats if chips.held[seat] == most)
    return Result(winners, chips.held, {"draw": len(winners) > 1, "pot": chips.pot})


def acting_order(seats: Sequence[Seat], beginner: Seat, direction: str) -> list[Seat]:
    """Return the seats from the beginner on, each followed by its right (or left) neighbour."""
    around = list(seats) if direction == "right" else list(reversed(seats))
    first = around.index(beginner)
    return around[first:] + around[:first]


def neighbours(seats: Sequence[Seat], beginner: Seat) -> tuple[Seat, Seat]:
    """Return the beginner's right neighbour, who begins the next turn, and left neighbour, who pays the blind,
    whichever way action passes: "The left player of the beginner should put the forced bet", "In the second turn, the
    beginner becomes the right player of the last turn beginner" (future_rps.txt, Play)."""
    others = acting_order(seats, beginner, "right")[1:]
    return others[0], others[-1]


def play_turn(turn: FutureTurn) -> GameStep[None]:
    """Play a turn: the blind, the laps, the reveal."""
    yield TurnBegins(turn.number, MAX_TURNS, turn.order, turn.chips.pot)
    yield from turn.cards.show_hands()
    turn.chips.bet(turn.blind_payer, BLIND_CHIPS)
    yield BlindPaid(turn.blind_payer, BLIND_CHIPS)
    yield turn.chips.score_event()
    yield from first_lap(turn)
    if len(turn.active_seats) == 1:
        yield from take_pot_unshown(turn)
    else:
        yield from later_laps(turn)
        yield from reveal(turn)
    turn.cards.clear_table()


def first_lap(turn: FutureTurn) -> GameStep[None]:
    """Let the beginner place and claim a card, and every other player fold, or bet, place and claim. Players without
    chips can only fold."""
    beginner, *others = turn.order
    yield from put_down(turn, beginner)
    for seat in others:
        actions = ("fold", "bet") if turn.chips.held[seat] else ("fold",)
        action = yield from turn.ask_seat("act", seat, Choices(actions))
        if action == "fold":
            yield from turn.cards.discard(seat, turn.public_facts())
            turn.active_seats.remove(seat)
            yield Folded(seat)
        else:
            yield from bet(turn, seat)
            yield from put_down(turn, seat)


def later_laps(turn: FutureTurn) -> GameStep[None]:
    """Let active players raise and change their card, or call, until all have called since the last change. Players
    without chips or without another card (in the last turn) can only call."""
    called: set[Seat] = set()
    for index, seat in enumerate(cycle(turn.active_seats)):
        turn.lap = 2 + index // len(turn.active_seats)
        can_raise = turn.chips.held[seat] and turn.cards.can_change(seat)
        action = yield from turn.ask_seat("act", seat, Choices(("raise", "call") if can_raise else ("call",)))
        if action == "raise":
            yield from bet(turn, seat)
            yield from put_down(turn, seat)
            called.clear()
        else:
            yield Called(seat)
            called.add(seat)
        if len(called) == len(turn.active_seats):
            return


def bet(turn: FutureTurn, seat: Seat) -> GameStep[None]:
    """Ask for a bet of one chip or more and put it into the pot."""
    chips = int((yield from turn.ask_seat("bet", seat, IntRange(1, turn.chips.held[seat]))) or 0)
    turn.chips.bet(seat, chips)
    yield BetPlaced(seat, chips)
    yield turn.chips.score_event()


def put_down(turn: FutureTurn, seat: Seat) -> GameStep[None]:
    """Let a player place a card face down, replacing one already there, and claim what it is, truthfully or not."""
    yield from turn.cards.put_down(seat, turn.public_facts())
    claim = str((yield from turn.ask_seat("claim", seat, THROW_CHOICES)))
    changed = seat in turn.claims
    turn.claims[seat] = claim
    yield Claimed(seat, claim, changed)


def take_pot_unshown(turn: FutureTurn) -> GameStep[None]:
    """Give the pot to the one player who has not folded, without showing the card."""
    won = turn.chips.share(turn.active_seats)
    yield PotTaken(turn.active_seats[0], won)
    yield turn.chips.score_event()


def reveal(turn: FutureTurn) -> GameStep[None]:
    """Turn over all cards together. Players with the winning kind share the pot equally; odd chips stay in it. If
    nobody wins, all of it stays for the next turn. The event has the cards in the order of the turn."""
    cards = yield from turn.cards.turn_over(sorted(turn.active_seats), turn.public_facts())
    throws = {seat: cards[seat] for seat in turn.active_seats}
    bluffs = [seat for seat in turn.active_seats if (card := cards[seat]) and card.value != turn.claims[seat]]
    yield Revealed(throws, bluffs, turn.claims)
    winners = winning_seats(cards)
    if winners:
        each = turn.chips.share(winners)
        yield PotWon(winners, each, turn.chips.pot)
        yield turn.chips.score_event()
    else:
        yield NobodyWins(turn.chips.pot)


def winning_seats(cards: ThrowsBySeat) -> list[Seat]:
    """Return the seats whose kind of card beats every other kind shown. With a single kind, or all three, nobody wins.
    No throw (a blank card) is no kind and loses to any."""
    kinds = set(cards.values())
    best = [kind for kind in kinds if kind and len(kinds) > 1 and all(kind.beats(rival) for rival in kinds - {kind})]
    return [seat for seat, kind in cards.items() if kind in best]


OPTIONS = (
    Option(
        "direction",
        Choices(("right", "left")),
        "right",
        N("the neighbour who acts next; the right one begins the next turn"),
    ),
    Option("cards", Choices(("box", "table")), "box", N("cards dealt by the box, or printed cards dealt by you")),
)


BEGINNER_THROWS: tuple[Answers, ...] = ({1: "rock", **dict.fromkeys(range(2, 7), "scissors")},)
"""Seat 1 begins."""


def how_to_play(game: Game) -> Sequence[ExplanationPage]:
    """Return the pages."""
    sample: dict[str, Sequence[Answers]] = {
        "throw": BEGINNER_THROWS,
        "place": [{1: "paper"}],
        "claim": [{1: "rock"}, {2: "scissors"}],
        "act": [{2: "bet"}],
        "bet": [{2: 2}],
    }
    many = game.setup.seats > 2
    shared = (OutcomeLine(("paper", "paper", "rock"), N("two winners"), N("they share the pot"), True),)
    three_kinds = (OutcomeLine(("rock", "paper", "scissors"), N("three kinds"), N("the pot stays"), False),)
    return (
        ExplanationPage(BeatsScene()),
        ExplanationPage(
            excerpt(game, sample, "place"),
            N("You have ten chips and six cards. Each turn, lay one face down and say which it is – or bluff."),
        ),
        ExplanationPage(
            excerpt(game, sample, "act"),
            N("Bet chips to stay in, or fold. Later you may raise and change your card, or call."),
        ),
        ExplanationPage(
            ClaimsScene(
                (
                    ClaimedCard("rock", "rock", 2),
                    ClaimedCard("rock", "paper", 3),
                    ClaimedCard("scissors", "rock", 1),
                )[: 3 if many else 2],
                winner=1,
            ),
            N("Then all cards are turned over. What counts is the card, not the claim: the winner takes the pot."),
        ),
        ExplanationPage(
            OutcomesScene(
                (
                    OutcomeLine(("paper", "rock"), N("two kinds"), N("paper takes the pot"), True),
                    *(shared if many else ()),
                    OutcomeLine(("rock", "rock"), N("one kind"), N("the pot stays"), False),
                    *(three_kinds if many else ()),
                )
            ),
            N("If nobody wins, the pot stays for the next turn."),
        ),
        ExplanationPage(
            OutcomesScene(
                (
                    OutcomeLine(("coin", "cards"), N("a raise"), N("all answer again")),
                    OutcomeLine(("coin",), N("the blind"), N("no bet")),
                    OutcomeLine(("coin", "crown"), N("most chips"), N("wins"), True),
                    OutcomeLine(("coin",), N("no chips left"), N("the game ends")),
                    OutcomeLine(("cards",), ngettext_lazy("{count} turn", "{count} turns", 6), N("the game ends")),
                )
            ),
            N("The game ends after six turns, or when somebody has no chips left. Most chips wins."),
        ),
    )


FUTURE = Rules(
    name="future",
    title=N("Future RPS"),
    version=2,
    min_players=2,
    picture=("cards", "eye", "coin"),
    max_players=6,
    description=N(
        "Play a card face down and name it – or bluff. Bet your ten chips; after six turns, most chips wins."
    ),
    options=OPTIONS,
    script=future,
    text=TEXT,
    printed_cards=MarkerKind.FUTURE,
    uses_printed_cards=lambda setup: setup.choice("cards") == "table",
    bare_hand_phases=("first throw",),
    how_to_play=how_to_play,
)
