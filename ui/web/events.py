"""Server-sent events (HTML Living Standard, 9.2): a stream that tells pages what is new, and stays audible."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Protocol, TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ui.web.live import BEAT_S, RETRY_MS, STREAM_S, TooManyViewersError, Viewers


class HasNumber(Protocol):
    """Something that is shown, with a number of its own."""

    @property
    def number(self) -> int:
        """Another one only if it differs from the last."""


Shown = TypeVar("Shown", bound=HasNumber)
Shown_co = TypeVar("Shown_co", bound=HasNumber, covariant=True)


class LiveSource(Protocol[Shown_co]):
    """Something that changes. May be called from any thread."""

    @property
    def is_open(self) -> bool:
        """Whether it is served."""

    @property
    def viewers(self) -> Viewers:
        """Who follows it."""

    def newest(self) -> Shown_co:
        """Return what is shown now."""


def stream_events(
    request: Request, source: LiveSource[Shown], encode: Callable[[Shown], str], beat: Callable[[], str] = lambda: "{}"
) -> Response:
    """Stream what is shown now, and whenever it has another number, as JSON; in between ``beat``."""
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")
    return StreamingResponse(_stream(source, encode, beat), media_type="text/event-stream")


async def _stream(
    source: LiveSource[Shown], encode: Callable[[Shown], str], beat: Callable[[], str]
) -> AsyncIterator[str]:
    loop, changed = asyncio.get_running_loop(), asyncio.Event()
    ends, sent = loop.time() + STREAM_S, -1

    def wake() -> None:
        with suppress(RuntimeError):  # the server has stopped
            loop.call_soon_threadsafe(changed.set)

    yield f"retry: {RETRY_MS}\n\n"
    try:
        with source.viewers.watch(wake):
            while source.is_open and loop.time() < ends:
                changed.clear()
                shown = source.newest()
                if shown.number == sent:
                    yield f"event: beat\ndata: {beat()}\n\n"
                else:
                    sent = shown.number
                    yield f"id: {sent}\ndata: {encode(shown)}\n\n"
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), BEAT_S)
    except TooManyViewersError:
        yield "event: full\ndata: {}\n\n"
