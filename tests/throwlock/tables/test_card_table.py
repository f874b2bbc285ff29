"""The table for cards: it waits for everybody's card, watches, counts and reads; what it says; and a whole match."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from device.camera.base import Camera, CameraError
from device.camera.frames import Frame, Pixels
from device.system.clock import SimulatedClock
from rules.catalogue import find_game
from rules.deck import cards_of_each
from rules.engine import Answers, Choices, Game, Json, Play, Prompt, Seat, ThrowPrompt
from rules.events import Pairs
from rules.markers import PRINTED_MARKERS, PrintedMarker
from rules.record.judgement import STRIP_OFFSETS_MS, Verdict
from rules.record.match import REFEREE
from rules.redeux.events import HandsTaken, MatchPiles
from rules.throws import THROW_CHOICES
from tests.helpers.journal_events import json_body
from tests.helpers.random_games import random_answers
from tests.helpers.scripted_cards import (
    BACK,
    CARDS,
    MS,
    PAPER,
    ROCK,
    SIZE,
    CardScript,
    PlacedCard,
    ScriptedCardFrame,
    frame_number,
)
from tests.helpers.table_parts import throw
from throwlock.cli.main import run_command
from throwlock.house_rules import HouseRules, ThrowWith
from throwlock.journal.journal import Journal, JournalReader
from throwlock.match.dispute import dispute_view
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.match_runner import resume_or_begin
from throwlock.replay.config import MatchConfig
from throwlock.replay.corrections import disputed_round
from throwlock.replay.project import project
from throwlock.review.verify import verify
from throwlock.tables.card_count import CardCount, CardPile, count_cards
from throwlock.tables.cards import CardTable, uses_cards
from throwlock.tables.round_frames import frames_from_journal
from throwlock.tables.source import AnswerSource, RoundRequest, RoundSource, ThrowListener
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage, LiveAnswers
from ui.screen.pages.message import GameMessage
from ui.screen.pages.reveal import Reveal
from ui.screen.views import Dialogue, View
from ui.text.verdicts import ROUND_REPLAYED
from vision.cards import observations
from vision.cards.reader import Card
from vision.zones import default_zones

ROCKS, PAPERS = CARDS[:24], CARDS[24:48]
PLAYERS = (Player(1, "Ada"), Player(2, "Ben"))
REDEUX = find_game("redeux").set_up(2, {"play_with": "cards", "cards": "table"})
THROW = ThrowPrompt(dict.fromkeys((1, 2), THROW_CHOICES))
PLACE = Prompt("place", dict.fromkeys((1, 2), Choices(("down",))))


class CardTableDisplay:
    """Keeps what was shown."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def show(self, view: View) -> None:
        self.views.append(view)

    def ask(self, view: object) -> None:
        assert isinstance(view, Reveal | GameMessage), f"nobody was to be asked {view}"


class PowerCutError(Exception):
    """The box is off."""


class NoAnswers(AnswerSource):
    """Nobody answers anything but the camera."""

    def answer(self, ask: Prompt, players: Sequence[Player], key: int) -> Answers:
        raise AssertionError(f"{ask.kind} was asked")


class ScriptedPeople(Camera, ThrowListener):
    """A camera over people who lay ``cards`` when asked to and turn them over ``after_ms`` after the call; between
    ``lifts`` (in ms before the call) the second lies elsewhere, and what is ``covered`` is never read face up."""

    def __init__(
        self,
        clock: SimulatedClock,
        cards: dict[Seat, PrintedMarker],
        after_ms: dict[Seat, int],
        lifts: tuple[int, int] = (0, 0),
        covered: Sequence[Seat] = (),
    ) -> None:
        self.size, self.fps = SIZE, 30.0
        self.clock, self.cards, self.after_ms, self.lifts, self.covered = clock, cards, after_ms, lifts, covered
        self.laid_ns = self.cue_ns = 1 << 62
        self.asked: list[tuple[Seat, ...]] = []
        self.hands: list[tuple[PrintedMarker, PrintedMarker]] = []
        self.cut_off_after: int | None = None
        self.read: list[ScriptedCardFrame] = []

    def on_cards_wanted(self, request: RoundRequest, seats: Sequence[Seat], count: CardCount, now_ns: int) -> None:
        if self.cut_off_after is not None and len(self.asked) == self.cut_off_after:
            raise PowerCutError
        self.asked.append(tuple(seats))
        if self.hands:
            self.cards = dict(enumerate(self.hands.pop(0), 1))
        self.laid_ns, self.cue_ns = now_ns + 500 * MS, 1 << 62

    def on_count(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int, throw_number: int) -> None:
        self.cue_ns = cue_ns

    def cards_at(self, seat: Seat, when_ns: int) -> Sequence[PlacedCard]:
        if when_ns < self.laid_ns:
            return ()
        after_ms = (when_ns - self.cue_ns) // MS
        if after_ms >= self.after_ms[seat]:
            return () if seat in self.covered else (PlacedCard(self.cards[seat]),)
        elsewhere = seat == 2 and -self.lifts[0] <= after_ms < -self.lifts[1]
        return (PlacedCard(BACK, x_mm=12.0 if elsewhere else 0.0),)

    def _script(self, seat: Seat, when_ns: int) -> CardScript:
        there = self.cards_at(seat, when_ns)
        return lambda after_ms: there

    @property
    def dropped(self) -> int:
        return 0

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def latest(self) -> Frame:
        return self.frames_between(self.clock.now_ns() - 40 * MS, self.clock.now_ns())[-1]

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        since, until = max(since_ns, self.clock.now_ns() - 6_000 * MS), min(until_ns, self.clock.now_ns())
        frames = []
        for number in range(-(-since * 30 // 10**9), until * 30 // 10**9 + 1):
            when = round(number * 1e9 / 30)
            frames.append(
                ScriptedCardFrame(number, when, 0, SIZE, scripts=(self._script(1, when), self._script(2, when)))
            )
        self.read += frames
        return frames


def table(
    monkeypatch: pytest.MonkeyPatch,
    lifts: tuple[int, int] = (0, 0),
    covered: Sequence[Seat] = (),
    game: Game = REDEUX,
    house: HouseRules | None = None,
    after_ms: int = 200,
) -> tuple[CardTable, ScriptedPeople, CardTableDisplay]:
    clock = SimulatedClock()
    clock.wait_until(20_000 * MS)
    people = ScriptedPeople(clock, {1: ROCK, 2: PAPER}, {1: 50, 2: after_ms}, lifts, covered)
    display = CardTableDisplay()

    def read(picture: Pixels) -> list[Card]:
        number = frame_number(picture)
        return next(frame for frame in reversed(people.read) if frame.number == number).cards

    monkeypatch.setattr(observations, "read_cards", read)
    made = CardTable(
        camera=people, zones=default_zones(2), display=display, clock=clock, house_rules=house or HouseRules(),
        listener=people, game=game,
    )  # fmt: skip
    return made, people, display


def lay(table: CardTable) -> object:
    """Have everybody lay a card, and return the answers."""
    return table.play(RoundRequest(PLACE, PLAYERS)).answers


def test_the_count_begins_when_everybodys_card_lies_still(monkeypatch: pytest.MonkeyPatch) -> None:
    made, people, display = table(monkeypatch)
    assert lay(made) == {1: "down", 2: "down"}
    assert made.clock.now_ns() - people.laid_ns >= 500 * MS
    gather = display.views[0]
    assert isinstance(gather, GroupQuestion) and gather.poll_answers is not None
    assert not any(isinstance(view, Countdown) for view in display.views)
    thrown = throw(made, THROW, PLAYERS)
    assert thrown.answers == {1: "rock", 2: "paper"} and thrown.fouls == () and people.asked == [(1, 2)]
    seats = thrown.record.seats
    assert (seats[1].card, seats[2].card) == (ROCK.marker, PAPER.marker)
    assert {piece.name for piece in thrown.evidence} >= {"lock.jpg", "seat-1.jpg", "strip-2.jpg", "timeline.svg"}
    assert seats[2].shown_ms - seats[1].shown_ms == pytest.approx(150, abs=34)


def test_throw_waits_for_cards_that_were_not_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    made, people, _ = table(
        monkeypatch, game=find_game("classic").set_up(2), house=HouseRules(throw_with=ThrowWith.CARDS)
    )
    assert throw(made, THROW, PLAYERS).answers == {1: "rock", 2: "paper"}
    assert throw(made, THROW, PLAYERS).answers == {1: "rock", 2: "paper"}
    assert people.asked == [(1, 2), (1, 2)]


def test_lifted_card_is_a_foul(monkeypatch: pytest.MonkeyPatch) -> None:
    made, _, _ = table(monkeypatch, lifts=(2_500, 2_000))
    lay(made)
    thrown = throw(made, THROW, PLAYERS)
    assert thrown.answers is None and thrown.fouls == (2,)
    assert thrown.reveal.sentence == f"Ben’s card was lifted or moved after being laid. {ROUND_REPLAYED}"
    assert thrown.record.seats[2].verdict == "lifted"
    assert [piece.name for piece in thrown.evidence if piece.name.startswith("foul")] == ["foul-2.jpg"]


def test_unreadable_card_is_no_foul_and_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    made, _, _ = table(monkeypatch, covered=(2,))
    lay(made)
    monkeypatch.setattr("vision.cards.lock.paper_share", lambda *given: 0.6)
    thrown = throw(made, THROW, PLAYERS)
    assert thrown.answers is None and thrown.fouls == ()
    assert thrown.reveal.sentence.startswith("Ben’s card can’t be read: lay it flat")
    assert [seat.verdict for seat in thrown.reveal.seats] == ["on time", "not read"]


def test_a_card_from_a_pile_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made, _, _ = table(monkeypatch)
    count = CardCount()
    for say in (Pairs(1, 1, [(1, 2)]), HandsTaken((1, 2), cards_of_each(3))):
        count.record_event(say)
    count.record_throw({2: PAPER.marker})
    count.record_event(MatchPiles((1, 2), {}))
    monkeypatch.setattr("throwlock.tables.cards.count_cards", lambda steps: count)
    lay(made)
    thrown = throw(made, THROW, PLAYERS)
    assert thrown.fouls == (2,) and "belongs to a match pile" in thrown.reveal.sentence
    assert thrown.judgement.seats[1].verdict is Verdict.PLAYED


def test_missing_cards_raise_after_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    made, people, _ = table(monkeypatch)
    monkeypatch.setattr(people, "on_cards_wanted", lambda *given: None)
    with pytest.raises(CameraError, match="nobody laid a card"):
        lay(made)


@pytest.mark.parametrize(
    ("name", "options", "about", "by_cards"),
    [
        ("redeux", {"play_with": "cards", "cards": "table"}, {}, True),
        ("future", {"cards": "table"}, {"turn": 1}, True),
        ("future", {"cards": "table"}, {"phase": "first throw", "left": [1, 2]}, False),
        ("classic", {}, {}, False),
    ],
)
def test_which_throws_are_made_with_cards(
    monkeypatch: pytest.MonkeyPatch, name: str, options: dict[str, str], about: dict[str, Json], by_cards: bool
) -> None:
    game = find_game(name).set_up(2, {**options})
    made, _, _ = table(monkeypatch, game=game)
    assert made.is_thrown_with_cards(ThrowPrompt(dict.fromkeys((1, 2), THROW_CHOICES), about=about)) is by_cards
    assert uses_cards(game, ThrowWith.HANDS) is bool(options) and uses_cards(game, ThrowWith.CARDS)


def test_the_throw_for_the_first_turn_is_made_with_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("future").set_up(2, {"cards": "table"})
    made, _, _ = table(monkeypatch, game=game)
    play, dice, by_cards = Play(game), Random(1), list[bool]()
    assert play.prompt and not made.is_thrown_with_cards(play.prompt)
    play.answer({1: "rock", 2: "scissors"})
    while play.prompt:
        if play.prompt.kind == "throw":
            by_cards.append(made.is_thrown_with_cards(play.prompt))
        play.answer(random_answers(play.prompt, dice))
    assert by_cards and all(by_cards)


def test_match_tracks_its_cards_and_resumes_after_a_crash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ben throws a card of the match pile; the round is void. Then the power goes, and the count is there again."""
    game = find_game("redeux").set_up(2, {"play_with": "cards", "cards": "table", "risk": "never"})
    hands = [(ROCKS[0], PAPERS[0]), (ROCKS[1], PAPERS[0]), (ROCKS[1], PAPERS[1]), (ROCKS[2], PAPERS[2])]
    with Journal(tmp_path / "cards.journal") as journal:
        number = resume_or_begin(journal, MatchConfig(game, ("Ada", "Ben"), HouseRules(), 1, "usb:0"))
        for fresh in range(2):
            made, people, _ = table(monkeypatch, game=game)
            people.hands = hands[3 * fresh :]
            match = Match(
                journal,
                number,
                RoundSource(NoAnswers(), (made,)),
                MatchOutput(made.display, made.clock, lambda line: None, Pace(0, 0)),
            )
            if not fresh:
                people.cut_off_after = 3
                with pytest.raises(PowerCutError):
                    match.play()
            else:
                assert match.play().winners == (2,)
        events = journal.events(number)
        kinds = [event.kind for event in events if event.round]
        assert kinds == ["round_judged", "round_voided", "round_judged", "round_judged"]
        void = next(event for event in events if event.kind == "round_voided")
        assert json_body(void)["fouls"] == [2] and "belongs to a match pile" in json_body(void)["text"]
        assert len(count_cards(project(events, REFEREE).steps).cards_in(CardPile.PILE)) == 6
        line = disputed_round(project(events, REFEREE), void.number)
        view = dispute_view(line, frames_from_journal(line.judgement, journal.evidence(void.number)), PLAYERS)
        assert [(seat.verdict, seat.reading) for seat in view.seats] == [
            ("on time", "rock"),
            ("played before", "paper"),
        ]
        assert len(view.frame_times_ms) == len(STRIP_OFFSETS_MS) and view.hand_image(2, 4).size > 100
        assert not verify(journal).problems


def test_match_refuses_a_card_that_another_player_showed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After a tie Ada's rock is in her hand again; Ben throws it, and the round is void until he throws his own."""
    game = find_game("redeux").set_up(2, {"play_with": "cards", "cards": "table", "risk": "never"})
    tied = (ROCKS[0], ROCKS[1])
    with Journal(tmp_path / "cards.journal") as journal:
        number = resume_or_begin(journal, MatchConfig(game, ("Ada", "Ben"), HouseRules(), 1, "usb:0"))
        made, people, _ = table(monkeypatch, game=game)
        people.hands = [
            tied,
            (PAPERS[0], ROCKS[0]),
            (PAPERS[0], ROCKS[1]),
            (PAPERS[1], ROCKS[2]),
            (PAPERS[2], ROCKS[3]),
        ]
        output = MatchOutput(made.display, made.clock, lambda line: None, Pace(0, 0))
        assert Match(journal, number, RoundSource(NoAnswers(), (made,)), output).play().winners == (1,)
        rounds = [event for event in journal.events(number) if event.round]
    assert [event.kind for event in rounds] == ["round_judged", "round_voided", *["round_judged"] * 3]
    assert json_body(rounds[1])["fouls"] == [2]
    assert rounds[1].round.judgement.seats[2].verdict == Verdict.NOT_THEIRS


def test_camera_answers_count_like_touches() -> None:
    seen = LiveAnswers({1: "down"}, {2: "Face down, please"})
    dialogue = Dialogue(GroupQuestion(PLAYERS, PLACE, poll_answers=lambda _: seen))
    assert dialogue.go_to(dialogue.page.poll()) is None
    assert isinstance(dialogue.page, GroupQuestionPage)
    assert dialogue.page.seat_state(1) == "in" and dialogue.page.live.notes == {2: "Face down, please"}
    seen = LiveAnswers({1: "down", 2: "down"})
    reply = dialogue.go_to(dialogue.page.poll())
    assert reply is not None and reply.value == {1: "down", 2: "down"}


@pytest.mark.slow
def test_match_with_cards_is_journaled_and_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = tmp_path / "cards.journal"
    play = ["play", "classic", "--throw-with", "cards", "--option", "best_of=1", "--camera", "simulated", "--headless"]
    assert run_command([*play, "--journal", str(journal), "--seed", "5"]) == 0
    assert "has won" in capsys.readouterr().out
    assert run_command(["verify", str(journal)]) == 0
    assert run_command(["export", "1", "--journal", str(journal), "--format", "json"]) == 0
    with JournalReader(journal) as opened:
        thrown = [json_body(event) for event in opened.events(1) if event.round]
    assert thrown and thrown[-1]["judgement"]["window_ms"] == 1_000
    for seat, one in thrown[-1]["judgement"]["seats"].items():
        throw = PRINTED_MARKERS[one["card"]].throw
        assert throw is not None and throw.value == one["at_lock"] == thrown[-1]["answers"][seat]


def test_clip_can_not_be_played_with_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["play", "classic", "--throw-with", "cards", "--headless", "--camera", f"clip:{tmp_path / 'none.mp4'}"]
    assert run_command([*given, "--journal", str(tmp_path / "a.journal")]) == 2
    assert "a clip can’t be played with cards" in capsys.readouterr().err and not (tmp_path / "a.journal").exists()
