"""The second screen's pages: what happens, with its pictures, and slides for when nobody plays. They are only looked
at."""

import re
import time
from contextlib import suppress
from threading import Lock

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from errors import NotFoundError
from throwlock.tv import texts
from throwlock.tv.second_screen import SecondScreen
from throwlock.web.review import OpenArchive, open_archive
from throwlock.web.slides import RoundSlide, Slide, build_slides
from ui.i18n.language import current_language
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.lobby import Lobby
from ui.web.live import LivePage
from ui.web.middleware import TV_PATH
from ui.web.params import path_number

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
        return screen.scene().number, current_language(), slides()

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
