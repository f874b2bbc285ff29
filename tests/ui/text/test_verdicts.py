"""The sentences about verdicts, about the events of whole games, and about results."""

import random

import pytest

from messages import N
from rules.board.text import TEXT as BOARD_TEXT
from rules.catalogue import GAMES, find_game
from rules.engine import Choices, GameEvent, GameText, IntRange, Play, Prompt, Result, Value
from rules.engine.scoreboard import ShownFact
from rules.events import KnockedOut, Other, Tie
from rules.future.text import TEXT as FUTURE_TEXT
from rules.record.judgement import Verdict
from rules.redeux.events import PairTie, PairWon, RiskRoundsBegin, RoundWon
from rules.redeux.text import TEXT as REDEUX
from rules.text import SHARED_TEXT
from rules.throws import Throw
from tests.helpers.foul_sentences import said_of
from ui.text import verdicts
from vision.lock.reasons import HandCause, VoidKind

NAMES = {1: "Ada", 2: "Bo", 3: "Cy"}


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict.is_foul])
def test_every_foul_sentence_names_the_player_and_the_foul(verdict: Verdict) -> None:
    said = said_of(verdict, "Ada", 330.4, 0, Throw.PAPER, Throw.ROCK)
    assert said.startswith("Ada") and said.endswith(".")
    told = {"late": "330 ms", "early": "paper", "changed": "paper at the lock, rock afterwards"}
    assert told.get(verdict, "") in said


@pytest.mark.parametrize("foul", [Verdict.LATE, Verdict.EARLY, Verdict.CHANGED])
def test_a_time_too_close_to_call_is_no_accusation(foul: Verdict) -> None:
    said = said_of(foul, "Ada", 168.2, 151.7, Throw.PAPER, Throw.ROCK, interval_ms=23.6)
    assert said.startswith("Too close to call: Ada") and "was" not in said
    told = {"late": "paper 168 ± 24 ms after", "early": "paper 152 ± 24 ms before", "changed": "from paper to rock"}
    assert told[foul] in said


def test_every_foul_has_a_sentence_of_its_own() -> None:
    said = {said_of(verdict, "Ada", 330, 0, Throw.PAPER, None) for verdict in Verdict if verdict.is_foul}
    assert len(said) == 14


@pytest.mark.parametrize("foul", [Verdict.LATE, Verdict.EARLY])
def test_a_fist_that_came_down_again_is_told_with_both_times(foul: Verdict) -> None:
    cause = str(HandCause.CAME_DOWN_AGAIN)
    said = said_of(foul, "Ada", 200.4, 0, Throw.ROCK, None, cause=cause, interval_ms=300.2)
    assert said.startswith("Too close to call: Ada") and "-100 and 501 ms" in said
    to_reader = said_of(foul, verdicts.YOU, 200.4, 0, Throw.ROCK, None, cause=cause, interval_ms=300.2)
    assert "your fist" in to_reader


@pytest.mark.parametrize("cause", [cause for cause in HandCause if cause is not HandCause.CAME_DOWN_AGAIN])
def test_the_sentence_says_why_a_hand_is_not_read(cause: HandCause) -> None:
    verdict = Verdict.UNREAD if cause in (HandCause.SMALL, HandCause.DARK, HandCause.UNREADABLE) else Verdict.UNCLEAR
    said = said_of(verdict, "Ada", 0, 0, None, None, cause=str(cause))
    assert said.startswith("Ada") and said != said_of(verdict, "Ada", 0, 0, None, None)
    to_reader = said_of(verdict, verdicts.YOU, 0, 0, None, None, cause=str(cause))
    assert to_reader.startswith("Your hand")


def test_a_hand_that_is_cut_off_and_not_read_gets_advice() -> None:
    blamed, helped = (
        said_of(verdict, "Ada", 0, 0, None, None, cause=str(HandCause.CUT_OFF))
        for verdict in (Verdict.UNSEEN, Verdict.UNREAD)
    )
    assert blamed != helped


def test_void_reasons_have_sentences_and_no_foul() -> None:
    said = {verdicts.void_sentence(str(kind), 0.06, None) for kind in VoidKind}
    assert len(said) == len(VoidKind) and all(verdicts.NO_FOUL in one for one in said)
    assert "6%" in verdicts.void_sentence("moved", 0.06) and "Bo’s zone" in verdicts.void_sentence(
        "reaching over", 2, "Bo"
    )


def random_answers(prompt: Prompt, rng: random.Random) -> dict[int, Value]:
    """Return random allowed answers; sometimes none where the game has a rule for it."""
    answers: dict[int, Value] = {}
    for seat, options in prompt.seats.items():
        if prompt.allows_no_answer and rng.random() < 0.1:
            answers[seat] = None
        elif isinstance(options, Choices):
            answers[seat] = rng.choice(options.values)
        elif isinstance(options, IntRange):
            answers[seat] = options.start + options.step * rng.randrange(
                (options.stop - options.start) // options.step + 1
            )
        else:
            pytest.skip(f"a box's answer to {prompt.kind} is another test's matter")
    return answers


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_event_of_a_game_has_a_sentence(name: str) -> None:
    """In random matches every event has a sentence without bare facts or seat numbers."""
    game = find_game(name)
    kinds: set[str] = set()
    for seed in range(12):
        rng = random.Random(seed)
        seats = rng.randint(game.min_players, min(3, game.max_players))
        play = Play(game.set_up(seats))
        for _ in range(150):
            if play.prompt is None:
                break
            play.answer(random_answers(play.prompt, rng))
        for event in play.events:
            kinds.add(event.kind)
            assert event.kind in {**SHARED_TEXT.sentences, **game.text.sentences}, f"no sentence for {event.kind!r}"
            for sentence in verdicts.event_sentences(event, NAMES):
                assert sentence.endswith((".", "!", "?")), sentence
                assert "{" not in sentence and "None" not in sentence and "Seat" not in sentence, sentence
        if play.result:
            assert verdicts.result_sentence(play.result, NAMES).endswith(".")
    assert "score" in kinds


def test_an_unknown_event_is_described_by_its_facts() -> None:
    text = GameText(words={"windy": N("very windy")}, scoreboard={"strength": ShownFact(label=N("Force"))})
    storm = Other("storm", {"strength": 3, "wet": {"1": 2}, "shut": [True, None, "windy"]}, text=text)
    said = "Storm: Force 3, wet Ada 2, shut yes, none, very windy."
    assert verdicts.event_sentences(storm, NAMES) == (said,)
    assert verdicts.event_sentences(Other("storm", {}), NAMES) == ("Storm.",)


def test_result_sentences() -> None:
    assert verdicts.result_sentence(Result((), {1: 0}), NAMES) == "Nobody has won."
    assert verdicts.result_sentence(Result((), {1: 0, 2: 0}, text=BOARD_TEXT), NAMES) == "It’s a draw."
    assert verdicts.result_sentence(Result((2,), {1: 0, 2: 1}), NAMES) == "Bo has won with 1 point."
    assert verdicts.result_sentence(Result((1, 3), {1: 5, 2: 4, 3: 5}), NAMES) == "Ada and Cy have won with 5 points."
    assert verdicts.result_sentence(Result((1, 3), {1: 5, 3: 5}), NAMES) == "Ada and Cy draw with 5 points each."
    assert verdicts.result_sentence(Result((2,), {1: 0, 2: 1}, text=BOARD_TEXT), NAMES) == "Bo has won."
    assert verdicts.result_sentence(Result((1, 2, 3), {1: 5, 2: 6, 3: 7}), NAMES) == "Ada, Bo and Cy have won."


def test_a_result_says_who_has_no_chips_left() -> None:
    said = {
        (7, 5, 5): "Ada has won with 7 chips.",
        (9, 5, 0): "Ada has won with 9 chips. Cy has no chips left.",
        (0, 12, 0): "Bo has won with 12 chips. Ada and Cy have no chips left.",
        (0, 0, 14, 0): "Cy has won with 14 chips. 3 players have no chips left.",
        (6, 0, 6): "Ada and Cy have won with 6 chips. Bo has no chips left.",
    }
    for chips, sentence in said.items():
        scores = dict(enumerate(chips, 1))
        winners = tuple(seat for seat in scores if scores[seat] == max(chips))
        assert verdicts.result_sentence(Result(winners, scores, text=FUTURE_TEXT), NAMES) == sentence


def won(pair: tuple[int, int], points: int) -> GameEvent:
    return RoundWon(pair, 1, {pair[0]: Throw.ROCK, pair[1]: Throw.SCISSORS}, pair[0], points, lost=0, text=REDEUX)


def tie(pair: tuple[int, int]) -> GameEvent:
    return PairTie(pair, 1, dict.fromkeys(pair, Throw.ROCK), text=REDEUX)


def test_nothing_is_said_before_what_it_follows_from() -> None:
    def pair_won(pair: tuple[int, int], phase: str) -> GameEvent:
        return PairWon(pair, pair[0], phase, text=REDEUX)

    names = dict(enumerate(("Ada", "Bo", "Cy", "Di"), 1))
    begins = RiskRoundsBegin([(1, 2), (3, 4)], 10, text=REDEUX)
    primary, risk = "primary game", "risk rounds"
    said = verdicts.page_sentences([pair_won((1, 2), primary), begins, pair_won((3, 4), risk)], names)
    assert [str(line) for line in said] == [
        "Ada wins the Primary game.", "Risk Rounds: all play on to 10 points.", "Cy wins the Risk Rounds.",
    ]  # fmt: skip
    said = verdicts.page_sentences([pair_won((1, 2), primary), pair_won((3, 4), primary), begins], names)
    assert len(said) == 2, "two pairs in one sentence"


def test_pages_of_several_pairs_say_who_won_and_tied() -> None:
    names = dict(enumerate(("Ada", "Bo", "Cy", "Di", "Eve", "Flo"), 1))
    said = verdicts.page_sentences([won((1, 2), 5), tie((5, 6)), won((3, 4), 5)], names)
    assert said == ("Ada and Cy each win 5 points.", "Tie: Eve and Flo. Throw again.")
    said = verdicts.page_sentences([won((1, 2), 20), won((3, 4), 5)], names)
    assert said == ("Points won: Ada 20, Cy 5.",)
    assert verdicts.page_sentences([won((1, 2), 5)], names) == ("Ada wins 5 points (Ada rock, Bo scissors).",)


def test_a_page_about_three_throws_leaves_them_to_the_cards() -> None:
    throws = {1: Throw.ROCK, 2: Throw.SCISSORS, 3: Throw.ROCK}
    out = KnockedOut([2], [1, 3], throws)
    assert verdicts.page_sentences([out], NAMES) == ("Bo drops out.",)
    two = KnockedOut([2], [1], {1: Throw.ROCK, 2: Throw.SCISSORS})
    assert verdicts.page_sentences([two], NAMES) == ("Bo drops out (Ada rock, Bo scissors).",)
    assert verdicts.page_sentences([Tie(throws)], NAMES) == ("Tie. Throw again.",)
