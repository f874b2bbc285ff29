"""Answers each browser in the language it asks for."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.i18n.language import LANGUAGES, current_language, use_language


class BrowserLanguage:
    """An ASGI app that passes requests on to ``app``, whose texts are then in the browser's language."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        wanted = Headers(scope=scope).get("accept-language", "") if scope["type"] == "http" else ""
        with use_language(choose_language(wanted)):
            await self._app(scope, receive, send)


def choose_language(wanted: str) -> str:
    """Return the code of the language for an ``Accept-Language`` header (RFC 9110, 12.5.4): the one with the highest
    weight that there is, if there is none the touchscreen's, which is English on a hub."""
    best, best_weight = current_language(), 0.0
    for entry in wanted.split(","):
        tag, _, weight_text = entry.partition(";")
        code = tag.strip().lower().partition("-")[0]
        try:
            weight = float(weight_text.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if code in LANGUAGES and weight > best_weight:
            best, best_weight = code, weight
    return best
