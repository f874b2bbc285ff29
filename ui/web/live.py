"""Live pages. One address serves a page and, to a browser's ``EventSource``, the stream of its parts (server-sent
events, HTML Living Standard 9.2): the HTML of each block ``part_…`` of its template that has changed.
``static/live.js`` puts it into the element that has its name. Without JavaScript the page is reloaded."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from typing_extensions import override

from errors import ThrowlockError
from ui.i18n.language import current_language
from ui.web.pages import ENVIRONMENT, get_access, render_template
from ui.web.views import Access

RETRY_MS = 1000
"""How long a browser waits before it connects again."""
BEAT_S = 4.0
"""A stream is never silent for longer, so that a page notices a lost connection."""
STREAM_S = 15 * 60.0
"""A stream ends after this time; the page connects again at once if its session is still valid."""
EVENT_STREAM = "text/event-stream"
PART_PREFIX = "part_"
T = TypeVar("T")


class TooManyViewersError(Exception):
    """There are as many viewers as can be served."""


class Viewers:
    """Those who follow something that changes, at most ``limit`` at once. Any thread may call it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.is_open = False
        """Whether streams are served; ``close`` ends them."""
        self._lock = Lock()
        self._wakes: list[Callable[[], None]] = []

    def __len__(self) -> int:
        return len(self._wakes)

    def open(self) -> None:
        """Let streams begin."""
        self.is_open = True

    def close(self) -> None:
        """End all streams."""
        self.is_open = False
        self.wake()

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


@dataclass(frozen=True)
class LivePage:
    """A page that stays up to date while it is looked at."""

    template: str
    """Its file. The blocks ``part_…`` are its parts; each is in an element with its name as ``data-part``."""
    values: Callable[[], Mapping[str, object]]
    """Returns the template's variables as they are now, in a thread of its own."""
    viewers: Viewers
    """Who is woken when they may have changed."""
    stamp: Callable[[], object] = object
    """Returns what the values follow from: with an equal one, in the same language, nothing is rendered again."""
    beat_s: float = BEAT_S
    """How often, in s, the page hears that the box is there, and the values are looked at again at least."""

    def respond(self, request: Request) -> Response:
        """Return the page, or the stream of its parts to a browser that asks for one."""
        access = get_access(request)
        if request.method != "GET" or request.headers.get("accept") != EVENT_STREAM:
            return HTMLResponse(self.render(access), headers={"Vary": "Accept"})
        is_current: Callable[[], bool] = getattr(request.state, "is_current", lambda: True)
        return StreamingResponse(self._stream(access, is_current), media_type=EVENT_STREAM)

    def render(self, access: Access) -> str:
        """Return the HTML of the page as it is now."""
        return render_template(self.template, access, **self.values())

    def render_parts(self, access: Access) -> dict[str, str]:
        """Return the HTML of each part as it is now."""
        template = ENVIRONMENT.get_template(self.template)
        context = template.new_context({"access": access, **self.values()})
        next(template.root_render_func(context))  # up to the first text: the blocks of its parents, what it sets
        return {
            name.removeprefix(PART_PREFIX): "".join(blocks[0](context))
            for name, blocks in context.blocks.items()
            if name.startswith(PART_PREFIX)
        }

    async def _stream(self, access: Access, is_current: Callable[[], bool]) -> AsyncIterator[str]:
        loop, changed = asyncio.get_running_loop(), asyncio.Event()
        ends_s = loop.time() + STREAM_S
        beats_s = loop.time() + self.beat_s
        sent: dict[str, str] = {}
        stamp: object = None

        def current_stamp() -> object:
            return self.stamp(), current_language()

        def wake() -> None:
            with suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(changed.set)

        yield f"retry: {RETRY_MS}\n\n"
        try:
            with self.viewers.watch(wake):
                while self.viewers.is_open and loop.time() < ends_s and is_current():
                    changed.clear()
                    newest = await run_in_threadpool(current_stamp)
                    if newest != stamp or not sent:
                        stamp, parts = newest, await run_in_threadpool(self.render_parts, access)
                        if fresh := {name: html for name, html in parts.items() if sent.get(name) != html}:
                            yield f"data: {json.dumps(fresh)}\n\n"
                        sent = parts
                    if loop.time() >= beats_s:  # not whenever it is woken: a phone answers each beat
                        yield "event: beat\ndata: {}\n\n"
                        beats_s = loop.time() + self.beat_s
                    with suppress(TimeoutError):
                        await asyncio.wait_for(changed.wait(), beats_s - loop.time())
        except TooManyViewersError:
            yield "event: full\ndata: {}\n\n"
        except ThrowlockError:
            return  # what it shows can't be read: the page asks again, and says so if that lasts


class RenderCache:
    """What was rendered for many who look at the same: at most ``limit`` things. Any thread may call it."""

    def __init__(self, limit: int = 200) -> None:
        self._limit = limit
        self._lock = Lock()
        self._rendered: dict[Hashable, tuple[object, Any]] = {}

    def get(self, key: Hashable, stamp: object, render: Callable[[], T]) -> T:
        """Return what was rendered last under ``key``; with another ``stamp`` it is rendered again."""
        with self._lock:
            if key not in self._rendered or self._rendered[key][0] != stamp:
                fresh = stamp, render()
                if len(self._rendered) >= self._limit:
                    self._rendered.clear()
                self._rendered[key] = fresh
            rendered: T = self._rendered[key][1]
        return rendered


@dataclass(frozen=True)
class SharedPage(LivePage):
    """A live page without forms: it is the same for all who look, and is rendered once for each stamp and language."""

    path: str = ""
    """Its address."""
    cache: RenderCache = field(default_factory=RenderCache)
    """That of the pages of its kind."""

    @override
    def render(self, access: Access) -> str:
        return self._render_once("page", access, super().render)

    @override
    def render_parts(self, access: Access) -> dict[str, str]:
        return self._render_once("parts", access, super().render_parts)

    def _render_once(self, what: str, access: Access, render: Callable[[Access], T]) -> T:
        viewer = replace(access, token="")
        key = what, self.template, self.path, current_language(), viewer
        return self.cache.get(key, self.stamp(), partial(render, viewer))
