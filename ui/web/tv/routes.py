"""The second screen's pages: one page, the stream of what happens, its pictures, and the slides for when nobody plays.
All of them are only looked at."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from ui.web.pages import OpenArchive, get_access, render_template
from ui.web.params import path_number
from ui.web.tv import strings
from ui.web.tv.host import TV_PATH, TooManyScreensError, TvHost
from ui.web.tv.scene import RoundSlide, Slides
from ui.web.tv.slides import build_slides
from ui.web.views import NotFoundError

RETRY_MS = 1000
"""How long a browser waits before it connects again."""
BEAT_S = 4.0
"""The stream is never silent for longer, so that a page notices a lost connection."""
STREAM_S = 15 * 60.0
"""A stream ends after this time; the page connects again at once if its session is still valid."""

SLIDE_PICTURE = re.compile(r"(seat|foul)-\d+\.jpg", re.ASCII)
"""The pictures of a round that slides show: of the seats' zones only."""


def routes(host: TvHost, open_archive: OpenArchive) -> list[BaseRoute]:
    """Routes of the second screen. The middleware has checked the session."""
    slide_folders: set[str] = set()  # of the rounds in the slides that were sent last: no other picture can be got

    def page(request: Request) -> Response:
        return HTMLResponse(render_template("tv.html", get_access(request), texts=strings))

    async def events(request: Request) -> Response:
        return StreamingResponse(_stream(host), media_type="text/event-stream")

    def clock(request: Request) -> Response:
        return JSONResponse({"now_ms": host.now_ms()})

    def image(request: Request) -> Response:
        data = host.picture(path_number(request, "number"), request.path_params["name"])
        if data is None:
            raise HTTPException(404)
        return Response(data, media_type="image/jpeg")

    def slides(request: Request) -> Response:
        found = Slides(slides=())
        with suppress(NotFoundError), open_archive() as archive:  # nothing was played yet
            found = build_slides(archive)
        slide_folders.clear()
        slide_folders.update(slide.folder for slide in found.slides if isinstance(slide, RoundSlide))
        return Response(found.model_dump_json(), media_type="application/json")

    def slide_image(request: Request) -> Response:
        event, name = path_number(request, "event"), request.path_params["name"]
        if f"{TV_PATH}/slide/{event}" not in slide_folders or not SLIDE_PICTURE.fullmatch(name):
            raise HTTPException(404)
        with open_archive() as archive:
            _, data = archive.picture(event, name)
        return Response(data, media_type="image/jpeg")

    return [
        Route(TV_PATH, page, methods=["GET"]),
        Route(f"{TV_PATH}/events", events, methods=["GET"]),
        Route(f"{TV_PATH}/clock", clock, methods=["GET"]),
        Route(f"{TV_PATH}/image/{{number:int}}/{{name}}", image, methods=["GET"]),
        Route(f"{TV_PATH}/slides", slides, methods=["GET"]),
        Route(f"{TV_PATH}/slide/{{event:int}}/{{name}}", slide_image, methods=["GET"]),
    ]


async def _stream(host: TvHost) -> AsyncIterator[str]:
    """Yield what is shown now, and then whatever is new. The first message is the full state."""
    loop, changed, sent = asyncio.get_running_loop(), asyncio.Event(), 0
    ends = loop.time() + STREAM_S

    def wake() -> None:
        with suppress(RuntimeError):  # the server has stopped
            loop.call_soon_threadsafe(changed.set)

    yield f"retry: {RETRY_MS}\n\n"
    try:
        with host.watch(wake):
            while host.is_open and loop.time() < ends:
                changed.clear()
                message = host.newest()
                if message.number == sent:
                    yield f"event: beat\ndata: {json.dumps({'now_ms': host.now_ms()})}\n\n"
                else:
                    sent = message.number
                    yield f"id: {sent}\ndata: {message.model_dump_json()}\n\n"
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), BEAT_S)
    except TooManyScreensError:
        yield "event: full\ndata: {}\n\n"
