"""What a request asks for: numbers in its address, filters in its query, the fields of its form. What can't be meant is
Gone, which is said as a page."""

from datetime import date

from starlette.requests import Request

from ui.web.views import Mark, MatchFilter, NotFoundError

MOST = 2**53
"""No number in an address is larger: what SQLite and every browser can count."""


def number(request: Request, name: str) -> int:
    """A number in the address. Raises NotFoundError where no journal could have so many."""
    found = int(request.path_params[name])
    if not 0 < found < MOST:
        raise NotFoundError("There is nothing of that number in this journal.")
    return found


def day(request: Request) -> str | None:
    """The day asked for. Raises NotFoundError for what is none."""
    given = request.query_params.get("day", "")
    try:
        return date.fromisoformat(given).isoformat() if given else None
    except ValueError:
        raise NotFoundError("A day is written like 2026-11-21.") from None


def counted(request: Request, name: str) -> int | None:
    """A number in the query, None where it is not asked for. Raises NotFoundError for what is none."""
    given = request.query_params.get(name, "")
    if not given:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) <= 16):
        raise NotFoundError("A number is needed there.")
    return int(given)


def wanted(request: Request, most: int) -> MatchFilter:
    """Which matches the query asks for. Raises NotFoundError for what can't be asked."""
    mark = request.query_params.get("mark", "")
    if mark and mark not in list(Mark):
        raise NotFoundError("Rounds are marked “to look at” or “looked at”.")
    return MatchFilter(
        day=day(request),
        game=request.query_params.get("game") or None,
        player=request.query_params.get("player") or None,
        mark=Mark(mark) if mark else None,
        after=counted(request, "after"),
        most=most,
    )


async def form(request: Request) -> dict[str, str]:
    """The fields of a form. That it is one of ours the guard has found (``ui.web.auth.middleware``)."""
    async with request.form(max_files=0, max_fields=20) as given:
        return {name: value for name, value in given.items() if isinstance(value, str)}
