"""Lists of matches, players' records and the classroom's figures, queried from the index."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rules.catalogue import GAMES
from rules.record.event import ReviewMark
from rules.record.judgement import said_verdict
from rules.record.match import MatchState
from rules.record.round import RoundView
from rules.record.seat_entry import SeatEntry
from throwlock.journal.journal import Event, match_started
from throwlock.journal.player_names import is_default_name
from throwlock.review.entries import THROW_COLUMNS, PlayerDirectory, read_throw_row
from throwlock.review.index import IndexQuery
from throwlock.review.statistics.awards import OpenedBet, PlayerEvening, choose_awards, is_same_evening, opened_bets
from throwlock.review.statistics.throws import measure_throws
from ui.charts.statistics import Evening
from ui.web.views import Classroom, HeadToHead, MatchFilter, MatchLine, PlayerLine, PlayerPage

MAX_PLAYER_THROWS = 500
"""The newest throws of a player, shown one by one."""
MAX_STATISTICS_ROUNDS = 5000
"""The newest rounds of a player, of which their figures are."""
MAX_CLASS_THROWS = 2000
"""The newest throws of a class, shown one by one."""
ENTRY_COLUMNS = ", ".join(THROW_COLUMNS)
MAX_EXAMPLES = 6
"""Example rounds in which somebody would have gained by being late."""


def list_matches(
    query: IndexQuery,
    match_filter: MatchFilter,
    players: PlayerDirectory,
    marks: Mapping[int, ReviewMark],
    notes: Mapping[int, str],
    has_pictures: Callable[[int], bool],
) -> list[MatchLine]:
    """List the matches of a filter, newest first; ``marks`` and ``notes`` are by event number."""
    where = ["true"]
    values: list[object] = []
    for condition, value in (
        ("day = ?", match_filter.day),
        ("game = ?", match_filter.game),
        ("number IN (SELECT match FROM match_player WHERE key = ?)", match_filter.player),
        ("number < ?", match_filter.after),
    ):
        if value is not None:
            where.append(condition)
            values.append(value)
    if match_filter.trouble is not None:
        where.append(f"{match_filter.trouble} > 0")
    if match_filter.mark is not None:
        marked = _count_rounds(query, _events_marked(marks, match_filter.mark))
        where.append(f"number IN ({', '.join(map(str, marked))})")
    rows = query(
        "SELECT number, at, game, state, rounds, fouls, disputes FROM match "
        f"WHERE {' AND '.join(where)} ORDER BY number DESC LIMIT ?",
        (*values, match_filter.limit),
    ).fetchall()
    to_look_at = _count_rounds(query, _events_marked(marks, ReviewMark.TO_REVIEW))
    noted = _count_rounds(query, notes)
    lines = []
    for number, at, game, state, rounds, fouls, disputes in rows:
        seated = query("SELECT seat, key, won FROM match_player WHERE match = ? ORDER BY seat", (number,)).fetchall()
        lines.append(
            MatchLine(
                number=number,
                at=at,
                game=game,
                title=game_title(game),
                players=players.links_from_keys(number, [key for _, key, _ in seated]),
                winners=tuple(seat for seat, _, won in seated if won),
                state=state,
                rounds=rounds,
                fouls=fouls,
                disputes=disputes,
                rounds_to_review=to_look_at.get(number, 0),
                has_pictures=has_pictures(number),
                note=notes.get(number, ""),
                noted_rounds=noted.get(number, 0),
            )
        )
    return lines


def game_title(game: str) -> str:
    """Return a game's title; an unknown game's name."""
    return GAMES[game].title if game in GAMES else game


def _events_marked(marks: Mapping[int, ReviewMark], mark: ReviewMark) -> list[int]:
    return [event for event, put in marks.items() if put is mark]


def _count_rounds(query: IndexQuery, events: Iterable[int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for event in events:
        for (match,) in query("SELECT match FROM seat_throw WHERE event = ? LIMIT 1", (event,)):
            counts[match] = counts.get(match, 0) + 1
    return counts


def list_days(query: IndexQuery) -> list[tuple[str, int]]:
    """List the days on which matches started with their numbers of matches, newest first."""
    return query("SELECT day, count(*) FROM match GROUP BY day ORDER BY day DESC").fetchall()


def list_games(query: IndexQuery) -> list[tuple[str, str, int]]:
    """List games as name, title and number of matches, the most played first."""
    rows = query("SELECT game, count(*) FROM match GROUP BY game ORDER BY count(*) DESC, game")
    return [(game, game_title(game), count) for game, count in rows]


def list_players(
    query: IndexQuery, players: PlayerDirectory, where: str = "true", values: Sequence[object] = ()
) -> list[PlayerLine]:
    """List the players in matches that ``where`` selects, those who played last first."""
    rows = query(
        "SELECT key, count(*), sum(won), sum(rounds), sum(fouls), max(match) FROM match_player "
        f"WHERE key IS NOT NULL AND {where} GROUP BY key ORDER BY max(match) DESC, key",
        values,
    ).fetchall()
    lines = []
    for key, matches, won, rounds, fouls, last in rows:
        if key in players.names:
            ((at,),) = query("SELECT at FROM match WHERE number = ?", (last,))
            lines.append(PlayerLine(players.link(key), matches, won, rounds, fouls, at))
    return lines


def player_page(
    query: IndexQuery, key: str, players: PlayerDirectory, newest_matches: Sequence[MatchLine]
) -> PlayerPage:
    """Return the page of a player in ``players``; ``newest_matches`` are their last matches."""
    lines = list_players(query, players, "key = ?", (key,))
    won = query(
        "SELECT won FROM match_player JOIN match ON number = match WHERE key = ? AND state = ? ORDER BY match",
        (key, MatchState.FINISHED),
    )
    runs = [(bool(win), len(list(run))) for (win,), run in groupby(won.fetchall())]
    judged = query("SELECT verdict, foul FROM seat_throw WHERE key = ? ORDER BY verdict, foul", (key,))
    verdicts = Counter(said_verdict(verdict, is_foul=bool(foul)) for verdict, foul in judged.fetchall())
    late = query(
        f"SELECT {ENTRY_COLUMNS} FROM seat_throw WHERE key = ? AND after_first_ms IS NOT NULL "
        "ORDER BY event DESC LIMIT ?",
        (key, MAX_PLAYER_THROWS),
    )
    return PlayerPage(
        line=lines[0] if lines else PlayerLine(players.link(key), 0, 0, 0, 0, ""),
        statistics=measure_throws(player_rounds(query, key, players)),
        verdicts=dict(verdicts.most_common()),
        streak=runs[-1][1] if runs and runs[-1][0] else 0,
        best_streak=max((length for win, length in runs if win), default=0),
        lateness=_read_entries(late, players),
        head_to_head=tuple(_head_to_head(query, key, players)),
        matches=tuple(newest_matches),
    )


def player_rounds(
    query: IndexQuery, key: str, players: PlayerDirectory, matches: Collection[int] | None = None
) -> tuple[SeatEntry, ...]:
    """Return a player's rounds that counted, in order: the newest, of ``matches`` only if given. Moves on a board are
    no throws."""
    among = "" if matches is None else f"AND match IN ({', '.join(map(str, matches))}) "
    newest = query(
        f"SELECT {ENTRY_COLUMNS} FROM seat_throw WHERE key = ? "
        f"AND (throw IN ('rock', 'paper', 'scissors') OR (throw IS NULL AND outcome IS NOT NULL)) {among}"
        "ORDER BY event DESC LIMIT ?",
        (key, MAX_STATISTICS_ROUNDS),
    )
    return _read_entries(newest, players)


def _head_to_head(query: IndexQuery, key: str, players: PlayerDirectory) -> Iterable[HeadToHead]:
    """Yield a player's record against each opponent in finished matches, the most frequent first."""
    rows = query(
        "SELECT other.key, count(*), sum(own.won > other.won), sum(other.won > own.won) "
        "FROM match_player AS own JOIN match_player AS other ON other.match = own.match AND other.key != own.key "
        "JOIN match ON match.number = own.match "
        "WHERE own.key = ? AND match.state = ? GROUP BY other.key ORDER BY 2 DESC, 1",
        (key, MatchState.FINISHED),
    )
    rounds = query(
        "SELECT other.key, total(own.outcome = 'won'), total(own.outcome = 'lost'), total(own.outcome = 'tied') "
        "FROM seat_throw AS own JOIN seat_throw AS other ON other.event = own.event AND other.seat != own.seat "
        "WHERE own.key = ? AND own.outcome IS NOT NULL "
        "AND NOT EXISTS (SELECT 1 FROM match_player WHERE match = own.match AND seat > 2) GROUP BY other.key",
        (key,),
    )
    rounds_against = {opponent: tuple(map(int, counts)) for opponent, *counts in rounds}
    for opponent, matches, won, lost in rows:
        if opponent in players.names:
            yield HeadToHead(players.link(opponent), matches, won, lost, *rounds_against.get(opponent, ()))


def evening_matches(query: IndexQuery) -> list[int]:
    """Return the numbers of the newest evening's matches, in order; imported ones were not played here."""
    numbers: list[int] = []
    later = ""
    for number, at, played_until in query("SELECT number, at, played_until FROM match WHERE here ORDER BY number DESC"):
        if later and not is_same_evening(played_until, later):
            break
        numbers.append(number)
        later = at
    return numbers[::-1]


def evening_awards(
    query: IndexQuery, matches: Sequence[int], players: PlayerDirectory, events_of: Callable[[int], Sequence[Event]]
) -> Evening:
    """Return the awards of the evening of ``matches``, to players who gave a name; ``events_of`` reads a match."""
    if not matches:
        return Evening(0, "", choose_awards(()))
    among = f"({', '.join(map(str, matches))})"
    bets: dict[str, list[OpenedBet]] = {}
    for number, game in query(f"SELECT number, game FROM match WHERE number IN {among} ORDER BY number").fetchall():
        if game not in GAMES or not GAMES[game].opens_bets:
            continue
        events = events_of(number)
        for bet in opened_bets(events):
            bets.setdefault(match_started(events).player_keys[bet.seat - 1], []).append(bet)
    rows = query(
        f"SELECT key, sum(fouls) FROM match_player WHERE match IN {among} AND key IS NOT NULL GROUP BY key ORDER BY key"
    ).fetchall()
    named = [(key, fouls) for key, fouls in rows if key in players.names and not is_default_name(players.names[key])]
    names = Counter(players.names[key] for key, _ in named)
    evenings = [
        PlayerEvening(
            players.names[key] if names[players.names[key]] == 1 else f"{players.names[key]} ({key[:4]})",
            player_rounds(query, key, players, matches),
            fouls,
            bets.get(key, ()),
        )
        for key, fouls in named
    ]
    ((began_at,),) = query("SELECT at FROM match WHERE number = ?", (matches[0],))
    return Evening(len(matches), began_at, choose_awards(sorted(evenings, key=lambda evening: evening.name)))


def classroom_page(
    query: IndexQuery,
    day: str | None,
    match: int | None,
    players: PlayerDirectory,
    examples: Callable[[Sequence[int]], tuple[RoundView, ...]],
) -> Classroom:
    """Return the figures of a day's matches, of one match, or of all; ``examples`` returns the rounds of events."""
    conditions = [("day = ?", day), ("number = ?", match)]
    where = " AND ".join(["true", *(condition for condition, value in conditions if value is not None)])
    values = tuple(value for _, value in conditions if value is not None)
    among = f"match IN (SELECT number FROM match WHERE {where})" if values else "true"
    ((matches, rounds, throws, late, changed, would_have),) = query(
        "SELECT count(*), total(rounds), total(throws), total(late), total(changed), total(would_have_gained) "
        f"FROM match WHERE {where}",
        values,
    )
    newest = query(
        f"SELECT {ENTRY_COLUMNS} FROM seat_throw WHERE after_first_ms IS NOT NULL AND {among} "
        "ORDER BY event DESC LIMIT ?",
        (*values, MAX_CLASS_THROWS),
    )
    events = query(
        f"SELECT DISTINCT event FROM seat_throw WHERE would_have_gained AND {among} ORDER BY event DESC LIMIT ?",
        (*values, MAX_EXAMPLES),
    ).fetchall()
    return Classroom(
        rounds=int(rounds),
        throws=int(throws),
        late=int(late),
        changed=int(changed),
        would_have_won=int(would_have),
        lateness=_read_entries(newest, players),
        examples=examples([event for (event,) in events]),
        matches=matches,
    )


def _read_entries(newest: Iterable[tuple[Any, ...]], players: PlayerDirectory) -> tuple[SeatEntry, ...]:
    """Return the entries of rows, newest first, in the order they were played."""
    return tuple(read_throw_row(row, players) for row in newest)[::-1]
