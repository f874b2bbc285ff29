"""Parameters of a request: numbers in its path and its form, filters in its query, choices in its form. An invalid one
raises NotFoundError or RefusedError, which is answered with a page."""

from datetime import date
from typing import Final, Literal

from starlette.requests import Request

from errors import NotFoundError, RefusedError
from messages import N
from rules.engine import Seat
from rules.record.event import ReviewMark
from rules.throws import Throw
from ui.web.views import MatchFilter, Trouble

MAX_NUMBER = 2**53
"""Path numbers are smaller than this: SQLite and JavaScript both represent them exactly."""


VERDICT_STANDS: Final = "stands"
"""The choice of a correction's form that changes nothing."""
ROUND_VOID: Final = "void"


def form_correction(request: Request) -> tuple[Seat | None, Throw | None] | Literal["stands"]:
    """Return what a correction's form asks for: a seat and its reading (None: no throw), no seat for a void round, or
    VERDICT_STANDS. Raises RefusedError when nothing is chosen."""
    choice = str(request.state.form.get("correction", ""))
    if choice == VERDICT_STANDS:
        return VERDICT_STANDS
    if choice == ROUND_VOID:
        return None, None
    seat, _, reading = choice.partition(" ")
    if not (seat.isascii() and seat.isdecimal() and len(seat) < 4 and reading in ("", *Throw)):
        raise RefusedError(N("Choose what the round is corrected to."))
    return int(seat), Throw(reading) if reading else None


def path_number(request: Request, name: str) -> int:
    """Return a number from the path. Raises NotFoundError when it is out of range."""
    value = int(request.path_params[name])
    if not 0 < value < MAX_NUMBER:
        raise NotFoundError(N("This journal has nothing with that number."))
    return value


def query_day(request: Request) -> str | None:
    """Return the day in the query as ISO 8601, None without one. Raises NotFoundError when it is invalid."""
    text = request.query_params.get("day", "")
    try:
        return date.fromisoformat(text).isoformat() if text else None
    except ValueError:
        raise NotFoundError(N("Write the day like this: 2026-11-21.")) from None


def form_number(request: Request, name: str) -> int:
    """Return a number from the form. Raises NotFoundError when it is missing or invalid."""
    return _parse_number(str(request.state.form.get(name, "")))


def query_number(request: Request, name: str) -> int | None:
    """Return a number from the query, None without one. Raises NotFoundError when it is invalid."""
    text = request.query_params.get(name, "")
    return _parse_number(text) if text else None


def _parse_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 16):
        raise NotFoundError(N("That has to be a number."))
    return int(text)


def match_filter(request: Request, limit: int) -> MatchFilter:
    """Return the filter in the query. Raises NotFoundError when a value is invalid."""
    mark = request.query_params.get("mark", "")
    if mark and mark not in list(ReviewMark):
        raise NotFoundError(N("A round is marked “to review” or “reviewed”."))
    trouble = request.query_params.get("trouble", "")
    if trouble and trouble not in list(Trouble):
        raise NotFoundError(N("A match has “fouls” or “disputes”."))
    return MatchFilter(
        day=query_day(request),
        game=request.query_params.get("game") or None,
        player=request.query_params.get("player") or None,
        mark=ReviewMark(mark) if mark else None,
        trouble=Trouble(trouble) if trouble else None,
        after=query_number(request, "after"),
        limit=limit,
    )
