"""Clips on the review pages, and links to them: a bar that needs no script, parts of a file for browsers, and nothing
for strangers."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from errors import NotFoundError
from tests.helpers.clip_rounds import R, S, late_round
from tests.helpers.waiting import LIMIT_S
from throwlock.match.clip_sharing import ClipSharing
from throwlock.review import clip_maker as maker
from throwlock.review.clip_maker import NO_PICTURES, ClipOrder, ClipState, ClipStatus
from throwlock.web import server
from throwlock.web.lan_switch import LanSwitch
from throwlock.web.server import ReviewServer
from throwlock.web.serving import ServerError
from ui.screen.pages.take_home import TakeHomeStatus
from ui.web.middleware import SHARED_CLIP

CLIP = bytes(range(256)) * 8


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


class Box:
    """A box on the network, whose clips are made or not as a test says."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.journal, self.event = late_round(folder)
        self.bare = self.journal.add_round(R, S)
        self.statuses: dict[ClipOrder, ClipStatus] = {}
        self.ordered: list[ClipOrder] = []
        self.file = folder / "made.mp4"
        self.file.write_bytes(CLIP)

        def note_order(clips: maker.ClipMaker, wanted: ClipOrder) -> None:
            clips.status(wanted)
            self.ordered.append(wanted)
            self.statuses[wanted] = ClipStatus(ClipState.WAITING)

        real_status = maker.ClipMaker.status
        monkeypatch.setattr(maker.ClipMaker, "order", note_order)
        monkeypatch.setattr(
            maker.ClipMaker, "status", lambda clips, wanted: self.statuses.get(wanted) or real_status(clips, wanted)
        )
        monkeypatch.setattr(server, "local_addresses", lambda: ("192.0.2.7",))


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    box = Box(tmp_path, monkeypatch)
    yield box
    box.journal.close()


@pytest.fixture
def review(box: Box) -> Iterator[ReviewServer]:
    with ReviewServer(box.journal.path, lan=True, port=0) as review:
        yield review


def visitor(review: ReviewServer) -> httpx.Client:
    base = f"http://127.0.0.1:{review.port}"
    return httpx.Client(base_url=base, headers={"Origin": base}, timeout=LIMIT_S, trust_env=False)


@pytest.fixture
def owner(review: ReviewServer) -> Iterator[httpx.Client]:
    """A browser that has typed the code."""
    with visitor(review) as client:
        assert client.post("/enter", data={"code": review.code}).status_code == 303
        yield client


def csrf_token(page: str) -> str:
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found
    return found[1]


def test_a_round_s_clip_is_ordered_waited_for_and_shown(box: Box, owner: httpx.Client) -> None:
    page = owner.get(f"/round/{box.event}").text
    form = {"token": csrf_token(page), "language": "de", "format": "mp4"}
    ordered = owner.post(f"/round/{box.event}/clip", data=form)
    wanted = ClipOrder(box.event, "de", "mp4")
    assert ordered.status_code == 303 and box.ordered == [wanted]
    place = ordered.headers["location"]
    waiting = owner.get(place)
    assert '<meta http-equiv="refresh" content="1">' in waiting.text and "<progress" in waiting.text
    assert owner.get(f"{place}/file").status_code == 404
    box.statuses[wanted] = ClipStatus(ClipState.MAKING, 0.42)
    assert 'value="0.42"' in owner.get(place).text
    box.statuses[wanted] = ClipStatus(ClipState.READY, 1.0, box.file)
    ready = owner.get(place)
    assert "refresh" not in ready.text and f'<video src="{place}/file"' in ready.text
    assert "media-src 'self'" in ready.headers["content-security-policy"]
    file = owner.get(f"{place}/file")
    assert file.content == CLIP and file.headers["content-type"] == "video/mp4"
    assert file.headers["cache-control"] == "no-store" and "sandbox" in file.headers["content-security-policy"]
    part = owner.get(f"{place}/file", headers={"Range": "bytes=256-511"})
    assert part.status_code == 206 and part.content == CLIP[256:512], "Safari plays nothing else"
    box.statuses[wanted] = ClipStatus(ClipState.FAILED, error="no room")
    assert "no room" in owner.get(place).text and "Make it" in owner.get(place).text


def test_webp_is_an_image_on_its_page(box: Box, owner: httpx.Client) -> None:
    box.statuses[ClipOrder(box.event, "en", "webp")] = ClipStatus(ClipState.READY, 1.0, box.file)
    page = owner.get(f"/round/{box.event}/clip/en/webp").text
    assert f'<img src="/round/{box.event}/clip/en/webp/file"' in page and "<video" not in page
    assert owner.get(f"/round/{box.event}/clip/en/webp/file").headers["content-type"] == "image/webp"


def test_a_round_without_pictures_offers_no_clip(box: Box, owner: httpx.Client) -> None:
    page = owner.get(f"/round/{box.bare}").text
    assert str(NO_PICTURES) in page and f"/round/{box.bare}/clip" not in page
    form = {"token": csrf_token(page), "language": "en", "format": "mp4"}
    assert owner.post(f"/round/{box.bare}/clip", data=form).status_code == 404
    assert box.ordered == []


@pytest.mark.parametrize(
    ("language", "clip_format"), [("xx", "mp4"), ("en", "avi"), ("", ""), ("en", "../../mp4"), ("..", "webp")]
)
def test_there_are_no_other_languages_and_formats(
    box: Box, owner: httpx.Client, language: str, clip_format: str
) -> None:
    form = {"token": csrf_token(owner.get("/").text), "language": language, "format": clip_format}
    assert owner.post(f"/round/{box.event}/clip", data=form).status_code == 404
    assert owner.get(f"/round/{box.event}/clip/{language or '-'}/{clip_format or '-'}").status_code == 404
    assert box.ordered == []


def test_a_stranger_gets_nothing(box: Box, review: ReviewServer) -> None:
    box.statuses[ClipOrder(box.event, "en", "mp4")] = ClipStatus(ClipState.READY, 1.0, box.file)
    with visitor(review) as stranger:
        for path in (f"/round/{box.event}/clip/en/mp4", f"/round/{box.event}/clip/en/mp4/file"):
            assert stranger.get(path).headers["location"] == "/enter"
        form = {"language": "en", "format": "mp4", "token": "none"}
        assert stranger.post(f"/round/{box.event}/clip", data=form).status_code == 403
        for token in ("A" * 22, "A" * 21 + "%2f", "A" * 21, "", "../round/2", "A" * 22 + "/x"):
            response = stranger.get(f"/clip/{token}")
            assert response.status_code in (303, 404) and CLIP not in response.content, token
    assert box.ordered == []


def test_a_link_opens_one_clip_and_nothing_else(box: Box, review: ReviewServer) -> None:
    shared = review.share_clip(box.event)
    wanted = ClipOrder(box.event, "en", "mp4")
    assert box.ordered == [wanted] and shared.url.startswith(f"http://192.0.2.7:{review.port}/clip/")
    path = shared.url.removeprefix(f"http://192.0.2.7:{review.port}")
    assert SHARED_CLIP.fullmatch(path)
    with visitor(review) as phone:
        waiting = phone.get(path)
        assert waiting.status_code == 200 and '<meta http-equiv="refresh"' in waiting.text
        assert "Ada" not in waiting.text and "/match" not in waiting.text and "set-cookie" not in waiting.headers
        box.statuses[wanted] = ClipStatus(ClipState.READY, 1.0, box.file)
        assert f'<video src="{path}/file"' in phone.get(path).text
        assert phone.get(f"{path}/file").content == CLIP
        assert phone.get(f"{path}/file", headers={"Range": "bytes=0-1"}).status_code == 206
        for other in ("/", f"/round/{box.event}", f"/round/{box.event}/clip/en/mp4/file", "/players"):
            assert phone.get(other).headers["location"] == "/enter"
        assert phone.post(path, data={"token": "none"}).status_code == 403
        other = path[:-1] + ("A" if path[-1] != "A" else "B")
        assert phone.get(other).status_code == 404 and phone.get(f"{other}/file").status_code == 404


def test_a_link_ends_with_the_server(box: Box) -> None:
    with ReviewServer(box.journal.path, lan=True, port=0) as review:
        path = review.share_clip(box.event).url.partition("/clip/")[2]
        box.statuses[ClipOrder(box.event, "en", "mp4")] = ClipStatus(ClipState.READY, 1.0, box.file)
    with review, visitor(review) as phone:
        assert phone.get(f"/clip/{path}").status_code == 404
    with pytest.raises(ServerError):
        review.share_clip(box.event)


def test_deleted_images_end_a_link(box: Box, review: ReviewServer) -> None:
    path = "/clip/" + review.share_clip(box.event).url.partition("/clip/")[2]
    del box.statuses[ClipOrder(box.event, "en", "mp4")]
    with box.journal.shelf.open() as archive:
        archive.delete_pictures(box.journal.match)
    with visitor(review) as phone:
        assert phone.get(path).status_code == 404 and phone.get(f"{path}/file").status_code == 404
    with pytest.raises(NotFoundError):
        review.share_clip(box.event)


def test_the_switch_of_the_network_shares_clips_while_it_is_on(box: Box) -> None:
    clips = ClipSharing()
    with LanSwitch(box.journal.path, port=0, clips=clips) as network:
        assert clips.network is network and not network.is_on
        assert network.share_clip(box.event)() == TakeHomeStatus(None)
        with clips.hold():
            assert network.switch_on() is None
        status = network.share_clip(box.event)
        shared = status()
        assert shared.url is not None and shared.url.startswith("http://192.0.2.7:") and "/clip/" in shared.url
        assert box.ordered == [ClipOrder(box.event, "en", "mp4")]
        with clips.hold(), pytest.raises(NotFoundError):
            network.share_clip(box.bare)
        network.switch_off()
        assert status().url is None
    assert clips.network is None
