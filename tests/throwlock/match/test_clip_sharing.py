"""Taking a round home from the touchscreen, and the frames that are kept for it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from errors import ThrowlockError
from tests.helpers.disputing_people import CLASSIC, People
from tests.helpers.judged_frames import FRAMES, JUDGEMENT
from tests.helpers.table_matches import history, make_match
from throwlock.journal.journal import Journal, JournalReader
from throwlock.journal.kept_frames import KeepLimit, KeptFrames, StoredFrames
from throwlock.launch_options import LaunchOptions
from throwlock.match import frame_keeper
from throwlock.match.clip_sharing import ClipSharing
from throwlock.match.frame_keeper import FrameKeeper, keep_limit, trim_kept_frames
from throwlock.match.reveal import Pace
from throwlock.match_runner import play_to_end
from throwlock.settings.model import ClipSettings
from throwlock.tables.record import record_judgement
from throwlock.tables.round_frames import collect_frames, frames_from_kept, frames_to_keep
from ui.screen.pages.common import GO_ON_ANSWER, SWITCH_ON_ANSWER, TAKE_HOME_ANSWER
from ui.screen.pages.notice import Notice
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.slow_motion import LEAD_MS, TAIL_MS, SlowMotion
from ui.screen.pages.take_home import TakeHomePage, TakeHomeStatus
from vision.zones import default_zones

URL = "http://192.168.1.20:8321/clip/one"


class FakeNetwork:
    """A network that shares clips, or says why not, and notes what it is asked."""

    def __init__(self, is_on: bool = True, error: str = "") -> None:
        self.is_on, self.error = is_on, error
        self.shared: list[int] = []
        self.held = 0
        self.holds: list[int] = []

    def switch_on(self) -> ThrowlockError | None:
        if self.error:
            return ThrowlockError(self.error)
        self.is_on = True
        return None

    def share_clip(self, event: int) -> Callable[[], TakeHomeStatus]:
        if self.error:
            raise ThrowlockError(self.error)
        self.shared.append(event)
        return lambda: TakeHomeStatus(URL, 0.5)

    def hold_clips(self) -> AbstractContextManager[None]:
        @contextmanager
        def hold() -> Iterator[None]:
            self.held += 1
            yield
            self.held -= 1
            self.holds.append(self.held)

        return hold()


def sharing(network: FakeNetwork | None) -> ClipSharing:
    clips = ClipSharing()
    clips.network = network
    return clips


def play(path: Path, clips: ClipSharing, answers: Callable[[Any], Any], **more: Any) -> list[Any]:
    """Play a match in which everything is shown in slow motion, and return what was shown."""
    with Journal(path) as journal:
        display, pace = People(path, answers), Pace(slow_motion="always")
        match, _ = make_match(journal, CLASSIC, display=display, pace=pace, clips=clips, **more)
        match.play()
    return display.shown


def test_a_touch_in_slow_motion_shows_where_the_round_s_clip_is(tmp_path: Path) -> None:
    network, path = FakeNetwork(), tmp_path / "one.journal"

    def touch(view: Any) -> Any:
        return {SlowMotion: TAKE_HOME_ANSWER, TakeHomePage: GO_ON_ANSWER}.get(type(view))

    shown = play(path, sharing(network), touch, people_answer=True)
    pages = [view for view in shown if isinstance(view, TakeHomePage)]
    assert {page.status for page in pages} == {TakeHomeStatus(URL, 0.5)}
    with JournalReader(path) as journal:
        assert network.shared == [event.number for event in journal.events() if event.round]
    after = shown[shown.index(pages[0]) + 1]
    assert isinstance(after, Reveal), "the match goes on"


def test_deciding_clip_is_taken_home_from_the_result(tmp_path: Path) -> None:
    network, path, answers = FakeNetwork(), tmp_path / "one.journal", [TAKE_HOME_ANSWER, TAKE_HOME_ANSWER, "home"]

    def touch(view: Any) -> Any:
        return answers.pop(0) if isinstance(view, MatchResult) else GO_ON_ANSWER

    with Journal(path) as journal:
        display = People(path, touch)
        match, _ = make_match(journal, CLASSIC, display=display, clips=sharing(network), people_answer=True)
        assert play_to_end(LaunchOptions(path, "simulated"), display, match) == "home"
        rounds = [event.number for event in journal.events(match.number) if event.round]
    results = display.views(MatchResult)
    assert network.shared == rounds[-1:] * 2 and len(results) == 3
    assert all(view.can_take_home and view.deciding is not None for view in results)


def test_clips_stand_still_while_a_round_is_counted_and_judged(tmp_path: Path) -> None:
    network = FakeNetwork()
    held_at: dict[str, set[int]] = {}
    shown: list[Any] = []

    class Watching(People):
        def show(self, view: Any) -> None:
            held_at.setdefault(type(view).__name__, set()).add(network.held)
            super().show(view)

    with Journal(tmp_path / "one.journal") as journal:
        display = Watching(tmp_path / "one.journal", lambda view: None)
        match, _ = make_match(journal, CLASSIC, display=display, clips=sharing(network))
        match.play()
        shown += display.shown
    assert held_at["Countdown"] == {1} and held_at["Judging"] == {1} and held_at["Reveal"] == {0}
    assert set(network.holds) == {0} and len(network.holds) == sum(isinstance(view, Reveal) for view in shown)


@pytest.mark.parametrize(("network", "people"), [(None, True), (FakeNetwork(), False)], ids=["no network", "nobody"])
def test_nobody_is_offered_what_can_not_be_had(tmp_path: Path, network: FakeNetwork | None, people: bool) -> None:
    shown = play(tmp_path / "one.journal", sharing(network), lambda view: None, people_answer=people)
    assert {view.can_take_home for view in shown if isinstance(view, SlowMotion)} == {False}


class Asked:
    """A display that answers in turn."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.seen = list(answers), list[Any]()

    def ask(self, view: Any) -> Any:
        self.seen.append(view)
        return self.answers.pop(0)

    def show(self, view: Any) -> None:
        raise AssertionError(view)


def test_with_the_network_off_people_can_switch_it_on_there() -> None:
    network, display = FakeNetwork(is_on=False), Asked(SWITCH_ON_ANSWER, GO_ON_ANSWER)
    sharing(network).open(display, 7)
    assert [page.status for page in display.seen] == [TakeHomeStatus(None), TakeHomeStatus(URL, 0.5)]
    assert network.shared == [7] and display.seen[1].at_time(1.0).status == TakeHomeStatus(URL, 0.5)


def test_what_goes_wrong_is_shown() -> None:
    display = Asked(SWITCH_ON_ANSWER, "back", GO_ON_ANSWER)
    sharing(FakeNetwork(is_on=False, error="no port is free")).open(display, 7)
    assert isinstance(display.seen[1], Notice) and "No port is free" in display.seen[1].text
    display = Asked(GO_ON_ANSWER)
    sharing(FakeNetwork(error="there are no pictures")).open(display, 7)
    assert display.seen[0].status == TakeHomeStatus(None, error="there are no pictures")


FRAMES_KEPT = StoredFrames((0.0,), {(1, 0): b"one", (2, 0): b"two"})


@pytest.fixture
def _some_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every round have frames: the camera of these matches has none."""
    monkeypatch.setattr(frame_keeper, "frames_to_keep", lambda frames, record: FRAMES_KEPT)


@pytest.mark.usefixtures("_some_frames")
def test_the_frames_of_every_round_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with closing(FrameKeeper(path, ClipSettings())) as keeper:
        play(path, ClipSharing(), lambda view: None, frame_keeper=keeper)
    with JournalReader(path) as journal:
        events = journal.events()
    kept = [KeptFrames(path).load(event.number, event.hash) for event in events if event.round]
    assert len(kept) > 2 and set(map(str, kept)) == {str(FRAMES_KEPT)}
    assert len(list(KeptFrames(path).folder.iterdir())) == len(kept)


@pytest.mark.usefixtures("_some_frames")
def test_frames_follow_a_match_to_a_new_journal(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    with closing(FrameKeeper(path, ClipSettings())) as keeper:
        play(path, ClipSharing(), lambda view: None, frame_keeper=keeper)
        with JournalReader(path) as journal:
            before = journal.events()
        after = [replace(event, number=event.number + 7, hash=event.hash[::-1]) for event in before]
        keeper.renumber(before, after, {event.number: event.number + 7 for event in before})
    kept = KeptFrames(path)
    assert not any(kept.has(event.number, event.hash) for event in before)
    assert all(kept.has(event.number, event.hash) for event in after if event.round)


def test_frames_of_the_clip_are_kept_and_no_others() -> None:
    record = record_judgement(JUDGEMENT, dict(enumerate(default_zones(2), 1)))
    frames = collect_frames(JUDGEMENT, FRAMES)
    kept = frames_to_keep(frames, record)
    shown = [seat.shown_ms for seat in record.seats.values() if seat.shown_ms is not None]
    assert kept.times_ms == tuple(at for at in frames.times_ms if at >= min(shown) - 120 and at <= max(shown) + 60)
    assert kept.times_ms[0] <= min(shown) - LEAD_MS and kept.times_ms[-1] >= max(shown) + TAIL_MS
    assert set(kept.jpegs) == {(seat, n) for seat in record.seats for n in range(len(kept.times_ms))}
    again, first = frames_from_kept(kept), frames.times_ms.index(kept.times_ms[0])
    for seat in record.seats:
        assert (again.image(seat, 3) == frames.image(seat, first + 3)).all()


def test_frames_that_are_rendered_on_demand_are_rendered() -> None:
    record = record_judgement(JUDGEMENT, dict(enumerate(default_zones(2), 1)))
    frames = collect_frames(JUDGEMENT, FRAMES)
    assert frames_to_keep(replace(frames, jpegs={}), record).jpegs.keys() == frames_to_keep(frames, record).jpegs.keys()


@pytest.mark.usefixtures("_some_frames")
def test_none_are_kept_for_no_hours(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    settings = ClipSettings(keep_hours=0)
    with closing(FrameKeeper(path, settings)) as keeper:
        play(path, ClipSharing(), lambda view: None, frame_keeper=keeper)
    assert not KeptFrames(path).folder.exists()
    assert keep_limit(settings).max_age_s == 0


@pytest.mark.usefixtures("_some_frames")
def test_a_full_disk_keeps_no_frames_and_stops_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(KeptFrames, "save", fail)
    monkeypatch.setattr(KeptFrames, "trim", fail)
    path = tmp_path / "one.journal"
    with closing(FrameKeeper(path, ClipSettings())) as keeper:
        play(path, ClipSharing(), lambda view: None, frame_keeper=keeper)
    assert history(path)[-1][0] == "match_ended"


def test_a_smaller_limit_takes_effect_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[KeepLimit] = []
    monkeypatch.setattr(KeptFrames, "trim", lambda kept, limit: limits.append(limit))
    trim_kept_frames(tmp_path / "one.journal", ClipSettings(keep_hours=6, keep_mb=200))
    assert limits == [KeepLimit(6 * 3600.0, 200_000_000)]
