"""The second screen's pages: what happens, with its pictures, and slides for when nobody plays. They are only looked
at."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from errors import NotFoundError
from messages import N
from rules.engine import Seat
from rules.record.round import SeatView
from throwlock.review.archive import JournalArchive
from throwlock.tv import texts
from throwlock.tv.second_screen import SecondScreen
from throwlock.tv.texts import MAX_PLAYERS
from throwlock.web.review import OpenArchive, open_archive
from ui.i18n.language import current_language, ngettext, t
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.lobby import Lobby
from ui.screen.pages.standings import TournamentSlide, tournament_slide
from ui.text.rounds import outcome_sentences, round_sentence
from ui.web.live import LivePage
from ui.web.middleware import TV_PATH
from ui.web.params import path_number
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
    last = archive.match(match.number).view.steps[-1]  # a round that bets followed has not decided the match
    for page in rounds:
        line, pictures = page.line, {picture.name for picture in page.pictures if picture.exists}
        times = [seat.timed_ms for seat in line.seats if seat.timed_ms is not None]
        if not {_picture(seat) for seat in line.seats} <= pictures or not times:
            continue
        spread = max(times) - min(times)
        if line.event == last.event and not line.is_void:
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


SLIDE_PICTURE = re.compile(r"(seat|foul)-\d+\.jpg", re.ASCII)
"""The pictures of a round that slides show: of the seats' zones only."""
SLIDES_AGE_S = 60.0
"""How long slides are kept."""


class SlideShow:
    """What second screens show while nobody plays, read from the journal again from time to time.
    Thread-safe."""

    def __init__(self, open_archive: OpenArchive) -> None:
        self._open_archive = open_archive
        self._lock = Lock()
        self._slides: tuple[Slide, ...] = ()
        self._read: tuple[float, str] | None = None
        """When, and in which language."""

    def slides(self) -> tuple[Slide, ...]:
        """Return the slides. Raises JournalError."""
        with self._lock:
            now_s, language = time.monotonic(), current_language()
            if self._read is None or self._read[1] != language or now_s - self._read[0] > SLIDES_AGE_S:
                self._slides = ()
                with suppress(NotFoundError), self._open_archive() as archive:  # nothing was played yet
                    self._slides = build_slides(archive)
                self._read = now_s, language
            return self._slides

    def forget(self) -> None:
        """Read the slides again when they are next shown: somebody plays meanwhile."""
        with self._lock:
            self._read = None

    def shows(self, event: int) -> bool:
        """Return whether the round of an event is on a slide: no other picture can be got."""
        return any(isinstance(slide, RoundSlide) and slide.event == event for slide in self._slides)


def _screen(request: Request) -> SecondScreen:
    screen = request.app.state.screen
    assert isinstance(screen, SecondScreen)
    return screen


def _slide_show(request: Request) -> SlideShow:
    slide_show = request.app.state.slide_show
    assert isinstance(slide_show, SlideShow)
    return slide_show


def tv_page(screen: SecondScreen, slide_show: SlideShow) -> LivePage:
    """Return the page of a second screen."""

    def slides() -> tuple[Slide, ...]:
        view = screen.scene().view
        if isinstance(view, AttractMode) or (isinstance(view, Lobby) and not view.seats):
            return slide_show.slides()
        slide_show.forget()
        return ()

    def values() -> dict[str, object]:
        scene = screen.scene()
        folder = f"{TV_PATH}/image/{scene.number}"
        return {"scene": scene, "view": scene.view, "folder": folder, "slides": slides(), "texts": texts}

    def stamp() -> object:
        return screen.scene().number, slides()

    return LivePage("tv.html", values, screen.viewers, stamp)


def show_screen(request: Request) -> Response:
    """Show what happens, and keep that up to date."""
    return tv_page(_screen(request), _slide_show(request)).respond(request)


def send_clock(request: Request) -> Response:
    """Send the box's monotonic time."""
    return JSONResponse({"now_ms": _screen(request).now_ms()})


def send_image(request: Request) -> Response:
    """Send a picture of a scene."""
    data = _screen(request).picture(path_number(request, "number"), request.path_params["name"])
    if data is None:
        raise HTTPException(404)
    return Response(data, media_type="image/jpeg")


def send_slide_image(request: Request) -> Response:
    """Send a picture of a slide."""
    event, name = path_number(request, "event"), request.path_params["name"]
    if not _slide_show(request).shows(event) or not SLIDE_PICTURE.fullmatch(name):
        raise HTTPException(404)
    with open_archive(request) as archive:
        _, data = archive.picture(event, name)
    return Response(data, media_type="image/jpeg")


ROUTES = (
    Route(TV_PATH, show_screen, methods=["GET"]),
    Route(f"{TV_PATH}/clock", send_clock, methods=["GET"]),
    Route(f"{TV_PATH}/image/{{number:int}}/{{name}}", send_image, methods=["GET"]),
    Route(f"{TV_PATH}/slide/{{event:int}}/{{name}}", send_slide_image, methods=["GET"]),
)
