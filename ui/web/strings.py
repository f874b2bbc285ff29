"""How the pages write dates, times and numbers: in English, in the local time of the box, milliseconds with a true
minus sign."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby

from rules.engine import Value
from rules.throws import Throw
from ui.web.views import MatchLine, RoundLine, SeatRound

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
MINUS = "−"
NO_THROW = "no throw"
NOT_JUDGED = "void"
"""The verdict on a seat where the round could not be judged."""


def local_time(at: str) -> datetime:
    """A time of the journal (ISO 8601, UTC) in the local time of the box."""
    return datetime.fromisoformat(at).astimezone()


def local_date(at: str) -> str:
    """The local day of a time, as ISO 8601: "2026-11-21"."""
    return local_time(at).date().isoformat()


def format_date(iso: str) -> str:
    """A day (ISO 8601) in words: "Saturday 21 November 2026"."""
    one = date.fromisoformat(iso)
    return f"{WEEKDAYS[one.weekday()]} {one.day} {MONTHS[one.month - 1]} {one.year}"


def group_by_day(lines: Sequence[MatchLine]) -> list[tuple[str, list[MatchLine]]]:
    """Matches with the local day they began on, neighbours of one day together."""
    return [(day, list(of)) for day, of in groupby(lines, key=lambda line: local_date(line.at))]


def format_short_date(at: str) -> str:
    """The local day of a time where there is little room: "21 Nov 2026"."""
    one = local_time(at)
    return f"{one.day} {MONTHS[one.month - 1][:3]} {one.year}"


def format_time(at: str) -> str:
    """The local time of day: "12:49"."""
    return f"{local_time(at):%H:%M}"


def format_date_time(at: str) -> str:
    """Day and time: "21 November 2026, 12:49"."""
    one = local_time(at)
    return f"{one.day} {MONTHS[one.month - 1]} {one.year}, {one:%H:%M}"


def format_signed(ms: float) -> str:
    """Milliseconds with their sign: "+331", "−50", "0"."""
    whole = round(ms)
    return "0" if whole == 0 else f"{'+' if whole > 0 else MINUS}{abs(whole)}"


def format_points(points: int) -> str:
    """Points with a true minus sign."""
    return f"{MINUS if points < 0 else ''}{abs(points)}"


def round_name(line: RoundLine, match: MatchLine) -> str:
    """What a round is called within its match: its title, where that says more than the game's."""
    return line.title if line.title != match.title else f"Throw {line.number}"


def format_lock_offset(ms: float) -> str:
    """A time in ms after the lock in words: "100 ms before the lock"."""
    whole = round(ms)
    return "at the lock" if whole == 0 else f"{abs(whole)} ms {'after' if whole > 0 else 'before'} the lock"


def format_lateness(seat: SeatRound) -> str:
    """When a seat showed: "first hand", "+331 ms", "never" where no hand showed; nothing where it was not judged, or on
    time by a picture alone, as in a class."""
    if seat.after_first_ms is None:
        return "" if seat.verdict in (NOT_JUDGED, "on time") else "never"
    return "first hand" if round(seat.after_first_ms) == 0 else f"{format_signed(seat.after_first_ms)} ms"


def count_noun(count: int, one: str, many: str) -> str:
    """A number with its noun: "1 round", "3 rounds"."""
    return f"{count:,} {one if count == 1 else many}"


def join_names(names: Sequence[str]) -> str:
    """Names in a row: "Ada, Ben and Cy"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def humanise(name: str) -> str:
    """A name from the code as a person would write it: "best_of" is "Best of"."""
    text = re.sub("(?<=[a-z])[-_]+(?=[a-z0-9])", " ", name).strip(" _") or name
    return text[:1].upper() + text[1:]


def format_value(given: Value) -> str:
    """An answer or an option: "yes", "no", "nothing" or itself."""
    if isinstance(given, bool):
        return "yes" if given else "no"
    return "nothing" if given is None else str(given)


def format_bet(given: Value) -> str:
    """A stake in words: "bets 5", "no bet"."""
    return "no bet" if given in (0, None) else f"bets {format_value(given)}"


def format_reading(given: Value) -> str:
    """How a throw was read: its word, or "no throw"."""
    return NO_THROW if given is None else str(given)


def shown_throw(line: RoundLine, seat: SeatRound) -> Throw | None:
    """What to show as a seat's throw: what counted, or of a void round, in which nothing did, what the lock showed."""
    return seat.at_lock if line.void and seat.throw is None else seat.throw


def capitalise(text: str) -> str:
    """A word as the beginning of a line."""
    return text[:1].upper() + text[1:]
