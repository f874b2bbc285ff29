"""Clips of rounds on the review pages, and on the page that a QR code of the box's screen opens: made in the
background, with a progress bar that needs no script."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from messages import N
from throwlock.review.clip_maker import MEDIA_TYPES, ClipMaker, ClipOrder, ClipState
from ui.i18n.language import LANGUAGES, t
from ui.web import params
from ui.web.middleware import CLIP_PATH
from ui.web.pages import render_page

OVER = N("This link no longer works.")


def _clips(request: Request) -> ClipMaker:
    clips = request.app.state.clips
    assert isinstance(clips, ClipMaker)
    return clips


def order_clip(request: Request) -> Response:
    """Have a clip made, and show its page."""
    event, form = params.path_number(request, "event"), request.state.form
    order = _checked(event, str(form.get("language", "")), str(form.get("format", "")))
    _clips(request).order(order)
    return RedirectResponse(_page_path(order), 303)


def show_clip(request: Request) -> Response:
    """Show a clip, or how far it is made."""
    order = _order_in_path(request)
    return _render(request, "clip.html", order, f"{_page_path(order)}/file")


def send_clip(request: Request) -> Response:
    """Send the file of a clip."""
    return _send(request, _order_in_path(request))


def show_shared_clip(request: Request) -> Response:
    """Show the clip that a token opens."""
    return _render(request, "shared_clip.html", _shared_order(request), f"{request.url.path}/file")


def send_shared_clip(request: Request) -> Response:
    """Send the file of the clip that a token opens."""
    return _send(request, _shared_order(request))


ROUTES = (
    Route("/round/{event:int}/clip", order_clip, methods=["POST"]),
    Route("/round/{event:int}/clip/{language}/{format}", show_clip),
    Route("/round/{event:int}/clip/{language}/{format}/file", send_clip),
    Route(f"{CLIP_PATH}/{{token}}", show_shared_clip),
    Route(f"{CLIP_PATH}/{{token}}/file", send_shared_clip),
)
"""What ``SHARED_CLIP`` matches is open to whoever has the token."""


def _render(request: Request, template: str, order: ClipOrder, file: str) -> Response:
    status = _clips(request).status(order)
    return render_page(request, template, order=order, status=status, states=ClipState, file=file)


def _checked(event: int, language: str, clip_format: str) -> ClipOrder:
    """Return an order. Raises HTTPException for a language or format that there is not."""
    if language not in LANGUAGES or clip_format not in MEDIA_TYPES:
        raise HTTPException(404)
    return ClipOrder(event, language, clip_format)


def _order_in_path(request: Request) -> ClipOrder:
    event = params.path_number(request, "event")
    return _checked(event, request.path_params["language"], request.path_params["format"])


def _shared_order(request: Request) -> ClipOrder:
    """Return the clip that a request's token opens. Raises HTTPException without one."""
    order = _clips(request).find_shared(request.path_params["token"])
    if order is None:
        raise HTTPException(404, t(OVER))
    return order


def _page_path(order: ClipOrder) -> str:
    return f"/round/{order.event}/clip/{order.language}/{order.clip_format}"


def _send(request: Request, order: ClipOrder) -> Response:
    """Return the file of a clip; browsers ask for parts of it. Raises HTTPException as long as there is none."""
    file = _clips(request).status(order).file
    if file is None:
        raise HTTPException(404)
    return FileResponse(
        file,
        media_type=MEDIA_TYPES[order.clip_format],
        filename=order.file_name,
        content_disposition_type="inline",
    )
