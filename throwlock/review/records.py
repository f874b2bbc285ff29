"""Lists of matches, players' records and the classroom's figures, from the index."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rules.catalogue import GAMES
from rules.throws import Throw
from throwlock.review.index import Rows
from throwlock.review.players import People
from throwlock.review.timeline import OVER
from ui.web.views import (
    Against,
    Classroom,
    Lateness,
    Mark,
    MatchFilter,
    MatchLine,
    PlayerLine,
    PlayerPage,
    RoundLine,
)

LATENESS = 500
"""The newest throws of a player that are shown one by one."""
CLASS_LATENESS = 2000
"""The newest throws of a class that are shown one by one."""
TIMED = "match, event, at, after_first_ms, verdict, key, seat, window_ms"
"""The columns of a throw that was timed."""
EXAMPLES = 6
"""Rounds shown in which somebody would have gained by being late."""


def lines_of(
    rows: Rows,
    wanted: MatchFilter,
    people: People,
    marks: Mapping[int, Mark],
    has_pictures: Callable[[int], bool],
) -> list[MatchLine]:
    """The matches wanted, newest first; ``marks`` are the rounds' by event."""
    where = ["true"]
    values: list[object] = []
    for condition, value in (
        ("day = ?", wanted.day),
        ("game = ?", wanted.game),
        ("number IN (SELECT match FROM sitting WHERE key = ?)", wanted.player),
        ("number < ?", wanted.after),
    ):
        if value is not None:
            where.append(condition)
            values.append(value)
    if wanted.mark is not None:
        marked = _marked(rows, marks, wanted.mark)
        where.append(f"number IN ({', '.join(map(str, marked))})")
    found = rows(
        "SELECT number, at, game, state, rounds, fouls, disputes FROM match "
        f"WHERE {' AND '.join(where)} ORDER BY number DESC LIMIT ?",
        (*values, wanted.most),
    ).fetchall()
    to_look_at = _marked(rows, marks, Mark.TO_LOOK_AT)
    lines = []
    for number, at, game, state, rounds, fouls, disputes in found:
        sitting = rows("SELECT seat, key, won FROM sitting WHERE match = ? ORDER BY seat", (number,)).fetchall()
        lines.append(
            MatchLine(
                number=number,
                at=at,
                game=game,
                title=title_of(game),
                players=people.sitting(number, [key for _, key, _ in sitting]),
                winners=tuple(seat for seat, _, won in sitting if won),
                state=state,
                rounds=rounds,
                fouls=fouls,
                disputes=disputes,
                marked=to_look_at.get(number, 0),
                pictures=has_pictures(number),
            )
        )
    return lines


def title_of(game: str) -> str:
    """What people call a game; one that this Throwlock does not know, by its name."""
    return GAMES[game].title if game in GAMES else game


def _marked(rows: Rows, marks: Mapping[int, Mark], mark: Mark) -> dict[int, int]:
    """How many rounds of a match have a mark, for matches with any."""
    counts: dict[int, int] = {}
    for event, put in marks.items():
        if put is mark:
            for (match,) in rows("SELECT match FROM showing WHERE event = ? LIMIT 1", (event,)):
                counts[match] = counts.get(match, 0) + 1
    return counts


def days_in(rows: Rows) -> list[tuple[str, int]]:
    """Days on which matches began and how many, newest first."""
    return rows("SELECT day, count(*) FROM match GROUP BY day ORDER BY day DESC").fetchall()


def games_in(rows: Rows) -> list[tuple[str, str, int]]:
    """Name, title, how many matches; the game played most first."""
    found = rows("SELECT game, count(*) FROM match GROUP BY game ORDER BY count(*) DESC, game")
    return [(game, title_of(game), count) for game, count in found]


def players_in(rows: Rows, people: People, where: str = "true", values: Sequence[object] = ()) -> list[PlayerLine]:
    """Who has played, those who played last first; in matches of which ``where`` holds."""
    found = rows(
        "SELECT key, count(*), sum(won), sum(rounds), sum(fouls), max(match) FROM sitting "
        f"WHERE key IS NOT NULL AND {where} GROUP BY key ORDER BY max(match) DESC, key",
        values,
    ).fetchall()
    lines = []
    for key, matches, won, rounds, fouls, last in found:
        if key in people.names:
            ((at,),) = rows("SELECT at FROM match WHERE number = ?", (last,))
            lines.append(PlayerLine(people.link(key), matches, won, rounds, fouls, at))
    return lines


def player_of(rows: Rows, key: str, people: People, newest: Sequence[MatchLine]) -> PlayerPage:
    """All about a player who is in ``people``; ``newest`` are their last matches."""
    lines = players_in(rows, people, "key = ?", (key,))
    won = rows(
        "SELECT won FROM sitting JOIN match ON number = match WHERE key = ? AND state = ? ORDER BY match", (key, OVER)
    )
    runs = [(bool(win), len(list(run))) for (win,), run in groupby(won.fetchall())]
    counted = rows("SELECT throw, count(*) FROM showing WHERE key = ? AND throw IS NOT NULL GROUP BY throw", (key,))
    verdicts = rows("SELECT verdict, count(*) FROM showing WHERE key = ? GROUP BY verdict ORDER BY 2 DESC, 1", (key,))
    late = rows(
        f"SELECT {TIMED} FROM showing WHERE key = ? AND after_first_ms IS NOT NULL ORDER BY event DESC LIMIT ?",
        (key, LATENESS),
    )
    counts = {str(throw): count for throw, count in counted}
    return PlayerPage(
        line=lines[0] if lines else PlayerLine(people.link(key), 0, 0, 0, 0, ""),
        throws={throw: counts.get(throw.value, 0) for throw in Throw},
        verdicts=dict(verdicts.fetchall()),
        streak=runs[-1][1] if runs and runs[-1][0] else 0,
        best_streak=max((length for win, length in runs if win), default=0),
        lateness=_oldest_first(late, people),
        against=tuple(_against(rows, key, people)),
        matches=tuple(newest),
    )


def _against(rows: Rows, key: str, people: People) -> Iterable[Against]:
    """The player's record against everybody they sat with in a match that is over, the most frequent first."""
    found = rows(
        "SELECT other.key, count(*), sum(own.won > other.won), sum(other.won > own.won) "
        "FROM sitting AS own JOIN sitting AS other ON other.match = own.match AND other.key != own.key "
        "JOIN match ON match.number = own.match "
        "WHERE own.key = ? AND match.state = ? GROUP BY other.key ORDER BY 2 DESC, 1",
        (key, OVER),
    )
    for other, matches, won, lost in found:
        if other in people.names:
            yield Against(people.link(other), matches, won, lost)


def classroom_of(
    rows: Rows,
    day: str | None,
    match: int | None,
    people: People,
    examples: Callable[[Sequence[int]], tuple[RoundLine, ...]],
) -> Classroom:
    """The figures of the matches of a day, of one match, or of all; ``examples`` gives the rounds of events."""
    conditions = [("day = ?", day), ("number = ?", match)]
    where = " AND ".join(["true", *(condition for condition, value in conditions if value is not None)])
    values = tuple(value for _, value in conditions if value is not None)
    among = f"match IN (SELECT number FROM match WHERE {where})" if values else "true"
    ((matches, rounds, throws, late, changed, would_have),) = rows(
        "SELECT count(*), total(rounds), total(throws), total(late), total(changed), total(would_have) "
        f"FROM match WHERE {where}",
        values,
    )
    newest = rows(
        f"SELECT {TIMED} FROM showing WHERE after_first_ms IS NOT NULL AND {among} ORDER BY event DESC LIMIT ?",
        (*values, CLASS_LATENESS),
    )
    events = rows(
        f"SELECT DISTINCT event FROM showing WHERE would_have AND {among} ORDER BY event DESC LIMIT ?",
        (*values, EXAMPLES),
    ).fetchall()
    return Classroom(
        rounds=int(rounds),
        throws=int(throws),
        late=int(late),
        changed=int(changed),
        would_have_won=int(would_have),
        lateness=_oldest_first(newest, people),
        examples=examples([event for (event,) in events]),
        matches=matches,
    )


def _oldest_first(found: Iterable[tuple[Any, ...]], people: People) -> tuple[Lateness, ...]:
    """Rows of ``TIMED``, newest first, as the pages have them."""
    return tuple(
        Lateness(match, event, at, after, verdict, people.of_seat(key, seat), window)
        for match, event, at, after, verdict, key, seat, window in found
    )[::-1]
