"""A hall's matches by touch: offered on the home page, played once, gone when they are withdrawn; and the switch."""

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import throwlock.hall.link
from device.system.clock import SimulatedClock
from rules.catalogue import GAMES
from tests.helpers.panels import PANELS, Panel
from tests.helpers.sensible_people import MAX_TOUCHES, SensiblePeople
from throwlock.hall.homie import BoxFacts
from throwlock.hall.membership import Membership, write_membership
from throwlock.hall.protocol import HallPlayer, Pairing, Pairings
from throwlock.hall.switch import HallSwitch, PairingWithdrawnError, distinct_names, membership_path
from throwlock.home import GameSession
from throwlock.journal.events import HallMatch, MatchStarted
from throwlock.journal.journal import JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import runner_on
from throwlock.settings.model import HallSettings, Settings, read_settings, save_settings
from throwlock.table_setup.cameras import CameraKind
from ui.screen.core.display import WindowClosedError
from ui.screen.drawing.canvas import Canvas, Target
from ui.screen.pages.hall import ChosenPairing, HallPage, HallState, LinkStatus
from ui.screen.pages.home import GameMenu, GamesPage, ToolsPage
from ui.screen.pages.notice import Notice
from ui.screen.pages.result import MatchResult
from ui.screen.pages.seating import PlanPage
from ui.screen.views import Answer, Reply, View

MEMBERSHIP = Membership(hall="Spring Cup", host="192.168.1.9", ca="-", box="box-1", password="-")
ADA, BEN = (HallPlayer(id=letter * 32, name=name) for letter, name in (("a", "Ada"), ("b", "Ben")))
PAIRING = Pairing(
    id="1" * 32, tournament="Spring Cup", round=2, game="classic", options={"best_of": 1}, players=(ADA, BEN)
)


@dataclass
class Link:
    """A link that needs no network. ``status`` is as a test sets it; what was played is no longer offered."""

    journal: Path
    status: LinkStatus
    pairings: Pairings
    is_running: bool = False

    def start(self) -> None:
        self.is_running = True

    def stop(self) -> None:
        self.is_running = False


@dataclass
class Hall:
    """The links that were opened, and what each is told."""

    pairings: Pairings = field(default_factory=lambda: Pairings(table="Table 7", pairings=(PAIRING,)))
    links: list[Link] = field(default_factory=list)

    def open(self, membership: Membership, journal: Path, facts: object, *, pictures: bool) -> Link:
        self.links.append(Link(journal, LinkStatus(state=HallState.CONNECTED, is_answered=True), self.pairings))
        return self.links[-1]

    def offer(self, *pairings: Pairing) -> None:
        self.pairings = Pairings(table="Table 7", pairings=pairings)
        for link in self.links:
            link.pairings = self.pairings


@pytest.fixture
def hall(offline_box: Path, monkeypatch: pytest.MonkeyPatch) -> Hall:
    """A box that is part of a hall, whose link is on."""
    hall = Hall()
    monkeypatch.setattr(throwlock.hall.link, "HallLink", hall.open)
    write_membership(membership_path(offline_box), MEMBERSHIP)
    save_settings(offline_box, {"hall.on": True})
    return hall


def reply_of(target: Target) -> Answer:
    return target.press.value if isinstance(target.press, Reply) else None


def hall_button(canvas: Canvas) -> Target | None:
    return next((one for one in canvas.targets if reply_of(one) in ("hall", "hall is on")), None)


@dataclass
class HallPeople(SensiblePeople):
    """People who touch what ``at_home`` says on the home page, and what ``at_hall`` says on the hall's page. After
    ``plug_pulled_after`` touches the box goes off."""

    at_home: Callable[[Canvas], Target | None] = lambda canvas: None
    at_tools: Callable[[Canvas], Target | None] = hall_button
    at_hall: Callable[[Canvas], Target | None] = lambda canvas: None
    seating: Callable[[Canvas], Target | None] = lambda canvas: None
    plug_pulled_after: int = MAX_TOUCHES
    seen_hall: bool = False

    def choose(self, page: View, canvas: Canvas) -> Target:
        if len(self.touched) > self.plug_pulled_after:
            raise WindowClosedError("the plug was pulled")
        choose = {
            GamesPage: self.at_home,
            ToolsPage: self.at_tools,
            HallPage: self.at_hall,
            PlanPage: self.seating,
        }.get(type(page))
        wanted = choose(canvas) if choose is not None else None
        if isinstance(page, Notice) and "give it up" in map(reply_of, canvas.targets):
            wanted = next(target for target in canvas.targets if reply_of(target) == "go on")
        if isinstance(page, MatchResult):
            assert not [one for one in canvas.targets if reply_of(one) == "again"], "it is played once"
        return wanted or super().choose(page, canvas)


def offers(canvas: Canvas) -> list[Target]:
    return [one for one in canvas.targets if isinstance(reply_of(one), ChosenPairing)]


def tools_button(canvas: Canvas) -> Target:
    return next(one for one in canvas.targets if isinstance(one.press, ToolsPage))


def go_home(canvas: Canvas) -> Target:
    raise WindowClosedError("all went home")


def people(journal: Path, panel: Panel = PANELS[0], **values: Any) -> HallPeople:
    return HallPeople(random.Random(4), panel, SimulatedClock(), journal, 0, game="classic", **values)


def run(them: HallPeople) -> None:
    session = GameSession(LaunchOptions(them.journal, CameraKind.NONE), them, runner_on(them, them.clock), (), 0)
    with pytest.raises(WindowClosedError):
        session.run(None)
    assert them.bad_pages == {}


def starts(journal: Path) -> list[MatchStarted]:
    with JournalReader(journal) as reader:
        return [event.body for event in reader.events() if isinstance(event.body, MatchStarted)]


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: f"{panel.size[0]}x{panel.size[1]}")
def test_a_match_of_the_hall_is_played_from_the_home_page(panel: Panel, hall: Hall, tmp_path: Path) -> None:
    labels: list[str] = []

    def at_home(canvas: Canvas) -> Target | None:
        labels.extend(one.label for one in offers(canvas))
        if them.has_won:
            go_home(canvas)
        return offers(canvas)[0]

    them = people(tmp_path / "j", panel, at_home=at_home)
    run(them)
    assert labels[0] == "Table 7: Ada against Ben"
    [started] = starts(tmp_path / "j")
    assert started.hall == HallMatch(pairing=PAIRING.id, players=(ADA.id, BEN.id))
    assert started.options["best_of"] == 1
    with JournalReader(tmp_path / "j") as reader:
        assert reader.events()[0].names == ("Ada", "Ben") and reader.ended_pairings() == {PAIRING.id}
    assert [link.is_running for link in hall.links] == [False], "closed with the box"


def test_an_interrupted_match_of_the_hall_goes_on_for_its_pairing(hall: Hall, tmp_path: Path) -> None:
    hall.offer(PAIRING.model_copy(update={"options": {"best_of": 7}}))
    run(people(tmp_path / "j", at_home=lambda canvas: offers(canvas)[0], plug_pulled_after=12))
    them: HallPeople = people(tmp_path / "j", at_home=lambda canvas: go_home(canvas) if them.has_won else None)
    run(them)
    assert them.has_won
    [started] = starts(tmp_path / "j")
    assert started.hall is not None and started.hall.pairing == PAIRING.id


def test_players_may_swap_seats_and_the_hall_knows_who_sat_where(hall: Hall, tmp_path: Path) -> None:
    to_touch = ["Ada", "Ben"]

    def seating(canvas: Canvas) -> Target | None:
        name = to_touch.pop(0) if to_touch else ""
        return next((one for one in canvas.targets if name and name in one.label), None)

    them: HallPeople = people(
        tmp_path / "j",
        at_home=lambda canvas: go_home(canvas) if them.has_won else offers(canvas)[0],
        seating=seating,
    )
    run(them)
    [started] = starts(tmp_path / "j")
    assert started.hall is not None
    with JournalReader(tmp_path / "j") as reader:
        assert reader.events()[0].names == ("Ben", "Ada")
        assert started.hall.players == (BEN.id, ADA.id)


def test_touch_on_a_withdrawn_match_is_told(hall: Hall, tmp_path: Path) -> None:
    def at_home(canvas: Canvas) -> Target | None:
        if not hall.pairings.pairings:
            assert not offers(canvas)
            go_home(canvas)
        target = offers(canvas)[0]
        hall.offer()
        return target

    them = people(tmp_path / "j", at_home=at_home)
    run(them)
    assert "Notice" in " ".join(them.pages) and not (tmp_path / "j").exists()


def test_the_home_page_shows_what_comes_while_nobody_touches_it(hall: Hall, tmp_path: Path) -> None:
    switch = HallSwitch(tmp_path / "j", tmp_path / "throwlock.toml", lambda: BoxFacts(camera="none"))
    with switch:
        switch.apply(read_settings())
        page = GamesPage(GameMenu(tuple(GAMES.values()), current_offer=switch.current_offer))
        assert page.at_time(1.0).view.offer is not None
        hall.offer()
        assert page.at_time(2.0).view.offer is None
        with pytest.raises(PairingWithdrawnError):
            switch.choose(ChosenPairing(PAIRING.id))


def test_the_link_is_switched_by_touch_and_stays_so(hall: Hall, offline_box: Path, tmp_path: Path) -> None:
    wanted = iter(["Switch it off", "Switch it on", "Pictures of disputed rounds: not sent", "Done"])

    def at_hall(canvas: Canvas) -> Target:
        label = next(wanted)
        return next(one for one in canvas.targets if one.label == label)

    def at_home(canvas: Canvas) -> Target:
        if them.seen_hall:
            go_home(canvas)
        them.seen_hall = True
        return tools_button(canvas)

    them = people(tmp_path / "j", at_home=at_home, at_hall=at_hall)
    run(them)
    assert read_settings(offline_box).hall == HallSettings(on=True, pictures=True)
    assert len(hall.links) == 3 and not any(link.is_running for link in hall.links)


def test_a_match_starts_from_the_halls_page_too(hall: Hall, tmp_path: Path) -> None:
    def at_home(canvas: Canvas) -> Target:
        if them.has_won:
            go_home(canvas)
        return tools_button(canvas)

    them = people(tmp_path / "j", at_home=at_home, at_hall=lambda canvas: offers(canvas)[0])
    run(them)
    [started] = starts(tmp_path / "j")
    assert started.hall is not None


@pytest.fixture
def no_link(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def fail(*values: object, **more: object) -> None:
        raise AssertionError("a link was opened")

    monkeypatch.setattr(throwlock.hall.link, "HallLink", fail)
    yield
    assert "hall" not in [thread.name for thread in threading.enumerate()]


def test_off_nothing_is_opened_and_without_a_hall_nothing_is_shown(
    no_link: None, offline_box: Path, tmp_path: Path
) -> None:
    seen: list[bool] = []

    def at_tools(canvas: Canvas) -> Target:
        seen.append(hall_button(canvas) is not None)
        return go_home(canvas)

    run(people(tmp_path / "j", at_home=tools_button, at_tools=at_tools))
    save_settings(offline_box, {"hall.on": True})
    run(people(tmp_path / "j", at_home=tools_button, at_tools=at_tools))
    save_settings(offline_box, {"hall.on": False})
    write_membership(membership_path(offline_box), MEMBERSHIP)
    run(people(tmp_path / "j", at_home=tools_button, at_tools=at_tools))
    assert seen == [False, False, True]


def test_a_file_that_is_broken_is_told(no_link: None, tmp_path: Path) -> None:
    settings_file = tmp_path / "throwlock.toml"
    membership_path(settings_file).write_text("hall = 3")
    switch = HallSwitch(tmp_path / "j", settings_file, lambda: BoxFacts(camera="none"))
    switch.apply(Settings(hall=HallSettings(on=True)))
    status = switch.status()
    assert status.state == HallState.REFUSED and "is no hall’s file" in str(status.error)


def test_two_players_of_the_same_name_are_told_apart() -> None:
    assert distinct_names(["Ada", "Ada", "Ben", "Ada"]) == ("Ada", "Ada 2", "Ben", "Ada 3")
