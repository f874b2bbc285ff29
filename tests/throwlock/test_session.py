"""An evening at the box: what fails is said on the screen with what to do, and what people choose is done."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from device.camera.base import CameraError
from device.system.clock import JumpingClock
from rules.catalogue import GAMES
from rules.throws import Throw
from throwlock.journal.file import put_aside
from throwlock.journal.journal import Journal, JournalError, JournalReader
from throwlock.journal.verify import verify
from throwlock.launch_options import Wanted
from throwlock.match.config import Billing
from throwlock.match_runner import SitDown, _one_match
from throwlock.session import ASIDE, WITHOUT, Evening
from ui.i18n import language
from ui.screen.core.display import WindowClosedError
from ui.screen.pages.seating.view import Seated, Sitting
from ui.screen.pages.settings.view import Changed, Languages, Settings
from ui.screen.pages.views import Choosing, Chosen, Ended, Gather, Notice, Told, Waiting
from vision.hands.model import ModelError
from vision.zones import spread

CLASSIC = Chosen("classic", 2, {"best_of": 1})


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "throwlock.toml"))
    yield
    language.use("en")


class People:
    """A display whose people answer each kind of view as told here: with a value, with the next of a list, or with what
    a function makes of it. Once nothing is left to answer they close the window."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.seen: list[Any] = []

    def show(self, view: Any) -> None:
        self.seen.append(view)

    def ask(self, view: Any) -> Any:
        self.seen.append(view)
        answer = self.answers.get(type(view).__name__.lower())
        if isinstance(answer, list):
            if not answer:
                raise WindowClosedError
            answer = answer.pop(0)
        return answer(view) if callable(answer) else answer

    def of(self, kind: type) -> list[Any]:
        return [view for view in self.seen if isinstance(view, kind)]


def evening(
    people: People, tmp_path: Path, play_one: Callable[..., object], names: Sequence[str] = (), **wanted: Any
) -> list[Billing]:
    """An evening until the window is closed; the matches that were begun."""
    began: list[Billing] = []

    def noted(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
        began.append(billing)
        return play_one(now, billing, sit)

    start = Wanted(tmp_path / "evening.journal", wanted.pop("camera", "usb:0"), **wanted)
    with pytest.raises(WindowClosedError):
        Evening(start, people, noted, names, 0).run(None)
    return began


def seated(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
    """A match that is over at once, after people sat down."""
    assert sit is not None
    return "again" if sit(billing, spread(billing.game.setup.seats)) else "home"


def test_while_a_match_is_made_ready_the_box_says_so(tmp_path: Path) -> None:
    people, before = People(choosing=[CLASSIC]), []

    def play_one(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
        before.append(people.seen[-1])
        return "home"

    evening(people, tmp_path, play_one)
    assert before == [Waiting("Classic")]


@pytest.mark.parametrize("fault", [CameraError("no camera usb:0"), ModelError("the hand model can't be had")])
def test_without_camera_or_model_people_play_without_the_camera(tmp_path: Path, fault: Exception) -> None:
    def play_one(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
        if billing.camera != "none":
            raise fault
        return "home"

    people = People(choosing=[CLASSIC], notice=["try again", WITHOUT])
    began = evening(people, tmp_path, play_one)
    assert [billing.camera for billing in began] == ["usb:0", "usb:0", "none"]
    assert all(WITHOUT in notice.choices and "home" in notice.choices for notice in people.of(Notice))


def test_the_next_match_tries_the_camera_again(tmp_path: Path) -> None:
    def play_one(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
        if billing.camera != "none":
            raise CameraError("no camera usb:0")
        return "home"

    people = People(choosing=[CLASSIC, CLASSIC], notice=WITHOUT)
    began = evening(people, tmp_path, play_one)
    assert [billing.camera for billing in began] == ["usb:0", "none", "usb:0", "none"]
    alone = People(choosing=[])
    evening(alone, tmp_path, play_one, camera="none")
    assert not {"zones", "practise"} & set(alone.of(Choosing)[0].tools), "nothing that needs a camera"
    assert {"zones", "practise"} <= set(people.of(Choosing)[0].tools)


def test_a_fault_leads_home_too(tmp_path: Path) -> None:
    def play_one(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
        raise CameraError("camera usb:0 has stopped giving pictures: check its cable and start again")

    people = People(choosing=[CLASSIC, CLASSIC], notice="home")
    assert len(evening(people, tmp_path, play_one)) == 2
    assert len(people.of(Choosing)) == 3


def test_a_full_disk_can_be_tried_again_and_nothing_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "evening.journal"
    Journal(path).__enter__().__exit__(None, None, None)
    faults = [JournalError(f"the disk of {path} is full: free some space and go on")]

    def play_one(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
        if faults:
            raise faults.pop()
        return "home"

    people = People(choosing=[CLASSIC], notice="try again")
    assert len(evening(people, tmp_path, play_one)) == 2
    assert people.of(Notice)[0].choices == ("try again", "home")


def test_a_broken_journal_is_put_aside_if_people_want_and_never_deleted(tmp_path: Path) -> None:
    path = tmp_path / "evening.journal"
    path.write_bytes(b"no journal" * 100)

    def play_one(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
        with Journal(now.journal):
            return "home"

    people = People(choosing=[CLASSIC], notice=[ASIDE])
    assert len(evening(people, tmp_path, play_one)) == 2
    assert ASIDE in people.of(Notice)[0].choices
    assert (tmp_path / "evening.journal.broken-1").read_bytes() == b"no journal" * 100
    with JournalReader(path) as reader:
        assert reader.matches() == []
    path.write_bytes(b"again")
    assert put_aside(path).name == "evening.journal.broken-2"


def test_who_sat_down_sits_again_and_is_not_asked(tmp_path: Path) -> None:
    ends = ["again", "home"]

    def play_one(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
        if sit is not None:
            assert sit(billing, spread(2)) is not None
        return ends.pop(0)

    people = People(choosing=[CLASSIC], sitting=Seated(("Ann", "")))
    began = evening(people, tmp_path, play_one)
    assert [billing.names for billing in began] == [("Player 1", "Player 2"), ("Ann", "Player 2")]
    assert len(people.of(Sitting)) == 1


def test_nobody_is_asked_whom_the_command_line_named(tmp_path: Path) -> None:
    def play_one(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
        assert sit is None
        return "home"

    began = evening(People(choosing=[CLASSIC]), tmp_path, play_one, ("Ann",))
    assert began[0].names == ("Ann", "Player 2")


def test_going_back_from_sitting_down_leads_home(tmp_path: Path) -> None:
    people = People(choosing=[CLASSIC], sitting="back")
    evening(people, tmp_path, seated)
    assert len(people.of(Choosing)) == 2


def test_settings_and_language_are_on_the_home_page_and_hold_for_the_next_match(tmp_path: Path) -> None:
    def change(view: Settings) -> Changed:
        assert [one.key for one in view.shown] and view.part == "screen"
        return Changed({"house.window_ms": 300, "house.beat_ms": 900}, None)

    people = People(choosing=["settings", "language", CLASSIC], settings=change, languages="de", notice="home")
    began = evening(people, tmp_path, lambda *_: "home", given={"beat_ms": 500})
    assert (began[0].house.window_ms, began[0].house.beat_ms) == (300, 500), "the command line comes first"
    assert language.spoken() == "de" and len(people.of(Languages)) == 1
    assert 'language = "de"' in (tmp_path / "throwlock.toml").read_text()


def test_a_whole_match_is_played_without_a_camera(tmp_path: Path) -> None:
    """Throws are asked of everybody together, sealed, and the match is in the journal like any other."""
    path = tmp_path / "evening.journal"
    throws = iter([(Throw.ROCK, Throw.ROCK), (Throw.PAPER, Throw.ROCK)])

    def thrown(view: Gather) -> dict[int, object]:
        assert view.ask.kind == "throw" and view.ask.sealed
        assert view.hint is None or "together" in view.hint, "there is no count to throw on"
        return dict(zip(view.ask.seats, next(throws), strict=True))

    people = People(gather=thrown, ended="home", sitting=Seated(("Ann", "Ben")), choosing=[CLASSIC])

    def play_one(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
        return _one_match(now, billing, lambda: people, JumpingClock(), sit)

    evening(people, tmp_path, play_one, camera="none")
    (ended,) = people.of(Ended)
    assert ended.result.winners == (1,) and [player.name for player in ended.players] == ["Ann", "Ben"]
    assert not ended.can_dispute, "there is no picture to look at"
    assert people.of(Told) and next(throws, None) is None
    with JournalReader(path) as reader:
        assert not verify(reader).faults and reader.unfinished() is None


def test_a_match_whose_camera_fails_goes_on_without_it(tmp_path: Path) -> None:
    path = tmp_path / "evening.journal"
    game = GAMES["classic"].set_up(2, {"best_of": 3})
    wanted = Wanted(path, "usb:0")
    with Journal(path) as journal:
        number = journal.begin(Billing(game, ("Ann", "Ben"), wanted.house, 0, "usb:0").body())
        journal.append(number, "answer", {"asked": "throw", "answers": {"1": "rock", "2": "paper"}})

    def thrown(view: Gather) -> dict[int, object]:
        return {1: Throw.ROCK, 2: Throw.PAPER}

    def play_one(now: Wanted, billing: Billing, sit: SitDown | None) -> object:
        return _one_match(now, billing, lambda: people, JumpingClock(), sit)

    people = People(gather=thrown, notice=["go on", WITHOUT], ended="home", choosing=[])
    evening(people, tmp_path, play_one, camera="usb:99")
    (ended,) = people.of(Ended)
    assert ended.result.winners == (2,) and len(people.of(Gather)) == 1 and not people.of(Sitting)
