"""Clips of rounds on the review pages, and on the page that a QR code of the box's screen opens: made in the
background, with a progress bar that needs no script."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from messages import N
from ui.i18n.language import LANGUAGES, current_language, t
from ui.web import params
from ui.web.pages import render_page

CLIP_PATH = "/clip"
"""The path of shared clips; what follows is the clip's token."""
SHARED_CLIP = re.compile(rf"{CLIP_PATH}/[A-Za-z0-9_-]{{22}}(?:/file)?", re.ASCII)
"""The paths that a token opens without an access code: a clip's page and its file."""
MEDIA_TYPES = {"mp4": "video/mp4", "webp": "image/webp"}
"""The formats of clips."""
FORMAT_LABELS = {"mp4": ("MP4", "A video"), "webp": ("WebP", "An image that moves")}
"""The formats as the review pages name and explain them."""
OVER = N("This link no longer works.")


class ClipState(StrEnum):
    """What has become of a clip."""

    NONE = "none"
    WAITING = "waiting"
    MAKING = "making"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True)
class ClipOrder:
    """A clip: the event of its round, its language, and its format, a key of MEDIA_TYPES."""

    event: int
    language: str
    clip_format: str

    @property
    def file_name(self) -> str:
        """The name of its file for whoever saves it."""
        return f"throwlock-{self.event}.{self.clip_format}"


@dataclass(frozen=True)
class ClipStatus:
    """What has become of a clip: ``share`` of it is done; it is in ``file`` once ready; ``error`` is in the way."""

    state: ClipState
    share: float = 0.0
    file: Path | None = None
    error: str = ""


class ClipHost(Protocol):
    """Makes clips; implemented by ``throwlock.review.clips.maker.ClipMaker``."""

    def order(self, order: ClipOrder) -> None:
        """Have a clip made, unless there is one. Raises NotFoundError without such a round or its pictures, and
        RefusedError if too many are waiting."""

    def status(self, order: ClipOrder) -> ClipStatus:
        """Return what has become of a clip. Raises NotFoundError."""

    def find_shared(self, token: str) -> ClipOrder | None:
        """Return the clip that a token opens."""


def routes(host: ClipHost) -> list[BaseRoute]:
    """Routes of clips. What ``SHARED_CLIP`` matches is open to whoever has the token."""

    def order(request: Request) -> Response:
        event, form = params.path_number(request, "event"), request.state.form
        wanted = _checked(event, str(form.get("language", "")), str(form.get("format", "")))
        host.order(wanted)
        return RedirectResponse(_page_path(wanted), 303)

    def page(request: Request) -> Response:
        wanted = _order_in_path(request)
        status = host.status(wanted)
        return _render(request, "clip.html", wanted, status, f"{_page_path(wanted)}/file", REVIEW_TEXTS)

    def file(request: Request) -> Response:
        return _send(host, _order_in_path(request))

    def shared(request: Request) -> Response:
        wanted = _shared_order(host, request)
        status = host.status(wanted)
        return _render(request, "shared_clip.html", wanted, status, f"{request.url.path}/file", SHARED_TEXTS)

    def shared_file(request: Request) -> Response:
        return _send(host, _shared_order(host, request))

    return [
        Route("/round/{event:int}/clip", order, methods=["POST"]),
        Route("/round/{event:int}/clip/{language}/{format}", page),
        Route("/round/{event:int}/clip/{language}/{format}/file", file),
        Route(f"{CLIP_PATH}/{{token}}", shared),
        Route(f"{CLIP_PATH}/{{token}}/file", shared_file),
    ]


@dataclass(frozen=True)
class ClipTexts:
    """The words of a clip's page: on a shared clip's in the box's language, on the review pages in English."""

    t: Callable[[str], str]
    current_language: Callable[[], str]
    title: str = N("A round in slow motion")
    waiting: str = N("Another clip is made first …")
    making: str = N("The clip is being made …")
    failed: str = N("The clip can’t be made.")
    download: str = N("Save the clip")


SHARED_TEXTS = ClipTexts(t, current_language)
REVIEW_TEXTS = ClipTexts(str, lambda: "en")


def _render(
    request: Request, template: str, order: ClipOrder, status: ClipStatus, file: str, texts: ClipTexts
) -> Response:
    return render_page(request, template, order=order, status=status, states=ClipState, file=file, texts=texts)


def _checked(event: int, language: str, clip_format: str) -> ClipOrder:
    """Return an order. Raises HTTPException for a language or format that there is not."""
    if language not in LANGUAGES or clip_format not in MEDIA_TYPES:
        raise HTTPException(404)
    return ClipOrder(event, language, clip_format)


def _order_in_path(request: Request) -> ClipOrder:
    event = params.path_number(request, "event")
    return _checked(event, request.path_params["language"], request.path_params["format"])


def _shared_order(host: ClipHost, request: Request) -> ClipOrder:
    """Return the clip that a request's token opens. Raises HTTPException without one."""
    found = host.find_shared(request.path_params["token"])
    if found is None:
        raise HTTPException(404, t(OVER))
    return found


def _page_path(order: ClipOrder) -> str:
    return f"/round/{order.event}/clip/{order.language}/{order.clip_format}"


def _send(host: ClipHost, order: ClipOrder) -> Response:
    """Return the file of a clip; browsers ask for parts of it. Raises HTTPException as long as there is none."""
    file = host.status(order).file
    if file is None:
        raise HTTPException(404)
    return FileResponse(
        file,
        media_type=MEDIA_TYPES[order.clip_format],
        filename=order.file_name,
        content_disposition_type="inline",
    )
