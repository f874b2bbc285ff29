"""The phones' pads: one page that shows a seat what it is asked. Forms answer; a script only keeps it up to date."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from throwlock.pads import texts
from throwlock.pads.table import PadTable
from throwlock.pads.view import PadState
from ui.web.live import BEAT_S, LivePage
from ui.web.middleware import PAD_PATH
from ui.web.params import form_number

PRESENCE_BEAT_S = 2.0
"""How often a phone says that it is looked at, unless it is a student's."""


def pad_page(pads: PadTable, phone: str) -> LivePage:
    """Return the page of a phone's session: a pure function of what the phone may know."""

    def state() -> PadState:
        return pads.state(phone)

    beat_s = BEAT_S if state().in_class else PRESENCE_BEAT_S
    return LivePage("pad.html", lambda: {"state": state(), "texts": texts}, pads.viewers, state, beat_s)


def _pads_and_phone(request: Request) -> tuple[PadTable, str]:
    """Return whom phones answer to, and the phone of a request, whose session the middleware has checked."""
    pads, phone = request.app.state.pads, request.state.secret
    assert isinstance(pads, PadTable) and isinstance(phone, str)
    pads.note_presence(phone)
    return pads, phone


def show_pad(request: Request) -> Response:
    """Show what a phone's seat is asked, and keep that up to date."""
    return pad_page(*_pads_and_phone(request)).respond(request)


def note_presence(request: Request) -> Response:
    """Note that somebody looks at a phone."""
    _pads_and_phone(request)
    return Response(status_code=204)


def take_seat(request: Request) -> Response:
    """Give a phone a seat."""
    pads, phone = _pads_and_phone(request)
    pads.take_seat(phone, form_number(request, "seat"))
    return RedirectResponse(PAD_PATH, 303)


def leave_seat(request: Request) -> Response:
    """Give a phone's seat back."""
    pads, phone = _pads_and_phone(request)
    pads.leave_seat(phone)
    return RedirectResponse(PAD_PATH, 303)


def introduce(request: Request) -> Response:
    """Note who holds a phone."""
    pads, phone = _pads_and_phone(request)
    form = request.state.form
    name, picture = str(form.get("name", "")), str(form.get("picture", ""))
    pads.introduce(phone, name, picture, form_number(request, "colour"))
    return RedirectResponse(PAD_PATH, 303)


def leave(request: Request) -> Response:
    """Forget who holds a phone."""
    pads, phone = _pads_and_phone(request)
    pads.forget_guest(phone)
    return RedirectResponse(PAD_PATH, 303)


def guess(request: Request) -> Response:
    """Take the guess of one of the audience."""
    pads, phone = _pads_and_phone(request)
    pads.guess(phone, form_number(request, "winner"))
    return RedirectResponse(f"{PAD_PATH}#{texts.AUDIENCE_ID}", 303)


def react(request: Request) -> Response:
    """Take the reaction of one of the audience."""
    pads, phone = _pads_and_phone(request)
    pads.react(phone, str(request.state.form.get("reaction", "")))
    return RedirectResponse(f"{PAD_PATH}#{texts.AUDIENCE_ID}", 303)


def return_to_phone(request: Request) -> Response:
    """Answer on a phone again."""
    pads, phone = _pads_and_phone(request)
    pads.return_to_phone(phone)
    return RedirectResponse(PAD_PATH, 303)


def touch_board(request: Request) -> Response:
    """Take a touch on a phone's board."""
    pads, phone = _pads_and_phone(request)
    pads.touch_board(phone, form_number(request, "question"), str(request.state.form.get("touched", "")))
    return RedirectResponse(f"{PAD_PATH}#{texts.SELECTED_ID}", 303)


def answer(request: Request) -> Response:
    """Take a phone's answer."""
    pads, phone = _pads_and_phone(request)
    pads.answer(phone, form_number(request, "question"), str(request.state.form.get("value", "")))
    return RedirectResponse(PAD_PATH, 303)


ROUTES = (
    Route(PAD_PATH, show_pad, methods=["GET"]),
    Route(f"{PAD_PATH}/here", note_presence, methods=["GET"]),
    Route(f"{PAD_PATH}/seat", take_seat, methods=["POST"]),
    Route(f"{PAD_PATH}/leave-seat", leave_seat, methods=["POST"]),
    Route(f"{PAD_PATH}/guest", introduce, methods=["POST"]),
    Route(f"{PAD_PATH}/leave", leave, methods=["POST"]),
    Route(f"{PAD_PATH}/guess", guess, methods=["POST"]),
    Route(f"{PAD_PATH}/react", react, methods=["POST"]),
    Route(f"{PAD_PATH}/return-to-phone", return_to_phone, methods=["POST"]),
    Route(f"{PAD_PATH}/board", touch_board, methods=["POST"]),
    Route(f"{PAD_PATH}/answer", answer, methods=["POST"]),
)
