"""The count of printed cards: whose hand, pile or discards a card lies in follows from what was thrown and said."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from typing_extensions import override

from rules.catalogue import find_game
from rules.deck import cards_of_each
from rules.engine import Answers, CardLedger, GameEvent, Prompt, Seat, Value
from rules.events import Pairs
from rules.markers import MarkerKind, PrintedMarker, markers_of_kind
from rules.record.judgement import Verdict
from rules.record.match import REFEREE
from rules.redeux.events import BothDraw, HandsTaken, RiskDeckShuffled
from tests.helpers.journal_events import round_body, seat_record
from tests.helpers.match_events import EventList
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, Body, Corrected
from throwlock.journal.journal import Event
from throwlock.replay.config import MatchConfig
from throwlock.replay.project import MatchFold
from throwlock.simulation.card_players import CardHands
from throwlock.tables.card_count import CardCount, CardPile, count_cards
from vision.cards.lock import CardCause

CARDS = markers_of_kind(MarkerKind.CARD)
ROCKS, PAPERS, SCISSORS = CARDS[:24], CARDS[24:48], CARDS[48:]
PRINTED_OPTIONS: dict[str, Value] = {"play_with": "cards", "cards": "table", "risk": "always", "goal": 300}
GAME = find_game("redeux").set_up(2, PRINTED_OPTIONS)
NAMES = ("Ada", "Ben")
AT = "2026-01-01T00:00:00+00:00"


class FakeMatch:
    """A match of printed cards, event by event, as the journal would have it."""

    def __init__(self) -> None:
        start = MatchConfig(GAME, NAMES, HouseRules()).start_event()
        self.fold = MatchFold(Event(1, 1, AT, start, "", "", NAMES), REFEREE)
        self.number = 1
        """The number of the newest event."""

    @property
    def prompt(self) -> Prompt | None:
        return self.fold.prompt

    def answer(self, answers: Answers, cards: Mapping[int, PrintedMarker] | None = None, void: bool = False) -> None:
        body: Body = Answered(prompt="", answers=dict(answers))
        if cards is not None:
            seats = {seat: seat_record(throw=str(card.throw), card=card.marker) for seat, card in cards.items()}
            body = round_body(seats, None if void else answers)
        self.append(body)

    def append(self, body: Body) -> None:
        self.number += 1
        self.fold.add(Event(self.number, 1, AT, body, "", ""))

    def round(self, one: PrintedMarker, two: PrintedMarker, unread: int = 0) -> None:
        """Both lay, bet nothing where they are asked, and turn over. If the card of a seat is ``unread``, the round is
        void until people agree on what it was."""
        while self.prompt is not None and self.prompt.kind != "throw":
            value = "down" if self.prompt.kind == "place" else 0
            self.answer(dict.fromkeys(self.prompt.seats, value))
        cards = {1: one, 2: two}
        answers: dict[int, Value] = {seat: str(card.throw) for seat, card in cards.items()}
        if not unread:
            self.answer(answers, cards)
            return
        seats = {seat: seat_record(throw=str(card.throw), card=card.marker) for seat, card in cards.items()}
        self.append(round_body({**seats, unread: seat_record("not read", throw=None)}))
        number, to = self.number, answers[unread]
        self.append(Corrected(round=number, seat=unread, previous=None, to=to, answers=answers, dropped=(), text=""))

    @property
    def count(self) -> CardCount:
        return count_cards(self.fold.view.steps)


def test_where_won_and_tied_cards_go() -> None:
    course = FakeMatch()
    course.round(ROCKS[0], SCISSORS[0])
    assert set(course.count.cards_in(CardPile.PILE)) == {ROCKS[0].marker, SCISSORS[0].marker}
    course.round(PAPERS[0], PAPERS[1])
    assert set(course.count.cards_in(CardPile.HAND)) == {PAPERS[0].marker, PAPERS[1].marker}
    count = course.count
    assert count.violation(1, ROCKS[0]) == count.violation(2, ROCKS[0]) == (Verdict.PLAYED, CardCause.PILE)
    assert count.violation(1, PAPERS[1]) == (Verdict.NOT_THEIRS, None)
    assert count.violation(2, PAPERS[1]) is None and count.violation(1, ROCKS[5]) is None


@pytest.mark.parametrize("unread", [1, 2])
def test_a_tied_card_stays_in_the_hand(unread: int) -> None:
    match = FakeMatch()
    tied, following = (ROCKS[0], ROCKS[3]), (PAPERS[0], SCISSORS[3])
    match.round(*tied)
    match.round(*following, unread=unread)
    read = 3 - unread
    assert match.count.cards_in(CardPile.PILE) == (following[read - 1].marker,)
    assert match.count.violation(unread, tied[unread - 1]) is None
    hands = CardHands(7, GAME, match.count).hands
    assert len(hands[unread]) == 9, "nobody knows which card has left the hand"


def test_fourth_of_a_kind_before_the_draw() -> None:
    course = FakeMatch()
    for number in range(3):
        course.round(ROCKS[number], ROCKS[10 + number])
    assert course.count.violation(1, ROCKS[3]) == (Verdict.TOO_MANY, None)
    assert course.count.violation(1, ROCKS[2]) is None and course.count.violation(1, PAPERS[3]) is None
    for number in range(3):
        course.round(PAPERS[number], ROCKS[10 + number])
    assert course.prompt is not None and course.prompt.about["phase"] == "risk rounds"
    assert course.count.violation(1, ROCKS[3]) is None


def test_discards_stay_out_until_they_are_shuffled() -> None:
    count = CardCount()
    count.record_event(Pairs(1, 1, [(1, 2)]))
    count.record_event(HandsTaken((1, 2), cards_of_each(3)))
    count.record_event(RiskDeckShuffled((1, 2), 54))
    count.record_throw({1: 5, 2: 6})
    count.record_event(BothDraw((1, 2), 52))
    assert count.cards_in(CardPile.DISCARD) == (5, 6)
    count.record_event(RiskDeckShuffled((1, 2), 54))
    assert count.cards_in(CardPile.DISCARD) == ()


@dataclass(frozen=True)
class CardsGone(GameEvent):
    """What a game from outside says when cards have been played."""

    kind = "cards gone"
    seats: tuple[Seat, ...]

    @override
    def move_cards(self, ledger: CardLedger) -> None:
        ledger.discard_shown(self.seats)


def test_the_events_of_a_game_from_outside_move_cards() -> None:
    count = CardCount()
    count.record_throw({1: ROCKS[0].marker, 2: ROCKS[3].marker})
    count.record_event(CardsGone((1,)))
    assert count.violation(1, ROCKS[0]) == (Verdict.PLAYED, CardCause.DISCARD)
    hands = CardHands(7, find_game("classic").set_up(2), count).hands
    assert ROCKS[0] not in hands[1] and ROCKS[3] in hands[2] and len(hands[1]) == 8


def test_a_void_round_moves_no_card() -> None:
    course = FakeMatch()
    course.round(ROCKS[0], SCISSORS[0])
    before = course.count.places
    course.answer({1: "rock", 2: "paper"}, {1: ROCKS[1], 2: PAPERS[1]}, void=True)
    assert course.count.places == before


def test_pairs_have_decks_of_their_own() -> None:
    count = CardCount()
    count.record_event(Pairs(1, 1, [(1, 2), (3, 4)]))
    for pair in ((1, 2), (3, 4)):
        count.record_event(HandsTaken(pair, cards_of_each(3)))
    count.record_throw({1: ROCKS[0].marker})
    assert count.violation(2, ROCKS[0]) == (Verdict.NOT_THEIRS, None) and count.violation(3, ROCKS[0]) is None


@pytest.mark.parametrize(("boxes", "shared"), [(1, True), (2, False)])
def test_pairs_share_the_cards_of_one_box(boxes: int, shared: bool) -> None:
    game = find_game("redeux").set_up(4, {**PRINTED_OPTIONS, "risk": "never", "boxes": boxes})
    count = count_cards(EventList(game).view.steps)
    count.record_throw({1: ROCKS[0].marker})
    assert count.violation(3, ROCKS[0]) == ((Verdict.NOT_THEIRS, None) if shared else None)
    held = [card.marker for hand in CardHands(1, game, count).hands.values() for card in hand]
    assert len(held) == len(set(held)) == 36, "simulated players of one box hold no card twice"


@pytest.mark.parametrize(
    ("name", "options", "counts"),
    [
        ("redeux", PRINTED_OPTIONS, True),
        ("redeux", {"play_with": "hands", "cards": "table"}, False),
        ("redeux", {"play_with": "cards"}, False),
        ("future", {"cards": "table"}, True),
        ("future", {}, False),
        ("classic", {}, False),
    ],
)
def test_only_games_with_printed_cards_track_them(name: str, options: dict[str, Value], counts: bool) -> None:
    assert find_game(name).set_up(2, options).uses_printed_cards is counts


def test_simulated_hands_stay_nine_and_never_hold_removed_cards() -> None:
    course = FakeMatch()
    for _ in range(60):
        while course.prompt is not None and course.prompt.kind != "throw":
            value = "down" if course.prompt.kind == "place" else 0
            course.answer(dict.fromkeys(course.prompt.seats, value))
        if course.prompt is None:
            break
        count = course.count
        hands = CardHands(7, GAME, count).hands
        assert hands == CardHands(7, GAME, course.count).hands
        assert not {card.marker for card in hands[1]} & {card.marker for card in hands[2]}
        for seat, hand in hands.items():
            assert all(count.violation(seat, card) is None for card in hand)
        about = course.prompt.about
        if about["phase"] == "risk rounds":
            assert {len(hand) for hand in hands.values()} == {9}
        tied = next(
            (pair for pair in ((one, two) for one in hands[1] for two in hands[2]) if pair[0].throw is pair[1].throw),
            None,
        )
        one, two = tied if tied and (course.number - 1) % 3 else (hands[1][0], hands[2][-1])
        course.round(one, two)
    assert course.number > 101
