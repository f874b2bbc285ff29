"""What each surface says of a match, as lines of text: one adapter a surface, each through the surface's public entry
point. Whoever changes an entry point changes its adapter here, and nothing else: the expected texts stay what they
are."""

import csv
import hashlib
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from html.parser import HTMLParser
from pathlib import Path

import pyarrow.parquet

from device.sound.base import NullSound
from device.system.clock import SimulatedClock
from errors import NotFoundError
from tests.helpers.pad_phones import ACCESS, Phones
from tests.helpers.page_rules import drawn
from tests.helpers.web_guard import BrowserClient
from throwlock.journal.journal import Journal, JournalError, JournalReader
from throwlock.match.match import Match
from throwlock.match.pause import PadDisplay
from throwlock.match.reveal import MatchOutput
from throwlock.review.archive import ArchiveOpener, JournalArchive
from throwlock.review.history_pages import MatchHistoryPages
from throwlock.review.statistics.pages import StatisticsPages
from throwlock.tables.answers import ScreenAnswers
from throwlock.tables.source import RoundSource
from throwlock.tv.second_screen import SecondScreen
from throwlock.web.app import create_app
from throwlock.web.tv import SlideShow, tv_page
from ui.i18n.language import render
from ui.screen.core.display import NullDisplay
from ui.screen.pages.awards import PLAYERS
from ui.screen.pages.countdown import Countdown, Judging
from ui.screen.pages.dispute import DisputedRound
from ui.screen.pages.history import HistoryAnswer
from ui.screen.views import Answer, InteractiveView, View
from ui.web.middleware import AccessMiddleware

PANEL = (800, 480)
SEPARATOR = " | "
HIDDEN_TAGS = ("style", "script", "option")


def page_line(view: View) -> str:
    """Return what a page of the touchscreen says: its texts in alphabetical order, whatever is drawn first."""
    canvas = drawn(view, PANEL)
    return SEPARATOR.join(sorted(" ".join(str(text.text).split()) for text in canvas.texts))


class _VisibleTexts(HTMLParser):
    """Collects the texts between a page's tags."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._hidden += tag in HIDDEN_TAGS

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in HIDDEN_TAGS

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.texts.append(" ".join(data.split()))


def html_texts(html: str) -> list[str]:
    """Return the visible texts of a web page."""
    parser = _VisibleTexts()
    parser.feed(html[max(0, html.find("<main")) :].partition("</main>")[0])
    return parser.texts


def html_line(html: str) -> str:
    """Return the visible texts of a web page in their order."""
    return SEPARATOR.join(html_texts(html))


LIVE = ("touchscreen", "television", "phones", "audience", "speech", "terminal")
"""The surfaces of a match that is played."""
AUDIENCE = "Zoë"
"""Whoever watches on a phone."""


@contextmanager
def nothing_played() -> Iterator[JournalArchive]:
    """An archive before the first match."""
    raise NotFoundError("nothing was played")
    yield


class LiveSurfaces(NullSound):
    """A display whose people answer with ``answer``, a loudspeaker and a terminal: notes what the touchscreen, the
    television, a phone for every seat and one of the audience say meanwhile, what is spoken, and what is announced. Of
    a count it notes the first page. The audience guesses that each player wins, and nobody, in turn."""

    def __init__(
        self, names: Sequence[str], answer: Callable[[InteractiveView], Answer], in_class: bool, has_rounds: bool = True
    ) -> None:
        self.lines: dict[str, list[str]] = {surface: [] for surface in LIVE}
        self._answer = answer
        self._phones = Phones(tuple(names), in_class=in_class, has_rounds=has_rounds)
        self._seats = dict(enumerate(names, 1))
        self._phones.join(*self._seats)
        self._phones.pads.introduce(AUDIENCE, AUDIENCE, "owl", 3)
        self._guesses = 0
        self._screen = SecondScreen()
        self._tv_page = tv_page(self._screen, SlideShow(nothing_played))
        self._on_phone: dict[str, str] = {}
        self._is_counting = False
        self.display = PadDisplay(self, self._phones.pads)

    def show(self, view: View) -> None:
        self._note(view)

    def ask(self, view: InteractiveView) -> Answer:
        self._note(view)
        return self._answer(view)

    def say(self, sentence: str) -> None:
        self._add("speech", render(sentence))

    def announce(self, line: str) -> None:
        """Note a line of the terminal."""
        self._add("terminal", str(line))

    def _note(self, view: View) -> None:
        was_counting, self._is_counting = self._is_counting, isinstance(view, Countdown | Judging)
        if self._is_counting and was_counting:
            return
        kind = type(view).__name__
        self._add("touchscreen", f"{kind}: {page_line(view)}")
        page = view.first_page() if isinstance(view, InteractiveView) else view
        self._screen.show(page, page, 0)
        self._add("television", f"{kind}: {SEPARATOR.join(sorted(self._television_texts()))}")
        for seat, name in self._seats.items():
            self._note_phone("phones", str(seat), f"{name}: ")
        if self._phones.pads.state(AUDIENCE).audience is not None:
            self._note_phone("audience", AUDIENCE)
            self._phones.clock.now_s += 1.5  # people are slower than the limits
            self._phones.pads.guess(AUDIENCE, self._guesses % (len(self._seats) + 1))
            self._guesses += 1

    def _note_phone(self, surface: str, phone: str, label: str = "") -> None:
        text = html_line(self._phones.page(phone))
        if self._on_phone.get(phone) != text:
            self._on_phone[phone] = text
            self._add(surface, f"{label}{text}")

    def _television_texts(self) -> list[str]:
        parts = self._tv_page.render_parts(ACCESS)
        return [text for part in parts.values() for text in html_texts(part)]

    def _add(self, surface: str, line: str) -> None:
        if self.lines[surface][-1:] != [line]:
            self.lines[surface].append(line)


class _Browsing(NullDisplay):
    """Answers pages with a script, and notes what each says."""

    def __init__(self, answers: Sequence[Answer] = ()) -> None:
        self.lines: list[str] = []
        self._answers = list(answers)

    def ask(self, view: InteractiveView) -> Answer:
        self.lines.append(f"{type(view).__name__}: {page_line(view)}")
        return self._answers.pop(0) if self._answers else None


def rounds_by_match(journal: Path) -> dict[int, list[int]]:
    """Return the numbers of the events of all thrown rounds, by match."""
    with JournalReader(journal) as reader:
        return {
            match: [event.number for event in reader.events(match) if event.round is not None]
            for match in reader.matches()
        }


def review(journal: Path) -> list[str]:
    """What the review pages say: the list, every match, every round."""
    rounds = rounds_by_match(journal)
    addresses = ["/"]
    for match, events in rounds.items():
        addresses += [f"/match/{match}", *(f"/round/{event}" for event in events)]
    return _web_lines(journal, addresses)


def players(journal: Path) -> list[str]:
    """What the review pages say of the players."""
    with JournalReader(journal) as reader:
        keys = [key for key, _ in sorted(reader.players().items(), key=lambda player: str(player[1]))]
    return _web_lines(journal, ["/players", *(f"/player/{key}" for key in keys)], names=False)


def _web_lines(journal: Path, addresses: Sequence[str], *, names: bool = True) -> list[str]:
    with closing(ArchiveOpener(journal, journal.parent / "cache")) as opener:
        client = BrowserClient(AccessMiddleware(create_app(opener.open, user_errors=(JournalError,)), ()))
        pages = [(address, html_line(client.get(address).text)) for address in addresses]
    return [f"{address if names else 'page'}: {line}" for address, line in pages]


def history(journal: Path) -> list[str]:
    """What past matches say on the touchscreen: the list, every match, every round with its evidence and outcome."""
    answers: list[Answer] = []
    back = HistoryAnswer.BACK
    for match, events in rounds_by_match(journal).items():
        rounds = (answer for event in events for answer in (event, HistoryAnswer.STORY, back, back))
        answers += [match, *rounds, back]
    people = _Browsing([*answers, HistoryAnswer.HOME])
    MatchHistoryPages(people, journal, journal.parent / "cache").open()
    return people.lines


def statistics(journal: Path) -> list[str]:
    """What the awards of the evening and the players' pages say on the touchscreen."""
    back = HistoryAnswer.BACK
    with closing(ArchiveOpener(journal, journal.parent / "cache")) as opener:
        with opener.open() as archive:
            count = len(archive.players())
        lines = (answer for number in range(count) for answer in (number, back))
        people = _Browsing([PLAYERS, *lines, back, back])
        StatisticsPages(people, opener).show_awards()
    return people.lines


class _Disputing(_Browsing):
    """Looks at one round after the other, and leaves at the last."""

    class LeftError(Exception):
        """They have seen all."""

    def ask(self, view: InteractiveView) -> Answer:
        super().ask(view)
        if isinstance(view, DisputedRound) and view.has_earlier:
            return "earlier"
        raise self.LeftError


def dispute(journal: Path) -> list[str]:
    """What the rounds that can be disputed at the end of each match say, newest first."""
    lines: list[str] = []
    with Journal(journal) as opened:
        for match in opened.matches():
            people = _Disputing()
            output = MatchOutput(people, SimulatedClock(), lambda line: None)
            table = Match(opened, match, RoundSource(ScreenAnswers(people)), output)
            if table.can_dispute:
                with suppress(_Disputing.LeftError):
                    table.dispute()
                lines += people.lines
    return lines


def table_rows(journal: Path) -> list[str]:
    """The rows of the Parquet export."""
    file = journal.parent / "table.parquet"
    with closing(ArchiveOpener(journal, journal.parent / "cache")) as opener, opener.open() as archive:
        archive.export_table(file, archive.match_numbers())
    table = pyarrow.parquet.read_table(file)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(f"{field.name} {field.type}" for field in table.schema)
    rows.writerows(row.values() for row in table.to_pylist())
    return text.getvalue().splitlines()


def _exports(journal: Path, form: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of every match's export, without pictures."""
    with closing(ArchiveOpener(journal, journal.parent / "cache")) as opener, opener.open() as archive:
        for match in archive.match_numbers():
            try:
                name, _, data = archive.export(match, form, pictures=False)
            except NotFoundError as refused:
                name, data = "refused", render(refused.text).encode()
            yield name, data


def csv_lines(journal: Path) -> list[str]:
    """The lines of every match as CSV."""
    return [line for name, data in _exports(journal, "csv") for line in (name, *data.decode().splitlines())]


def html_export(journal: Path) -> list[str]:
    """What every match says as a self-contained page."""
    return [html_line(data.decode()) for _, data in _exports(journal, "html")]


def json_hashes(journal: Path) -> list[str]:
    """The hash of every match as JSON, which has to stay the same byte for byte."""
    return [f"{name} {hashlib.sha256(data).hexdigest()}" for name, data in _exports(journal, "json")]


STORED: dict[str, Callable[[Path], list[str]]] = {
    "review": review,
    "players": players,
    "history": history,
    "statistics": statistics,
    "dispute": dispute,
    "csv": csv_lines,
    "json": json_hashes,
    "parquet": table_rows,
}
"""The surfaces of a journal, by name."""
