"""The second screen's pages: one page, the stream of what happens, its pictures, and the slides for when nobody plays.
All of them are only looked at."""

import json
import re
from contextlib import suppress

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ui.web.events import stream_events
from ui.web.pages import OpenArchive, get_access, render_template
from ui.web.params import path_number
from ui.web.tv import strings
from ui.web.tv.host import TV_PATH, TvHost
from ui.web.tv.scene import RoundSlide, SceneMessage, Slides
from ui.web.tv.slides import build_slides
from ui.web.views import NotFoundError

SLIDE_PICTURE = re.compile(r"(seat|foul)-\d+\.jpg", re.ASCII)
"""The pictures of a round that slides show: of the seats' zones only."""


def routes(host: TvHost, open_archive: OpenArchive) -> list[BaseRoute]:
    """Routes of the second screen. The middleware has checked the session."""
    slide_folders: set[str] = set()  # of the rounds in the slides that were sent last: no other picture can be got

    def page(request: Request) -> Response:
        return HTMLResponse(render_template("tv.html", get_access(request), texts=strings))

    async def events(request: Request) -> Response:
        return stream_events(request, host, SceneMessage.model_dump_json, lambda: json.dumps({"now_ms": host.now_ms()}))

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
