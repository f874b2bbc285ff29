"""Past matches on the touchscreen: a list of them, one's rounds, and a round with the evidence that the review pages
show, read from the journal as it stands each time people touch it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from referee.dispute import film_of_strips
from referee.journal import JournalFault
from referee.review.archive import Shelf
from rules.script import Seat
from ui.screen import past
from ui.screen.display import Display
from ui.screen.past import LINES, Past, PastLine
from ui.screen.views import DisputedSeat, Disputing, Notice, Player
from ui.web import words
from ui.web.views import Correction, Gone, Mark, MatchFilter, MatchLine, MatchPage, RoundLine, RoundPage, SeatRound

TITLE = "Past matches"
MARKED = "Matches with rounds to look at"
NONE_YET = "No match has been played yet."
NONE_MARKED = "No round is marked “to look at”."
NOTHING_SAID = "Nothing was thrown or said in this match."
NOTHING_CAME = "Nothing came of this round."
GONE = "Its pictures were deleted."
ON_TIME = "on time"
NEXT_MARK: Mapping[Mark | None, Mark | None] = MappingProxyType(
    {None: Mark.TO_LOOK_AT, Mark.TO_LOOK_AT: Mark.LOOKED_AT, Mark.LOOKED_AT: None}
)
"""What a touch makes of a round's mark."""


class LookingBack:
    """People look at what was played before, on ``display``."""

    def __init__(self, display: Display, journal: Path, cache: Path | None = None) -> None:
        """``cache`` is the folder of the journal's index, the usual one if it is None."""
        self._display = display
        self._shelf = Shelf(journal, cache)

    def open(self) -> None:
        """Show past matches until people go home; what is wrong is said on the screen. Raises Closed."""
        try:
            if self._shelf.path.exists():
                self._matches()
            else:
                self._display.ask(Past(TITLE, (), (past.HOME,), empty=NONE_YET))
        except (Gone, JournalFault) as fault:
            self._said(fault)
        finally:
            self._shelf.close()

    def _said(self, fault: Exception) -> None:
        self._display.ask(Notice(TITLE, str(fault), (past.BACK,)))

    def _matches(self) -> None:
        """The matches, newest first, a leaf at a time: all, or those with rounds to look at."""
        before: list[int | None] = [None]  # the last match of the leaf before, of every leaf up to this one
        marked = False
        while True:
            wanted = MatchFilter(mark=Mark.TO_LOOK_AT if marked else None, after=before[-1], most=LINES + 1)
            with self._shelf.open() as archive:
                found = archive.matches(wanted)
            view = Past(
                MARKED if marked else TITLE,
                tuple(map(match_line, found[:LINES])),
                (past.HOME, "all" if marked else "marked"),
                leaf=len(before) - 1,
                more=len(found) > LINES,
                empty=NONE_MARKED if marked else NONE_YET,
            )
            match self._display.ask(view):
                case past.LATER:
                    before.append(found[LINES - 1].number)
                case past.EARLIER:
                    before.pop()
                case "all" | "marked":
                    before, marked = [None], not marked
                case int() as number:
                    try:
                        self._match(number)
                    except (Gone, JournalFault) as fault:
                        self._said(fault)
                case _:
                    return

    def _match(self, number: int) -> None:
        """One match's rounds, in the order they were thrown; without any, what was said in it."""
        leaf = 0
        while True:
            with self._shelf.open() as archive:
                page = archive.match(number)
            answer = self._leaf(_title(page.line), match_lines(page), leaf, _ended(page), NOTHING_SAID)
            match answer:
                case past.LATER | past.EARLIER:
                    leaf += 1 if answer == past.LATER else -1
                case int():
                    self._round(answer)
                case _:
                    return

    def _round(self, event: int) -> None:
        """One round with its evidence, and those beside it."""
        while True:
            with self._shelf.open() as archive:
                page = archive.round(event)
                strips = {
                    one.name: archive.picture(event, one.name)[1]
                    for one in page.pictures
                    if one.there and one.name.startswith("strip-")
                }
            match self._display.ask(round_view(page, strips)):
                case past.EARLIER if page.previous is not None:
                    event = page.previous
                case past.LATER if page.next is not None:
                    event = page.next
                case past.MARK:
                    with self._shelf.open() as archive:
                        archive.mark(event, NEXT_MARK[page.line.mark])
                case past.STORY:
                    self._story(page)
                case _:
                    return

    def _story(self, page: RoundPage) -> None:
        """What came of a round: the sentences, everybody's bet and score, and its disputes."""
        leaf, lines = 0, story_lines(page)
        while (answer := self._leaf(_round_title(page), lines, leaf, "", NOTHING_CAME)) != past.BACK:
            leaf += 1 if answer == past.LATER else -1

    def _leaf(self, title: str, lines: Sequence[PastLine], leaf: int, told: str, empty: str) -> object:
        shown, rest = lines[leaf * LINES : (leaf + 1) * LINES], lines[(leaf + 1) * LINES :]
        return self._display.ask(Past(title, tuple(shown), (past.BACK,), leaf, bool(rest), told, empty))


def match_line(line: MatchLine) -> PastLine:
    """One match in the list: the game and when it was; who played, and what there is to see."""
    players = [
        f"{one.name} (won)" if seat in line.winners else one.name for seat, one in enumerate(line.players, start=1)
    ]
    notes = [
        *([line.state] if line.state != "over" else []),
        words.counted(line.rounds, "round", "rounds"),
        *([words.counted(line.fouls, "foul", "fouls")] if line.fouls else []),
        *([words.counted(line.disputes, "dispute", "disputes")] if line.disputes else []),
        *([f"{line.marked} to look at"] if line.marked else []),
        *(["no pictures left"] if line.rounds and not line.pictures else []),
    ]
    told = f"{words.several(players)}: {', '.join(notes)}"
    return PastLine(line.title, told, f"{words.short_day(line.at)}, {words.clock(line.at)}", line.number)


def match_lines(page: MatchPage) -> list[PastLine]:
    """A match's rounds, each with what was said right after it; without any, all that was said in it."""
    after = (*page.course[1:], "")
    rounds = [
        round_line(step, page.line, then if isinstance(then, str) else "")
        for step, then in zip(page.course, after, strict=True)
        if isinstance(step, RoundLine)
    ]
    return rounds or [PastLine("", step) for step in page.course if isinstance(step, str)]


def round_line(line: RoundLine, match: MatchLine, then: str) -> PastLine:
    """One round in the list: what it is called, whether it counts, its mark; what came of it or, where all did not go
    well, what the box said of it."""
    troubled = line.void or any(one.foul for one in line.seats)
    notes = [
        *(["void"] if line.void else []),
        *([words.counted(len(line.disputes), "dispute", "disputes")] if line.disputes else []),
        *([str(line.mark)] if line.mark is not None else []),
    ]
    return PastLine(
        words.round_name(line, match), line.sentence if troubled or not then else then, ", ".join(notes), line.event
    )


def round_view(page: RoundPage, strips: Mapping[str, bytes]) -> Disputing:
    """The page of a round that is only looked back at, with the pictures of its strips by name."""
    line = page.line
    film = film_of_strips([one.seat for one in line.seats], page.lock_ms, strips)
    deleted = bool(page.pictures) and not any(one.there for one in page.pictures)
    return Disputing(
        _round_title(page),
        f"{line.sentence} {GONE}" if deleted else line.sentence,
        tuple(_seat(line, one) for one in line.seats),
        page.first_ms,
        page.lock_ms,
        film.times_ms,
        film.picture,
        void=line.void,
        earlier=page.previous is not None,
        later=page.next is not None,
        past=True,
        mark=line.mark,
    )


def story_lines(page: RoundPage) -> list[PastLine]:
    """What came of a round, line by line."""
    names = {one.seat: one.player.name for one in page.line.seats}
    return [
        *(PastLine("", sentence) for sentence in page.told),
        *(line for one in page.line.seats if (line := _score(one)) is not None),
        *(PastLine(f"Disputed {words.clock(one.at)}", _corrected(one, names)) for one in page.line.disputes),
    ]


def _score(seat: SeatRound) -> PastLine | None:
    """A seat's bet, and its score before and after; None where the game has neither."""
    parts = [words.bet(seat.bet)] if seat.bet is not None else []
    if seat.before is not None and seat.after is not None:
        parts.append(f"points: {words.whole(seat.before)} before, {words.whole(seat.after)} after")
    return PastLine(seat.player.name, words.capital("; ".join(parts))) if parts else None


def _corrected(one: Correction, names: Mapping[Seat, str]) -> str:
    """A dispute in a sentence."""
    if one.sentence:
        return one.sentence
    if one.upheld:
        return "The verdict stands."
    if one.seat is None:
        return "Everybody agreed that the round is void."
    name = names.get(one.seat, "")
    return f"Everybody agreed on {name}'s throw: {words.reading(one.to)} in place of {words.reading(one.was)}."


def _seat(line: RoundLine, one: SeatRound) -> DisputedSeat:
    """A seat as the page of a dispute has it, with nothing to correct."""
    reading = words.read(line, one)
    return DisputedSeat(
        Player(one.seat, one.player.name),
        one.verdict,
        None if reading is None else str(reading),
        one.throw is None and one.verdict != ON_TIME,
        one.shown_ms,
        one.plus_minus_ms or 0.0,
        (),
    )


def _round_title(page: RoundPage) -> str:
    own = page.line.title != page.match.title
    return page.line.title if own else f"{page.match.title} · {words.round_name(page.line, page.match)}"


def _title(line: MatchLine) -> str:
    return f"{line.title} · {words.several([one.name for one in line.players])}"


def _ended(page: MatchPage) -> str:
    """When a match was, and how it ended."""
    return f"{words.when(page.line.at)} · {page.ending or page.line.state}"
