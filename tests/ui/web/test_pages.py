"""The review pages over a fake archive: contents, forms and error pages."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from rules.record.event import ReviewMark
from rules.throws import Throw
from tests.helpers.web_archive import ADA, FakeArchive, make_app
from tests.helpers.web_guard import EVIL, LOCAL_TOKEN, BrowserClient, TranslatableText, as_xml, protected_app
from ui.web import strings
from ui.web.static_files import STATIC_TYPES
from ui.web.views import MatchFilter


@pytest.fixture
def made() -> FakeArchive:
    return FakeArchive()


@pytest.fixture
def client(made: FakeArchive) -> BrowserClient:
    return BrowserClient(protected_app(made))


def text_of(html: str) -> str:
    """Return the text of a page with normalised whitespace."""
    return " ".join(re.sub(r"<[^>]+>", " ", html.split("<main", 1)[1]).split())


def test_matches_are_listed_by_day_with_players_winners_and_marks(client: BrowserClient, made: FakeArchive) -> None:
    made.mark(9, ReviewMark.TO_REVIEW)
    html = client.get("/").text
    said = text_of(html)
    assert said.index(strings.format_date(strings.local_date("2026-11-21T10:00:00+00:00"))) < said.index(
        "RPS Redeux 1 Ada"
    )
    assert "in progress" in said and "4 rounds" in said and "1 foul" in said and "1 dispute" in said
    assert re.search(r"Ben\s+won", said) and not re.search(r"Ada\s+won", said)
    assert "1 to review" in said
    assert 'href="/match/1"' in html and 'href="/match/20"' in html


@pytest.mark.parametrize("path", ["/", "/match/1", "/round/3", "/players", f"/player/{'a' * 16}"])
def test_a_browser_that_translates_leaves_names_alone(client: BrowserClient, path: str) -> None:
    html, text = client.get(path).text, TranslatableText()
    text.feed(html.partition("<body")[2].partition("</body>")[0].partition(">")[2])
    assert 'translate="no"' in html and text.found
    assert not {"Ada", "Ben", "<b>Cy</b> & Co"} & {*text.found}


def test_the_filter_keeps_its_values_and_limits_the_list(client: BrowserClient) -> None:
    html = client.get("/", params={"game": "classic", "player": "c" * 16, "day": "2026-11-21"}).text
    assert 'href="/match/20"' in html and 'href="/match/1"' not in html
    assert 'value="2026-11-21"' in html and re.search(r'value="classic" selected', html)
    assert re.search(rf'value="{"c" * 16}" selected', html)


@pytest.mark.parametrize(("trouble", "field"), [("fouls", "fouls"), ("disputes", "disputes")])
def test_matches_with_fouls_or_disputes_are_found(made: FakeArchive, trouble: str, field: str) -> None:
    client = TestClient(make_app(made))
    html = client.get("/", params={"trouble": trouble}).text
    found = {int(number) for number in re.findall(r'class="whole" href="/match/(\d+)"', html)}
    lines = made.matches(MatchFilter())
    assert found == {line.number for line in lines if getattr(line, field)} and 0 < len(found) < len(lines)
    assert f'<option value="{trouble}" selected>' in html


def test_a_filter_without_matches_says_so(client: BrowserClient) -> None:
    assert "No matches found" in text_of(client.get("/", params={"day": "2020-01-01"}).text)


def test_pages_of_matches_keep_the_filter() -> None:
    client = TestClient(make_app(FakeArchive(more=70)))
    seen: list[str] = []
    address = "/?player=" + str(ADA.key)
    while True:
        html = client.get(address).text
        seen += re.findall(r'class="whole" href="(/match/\d+)"', html)
        older = re.search(r'rel="next" href="(\?[^"]+)"', html)
        if older is None:
            break
        assert "player=" in older[1]
        address = "/" + older[1].replace("&amp;", "&")
    assert len(seen) == len(set(seen)) == 71


def test_an_empty_journal_shows_how_to_start(client: BrowserClient, made: FakeArchive) -> None:
    made.empty = True
    said = text_of(client.get("/").text)
    assert "No match has been played yet" in said and "choose a game on its screen" in said


def test_a_match_shows_rounds_and_sentences_in_order(client: BrowserClient) -> None:
    said = text_of(client.get("/match/1").text)
    parts = [
        "Ben was late",
        "Everyone was on time.",
        "Ben wins 5 points",
        "It was too dark",
        "corrected by the players",
    ]
    assert sorted(parts, key=said.index) == parts
    assert "+331 ms" in said and "first hand" in said and "bets 5" in said and "5 → then 10" in said
    assert said.count("void") == 2


def test_a_match_without_a_round_says_so(client: BrowserClient) -> None:
    said = text_of(client.get("/match/20").text)
    assert "Nothing has been thrown yet." in said and "This match has no images." in said


def test_a_round_shows_all_details(client: BrowserClient) -> None:
    html = client.get("/round/3").text
    said = text_of(html)
    assert "Ben was late: paper 331 ms after the first hand." in said
    assert "rock → paper does not count" in said and "± 4 ms" in said and "№ 1 of 4" in said
    assert "taken 3 ms after the lock" in said
    for name in ("lock.jpg", "seat-1.jpg", "seat-2.jpg", "strip-1.jpg", "strip-2.jpg"):
        assert f'src="/round/3/picture/{name}"' in html
    assert 'rel="next" href="/round/5"' in html and 'rel="prev"' not in html


def test_a_correction_is_shown_with_the_first_reading(client: BrowserClient) -> None:
    said = text_of(client.get("/round/9").text)
    assert "scissors at the lock" in said and "Ben: rock instead of scissors." in said


@pytest.mark.parametrize("address", ["/", "/match/1", "/match/20", "/round/3", "/round/8", "/round/9", "/nothing"])
def test_every_page_is_well_formed_named_and_has_its_landmarks(client: BrowserClient, address: str) -> None:
    html = client.get(address).text
    tree = ElementTree.fromstring(as_xml(html))
    assert tree.get("lang") == "en"
    assert (tree.findtext("head/title") or "").endswith(" · Throwlock")
    assert [len(list(tree.iter(name))) for name in ("header", "main", "footer", "h1")] == [1, 1, 1, 1]
    ids = [one.get("id") for one in tree.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert all(picture.get("alt") for picture in tree.iter("img"))
    assert all(drawing.get("aria-label") for drawing in tree.iter("svg") if drawing.get("role") == "img")
    named = {one.get("aria-labelledby") for one in tree.iter() if one.get("aria-labelledby")}
    assert named <= set(ids)
    for one in tree.iter():
        assert not {"style", "onclick", "onload"} & set(one.keys()), "what the headers forbid"
    assert all(not (one.text or "").strip() for one in tree.iter("script"))


def test_markup_in_names_is_text(client: BrowserClient) -> None:
    html = client.get("/").text
    assert "<b>Cy</b>" not in html and "&lt;b&gt;Cy&lt;/b&gt; &amp; Co" in html


def test_a_forgotten_player_is_named_without_a_page(client: BrowserClient) -> None:
    html = client.get("/match/20").text
    assert "Player 2" in html and 'href="/player/None"' not in html


def test_a_mark_is_set_and_removed(client: BrowserClient, made: FakeArchive) -> None:
    assert client.send_form("/round/3/mark", token=LOCAL_TOKEN, mark="to review") == (303, "/round/3#mark")
    assert made.marks[3] is ReviewMark.TO_REVIEW
    assert "Marked" in text_of(client.get("/round/3").text)
    client.send_form("/round/3/mark", token=LOCAL_TOKEN, mark="")
    assert made.marks[3] is None
    assert "Not marked." in text_of(client.get("/round/3").text)


@pytest.mark.parametrize("data", [{"mark": "eaten"}, {"mark": "TO LOOK AT"}])
def test_an_invalid_mark_changes_nothing(client: BrowserClient, made: FakeArchive, data: dict[str, str]) -> None:
    assert client.send_form("/round/3/mark", token=LOCAL_TOKEN, **data)[0] == 404
    assert not made.marks


@pytest.mark.parametrize(("page", "event"), [("/round/3", 3), ("/match/1", 1)])
def test_a_note_is_written_shown_and_deleted(client: BrowserClient, made: FakeArchive, page: str, event: int) -> None:
    note = f"{EVIL}\nsecond line"
    assert client.send_form(f"{page}/note", token=LOCAL_TOKEN, note=note) == (303, f"{page}#note")
    assert made.notes == {event: note}
    for address in (page, "/match/1"):
        html = client.get(address).text
        assert "second line" in text_of(html) and "<script>alert" not in html
    assert ("1 round with a note" if event == 3 else "second line") in text_of(client.get("/").text)
    client.send_form(f"{page}/note", token=LOCAL_TOKEN, note="")
    assert made.notes == {event: ""} and "second line" not in client.get(page).text


def test_a_note_that_is_too_long_is_refused_in_words(client: BrowserClient, made: FakeArchive) -> None:
    status, page = client.send_form("/round/3/note", token=LOCAL_TOKEN, note="x" * 501)
    assert status == 409 and "Not possible" in page and "at most 500 characters" in page and not made.notes


@pytest.mark.parametrize(
    ("choice", "written"),
    [("1 paper", (5, 1, Throw.PAPER)), ("2 ", (5, 2, None)), ("void", (5, None, None)), ("stands", (5, "stands"))],
)
def test_a_round_is_corrected(
    client: BrowserClient, made: FakeArchive, choice: str, written: tuple[object, ...]
) -> None:
    assert f'value="{choice}"' in client.get("/round/5").text or choice == "2 "
    assert client.send_form("/round/5/correct", token=LOCAL_TOKEN, correction=choice) == (303, "/round/5#came")
    assert made.corrections == [written]


@pytest.mark.parametrize("choice", ["", "1 boulder", "x paper", "-1 rock", "٣ rock", "1234 rock", "paper"])
def test_an_unknown_correction_changes_nothing(client: BrowserClient, made: FakeArchive, choice: str) -> None:
    status, page = client.send_form("/round/5/correct", token=LOCAL_TOKEN, correction=choice)
    assert status == 409 and "Choose what the round is corrected to." in page and not made.corrections


def test_a_round_that_cannot_be_corrected_says_why(client: BrowserClient) -> None:
    html = client.get("/round/3").text
    assert "Only the last 5 rounds of a match can be corrected." in html and "/round/3/correct" not in html


def test_a_class_list_is_entered_changed_and_deleted(client: BrowserClient, made: FakeArchive) -> None:
    assert "No list has been entered yet." in client.get("/classes").text
    form = {"name": "3b", "names": f"Ada\r\n{EVIL}"}
    assert client.send_form("/classes/save", token=LOCAL_TOKEN, **form) == (303, "/classes")
    assert made.lists == {"3b": ("Ada", EVIL)}
    html = client.get("/classes").text
    assert "2 students" in html and "<li>Ada</li>" in html and "<script>alert" not in html
    client.send_form("/classes/save", token=LOCAL_TOKEN, name="4b", names="Ada", old_name="3b")
    assert made.lists == {"4b": ("Ada",)}
    assert client.send_form("/classes/delete", token=LOCAL_TOKEN, name="4b") == (303, "/classes")
    assert not made.lists


def test_a_refused_class_list_says_why_and_keeps_what_was_typed(client: BrowserClient, made: FakeArchive) -> None:
    made.lists.update({"3a": ("Ada", "Ben"), "3b": ("Dora",)})
    assert "<details open" not in client.get("/classes").text
    form = {"name": "3b", "names": f"Cy\r\n{EVIL}", "old_name": "3a"}
    status, page = client.send_form("/classes/save", token=LOCAL_TOKEN, **form)
    assert status == 409 and made.lists == {"3a": ("Ada", "Ben"), "3b": ("Dora",)}
    (refused,) = re.findall(r"<details open>.*?</details>", page, re.DOTALL)
    assert '<summary><span translate="no">3a</span> ' in refused and page.count('role="alert"') == 1
    assert "There is already a class named 3b." in refused and 'name="old_name" value="3a"' in refused
    assert 'value="3b" autocomplete="off" autofocus' in refused and "<script>alert" not in page
    (typed,) = re.findall(r"<textarea[^>]*>\n(.*?)</textarea>", refused, re.DOTALL)
    assert unescape(typed).splitlines() == ["Cy", EVIL]

    for old_name in ("", "deleted in the meantime"):
        form = {"name": "3a", "names": "Cy", "old_name": old_name}
        status, page = client.send_form("/classes/save", token=LOCAL_TOKEN, **form)
        known, new = page.split('<h2 id="new">')
        assert status == 409 and "There is already a class named 3a." in new and "<details open" not in known
        assert 'name="old_name" value=""' in new and 'value="3a" autocomplete' in new and ">\nCy</textarea>" in new
    status, page = client.send_form("/classes/save", token=LOCAL_TOKEN, name="5b", names=" ")
    assert status == 409 and "write one name on each line" in page


def test_rounds_are_folded_and_say_how_they_ended(client: BrowserClient) -> None:
    tree = ElementTree.fromstring(as_xml(client.get("/match/1").text))
    rounds = [one for one in tree.iter("details") if one.find("div[@class='told']") is not None]
    assert [one.get("open") for one in rounds] == [None] * 4
    lines = [" ".join("".join(one.find("summary").itertext()).split()) for one in rounds]
    assert [line.split()[0] for line in lines] == ["void", "decided", "void", "decided"]
    assert lines[0].startswith("void foul Round 1") and "1 Ada: rock" in lines[0]
    assert lines[3].endswith("disputed")
    assert [one.find("div").get("id") for one in rounds] == [f"round-{n}" for n in (3, 5, 8, 9)]


def test_pages_have_titles_of_their_own(client: BrowserClient) -> None:
    addresses = [
        *("/", "/?day=2026-11-20", "/?game=redeux", "/?game=classic", f"/?player={'a' * 16}", "/?mark=reviewed"),
        *("/?mark=to+review", "/?trouble=fouls", "/?trouble=disputes", "/?after=20", "/match/1", "/match/20"),
        *(f"/round/{event}" for event in (3, 5, 8, 9)),
        *("/players", f"/player/{'a' * 16}", f"/player/{'b' * 16}", "/classroom", "/classroom?names=no"),
        *("/classroom?match=1", "/classroom?day=2026-11-20", "/classes", "/nothing"),
    ]
    titles = {}
    for address in addresses:
        titles[address] = ElementTree.fromstring(as_xml(client.get(address).text)).findtext("head/title") or ""
    assert len(set(titles.values())) == len(titles), sorted(titles.values())
    at = strings.format_date_time("2026-11-20T19:00:00+00:00")
    assert titles["/match/1"] == f"RPS Redeux, Ada and Ben, {at} · Throwlock"
    assert titles["/round/9"].startswith("Round 3 (№ 4, disputed) · RPS Redeux, Ada and Ben,")
    assert titles["/?trouble=fouls"] == "Matches: with fouls · Throwlock"


def test_deleted_images_are_reported_on_every_page(client: BrowserClient, made: FakeArchive) -> None:
    assert client.get("/round/3/picture/lock.jpg").headers["content-type"] == "image/jpeg"
    assert client.send_form("/match/1/delete-pictures", token=LOCAL_TOKEN)[0] == 303
    assert made.deleted == {1}
    assert "This match has no images." in text_of(client.get("/match/1").text)
    html = client.get("/round/3").text
    assert "The images of this round were deleted." in text_of(html) and "<img" not in html
    assert client.get("/round/3/picture/lock.jpg").status_code == 404


@pytest.mark.parametrize("form", ["json", "csv", "html"])
def test_an_export_is_a_download(client: BrowserClient, form: str) -> None:
    answer = client.get(f"/match/1/export/{form}")
    assert answer.content == b"all"
    assert answer.headers["content-disposition"] == f'attachment; filename="match-1.{form}"'


@pytest.mark.parametrize(
    "address",
    ["/nothing", "/match/99", "/match/x", "/match/0", "/match/-1", "/match/1/", "/round/4", f"/round/{10**30}",
     "/round/3/picture/other.jpg", "/round/3/picture/..%2fsecret", "/round/3/picture/%00", "/match/1/export/exe",
     "/static/none.css", "/static/..%2fapp.py", "/?day=tomorrow", "/?after=-1", "/?after=9x", "/?mark=eaten",
     "/?trouble=none", "/round"],
)  # fmt: skip
def test_missing_things_have_an_error_page(client: BrowserClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert "Not found" in text_of(answer.text) and 'href="/"' in answer.text


def test_other_methods_are_refused_in_a_page(client: BrowserClient) -> None:
    for answer in (client.get("/round/3/mark"), client.delete("/match/1")):
        assert answer.status_code == 405 and "Not allowed" in text_of(answer.text)
    status, page = client.send_form("/match/1", token=LOCAL_TOKEN)
    assert status == 405 and "Not allowed" in text_of(page)


def test_a_damaged_journal_is_reported(client: BrowserClient, made: FakeArchive) -> None:
    made.damaged = True
    answer = client.get("/")
    assert answer.status_code == 503
    assert "event 7 can’t be read, throwlock verify has the details" in text_of(answer.text.replace("&#39;", "'"))


def test_an_internal_error_shows_no_traceback(
    client: BrowserClient, made: FakeArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(number: int) -> None:
        raise RuntimeError("/home/secret")

    monkeypatch.setattr(made, "match", broken)
    answer = client.get("/match/1")
    assert answer.status_code == 500
    assert "Something went wrong in the box" in answer.text and "secret" not in answer.text


def test_the_pages_load_only_their_own_files(client: BrowserClient) -> None:
    used: set[str] = set()
    for address in ("/", "/match/1", "/round/3", "/classroom"):
        used |= set(re.findall(r'(?:src|href)="(/static/[^"]+|https?:[^"]+)"', client.get(address).text))
    assert (
        {"/static/style.css", "/static/review.js", "/static/icon.svg"} <= used <= {f"/static/{n}" for n in STATIC_TYPES}
    )
    for name, kind in STATIC_TYPES.items():
        assert client.get(f"/static/{name}").headers["content-type"] == kind


def test_logout_is_offered_only_over_the_network(made: FakeArchive) -> None:
    assert 'action="/leave"' in TestClient(make_app(made, lan=True)).get("/").text
    assert 'action="/leave"' not in TestClient(make_app(made)).get("/").text
