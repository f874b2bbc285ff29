"""The count of printed cards: whose hand, pile or discards a card lies in follows from what was thrown and said."""

from collections.abc import Mapping

import pytest

from rules.catalogue import find
from rules.engine import Answers, Play, Say, Value
from rules.markers import Kind, Printed, of_kind
from throwlock.journal.journal import Event
from throwlock.simulation.card_hands import CardHands
from throwlock.tables.card_count import CardCount, Where, count_cards, has_count
from vision.cards.lock import CardCause
from vision.lock.verdict import Verdict

CARDS = of_kind(Kind.CARD)
ROCKS, PAPERS, SCISSORS = CARDS[:24], CARDS[24:48], CARDS[48:]
PRINTED_OPTIONS: dict[str, Value] = {"play_with": "cards", "cards": "table", "risk": "always", "goal": 300}
GAME = find("redeux").set_up(2, PRINTED_OPTIONS)


class Course:
    """A match of printed cards, event by event, as the journal would have it."""

    def __init__(self) -> None:
        self.play = Play(GAME)
        self.events: list[Event] = []

    def answer(self, answers: Answers, cards: Mapping[int, Printed] | None = None, kind: str = "answer") -> None:
        body: dict[str, object] = {"asked": "", "answers": {str(seat): value for seat, value in answers.items()}}
        if cards is not None:
            body["judgement"] = {"seats": {str(seat): {"card": card.marker} for seat, card in cards.items()}}
        self.events.append(Event(len(self.events) + 1, 1, "2026-01-01T00:00:00+00:00", kind, body, "", ""))
        if kind == "answer":
            self.play.answer(answers)

    def round(self, one: Printed, two: Printed) -> None:
        """Both lay, bet nothing where they are asked, and turn over."""
        while self.play.asked is not None and self.play.asked.kind != "throw":
            value = "down" if self.play.asked.kind == "place" else 0
            self.answer(dict.fromkeys(self.play.asked.seats, value))
        self.answer({1: str(one.throw), 2: str(two.throw)}, {1: one, 2: two})

    @property
    def count(self) -> CardCount:
        return count_cards(GAME, self.events)


def test_a_won_cards_lie_in_the_match_pile_and_a_tied_one_goes_back_to_its_hand() -> None:
    course = Course()
    course.round(ROCKS[0], SCISSORS[0])
    assert set(course.count.lying(Where.PILE)) == {ROCKS[0].marker, SCISSORS[0].marker}
    course.round(PAPERS[0], PAPERS[1])
    assert set(course.count.lying(Where.HAND)) == {PAPERS[0].marker, PAPERS[1].marker}
    count = course.count
    assert count.wrong_with(1, ROCKS[0]) == count.wrong_with(2, ROCKS[0]) == (Verdict.PLAYED, CardCause.PILE)
    assert count.wrong_with(1, PAPERS[1]) == (Verdict.NOT_THEIRS, None)
    assert count.wrong_with(2, PAPERS[1]) is None and count.wrong_with(1, ROCKS[5]) is None


def test_a_fourth_of_a_kind_is_one_too_many_until_cards_are_drawn() -> None:
    course = Course()
    for number in range(3):
        course.round(ROCKS[number], ROCKS[10 + number])
    assert course.count.wrong_with(1, ROCKS[3]) == (Verdict.TOO_MANY, None)
    assert course.count.wrong_with(1, ROCKS[2]) is None and course.count.wrong_with(1, PAPERS[3]) is None
    for number in range(3):
        course.round(PAPERS[number], ROCKS[10 + number])
    assert course.play.asked is not None and course.play.asked.about["phase"] == "risk rounds"
    assert course.count.wrong_with(1, ROCKS[3]) is None


def test_discards_stay_out_until_they_are_shuffled() -> None:
    count = CardCount()
    count.said(Say("pairs", {"pairs": [[1, 2]]}))
    count.said(Say("hands", {"pair": [1, 2]}))
    count.said(Say("risk deck", {"pair": [1, 2]}))
    count.thrown({1: 5, 2: 6})
    count.said(Say("both draw", {"pair": [1, 2]}))
    assert count.lying(Where.DISCARD) == (5, 6)
    count.said(Say("risk deck", {"pair": [1, 2]}))
    assert count.lying(Where.DISCARD) == ()


def test_a_void_round_moves_no_card() -> None:
    course = Course()
    course.round(ROCKS[0], SCISSORS[0])
    before = course.count.lies
    course.answer({1: "rock", 2: "paper"}, {1: ROCKS[1], 2: PAPERS[1]}, kind="void")
    assert course.count.lies == before


def test_pairs_have_boxes_of_their_own() -> None:
    count = CardCount()
    count.said(Say("pairs", {"pairs": [[1, 2], [3, 4]]}))
    for pair in ([1, 2], [3, 4]):
        count.said(Say("hands", {"pair": pair}))
    count.thrown({1: ROCKS[0].marker})
    assert count.wrong_with(2, ROCKS[0]) == (Verdict.NOT_THEIRS, None) and count.wrong_with(3, ROCKS[0]) is None


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
def test_only_games_with_printed_cards_have_a_count(name: str, options: dict[str, Value], counts: bool) -> None:
    assert has_count(find(name).set_up(2, options)) is counts


def test_simulated_hands_never_hold_what_is_gone_and_stay_nine() -> None:
    course = Course()
    for _ in range(60):
        while course.play.asked is not None and course.play.asked.kind != "throw":
            value = "down" if course.play.asked.kind == "place" else 0
            course.answer(dict.fromkeys(course.play.asked.seats, value))
        if course.play.asked is None:
            break
        count = course.count
        hands = CardHands(7, GAME, count).hands
        assert hands == CardHands(7, GAME, course.count).hands
        assert not {card.marker for card in hands[1]} & {card.marker for card in hands[2]}
        for seat, hand in hands.items():
            assert all(count.wrong_with(seat, card) is None for card in hand)
        about = course.play.asked.about
        if about["phase"] == "risk rounds":
            assert {len(hand) for hand in hands.values()} == {9}
        tied = next(
            (pair for pair in ((one, two) for one in hands[1] for two in hands[2]) if pair[0].throw is pair[1].throw),
            None,
        )
        one, two = tied if tied and len(course.events) % 3 else (hands[1][0], hands[2][-1])
        course.round(one, two)
    assert len(course.events) > 100
