"""Who is here: what people say of themselves on their phones, in the memory of the running box only."""

from collections.abc import Callable
from dataclasses import dataclass

from messages import N, capitalise
from ui.fonts import missing_letters
from ui.screen.pages.guests import COLOURS, PICTURES, Guest
from ui.screen.pages.seating import MAX_NAME_LENGTH
from ui.text.names import NameTextError, check_name, normalise_name
from ui.web.access_code import RateLimit, RecentTimes

MAX_GUESTS = 60
PHONE_LIMIT, SHARED_LIMIT = RateLimit(8, 10), RateLimit(60, 10)
"""What is taken of one phone, and of all of them: names, guesses and reactions together. Anything more is thrown
away."""
NO_FONT = N("The box has no font with “{letters}”: it draws a box instead.")


@dataclass(frozen=True)
class TypedName:
    """What became of the name that was last typed on a phone."""

    text: str
    note: str
    """What is wrong with it; "" for nothing."""


class GuestBook:
    """The guests by phone, in the order in which they came. For one thread. ``now`` returns a monotonic time in s."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._guests: dict[str, Guest] = {}
        self._typed: dict[str, TypedName] = {}
        self._recent: dict[str, RecentTimes] = {}
        self._all_recent = RecentTimes((SHARED_LIMIT,))

    @property
    def guests(self) -> tuple[Guest, ...]:
        """Everybody who is here."""
        return tuple(self._guests.values())

    @property
    def phones(self) -> tuple[str, ...]:
        """The phones of which anything is known."""
        return tuple(dict.fromkeys((*self._guests, *self._typed, *self._recent)))

    def of_phone(self, phone: str) -> Guest | None:
        """Return who holds a phone; None if nobody has said so."""
        return self._guests.get(phone)

    def phone_of(self, name: str) -> str | None:
        """Return the phone of whoever has this name; None if they are not here."""
        wanted = normalise_name(name)
        return next((phone for phone, guest in self._guests.items() if normalise_name(guest.name) == wanted), None)

    def typed_name(self, phone: str) -> TypedName | None:
        """Return the name that was last typed on a phone, if there is something to say about it."""
        return self._typed.get(phone)

    def lets_through(self, phone: str) -> bool:
        """Return whether something that a phone sends is within the limits, and count it if it is."""
        now_s = self._now()
        recent = self._recent.setdefault(phone, RecentTimes((PHONE_LIMIT,)))
        if max(recent.free_at_s(now_s), self._all_recent.free_at_s(now_s)) > now_s:
            return False
        recent.add(now_s)
        self._all_recent.add(now_s)
        return True

    def introduce(self, phone: str, name: str, picture: str, colour: int) -> None:
        """Note who holds a phone. A name that can't be used changes nothing but what is said about it; a picture or
        colour that there is none of changes nothing."""
        if picture not in PICTURES or not 1 <= colour <= len(COLOURS):
            return
        try:
            self._guests[phone] = Guest(self._check(phone, name), picture, colour)
        except NameTextError as error:
            self._typed[phone] = TypedName(name[:MAX_NAME_LENGTH], capitalise(error.text))
            return
        self._typed.pop(phone, None)
        if letters := missing_letters(self._guests[phone].name):
            self._typed[phone] = TypedName("", N(NO_FONT, letters=letters))

    def _check(self, phone: str, name: str) -> str:
        """Return a name as it is kept. Raises NameTextError."""
        checked = check_name(name, MAX_NAME_LENGTH)
        if self.phone_of(checked) not in (None, phone):
            raise NameTextError(N("somebody here has this name already: add a letter"))
        if len(self._guests) >= MAX_GUESTS and phone not in self._guests:
            raise NameTextError(N("there is no room for more people"))
        return checked

    def forget(self, phone: str) -> None:
        """Forget who holds a phone."""
        for noted in (self._guests, self._typed, self._recent):
            noted.pop(phone, None)
