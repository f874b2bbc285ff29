"""Whatever serves clips, voice or pictures fails in the middle of a match, and the match is played as if it had not."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from device.sound.base import NullSound, Sound, Speech, Tone
from errors import ThrowlockError
from tests.helpers.disputing_people import CLASSIC, People
from tests.helpers.table_matches import history, make_match
from throwlock.journal.journal import Journal
from throwlock.journal.kept_frames import KeptFrames
from throwlock.match import frame_keeper, reveal
from throwlock.match.clip_sharing import ClipSharing
from throwlock.match.frame_keeper import FrameKeeper
from throwlock.match.reveal import Pace
from throwlock.nonessential import nonessential
from throwlock.settings.model import ClipSettings
from throwlock.table_setup.sound import SafeSound
from throwlock.tables import camera_table, round_frames
from ui.screen.pages.common import DISPUTE_ANSWER, GO_ON_ANSWER, TAKE_HOME_ANSWER
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.pages.take_home import TakeHomePage, TakeHomeStatus


class UnexpectedError(Exception):
    """An error that nobody has thought of."""


def fail(*_: object, **__: object) -> Any:
    raise UnexpectedError("broken")


class BrokenSound(Sound):
    """A sound of which nothing works."""

    volume = 1.0

    def play(self, sound: Tone | Speech, at_ns: int | None = None) -> None:
        fail()

    def play_count(self, words: Sequence[str], times_ns: Sequence[int]) -> None:
        fail()

    def say(self, sentence: str) -> None:
        fail()

    def silence(self) -> None:
        fail()

    def stop(self) -> None:
        fail()


class Network:
    """A network that is on, and of which any part can be broken."""

    is_on = True

    def switch_on(self) -> ThrowlockError | None:
        return None

    def share_clip(self, event: int) -> Callable[[], TakeHomeStatus]:
        return lambda: TakeHomeStatus(f"http://box/{event}")

    @contextmanager
    def hold_clips(self) -> Iterator[None]:
        yield


def events_of(path: Path) -> list[tuple[str, Any]]:
    """Return the events of a journal without their pictures."""
    return [(kind, {key: body[key] for key in body if key != "evidence"}) for kind, body in history(path)]


def play(path: Path, sound: Sound | None = None, network: Network | None = None) -> list[Any]:
    """Play a match of which people see every round in slow motion, take it home and look at it again, with frames kept
    for clips. Return what was shown."""
    disputed: list[object] = []

    def touch(view: Any) -> Any:
        match view:
            case SlowMotion():
                return TAKE_HOME_ANSWER
            case TakeHomePage():
                return GO_ON_ANSWER
            case Reveal() if len(disputed) < 2:
                disputed.append(view)
                return DISPUTE_ANSWER
        return None

    clips = ClipSharing()
    clips.network = network or Network()
    with Journal(path) as journal, closing(FrameKeeper(path, ClipSettings())) as keeper:
        match, display = make_match(
            journal, CLASSIC, display=People(path, touch), pace=Pace(slow_motion="always"), sound=sound,
            people_answer=True, frame_keeper=keeper, clips=clips,
        )  # fmt: skip
        match.play()
    return display.shown


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Any]]:
    """The events of the match of ``play`` in which nothing fails."""
    path = tmp_path_factory.mktemp("unbroken") / "one.journal"
    shown = play(path)
    assert {SlowMotion, TakeHomePage} <= set(map(type, shown)) and list(KeptFrames(path).folder.iterdir())
    events = events_of(path)
    assert any(kind == "dispute_rejected" for kind, _ in events)
    return events


def refuse_priority(patch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    patch.setattr(os, "setpriority", refuse)


def refuse_threads(patch: pytest.MonkeyPatch) -> None:
    """Let the system have no thread left for pictures and clips."""
    start = threading.Thread.start

    def refuse(thread: threading.Thread) -> None:
        if thread.name.startswith(("round-frames", "kept-frames")):
            raise RuntimeError("can’t start new thread")
        start(thread)

    patch.setattr(threading.Thread, "start", refuse)


FAULTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "no priority can be set": refuse_priority,
    "no thread is left": refuse_threads,
    "frames can’t be chosen": lambda patch: patch.setattr(frame_keeper, "frames_to_keep", fail),
    "frames can’t be written": lambda patch: patch.setattr(KeptFrames, "save", fail),
    "frames can’t be deleted": lambda patch: patch.setattr(KeptFrames, "trim", fail),
    "frames can’t be collected": lambda patch: patch.setattr(round_frames, "collect_frames", fail),
    "pictures can’t be drawn": lambda patch: patch.setattr(camera_table, "render_evidence", fail),
    "hands can't be shown": lambda patch: patch.setattr(reveal, "seat_crop", fail),
    "there is no slow motion": lambda patch: patch.setattr(reveal, "slow_motion_of", fail),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_match_needs_no_clip_and_no_picture(
    fault: str, unbroken: list[tuple[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FAULTS[fault](monkeypatch)
    play(tmp_path / "one.journal")
    assert events_of(tmp_path / "one.journal") == unbroken


def test_frames_are_kept_where_no_priority_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_priority(monkeypatch)
    play(tmp_path / "one.journal")
    assert list(KeptFrames(tmp_path / "one.journal").folder.iterdir())


def test_a_match_needs_no_sound(unbroken: list[tuple[str, Any]], tmp_path: Path) -> None:
    sound = SafeSound(BrokenSound())
    play(tmp_path / "one.journal", sound)
    sound.silence()
    sound.stop()
    assert events_of(tmp_path / "one.journal") == unbroken


class RefusesToHold(Network):
    hold_clips = fail


class RefusesToRelease(Network):
    @contextmanager
    def hold_clips(self) -> Iterator[None]:
        yield
        fail()


class CanNotShare(Network):
    share_clip = fail


class LosesTheClip(Network):
    def share_clip(self, event: int) -> Callable[[], TakeHomeStatus]:
        return fail


@pytest.mark.parametrize("network", [RefusesToHold, RefusesToRelease, CanNotShare, LosesTheClip])
def test_a_match_needs_nothing_that_makes_clips(
    network: type[Network], unbroken: list[tuple[str, Any]], tmp_path: Path
) -> None:
    shown = play(tmp_path / "one.journal", network=network())
    assert events_of(tmp_path / "one.journal") == unbroken
    errors = {view.status.error for view in shown if isinstance(view, TakeHomePage)}
    assert errors == ({"broken"} if network in (CanNotShare, LosesTheClip) else {""})


@pytest.mark.parametrize("raised", [ThrowlockError("no voice"), OSError(28, "full"), UnexpectedError("broken")])
def test_an_error_is_logged_with_what_is_missing(raised: Exception, caplog: pytest.LogCaptureFixture) -> None:
    with nonessential("a clip can’t be made"):
        raise raised
    [record] = caplog.records
    assert "a clip can’t be made" in record.getMessage()
    assert bool(record.exc_info) is isinstance(raised, UnexpectedError), (
        "a traceback only of what nobody has thought of"
    )


def test_volume_is_that_of_the_sound_behind() -> None:
    behind = NullSound()
    sound = SafeSound(behind)
    sound.volume = 0.3
    assert behind.volume == sound.volume == 0.3
