"""Battle, compared with an independent count pair by pair and from whole histories; streak bonuses, the second look,
wishes, teams, health, and players joining or leaving."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.battle.match import BATTLE
from rules.engine import (
    BOX,
    Answers,
    Choices,
    Game,
    IllegalAnswerError,
    IllegalSetupError,
    IntRange,
    Play,
    Prompt,
    Result,
    Value,
)
from ui.text.verdicts import event_sentences

NAMES = ("blitz", "classic", "inverted", "count", "team", "survivor")
MANY = {"win": "wins", "loss": "losses", "tie": "ties"}
BEATEN = {"rock": "scissors", "paper": "rock", "scissors": "paper"}


def battle_result(one: str, other: str, thrown: list[str], on: list[str]) -> int:
    """Return 1, 0 or −1 by the rule page."""
    if one == other:
        return 0
    usual = BEATEN[one] == other
    if "inverted" in on:
        usual = not usual
    a, b = (one, other) if usual else (other, one)
    best: str | None = a
    if "count" in on and thrown.count(b) > thrown.count(a):
        best = None
    if "count" in on and thrown.count(b) >= 2 * thrown.count(a):
        best = b
    return 0 if best is None else 1 if best == one else -1


def streak_of(history: list[tuple[str, bool]]) -> int:
    """Return the run of wins or losses at the end of a history; ties do not break it."""
    decided = [outcome for outcome, _ in history if outcome != "tie"]
    run = 0
    while run < len(decided) and decided[-1 - run] == decided[-1]:
        run += 1
    return -run if decided and decided[-1] == "loss" else run


def score_of(history: list[tuple[str, bool]]) -> int:
    """Return the score of a history of outcomes, each with whether Classic was on."""
    score = 0
    for index, (outcome, classic) in enumerate(history):
        now = streak_of(history[: index + 1])
        score += {"win": now - 1 if now >= 3 and not classic else 1, "loss": -1, "tie": 0}[outcome]
    return score


def event_battles(facts: Mapping[str, Any], seat: int) -> list[int]:
    """Return the battles a seat won, lost and tied according to the event."""
    return [facts[name][str(seat)] for name in ("won", "lost", "tied")]


@dataclass
class CountedPlayer:
    """A player in the independent count."""

    team: int
    health: int
    history: list[tuple[str, bool]] = field(default_factory=list)
    wishes: dict[str, str] = field(default_factory=dict)


class CountingTable:
    """Plays a match of random answers, expecting each prompt, and counts along."""

    def __init__(self, game: Game, seed: int) -> None:
        self.setup, self.play, self.dice = game.setup, Play(game), random.Random(seed)
        self.event_index = 0
        self.no_answer_rate = self.dice.choice((0.0, 0.1, 0.6))
        self.change_rate = self.dice.choice((0.02, 0.1, 0.4))
        self.health = game.setup.number("health")
        self.wished = [name for name in NAMES if game.setup.options[name] == "wish"]
        self.last: dict[str, bool] = {}
        taken = max(2, game.setup.seats - game.setup.number("free"))
        self.players = {seat: CountedPlayer(seat % 2, self.health) for seat in range(1, taken + 1)}
        self.rounds = 0
        self.away: dict[int, CountedPlayer] = {}

    def answer_prompt(self, kind: str, seats: set[int], **about: Value) -> dict[int, Value]:
        """Answer the current prompt, which must be this one, and return the answers."""
        prompt = self.play.prompt
        assert prompt and prompt.kind == kind and set(prompt.seats) == seats
        assert all(prompt.about.get(name) == fact for name, fact in about.items())
        answering = [seat for seat in prompt.seats if not prompt.is_optional or self.dice.random() < self.change_rate]
        answers = {seat: self.random_answer(prompt, seat) for seat in answering}
        self.play.answer(answers)
        return answers

    def random_answer(self, prompt: Prompt, seat: int) -> Value:
        options = prompt.seats[seat]
        if prompt.seconds and self.dice.random() < self.no_answer_rate:
            return None
        if isinstance(options, Choices):
            return self.dice.choice(options.values)
        return self.dice.randint(options.start, options.stop)

    def next_facts(self, kind: str) -> Mapping[str, Any]:
        """Return the facts of the next event of this kind."""
        while self.play.events[self.event_index].kind != kind:
            self.event_index += 1
        self.event_index += 1
        return self.play.events[self.event_index - 1].facts

    def play_to_end(self) -> Result:
        if len(self.players) < self.setup.seats:
            self.check_scores()
        self.expect_newcomers(set(self.players))
        wanted = self.setup.number("rounds")
        while self.rounds < wanted or not wanted:
            if (self.setup.options["changes"] or not wanted) and self.expect_end():
                break
            self.rounds += 1
            self.expect_round(self.rounds)
        assert self.play.result
        return self.play.result

    def expect_newcomers(self, seats: set[int]) -> None:
        if self.setup.options["team"] and self.setup.options["teams"] == "choose" and seats:
            for seat, team in self.answer_prompt("team", seats).items():
                self.players[seat].team = seat % 2 if team is None else int(team) % 2

    def expect_wishes(self, seats: set[int]) -> None:
        for name in self.wished if seats else ():
            for seat, wish in self.answer_prompt("wish", seats, option=name).items():
                self.players[seat].wishes[name] = str(wish)

    def expect_end(self) -> bool:
        """Expect people to be asked for changes until they have none, and return whether the match is over."""
        while True:
            seats = set(range(1, self.setup.seats + 1)) if self.setup.options["changes"] else set(self.players)
            answers = self.answer_prompt("table", seats)
            if not set(answers.values()) - {"stay", "wait"}:
                return False
            self.expect_changes(answers)
            if "stop" in answers.values() or len(self.players) < 2:
                return True
            self.expect_wishes({seat for seat, choice in answers.items() if choice == "wish"})

    def expect_changes(self, answers: Mapping[int, Value]) -> None:
        doing = {word: {seat for seat, choice in answers.items() if choice == word} for word in answers.values()}
        for seat in doing.get("leave", set()):
            self.away[seat] = self.players.pop(seat)
        for seat in doing.get("reset", set()):
            self.players[seat].history, self.players[seat].health = [], 0
        for seat in doing.get("join", set()):
            self.away.pop(seat, None)
            self.players[seat] = CountedPlayer(seat % 2, 0)
        if {"leave", "reset", "join"} & doing.keys():
            self.check_scores()
        self.expect_newcomers(doing.get("join", set()))

    def expect_options(self) -> list[str]:
        if self.wished:
            place = self.answer_prompt("draw", {BOX}, draws="who decides")[BOX]
            decides = sorted(self.players)[int(place or 0)]
            if not self.players[decides].wishes:
                self.expect_wishes({decides})
            for name in self.wished:
                wish = self.players[decides].wishes[name]
                if wish == "don't care" and name in self.last:
                    continue
                value = self.answer_prompt("draw", {BOX}, draws=name)[BOX] if wish == "don't care" else wish
                self.last[name] = value == "on"
            assert self.next_facts("options")["decides"] == decides
        return [name for name in NAMES if self.setup.options[name] is True or self.last.get(name)]

    def expect_restore(self, on: list[str]) -> None:
        fit = [seat for seat, person in sorted(self.players.items()) if person.health > 0]
        teams = {self.players[seat].team for seat in fit}
        if len(fit) > 1 and not ("team" in on and len(teams) == 1 and len(fit) < len(self.players)):
            return
        for person in self.players.values():
            person.health = self.health
        if len(fit) == 1:
            assert self.next_facts("survivor")["seat"] == fit[0]
        elif fit:
            assert self.next_facts("surviving team")["seats"] == fit

    def expect_round(self, number: int) -> None:
        on = self.expect_options()
        if "survivor" in on:
            self.expect_restore(on)
        fit = {seat for seat, person in self.players.items() if person.health > 0 or "survivor" not in on}
        assert len(fit) >= 2
        if "team" in on and len({person.team for person in self.players.values()}) == 2:
            assert len({self.players[seat].team for seat in fit}) == 2, "no team is ever left without battles"
        streaks = {seat: streak_of(self.players[seat].history) for seat in fit}
        late = {seat for seat in fit if (streaks[seat] >= 5 or streaks[seat] <= -3) and "classic" not in on}
        thrown: dict[int, str] = {}
        base = 3 if "blitz" in on else 5
        for group, seconds in ((fit - late, base + 2 * (number > 1)), (late, base + 2 * (number > 1 and fit == late))):
            if not group:
                continue
            assert self.play.prompt and self.play.prompt.seconds == seconds and self.play.prompt.is_private
            if group == late and thrown:
                assert self.next_facts("second look")["throws"] == {str(seat): thrown[seat] for seat in sorted(thrown)}
            shown = self.answer_prompt("throw", group, round=number)
            thrown |= {seat: str(throw) for seat, throw in shown.items() if throw}
            helped = [s for s in sorted(group) if shown[s] is None and streaks[s] <= -5 and "classic" not in on]
            for seat in sorted(group - set(helped) - thrown.keys()):
                thrown[seat] = str(self.answer_prompt("draw", {BOX}, seat=seat)[BOX])
            locked = dict(thrown)
            for seat in helped:
                gains = {throw: sum(self.battles({**locked, seat: throw}, seat, on)) for throw in BEATEN}
                thrown[seat] = max(("rock", "paper", "scissors"), key=lambda throw: gains[throw])
        self.count_round(thrown, on)

    def battles(self, thrown: dict[int, str], me: int, on: list[str]) -> list[int]:
        """Return the result of each battle of ``me``: 1, 0 or −1."""
        rivals = [s for s in thrown if s != me and not ("team" in on and self.players[s].team == self.players[me].team)]
        return [battle_result(thrown[me], thrown[other], list(thrown.values()), on) for other in rivals]

    def count_round(self, thrown: dict[int, str], on: list[str]) -> None:
        event_facts = self.next_facts("round")
        assert event_facts["options"] == on and event_facts["throws"] == {
            str(seat): thrown[seat] for seat in sorted(thrown)
        }
        assert event_facts["counts"] == {throw: list(thrown.values()).count(throw) for throw in BEATEN}
        ends = {seat: self.battles(thrown, seat, on) for seat in thrown}
        for seat, end in ends.items():
            outcome = "win" if sum(end) > 0 else "loss" if sum(end) < 0 else "tie"
            self.players[seat].history.append((outcome, "classic" in on))
            assert event_facts["outcomes"][str(seat)] == outcome
            assert event_battles(event_facts, seat) == [end.count(1), end.count(-1), end.count(0)]
        assert sum(map(sum, ends.values())) == 0
        self.check_scores()
        if "survivor" in on:
            for seat in thrown:
                self.players[seat].health -= self.players[seat].history[-1][0] == "loss"
            health = self.next_facts("health")["health"]
            assert health == {str(seat): self.players[seat].health for seat in sorted(self.players)}
            assert min(health.values()) >= 0
            self.expect_restore(on)

    def histories(self) -> dict[int, list[tuple[str, bool]]]:
        everybody = self.away | self.players
        return {seat: everybody[seat].history if seat in everybody else [] for seat in range(1, self.setup.seats + 1)}

    def check_scores(self) -> None:
        event_facts = self.next_facts("score")
        assert event_facts["scores"] == {str(seat): score_of(history) for seat, history in self.histories().items()}
        assert event_facts["streaks"] == {str(seat): streak_of(history) for seat, history in self.histories().items()}
        assert event_facts.get("away", []) == sorted(self.away), "the score of a player who has left is shown as such"
        free = sorted(set(range(1, self.setup.seats + 1)) - self.players.keys() - self.away.keys())
        assert event_facts.get("free", []) == free


@st.composite
def matches(draw: st.DrawFn) -> Game:
    choices: tuple[Value, ...] = (False, True, "wish")
    options = {name: draw(st.sampled_from(choices)) for name in NAMES}
    options |= {
        "rounds": draw(st.integers(0, 16)),
        "free": draw(st.integers(0, 6)),
        "changes": draw(st.booleans()),
        "health": draw(st.integers(1, 3)),
    }
    options["teams"] = draw(st.sampled_from(("seats", "choose")))
    return BATTLE.set_up(draw(st.integers(2, 7)), options)


@given(matches(), st.integers(0, 2**32))
@settings(deadline=None, max_examples=300)
def test_matches_agree_with_an_independent_count(game: Game, seed: int) -> None:
    table = CountingTable(game, seed)
    result = table.play_to_end()
    scores = {seat: score_of(history) for seat, history in table.histories().items()}
    assert result.scores == scores
    assert result.details.get("away", []) == sorted(table.away)
    best = max((scores[seat] for seat in table.players), default=None)
    assert list(result.winners) == [seat for seat in sorted(table.players) if table.rounds and scores[seat] == best]
    for seat, person in table.players.items():
        outcomes = [outcome for outcome, _ in person.history]
        more: Any = result.details["rounds"]
        assert more[seat] == {many: outcomes.count(one) for one, many in MANY.items()}


def short_game(seats: int, options: Mapping[str, Value] | None = None) -> Game:
    """Ten rounds in which nobody comes or goes, with no option but ``options``."""
    return BATTLE.set_up(seats, {"rounds": 10, "changes": False, **dict.fromkeys(NAMES, False), **(options or {})})


PLAIN = short_game(2, {"rounds": 100})


def play_rounds(play: Play, *throws: str) -> list[tuple[list[int], list[int]]]:
    """Play rounds, each a string with a letter per seat, and return scores and streaks after each."""
    words = {"r": "rock", "p": "paper", "s": "scissors", "-": None}
    after = []
    for round_of_letters in throws:
        letters = dict(enumerate(round_of_letters, 1))
        event_facts = len(play.events)
        while len(play.events) == event_facts or not any(event.kind == "score" for event in play.events[event_facts:]):
            assert play.prompt and play.prompt.kind == "throw"
            play.answer({seat: words[letters[seat]] for seat in play.prompt.seats})
        facts: Any = next(event.facts for event in play.events[event_facts:] if event.kind == "score")
        after.append((list(facts["scores"].values()), list(facts["streaks"].values())))
    return after


def test_streaks_multiply_from_three_on() -> None:
    after = play_rounds(Play(PLAIN), *["rs"] * 6, "rr", "rp", "rs")
    assert [scores for scores, _ in after] == [
        [1, -1],
        [2, -2],
        [4, -3],
        [7, -4],
        [11, -5],
        [16, -6],
        [16, -6],
        [15, -5],
        [16, -6],
    ]
    assert [streaks for _, streaks in after][-4:] == [[6, -6], [6, -6], [-1, 1], [1, -1]]


def test_classic_counts_streaks_but_gives_nothing_for_them() -> None:
    play = Play(short_game(3, {"rounds": 100, "classic": True}))
    after = play_rounds(play, *["rrs"] * 7)
    assert after[-1] == ([7, 7, -7], [7, 7, -7])
    assert play.prompt and set(play.prompt.seats) == {1, 2, 3}, "no second look"
    play.answer({1: "rock", 2: "rock", 3: None})
    assert play.prompt and play.prompt.kind == "draw", "no best throw"


def test_the_second_look_is_for_five_won_or_three_lost() -> None:
    play = Play(short_game(3, {"rounds": 100}))
    play_rounds(play, "rrs", "rrs")
    assert play.prompt and set(play.prompt.seats) == {1, 2, 3}
    play_rounds(play, "rrs")
    assert play.prompt and set(play.prompt.seats) == {1, 2}, "seat 3 has lost three and locks later"
    play.answer({1: "rock", 2: "rock"})
    assert play.events[-1].kind == "second look"
    assert play.events[-1].facts == {"seats": [3], "throws": {"1": "rock", "2": "rock"}}
    assert play.prompt and set(play.prompt.seats) == {3} and play.prompt.is_private
    play.answer({3: "scissors"})
    play_rounds(play, "rrs")
    assert play.prompt and set(play.prompt.seats) == {1, 2, 3} and "phase" not in play.prompt.about
    play.answer({1: "paper", 2: "scissors", 3: None})
    helped = next(event for event in play.events if event.kind == "best throws")
    assert helped.facts["throws"] == {"3": "scissors"}, "ties one and beats one: nothing wins more"


def test_silent_player_with_three_losses_gets_a_random_throw() -> None:
    play = Play(short_game(3, {"rounds": 100}))
    play_rounds(play, *["rrs"] * 3)
    play.answer({1: "rock", 2: "paper"})
    play.answer({3: None})
    assert play.prompt and play.prompt.kind == "draw" and play.prompt.is_secret
    assert play.prompt.seats == {BOX: Choices(("rock", "paper", "scissors"))}
    play.answer({BOX: "scissors"})
    assert play.events[-3].kind == "random throws" and play.events[-3].facts == {"throws": {"3": "scissors"}}


@pytest.mark.parametrize(
    ("thrown", "options", "rock_paper"),
    [
        ((2, 2, 0), ["count"], "paper"),
        ((3, 2, 0), ["count"], "tie"),
        ((4, 2, 0), ["count"], "rock"),
        ((4, 2, 0), ["count", "inverted"], "rock"),
        ((1, 2, 3), [], "paper"),
    ],
)
def test_examples_of_the_rule_page(thrown: tuple[int, int, int], options: list[str], rock_paper: str) -> None:
    throws = [throw for throw, count in zip(("rock", "paper", "scissors"), thrown, strict=True) for _ in range(count)]
    play = Play(short_game(len(throws), dict.fromkeys(options, True)))
    events = play.answer(dict(enumerate(throws, 1)))
    table: Any = events[0].facts["table"]
    assert table["rock-paper"] == rock_paper
    if not options:
        assert event_battles(events[0].facts, 2) == event_battles(events[0].facts, 3) == [1, 3, 1]


@pytest.mark.parametrize(("blitz", "first", "later"), [(False, 5, 7), (True, 3, 5)])
def test_selection_lasts_longer_after_the_first_round(blitz: bool, first: int, later: int) -> None:
    play = Play(short_game(2, {"blitz": blitz}))
    assert play.prompt and play.prompt.seconds == first
    play_rounds(play, "rr")
    assert play.prompt.seconds == later


def test_survivor() -> None:
    play = Play(short_game(3, {"survivor": True, "health": 1, "rounds": 3}))
    events = play.answer({1: "rock", 2: "rock", 3: "scissors"})
    assert events[-1].facts == {"health": {"1": 1, "2": 1, "3": 0}, "out": [3]}
    assert play.prompt and set(play.prompt.seats) == {1, 2}
    events = play.answer({1: "rock", 2: "paper"})
    assert [event.kind for event in events] == ["round", "score", "health", "survivor", "health"]
    assert events[-2].facts == {"seat": 2} and events[-1].facts == {"health": {"1": 1, "2": 1, "3": 1}, "out": []}
    assert set(play.prompt.seats) == {1, 2, 3}


def test_last_player_left_by_the_others_is_the_survivor() -> None:
    play = Play(short_game(3, {"survivor": True, "changes": True}))
    play.answer({})
    play.answer({1: "rock", 2: "rock", 3: "rock"})
    play.answer({2: "reset", 3: "leave"})
    play.answer({})
    assert [event.kind for event in play.events[-2:]] == ["survivor", "health"]
    assert play.events[-1].facts["health"] == {"1": 3, "2": 3}
    play.answer({1: "rock", 2: "rock"})
    play.answer({1: "stay", 2: "stay", 3: "join"})
    play.answer({})
    assert play.prompt and play.prompt.kind == "throw" and set(play.prompt.seats) == {1, 2}, (
        "a player who joins late waits"
    )


def test_health_is_restored_if_nobody_is_left_in() -> None:
    play = Play(short_game(2, {"survivor": True, "changes": True}))
    play.answer({})
    play.answer({1: "rock", 2: "rock"})
    events = (*play.answer({1: "reset", 2: "reset"}), *play.answer({}))
    assert [event.kind for event in events] == ["table", "score", "health"]
    assert events[-1].facts["health"] == {"1": 3, "2": 3}


def test_match_everybody_leaves_has_no_winner() -> None:
    play = Play(short_game(2, {"changes": True}))
    play.answer({})
    play.answer({1: "rock", 2: "paper"})
    play.answer({1: "leave", 2: "leave"})
    assert play.result and play.result.winners == () and play.result.scores == {1: -1, 2: 1}
    assert play.result.details["away"] == [1, 2]


def test_score_of_a_leaver_is_kept() -> None:
    play = Play(short_game(3, {"changes": True}))
    play.answer({})
    play.answer({1: "rock", 2: "paper", 3: "rock"})
    play.answer({2: "leave"})
    play.answer({})
    score = next(event for event in reversed(play.events) if event.kind == "score")
    assert score.facts["scores"] == {"1": -1, "2": 1, "3": -1} and score.facts["away"] == [2]
    assert event_sentences(score, {2: "Ben"}) == ("Score: Seat 1: -1, Ben 1 (left), Seat 3: -1.",)
    play.answer({1: "rock", 3: "rock"})
    play.answer({2: "join"})
    score = next(event for event in reversed(play.events) if event.kind == "score")
    assert score.facts["scores"] == {"1": -1, "2": 0, "3": -1} and "away" not in score.facts, "a new player"


def test_surviving_team_is_announced_and_everybody_restored() -> None:
    play = Play(short_game(4, {"team": True, "survivor": True, "health": 1, "rounds": 2}))
    events = play.answer({1: "rock", 2: "scissors", 3: "rock", 4: "scissors"})
    assert [event.kind for event in events] == ["round", "score", "health", "surviving team", "health"]
    assert events[2].facts["out"] == [2, 4] and events[3].facts == {"seats": [1, 3]}
    assert events[4].facts["health"] == dict.fromkeys("1234", 1)
    assert play.prompt and list(play.prompt.seats) == [1, 2, 3, 4]


def test_single_team_has_no_battles() -> None:
    play = Play(short_game(3, {"team": True, "teams": "choose", "rounds": 1}))
    assert play.prompt and play.prompt.seats == dict.fromkeys((1, 2, 3), Choices((1, 2)))
    play.answer({1: 1, 2: 1, 3: 1})
    events = play.answer({1: "rock", 2: "paper", 3: "scissors"})
    assert events[0].facts["outcomes"] == {"1": "tie", "2": "tie", "3": "tie"}
    assert play.result and play.result.winners == (1, 2, 3)


WRONG_WORDS: list[Any] = ["lizard", 1, True, "Rock", 1.0, float("nan"), [], "x" * 1_000_000]


@pytest.mark.parametrize("word", WRONG_WORDS, ids=lambda word: repr(word)[:12])
def test_illegal_answers_are_refused(word: Any) -> None:
    play = Play(short_game(2, {"blitz": "wish", "changes": True, "team": True, "teams": "choose"}))
    right: list[Answers] = [
        {1: 1, 2: 2},
        {1: "stay", 2: "stay"},
        {BOX: 1},
        {2: "don't care"},
        {BOX: "off"},
        {1: "rock", 2: None},
        {BOX: "paper"},
        {1: "wish", 2: "stay"},
    ]
    for answers in right:
        assert play.prompt
        before, seat = play.state(), max(play.prompt.seats)
        takes_numbers = play.prompt.kind == "team" or isinstance(play.prompt.seats[seat], IntRange)
        if not (word == 1 and takes_numbers):
            with pytest.raises(IllegalAnswerError):
                play.answer({**answers, seat: word})
        with pytest.raises(IllegalAnswerError):
            play.answer({**answers, 3: "rock"})
        assert play.state() == before
        play.answer(answers)
    assert play.prompt and play.prompt.kind == "wish" and set(play.prompt.seats) == {1}


def test_options_are_read_as_yes_no_or_wish() -> None:
    options = {option.name: option for option in BATTLE.options}
    for name in NAMES:
        assert [options[name].parse(text) for text in ("yes", "on", "no", "off", "wish")] == [
            True,
            True,
            False,
            False,
            "wish",
        ]
    with pytest.raises(IllegalSetupError, match="option count can’t be 'maybe': no or yes or wish"):
        options["count"].parse("maybe")


def test_large_rounds_do_not_loop_over_pairs() -> None:
    """20,000 players are 200 million pairs: looping over them would take hours."""
    number = 20_000
    play = Play(short_game(number, {"count": True, "rounds": 1}))
    throws = {seat: ("rock", "paper", "paper", "scissors")[seat % 4] for seat in range(1, number + 1)}
    events = play.answer(throws)
    assert events[0].facts["counts"] == {"rock": 5000, "paper": 10000, "scissors": 5000}
    assert events[0].facts["table"] == {"rock-paper": "paper", "paper-scissors": "paper", "scissors-rock": "rock"}
    assert event_battles(events[0].facts, 1) == [10000, 0, 9999]
    assert event_battles(events[0].facts, 4) == [5000, 10000, 4999]
    assert play.result and len(play.result.winners) == 10000


def sentences_of(play: Play, kind: str) -> tuple[str, ...]:
    """Return the last event of this kind in sentences."""
    event_facts = [event for event in play.events if event.kind == kind][-1]
    return event_sentences(event_facts, {1: "Ada", 2: "Ben", 3: "Cem", 4: "Dana"})


def test_events_in_sentences() -> None:
    options: dict[str, Value] = {
        "count": True, "blitz": "wish", "survivor": True, "team": True, "health": 1, "changes": True,
    }  # fmt: skip
    play = Play(short_game(4, options))
    assert sentences_of(play, "teams") == ("Teams: Ada and Cem against Ben and Dana.",)
    play.answer({})
    play.answer({BOX: 2})
    play.answer({3: "on"})
    assert sentences_of(play, "options") == ("Cem decides for round 1: Blitz, Count, Team, Survivor.",)
    play.answer({1: "rock", 2: "rock", 3: "paper", 4: None})
    play.answer({BOX: "rock"})
    assert sentences_of(play, "random throws") == ("Drawn at random: Dana rock.",)
    assert sentences_of(play, "round") == (
        "Round 1: 3 × rock, 1 × paper.",
        "Rock beats paper.",
        "Ben and Dana win.",
        "Cem loses.",
        "Ada ties.",
    )
    assert sentences_of(play, "health") == ("Health: Ada 1, Ben 1, Cem 0, Dana 1.", "Cem is out.")
    play.answer({1: "reset", 4: "leave"})
    play.answer({})
    assert sentences_of(play, "table") == ("Dana leaves.", "Ada starts over.")
    play.answer({BOX: 0})
    play.answer({1: "on"})
    assert sentences_of(play, "survivor") == ("Ben is the survivor: everyone’s health is restored.",)


def test_bonuses_in_sentences_and_crowds_as_numbers() -> None:
    play = Play(short_game(10, {"rounds": 6}))
    for _ in range(3):
        play.answer(dict.fromkeys(range(1, 10), "rock") | {10: "scissors"})
    assert sentences_of(play, "round")[1:] == ("9 players win.", "Seat 10 loses.")
    for _ in range(2):
        play.answer(dict.fromkeys(range(1, 10), "rock"))
        play.answer({10: "scissors"})
    assert sentences_of(play, "second look")[0].startswith("Seat 10 may look first: Ada rock, Ben rock, ")
    play.answer(dict.fromkeys(range(1, 10), "rock") | {10: None})
    assert sentences_of(play, "best throws") == ("Best throw, made by the box: Seat 10 paper.",)


def test_best_throws_are_chosen_independently() -> None:
    play = Play(short_game(4, {"rounds": 6}))
    play_rounds(play, *["rrss"] * 5)
    play.answer({1: "paper", 2: "scissors", 3: None, 4: None})
    helped = next(event for event in play.events if event.kind == "best throws")
    assert helped.facts["throws"] == {"3": "scissors", "4": "scissors"}, "each against what was locked"


def test_by_default_a_match_goes_on_until_people_stop() -> None:
    play = Play(BATTLE.set_up(2))
    play.answer({})
    play.answer({BOX: 0})
    for _ in range(4):
        play.answer({1: "off"})
    for number in range(1, 51):
        assert play.prompt and play.prompt.about["round"] == number
        play.answer({1: "rock", 2: "rock"})
        assert play.prompt and play.prompt.is_optional
        play.answer({})
        play.answer({BOX: 0})
    assert play.result is None
    play.answer({1: "rock", 2: "paper"})
    play.answer({1: "stop"})
    assert play.result and play.result.winners == (2,)


def test_match_stopped_before_its_first_round_has_no_winner() -> None:
    play = Play(BATTLE.set_up(2))
    play.answer({2: "stop"})
    assert play.result and play.result.winners == () and play.result.scores == {1: 0, 2: 0}


def test_endless_match_without_changes_can_only_be_stopped() -> None:
    play = Play(short_game(2, {"rounds": 0}))
    assert play.prompt and play.prompt.seats == dict.fromkeys((1, 2), Choices(("stay", "stop")))
    assert Play(short_game(2, {"rounds": 1})).prompt != play.prompt, "a short one asks nothing between its rounds"


def test_when_players_are_asked_for_wishes() -> None:
    play = Play(short_game(2, {"count": "wish", "changes": True}))
    play.answer({})
    play.answer({BOX: 1})
    assert play.prompt and play.prompt.kind == "wish" and set(play.prompt.seats) == {2}
    play.answer({2: "on"})
    assert play.events[-1].facts == {"round": 1, "on": ["count"], "decides": 2}
    play.answer({1: "rock", 2: "rock"})
    play.answer({})
    play.answer({BOX: 1})
    assert play.prompt and play.prompt.kind == "throw", "the wishes of a player stay"
    play.answer({1: "rock", 2: "rock"})
    play.answer({2: "wish"})
    play.answer({2: "off"})
    play.answer({})
    play.answer({BOX: 1})
    assert play.events[-1].facts == {"round": 3, "on": [], "decides": 2}


def test_wishes_leave_with_their_player() -> None:
    play = Play(short_game(3, {"count": "wish", "changes": True}))
    play.answer({3: "wish"})
    play.answer({3: "on"})
    play.answer({3: "leave"})
    play.answer({3: "join"})
    play.answer({})
    play.answer({BOX: 2})
    assert play.prompt and play.prompt.kind == "wish" and set(play.prompt.seats) == {3}


def test_free_seats_are_taken_by_players_who_come_later() -> None:
    play = Play(short_game(4, {"free": 2, "changes": True}))
    assert play.events[0].facts["free"] == [3, 4]
    assert event_sentences(play.events[0], {1: "Ada"}) == ("Score: Ada 0, Seat 2: 0.",)
    play.answer({})
    play.answer({1: "rock", 2: "paper"})
    assert play.prompt and play.prompt.seats[4] == Choices(("wait", "join"))
    events = play.answer({4: "join"})
    assert events[-1].facts["free"] == [3] and events[-1].facts["scores"] == {"1": -1, "2": 1, "3": 0, "4": 0}
    play.answer({})
    assert play.prompt and set(play.prompt.seats) == {1, 2, 4}


@pytest.mark.parametrize(
    ("seats", "free", "playing"), [(2, 6, {1, 2}), (3, 1, {1, 2}), (8, 6, {1, 2}), (8, 0, set(range(1, 9)))]
)
def test_at_least_two_play_however_many_seats_are_free(seats: int, free: int, playing: set[int]) -> None:
    play = Play(short_game(seats, {"free": free}))
    assert play.prompt and set(play.prompt.seats) == playing
