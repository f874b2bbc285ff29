"""Past matches on the touchscreen: a list of them, one's rounds, and a round with the evidence that the review pages
show, read from the journal as it stands each time people touch it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from rules.engine import Seat
from throwlock.journal.journal import JournalError
from throwlock.match.dispute import film_of_strips
from throwlock.review.archive import Shelf
from ui.i18n.error_messages import told
from ui.i18n.language import N, Nn, capital, moment, row
from ui.screen.core.display import Display
from ui.screen.pages.history import strings as history_strings
from ui.screen.pages.history import view as history_view
from ui.screen.pages.history.view import LINES, Past, PastLine
from ui.screen.pages.views import DisputedSeat, Disputing, Notice, Player
from ui.text.names import card_named
from ui.web import strings
from ui.web.views import (
    Correction,
    Mark,
    MatchFilter,
    MatchLine,
    MatchPage,
    NotFoundError,
    RoundLine,
    RoundPage,
    SeatRound,
)

TITLE = N("Past matches")
MARKED = N("Matches with rounds to look at")
NONE_YET = N("No match has been played yet.")
NONE_MARKED = N("No round is marked “to look at”.")
NOTHING_SAID = N("Nothing was thrown or said in this match.")
NOTHING_CAME = N("Nothing came of this round.")
GONE = N("Its pictures were deleted.")
STATES = {"going on": N("going on"), "given up": N("given up"), "over": N("over")}
"""The states of a match."""
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
        """Show past matches until people go home; what is wrong is said on the screen. Raises WindowClosedError."""
        try:
            if self._shelf.path.exists():
                self._matches()
            else:
                self._display.ask(Past(TITLE, (), (history_view.HOME,), empty=NONE_YET))
        except (NotFoundError, JournalError) as fault:
            self._said(fault)
        finally:
            self._shelf.close()

    def _said(self, fault: Exception) -> None:
        self._display.ask(Notice(TITLE, capital(told(str(fault))), (history_view.BACK,)))

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
                (history_view.HOME, "all" if marked else "marked"),
                leaf=len(before) - 1,
                more=len(found) > LINES,
                empty=NONE_MARKED if marked else NONE_YET,
            )
            match self._display.ask(view):
                case history_view.LATER:
                    before.append(found[LINES - 1].number)
                case history_view.EARLIER:
                    before.pop()
                case "all" | "marked":
                    before, marked = [None], not marked
                case int() as number:
                    try:
                        self._match(number)
                    except (NotFoundError, JournalError) as fault:
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
                case history_view.LATER | history_view.EARLIER:
                    leaf += 1 if answer == history_view.LATER else -1
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
                case history_view.EARLIER if page.previous is not None:
                    event = page.previous
                case history_view.LATER if page.next is not None:
                    event = page.next
                case history_view.MARK:
                    with self._shelf.open() as archive:
                        archive.mark(event, NEXT_MARK[page.line.mark])
                case history_view.STORY:
                    self._story(page)
                case _:
                    return

    def _story(self, page: RoundPage) -> None:
        """What came of a round: the sentences, everybody's bet and score, and its disputes."""
        leaf, lines = 0, story_lines(page)
        while (answer := self._leaf(_round_title(page), lines, leaf, "", NOTHING_CAME)) != history_view.BACK:
            leaf += 1 if answer == history_view.LATER else -1

    def _leaf(self, title: str, lines: Sequence[PastLine], leaf: int, told: str, empty: str) -> object:
        shown, rest = lines[leaf * LINES : (leaf + 1) * LINES], lines[(leaf + 1) * LINES :]
        return self._display.ask(Past(title, tuple(shown), (history_view.BACK,), leaf, bool(rest), told, empty))


def match_line(line: MatchLine) -> PastLine:
    """One match in the list: the game and when it was; who played, and what there is to see."""
    players = [
        N("{name} (won)", name=one.name) if seat in line.winners else one.name
        for seat, one in enumerate(line.players, start=1)
    ]
    notes = [
        *([_state(line.state)] if line.state != "over" else []),
        Nn("{count} round", "{count} rounds", line.rounds),
        *([Nn("{count} foul", "{count} fouls", line.fouls)] if line.fouls else []),
        *([_disputes(line.disputes)] if line.disputes else []),
        *([N("{count} to look at", count=line.marked)] if line.marked else []),
        *([N("no pictures left")] if line.rounds and not line.pictures else []),
    ]
    detail = row([_several(players), row(notes, ", ")], ": ")
    return PastLine(N(line.title), detail, moment(strings.local(line.at)), line.number)


def _state(name: str) -> str:
    return STATES.get(name, name)


def _disputes(count: int) -> str:
    return Nn("{count} dispute", "{count} disputes", count)


def _several(names: Sequence[str]) -> str:
    """Names in a row: "Ada, Ben and Cy"."""
    if len(names) < 2:
        return names[0] if names else N("nobody")
    return N("{some} and {last}", some=row(names[:-1], ", "), last=names[-1])


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
        *([N("void")] if line.void else []),
        *([_disputes(len(line.disputes))] if line.disputes else []),
        *([history_strings.MARKED[line.mark]] if line.mark is not None else []),
    ]
    return PastLine(
        _round_name(line, match), line.sentence if troubled or not then else then, row(notes, ", "), line.event
    )


def round_view(page: RoundPage, strips: Mapping[str, bytes]) -> Disputing:
    """The page of a round that is only looked back at, with the pictures of its strips by name."""
    line = page.line
    film = film_of_strips([one.seat for one in line.seats], page.lock_ms, strips)
    deleted = bool(page.pictures) and not any(one.there for one in page.pictures)
    return Disputing(
        _round_title(page),
        row([line.sentence, GONE]) if deleted else line.sentence,
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
        *(
            PastLine(N("Disputed {time}", time=strings.clock(one.at)), _corrected(one, names))
            for one in page.line.disputes
        ),
    ]


def _score(seat: SeatRound) -> PastLine | None:
    """A seat's bet, and its score before and after; None where the game has neither."""
    parts = []
    if seat.bet is not None:
        parts.append(N("bets {bet}", bet=seat.bet) if seat.bet else N("no bet"))
    if seat.before is not None and seat.after is not None:
        before, after = strings.whole(seat.before), strings.whole(seat.after)
        parts.append(N("points: {before} before, {after} after", before=before, after=after))
    return PastLine(seat.player.name, capital(row(parts, "; "))) if parts else None


def _corrected(one: Correction, names: Mapping[Seat, str]) -> str:
    """A dispute in a sentence."""
    if one.sentence:
        return one.sentence
    if one.upheld:
        return N("The verdict stands.")
    if one.seat is None:
        return N("Everybody agreed that the round is void.")
    return N(
        "Everybody agreed on {name}'s throw: {to} in place of {was}.",
        name=names.get(one.seat, ""),
        to=card_named(one.to),
        was=card_named(one.was),
    )


def _seat(line: RoundLine, one: SeatRound) -> DisputedSeat:
    """A seat as the page of a dispute has it, with nothing to correct."""
    reading = strings.read(line, one)
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
    return page.line.title if own else row([N(page.match.title), _round_name(page.line, page.match)], " · ")


def _round_name(line: RoundLine, match: MatchLine) -> str:
    """What a round is called within its match: its title, where that says more than the game's."""
    return line.title if line.title != match.title else N("Throw {number}", number=line.number)


def _title(line: MatchLine) -> str:
    return row([N(line.title), _several([one.name for one in line.players])], " · ")


def _ended(page: MatchPage) -> str:
    """When a match was, and how it ended."""
    return row([moment(strings.local(page.line.at), "long"), page.ending or _state(page.line.state)], " · ")
