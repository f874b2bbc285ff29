"""A hall's pages in the language of each browser."""

import re
from html.parser import HTMLParser

import psycopg
import pytest

from rules.catalogue import GAMES
from rules.record.tournament import TournamentPlayerWithdrawn
from rules.tournaments.fixture import Format
from tests.helpers.hall_boxes import NAMES, PlayingBox, add_playing_boxes, new_tournament
from tests.helpers.hall_pages import ORGANISER_PAGES, PAGES, HallPages
from tests.helpers.hall_streams import batch, origin, store_batch
from tests.helpers.tournament_steps import fixture_id
from throwlock.hub.pages import server
from throwlock.hub.pairings import assign
from throwlock.hub.tournaments import decide, read_hall_tournament
from throwlock.journal.events import DisputeRejected
from ui.i18n.language import PSEUDO_LANGUAGE, choose_language

SHOWN_ATTRIBUTES = ("alt", "aria-label", "data-full", "data-offline", "placeholder", "title")
UNTRANSLATED = re.compile(
    rf"{'|'.join(NAMES)}|Throwlock|Spring open|Table [123]|box-[123]|organiser at [0-9.]+|throwlock hall [a-z-]+|"
    r"[A-Z0-9]{4}-[A-Z0-9]{4}|http://[0-9.:]+|automatic|organiser"
)
"""Names, codes, commands and addresses."""
OPTIONS = [f"{option.name} {option.allowed}" for rules in GAMES.values() for option in rules.options]
TYPED_WORDS = {"May", "yes", *re.findall("[A-Za-z]{3,}", " ".join(OPTIONS))}
"""A month, which the pseudo-language has no other word for, and what people type for options."""


class ShownTexts(HTMLParser):
    """Collects what a page shows."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._is_hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_hidden = tag in ("script", "style", "svg")
        self.texts += [value or "" for name, value in attrs if name in SHOWN_ATTRIBUTES]

    def handle_endtag(self, tag: str) -> None:
        self._is_hidden = False

    def handle_data(self, data: str) -> None:
        if not self._is_hidden:
            self.texts.append(data)


def english_words(html: str) -> set[str]:
    """Return the words that a page in the pseudo-language shows outside its brackets."""
    parser = ShownTexts()
    parser.feed(html)
    text = "\n".join(parser.texts)
    while (without := re.sub("⟦[^⟦⟧]*⟧", "", text)) != text:
        text = without
    return set(re.findall("[A-Za-z]{3,}", UNTRANSLATED.sub("", text))) - TYPED_WORDS


@pytest.fixture
def hall(dsn: str, database: psycopg.Connection) -> HallPages:
    """A hall with tournaments, decisions, results, a dispute and a problem."""
    boxes = add_playing_boxes(database, 3)
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", "organiser")
    match = boxes[0].win("Ada")
    boxes[0].commit(match, DisputeRejected(round=2, text=""))
    boxes[0].send()
    swiss = new_tournament(database, Format.SWISS, NAMES, automatic=True)
    loser = read_hall_tournament(database, swiss).ready[0].present[0]
    decide(database, swiss, TournamentPlayerWithdrawn(tournament=swiss, player=loser), "organiser")
    boxes[1].commit(1, DisputeRejected(round=1, text="Ada"))
    boxes[1].send()
    again = PlayingBox(database, "box-2")
    again.commit(1, DisputeRejected(round=1, text="Ben"))
    store_batch(database, "box-2", batch(origin("box-2"), again.events))
    return HallPages(dsn, database)


def test_every_text_of_every_page_is_translated(hall: HallPages, monkeypatch: pytest.MonkeyPatch) -> None:
    viewer, organiser = hall.viewer(), hall.organiser()
    monkeypatch.setattr(server, "choose_language", lambda _: PSEUDO_LANGUAGE)
    pages = {path: viewer.get(path).text for path in (*PAGES, "/tournament/2", "/screen/2", "/nothing")}
    pages |= {path: organiser.page(path) for path in (*ORGANISER_PAGES, "/organise/tournament/2")}
    pages |= {path: hall.stranger().get(path).text for path in ("/code", "/login")}
    assert {path: words for path, html in pages.items() if (words := english_words(html))} == {}


@pytest.mark.parametrize(
    ("wanted", "code", "heading"),
    [("de-AT,de;q=0.9,en;q=0.8", "de", "Neueste Ergebnisse"), ("fr", "fr", "Derniers résultats"),
     ("ja,en-GB;q=0.5", "en", "Newest results")],
)  # fmt: skip
def test_a_page_is_in_its_browsers_language(hall: HallPages, wanted: str, code: str, heading: str) -> None:
    viewer = hall.viewer()
    for path in ("/tournament/1", "/screen/1"):
        page = viewer.get(path, headers={"Accept-Language": wanted}).text
        assert f'<html lang="{code}">' in page and heading in page


def test_a_refusal_is_in_its_browsers_language(hall: HallPages) -> None:
    organiser = hall.organiser()
    organiser.client.headers["Accept-Language"] = "de"
    status, page = organiser.send("/organise/tournament/1/abandon")
    assert status == 409 and "Das Kästchen ankreuzen" in page
    status, page = organiser.send("/organise/tournament/1/match/K2.1/give", table="Table 3")
    assert status == 409 and "noch nicht gespielt werden" in page


@pytest.mark.parametrize(
    ("wanted", "code"),
    [("", "en"), ("*", "en"), ("ja", "en"), ("en;q=0.1, fr;q=0.9", "fr"), ("de;q=0, fr;q=0.1", "fr"),
     ("DE-ch", "de"), ("de;q=many, fr", "fr"), (";;,=", "en")],
)  # fmt: skip
def test_the_language_with_the_highest_weight_is_chosen(wanted: str, code: str) -> None:
    assert choose_language(wanted) == code
