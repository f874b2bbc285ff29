"""Server-sent events (HTML Living Standard, 9.2): a stream that tells pages what is new, and stays audible."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Protocol, TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

RETRY_MS = 1000
"""How long a browser waits before it connects again."""
BEAT_S = 4.0
"""The stream is never silent for longer, so that a page notices a lost connection."""
STREAM_S = 15 * 60.0
"""A stream ends after this time; the page connects again at once if its session is still valid."""


class TooManyViewersError(Exception):
    """There are as many viewers as can be served."""


class Viewers:
    """Those who follow a ``LiveSource``, at most ``limit`` at once. Any thread may call it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock = Lock()
        self._wakes: list[Callable[[], None]] = []

    def __len__(self) -> int:
        return len(self._wakes)

    @contextmanager
    def watch(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call ``wake``, in any thread, whenever there may be something new, as long as the context lasts. Raises
        TooManyViewersError."""
        with self._lock:
            if len(self._wakes) >= self.limit:
                raise TooManyViewersError
            self._wakes.append(wake)
        try:
            yield
        finally:
            with self._lock:
                self._wakes.remove(wake)

    def wake(self) -> None:
        """Tell everybody that there may be something new, without waiting for them."""
        with self._lock:
            wakes = tuple(self._wakes)
        for wake in wakes:
            wake()


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
