"""The pads' pages: joining, and one page that shows a seat what it is asked. Forms answer; a script only keeps the page
up to date."""

import hashlib

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ui.web import params
from ui.web.pads import strings
from ui.web.pads.view import PAD_PATH, PadHost, PadState
from ui.web.pages import get_access, render_template
from ui.web.views import Access

POLL_INTERVAL_MS, CLASS_POLL_INTERVAL_MS = 1000, 3000
"""How often a phone asks for news while its page is looked at; in a class there are many."""
STATE_HEADER, SECONDS_HEADER = "Pad-State", "Pad-Seconds"
"""What identifies the page that a phone shows, and the seconds left for its question."""


def routes(host: PadHost) -> list[BaseRoute]:
    """Routes of the pads. The middleware has checked the phone's session."""

    def pad(request: Request) -> Response:
        state = host.state(request.state.secret)
        part = render_part(get_access(request), state)
        poll_ms = CLASS_POLL_INTERVAL_MS if state.in_class else POLL_INTERVAL_MS
        page = render_template(
            "pad.html", get_access(request), part=Markup(part), state_id=_identify(part), poll_ms=poll_ms, texts=strings
        )
        return HTMLResponse(page)

    def part(request: Request) -> Response:
        state = host.state(request.state.secret)
        html = render_part(get_access(request), state)
        headers = {STATE_HEADER: _identify(html)}
        if state.question is not None and state.question.seconds_left is not None:
            headers[SECONDS_HEADER] = f"{state.question.seconds_left:.1f}"
        if request.query_params.get("seen") == headers[STATE_HEADER]:
            return Response(status_code=204, headers=headers)
        return HTMLResponse(html, headers=headers)

    def take_seat(request: Request) -> Response:
        host.take_seat(request.state.secret, params.form_number(request, "seat"))
        return RedirectResponse(PAD_PATH, 303)

    def give_back(request: Request) -> Response:
        host.give_back(request.state.secret)
        return RedirectResponse(PAD_PATH, 303)

    def take_back(request: Request) -> Response:
        host.take_back(request.state.secret)
        return RedirectResponse(PAD_PATH, 303)

    def touch_board(request: Request) -> Response:
        touched = str(request.state.form.get("touched", ""))
        host.touch_board(request.state.secret, params.form_number(request, "question"), touched)
        return RedirectResponse(f"{PAD_PATH}#{strings.SELECTED_ID}", 303)

    def answer(request: Request) -> Response:
        form = request.state.form
        host.answer(request.state.secret, params.form_number(request, "question"), str(form.get("value", "")))
        return RedirectResponse(PAD_PATH, 303)

    return [
        Route(PAD_PATH, pad, methods=["GET"]),
        Route(f"{PAD_PATH}/part", part, methods=["GET"]),
        Route(f"{PAD_PATH}/seat", take_seat, methods=["POST"]),
        Route(f"{PAD_PATH}/give-back", give_back, methods=["POST"]),
        Route(f"{PAD_PATH}/take-back", take_back, methods=["POST"]),
        Route(f"{PAD_PATH}/board", touch_board, methods=["POST"]),
        Route(f"{PAD_PATH}/answer", answer, methods=["POST"]),
    ]


def render_part(access: Access, state: PadState) -> str:
    """Render what changes on a pad, a pure function of what its phone may know. Time that passes doesn't change it."""
    return render_template("pad_part.html", access, state=state, texts=strings)


def _identify(html: str) -> str:
    return hashlib.sha256(html.encode()).hexdigest()[:16]
