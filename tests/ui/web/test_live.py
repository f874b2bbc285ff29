"""Live pages: what a stream sends, when it ends, and who is told what."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from errors import NotFoundError
from messages import N
from rules.engine import Choices, IntRange, Prompt, SealedPrompt, SecretPrompt
from rules.record.event import ReviewMark
from tests.helpers.pad_phones import Phones
from tests.helpers.samples.common import COUNT_WORDS, table_image
from tests.helpers.waiting import LIMIT_S
from tests.helpers.web_archive import FakeArchive
from throwlock.web.app import create_app
from throwlock.web.pads import pad_page
from throwlock.web.review import show_match
from ui.i18n.language import use_language
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.group_question import GroupQuestion
from ui.web import live
from ui.web.live import LivePage, RenderCache, SharedPage
from ui.web.views import Access

BET = SealedPrompt("bet", dict.fromkeys((1, 2), IntRange(0, 20, 5)))
PLAYERS = (Player(1, "Ada"), Player(2, "Ben"))


class Stream:
    """The events that a page is sent, one after the other."""

    def __init__(
        self, respond: Callable[[Request], Response], is_current: Callable[[], bool] = lambda: True, **scope: object
    ) -> None:
        headers, state = [(b"accept", b"text/event-stream")], {"is_current": is_current}
        response = respond(Request({"type": "http", "method": "GET", "headers": headers, "state": state, **scope}))
        assert isinstance(response, StreamingResponse)
        self._chunks: AsyncIterator[str] = response.body_iterator  # type: ignore[assignment]

    async def next(self) -> tuple[str, dict[str, str]]:
        """Return the next event, with its parts."""
        text = await asyncio.wait_for(anext(self._chunks), LIMIT_S)
        if text.startswith("retry:"):
            return await self.next()
        fields = dict(line.split(": ", 1) for line in text.strip().split("\n"))
        return fields.get("event", "parts"), json.loads(fields["data"])

    async def ends(self) -> bool:
        """Whether nothing more comes."""
        try:
            await self.next()
        except StopAsyncIteration:
            return True
        return False


@pytest.fixture
def phones() -> Phones:
    phones = Phones(("Ada", "Ben"))
    phones.join(1, 2)
    phones.pads.viewers.open()
    return phones


def ask(phones: Phones, prompt: Prompt) -> None:
    view = phones.pads.begin_question(GroupQuestion(PLAYERS, prompt))
    phones.pads.show(view)
    view.first_page()


def test_all_parts_come_first_then_those_that_changed(phones: Phones) -> None:
    async def read() -> None:
        stream = Stream(pad_page(phones.pads, "1").respond)
        _, first = await stream.next()
        asked, known = {"own", "turn", "question", "board", "answer"}, {"result", "figures", "players", "leave"}
        assert set(first) == asked | known | {"guest", "guess", "reactions", "guessers"}
        ask(phones, BET)
        _, fresh = await stream.next()
        assert {"turn", "question"} <= set(fresh) and "own" not in fresh and "leave" not in fresh

    asyncio.run(read())


def test_only_the_seat_that_is_asked_is_sent_its_question(phones: Phones) -> None:
    async def read() -> None:
        own, other = Stream(pad_page(phones.pads, "1").respond), Stream(pad_page(phones.pads, "2").respond)
        await own.next()
        await other.next()
        ask(phones, SecretPrompt("place", {1: Choices(("rock", "paper"))}))
        assert "Paper" in (await own.next())[1]["question"]
        sent = (await other.next())[1]
        assert "Waiting for Ada" in sent["question"] and "Paper" not in json.dumps(sent)

    asyncio.run(read())


def test_an_idle_page_hears_only_that_the_box_is_there(phones: Phones) -> None:
    async def read() -> None:
        stream = Stream(
            LivePage("pad.html", pad_page(phones.pads, "1").values, phones.pads.viewers, beat_s=0.01).respond
        )
        await stream.next()
        assert [await stream.next() for _ in range(3)] == [("beat", {})] * 3

    asyncio.run(read())


def test_with_the_same_stamp_nothing_is_rendered_again(phones: Phones) -> None:
    rendered: list[int] = []

    def values() -> dict[str, object]:
        rendered.append(1)
        return dict(pad_page(phones.pads, "1").values())

    async def read() -> None:
        stream = Stream(LivePage("pad.html", values, phones.pads.viewers, lambda: "same", beat_s=0.01).respond)
        await stream.next()
        await stream.next()

    asyncio.run(read())
    assert len(rendered) == 1


def test_a_phone_is_left_alone_while_only_the_touchscreen_changes(phones: Phones) -> None:
    """During a count the touchscreen has a new preview ten times a second."""
    count = Countdown(PLAYERS, "Round 1", COUNT_WORDS, 1)
    phones.pads.show(count)
    page, rendered = pad_page(phones.pads, "1"), list[int]()

    def values() -> Mapping[str, object]:
        rendered.append(1)
        return page.values()

    async def read() -> None:
        stream = Stream(replace(page, values=values, beat_s=0.01).respond)
        await stream.next()
        for _ in range(3):
            phones.pads.show(replace(count, preview=table_image(2)))
            assert await stream.next() == ("beat", {})
        assert len(rendered) == 1
        with use_language("de"):
            assert (await stream.next())[0] == "parts"

    asyncio.run(read())


def test_beats_keep_their_pace_however_often_a_page_is_woken(phones: Phones) -> None:
    """A phone answers each of them."""
    page, looks = pad_page(phones.pads, "1"), list[int]()

    def stamp() -> object:
        looks.append(1)
        return page.stamp()

    async def read() -> None:
        stream = Stream(replace(page, stamp=stamp, beat_s=LIMIT_S).respond)
        await stream.next()
        coming = asyncio.ensure_future(stream.next())
        for _ in range(3):
            before = len(looks)
            phones.pads.viewers.wake()
            while len(looks) == before and not coming.done():
                await asyncio.sleep(0)
        ask(phones, BET)
        assert (await coming)[0] == "parts"

    asyncio.run(read())


def test_many_who_look_at_the_same_share_what_is_rendered(phones: Phones) -> None:
    rendered: list[int] = []
    stamp, cache = ["first"], RenderCache()

    def values() -> dict[str, object]:
        rendered.append(1)
        return dict(pad_page(phones.pads, "1").values())

    def page(path: str) -> SharedPage:
        return SharedPage("pad.html", values, phones.pads.viewers, lambda: stamp[0], path=path, cache=cache)

    ada, ben = Access(local=False, token="Ada's"), Access(local=False, token="Ben's")
    for viewer in (ada, ben):
        assert "Ada's" not in str(page("/a").render_parts(viewer)) and len(rendered) == 1
    english = page("/a").render(ada)
    assert page("/a").render(ben) == english and len(rendered) == 2
    with use_language("de"):
        assert page("/a").render(ada) != english
    page("/b").render(ada)
    assert len(rendered) == 4
    stamp[0] = "second"
    page("/a").render(ada)
    assert len(rendered) == 5


def test_only_so_much_is_kept_rendered() -> None:
    cache, rendered = RenderCache(1), list[str]()
    for key in ("a", "a", "b", "a"):
        cache.get(key, "stamp", lambda key=key: rendered.append(key))  # type: ignore[misc]
    assert rendered == ["a", "b", "a"]


def test_a_stream_ends_when_what_it_shows_cannot_be_read(phones: Phones) -> None:
    def fail() -> dict[str, object]:
        raise NotFoundError(N("There is no such page."))

    async def read() -> None:
        assert await Stream(LivePage("pad.html", fail, phones.pads.viewers).respond).ends()

    asyncio.run(read())
    assert len(phones.pads.viewers) == 0


def test_a_stream_ends_with_its_session_and_with_the_server(phones: Phones) -> None:
    async def read() -> None:
        session = [True]
        stream = Stream(pad_page(phones.pads, "1").respond, lambda: session[0])
        await stream.next()
        session[0] = False
        phones.pads.viewers.wake()
        assert await stream.ends()
        stream = Stream(pad_page(phones.pads, "1").respond)
        await stream.next()
        phones.pads.viewers.close()
        assert await stream.ends()

    asyncio.run(read())
    assert len(phones.pads.viewers) == 0


def test_one_more_than_can_be_served_is_told_so(phones: Phones) -> None:
    phones.pads.viewers.limit = 1

    async def read() -> None:
        first = Stream(pad_page(phones.pads, "1").respond)
        await first.next()
        second = Stream(pad_page(phones.pads, "2").respond)
        assert await second.next() == ("full", {}) and await second.ends()

    asyncio.run(read())


def test_a_browser_gets_the_page_itself(phones: Phones) -> None:
    request = Request({"type": "http", "method": "GET", "path": "/pad", "headers": [(b"accept", b"text/html")]})
    response = pad_page(phones.pads, "1").respond(request)
    assert isinstance(response, HTMLResponse) and response.headers["vary"] == "Accept"
    assert b'data-part="question"' in response.body


def test_a_stream_does_not_last_for_ever(phones: Phones, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "STREAM_S", 0.0)

    async def read() -> None:
        assert await Stream(pad_page(phones.pads, "1").respond).ends()

    asyncio.run(read())


def test_the_page_of_a_match_follows_the_journal() -> None:
    archive = FakeArchive()
    app = create_app(lambda: nullcontext(archive))
    viewers = app.state.viewers[0]
    viewers.open()

    async def read() -> None:
        stream = Stream(show_match, app=app, path_params={"number": "1"})
        assert set((await stream.next())[1]) == {"standing", "rounds"}
        viewers.wake()
        archive.marks[3] = ReviewMark.TO_REVIEW
        viewers.wake()
        _, fresh = await stream.next()
        assert set(fresh) == {"rounds"} and "to review" in fresh["rounds"]

    asyncio.run(read())
