"""What a second screen shows while nobody plays: the evening's best rounds, from the pictures that the journal still
has, and the tournament that is going on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from rules.record.round import SeatView
from rules.text import list_names
from rules.throws import Throw
from rules.tournaments.events import Format
from ui.i18n.language import ngettext, t
from ui.screen.pages.common import Player
from ui.text import labels
from ui.text.rounds import outcome_sentences, round_sentence
from ui.text.tournaments import TournamentSummary, points_text
from ui.web.tv import strings
from ui.web.tv.build import MAX_PLAYERS, player_part, throw_part
from ui.web.tv.host import TV_PATH
from ui.web.tv.scene import (
    BracketPart,
    FixturePart,
    RevealScene,
    RoundSlide,
    SeatPart,
    Slides,
    TablePart,
    TournamentSlide,
)
from ui.web.views import Archive, MatchFilter, MatchLine, RoundPage

EVENING = timedelta(hours=12)
"""How long before the newest match an evening began. The clock of a box without a network may be wrong, but it runs."""
MAX_MATCHES = 20
"""The newest matches that are looked through."""
MAX_ROUNDS_OF_A_KIND = 3
"""The most rounds that were the closest, that had a foul, and that decided a match."""
CLOSE_MS = 60.0
"""Hands that showed within this time were close."""
MAX_BRACKET_ROUNDS, MAX_BRACKET_FIXTURES, MAX_TABLE_ROWS = 3, 6, 8
"""How much of a tournament can be read from 4 m."""


@dataclass(frozen=True)
class _BestRound:
    """A round with what was special about it; of two of the same kind, the one with the smaller ``rank`` is better."""

    page: RoundPage
    kind: str
    why: str
    rank: float


def build_slides(archive: Archive) -> Slides:
    """Return the slides. Only rounds of finished matches are among them: nothing in those is sealed any more."""
    lines = archive.matches(MatchFilter(limit=MAX_MATCHES))
    since = datetime.fromisoformat(lines[0].at) - EVENING if lines else None
    matches = [line for line in lines if since is not None and datetime.fromisoformat(line.at) >= since]
    rounds = _best_rounds(archive, [line for line in matches if line.state == "finished" and line.has_pictures])
    tournament = archive.tournament()
    first = () if tournament is None else (tournament_slide(tournament),)
    return Slides(slides=(*first, *(_round_slide(one) for one in rounds)))


def _best_rounds(archive: Archive, matches: Sequence[MatchLine]) -> list[_BestRound]:
    found = [best for match in matches for best in _special_rounds(archive, match)]
    chosen: dict[int, _BestRound] = {}
    for kind in ("decided", "close", "foul"):
        best = sorted((one for one in found if one.kind == kind), key=lambda one: one.rank)
        for one in [one for one in best if one.page.line.event not in chosen][:MAX_ROUNDS_OF_A_KIND]:
            chosen[one.page.line.event] = one
    return list(chosen.values())


def _special_rounds(archive: Archive, match: MatchLine) -> Iterator[_BestRound]:
    """Yield the rounds of a match that were decisive, close, or a foul, and whose pictures are still there."""
    rounds = [page for page in archive.rounds(match.number) if len(page.line.seats) <= MAX_PLAYERS]
    for page in rounds:
        line, pictures = page.line, {one.name for one in page.pictures if one.exists}
        times = [seat.after_first_ms for seat in line.seats if seat.after_first_ms is not None]
        if not {_picture(seat) for seat in line.seats} <= pictures or not times:
            continue
        spread = max(times) - min(times)
        if page is rounds[-1] and not line.is_void:
            yield _BestRound(page, "decided", t(strings.DECIDED), -line.event)
        elif line.has_foul:
            yield _BestRound(page, "foul", t(strings.FOUL), -line.event)
        elif not line.is_void and 1 < len(times) == len(line.seats) and spread <= CLOSE_MS:
            why = ngettext("{count} ms between them", "{count} ms between them", round(spread))
            yield _BestRound(page, "close", why, spread)


def _picture(seat: SeatView) -> str:
    return f"seat-{seat.seat}.jpg"


def _round_slide(best: _BestRound) -> RoundSlide:
    line = best.page.line
    pictures = {one.name for one in best.page.pictures if one.exists}
    return RoundSlide(
        folder=f"{TV_PATH}/slide/{line.event}",
        why=best.why,
        reveal=RevealScene(
            sentence=" ".join(t(sentence) for sentence in (outcome_sentences(line) or (round_sentence(line),))[:2]),
            seats=tuple(_seat_part(seat, pictures) for seat in line.seats),
            window_ms=line.judgement.window_ms,
            lock_label=labels.lock_label(line.judgement.window_ms),
        ),
    )


def _seat_part(seat: SeatView, pictures: set[str]) -> SeatPart:
    proof = f"foul-{seat.seat}.jpg"
    return SeatPart(
        player=player_part(Player(seat.seat, seat.player.name)),
        throws=tuple(throw_part(Throw(throw) if throw else None) for throw in seat.record.shown_throws),
        verdict=labels.verdict_text(seat.verdict),
        kind="foul" if seat.is_foul else "good" if seat.verdict == "on time" else "doubt",
        time=labels.shown_time(seat.after_first_ms, seat.record.early_ms, short=True),
        after_first_ms=seat.after_first_ms,
        image=_picture(seat),
        proof=proof if proof in pictures else "",
    )


def tournament_slide(summary: TournamentSummary) -> TournamentSlide:
    """Return how a tournament stands: the rounds that are played now, and its tables unless it is a knock-out, as much
    of them as can be read."""
    current = next(
        (
            place
            for place, (_, fixtures) in enumerate(summary.rounds())
            if any(one.outcome is None and not one.is_bye for one in fixtures)
        ),
        len(summary.rounds()),
    )
    first = max(0, min(current, len(summary.rounds()) - MAX_BRACKET_ROUNDS))
    rounds = [
        BracketPart(
            title=t(title),
            fixtures=tuple(
                FixturePart(players=t(summary.against(one)) or "–", result=t(summary.result(one)))
                for one in fixtures[:MAX_BRACKET_FIXTURES]
            ),
        )
        for title, fixtures in summary.rounds()[first : first + MAX_BRACKET_ROUNDS]
    ]
    tables = tuple(
        TablePart(
            heading=t(heading),
            rows=tuple(
                (str(one.place), t(summary.name(one.player)), points_text(one.points)) for one in rows[:MAX_TABLE_ROWS]
            ),
        )
        for heading, rows in summary.tables
        if summary.format not in (Format.KNOCKOUT, Format.DOUBLE_KNOCKOUT)
    )
    champions = ""
    if summary.champions:
        names = list_names(summary.champions, {one: summary.name(one) for one in summary.champions})
        champions = t("{names} won the tournament", names=names)
    return TournamentSlide(
        title=t(summary.title),
        rounds=tuple(rounds),
        tables=tables,
        champions=champions,
    )
