"""Who is here: what people say of themselves on phones, the seats they get by it, and what is thrown away."""

from pathlib import Path

import pytest

from rules.catalogue import GAMES
from tests.helpers.pad_phones import Phones
from tests.helpers.scripted_display import ScriptedDisplay
from throwlock.home import GameSession
from throwlock.house_rules import HouseRules
from throwlock.launch_options import LaunchOptions
from throwlock.match.pause import show_guests
from throwlock.pads import guests as book
from throwlock.pads.table import FORGOTTEN_AFTER_S, LOST_AFTER_S
from throwlock.seating import SeatAssigner, new_match_config
from throwlock.session import Services
from throwlock.web.lan_switch import LanSwitch
from ui.screen.pages import network as network_page
from ui.screen.pages.common import HOME_ANSWER
from ui.screen.pages.guests import COLOURS, Guest, GuestsChoice, GuestsPage, RemoveGuest
from ui.screen.pages.home import ChosenGame, GameMenu, HomeTool
from ui.screen.pages.phones import PhonesPage
from ui.screen.pages.seating import SeatingAnswer, SeatingView, available_names
from ui.screen.views import Answer, InteractiveView, View
from vision.zones import default_zones

NAMES = ("Ada", "Ben", "Cy")


@pytest.fixture
def phones() -> Phones:
    made = Phones(NAMES)
    made.pads.close()
    return made


def introduce(phones: Phones, phone: str, name: str, picture: str = "cat", colour: int = 1) -> None:
    phones.clock.now_s += book.PHONE_LIMIT.window_s / book.PHONE_LIMIT.count
    phones.pads.introduce(phone, name, picture, colour)


def test_guests_are_known_in_the_order_in_which_they_came(phones: Phones) -> None:
    for phone, name in (("a", "  Zoë "), ("b", "محمد"), ("c", "李小龙")):
        introduce(phones, phone, name)
    introduce(phones, "a", "Zoé", "owl", 8)
    assert phones.pads.guests == (Guest("Zoé", "owl", 8), Guest("محمد", "cat", 1), Guest("李小龙", "cat", 1))
    assert phones.pads.state("b").guest == Guest("محمد", "cat", 1)


@pytest.mark.parametrize("name", ["", " \t", "\u200b", "a\ue000b", "n" * 21, " ADA"])
def test_a_name_that_cannot_be_used_changes_nothing_and_is_explained(phones: Phones, name: str) -> None:
    introduce(phones, "a", "Ada")
    introduce(phones, "b", name)
    state = phones.pads.state("b")
    assert state.guest is None and state.typed_name is not None and state.typed_name.note
    introduce(phones, "b", "Bea")
    assert phones.pads.state("b").typed_name is None


@pytest.mark.parametrize(("picture", "colour"), [("unicorn", 1), ("", 1), ("cat", 0), ("cat", len(COLOURS) + 1)])
def test_there_are_no_other_pictures_and_colours(phones: Phones, picture: str, colour: int) -> None:
    introduce(phones, "a", "Ada", picture, colour)
    assert phones.pads.guests == ()


def test_a_letter_that_no_font_has_is_told_where_the_name_is_entered(
    phones: Phones, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "missing_letters", lambda name: "ꙮ" if "ꙮ" in name else "")
    introduce(phones, "a", "Bꙮris")
    state = phones.pads.state("a")
    assert state.guest is not None and state.guest.name == "Bꙮris"
    assert state.typed_name is not None and "ꙮ" in state.typed_name.note and not state.typed_name.text


def test_what_a_phone_sends_beyond_the_limits_is_thrown_away(phones: Phones) -> None:
    for number in range(book.PHONE_LIMIT.count + 3):
        phones.pads.introduce("a", f"Ada{number}", "cat", 1)
    assert [guest.name for guest in phones.pads.guests] == [f"Ada{book.PHONE_LIMIT.count - 1}"]
    phones.clock.now_s += book.PHONE_LIMIT.window_s
    phones.pads.introduce("a", "Ada", "cat", 1)
    assert phones.pads.guests[0].name == "Ada"


def test_all_phones_together_have_a_limit_and_so_has_the_list(phones: Phones) -> None:
    for number in range(book.SHARED_LIMIT.count + 5):
        phones.pads.introduce(str(number), f"Guest {number}", "cat", 1)
    assert len(phones.pads.guests) == book.SHARED_LIMIT.count == book.MAX_GUESTS
    phones.clock.now_s += book.SHARED_LIMIT.window_s
    phones.pads.introduce("late", "Late", "cat", 1)
    assert len(phones.pads.guests) == book.MAX_GUESTS and phones.pads.state("late").typed_name is not None


def test_a_guest_who_is_seated_gets_the_pad(phones: Phones) -> None:
    introduce(phones, "b", "BEN")
    introduce(phones, "d", "Dot")
    phones.pads.open(NAMES)
    assert phones.pads.state("b").seat == 2 and phones.pads.state("d").seat is None
    assert not phones.pads.needs_phones
    introduce(phones, "c", "Cy")
    assert phones.pads.state("c").seat is None, "a seat is taken where everybody sees it"
    phones.pads.show(PhonesPage(phones.pads.status, phones.pads.status()))
    introduce(phones, "c", "Cy", "owl")
    assert phones.pads.state("c").seat == 3
    phones.pads.open(("Dot", "Cy"))
    seats = {phone: phones.pads.state(phone).seat for phone in "bcd"}
    assert seats == {"b": None, "c": 2, "d": 1}


def test_a_guest_takes_no_seat_from_a_phone_that_is_there(phones: Phones) -> None:
    phones.pads.open(NAMES)
    phones.join(1)
    introduce(phones, "a", "Ada")
    phones.state(1)
    phones.pads.open(NAMES)
    assert phones.state(1).seat == 1 and phones.pads.state("a").seat is None
    phones.clock.now_s += LOST_AFTER_S
    phones.pads.open(NAMES)
    assert phones.pads.state("a").seat == 1


def test_students_get_no_seats_by_name() -> None:
    phones = Phones(("Ada", "Ben"), in_class=True)
    introduce(phones, "a", "Ada")
    phones.pads.open(("Ada", "Ben"), in_class=True)
    assert phones.pads.state("a").seat is None


def test_guests_are_forgotten(phones: Phones) -> None:
    for phone, name in zip("abc", NAMES, strict=True):
        introduce(phones, phone, name)
    phones.pads.forget_guest("a")
    phones.pads.forget_guest_named(" ben")
    assert [guest.name for guest in phones.pads.guests] == ["Cy"]
    phones.clock.now_s += FORGOTTEN_AFTER_S
    assert phones.pads.guests == ()
    introduce(phones, "a", "Ada")
    phones.pads.forget_phones()
    assert phones.pads.guests == ()


def test_the_list_on_the_touchscreen(phones: Phones) -> None:
    shown: list[GuestsPage] = []
    answers: list[Answer] = [RemoveGuest("Ada"), GuestsChoice.FORGET_ALL, GuestsChoice.DONE]

    class Touchscreen:
        def show(self, view: View) -> None: ...

        def ask(self, view: InteractiveView) -> Answer:
            assert isinstance(view, GuestsPage)
            shown.append(view)
            return answers[len(shown) - 1]

    for phone, name in zip("abc", NAMES, strict=True):
        introduce(phones, phone, name)
    show_guests(Touchscreen(), phones.pads)
    assert [[guest.name for guest in page.status.guests] for page in shown] == [[*NAMES], ["Ben", "Cy"], []]
    introduce(phones, "d", "Dot")
    assert [guest.name for guest in shown[0].at_time(1.0).status.guests] == ["Dot"]


def test_seats_are_offered_to_guests_first(phones: Phones, tmp_path: Path) -> None:
    introduce(phones, "z", "Zoë")
    introduce(phones, "b", "Bo")
    asked: list[SeatingView] = []

    class Touchscreen:
        def show(self, view: View) -> None: ...

        def ask(self, view: InteractiveView) -> Answer:
            assert isinstance(view, SeatingView)
            asked.append(view)
            return SeatingAnswer(view.first_page().seat_everybody().names)

    assigner = SeatAssigner(Touchscreen(), tmp_path / "none.journal", (), phones.pads, explains=False)
    config = new_match_config(GAMES["classic"].set_up(3, {}), (), HouseRules(), 1, "usb:0")
    assert assigner.assign(config, default_zones(3)).names == ("Zoë", "Bo", "Player 3")
    assert asked[0].here == ("Zoë", "Bo") and available_names(asked[0], ("", "", "")) == ("Zoë", "Bo")


def test_the_home_page_leads_to_the_list_while_phones_are_on(tmp_path: Path) -> None:
    wanted, services = ChosenGame("classic", 2, {}), Services()
    screen = ScriptedDisplay(
        HomeTool.NETWORK,
        network_page.ON,
        HOME_ANSWER,
        HomeTool.GUESTS,
        GuestsChoice.FORGET_ALL,
        GuestsChoice.DONE,
        wanted,
    )
    options = LaunchOptions(tmp_path / "j", "none")
    session = GameSession(options, screen, lambda *_: None, (), 0, services=services)
    with LanSwitch(tmp_path / "j", port=0, pads=services.pads) as session.network:
        session.choose_game()
    pages = [view for view in screen.seen if isinstance(view, GuestsPage)]
    assert len(pages) == 2 and all(page.status.address is not None for page in pages)
    home = screen.seen[-1]
    assert isinstance(home, GameMenu) and home.join == pages[0].status.address


@pytest.mark.parametrize(
    ("names", "here", "seated"),
    [
        (("", "", ""), ("Ann", "Bob"), ("Ann", "Bob", "")),
        (("Zoë", "Bob", ""), ("Ann", "bob"), ("Ann", "Bob", "")),
        (("", ""), ("Ann", "Bob", "Cy"), ("Ann", "Bob")),
        (("", "Cy"), ("Ann", "Bob", "Cy"), ("Ann", "Cy")),
    ],
)
def test_everybody_here_is_seated(names: tuple[str, ...], here: tuple[str, ...], seated: tuple[str, ...]) -> None:
    plan = SeatingView("Classic", names, here=here).first_page()
    assert plan.seat_everybody().names == seated
