"""The pads of a table: joining, answering, phones that go away, and what each may know."""

import gzip
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.battle.text import TEXT as BATTLE_TEXT
from rules.board.notation import format_move
from rules.board.position import starting_position
from rules.catalogue import find_game
from rules.engine import (
    BOX,
    Choices,
    FactValue,
    Game,
    GameEvent,
    IntRange,
    Json,
    Play,
    Prompt,
    SealedPrompt,
    Seat,
    SecretPrompt,
    TimeLimit,
    Value,
    seats_to_json,
)
from rules.events import Other, Scores
from rules.future.events import HandDealt
from rules.future.text import TEXT as FUTURE_TEXT
from rules.record.round import game_outcomes
from rules.throws import THROW_CHOICES, Outcome, Throw
from tests.helpers.pad_phones import Phones, board_prompt
from tests.helpers.random_games import games, random_answers
from tests.helpers.samples.common import declared_fact
from throwlock.journal.journal import JournalReader
from throwlock.match.pause import PadDisplay
from throwlock.pads import texts as pad_strings
from throwlock.pads.table import FORGOTTEN_AFTER_S, LOST_AFTER_S, PadTable, parse_value
from throwlock.pads.view import Activity
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import config_from_events
from throwlock.tables.answers import ScreenAnswers
from throwlock.tv import texts as tv_texts
from tools.gallery import samples
from ui.screen.pages import group_question
from ui.screen.pages.board_position import position_from_facts
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Preparing
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage, LiveAnswers
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import PausePage
from ui.screen.pages.question import EntryPage, HandOverPage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.scoreboard import own_facts, prompt_facts
from ui.screen.pages.showdown import Showdown
from ui.screen.pages.tournament import TournamentView
from ui.screen.views import Answer, InteractiveView, Reply, View
from ui.text import verdicts

SAMPLES = samples()
JOURNALS = Path(__file__).parents[2] / "agreement" / "journals"
"""Recorded matches of every game."""
NAMES = ("Ada", "Ben", "Cy", "Dot")
PLAYERS = tuple(Player(seat, name) for seat, name in enumerate(NAMES, 1))
BET = SealedPrompt("bet", dict.fromkeys((1, 2), IntRange(0, 20, 5)), time_limit=TimeLimit(20.0))
PLACE = SecretPrompt("place", {1: Choices(("rock", "rock", "paper"))})
CLAIM = Prompt("claim", {1: THROW_CHOICES})


def begin(phones: Phones, prompt: Prompt) -> GroupQuestionPage:
    """Ask the question on the touchscreen, and return its page there."""
    view = phones.pads.begin_question(GroupQuestion(PLAYERS, prompt, prompt.seconds))
    phones.pads.show(view)
    page = view.first_page()
    assert isinstance(page, GroupQuestionPage)
    return page


def poll(page: GroupQuestionPage) -> GroupQuestionPage:
    after = page.poll()
    assert isinstance(after, GroupQuestionPage)
    return after


def answer(phones: Phones, seat: Seat, value: str) -> None:
    question = phones.state(seat).question
    assert question is not None
    phones.pads.answer(str(seat), question.number, value)


@pytest.fixture
def phones() -> Phones:
    made = Phones(NAMES)
    made.join(1, 2)
    return made


def test_phones_and_touchscreen_mix(phones: Phones) -> None:
    prompt = SealedPrompt("bet", dict.fromkeys((1, 2, 3), IntRange(0, 20, 5)))
    page = poll(begin(phones, prompt))
    assert [page.seat_state(seat) for seat in (1, 2, 3)] == ["on phone", "on phone", "asked"]
    answer(phones, 1, "15")
    page = poll(page)
    assert page.answers == {1: 15} and phones.state(1).question is None
    assert phones.state(2).asked == {1: "in", 2: "on phone", 3: "asked"}
    after = page.with_answer(3, 5)
    assert isinstance(after, GroupQuestionPage)
    answer(phones, 2, "0")
    assert after.poll() == Reply({1: 15, 2: 0, 3: 5})


def test_lists_are_answered_by_place_and_numbers_by_value() -> None:
    options = Choices((True, 1, "call", "call", "fold"))
    assert [parse_value(options, str(place)) for place in range(-1, 5)] == [None, True, 1, "call", "fold", None]
    span = IntRange(-10, 20, 5)
    assert [parse_value(span, text) for text in ("-10", "15", "16", "25", "--5", "٣", "1e1", "", "9" * 30)] == [
        *(-10, 15, None, None, None, None, None, None, None)
    ]


@given(st.text() | st.integers().map(str), st.sampled_from([THROW_CHOICES, IntRange(0, 95, 5), Choices(())]))
def test_only_allowed_values_are_answers(text: str, options: Any) -> None:
    value = parse_value(options, text)
    assert value is None or options.allows(value)


def test_an_answer_is_final_and_belongs_to_its_question(phones: Phones) -> None:
    page = begin(phones, BET)
    number = phones.state(1).question
    assert number is not None
    phones.pads.answer("1", number.number, "7")  # not on a step
    phones.pads.answer("3", number.number, "5")  # has no seat
    phones.pads.answer("1", number.number + 1, "5")
    assert poll(page).answers == {}
    answer(phones, 1, "5")
    phones.pads.answer("1", number.number, "10")
    assert poll(page).answers == {1: 5}
    page = begin(phones, CLAIM)
    phones.pads.answer("1", number.number, "0")
    assert poll(page).answers == {}, "a form of an earlier question"


def test_a_seat_with_a_phone_keeps_the_shared_page(phones: Phones) -> None:
    assert begin(phones, PLACE).own_page is None
    other = begin(phones, SecretPrompt("place", {3: Choices(("rock", "paper"))}))
    assert isinstance(other.own_page, HandOverPage)


def test_phones_join_only_while_everybody_sees_it(phones: Phones) -> None:
    assert phones.state(3).can_join
    phones.pads.take_seat("3", 2)
    assert phones.state(3).seat is None, "the seat has a phone"
    begin(phones, BET)
    phones.pads.take_seat("3", 3)
    assert phones.state(3).seat is None and not phones.state(3).can_join
    phones.join(3)
    phones.pads.take_seat("3", 9)
    assert phones.state(3).seat == 3


def test_a_phone_that_goes_away_hands_its_seat_back(phones: Phones) -> None:
    page = begin(phones, BET)
    phones.state(1), phones.state(2)
    page = poll(page)
    assert page.running == (1, 2) and page.seat_state(1) == "on phone"
    phones.clock.now_s += LOST_AFTER_S - 1
    phones.state(2)
    phones.clock.now_s += 1
    page = poll(page)
    assert page.seat_state(1) == "asked" and page.running == (2,), "its time stands still meanwhile"
    assert [seat.state for seat in phones.pads.status().seats] == ["away", "here", "none", "none"]
    phones.state(1)
    assert poll(page).seat_state(1) == "on phone", "it wakes up"
    phones.clock.now_s += FORGOTTEN_AFTER_S
    assert phones.state(1).seat is None


def test_another_phone_may_take_the_seat_of_one_that_is_away(phones: Phones) -> None:
    phones.clock.now_s += LOST_AFTER_S
    phones.join(2)
    phones.pads.take_seat("new", 1)
    assert phones.pads.state("new").seat == 1 and phones.state(1).seat is None


def test_a_touch_on_the_seat_takes_it_back(phones: Phones) -> None:
    page = begin(phones, BET)
    phones.state(1)
    page = poll(page).open_seat(1)
    page = poll(page)
    assert page.seat_state(1) == "asked" and phones.state(1).question is None
    assert phones.state(1).at_screen and not phones.state(1).can_return_to_phone
    phones.pads.return_to_phone("1")
    assert phones.state(1).at_screen, "its page is open on the touchscreen"
    page = poll(page.press(Reply(None)))  # type: ignore[arg-type]
    assert phones.state(1).can_return_to_phone and phones.state(1).question is None
    phones.pads.return_to_phone("1")
    assert phones.state(1).question is not None
    phones.pads.remove_phone(1)
    assert phones.state(1).seat is None


def test_time_runs_from_when_the_phone_shows_the_question(phones: Phones) -> None:
    page = begin(phones, BET).pass_time(15.0, 0.0)
    assert isinstance(page, GroupQuestionPage) and not page.running
    phones.state(1)
    page = poll(page).pass_time(15.0, 0.0)
    assert isinstance(page, GroupQuestionPage)
    page = poll(page)
    question = phones.state(1).question
    assert question is not None and question.seconds_left == 5.0
    late = page.pass_time(5.0, 0.0)
    assert isinstance(late, GroupQuestionPage)
    page = poll(late)
    assert page.answers == {1: None} and phones.state(1).question is None


def test_a_pause_keeps_the_question(phones: Phones) -> None:
    page = begin(phones, BET)
    answer(phones, 1, "5")
    phones.pads.end_question()
    phones.pads.show(PausePage())
    assert phones.state(2).activity is Activity.PAUSED and phones.state(2).question is None
    resumed = phones.pads.resume_question(page)
    assert poll(resumed).answers == {1: 5}
    answer(phones, 2, "0")
    assert resumed.poll() == Reply({1: 5, 2: 0})


def test_a_seat_that_gets_a_phone_during_a_pause_leaves_the_touchscreen(phones: Phones) -> None:
    hand_over = begin(phones, SecretPrompt("place", {3: Choices(("rock", "paper"))}))
    assert isinstance(hand_over.own_page, HandOverPage)
    phones.pads.end_question()
    assert phones.pads.resume_question(hand_over).own_page == hand_over.own_page
    phones.pads.end_question()
    phones.join(3)
    page = poll(phones.pads.resume_question(hand_over))
    assert page.own_page is None and phones.state(3).question is not None


def test_questions_for_a_camera_stay_as_they_are(phones: Phones) -> None:
    view = GroupQuestion(PLAYERS, PLACE, poll_answers=lambda _: LiveAnswers())
    assert phones.pads.begin_question(view) is view
    assert phones.state(1).question is None


def test_phones_keep_seats_whose_name_stays(phones: Phones) -> None:
    phones.pads.close()
    assert phones.state(1).activity is Activity.NOTHING
    phones.pads.open(("Ada", "Eve"))
    assert phones.state(1).seat == 1 and phones.state(2).seat is None
    assert not phones.pads.needs_phones
    phones.pads.forget_phones()
    assert phones.state(1).seat is None and phones.pads.needs_phones


def test_a_student_sees_the_own_throw_and_the_figures_of_the_class() -> None:
    phones = Phones(tuple("" for _ in range(12)), in_class=True)
    phones.pads.take_seat("3", 3)
    phones.pads.take_seat("other", 3)
    values = {3: ("rock", "win")}
    players = tuple(
        Player(
            seat,
            "",
            0,
            facts=tuple(
                declared_fact(name, value, BATTLE_TEXT)
                for name, value in zip(("throws", "outcomes"), values.get(seat, ("scissors", "loss")), strict=True)
            ),
        )
        for seat in range(1, 13)
    )
    table = (declared_fact("table", {"rock-scissors": "rock"}, BATTLE_TEXT),)
    phones.pads.show(GameMessage(players, Other("thrown", {}), (), table))
    state = phones.state(3)
    assert state.standing is not None and (state.standing.throw, state.standing.outcome) == (Throw.ROCK, Outcome.WON)
    assert {one.throw: one.count for one in state.figures} == {Throw.ROCK: 1, Throw.PAPER: 0, Throw.SCISSORS: 11}
    html = phones.html(3)
    assert "You won." in html and ">11<" in html
    assert phones.pads.state("other").standing == state.standing, "it is on the wall anyway"


class TouchscreenPeople:
    """A display whose people answer each question with the next given answers, one seat after the other; ``note`` is
    called whenever a phone may have been sent something new."""

    def __init__(self, note: Any, answers: Mapping[Seat, Value] | None = None) -> None:
        self.note, self.answers = note, answers or {}

    def show(self, view: View) -> None:
        self.note()

    def ask(self, view: InteractiveView) -> Answer:
        assert isinstance(view, GroupQuestion)
        page = view.first_page()
        assert isinstance(page, GroupQuestionPage)
        self.note()
        for seat in view.prompt.seats:
            after = poll(page).with_answer(seat, self.answers.get(seat, "seen"))
            if isinstance(after, Reply):
                return after.value
            page = poll(after)
            self.note()
        raise AssertionError


Step = tuple[object, str]
"""What a seat may know at some time, and what its phone was sent."""


def record(game: Game, rounds: Sequence[Mapping[Seat, Value]], viewer: Seat | None) -> list[Step]:
    """Play a match by ``rounds`` of answers and return every step of one seat's phone; None: of one of the audience,
    who guesses and reacts as often as they may."""
    names = tuple(f"P{seat}" for seat in range(1, game.setup.seats + 1))
    phones, steps, known = Phones(names), list[Step](), list[object]()
    phones.join(*range(1, game.setup.seats + 1))
    if viewer is None:
        phones.pads.introduce("guest", "Zoë", "owl", 1)

    def note() -> None:
        phones.clock.now_s += 1
        if viewer is None:
            phones.pads.guess("guest", 1 + len(steps) % game.setup.seats)
            phones.pads.react("guest", "heart")
        for seat in range(1, game.setup.seats + 1):
            phones.pads.note_presence(str(seat))
        steps.append((tuple(map(repr, known)), phones.page("guest" if viewer is None else str(viewer))))

    display = TouchscreenPeople(note)
    source = ScreenAnswers(PadDisplay(display, phones.pads))
    play, told = Play(game), 0
    for answers in rounds:
        players = tuple(Player(seat, name) for seat, name in enumerate(names, 1))
        for event in play.events[told:]:
            if event.is_visible_to(viewer):
                known.append(event.as_json())
            else:
                known.append(("told somebody", event.only))
            if event.only is None:
                lines = tuple(verdicts.event_sentences(event, dict(enumerate(names, 1))))
                PadDisplay(display, phones.pads).show(
                    GameMessage(players, event, lines, outcomes=game_outcomes([event]))
                )
        source.tell([event for event in play.events[told:] if event.only is not None], players)
        told = len(play.events)
        prompt = play.prompt
        if prompt is None:
            break
        people = {seat: options for seat, options in prompt.seats.items() if seat != BOX}
        if people and not prompt.is_optional:  # the box asks nobody
            asked: dict[Seat, Json] = {
                seat: options.as_json() if seat == viewer else "asked" for seat, options in people.items()
            }
            secret = prompt.is_secret and viewer not in people
            known.append((prompt.kind, seats_to_json(asked), None if secret else prompt.about, prompt.seconds))
            rest = prompt.to_players()
            display.answers = {seat: answers[seat] for seat in people}
            source.answer(rest, players, len(known))
            known.append(None if viewer is None else answers.get(viewer))
        play.answer(answers)
    return steps


@settings(deadline=None, max_examples=40)
@given(games().filter(lambda game: game.setup.seats <= 6), st.integers(0, 2**32), st.data())
def test_phones_are_sent_nothing_secret(game: Game, seed: int, data: st.DataObject) -> None:
    dice, play, rounds, prompts = random.Random(seed), Play(game), list[Mapping[Seat, Value]](), list[Prompt]()
    while play.prompt is not None and len(rounds) < 30 + 7 * game.setup.seats:
        prompts.append(play.prompt)
        rounds.append(random_answers(play.prompt, dice))
        play.answer(rounds[-1])
    viewer = data.draw(st.none() | st.integers(1, game.setup.seats))
    if changes := changeable_secrets(prompts, rounds, viewer):
        check_secret(game, rounds, data.draw(st.sampled_from(changes)), viewer, seed)


@pytest.mark.parametrize("journal", sorted(JOURNALS.glob("*.journal.gz")), ids=lambda path: path.name.split(".")[0])
def test_the_audience_is_sent_nothing_secret_of_recorded_matches(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(gzip.decompress(journal.read_bytes()))
    with JournalReader(tmp_path / "j") as reader:
        matches = [reader.events(number) for number in reader.matches()]
    for events in matches:
        game, prompts, rounds = config_from_events(events).game, list[Prompt](), list[Mapping[Seat, Value]]()
        play = Play(game)
        for answers in effective_answers(events).values():
            assert play.prompt is not None
            prompts.append(play.prompt)
            rounds.append(answers)
            play.answer(answers)
        changes = changeable_secrets(prompts, rounds, None)
        for change in random.Random(1).sample(changes, min(len(changes), 4)):
            check_secret(game, rounds, change, None, seed=1)


SecretChange = tuple[int, Seat, Value]
"""Another answer of a seat: the number of the prompt, from 0, the seat, and the answer."""


def changeable_secrets(
    prompts: Sequence[Prompt], rounds: Sequence[Mapping[Seat, Value]], viewer: Seat | None
) -> list[SecretChange]:
    """Return the other answers that others than the viewer might have given in secret."""
    return [
        (number, seat, value)
        for number, prompt in enumerate(prompts)
        for seat, options in prompt.seats.items()
        if seat != viewer and (prompt.is_private or seat == BOX)
        for value in (options.values if isinstance(options, Choices) else (options.start, options.stop))
        if seat in rounds[number] and value != rounds[number][seat]
    ]


def check_secret(
    game: Game, rounds: Sequence[Mapping[Seat, Value]], change: SecretChange, viewer: Seat | None, seed: int
) -> None:
    """Fail if the viewer's phone is sent anything else once a secret answer of somebody else is another one, as long as
    the viewer may not know of the difference."""
    number, seat, value = change
    other, twin = [*rounds[:number], {**rounds[number], seat: value}], Play(game)
    for answers in other:
        twin.answer(answers)
    dice = random.Random(seed)
    while twin.prompt is not None and len(other) < len(rounds):
        same = rounds[len(other)]
        try:
            twin.answer(same)
            other.append(same)
        except ValueError:
            other.append(random_answers(twin.prompt, dice))
            twin.answer(other[-1])
    for (knew, sent), (knows, gets) in zip(record(game, rounds, viewer), record(game, other, viewer), strict=False):
        if knew != knows:
            break
        assert sent == gets


@given(games().filter(lambda game: game.setup.seats <= 6), st.integers(0, 2**32))
@settings(deadline=None, max_examples=15)
def test_every_phone_shows_all_that_its_seat_alone_knows(game: Game, seed: int) -> None:
    dice, play, seats = random.Random(seed), Play(game), range(1, game.setup.seats + 1)
    people = tuple(Player(seat, f"P{seat}") for seat in seats)
    phones = Phones(tuple(player.name for player in people))
    phones.join(*seats)
    for _ in range(25):
        if (prompt := play.prompt) is None:
            break
        if (rest := prompt.to_players()).seats:
            phones.pads.show(phones.pads.begin_question(GroupQuestion(people, rest, rest.seconds)))
            for seat in seats:
                facts = own_facts(prompt, seat)
                assert phones.state(seat).own_facts == facts and bool(facts) == (seat in prompt.own_facts)
                for text in pad_strings.own_lines(phones.state(seat)):
                    assert text in phones.html(seat)
                for _, label in pad_strings.hand(phones.state(seat)):
                    assert label in phones.html(seat)
        play.answer(random_answers(prompt, dice))


def test_a_waiting_phone_shows_its_hand_the_pot_and_all_claims() -> None:
    phones = Phones(("Ada", "Ben"))
    phones.join(1, 2)
    about: dict[str, FactValue] = {"pot": 17, "claims": {1: "rock"}, "chips": {1: 4, 2: 9}}
    own: dict[int, dict[str, FactValue]] = {
        1: {"cards in hand": {"rock": 0, "paper": 3, "scissors": 2}, "face down": "paper"}
    }
    prompt = Prompt("act", {2: Choices(("fold", "bet"))}, about, own_facts=own, text=FUTURE_TEXT)
    claims = prompt_facts(prompt).of_seat(1)
    phones.pads.show(GroupQuestion((Player(1, "Ada", 4, facts=claims), Player(2, "Ben", 9)), prompt))
    page = phones.html(1)
    for text in ("Paper ×3", "Scissors ×2", "Face down Paper", "Pot 17", "Claims Rock"):
        assert text in page
    assert "Rock ×0" not in page and "Paper" not in phones.html(2)
    phones.pads.show(Showdown((), "", None, "", 0, 0))
    assert "Paper" not in phones.html(1), "the cards are turned over"


def test_scores_are_listed_as_on_the_television_with_the_own_line_marked() -> None:
    result = samples()["result-3"]
    assert isinstance(result, MatchResult)
    phones = Phones(tuple(player.name for player in result.players))
    phones.join(2)
    message = GameMessage(result.players, Scores({}), ())
    for view, lines in ((message, tv_texts.score_lines(message)), (result, tv_texts.result_lines(result))):
        phones.pads.show(view)
        best_first = tuple(line.player.seat for line in lines)
        assert tuple(player.seat for player in phones.state(2).players) == best_first != (1, 2, 3)
        marked = re.findall('<li aria-current="true">.*?<span class="name"[^>]*>(.*?)</span>', phones.html(2))
        assert marked == [result.players[1].name]


def test_a_phone_says_what_each_answer_costs(phones: Phones) -> None:
    about: dict[str, FactValue] = {"pot": 3, "chips": {1: 7, 2: 1}}
    begin(phones, Prompt("act", {1: Choices(("fold", "bet"))}, about, text=FUTURE_TEXT)).poll()
    assert "1 to 7 chips" in phones.html(1)
    begin(phones, Prompt("bet", {1: IntRange(1, 7)}, about, text=FUTURE_TEXT)).poll()
    page = phones.html(1)
    assert all(f"grows from 3 to {3 + bet}; you keep {7 - bet}" in page for bet in range(1, 8))


def test_a_phone_shows_its_own_hand_and_nobody_elses() -> None:
    phones = Phones(("Ada", "Ben"))
    phones.join(1, 2)
    sent: dict[int, str] = {}
    display = TouchscreenPeople(lambda: sent.update({seat: phones.html(seat) for seat in (1, 2)}))
    event = HandDealt(1, {"rock": 4, "paper": 2, "scissors": 0}, only=1, text=FUTURE_TEXT)
    ScreenAnswers(PadDisplay(display, phones.pads)).tell([event], PLAYERS[:2])
    assert "4" in sent[1] and "rock" in sent[1].lower()
    assert "rock" not in sent[2].lower() and "paper" not in sent[2].lower() and "Waiting for Ada" in sent[2]


def hand(seat: Seat, **cards: int) -> GameEvent:
    return HandDealt(seat, {"rock": 0, "paper": 0, "scissors": 0, **cards}, only=seat, text=FUTURE_TEXT)


def shown_hand(phones: Phones, seat: Seat) -> list[str]:
    """The labels of the cards that a seat's phone shows."""
    state = phones.state(seat)
    assert state.question is not None
    return [label for _, label in pad_strings.hand(state)]


def test_nothing_is_held_once_the_match_is_left(phones: Phones) -> None:
    phones.join(1)
    known = {1: {"cards in hand": {"rock": 3}}}
    phones.pads.show(GroupQuestion(PLAYERS, Prompt("act", {}, {"pot": 5}, own_facts=known, text=FUTURE_TEXT)))
    assert phones.state(1).own_facts and phones.state(1).facts
    phones.pads.close()
    assert (phones.state(1).own_facts, phones.state(1).facts) == ((), ()) and "×3" not in phones.html(1)


def test_students_see_their_own_throw_in_the_reveal() -> None:
    phones = Phones(tuple("" for _ in range(30)), in_class=True)
    reveal = SAMPLES["classroom-reveal-30"]
    assert isinstance(reveal, Reveal)
    phones.pads.take_seat("5", 5)
    phones.pads.show(reveal)
    standing, thrown = phones.state(5).standing, reveal.seats[4].last_throw
    assert standing is not None and thrown is not None and standing.throw is thrown
    shown = phones.html(5)
    assert pad_strings.throw_text(thrown) in shown and str(pad_strings.NO_ROUND_YET) not in shown
    assert phones.state(5).lines == (reveal.sentence,), "not everybody's throw"


def test_what_was_next_is_no_news_once_it_is_played(phones: Phones) -> None:
    tournament = SAMPLES["tournament-8"]
    assert isinstance(tournament, TournamentView)
    phones.pads.show_tournament(tournament)
    assert phones.state(1).tournament is tournament
    phones.pads.open(NAMES)
    assert phones.state(1).tournament is None


def test_all_phones_show_their_hands_at_the_same_time(phones: Phones) -> None:
    pages: list[GroupQuestionPage] = []

    class Touchscreen(TouchscreenPeople):
        """Nobody touches it until both phones have answered, in either order."""

        def ask(self, view: InteractiveView) -> Answer:
            first = view.first_page()
            assert isinstance(first, GroupQuestionPage)
            assert first.own_page is None and "rock" not in repr(first.view.prompt.visible_to(None))
            assert shown_hand(phones, 1) == ["Rock ×3"] and shown_hand(phones, 2) == ["Paper ×2"]
            assert "Paper" not in phones.html(1) and "Rock" not in phones.html(2)
            answer(phones, 2, "0")
            page = poll(first)
            assert page.waiting == (1, 3, 4) and phones.state(2).question is None
            assert phones.html(1).count("Rock ×3") == 1, "the other still looks"
            assert pad_strings.own_state_text(phones.state(2)) == str(pad_strings.LOOKED)
            labels = [pad_strings.state_label(phones.state(2), seat) for seat in (1, 2)]
            assert labels == [str(pad_strings.LOOK_LABELS[state]) for state in ("on phone", "in")]
            assert [group_question.state_label(page, seat) for seat in (1, 2)] == [
                group_question.STATE_LABELS["on phone"],
                group_question.HAS_LOOKED,
            ]
            pages.append(page.open_seat(3))
            on_screen = pages[-1].press(Reply("seen"))
            assert isinstance(on_screen, GroupQuestionPage) and isinstance(on_screen.own_page, HandOverPage)
            assert on_screen.own_page.view.seat == 4, "the screen goes on to those without a phone, and to no other"
            last = on_screen.press(Reply("seen"))
            assert isinstance(last, GroupQuestionPage) and last.own_page is None and last.waiting == (1,)
            answer(phones, 1, "0")
            reply = last.poll()
            assert isinstance(reply, Reply)
            return reply.value

    dealt = [hand(1, rock=3), hand(2, paper=2), hand(3, scissors=1), hand(4, scissors=5)]
    ScreenAnswers(PadDisplay(Touchscreen(lambda: None), phones.pads)).tell(dealt, PLAYERS)
    assert pages


def test_sealed_question_skips_seats_with_phones(phones: Phones) -> None:
    page = poll(begin(phones, SealedPrompt("bet", dict.fromkeys((1, 2, 3, 4), IntRange(0, 20, 5)))))
    after = page.open_seat(3).press(Reply(5))
    assert isinstance(after, GroupQuestionPage) and after.own_page is not None and after.own_page.view.seat == 4
    done = after.press(Reply(10))
    assert isinstance(done, GroupQuestionPage) and done.own_page is None and done.waiting == (1, 2)
    assert not poll(done).own_page and phones.state(1).question is not None, "no phone has lost its question"


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32), st.integers(0, 120))
def test_every_legal_move_can_be_touched_on_a_phones_board(seed: int, plies: int) -> None:
    dice, position = random.Random(seed), starting_position()
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves or position.loser() is not None:
            break
        position = position.after_move(dice.choice(moves))
    moves = position.legal_moves()
    if not moves:
        return
    phones, names = Phones(NAMES[:2]), position.tables.board.space_names
    phones.join(1, 2)
    for move in dice.sample(list(moves), min(4, len(moves))):
        notation = format_move(move, position.tables.board)
        page = begin(phones, board_prompt(position, 1))
        touched = notation.partition("*")[2] or names[move.target]
        for where in (names[move.origin], touched):
            question = phones.state(1).question
            assert question is not None
            phones.pads.touch_board("2", question.number, where)
            phones.pads.touch_board("1", question.number + 1, where)
            phones.pads.touch_board("1", question.number, where)
        question = phones.state(1).question
        assert question is not None and question.board is not None
        assert question.board.move is not None and question.board.move.notation == notation
        assert f'id="{pad_strings.SELECTED_ID}"' in phones.html(1) and phones.state(2).question is None
        answer(phones, 1, str(pad_strings.proposed_place(question.board)))
        assert page.poll() == Reply({1: notation})


def test_who_waits_sees_the_board(phones: Phones) -> None:
    prompt = board_prompt(starting_position(), 1)
    begin(phones, prompt)
    position = position_from_facts(prompt.about)
    assert position is not None and phones.html(2).count('<g class="') == len(position.pieces)
    assert "board-drawing" not in phones.html(1), "whoever moves touches it"
    assert "board-drawing" in phones.page("audience")
    phones.pads.end_question()
    assert "board-drawing" in phones.html(1), "while the move is shown"
    phones.pads.close()
    assert "board-drawing" not in phones.html(2)


def test_a_phone_names_moves_by_the_spaces_of_the_board(phones: Phones) -> None:
    begin(phones, replace(board_prompt(starting_position(), 1), text=find_game("board").text))
    question = phones.state(1).question
    assert question is not None
    labels = [label for _, label, _, _ in pad_strings.options(question.question)]
    assert "Paper c1 to d1" in labels and not [label for label in labels if "," in label or ">" in label]
    answer(phones, 1, str(labels.index("Paper c1 to d1")))
    assert "Which move? Paper c1 to d1" in phones.html(1)


def test_a_phone_resigns_and_answers_a_draw(phones: Phones) -> None:
    play = Play(find_game("board").set_up(2, {"start": "1"}))
    for seat, other in ((1, "offer a draw"), (2, "decline"), (1, "resign")):
        assert play.prompt is not None
        page = begin(phones, play.prompt)
        question = phones.state(seat).question
        assert question is not None and question.board is not None
        phones.pads.touch_board(str(seat), question.number, other)
        question = phones.state(seat).question
        assert question is not None and question.board is not None and question.board.other == other
        assert poll(page).answers == {}, "it is to be confirmed"
        assert f'value="{pad_strings.proposed_place(question.board)}"' in phones.html(seat)
        answer(phones, seat, str(pad_strings.proposed_place(question.board)))
        assert page.poll() == Reply({seat: other})
        play.answer({seat: other})
    assert play.result is not None and play.result.winners == (2,)


def test_what_was_touched_is_forgotten_with_its_question(phones: Phones) -> None:
    position = starting_position()
    page = begin(phones, board_prompt(position, 1))
    question = phones.state(1).question
    assert question is not None and question.board is not None and question.board.selected is None
    phones.pads.touch_board("1", question.number, "c5")
    chosen = phones.state(1).question
    assert chosen is not None and chosen.board is not None and chosen.board.selected is not None
    begin(phones, board_prompt(position, 1))
    again = phones.state(1).question
    assert again is not None and again.board is not None and again.board.selected is None
    assert page.waiting == (1,)
    begin(phones, BET)
    bet = phones.state(1).question
    assert bet is not None and bet.board is None
    phones.pads.touch_board("1", bet.number, "c5")
    assert phones.state(1).question == bet


def test_everything_else_on_the_touchscreen_is_left_to_it(phones: Phones) -> None:
    display = TouchscreenPeople(lambda: None)
    PadDisplay(display, phones.pads).show(Preparing("Battle"))
    assert phones.state(1).activity is Activity.WATCHING
    closed = PadTable()
    shown: list[View] = []

    class Screen:
        def show(self, view: View) -> None:
            shown.append(view)

        def ask(self, view: InteractiveView) -> Answer:
            shown.append(view)
            return "go on"

    view = GroupQuestion(PLAYERS, BET)
    assert PadDisplay(Screen(), closed).ask(view) == "go on" and shown == [view], "off the network"
    assert PadDisplay(Screen(), phones.pads).ask(Notice("Hello", "")) == "go on"


def test_own_page_of_another_seat_leaves_a_phone_alone(phones: Phones) -> None:
    page = poll(begin(phones, CLAIM))
    assert page.seat_state(1) == "on phone"
    page = page.open_seat(1)
    assert isinstance(page.own_page, EntryPage)
    assert not phones.state(2).at_screen


def test_no_browser_translates_a_players_name() -> None:
    phones = Phones(("Rose", "Ben"))
    phones.join(1)
    assert '<h1 translate="no">Rose</h1>' in phones.html(1)
