"""The first start of a box leads through what is set up once, and everything can be left out."""

from pathlib import Path
from typing import Any

import pytest

from device.simulated.host import SimulatedHost
from device.system.host import Host, HostFeature
from rules.catalogue import GAMES
from tests.helpers.home_people import People
from throwlock import box_setup
from throwlock.first_start import CAMERA, PLAY, SET_UP, SKIP, SKIP_ALL, SOUND, TIME_ZONE, WIFI
from throwlock.home import GameSession
from throwlock.house_rules import HouseRules
from throwlock.journal.events import MatchAbandoned
from throwlock.journal.journal import Journal
from throwlock.launch_options import LaunchOptions
from throwlock.replay.config import MatchConfig
from throwlock.settings.model import read_settings
from ui.screen.core.display import WindowClosedError
from ui.screen.pages.box_setup import CameraPage, TimeZoneView, WifiView
from ui.screen.pages.home import GameMenu
from ui.screen.pages.notice import Notice
from ui.screen.pages.settings import LanguageChoice, SettingsAnswer, SettingsView


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "throwlock.toml"))
    monkeypatch.setattr(box_setup, "find_cameras", dict)


def start(tmp_path: Path, host: Host | None, answers: dict[type, Any], camera: str = "none") -> People:
    """Start a box until somebody closes the window at the home page."""
    people = People({LanguageChoice: "fr", GameMenu: [], **answers})
    with pytest.raises(WindowClosedError):
        GameSession(LaunchOptions(tmp_path / "j", camera), people, lambda *_: "home", (), 0, host).run(None)
    return people


def test_it_leads_through_every_step_once(tmp_path: Path) -> None:
    seen = {CameraPage: "back", TimeZoneView: "back", WifiView: "back", SettingsView: SettingsAnswer({}, None)}
    people = start(tmp_path, SimulatedHost(), {Notice: SET_UP, **seen})
    asked = [type(view) for view in people.seen if type(view) in (LanguageChoice, GameMenu, *seen)]
    assert asked == [LanguageChoice, TimeZoneView, CameraPage, SettingsView, WifiView, GameMenu]
    assert [view.section for view in people.of(SettingsView)] == ["sound"]
    assert [view.text for view in people.of(Notice)] == [step[1] for step in (TIME_ZONE, CAMERA, SOUND, WIFI)]
    settings = read_settings(tmp_path / "throwlock.toml").screen
    assert (settings.language, settings.first_start) == ("fr", False)
    again = start(tmp_path, SimulatedHost(), {})
    assert not again.of(LanguageChoice) and not again.of(Notice)


@pytest.mark.parametrize(("answer", "offers"), [(SKIP, 6), (SKIP_ALL, 1)])
def test_everything_can_be_left_out(answer: str, offers: int, tmp_path: Path) -> None:
    people = start(tmp_path, SimulatedHost(), {Notice: answer}, "usb:0")
    assert len(people.of(Notice)) == offers and not people.of(TimeZoneView) and people.of(GameMenu)


def test_the_first_round_is_played_and_nothing_is_left_to_skip_after_it(tmp_path: Path) -> None:
    offers = start(tmp_path, SimulatedHost(), {Notice: SKIP}, "usb:0").of(Notice)
    assert [offer.choices for offer in offers[:-1]] == [(SET_UP, SKIP, SKIP_ALL)] * 5
    assert offers[-1].choices == (PLAY, SKIP)


def test_what_a_system_lacks_is_left_out(tmp_path: Path) -> None:
    people = start(tmp_path, SimulatedHost(missing=list(HostFeature)), {Notice: SKIP})
    assert [view.text for view in people.of(Notice)] == [CAMERA[1], SOUND[1]]


def test_a_computer_that_is_no_box_and_a_box_that_has_played_are_not_led(tmp_path: Path) -> None:
    assert not start(tmp_path, None, {}).of(LanguageChoice)
    config = MatchConfig(GAMES["classic"].set_up(2), ("Ann", "Ben"), HouseRules(), 0, "none")
    with Journal(tmp_path / "j") as journal:
        journal.append(journal.start_match(config.start_event(), config.names), MatchAbandoned())
    assert not start(tmp_path, SimulatedHost(), {}).of(LanguageChoice)
