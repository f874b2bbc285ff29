"""Entering players' names by touch, keyboard and from the known names."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.journal_events import STARTED
from tests.helpers.page_rules import drawn
from throwlock.journal.events import MatchAbandoned
from throwlock.journal.journal import Journal
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.table_setup.player_names import ask_player_names, fill_in_names, have_played, known_names, last_names
from ui.i18n.keyboards import ACCENT_ROWS, KEYBOARD_ROWS, arrange_keys, letter_rows
from ui.screen.drawing.canvas import target_at
from ui.screen.input import type_key
from ui.screen.pages.box_setup import password_rows
from ui.screen.pages.seating import (
    MAX_NAME_LENGTH,
    KeyboardPage,
    NamePage,
    PlanPage,
    SeatingAnswer,
    SeatingView,
    place_cards,
)
from ui.screen.views import Dialogue, Press, Reply
from vision.zones import Zone, default_zones

KNOWN = ("Zoë", "Max", "Ørjan")


def sitting(*names: str, known: Sequence[str] = KNOWN) -> Dialogue:
    places = tuple((zone.x + zone.w / 2, zone.y + zone.h / 2) for zone in default_zones(len(names)))
    return Dialogue(SeatingView("Classic", names, tuple(known), places))


def targets(dialogue: Dialogue) -> dict[str, Press]:
    """Return what the targets of the page lead to, by label."""
    canvas = drawn(dialogue.page)
    return {target.label: target.press for target in canvas.targets}


def touch(dialogue: Dialogue, *labels: str) -> Reply | None:
    """Press the targets with these labels, and return the reply."""
    for label in labels:
        reply = dialogue.press(targets(dialogue)[label])
        if reply is not None:
            return reply
    return None


def test_one_touch_skips_the_page() -> None:
    assert touch(sitting("", ""), "Play") == Reply(SeatingAnswer(("", "")))


def test_a_known_name_is_picked() -> None:
    dialogue = sitting("", "")
    touch(dialogue, "Player 2", "Zoë")
    assert isinstance(dialogue.page, PlanPage) and dialogue.page.names == ("", "Zoë")
    touch(dialogue, "Player 1")
    assert "Zoë" not in targets(dialogue) and "Max" in targets(dialogue), "she sits already"
    assert touch(dialogue, "Max", "Play") == Reply(SeatingAnswer(("Max", "Zoë")))


def test_a_name_is_typed() -> None:
    dialogue = sitting("", "")
    touch(
        dialogue, "Player 1", "Write a name", "J", "ÀÉß", "ü", "abc", "r", "g", "Erase a letter", *"gen", "Space", "K"
    )
    page = dialogue.page
    assert isinstance(page, KeyboardPage) and page.text == "Jürgen K"
    touch(dialogue, "Done")
    assert isinstance(dialogue.page, PlanPage) and dialogue.page.names == ("Jürgen K", "")


def test_players_change_places_and_can_stay() -> None:
    dialogue = sitting("Ann", "Ben", "Chidi")
    touch(dialogue, "Ann", "Swap seats", "Chidi")
    assert isinstance(dialogue.page, PlanPage) and dialogue.page.names == ("Chidi", "Ben", "Ann")
    touch(dialogue, "Ben", "Swap seats", "Stay here")
    assert dialogue.page.names == ("Chidi", "Ben", "Ann") and dialogue.page.moving_seat is None


def test_a_name_is_removed_and_used_only_once() -> None:
    dialogue = sitting("Ann", "")
    touch(dialogue, "Ann", "No name")
    assert isinstance(dialogue.page, PlanPage) and dialogue.page.names == ("", "")
    twice = sitting("Ann", "", known=())
    touch(twice, "Player 2", "Write a name")
    touch(twice, "Capitals", *"ann", "Done")
    assert isinstance(twice.page, PlanPage) and twice.page.names == ("", "ann")


def test_many_names_are_paged() -> None:
    many = tuple(f"Name {number}" for number in range(45))
    dialogue = sitting("", "", known=many)
    touch(dialogue, "Player 1")
    found = set(targets(dialogue))
    while "More" in targets(dialogue):
        touch(dialogue, "More")
        found |= set(targets(dialogue))
    assert found == {*many, "No name", "Write a name", "Swap seats", "Back", "More", "Earlier"}


@given(st.lists(st.sampled_from([*"aZé -'", "\n", "\t"]), max_size=40))
def test_any_typed_name_is_printable(letters: list[str]) -> None:
    page = KeyboardPage(PlanPage(SeatingView("Classic", ("", "")), ("", "")), 1)
    for letter in letters:
        page = page.type_letter(letter)
    assert len(page.text) <= MAX_NAME_LENGTH and page.text.isprintable()
    assert not page.text.startswith(" ") and "  " not in page.text


def test_every_letter_has_a_key_in_both_cases() -> None:
    for language, rows in KEYBOARD_ROWS.items():
        small, large = ("".join(arrange_keys(rows, capital=capital)) for capital in (False, True))
        assert letter_rows(language) == rows
        assert set("abcdefghijklmnopqrstuvwxyz-'1234567890") <= set(small)
        assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZ") <= set(large)
        assert len(set(small)) == len(small), "no key is there twice"
    accents = "".join(ACCENT_ROWS)
    assert sorted(accents) == sorted("".join(ACCENT_ROWS)) and set("äöüßéèêëàçñøå") <= set(accents)


@pytest.mark.parametrize("language", KEYBOARD_ROWS)
def test_names_and_passwords_have_the_same_keys(language: str) -> None:
    names, password = letter_rows(language), password_rows(language, symbols=False)
    assert password == [row for row in names if row in password]
    assert set("abcdefghijklmnopqrstuvwxyz") <= set("".join(password))


def test_a_row_of_keys_is_whole_on_a_narrow_screen() -> None:
    page = KeyboardPage(PlanPage(SeatingView("Classic", ("", "")), ("", "")), 1)
    keys = {target.label: target for target in drawn(page, (720, 1280)).targets}
    row = [keys[letter] for letter in "QWERTYUIOP"]
    assert len({target.rect.y for target in row}) == 1
    between = ((row[0].rect.right + row[1].rect.left) // 2 - 2, row[0].rect.bottom + 1)
    assert target_at(keys.values(), between) == row[0]


def key(kind: int, name: int = 0, text: str = "") -> pygame.event.Event:
    return pygame.event.Event(kind, {"key": name, "unicode": text, "text": text})


def test_a_physical_keyboard_works() -> None:
    page = KeyboardPage(PlanPage(SeatingView("Classic", ("", "")), ("", "")), 1, text="Zo")
    assert type_key(page, key(pygame.TEXTINPUT, text="ë")) == page.with_text("Zoë")
    assert type_key(page, key(pygame.KEYDOWN, pygame.K_q, "q")) is page, "no seat's button while a name is written"
    assert type_key(page, key(pygame.KEYDOWN, pygame.K_BACKSPACE, "\b")) == page.with_text("Z")
    assert type_key(page, key(pygame.KEYDOWN, pygame.K_RETURN, "\r")) == replace(page.plan, names=("Zo", ""))
    assert type_key(page, key(pygame.KEYDOWN, pygame.K_ESCAPE, "\x1b")) is None, "Escape leaves as ever"
    assert type_key(page, key(pygame.KEYDOWN, pygame.K_LEFT)) is None


PLACES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8)


@given(PLACES)
def test_name_cards_do_not_overlap(places: list[tuple[float, float]]) -> None:
    wide, high = 0.23, 0.3
    middles = place_cards(places, wide, high, 0.01)
    assert len(middles) == len(places)
    for x, y in middles:
        assert wide / 2 - 1e-9 <= x <= 1 - wide / 2 + 1e-9 and high / 2 - 1e-9 <= y <= 1 - high / 2 + 1e-9
    for (ax, ay), (bx, by) in combinations(middles, 2):
        assert abs(ax - bx) >= wide - 1e-9 or abs(ay - by) >= high - 1e-9


def test_seats_are_placed_by_zone() -> None:
    zones = (Zone(0.7, 0.1, 0.3, 0.4), Zone(0, 0.5, 0.3, 0.4), Zone(0.3, 0, 0.3, 0.3))
    middles = place_cards([(z.x + z.w / 2, z.y + z.h / 2) for z in zones], 0.23, 0.3, 0.01)
    assert middles[0][0] > 0.6 > middles[2][0] > 0.3 > middles[1][0]
    assert middles[2][1] < middles[0][1] < middles[1][1]


def box(path: Path, *matches: tuple[str, ...]) -> Path:
    with Journal(path) as journal:
        for names in matches:
            journal.append(journal.start_match(STARTED, names), MatchAbandoned())
    return path


def test_known_names_are_newest_first(tmp_path: Path) -> None:
    path = box(tmp_path / "a.journal", ("Ann", "Ben"), ("Player 1", "Zoë"), ("Ann", "Player 2"))
    assert known_names(path) == ("Zoë", "Ben", "Ann")
    with Journal(path) as journal:
        forgotten = next(name for name, of in journal.players().items() if of == "Ben")
    JournalMaintenance(path).forget(forgotten)
    assert known_names(path) == ("Zoë", "Ann"), "nobody who was forgotten is offered"


def test_the_last_match_tells_who_sits_where(tmp_path: Path) -> None:
    path = box(tmp_path / "a.journal", ("Ann", "Ben"), ("Ann", "Player 2", "Zoë"))
    assert last_names(path) == ("Ann", "", "Zoë")
    with Journal(tmp_path / "empty.journal"):
        assert last_names(tmp_path / "empty.journal") == ()
    box(path, tuple(f"Student {number}" for number in range(9)))
    assert last_names(path) == (), "a class does not sit at the seats"


@pytest.mark.parametrize("content", [None, b"", b"Dear diary"])
def test_without_a_journal_no_names_are_known(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "a.journal"
    if content is not None:
        path.write_bytes(content)
    assert known_names(path) == () == last_names(path)


class OnTheScreen:
    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.seen: list[object] = []

    def show(self, view: object) -> None:
        raise AssertionError

    def ask(self, view: object) -> object:
        self.seen.append(view)
        return self.answer


def test_names_are_asked_at_the_zones(tmp_path: Path) -> None:
    screen = OnTheScreen(SeatingAnswer(("Ann", "")))
    zones = (Zone(0, 0, 0.5, 1), Zone(0.5, 0, 0.5, 1))
    assert ask_player_names(screen, "Classic", ("", ""), zones, tmp_path / "none") == ("Ann", "")  # type: ignore[arg-type]
    view = screen.seen[0]
    assert isinstance(view, SeatingView) and view.zone_centres == ((0.25, 0.5), (0.75, 0.5)) and view.known_names == ()
    back = OnTheScreen("back")
    assert ask_player_names(back, "Classic", ("", ""), zones, tmp_path / "none") is None  # type: ignore[arg-type]
    assert fill_in_names(("Ann", ""), ("Player 1", "Player 2", "Player 3")) == ("Ann", "Player 2", "Player 3")


def test_the_names_page_has_back_and_shift() -> None:
    dialogue = sitting("", "")
    touch(dialogue, "Player 1", "Write a name", "Capitals", "d")
    page = dialogue.page
    assert isinstance(page, KeyboardPage) and page.text == "d" and not page.capital
    touch(dialogue, "Back")
    assert isinstance(dialogue.page, NamePage)
    touch(dialogue, "Back")
    assert dialogue.page == PlanPage(dialogue.view, ("", ""))  # type: ignore[arg-type]


def test_who_has_played_a_game_is_read_from_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    assert not have_played(["Ann"], STARTED.game, path)
    with Journal(path) as journal:
        journal.start_match(STARTED, ["Zoë", "Ben"])
    assert have_played([" ZOË", "Chidi"], STARTED.game, path)
    assert not have_played(["Chidi", "Dora"], STARTED.game, path)
    assert not have_played(["Zoë", "Ben"], "other", path)
    path.write_bytes(b"no journal at all, but long enough to be read as one")
    assert have_played(["Chidi"], STARTED.game, path), "nothing is offered before the error is shown"
