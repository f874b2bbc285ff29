"""What a second screen shows while nobody plays: the evening's best rounds, from the pictures that the journal still
has, and the tournament that is going on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from messages import N
from rules.engine import Seat
from rules.record.round import SeatView
from throwlock.review.archive import JournalArchive
from throwlock.tv.texts import MAX_PLAYERS
from ui.i18n.language import ngettext, t
from ui.screen.pages.standings import TournamentSlide, tournament_slide
from ui.text.rounds import outcome_sentences, round_sentence
from ui.web.middleware import TV_PATH
from ui.web.views import MatchFilter, MatchLine, RoundPage

DECIDED = N("It decided the match")
FOUL = N("Foul")
EVENING = timedelta(hours=12)
"""How long before the newest match an evening began. The clock of a box without a network may be wrong, but it runs."""
MAX_MATCHES = 20
"""The newest matches that are looked through."""
MAX_ROUNDS_OF_A_KIND = 3
"""The most rounds that were the closest, that had a foul, and that decided a match."""
CLOSE_MS = 60.0
"""Hands that showed within this time were close."""


@dataclass(frozen=True)
class RoundSlide:
    """One of the evening's best rounds."""

    event: int
    why: str
    """What was special about it."""
    sentence: str
    seats: tuple[SeatView, ...]
    names: Mapping[Seat, str]
    images: Mapping[Seat, tuple[str, ...]]
    """The paths of each seat's pictures: at the lock, and of a foul."""
    window_ms: float
    """From the first hand to the lock."""


Slide = RoundSlide | TournamentSlide


@dataclass(frozen=True)
class _BestRound:
    """A round with what was special about it."""

    page: RoundPage
    kind: str
    why: str
    rank: float
    """Of two rounds of the same kind, the one with the smaller rank is better."""


def build_slides(archive: JournalArchive) -> tuple[Slide, ...]:
    """Return the slides. Only rounds of finished matches are among them: nothing in those is sealed any more."""
    lines = archive.matches(MatchFilter(limit=MAX_MATCHES))
    since = datetime.fromisoformat(lines[0].at) - EVENING if lines else None
    matches = [line for line in lines if since is not None and datetime.fromisoformat(line.at) >= since]
    rounds = _best_rounds(archive, [line for line in matches if line.state == "finished" and line.has_pictures])
    tournament = archive.tournament()
    first = () if tournament is None else (tournament_slide(tournament),)
    return (*first, *(_round_slide(best) for best in rounds))


def _best_rounds(archive: JournalArchive, matches: Sequence[MatchLine]) -> list[_BestRound]:
    special = [best for match in matches for best in _special_rounds(archive, match)]
    chosen: dict[int, _BestRound] = {}
    for kind in ("decided", "close", "foul"):
        ranked = sorted((best for best in special if best.kind == kind), key=lambda best: best.rank)
        new = [best for best in ranked if best.page.line.event not in chosen]
        chosen |= {best.page.line.event: best for best in new[:MAX_ROUNDS_OF_A_KIND]}
    return list(chosen.values())


def _special_rounds(archive: JournalArchive, match: MatchLine) -> Iterator[_BestRound]:
    """Yield the rounds of a match that were decisive, close, or a foul, and whose pictures are still there."""
    rounds = [page for page in archive.rounds(match.number) if len(page.line.seats) <= MAX_PLAYERS]
    for page in rounds:
        line, pictures = page.line, {picture.name for picture in page.pictures if picture.exists}
        times = [seat.timed_ms for seat in line.seats if seat.timed_ms is not None]
        if not {_picture(seat) for seat in line.seats} <= pictures or not times:
            continue
        spread = max(times) - min(times)
        if page is rounds[-1] and not line.is_void:
            yield _BestRound(page, "decided", t(DECIDED), -line.event)
        elif line.has_foul:
            yield _BestRound(page, "foul", t(FOUL), -line.event)
        elif not line.is_void and 1 < len(times) == len(line.seats) and spread <= CLOSE_MS:
            why = ngettext("{count} ms between them", "{count} ms between them", round(spread))
            yield _BestRound(page, "close", why, spread)


def _picture(seat: SeatView) -> str:
    return f"seat-{seat.seat}.jpg"


def _round_slide(best: _BestRound) -> RoundSlide:
    line = best.page.line
    pictures = {picture.name for picture in best.page.pictures if picture.exists}
    return RoundSlide(
        event=line.event,
        why=best.why,
        sentence=" ".join(t(sentence) for sentence in (outcome_sentences(line) or (round_sentence(line),))[:2]),
        seats=line.seats,
        names=line.names,
        images={seat.seat: _images(seat, line.event, pictures) for seat in line.seats},
        window_ms=line.judgement.lock_after_first_ms,
    )


def _images(seat: SeatView, event: int, pictures: set[str]) -> tuple[str, ...]:
    names = (_picture(seat), *({f"foul-{seat.seat}.jpg"} & pictures))
    return tuple(f"{TV_PATH}/slide/{event}/{name}" for name in names)
