"""Whole matches with everything real but the eyes: each event is on the disk before it is shown, and a match cut off at
any event goes on as if it had not been."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.simulated.table.animation import Performance
from device.system.clock import SimulatedClock
from rules.catalogue import find_game
from rules.engine import (
    Answers,
    Choices,
    Game,
    GameEvent,
    GameState,
    IllegalAnswerError,
    IntRange,
    Prompt,
    SealedPrompt,
    Seat,
    TimeLimit,
    Value,
    replay,
)
from rules.record.round import FoulRule
from rules.throws import Outcome
from tests.helpers.journal_events import ANSWERS, json_body, round_body
from tests.helpers.table_matches import (
    FIXED_BATTLE,
    GAMES,
    NAMES,
    KillableJournal,
    Killed,
    PerfectJudge,
    WatchingDisplay,
    history,
    make_match,
    match_config,
    play,
    scores,
)
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, Body, Corrected, DisputeRejected
from throwlock.journal.journal import Journal, JournalError, JournalReader, match_started
from throwlock.match.match import Match
from throwlock.match.reveal import MAX_PAGE_LETTERS, MatchOutput, Pace, split_sentences
from throwlock.match_runner import resume_or_begin
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig
from throwlock.review.verify import verify
from throwlock.tables.answers import TerminalAnswers
from throwlock.tables.presence import MAX_EMPTY_ROUNDS, MAX_UNSEEN_ROUNDS, NobodyThereError
from throwlock.tables.source import AnswerSource, RoundSource
from ui.screen.core.display import NullDisplay
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.reveal import Reveal
from ui.text.verdicts import ALL_ON_TIME, ROUND_REPLAYED, event_sentences


@given(st.lists(st.text(min_size=1, max_size=200)))
def test_long_messages_go_to_as_many_pages_as_they_need(lines: list[str]) -> None:
    pages = split_sentences(lines)
    assert [line for page in pages for line in page] == lines
    assert all(pages) or pages == [[]]
    for page, after in pairwise(pages):
        assert sum(map(len, page)) <= MAX_PAGE_LETTERS or len(page) == 1
        assert sum(map(len, (*page, after[0]))) > MAX_PAGE_LETTERS


def test_what_needs_no_reading_is_shown_for_less_time(tmp_path: Path) -> None:
    display, pace = play(tmp_path / "one.journal", match_config(GAMES["classic"])), Pace()
    reveals = [view for view in display.shown if isinstance(view, Reveal)]
    ties = [view for view in reveals if all(seat.outcome is Outcome.TIED for seat in view.seats)]
    assert ties and {view.seconds_left for view in ties} == {pace.short_reveal_s}
    assert {view.seconds_left for view in reveals if view not in ties} == {pace.reveal_s}
    messages = [view for view in display.shown if isinstance(view, GameMessage)]
    assert {view.seconds_left for view in messages if view.already_revealed} == {pace.scores_s}


@pytest.mark.parametrize("name", GAMES)
def test_every_event_is_on_disk_before_it_is_shown(tmp_path: Path, name: str) -> None:
    path = tmp_path / "one.journal"
    display = play(path, match_config(GAMES[name]))
    events = history(path)
    assert [kind for kind, _ in events[:1] + events[-1:]] == ["match_started", "match_ended"]
    assert any(kind == "round_voided" for kind, _ in events), "the cheat was caught"
    assert sum(isinstance(view, Reveal) for view in display.shown) == sum("judgement" in body for _, body in events)
    assert any(isinstance(view, GameMessage) for view in display.shown)
    for one, after in pairwise(display.shown):
        if isinstance(one, Reveal) and isinstance(after, GameMessage):
            assert one.sentence not in after.sentences, "shown twice"
            assert after.sentences or after.already_revealed
    with JournalReader(path) as journal:
        assert verify(journal).problems == ()
        thrown = [event.number for event in journal.events() if event.round]
        assert {one.name for one in journal.evidence(thrown[0])} >= {"lock.jpg", "timeline.svg", "seat-1.jpg"}


@pytest.mark.parametrize("name", ["classic", "classic for four", "redeux, asked"])
def test_match_interrupted_at_any_event_resumes_identically(tmp_path: Path, name: str) -> None:
    config = match_config(GAMES[name])
    play(tmp_path / "whole.journal", config)
    whole = history(tmp_path / "whole.journal")
    answers = [body["answers"] for kind, body in whole if kind in ANSWERS]
    for last in range(1, len(whole)):
        path = tmp_path / f"{last}.journal"
        with KillableJournal(path) as journal:
            if last == 1:  # killed between the match's first event and its first question
                journal.start_match(config.start_event(), config.names)
            else:
                journal.kill_at = last
                with pytest.raises(Killed):
                    make_match(journal, config)[0].play()
        assert history(path) == whole[:last]
        with Journal(path) as journal:
            match, display = make_match(journal, config)
            there = replay(
                config.game, [{int(s): v for s, v in a.items()} for a in answers[: count_throws(whole[:last])]]
            )
            view = match.ongoing.view
            assert GameState(view.events, view.prompt, view.result) == there, "the same question"
            assert {player.seat: player.score or 0 for player in match.players()} == scores(there.events, config)
            assert (last == 1) == (not display.lines) or "goes on" in display.lines[0] or not any_throw(whole[:last])
            match.play()
        assert history(path) == whole


def count_throws(events: Sequence[tuple[str, Any]]) -> int:
    return sum(kind in ANSWERS for kind, _ in events)


def any_throw(events: Sequence[tuple[str, Any]]) -> bool:
    return any("judgement" in body for _, body in events)


def test_match_killed_repeatedly_ends_the_same(tmp_path: Path) -> None:
    config = match_config(GAMES["redeux"])
    play(tmp_path / "whole.journal", config)
    path = tmp_path / "again.journal"
    last = 1
    while True:
        last += 3
        try:
            play(path, config, last)
        except Killed:
            continue
        break
    assert history(path) == history(tmp_path / "whole.journal")


def test_match_killed_after_the_last_answer_ends_once(tmp_path: Path) -> None:
    config = match_config(GAMES["classic"])
    play(tmp_path / "whole.journal", config)
    whole = history(tmp_path / "whole.journal")
    with pytest.raises(Killed):
        play(tmp_path / "one.journal", config, len(whole) - 1)
    with Journal(tmp_path / "one.journal") as journal:
        match, display = make_match(journal, config)
        match.play()
        assert journal.unfinished_match() is None
    assert display.lines[-2].endswith("has won with 3 points.")
    assert not any(isinstance(view, Reveal) for view in display.shown)
    assert history(tmp_path / "one.journal") == whole


# -------- fouls and the house


def fouls(events: Sequence[tuple[str, Any]]) -> Counter[int]:
    return Counter(seat for _, body in events for seat in body.get("fouls", []))


@pytest.mark.parametrize("rule", list(FoulRule))
def test_foul_rule(tmp_path: Path, rule: FoulRule) -> None:
    path = tmp_path / "one.journal"
    config = match_config(GAMES["redeux"], seed=11, house=HouseRules(on_foul=rule))
    with Journal(path) as journal:
        match, _ = make_match(journal, config)
        match.play()
        assert match.ongoing.view.fouls == dict(fouls([(event.kind, json_body(event)) for event in journal.events()]))
    events = history(path)
    assert events[0][1]["house_rules"]["on_foul"] == rule
    blamed = [(kind, body) for kind, body in events if body.get("fouls")]
    assert blamed
    for kind, body in blamed:
        at_lock = {seat: one["at_lock"] for seat, one in body["judgement"]["seats"].items()}
        if rule is FoulRule.REPLAY:
            assert kind == "round_voided"
            assert body["text"].endswith(str(ROUND_REPLAYED))
        elif kind in ANSWERS:
            forfeited = {str(seat) for seat in body["fouls"]} if rule is FoulRule.FORFEIT else set()
            assert body["answers"] == {seat: None if seat in forfeited else one for seat, one in at_lock.items()}
        else:
            given = (
                set() if rule is FoulRule.FORFEIT and len(body["fouls"]) == 2 else set(filter(None, at_lock.values()))
            )
            assert not given, "only a round in which nobody shows a throw is thrown again"
    if rule is not FoulRule.REPLAY:
        assert any(kind in ANSWERS for kind, _ in blamed)


def empty_table(table: PerfectJudge, hidden_seats: Sequence[Seat] = (1, 2)) -> None:
    perform = table.perform

    def hidden(seat: Seat, performance: Performance) -> None:
        throw, cue_ns, beat_ns = performance.throw, performance.cue_ns, performance.beat_ns
        perform(seat, Performance(throw, cue_ns, beat_ns=beat_ns, hidden=seat in hidden_seats))

    table.perform = hidden


@pytest.mark.parametrize(("game", "options"), [("classic", {}), ("battle", FIXED_BATTLE)])
def test_empty_table_stops_the_match_and_it_can_be_resumed(
    tmp_path: Path, game: str, options: dict[str, Value]
) -> None:
    path = tmp_path / "one.journal"
    config = match_config(find_game(game).set_up(2, options))
    with pytest.raises(NobodyThereError, match="start again with the same journal"):
        play(path, config, plans=empty_table)
    events = history(path)
    assert [kind for kind, _ in events] == ["match_started"] + ["round_voided"] * MAX_EMPTY_ROUNDS
    for _, body in events[1:]:
        assert body["fouls"] == [], "nobody is there to foul"
        assert body["text"] == f"Nobody threw. {ROUND_REPLAYED}"
    with JournalReader(path) as journal:
        assert verify(journal).problems == ()
    display = play(path, config)
    assert history(path)[: len(events)] == events
    assert history(path)[-1][0] == "match_ended"
    assert not any(isinstance(view, Notice) for view in display.shown)


def test_a_hand_that_is_always_missing_stops_the_match_later(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with pytest.raises(NobodyThereError):
        play(path, match_config(GAMES["classic"]), plans=lambda table: empty_table(table, (2,)))
    events = history(path)
    assert [kind for kind, _ in events[1:]] == ["round_voided"] * MAX_UNSEEN_ROUNDS
    assert all(body["fouls"] == [2] for _, body in events[1:])


def test_people_may_continue_after_an_empty_table(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with pytest.raises(Killed):
        play(
            path,
            match_config(GAMES["classic"]),
            3 * MAX_EMPTY_ROUNDS,
            plans=empty_table,
            display=WatchingDisplay(path, "go on"),
        )
    assert len(history(path)) == 3 * MAX_EMPTY_ROUNDS


# -------- which match


def test_other_game_does_not_resume_a_match(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with pytest.raises(Killed):
        play(path, match_config(GAMES["classic"]), 3)
    before = history(path)
    for other in ("redeux", "classic for four"):
        with pytest.raises(JournalError, match=r"unfinished match of classic for 2.*--new"):
            play(path, match_config(GAMES[other]))
    with pytest.raises(JournalError, match="unfinished match"):
        play(path, match_config(find_game("classic").set_up(2)))
    assert history(path) == before


def test_new_gives_up_the_unfinished_match(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with pytest.raises(Killed):
        play(path, match_config(GAMES["classic"]), 3)
    play(path, match_config(GAMES["classic for four"]), new=True)
    with JournalReader(path) as journal:
        first, second = journal.matches()
        assert [event.kind for event in journal.events(first)][-1] == "match_abandoned"
        assert match_started(journal.events(second)).seats == 4
        assert verify(journal).problems == ()


def test_a_match_that_ended_is_followed_by_another(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    for _ in range(2):
        play(path, match_config(GAMES["classic"]))
    with JournalReader(path) as journal:
        one, two = ([(event.kind, json_body(event)) for event in journal.events(match)] for match in journal.matches())
        assert one == two, "the same seed plays the same match"
        report = verify(journal)
        assert (report.matches, report.events, report.problems) == (2, len(one) * 2, ())


def test_match_of_another_rules_version_is_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    config = match_config(GAMES["classic"])
    with Journal(path) as journal:
        journal.start_match(config.start_event().model_copy(update={"rules_version": 99}), config.names)
        with pytest.raises(JournalError, match="version 99 of the rules of classic"):
            make_match(journal, config)
        assert len(journal.events()) == 1


def test_illegal_answers_in_the_journal_are_reported(tmp_path: Path) -> None:
    with Journal(tmp_path / "one.journal") as journal:
        match = journal.start_match(match_config(GAMES["classic"]).start_event(), NAMES[:2])
        journal.append(match, Answered(prompt="throw", answers={1: "well", 2: "rock"}))
        with pytest.raises(JournalError, match="match 1 can’t be resumed"):
            make_match(journal, match_config(GAMES["classic"]))


CORRECTED = Corrected(
    round=2, seat=2, previous="rock", to="rock", answers={1: "rock", 2: "rock"}, dropped=(), text="Corrected."
)
MADE_VOID = CORRECTED.model_copy(update={"seat": None, "answers": None})


@pytest.mark.parametrize(
    ("counts", "dispute", "reason"),
    [
        (False, None, "Seen."),
        (False, DisputeRejected(round=2, text="It stands."), "Seen."),
        (False, CORRECTED, None),
        (True, None, None),
        (True, MADE_VOID, "Corrected."),
    ],
)
def test_resumed_match_shows_why_a_round_is_replayed(
    tmp_path: Path, counts: bool, dispute: Body | None, reason: str | None
) -> None:
    config = match_config(GAMES["classic"])
    with KillableJournal(tmp_path / "one.journal") as journal:
        number = journal.start_match(config.start_event(), config.names)
        journal.append(number, round_body(answers={1: "rock", 2: "rock"} if counts else None))
        if dispute:
            journal.append(number, dispute)
        journal.kill_at = 1
        match, display = make_match(journal, config)
        with pytest.raises(Killed):
            match.play()
    assert [view.rethrow_reason for view in display.shown if isinstance(view, Countdown)] == [reason] * 5
    assert display.lines[0] == "The match resumes after 1 throw. No points yet."


def test_players_have_foul_counts_once_throws_are_judged(tmp_path: Path) -> None:
    with Journal(tmp_path / "asked.journal") as journal:
        match, _ = make_match(journal, match_config(find_game("redeux").set_up(2, {"play_with": "cards"})))
        assert [player.fouls for player in match.players()] == [None, None], "a card is to be laid"
    config = match_config(GAMES["classic"])
    with KillableJournal(tmp_path / "judged.journal") as journal:
        match, _ = make_match(journal, config)
        assert [player.fouls for player in match.players()] == [0, 0]
        journal.kill_at = 3
        with pytest.raises(Killed):
            match.play()
    with Journal(tmp_path / "judged.journal") as journal:
        assert any(event.round and event.round.fouls for event in journal.events())
        match = make_match_without_camera(journal, config, DifferentAnswers())
        assert [player.fouls for player in match.players()] == [0, 1], "those judged while there was a camera"


# -------- people without a camera: random draws, and answers the game refuses


class DifferentAnswers(AnswerSource):
    """Gives each seat another answer, and lets the time for a throw run out."""

    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        """See AnswerSource."""
        return {
            seat: options.start if isinstance(options, IntRange)
            else None if prompt.kind == "throw" and prompt.seconds
            else options.values[seat % len(options.values)]
            for seat, options in prompt.seats.items()
        }  # fmt: skip


@dataclass
class FixedAnswers(AnswerSource):
    """Gives the same answers to every prompt."""

    answers: Answers

    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        """See AnswerSource."""
        return self.answers


def make_match_without_camera(journal: Journal, config: MatchConfig, answer_source: AnswerSource) -> Match:
    number = resume_or_begin(journal, config)
    return Match(
        journal, number, RoundSource(answer_source), MatchOutput(NullDisplay(), SimulatedClock(), lambda line: None)
    )


def test_all_players_are_told_their_hands_at_the_same_time(tmp_path: Path) -> None:
    told: list[list[int | None]] = []

    class Told(DifferentAnswers):
        """Notes who is told something together. Seat 1 wins the first throw."""

        def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
            if prompt.kind == "throw":
                return {seat: "rock" if seat == 1 else "scissors" for seat in prompt.seats}
            return super().answer(prompt, players, key)

        def tell(self, events: Sequence[GameEvent], players: Sequence[Player]) -> None:
            told.append([event.only for event in events])

    with KillableJournal(tmp_path / "one.journal") as journal:
        match = make_match_without_camera(journal, match_config(find_game("future").set_up(3)), Told())
        journal.kill_at = 40
        with suppress(Killed):
            match.play()
    assert told and all(seats == [1, 2, 3] for seats in told)


def box_draws(path: Path, game: Game, camera: str, seed: int = 3) -> list[Any]:
    """Play the first events of a match whose system's random bytes are all zero; return what the box drew."""
    config = MatchConfig(game, NAMES[: game.setup.seats], HouseRules(), seed, camera)
    with KillableJournal(path) as journal, pytest.MonkeyPatch.context() as patch:
        match = make_match_without_camera(journal, config, DifferentAnswers())
        patch.setattr("random._urandom", bytes)
        journal.kill_at = 80
        with suppress(Killed):
            match.play()
    return [body["answers"]["0"] for kind, body in history(path) if kind in ANSWERS and "0" in body["answers"]]


@pytest.mark.parametrize(
    ("name", "options", "lowest"),
    [("redeux", {"play_with": "cards", "risk": "always"}, 0), ("future", {}, 0), ("battle", FIXED_BATTLE, "rock")],
)
def test_draws_for_people_are_the_systems_and_not_the_seeds(
    tmp_path: Path, name: str, options: dict[str, Any], lowest: object
) -> None:
    """From a match's seed every card and throw drawn with it could be predicted."""
    game = find_game(name).set_up(2, options)
    for number, camera in enumerate(("none", "picamera", "usb:0")):
        draws = box_draws(tmp_path / f"{number}.journal", game, camera)
        assert len(draws) > 5 and set(draws) == {lowest}
    simulated = box_draws(tmp_path / "simulated.journal", game, "simulated")
    assert len(simulated) > 5 and set(simulated) != {lowest}
    assert box_draws(tmp_path / "again.journal", game, "simulated") == simulated
    assert box_draws(tmp_path / "other.journal", game, "simulated", seed=4) != simulated


def test_private_events_are_neither_shown_nor_announced(tmp_path: Path) -> None:
    game = find_game("redeux").set_up(2, {"play_with": "cards", "goal": 20, "risk": "always"})
    with Journal(tmp_path / "one.journal") as journal:
        match, display = make_match(journal, match_config(game))
        match.play()
        events = journal.events()
    private = [
        event for event in replay(game, list(effective_answers(events).values())).events if event.only is not None
    ]
    assert private, "cards are drawn"
    messages = [view for view in display.shown if isinstance(view, GameMessage)]
    assert not any(view.event.only is not None for view in messages)
    sentences = {line for event in private for line in event_sentences(event, dict(enumerate(NAMES, 1)))}
    assert sentences and sentences.isdisjoint(display.lines)
    assert all(sentences.isdisjoint(view.sentences) for view in messages)
    reveals = [view.sentence for view in display.shown if isinstance(view, Reveal)]
    assert sentences.isdisjoint(reveals)
    assert ALL_ON_TIME not in reveals, "everybody sees the game's verdict on the throws"
    for event in events:
        if event.kind in ANSWERS:
            body = json_body(event)
            assert body.get("secret", False) == (body["prompt"] in ("place", "draw"))


@pytest.mark.parametrize("refused", [{1: "well", 2: "rock"}, {1: "rock"}, {1: "rock", 2: "rock", 3: "rock"}])
def test_an_answer_that_the_game_refuses_is_not_journaled(tmp_path: Path, refused: Answers) -> None:
    path, config = tmp_path / "one.journal", match_config(GAMES["classic"])
    with Journal(path) as journal:
        match = make_match_without_camera(journal, config, FixedAnswers(refused))
        with pytest.raises(IllegalAnswerError):
            match.play()
    assert [kind for kind, _ in history(path)] == ["match_started"]
    play(path, config)
    assert history(path)[-1][0] == "match_ended", "the match can be resumed"


# -------- people at a terminal

BET = SealedPrompt("bet", {1: IntRange(0, 20, 5)}, time_limit=TimeLimit(20, default=0))
RISK = Prompt("risk", {1: Choices(("yes", "no"))})


@pytest.mark.parametrize(
    ("ask", "typed", "answer"),
    [
        (BET, ["10"], 10),
        (BET, ["25", "-5", "7", "--5", "ten", "9" * 5000, "²", " 20 "], 20),
        (BET, [""], None),
        (RISK, ["", "maybe", "1", "yes"], "yes"),
    ],
)
def test_terminal_asks_until_the_answer_is_legal(ask: Prompt, typed: list[str], answer: object) -> None:
    lines, said = iter(typed), list[str]()
    players = TerminalAnswers(lambda prompt: next(lines), said.append)
    assert players.answer(ask, (Player(1, "Ada", 20),), 0) == {1: answer}
    assert len(said) == len(typed) - 1
    assert next(lines, None) is None
