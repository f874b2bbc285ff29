"""Past matches on the touchscreen, over real journals, and the switch of phones and review on the network."""

from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest

from rules.catalogue import GAMES
from rules.record.judgement import STRIP_OFFSETS_MS
from tests.helpers.history_people import browse_history, strip_jpeg, touch_line
from tests.helpers.journal_builder import JournalBuilder, P, R, S, make_hand
from tests.helpers.scripted_display import ScriptedDisplay
from tests.helpers.waiting import LIMIT_S
from throwlock.home import GameSession
from throwlock.journal.events import MatchAbandoned
from throwlock.journal.journal import JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.review.archive import ArchiveOpener
from throwlock.review.history_pages import EMPTY_MATCH, NONE_MARKED, NONE_YET, PICTURES_DELETED, round_view
from throwlock.unfinished_match import PlainMatch
from throwlock.web.lan_switch import LanSwitch
from throwlock.web.serving import ServerError
from tools.sample_journal import write_sample_journal
from ui.screen.pages import network as network_page
from ui.screen.pages.dispute import DisputedRound
from ui.screen.pages.history import LINES_PER_PAGE, HistoryAnswer, HistoryList
from ui.screen.pages.home import ChosenGame, GameMenu
from ui.screen.pages.notice import Notice
from ui.screen.views import Answer, InteractiveView
from ui.text.verdicts import ALL_ON_TIME
from ui.web import access_code


def shown_rounds(seen: Sequence[InteractiveView]) -> list[DisputedRound]:
    return [view for view in seen if isinstance(view, DisputedRound)]


def test_without_matches_the_page_says_so(tmp_path: Path) -> None:
    journal = tmp_path / "none.journal"
    (view,) = browse_history(journal, HistoryAnswer.HOME)
    assert isinstance(view, HistoryList) and (view.lines, view.empty_text) == ((), NONE_YET)
    assert not journal.exists()


def test_matches_are_paged_newest_first(tmp_path: Path) -> None:
    journal = tmp_path / "many.journal"
    write_sample_journal(journal, LINES_PER_PAGE * 2 + 1, seed=3)
    seen = browse_history(journal, HistoryAnswer.LATER, HistoryAnswer.LATER, HistoryAnswer.EARLIER, HistoryAnswer.HOME)
    views = [view for view in seen if isinstance(view, HistoryList)]
    numbers = [[one.answer for one in view.lines] for view in views]
    assert [len(leaf) for leaf in numbers] == [LINES_PER_PAGE, LINES_PER_PAGE, 1, LINES_PER_PAGE] and numbers[
        3
    ] == numbers[1]
    first = [number for leaf in numbers[:3] for number in leaf]
    assert first == sorted(first, key=lambda number: -int(str(number))) and len(set(first)) == LINES_PER_PAGE * 2 + 1
    assert [(view.list_page, view.has_more) for view in views] == [(0, True), (1, True), (2, False), (1, True)]


def test_a_match_that_has_just_begun_can_be_opened(tmp_path: Path) -> None:
    builder = JournalBuilder(tmp_path / "begun.journal")
    builder.close()
    _, view, _ = browse_history(builder.path, touch_line(0), HistoryAnswer.BACK, HistoryAnswer.HOME)
    assert isinstance(view, HistoryList)
    assert view.lines == () and view.empty_text == EMPTY_MATCH


def test_a_match_opens_rounds_neighbours_and_outcome(box: JournalBuilder) -> None:
    late = box.add_round(R, make_hand(P, "late", at_lock=R, shown_ms=351.0))
    won = box.add_round(P, R)
    seen = browse_history(
        box.path,
        touch_line(0),
        touch_line(0),
        HistoryAnswer.LATER,
        HistoryAnswer.STORY,
        HistoryAnswer.BACK,
        HistoryAnswer.BACK,
        HistoryAnswer.BACK,
        HistoryAnswer.HOME,
    )
    _, match, first, second, story, *_ = seen
    assert isinstance(match, HistoryList) and isinstance(story, HistoryList)
    assert [(one.answer, one.detail, one.note) for one in match.lines] == [
        (late, "Ben was late.", "void"),
        (won, "Ada wins (Ada paper, Ben rock).", ""),
    ]
    assert isinstance(first, DisputedRound) and isinstance(second, DisputedRound)
    assert (first.is_past, first.is_void, first.has_earlier, first.has_later) == (True, True, False, True)
    assert [first.verdict(seat) for seat in first.seats] == [None, "late"] and first.seats[0].reading == R
    assert not first.choices
    assert (second.is_void, second.has_earlier, second.has_later) == (False, True, False)
    assert story.lines[0].detail == "Ada wins (Ada paper, Ben rock)."


def test_the_strips_of_a_round_are_its_frames(box: JournalBuilder) -> None:
    event = box.add_round(R, S)
    seen = browse_history(
        box.path, touch_line(0), touch_line(0), HistoryAnswer.BACK, HistoryAnswer.BACK, HistoryAnswer.HOME
    )
    assert shown_rounds(seen)[0].frame_times_ms == (), "a seat's strip is missing: nothing is shown of half a table"
    box.close()
    from_strips = {f"strip-{seat}.jpg": strip_jpeg(len(STRIP_OFFSETS_MS)) for seat in (1, 2)}
    with ArchiveOpener(box.path, box.path.parent / "cache").open() as archive:
        view = round_view(archive.round(event), from_strips)
    assert view.frame_times_ms == tuple(170.0 + after for after in STRIP_OFFSETS_MS)
    shades = [float(view.hand_image(2, number).mean()) for number in range(len(STRIP_OFFSETS_MS))]
    assert shades == sorted(shades) and view.hand_image(1, 0).shape == (16, 16, 3)


def test_deleted_images_are_reported(box: JournalBuilder) -> None:
    box.add_round(R, S)
    with box.shelf.open() as archive:
        archive.delete_pictures(box.match)
    seen = browse_history(
        box.path, touch_line(0), touch_line(0), HistoryAnswer.BACK, HistoryAnswer.BACK, HistoryAnswer.HOME
    )
    (view,) = shown_rounds(seen)
    assert view.sentence == f"{ALL_ON_TIME} {PICTURES_DELETED}" and view.frame_times_ms == ()
    assert isinstance(seen[0], HistoryList) and "images deleted" in seen[0].lines[0].detail


def test_corrections_and_disputes_are_shown(box: JournalBuilder) -> None:
    event = box.add_round(R, S)
    box.correct(event, 2, "paper")
    seen = browse_history(
        box.path,
        touch_line(0),
        touch_line(0),
        HistoryAnswer.STORY,
        HistoryAnswer.BACK,
        HistoryAnswer.BACK,
        HistoryAnswer.BACK,
        HistoryAnswer.HOME,
    )
    assert shown_rounds(seen)[0].seats[1].reading == "paper"
    assert isinstance(seen[1], HistoryList) and seen[1].lines[0].note == "1 dispute"
    assert isinstance(seen[3], HistoryList) and seen[3].lines[-1].detail == "Ada said so."


def test_a_mark_is_set_found_and_removed(box: JournalBuilder) -> None:
    box.add_round(R, S)
    into, out = (touch_line(0), touch_line(0)), (HistoryAnswer.BACK, HistoryAnswer.BACK)
    seen = browse_history(
        box.path,
        "marked",
        "all",
        *into,
        HistoryAnswer.MARK,
        *out,
        "marked",
        *into,
        HistoryAnswer.MARK,
        HistoryAnswer.MARK,
        *out,
        HistoryAnswer.HOME,
    )
    assert [view.review_mark for view in shown_rounds(seen)] == [None, "to review", "to review", "reviewed", None]
    lists = [view for view in seen if isinstance(view, HistoryList) and HistoryAnswer.HOME in view.tools]
    assert [len(view.lines) for view in lists] == [1, 0, 1, 1, 1, 0]
    assert lists[1].empty_text == lists[-1].empty_text == NONE_MARKED
    assert "1 to review" in lists[3].lines[0].detail


def test_notes_are_shown(box: JournalBuilder) -> None:
    thrown = box.add_round(R, S)
    with box.shelf.open() as archive:
        archive.write_note(thrown, "Look at the thumb.")
    back = (HistoryAnswer.BACK,) * 3
    seen = browse_history(box.path, touch_line(0), touch_line(0), HistoryAnswer.STORY, *back, HistoryAnswer.HOME)
    matches, rounds, _, story, *_ = seen
    assert isinstance(matches, HistoryList) and matches.lines[0].detail.endswith("1 round, note")
    assert isinstance(rounds, HistoryList) and rounds.lines[0].note == "note"
    assert isinstance(story, HistoryList) and story.lines[0].detail == "Look at the thumb."


def test_journal_errors_are_shown(tmp_path: Path) -> None:
    journal = tmp_path / "broken.journal"
    journal.write_bytes(b"no journal at all" * 100)
    (view,) = browse_history(journal, HistoryAnswer.BACK)
    assert isinstance(view, Notice) and "broken.journal" in view.text


def test_a_vanished_match_is_reported_and_the_list_stays(box: JournalBuilder) -> None:
    seen = browse_history(box.path, 999, HistoryAnswer.BACK, HistoryAnswer.HOME)
    assert isinstance(seen[1], Notice) and "no match 999" in seen[1].text
    assert isinstance(seen[2], HistoryList)


@pytest.fixture
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def _guess(served: network_page.ReviewAddress, code: str) -> int:
    base = f"http://127.0.0.1:{served.addresses[0].rpartition(':')[2] if served.addresses else ''}"
    with httpx.Client(base_url=base, headers={"Origin": base}, timeout=LIMIT_S, trust_env=False) as client:
        return client.post("/enter", data={"code": code}).status_code


@pytest.mark.usefixtures("_own_cache")
def test_the_lan_switch_turns_the_review_on_and_off(box: JournalBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("throwlock.web.server.local_addresses", lambda: ("192.0.2.7",))
    monkeypatch.setattr(access_code, "ADDRESS_LIMITS", ())
    with LanSwitch(box.path, port=0) as network:
        assert not network.is_on and network.status() is None

        def use(view: InteractiveView) -> Answer:
            assert isinstance(view, network_page.NetworkSwitch) and view.status is not None and network.is_on
            before = view.status
            assert before.addresses[0].startswith("http://192.0.2.7:") and not before.code_renewed
            assert _guess(before, before.code) == 303
            for _ in range(access_code.ROTATE_AFTER_ATTEMPTS):
                assert _guess(before, "FFFFFFFF") == 403
            after = view.current()
            assert after is not None and after.code_renewed and after.code != before.code
            return HistoryAnswer.HOME

        network.open(ScriptedDisplay(network_page.ON, use))
        assert network.is_on, "it stays on while people play"
        address = network.status()
        assert address is not None
        network.open(ScriptedDisplay(network_page.OFF, HistoryAnswer.HOME))
        assert not network.is_on and network.status() is None
        with pytest.raises(httpx.ConnectError):
            _guess(address, "FFFFFFFF")
        network.open(ScriptedDisplay(network_page.ON, HistoryAnswer.HOME))
        again = network.status()
    assert again is not None and again.code != address.code
    with pytest.raises(httpx.ConnectError):
        _guess(again, "FFFFFFFF")


@pytest.mark.usefixtures("_own_cache")
def test_home_links_history_and_lan_switch(box: JournalBuilder) -> None:
    box.add_round(R, S)
    box.journal.append(box.match, MatchAbandoned())  # else people are asked about it before another match
    wanted = ChosenGame("classic", 2, {})
    screen = ScriptedDisplay(
        "past matches", HistoryAnswer.HOME, "phones and review", network_page.ON, HistoryAnswer.HOME, wanted
    )
    evening = GameSession(LaunchOptions(box.path, "simulated"), screen, lambda *_: None, (), 0)
    with LanSwitch(box.path, port=0) as evening.network:
        assert evening.choose_game() == PlainMatch(GAMES["classic"].set_up(2, {}))
    kinds = [type(view).__name__ for view in screen.seen]
    assert kinds == ["GameMenu", "HistoryList", "GameMenu", "NetworkSwitch", "NetworkSwitch", "GameMenu"]
    first, last = screen.seen[0], screen.seen[-1]
    assert isinstance(first, GameMenu) and isinstance(last, GameMenu)
    assert "phones and review" in first.tools, "off until somebody switches it on"
    assert "phones and review are on" in last.tools and "phones and review" not in last.tools
    assert first.join is None and last.join is not None and "who is here" in last.tools


ON_AND_BACK = (network_page.ON, HistoryAnswer.BACK, HistoryAnswer.HOME)


@pytest.mark.usefixtures("_own_cache")
def test_lan_switch_errors_are_shown(tmp_path: Path, box: JournalBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "damaged.journal").write_text("no journal")
    damaged, screen = LanSwitch(tmp_path / "damaged.journal", port=0), ScriptedDisplay(*ON_AND_BACK)
    damaged.open(screen)
    assert isinstance(screen.seen[1], Notice) and not damaged.is_on

    def refused(*_: object) -> None:
        raise ServerError("the pages can’t be opened")

    monkeypatch.setattr("throwlock.web.server.ReviewServer.start", refused)
    network, screen = LanSwitch(box.path), ScriptedDisplay(*ON_AND_BACK)
    network.open(screen)
    assert isinstance(screen.seen[1], Notice) and not network.is_on


@pytest.mark.usefixtures("_own_cache")
def test_class_lists_can_be_entered_before_anything_was_played(tmp_path: Path) -> None:
    with LanSwitch(tmp_path / "new.journal", port=0) as network:
        network.open(ScriptedDisplay(network_page.ON, HistoryAnswer.HOME))
        assert network.is_on
    with JournalReader(tmp_path / "new.journal") as journal:
        assert journal.events() == []


@pytest.mark.usefixtures("_own_cache")
def test_phones_can_join_before_anything_has_been_played(tmp_path: Path) -> None:
    with LanSwitch(tmp_path / "no folder" / "none.journal", port=0) as network:
        network.open(ScriptedDisplay(network_page.ON, HistoryAnswer.HOME))
        served = network.status()
        if served is None or not served.addresses:
            pytest.skip("this machine has no network")
        assert served.join is not None and served.join.code != served.code
        assert served.join.url == f"{served.addresses[0]}/join/{served.join.code.replace('-', '')}"
        with httpx.Client(base_url=served.addresses[0], headers={"Origin": served.addresses[0]}) as laptop:
            laptop.post("/enter", data={"code": served.code})
            page = laptop.get("/")
        assert page.status_code == 404 and "Nothing has been played yet" in page.text


@pytest.mark.usefixtures("_own_cache")
def test_another_port_is_used_when_the_default_is_taken(box: JournalBuilder) -> None:
    with LanSwitch(box.path, port=0) as one:
        one.open(ScriptedDisplay(network_page.ON, HistoryAnswer.HOME))
        first = one.status()
        assert first is not None
        taken = int(_port(first))
        with LanSwitch(box.path, port=taken) as other:
            other.open(ScriptedDisplay(network_page.ON, HistoryAnswer.HOME))
            second = other.status()
            assert second is not None and _port(second) != str(taken)


def _port(served: network_page.ReviewAddress) -> str:
    if not served.addresses:
        pytest.skip("this machine has no network")
    return served.addresses[0].rpartition(":")[2]
