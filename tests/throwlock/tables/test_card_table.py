"""The table for cards: it waits for everybody's card, watches, counts and reads; what it says; and a whole match."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from scripted_cards import BACK, CARDS, MS, PAPER, ROCK, SIZE, CardFrame, Doing, There, number_in

from device.camera.base import CameraError
from device.camera.frames import Frame, Pixels
from device.system.clock import JumpingClock
from rules.catalogue import find
from rules.engine import Answers, Ask, Choices, Game, Json, Say, Seat
from rules.markers import PRINTED, Printed
from rules.throws import THROWS
from throwlock.cli.main import run_command
from throwlock.journal.journal import Journal, JournalReader
from throwlock.journal.verify import verify
from throwlock.match.config import Billing
from throwlock.match.dispute import evidence_view, film_from
from throwlock.match.house_rules import House, ThrowWith
from throwlock.match.match import Match, Pace, take_up
from throwlock.tables.card_count import CardCount, Where, count_cards
from throwlock.tables.cards import CardTable, NoHands, plays_with_cards
from ui.screen.core.page_stack import Dialogue
from ui.screen.pages.views import Cadence, Gather, Player, Reveal, Told, View, Watched
from vision.cards import observations
from vision.cards.reader import Card
from vision.lock.verdict import Verdict
from vision.strips import STRIP_MS
from vision.zones import spread

ROCKS, PAPERS = CARDS[:24], CARDS[24:48]
PEOPLE = (Player(1, "Ada"), Player(2, "Ben"))
REDEUX = find("redeux").set_up(2, {"play_with": "cards", "cards": "table"})
THROW = Ask("throw", dict.fromkeys((1, 2), THROWS), sealed=True)
PLACE = Ask("place", dict.fromkeys((1, 2), Choices(("down",))))


class Shows:
    """Keeps what was shown."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def show(self, view: View) -> None:
        self.views.append(view)

    def ask(self, view: object) -> None:
        assert isinstance(view, Reveal | Told), f"nobody was to be asked {view}"


class PowerCutError(Exception):
    """The box is off."""


class NobodyElse:
    """Nobody answers anything but the camera."""

    def answer(self, ask: Ask, players: Sequence[Player], key: int) -> Answers:
        raise AssertionError(f"{ask.kind} was asked")


class People:
    """A camera over people who lay ``cards`` when asked to and turn them over ``after_ms`` after the call; between
    ``lifts`` (in ms before the call) the second lies elsewhere, and what is ``covered`` is never read face up."""

    def __init__(
        self,
        clock: JumpingClock,
        cards: dict[Seat, Printed],
        after_ms: dict[Seat, int],
        lifts: tuple[int, int] = (0, 0),
        covered: Sequence[Seat] = (),
    ) -> None:
        self.size, self.fps, self.dropped = SIZE, 30.0, 0
        self.clock, self.cards, self.after_ms, self.lifts, self.covered = clock, cards, after_ms, lifts, covered
        self.laid_ns = self.cue_ns = 1 << 62
        self.asked: list[tuple[Seat, ...]] = []
        self.hands: list[tuple[Printed, Printed]] = []
        self.cut_off_after: int | None = None
        self.read: list[CardFrame] = []

    def lay_at(self, ask: Ask, seats: Sequence[Seat], count: CardCount, now_ns: int) -> None:
        if self.cut_off_after is not None and len(self.asked) == self.cut_off_after:
            raise PowerCutError
        self.asked.append(tuple(seats))
        if self.hands:
            self.cards = dict(enumerate(self.hands.pop(0), 1))
        self.laid_ns, self.cue_ns = now_ns + 500 * MS, 1 << 62

    def throw_at(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int) -> None:
        self.cue_ns = cue_ns

    def there(self, seat: Seat, when_ns: int) -> Sequence[There]:
        if when_ns < self.laid_ns:
            return ()
        after_ms = (when_ns - self.cue_ns) // MS
        if after_ms >= self.after_ms[seat]:
            return () if seat in self.covered else (There(self.cards[seat]),)
        elsewhere = seat == 2 and -self.lifts[0] <= after_ms < -self.lifts[1]
        return (There(BACK, x=12.0 if elsewhere else 0.0),)

    def _doing(self, seat: Seat, when_ns: int) -> Doing:
        there = self.there(seat, when_ns)
        return lambda after_ms: there

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def latest(self) -> Frame:
        return self.ring(self.clock.now_ns() - 40 * MS, self.clock.now_ns())[-1]

    def ring(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        since, until = max(since_ns, self.clock.now_ns() - 6_000 * MS), min(until_ns, self.clock.now_ns())
        frames = []
        for number in range(-(-since * 30 // 10**9), until * 30 // 10**9 + 1):
            when = round(number * 1e9 / 30)
            frames.append(CardFrame(number, when, 0, SIZE, doing=(self._doing(1, when), self._doing(2, when))))
        self.read += frames
        return frames


def table(
    monkeypatch: pytest.MonkeyPatch,
    lifts: tuple[int, int] = (0, 0),
    covered: Sequence[Seat] = (),
    game: Game = REDEUX,
    house: House | None = None,
    after_ms: int = 200,
) -> tuple[CardTable, People, Shows]:
    clock = JumpingClock()
    clock.wait_until(20_000 * MS)
    people = People(clock, {1: ROCK, 2: PAPER}, {1: 50, 2: after_ms}, lifts, covered)
    display = Shows()

    def read(picture: Pixels) -> list[Card]:
        number = number_in(picture)
        return next(frame for frame in reversed(people.read) if frame.number == number).cards

    monkeypatch.setattr(observations, "read_cards", read)
    made = CardTable(people, spread(2), NoHands(), display, clock, house or House(), people, game=game)
    return made, people, display


def test_the_count_begins_when_everybodys_card_lies_still(monkeypatch: pytest.MonkeyPatch) -> None:
    made, people, display = table(monkeypatch)
    assert made.lay(PLACE, PEOPLE) == {1: "down", 2: "down"}
    assert made.clock.now_ns() - people.laid_ns >= 500 * MS
    gather = display.views[0]
    assert isinstance(gather, Gather) and gather.watched is not None
    assert not any(isinstance(view, Cadence) for view in display.views)
    thrown = made.throw(THROW, PEOPLE, "Round")
    assert thrown.answers == {1: "rock", 2: "paper"} and thrown.fouls == () and people.asked == [(1, 2)]
    seats = thrown.body["judgement"]["seats"]
    assert (seats["1"]["card"], seats["2"]["card"]) == (ROCK.marker, PAPER.marker)
    assert {piece.name for piece in thrown.evidence} >= {"lock.jpg", "seat-1.jpg", "strip-2.jpg", "timeline.svg"}
    assert seats["2"]["shown_ms"] - seats["1"]["shown_ms"] == pytest.approx(150, abs=34)


def test_a_throw_that_nobody_was_asked_to_lay_for_waits_for_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    made, people, _ = table(monkeypatch, game=find("classic").set_up(2), house=House(throw_with=ThrowWith.CARDS))
    assert made.throw(THROW, PEOPLE, "Round").answers == {1: "rock", 2: "paper"}
    assert made.throw(THROW, PEOPLE, "Round").answers == {1: "rock", 2: "paper"}
    assert people.asked == [(1, 2), (1, 2)]


def test_a_lifted_card_is_a_foul_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    made, _, _ = table(monkeypatch, lifts=(2_500, 2_000))
    made.lay(PLACE, PEOPLE)
    thrown = made.throw(THROW, PEOPLE, "Round")
    assert thrown.answers is None and thrown.fouls == (2,)
    assert thrown.reveal.sentence == "Ben's card was lifted or moved after it had been laid. The round is thrown again."
    assert thrown.body["judgement"]["seats"]["2"]["verdict"] == "lifted"
    assert [piece.name for piece in thrown.evidence if piece.name.startswith("foul")] == ["foul-2.jpg"]


def test_a_card_that_cant_be_read_is_nobodys_foul_and_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    made, _, _ = table(monkeypatch, covered=(2,))
    made.lay(PLACE, PEOPLE)
    monkeypatch.setattr("vision.cards.lock.paper_share", lambda *given: 0.6)
    thrown = made.throw(THROW, PEOPLE, "Round")
    assert thrown.answers is None and thrown.fouls == ()
    assert thrown.reveal.sentence.startswith("Ben's card can't be read: lay it flat")
    assert [seat.verdict for seat in thrown.reveal.seats] == ["on time", "not read"]


def test_a_card_from_a_pile_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made, _, _ = table(monkeypatch)
    for say in (Say("pairs", {"pairs": [[1, 2]]}), Say("hands", {"pair": [1, 2]})):
        made.tally.said(say)
    made.tally.thrown({2: PAPER.marker})
    made.tally.said(Say("pile", {"pair": [1, 2]}))
    made.lay(PLACE, PEOPLE)
    thrown = made.throw(THROW, PEOPLE, "Round")
    assert thrown.fouls == (2,) and "lies in a match pile" in thrown.reveal.sentence
    assert thrown.judgement.seats[1].verdict is Verdict.PLAYED


def test_where_nobody_lays_a_card_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    made, people, _ = table(monkeypatch)
    monkeypatch.setattr(people, "lay_at", lambda *given: None)
    with pytest.raises(CameraError, match="nobody laid a card"):
        made.lay(PLACE, PEOPLE)


@pytest.mark.parametrize(
    ("name", "options", "about", "by_cards"),
    [
        ("redeux", {"play_with": "cards", "cards": "table"}, {}, True),
        ("future", {"cards": "table"}, {"turn": 1}, True),
        ("future", {"cards": "table"}, {"left": [1, 2]}, False),
        ("classic", {}, {}, False),
    ],
)
def test_which_throws_are_shown_by_cards(
    monkeypatch: pytest.MonkeyPatch, name: str, options: dict[str, str], about: dict[str, Json], by_cards: bool
) -> None:
    game = find(name).set_up(2, {**options})
    made, _, _ = table(monkeypatch, game=game)
    assert made.by_cards(Ask("throw", dict.fromkeys((1, 2), THROWS), about=about)) is by_cards
    assert plays_with_cards(game, ThrowWith.HANDS) is bool(options) and plays_with_cards(game, ThrowWith.CARDS)


def test_a_match_counts_its_cards_and_goes_on_after_a_crash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ben throws a card of the match pile; the round is void. Then the power goes, and the count is there again."""
    game = find("redeux").set_up(2, {"play_with": "cards", "cards": "table", "risk": "never"})
    hands = [(ROCKS[0], PAPERS[0]), (ROCKS[1], PAPERS[0]), (ROCKS[1], PAPERS[1]), (ROCKS[2], PAPERS[2])]
    with Journal(tmp_path / "cards.journal") as journal:
        number = take_up(journal, Billing(game, ("Ada", "Ben"), House(), 1, "usb:0"))
        for fresh in range(2):
            made, people, _ = table(monkeypatch, game=game)
            people.hands = hands[3 * fresh :]
            match = Match(journal, number, made, NobodyElse(), lambda line: None, Pace(0, 0))
            if not fresh:
                people.cut_off_after = 3
                with pytest.raises(PowerCutError):
                    match.play()
            else:
                assert match.play().winners == (2,)
        events = journal.events(number)
        kinds = [event.kind for event in events if "judgement" in event.body]
        assert kinds == ["answer", "void", "answer", "answer"]
        void = next(event for event in events if event.kind == "void")
        assert void.body["fouls"] == [2] and "lies in a match pile" in void.body["sentence"]
        assert len(count_cards(game, events).lying(Where.PILE)) == 6
        view = evidence_view(game, events, void, film_from(void, journal.evidence(void.number)), PEOPLE, "Round")
        assert [(seat.verdict, seat.reading) for seat in view.seats] == [
            ("on time", "rock"),
            ("played before", "paper"),
        ]
        assert len(view.times_ms) == len(STRIP_MS) and view.picture(2, 4).size > 100
        assert not verify(journal).faults


def test_a_camera_is_one_more_way_in() -> None:
    seen = Watched({1: "down"}, {2: "Face down, please"})
    dialogue = Dialogue(Gather(PEOPLE, PLACE, watched=lambda: seen))
    assert dialogue.looked() is None
    assert dialogue.page.state(1) == "in" and dialogue.page.notes == {2: "Face down, please"}  # type: ignore[union-attr]
    seen = Watched({1: "down", 2: "down"})
    reply = dialogue.looked()
    assert reply is not None and reply.value == {1: "down", 2: "down"}


def test_a_match_is_played_kept_and_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = tmp_path / "cards.journal"
    play = ["play", "classic", "--throw-with", "cards", "--option", "best_of=1", "--camera", "simulated", "--headless"]
    assert run_command([*play, "--journal", str(journal), "--seed", "5"]) == 0
    assert "has won" in capsys.readouterr().out
    assert run_command(["verify", str(journal)]) == 0
    assert run_command(["export", "1", "--journal", str(journal), "--format", "json"]) == 0
    with JournalReader(journal) as opened:
        thrown = [event.body for event in opened.events(1) if "judgement" in event.body]
    assert thrown and thrown[-1]["judgement"]["window_ms"] == 1_000
    for seat, one in thrown[-1]["judgement"]["seats"].items():
        throw = PRINTED[one["card"]].throw
        assert throw is not None and throw.value == one["at_lock"] == thrown[-1]["answers"][seat]


def test_cards_are_not_played_on_a_clip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["play", "classic", "--throw-with", "cards", "--headless", "--camera", f"clip:{tmp_path / 'none.mp4'}"]
    assert run_command([*given, "--journal", str(tmp_path / "a.journal")]) == 2
    assert "nobody lays cards on a clip" in capsys.readouterr().err and not (tmp_path / "a.journal").exists()
