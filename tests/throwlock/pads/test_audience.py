"""The audience: guesses and reactions of those without a seat, when they are taken, and what comes of them."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from rules.engine import Choices, Seat, SecretPrompt, ThrowPrompt
from rules.events import Other
from rules.throws import THROW_CHOICES, Outcome
from tests.helpers.pad_phones import Phones
from tests.helpers.samples.reveal import mixed_reveal
from throwlock.match.pause import PadDisplay, ask_for_phones
from throwlock.pads import guests as book
from throwlock.pads import texts as pad_texts
from throwlock.pads.audience import NOBODY, AudienceState
from ui.screen.pages.common import GO_ON_ANSWER, Player
from ui.screen.pages.countdown import Countdown, Judging
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.message import GameMessage
from ui.screen.pages.pause import PausePage
from ui.screen.pages.phones import AUDIENCE_ANSWER, PhonesPage
from ui.screen.pages.showdown import Showdown, ShowdownCard
from ui.screen.views import Answer, InteractiveView, View

NAMES = ("Ada", "Ben", "Cy")
PLAYERS = tuple(Player(seat, name) for seat, name in enumerate(NAMES, 1))
COUNT = Countdown(PLAYERS, "", ("ROCK", "PAPER", "SHOOT"), -1)
THROW = GroupQuestion(PLAYERS, ThrowPrompt(dict.fromkeys((1, 2, 3), THROW_CHOICES)))


@pytest.fixture
def phones() -> Phones:
    """A table with Zoë and Kim in the audience."""
    made = Phones(NAMES)
    for phone, name in (("zoë", "Zoë"), ("kim", "Kim")):
        made.pads.introduce(phone, name, "cat", 1)
    return made


def audience(phones: Phones, phone: str = "zoë") -> AudienceState:
    state = phones.pads.state(phone).audience
    assert state is not None
    return state


def outcome(**seats: Outcome) -> GameMessage:
    """A message that says what became of the throws of ``seat_1``, ``seat_2`` …"""
    outcomes: Mapping[Seat, Outcome] = {int(name[-1]): outcome for name, outcome in seats.items()}
    return GameMessage(PLAYERS, Other("won", {}), ("It is decided.",), outcomes=outcomes)


def throw(phones: Phones, **seats: Outcome) -> None:
    phones.pads.show(replace(COUNT, beat=2))
    phones.pads.show(outcome(**seats))


def test_guesses_close_when_throws_are_due_and_open_at_the_reveal(phones: Phones) -> None:
    phones.pads.guess("zoë", 1)
    for beat in (-1, 0, 1):
        phones.pads.show(replace(COUNT, beat=beat))
        phones.pads.guess("zoë", 2)
        assert audience(phones).is_open and audience(phones).guess == 2
    for view in (replace(COUNT, beat=2), Judging(PLAYERS)):
        phones.pads.show(view)
        phones.pads.guess("zoë", 1)
        assert audience(phones).guess == 2 and not audience(phones).is_open
    phones.pads.show(outcome(seat_1=Outcome.LOST, seat_2=Outcome.WON, seat_3=Outcome.LOST))
    state = audience(phones)
    assert state.is_open and state.guess is None and state.was_right
    assert [(guesser.guest.name, guesser.right, guesser.rounds) for guesser in state.table] == [("Zoë", 1, 1)]
    assert audience(phones, "kim").was_right is None


def test_nothing_is_guessed_once_the_match_is_decided(phones: Phones) -> None:
    phones.pads.guess("zoë", 1)
    phones.pads.show(replace(COUNT, beat=2))
    phones.pads.show(replace(outcome(seat_1=Outcome.WON, seat_2=Outcome.LOST, seat_3=Outcome.LOST), ends_match=True))
    state = audience(phones)
    assert state.was_right and state.is_over and not state.is_open
    assert str(pad_texts.GUESSED_RIGHT) in phones.page("zoë") and str(pad_texts.GUESS_TITLE) not in phones.page("zoë")
    phones.pads.show(COUNT)  # a dispute has changed that
    assert audience(phones).is_open and str(pad_texts.GUESS_TITLE) in phones.page("zoë")


def test_a_reveal_decides_and_what_is_said_of_it_later_does_not_again(phones: Phones) -> None:
    phones.pads.guess("zoë", 2)
    phones.pads.show(replace(COUNT, beat=2))
    reveal = mixed_reveal(2)
    decided = tuple(replace(seat, is_foul=False, outcome=Outcome.LOST) for seat in reveal.seats)
    phones.pads.show(replace(reveal, seats=decided))
    phones.pads.guess("zoë", 1)
    phones.pads.show(outcome(seat_1=Outcome.WON, seat_2=Outcome.LOST))
    state = audience(phones)
    assert state.was_right is False and state.guess == 1 and state.table[0].rounds == 1


def test_a_void_round_keeps_guesses_for_the_next_throw(phones: Phones) -> None:
    phones.pads.guess("zoë", 2)
    phones.pads.show(replace(COUNT, beat=2))
    void = mixed_reveal(2)
    phones.pads.show(replace(void, seats=tuple(replace(seat, outcome=None) for seat in void.seats)))
    assert not audience(phones).is_open and audience(phones).guess == 2
    phones.pads.show(replace(COUNT, rethrow_reason="Foul"))
    assert audience(phones).is_open and audience(phones).guess == 2


def test_guesses_of_entered_throws_close_with_the_last_answer(phones: Phones) -> None:
    phones.pads.show(THROW)
    phones.pads.guess("zoë", 1)
    phones.pads.end_question()
    phones.pads.show(PausePage())
    phones.pads.guess("zoë", 2)
    assert audience(phones).guess == 1, "interrupted: somebody may have seen a throw"
    phones.pads.show(THROW)
    phones.pads.guess("zoë", 2)
    phones.pads.end_question()
    throw(phones, seat_1=Outcome.LOST, seat_2=Outcome.WON, seat_3=Outcome.LOST)
    assert audience(phones).was_right


def test_guesses_of_placed_cards_close_when_they_are_turned_over(phones: Phones) -> None:
    phones.pads.show(GroupQuestion(PLAYERS, SecretPrompt("place", {1: Choices(("rock", "paper"))})))
    phones.pads.end_question()
    assert audience(phones).is_open
    phones.pads.guess("zoë", 2)
    cards = [ShowdownCard(player, None, None, False, player.seat == 2, "") for player in PLAYERS]
    phones.pads.show(Showdown(tuple(cards), "", None, "", 3, 0))
    assert audience(phones).was_right and audience(phones).guess is None


@pytest.mark.parametrize(
    ("guess", "outcomes", "is_right"),
    [
        (NOBODY, {"seat_1": Outcome.TIED, "seat_2": Outcome.TIED}, True),
        (1, {"seat_1": Outcome.TIED, "seat_2": Outcome.TIED}, False),
        (NOBODY, {"seat_1": Outcome.WON, "seat_2": Outcome.LOST}, False),
        (3, {"seat_1": Outcome.WON, "seat_2": Outcome.LOST, "seat_3": Outcome.WON}, True),
    ],
)
def test_who_guessed_right(phones: Phones, guess: Seat, outcomes: dict[str, Outcome], is_right: bool) -> None:
    phones.pads.guess("zoë", guess)
    throw(phones, **outcomes)
    assert audience(phones).was_right is is_right


def test_the_table_has_the_best_first_and_begins_anew_with_each_match(phones: Phones) -> None:
    for winner in (1, 1, 2):
        phones.clock.now_s += book.PHONE_LIMIT.window_s
        phones.pads.guess("zoë", 1)
        phones.pads.guess("kim", 2)
        throw(phones, **{f"seat_{seat}": Outcome.WON if seat == winner else Outcome.LOST for seat in (1, 2)})
    table = [(guesser.guest.name, guesser.right, guesser.rounds) for guesser in audience(phones).table]
    assert table == [("Zoë", 2, 3), ("Kim", 1, 3)]
    assert phones.pads.best_guessers() == audience(phones).table
    phones.pads.switch_audience()
    assert phones.pads.best_guessers() == ()
    phones.pads.switch_audience()
    phones.pads.forget_guest("zoë")
    assert [guesser.guest.name for guesser in audience(phones).table] == ["Kim"]
    phones.pads.open(NAMES)
    assert audience(phones).table == phones.pads.best_guessers() == ()


def test_only_guests_without_a_seat_guess_and_only_of_who_plays(phones: Phones) -> None:
    phones.join(1)
    phones.pads.introduce("1", "Ada", "owl", 2)
    phones.pads.take_seat("kim", 2)
    for phone, winner in (("1", 1), ("kim", 1), ("stranger", 1), ("zoë", 4), ("zoë", -1)):
        phones.pads.guess(phone, winner)
        phones.pads.react(phone, "unicorn" if phone == "zoë" else "heart")
    throw(phones, seat_1=Outcome.WON, seat_2=Outcome.LOST)
    assert audience(phones).table == () and audience(phones).reactions == {}
    phones.pads.close()
    phones.pads.guess("zoë", 1)
    assert audience(phones).guess is None, "no match is played"


@pytest.mark.parametrize(
    "view",
    [replace(COUNT, throwing=(1, 3)), replace(THROW, prompt=ThrowPrompt(dict.fromkeys((1, 3), THROW_CHOICES)))],
)
def test_only_who_throws_is_guessed(phones: Phones, view: View) -> None:
    phones.pads.guess("zoë", 2)
    phones.pads.guess("kim", 3)
    phones.pads.show(view)
    assert [audience(phones, phone).guess for phone in ("zoë", "kim")] == [None, 3]
    assert [name for _, name in pad_texts.guess_options(phones.pads.state("zoë"))] == ["Ada", "Cy", "Nobody"]
    phones.pads.guess("zoë", 2)
    assert audience(phones).guess is None
    phones.pads.guess("zoë", NOBODY)
    assert audience(phones).guess == NOBODY
    throw(phones, seat_1=Outcome.WON, seat_3=Outcome.LOST)
    assert len(pad_texts.guess_options(phones.pads.state("zoë"))) == 4


def test_nothing_is_guessed_of_moves_and_in_class(phones: Phones) -> None:
    phones.pads.open(NAMES, has_rounds=False)
    phones.pads.guess("zoë", 1)
    assert not audience(phones).is_open and audience(phones).guess is None
    assert "/pad/react" in phones.page("zoë") and pad_texts.GUESS_TITLE not in phones.page("zoë")
    phones.pads.open(NAMES, in_class=True)
    phones.pads.guess("zoë", 1)
    assert phones.pads.state("zoë").audience is None


def test_reactions_are_counted_until_the_next_round_is_decided(phones: Phones) -> None:
    for phone in ("zoë", "kim"):
        phones.pads.react(phone, "heart")
    assert audience(phones).reactions == {"heart": 2}
    throw(phones, seat_1=Outcome.WON)
    assert audience(phones).reactions == {}


def test_what_is_sent_beyond_the_limits_is_thrown_away_and_wakes_nobody(phones: Phones) -> None:
    wakes: list[None] = []
    with phones.pads.viewers.watch(lambda: wakes.append(None)):
        for _ in range(1000):
            phones.pads.react("zoë", "heart")
        for number in range(1000):
            phones.pads.guess("zoë", 1 + number % 3)
    assert audience(phones).reactions == {"heart": book.PHONE_LIMIT.count - 1}, "one went to the name"
    assert audience(phones).guess is None and not wakes
    phones.clock.now_s += book.PHONE_LIMIT.window_s
    phones.pads.guess("zoë", 1)
    assert audience(phones).guess == 1


class Touchscreen:
    """Answers the page on which phones join: the audience, then go on."""

    def __init__(self) -> None:
        self.shown: list[bool] = []

    def show(self, view: View) -> None: ...

    def ask(self, view: InteractiveView) -> Answer:
        assert isinstance(view, PhonesPage)
        self.shown.append(view.status.has_audience)
        return AUDIENCE_ANSWER if len(self.shown) == 1 else GO_ON_ANSWER


def test_the_audience_is_off_by_a_touch(phones: Phones) -> None:
    phones.pads.guess("zoë", 1)
    screen = Touchscreen()
    assert ask_for_phones(PadDisplay(screen, phones.pads), phones.pads)
    assert screen.shown == [True, False]
    phones.pads.react("zoë", "heart")
    assert phones.pads.state("zoë").audience is None
    assert "/pad/guess" not in phones.page("zoë") and "/pad/react" not in phones.page("zoë")
    phones.pads.switch_audience()
    assert audience(phones).reactions == {}
