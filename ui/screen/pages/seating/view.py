"""The seating, entered by touch: a plan of the table, the names of those who have played here before, and a keyboard to
type a new one. Plain data and the presses on it; pure, like ``ui.screen.core.page_stack``."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from rules.engine import Seat

MAX_NAME_LENGTH = 20
"""The longest name that can be typed, in letters."""
KEYBOARD_ROWS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "en": ("qwertyuiop", "asdfghjkl'", "zxcvbnm-."),
        "de": ("qwertzuiopü", "asdfghjklöä", "yxcvbnmß-'."),
        "fr": ("azertyuiop", "qsdfghjklm", "wxcvbn'-é.", "èçàùêîôû"),
    }
)
"""The letters of the keyboard for each language."""
ACCENT_ROWS = ("áàâäãåæçčć", "éèêëěíìîïłñň", "óòôöõøœśšß", "úùûüůýÿžźżđð")
"""The letters with accents, for names from neighbouring languages."""
NARROW_ROW_LENGTH = 8
"""Letters in a row if the screen is too narrow for a keyboard's rows."""


@dataclass(frozen=True)
class SeatingView:
    """Ask who sits where. ``names`` are those so far in seat order ("": none), ``known_names`` those who have played
    here before, ``zone_centres`` the centre of each seat's zone in fractions of the camera's image. Answered with a
    SeatingAnswer, or with "back"."""

    title: str
    names: tuple[str, ...]
    known_names: tuple[str, ...] = ()
    zone_centres: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class SeatingAnswer:
    """The answer to SeatingView: everybody's name in seat order, "" for players without one."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class SelectSeat:
    """Press: select a seat of the plan, or go back to the plan (``None``)."""

    seat: Seat | None


@dataclass(frozen=True)
class SwapSeats:
    """Press: swap the player's seat with the one touched next on the plan."""


@dataclass(frozen=True)
class NamePlayer:
    """Press: give the seat's player a name, or none ("")."""

    name: str


@dataclass(frozen=True)
class OpenKeyboard:
    """Press: open the keyboard to write a name."""


@dataclass(frozen=True)
class TypeLetter:
    """Press: type a letter."""

    letter: str


@dataclass(frozen=True)
class EraseLetter:
    """Press: erase the last letter."""


@dataclass(frozen=True)
class ToggleCapitals:
    """Press: toggle capitals."""


@dataclass(frozen=True)
class ToggleAccents:
    """Press: toggle the letters with accents."""


SeatPress = (
    SelectSeat | SwapSeats | NamePlayer | OpenKeyboard | TypeLetter | EraseLetter | ToggleCapitals | ToggleAccents
)


@dataclass(frozen=True)
class PlanPage:
    """The plan. ``moving_seat`` is a seat whose player is about to swap seats."""

    view: SeatingView
    names: tuple[str, ...]
    moving_seat: Seat | None = None


@dataclass(frozen=True)
class NamePage:
    """The choice of one seat's player: a known name, a new one, or none."""

    plan: PlanPage
    seat: Seat
    list_page: int = 0


@dataclass(frozen=True)
class KeyboardPage:
    """The keyboard and the text typed so far. ``capital`` is the next letter's case; every part of a name starts with a
    capital."""

    plan: PlanPage
    seat: Seat
    text: str = ""
    capital: bool = True
    accents: bool = False


SeatingPage = PlanPage | NamePage | KeyboardPage


def plan_page(view: SeatingView) -> PlanPage:
    """Return the page that a view opens with."""
    return PlanPage(view, view.names)


def next_seating(page: SeatingPage, press: object) -> SeatingPage:
    """Return the page after a press. A press without a meaning changes nothing."""
    match page:
        case PlanPage():
            return _on_plan(page, press)
        case NamePage():
            return _on_names(page, press)
        case KeyboardPage():
            return _on_letters(page, press)


def _on_plan(page: PlanPage, press: object) -> SeatingPage:
    match press:
        case SelectSeat(seat=int() as seat) if page.moving_seat is not None:
            return replace(page, names=swap_names(page.names, page.moving_seat, seat), moving_seat=None)
        case SelectSeat(seat=int() as seat):
            return NamePage(page, seat)
        case SelectSeat(seat=None):
            return replace(page, moving_seat=None)
    return page


def _on_names(page: NamePage, press: object) -> SeatingPage:
    match press:
        case SelectSeat(seat=None):
            return page.plan
        case SwapSeats():
            return replace(page.plan, moving_seat=page.seat)
        case NamePlayer(name=name):
            return replace(page.plan, names=name_player(page.plan.names, page.seat, name))
        case OpenKeyboard():
            return KeyboardPage(page.plan, page.seat)
    return page


def _on_letters(page: KeyboardPage, press: object) -> SeatingPage:
    after: SeatingPage = page
    match press:
        case SelectSeat(seat=None):
            after = NamePage(page.plan, page.seat)
        case NamePlayer(name=name):
            after = replace(page.plan, names=name_player(page.plan.names, page.seat, name))
        case TypeLetter(letter=letter) if can_type(page, letter):
            after = _with_text(page, page.text + letter)
        case EraseLetter():
            after = _with_text(page, page.text[:-1])
        case ToggleCapitals():
            after = replace(page, capital=not page.capital)
        case ToggleAccents():
            after = replace(page, accents=not page.accents)
    return after


def _with_text(page: KeyboardPage, text: str) -> KeyboardPage:
    """Return the page with ``text``; the first letter of every part of a name is a capital."""
    return replace(page, text=text, capital=text[-1:] in ("", " ", "-"))


def can_type(page: KeyboardPage, letter: str) -> bool:
    """Return whether a letter, from the screen's keys or a keyboard's, can come next in the name."""
    fits = len(unicodedata.normalize("NFC", page.text + letter)) <= MAX_NAME_LENGTH
    return fits and letter.isprintable() and bool(letter) and not (letter == " " and page.text[-1:] in ("", " "))


def swap_names(names: Sequence[str], first: Seat, second: Seat) -> tuple[str, ...]:
    """Return the names with those of two seats swapped."""
    after = list(names)
    after[first - 1], after[second - 1] = after[second - 1], after[first - 1]
    return tuple(after)


def name_player(names: Sequence[str], seat: Seat, name: str) -> tuple[str, ...]:
    """Return the names with ``name`` in ``seat``. A player has only one seat: any other seat with that name loses
    it."""
    name = unicodedata.normalize("NFC", name).strip()
    updated = ["" if name and other.casefold() == name.casefold() else other for other in names]
    updated[seat - 1] = name
    return tuple(updated)


def available_names(view: SeatingView, names: Sequence[str]) -> tuple[str, ...]:
    """Return the known names without a seat, in their order."""
    seated = {name.casefold() for name in names}
    return tuple(name for name in view.known_names if name.casefold() not in seated)


def keyboard_rows(language: str, *, accents: bool, capital: bool, portrait: bool) -> list[str]:
    """Return the letters on the keys, row by row; in alphabetical order if the screen is narrow."""
    rows = list(ACCENT_ROWS if accents else KEYBOARD_ROWS.get(language, KEYBOARD_ROWS["en"]))
    if portrait:
        letters = sorted("".join(rows), key=lambda letter: (not letter.isalpha(), _without_accent(letter), letter))
        rows = ["".join(letters[at : at + NARROW_ROW_LENGTH]) for at in range(0, len(letters), NARROW_ROW_LENGTH)]
    return ["".join(_capital(letter) for letter in row) for row in rows] if capital else rows


def _without_accent(letter: str) -> str:
    """Return a letter without its accent."""
    return unicodedata.normalize("NFD", letter)[0]


def _capital(letter: str) -> str:
    """Return the capital of a letter; ß has none that begins a name."""
    return letter.upper() if len(letter.upper()) == 1 else letter


def place_cards(
    places: Sequence[tuple[float, float]], width: float, height: float, gap: float
) -> list[tuple[float, float]]:
    """Return the middles of cards of ``width`` by ``height``, each as near to its place as possible, without
    overlapping another or the edge; all in fractions. In two even rows if that is impossible."""
    centres = [_clamp_centre(x, y, width, height) for x, y in places]
    for _ in range(200):
        moved = False
        for first in range(len(centres)):
            for second in range(first + 1, len(centres)):
                apart = _push_apart(centres[first], centres[second], width + gap, height + gap)
                if apart is not None:
                    moved = True
                    centres[first], centres[second] = (_clamp_centre(x, y, width, height) for x, y in apart)
        if not moved:
            return centres
    across = -(-len(places) // 2)
    return [((n % across + 0.5) / across, 0.25 if n < across else 0.75) for n in range(len(places))]


def _clamp_centre(x: float, y: float, width: float, height: float) -> tuple[float, float]:
    return max(width / 2, min(1 - width / 2, x)), max(height / 2, min(1 - height / 2, y))


def _push_apart(
    first: tuple[float, float], second: tuple[float, float], width: float, height: float
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Return two middles pushed apart in the shorter direction; None if the cards don't overlap."""
    dx, dy = second[0] - first[0], second[1] - first[1]
    over_x, over_y = width - abs(dx), height - abs(dy)
    if over_x <= 1e-9 or over_y <= 1e-9:
        return None
    if over_x / width <= over_y / height:
        half = over_x / 2 * (1 if dx >= 0 else -1)
        return (first[0] - half, first[1]), (second[0] + half, second[1])
    half = over_y / 2 * (1 if dy >= 0 else -1)
    return (first[0], first[1] - half), (second[0], second[1] + half)
