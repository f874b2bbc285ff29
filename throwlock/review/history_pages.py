"""Past matches on the touchscreen: a list, one match's rounds, and a round with its evidence, read from the journal
whenever one is opened."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from errors import NotFoundError, ThrowlockError
from messages import N, capitalise, join, ngettext_lazy
from rules.record.event import ReviewMark
from rules.record.round import DisputeView, RoundView, SeatView
from rules.text import card_word, join_items, join_names
from throwlock.journal.journal import JournalError
from throwlock.list_pages import ask_with_list
from throwlock.match.clip_sharing import ClipSharing
from throwlock.review.archive import ArchiveOpener
from throwlock.review.statistics.pages import StatisticsPages
from throwlock.tables.round_frames import frames_from_strips
from ui.i18n.language import format_datetime
from ui.screen.core.display import Display
from ui.screen.pages import common as common_page
from ui.screen.pages import history as history_page
from ui.screen.pages.common import Player
from ui.screen.pages.dispute import DisputedRound
from ui.screen.pages.history import LINES_PER_PAGE, HistoryAnswer, HistoryLine, HistoryList
from ui.screen.pages.notice import Notice
from ui.text.rounds import dispute_sentence, ending_text, outcome_sentences, round_sentence, round_title
from ui.web import strings
from ui.web.strings import group_by_round
from ui.web.views import MatchFilter, MatchLine, MatchPage, RoundPage

TITLE = N("Past matches")
MARKED_TITLE = N("Matches with rounds to review")
NONE_YET = N("No match has been played yet.")
NONE_MARKED = N("No round is flagged for review.")
EMPTY_MATCH = N("Nothing happened in this match.")
EMPTY_ROUND = N("This round had no outcome.")
PICTURES_DELETED = N("Its images were deleted.")
STATE_NAMES = {"in progress": N("in progress"), "abandoned": N("abandoned"), "finished": N("finished")}
NEXT_MARK: Mapping[ReviewMark | None, ReviewMark | None] = MappingProxyType(
    {None: ReviewMark.TO_REVIEW, ReviewMark.TO_REVIEW: ReviewMark.REVIEWED, ReviewMark.REVIEWED: None}
)
"""The mark that a touch sets, by the current one."""


class MatchHistoryPages:
    """Shows past matches on ``display``."""

    def __init__(
        self, display: Display, journal: Path, cache: Path | None = None, clips: ClipSharing | None = None
    ) -> None:
        """``cache`` is the folder of the journal's index, by default ``cache_folder()``; with ``clips`` people can take
        a round home."""
        self._display = display
        self._clips = clips or ClipSharing()
        self._archive = ArchiveOpener(journal, cache)

    def open(self) -> None:
        """Show past matches, and any error, until the players go back to the home page. Raises WindowClosedError."""
        try:
            if self._archive.path.exists():
                self._show_matches()
            else:
                self._display.ask(HistoryList(TITLE, (), (HistoryAnswer.HOME,), empty_text=NONE_YET))
        except (NotFoundError, JournalError) as error:
            self._show_error(error)
        finally:
            self._archive.close()

    def _show_error(self, error: ThrowlockError) -> None:
        self._display.ask(Notice(TITLE, capitalise(error.text), (HistoryAnswer.BACK,)))

    def _show_matches(self) -> None:
        """Show the matches, newest first, page by page: all, or those with rounds to review."""
        last_numbers: list[int | None] = [None]  # the last match of the page before, for every page up to this one
        marked = False
        while True:
            match_filter = MatchFilter(
                mark=ReviewMark.TO_REVIEW if marked else None, after=last_numbers[-1], limit=LINES_PER_PAGE + 1
            )
            with self._archive.open() as archive:
                lines = archive.matches(match_filter)
            view = HistoryList(
                MARKED_TITLE if marked else TITLE,
                tuple(map(match_list_item, lines[:LINES_PER_PAGE])),
                (HistoryAnswer.HOME, HistoryAnswer.ALL if marked else HistoryAnswer.MARKED, HistoryAnswer.PLAYERS),
                list_page=len(last_numbers) - 1,
                has_more=len(lines) > LINES_PER_PAGE,
                empty_text=NONE_MARKED if marked else NONE_YET,
            )
            match self._display.ask(view):
                case HistoryAnswer.LATER:
                    last_numbers.append(lines[LINES_PER_PAGE - 1].number)
                case HistoryAnswer.EARLIER:
                    last_numbers.pop()
                case HistoryAnswer.PLAYERS:
                    StatisticsPages(self._display, self._archive).show_players()
                case HistoryAnswer.ALL | HistoryAnswer.MARKED:
                    last_numbers, marked = [None], not marked
                case int() as number:
                    try:
                        self._show_match(number)
                    except (NotFoundError, JournalError) as error:
                        self._show_error(error)
                case _:
                    return

    def _show_match(self, number: int) -> None:
        """Show a match's rounds in order; without any, its sentences."""
        leaf = 0
        while True:
            with self._archive.open() as archive:
                page = archive.match(number)
            view = HistoryList(
                join([N(page.line.title), join_names([player.name for player in page.line.players])], " · "),
                tuple(round_list_items(page)),
                (HistoryAnswer.BACK,),
                summary=join(
                    [
                        format_datetime(strings.local_time(page.line.at), "long"),
                        ending_text(page.view) or _state_name(page.line.state),
                    ],
                    " · ",
                ),
                empty_text=EMPTY_MATCH,
            )
            answer, leaf = ask_with_list(self._display, view, leaf)
            if not isinstance(answer, int):
                return
            self._show_round(answer)

    def _show_round(self, event: int) -> None:
        """Show a round with its evidence; buttons lead to the rounds before and after."""
        while True:
            with self._archive.open() as archive:
                page = archive.round(event)
                strips = {
                    picture.name: archive.picture(event, picture.name)[1]
                    for picture in page.pictures
                    if picture.exists and picture.name.startswith("strip-")
                }
            can_take_home = self._clips.network is not None and page.has_clip
            match self._display.ask(replace(round_view(page, strips), can_take_home=can_take_home)):
                case common_page.TAKE_HOME_ANSWER:
                    self._clips.open(self._display, event)
                case HistoryAnswer.EARLIER if page.previous is not None:
                    event = page.previous
                case HistoryAnswer.LATER if page.next is not None:
                    event = page.next
                case HistoryAnswer.MARK:
                    with self._archive.open() as archive:
                        archive.mark(event, NEXT_MARK[page.mark])
                case HistoryAnswer.STORY:
                    self._show_round_story(page)
                case _:
                    return

    def _show_round_story(self, page: RoundPage) -> None:
        """Show a round's outcome: the sentences, every bet and score, and the disputes."""
        lines = tuple(story_items(page))
        ask_with_list(
            self._display, HistoryList(_round_title(page), lines, (HistoryAnswer.BACK,), empty_text=EMPTY_ROUND)
        )


def match_list_item(line: MatchLine) -> HistoryLine:
    """Return a match's list item: game, time, players and notes."""
    players = [
        N("{name} (won)", name=player.name) if seat in line.winners else player.name
        for seat, player in enumerate(line.players, start=1)
    ]
    notes = [
        *([_state_name(line.state)] if line.state != "finished" else []),
        # A match whose throws were entered has rounds too, but none that was judged.
        *([ngettext_lazy("{count} round", "{count} rounds", line.rounds)] if line.rounds else []),
        *([ngettext_lazy("{count} foul", "{count} fouls", line.fouls)] if line.fouls else []),
        *([_count_disputes(line.disputes)] if line.disputes else []),
        *([N("{count} to review", count=line.rounds_to_review)] if line.rounds_to_review else []),
        *([N("note")] if line.note or line.noted_rounds else []),
        *([N("images deleted")] if line.rounds and not line.has_pictures else []),
    ]
    detail = join([join_names(players), *([join(notes, ", ")] if notes else [])], ": ")
    return HistoryLine(N(line.title), detail, format_datetime(strings.local_time(line.at)), line.number)


def _state_name(name: str) -> str:
    return STATE_NAMES.get(name, name)


def _count_disputes(count: int) -> str:
    return ngettext_lazy("{count} dispute", "{count} disputes", count)


def round_list_items(page: MatchPage) -> list[HistoryLine]:
    """Return a match's rounds, each with the sentence after it; without any, all its sentences."""
    groups = group_by_round(page.view)
    said_next = [sentences if line is None else [] for line, sentences in groups[1:]] + [[]]
    rounds = [
        round_list_item(line, page, next(iter([*sentences, *after]), ""))
        for (line, sentences), after in zip(groups, said_next, strict=False)
        if line is not None
    ]
    return rounds or [HistoryLine("", sentence) for _, sentences in groups for sentence in sentences]


def round_list_item(line: RoundView, page: MatchPage, sentence_after: str) -> HistoryLine:
    """Return a round's list item: name, notes, and its outcome or, after a foul or a void round, the verdict."""
    mark, went_wrong = page.marks.get(line.event), line.is_void or line.has_foul
    notes = [
        *([N("void")] if line.is_void else []),
        *([_count_disputes(len(line.disputes))] if line.disputes else []),
        *([history_page.MARK_NAMES[mark]] if mark is not None else []),
        *([N("note")] if page.notes.get(line.event) else []),
    ]
    return HistoryLine(
        _round_name(line, page.line),
        round_sentence(line) if went_wrong or not sentence_after else sentence_after,
        join(notes, ", "),
        line.event,
    )


def round_view(page: RoundPage, strips: Mapping[str, bytes]) -> DisputedRound:
    """Return the page of a past round; ``strips`` are its strip images by name."""
    line = page.line
    film = frames_from_strips([seat.seat for seat in line.seats], line.judgement.lock_ms, strips)
    deleted = bool(page.pictures) and not any(picture.exists for picture in page.pictures)
    return DisputedRound(
        line,
        {seat.seat: Player(seat.seat, seat.player.name) for seat in line.seats},
        _round_title(page),
        join([round_sentence(line), PICTURES_DELETED]) if deleted else round_sentence(line),
        film.times_ms,
        film.image,
        has_earlier=page.previous is not None,
        has_later=page.next is not None,
        is_past=True,
        review_mark=page.mark,
    )


def story_items(page: RoundPage) -> list[HistoryLine]:
    """Return a round's outcome line by line."""
    return [
        *([HistoryLine(N("Note"), page.note)] if page.note else []),
        *(HistoryLine("", sentence) for sentence in outcome_sentences(page.line)),
        *(line for seat in page.line.seats if (line := _score_item(seat)) is not None),
        *(
            HistoryLine(N("Disputed {time}", time=strings.format_time(dispute.at)), _dispute_text(page.line, dispute))
            for dispute in page.line.disputes
        ),
    ]


def _score_item(seat: SeatView) -> HistoryLine | None:
    """Return a seat's bet and its score before and after; None if the game has neither."""
    parts = []
    if seat.bet is not None:
        parts.append(N("bets {bet}", bet=seat.bet) if seat.bet else N("no bet"))
    if seat.score_before is not None and seat.score_after is not None:
        before, after = strings.format_points(seat.score_before), strings.format_points(seat.score_after)
        parts.append(N("points: {before} before, {after} after", before=before, after=after))
    return HistoryLine(seat.player.name, capitalise(join_items(parts))) if parts else None


def _dispute_text(line: RoundView, dispute: DisputeView) -> str:
    if dispute.text:
        return dispute_sentence(line, dispute)
    if dispute.is_rejected:
        return N("The verdict stands.")
    if dispute.seat is None:
        return N("Everybody agreed that the round is void.")
    return N(
        "Everybody agreed on {name}’s throw: {to} in place of {was}.",
        name=line.names.get(dispute.seat, ""),
        to=card_word(dispute.to),
        was=card_word(dispute.previous),
    )


def _round_title(page: RoundPage) -> str:
    title, game = round_title(page.line), page.match.title
    return title if title != game else join([N(game), _round_name(page.line, page.match)], " · ")


def _round_name(line: RoundView, match: MatchLine) -> str:
    """Return a round's name within its match: its own title, or its number."""
    title = round_title(line)
    return title if title != match.title else N("Throw {number}", number=line.number)
