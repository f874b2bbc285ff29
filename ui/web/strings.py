"""Formats dates, times and numbers for the pages, in the reader's language and the box's local time, with a true minus
sign."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby

from markupsafe import Markup, escape

from messages import N, capitalise
from rules import text as game_text
from rules.engine import Value
from rules.record.judgement import VOID_VERDICT, Verdict
from rules.record.match import MatchView
from rules.record.round import RoundView, SeatView
from rules.text import throw_word
from rules.throws import Throw
from ui.i18n.language import LANGUAGES, current_language, format_datetime, ngettext, render, t
from ui.i18n.language import format_date as format_day
from ui.screen.pages.classroom import ThrowCount, count_throws, player_standing
from ui.screen.pages.common import Player, players_by_place
from ui.screen.pages.scoreboard import event_facts
from ui.text import rounds, verdicts
from ui.web.views import MatchLine

__all__ = ["LANGUAGES", "current_language"]

MINUS = "−"
NO_THROW = N("no throw")
WORDS = (
    *(N("in progress"), N("abandoned"), N("to review"), N("reviewed"), N("fouls"), N("disputes")),
    *(N("simulated"), N("none")),
)
"""The states of matches, marks, troubles and cameras, which the journal has in English."""
MAX_TITLE_NAMES = 8
"""Players named in a page's title; of more, as in a class, only the number."""


def local_time(at: str) -> datetime:
    """Return a time of the journal (ISO 8601, UTC) as local time."""
    return datetime.fromisoformat(at).astimezone()


def local_date(at: str) -> str:
    """Return the local date of a time as ISO 8601: "2026-11-21"."""
    return local_time(at).date().isoformat()


def format_date(iso: str) -> str:
    """Format a date (ISO 8601): "Saturday, 21 November 2026"."""
    return format_day(date.fromisoformat(iso))


def group_by_day(lines: Sequence[MatchLine]) -> list[tuple[str, list[MatchLine]]]:
    """Group matches by the local date of their start; they are sorted by time."""
    return [(day, list(of)) for day, of in groupby(lines, key=lambda line: local_date(line.at))]


def format_short_date(at: str) -> str:
    """Format the local date of a time: "21 Nov 2026"."""
    return format_day(local_time(at).date(), "medium")


def format_time(at: str) -> str:
    """Format the local time of day: "12:49"."""
    return f"{local_time(at):%H:%M}"


def format_date_time(at: str) -> str:
    """Format date and time: "21 November 2026, 12:49"."""
    return render(format_datetime(local_time(at), "long"))


def format_signed(ms: float) -> str:
    """Format milliseconds with a sign: "+331", "−50", "0"."""
    whole = round(ms)
    return "0" if whole == 0 else f"{'+' if whole > 0 else MINUS}{abs(whole)}"


def share(number: int, total: int) -> str:
    """Format a part of a total: "33 %", or "–" of nothing."""
    return f"{100 * number / total:.0f}\N{NO-BREAK SPACE}%" if total else "–"


def format_points(points: int) -> str:
    """Format points with a true minus sign."""
    return f"{MINUS if points < 0 else ''}{abs(points)}"


def match_name(match: MatchLine) -> str:
    """Return a match's game, players and time, as a title: "RPS Redeux, Ada and Ben, …"."""
    names = [player.name for player in match.players]
    players = (
        join_names(names)
        if len(names) <= MAX_TITLE_NAMES
        else ngettext("{count} player", "{count} players", len(names))
    )
    return ", ".join((render(match.title), players, format_date_time(match.at)))


def ranked_players(match: MatchLine, view: MatchView) -> tuple[Player, ...]:
    """Return the players of a match with their scores, the best first."""
    players = [Player(seat, player.name, view.scores.get(seat)) for seat, player in enumerate(match.players, 1)]
    return players_by_place(players, match.winners)


def round_full_name(line: RoundView, match: MatchLine) -> str:
    """Return a round's name and number, and its match's name, as a title."""
    name = round_name(line, match)
    title = (
        t("{name} (№ {number}, disputed)", name=name, number=line.number)
        if line.disputes
        else t("{name} (№ {number})", name=name, number=line.number)
    )
    return f"{title} · {match_name(match)}"


def list_name(chosen: Mapping[str, object], games: Sequence[tuple[str, str, int]], names: Mapping[str, str]) -> str:
    """Return the title of a list of matches with the filter ``chosen``; ``names`` are the players' by key."""
    titles = {name: title for name, title, _ in games}
    labels: dict[str, Callable[[str], str]] = {
        "day": format_date,
        "game": lambda name: render(titles.get(name, name)),
        "player": lambda key: f"{names.get(key, t('player'))} ({key[:6]})",
        "mark": lambda mark: t("rounds to review") if mark == "to review" else t("reviewed rounds"),
        "trouble": lambda trouble: t("with fouls") if trouble == "fouls" else t("with disputes"),
        "after": lambda _: t("older ones"),
    }
    parts = [label(str(chosen[name])) for name, label in labels.items() if chosen.get(name) is not None]
    return t("Matches: {filters}", filters=", ".join(parts)) if parts else t("Matches")


def round_name(line: RoundView, match: MatchLine) -> str:
    """Return a round's name within its match: its own title, or its number."""
    title = rounds.round_title(line)
    return render(title) if title != match.title else t("Throw {number}", number=line.number)


def group_by_round(view: MatchView) -> list[tuple[RoundView | None, list[str]]]:
    """Group a match: each round with the sentences of its outcome, and those between rounds by themselves."""
    groups: list[tuple[RoundView | None, list[str]]] = []
    for step in view.steps:
        if isinstance(step, RoundView):
            groups.append((step, list(rounds.outcome_sentences(step))))
        elif sentences := rounds.step_sentences(step, view.names):
            if not groups or groups[-1][0] is not None:
                groups.append((None, []))
            groups[-1][1].extend(sentences)
    return groups


def short_round_name(line: RoundView, match: MatchLine) -> str:
    """Return a round's name without that of its game: "Round 3"."""
    name = round_name(line, match).removeprefix(f"{render(match.title)}, ")
    return name[:1].upper() + name[1:]


def format_lock_offset(ms: float) -> str:
    """Format a time in ms after the lock: "100 ms before the lock"."""
    whole = round(ms)
    if whole == 0:
        return t("at the lock")
    return t("{ms} ms after the lock", ms=whole) if whole > 0 else t("{ms} ms before the lock", ms=-whole)


def format_lateness(seat: SeatView) -> str:
    """Format when a seat showed: "first hand", "+331 ms", "never"; "" if it was not judged, or is on time without being
    timed, as in a class. Of an early hand, or one that may be, "320 ms before the call"."""
    if seat.early_ms is not None:
        return render(verdicts.early_time(seat.early_ms))
    if seat.after_first_ms is None:
        return "" if seat.verdict in (VOID_VERDICT, Verdict.ON_TIME) else t("never")
    return t("first hand") if round(seat.after_first_ms) == 0 else f"{format_signed(seat.after_first_ms)} ms"


def join_names(names: Sequence[str]) -> str:
    """Join names: "Ada, Ben and Cy"."""
    return t(game_text.join_names(names))


def humanise(name: str) -> str:
    """Return an identifier as a label: "best_of" is "Best of"."""
    text = re.sub("(?<=[a-z])[-_]+(?=[a-z0-9])", " ", name).strip(" _") or name
    return text[:1].upper() + text[1:]


def format_value(answer: Value) -> str:
    """Format an answer or option: "yes", "no", "nothing" or itself."""
    if isinstance(answer, bool):
        return t("yes") if answer else t("no")
    return t("nothing") if answer is None else format_reading(answer) if answer in list(Throw) else str(answer)


def format_bet(answer: Value) -> str:
    """Format a bet: "bets 5", "no bet"."""
    return t("no bet") if answer in (0, None) else t("bets {number}", number=format_value(answer))


def format_reading(answer: Value) -> str:
    """Format a reading: the throw, or "no throw"."""
    return (
        t(NO_THROW) if answer is None else t(throw_word(Throw(str(answer)))) if answer in list(Throw) else str(answer)
    )


def throw_title(throw: Throw) -> str:
    """Return a throw as the heading of a column."""
    return t(capitalise(throw_word(throw)))


def emphasise(text: str) -> Markup:
    """Return a text in which *what is between stars* is emphasised."""
    return Markup(re.sub(r"\*(.+?)\*", r"<strong>\1</strong>", str(escape(text))))


def shown_throws(line: RoundView, seat: SeatView) -> tuple[str | None, ...]:
    """Return the throws to show for a seat: what counted; of a foul or in a void round, what was shown."""
    if seat.throw is None or seat.is_foul:
        return seat.record.shown_throws if seat.is_foul or line.is_void else (None,)
    return (seat.throw,)


def format_throws(throws: Sequence[Value]) -> str:
    """Format throws in order of time: "rock → scissors", "no throw"."""
    return " → ".join(map(format_reading, throws))


def format_proof(seat: SeatView) -> str:
    """Return what the image of a foul, or of what may be one, shows that the lock frame does not show."""
    foul = seat.record.suspected_foul
    if foul in (Verdict.LATE, Verdict.EARLY, Verdict.CHANGED) and seat.record.shown_throws != (None,):
        throw = format_reading(seat.record.shown_throws[0 if foul == Verdict.EARLY else -1])
        when = t("afterwards") if foul == Verdict.CHANGED else format_lateness(seat)
        return t("{name}: {throw}, {time}", name=seat.player.name, throw=throw, time=when)
    return t("{name}’s card when it was lifted too early", name=seat.player.name)


def throw_counts(line: RoundView) -> tuple[ThrowCount, ...]:
    """Return the results by throw of a round of Battle; () for any other round."""
    for event in reversed(line.events):
        facts = event_facts(event)
        counts = count_throws([player_standing(seat_facts) for seat_facts in facts.seats.values()], facts.table)
        if counts:
            return counts
    return ()
