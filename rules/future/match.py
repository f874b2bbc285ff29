"""Future RPS: cards put face down and claimed, truly or not, and chips bet on them. A claim is public; a card is its
owner's secret until it is turned over, and one that is not turned over stays it for ever.

Seats are numbered to the right: the right neighbour of seat 1 is seat 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle

from rules.classic import choosing_one
from rules.engine import Ask, Choices, Json, Option, Options, Result, Rules, Say, Script, Seat, Setup, Span, Value
from rules.future.cards import CardsInHands, DealtByTheBox, DealtByThePlayers
from rules.future.chips import Chips
from rules.parallel import Part
from rules.throws import THROWS, Thrown, as_said

TURNS = 6
"""As many as the cards of a hand, of which each turn takes one."""
BLIND = 1
"""The chip that is in the pot before anything else."""


@dataclass
class Turn:
    """A turn: its players in the order in which they act, the beginner first, and what lies on the table.

    ``left`` are those who have not folded, ``claims`` what each of them says of the card before them.
    """

    number: int
    order: Sequence[Seat]
    chips: Chips
    cards: CardsInHands
    lap: int = 1
    left: list[Seat] = field(default_factory=list)
    claims: dict[Seat, str] = field(default_factory=dict)

    def about(self) -> dict[str, Json]:
        """What everybody may know when somebody is asked."""
        return {
            "turn": self.number,
            "lap": self.lap,
            "pot": self.chips.pot,
            "chips": {str(seat): chips for seat, chips in self.chips.held.items()},
            "claims": {str(seat): claim for seat, claim in self.claims.items()},
        }

    def asked(self, kind: str, seat: Seat, options: Options) -> Part[Value]:
        """Ask one player something everybody may hear."""
        answers = yield Ask(kind, {seat: options}, about=self.about())
        return answers[seat]


def future(setup: Setup) -> Script:
    """Six turns, or fewer when one leaves somebody without chips. Most chips wins; who share the most, draw."""
    seats = range(1, setup.seats + 1)
    chips = Chips(seats)
    yield chips.said()
    beginner = yield from chosen_by_classic(seats)
    cards = DEALING[setup.word("cards")](seats)
    yield from cards.deal()
    for number in range(1, TURNS + 1):
        order = acting_order(seats, beginner, setup.word("direction"))
        yield from play_turn(Turn(number, order, chips, cards, left=list(order)))
        if min(chips.held.values()) == 0:
            break
        beginner = order[1]
    most = max(chips.held.values())
    winners = tuple(seat for seat in seats if chips.held[seat] == most)
    return Result(winners, chips.held, {"draw": len(winners) > 1, "pot": chips.pot})


def acting_order(seats: Sequence[Seat], beginner: Seat, direction: str) -> list[Seat]:
    """Everybody from the beginner on, each followed by their right (or left) neighbour."""
    around = list(seats) if direction == "right" else list(reversed(seats))
    first = around.index(beginner)
    return around[first:] + around[:first]


def play_turn(turn: Turn) -> Part[None]:
    """The blind, the laps, and who gets the pot."""
    yield Say("turn", {"turn": turn.number, "turns": TURNS, "order": list(turn.order), "pot": turn.chips.pot})
    yield from turn.cards.show_hands()
    last_to_act = turn.order[-1]
    turn.chips.bet(last_to_act, BLIND)
    yield Say("blind", {"seat": last_to_act, "chips": BLIND})
    yield turn.chips.said()
    yield from first_lap(turn)
    if len(turn.left) == 1:
        yield from take_unshown(turn)
    else:
        yield from later_laps(turn)
        yield from reveal(turn)
    turn.cards.clear_table()


def first_lap(turn: Turn) -> Part[None]:
    """The beginner puts down and claims a card. Every other player folds, or bets and puts down and claims one;
    without chips there is only folding."""
    beginner, *others = turn.order
    yield from put_down(turn, beginner)
    for seat in others:
        may = ("fold", "bet") if turn.chips.held[seat] else ("fold",)
        act = yield from turn.asked("act", seat, Choices(may))
        if act == "fold":
            yield from turn.cards.discard(seat, turn.about())
            turn.left.remove(seat)
            yield Say("folded", {"seat": seat})
        else:
            yield from bet(turn, seat)
            yield from put_down(turn, seat)


def later_laps(turn: Turn) -> Part[None]:
    """Those still in raise and change their card, or call, until all of them have called since the last change.
    Without chips, or without another card to change to (in the last turn), there is only calling."""
    called: set[Seat] = set()
    for step, seat in enumerate(cycle(turn.left)):
        turn.lap = 2 + step // len(turn.left)
        may_raise = turn.chips.held[seat] and turn.cards.may_change(seat)
        act = yield from turn.asked("act", seat, Choices(("raise", "call") if may_raise else ("call",)))
        if act == "raise":
            yield from bet(turn, seat)
            yield from put_down(turn, seat)
            called.clear()
        else:
            yield Say("called", {"seat": seat})
            called.add(seat)
        if len(called) == len(turn.left):
            return


def bet(turn: Turn, seat: Seat) -> Part[None]:
    """One chip or more into the pot."""
    chips = yield from turn.asked("bet", seat, Span(1, turn.chips.held[seat]))
    turn.chips.bet(seat, int(chips or 0))
    yield Say("bet", {"seat": seat, "chips": chips})
    yield turn.chips.said()


def put_down(turn: Turn, seat: Seat) -> Part[None]:
    """A card face down, in place of the one already there, and a claim: rock, paper or scissors, true or not."""
    yield from turn.cards.put_down(seat, turn.about())
    claim = yield from turn.asked("claim", seat, THROWS)
    changed = seat in turn.claims
    turn.claims[seat] = str(claim)
    yield Say("claim", {"seat": seat, "claim": claim, "changed": changed})


def take_unshown(turn: Turn) -> Part[None]:
    """All but one have folded: the last one takes the pot without showing."""
    won = turn.chips.share(turn.left)
    yield Say("pot taken", {"seat": turn.left[0], "chips": won})
    yield turn.chips.said()


def reveal(turn: Turn) -> Part[None]:
    """All cards are turned over together. The winning kind takes the pot, shared equally; an odd chip stays in it. If
    nobody wins, all of it stays for the next turn."""
    shown = yield from turn.cards.turn_over(sorted(turn.left), turn.about())
    yield Say("revealed", {"throws": as_said(shown), "claims": turn.about()["claims"]})
    winners = winning(shown)
    if winners:
        each = turn.chips.share(winners)
        yield Say("pot won", {"seats": list(winners), "each": each, "stays": turn.chips.pot})
        yield turn.chips.said()
    else:
        yield Say("nobody wins", {"pot": turn.chips.pot})


def winning(shown: Thrown) -> list[Seat]:
    """Who holds the kind that beats every other there is. With one kind there is no other, and of three each is beaten.
    No throw (a blank card) is no kind and loses to any."""
    kinds = set(shown.values())
    best = [kind for kind in kinds if kind and len(kinds) > 1 and all(kind.beats(other) for other in kinds - {kind})]
    return [seat for seat, kind in shown.items() if kind in best]


def chosen_by_classic(seats: Sequence[Seat]) -> Part[Seat]:
    """Who begins, by a Classic round. Its points are no chips and go unsaid."""
    classic = choosing_one(seats)
    step = next(classic)
    while True:
        is_score = isinstance(step, Say) and step.kind == "score"
        try:
            step = classic.send({} if is_score else (yield step))
        except StopIteration as end:
            result: Result = end.value
            return result.winners[0]


DEALING: dict[str, type[CardsInHands]] = {"box": DealtByTheBox, "table": DealtByThePlayers}

OPTIONS = (
    Option("direction", Choices(("right", "left")), "right", "which neighbour acts next, and begins the next turn"),
    Option("cards", Choices(("box", "table")), "box", "who deals the cards: the box, or people, printed ones"),
)

FUTURE = Rules(
    name="future",
    title="Future RPS",
    version=1,
    fewest=2,
    most=6,
    about="Cards face down, claimed truly or not, and ten chips each to bet on them. After six turns most chips wins.",
    options=OPTIONS,
    script=future,
)
