"""What the template of a second screen shows of a scene: texts in the box's language, and what is drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from messages import N, capitalise
from rules.engine import Seat
from rules.record.round import SeatView
from rules.text import throw_word
from rules.throws import Throw
from throwlock.tv.second_screen import Scene, shown_frames
from throwlock.tv.time_line import (
    HEIGHT,
    WIDTH,
    TvTimeLine,
    passed_at,
    photo_finish_course,
    slow_motion_course,
    time_line,
)
from ui.i18n.language import current_language, ngettext, t
from ui.screen.pages import showdown as showdown_page
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.board_position import BoardPosition, position_from_facts
from ui.screen.pages.classroom import (
    ThrowCount,
    count_throws,
    player_standing,
    throwing_text,
    thrown_text,
    winners_text,
)
from ui.screen.pages.classroom import points_text as points
from ui.screen.pages.common import Player, player_title, players_by_place, rank_players
from ui.screen.pages.countdown import GET_READY, Countdown, Judging, Preparing
from ui.screen.pages.countdown_picture import judging_text
from ui.screen.pages.fact_words import fact_text
from ui.screen.pages.guests import GUESSERS_TITLE, PICTURES, guesser_score
from ui.screen.pages.lobby import TITLE as LOBBY
from ui.screen.pages.lobby import Lobby, how_text
from ui.screen.pages.message import GameMessage
from ui.screen.pages.message_picture import message_title
from ui.screen.pages.phones import STATE_LABELS, TYPE_IT, count_phones
from ui.screen.pages.podium import name_on_step, podium, podium_is_shown, step_score
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import OPENING_S, FaceDown, Reveal, throw_label
from ui.screen.pages.scoreboard import Facts, result_facts
from ui.screen.pages.second_screen import Choosing, PublicView, choosing_text
from ui.screen.pages.showdown import Showdown, ShowdownCard
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.pages.slow_motion import title as slow_motion_title
from ui.screen.pages.standings import Standings, tournament_slide
from ui.text.labels import FIGURE_HEADINGS, lock_label, plain_number, shown_time, verdict_icon

__all__ = [
    "FIGURE_HEADINGS",
    "GET_READY",
    "GUESSERS_TITLE",
    "HEIGHT",
    "LOBBY",
    "STATE_LABELS",
    "TYPE_IT",
    "WIDTH",
    "choosing_text",
    "count_phones",
    "current_language",
    "guesser_score",
    "how_text",
    "judging_text",
    "lock_label",
    "name_on_step",
    "points",
    "slow_motion_title",
    "step_score",
    "t",
    "throwing_text",
    "thrown_text",
    "tournament_slide",
    "verdict_icon",
]

CODE_LABEL = N("Code")
JOIN_TITLE = N("Watch on this screen")
JOIN_TEXT = N("Type the code that the box’s screen shows under “Second screen”.")
JOIN_LABEL = N("Watch")
IDLE = N("The best rounds of the evening will be shown here.")
CLAIM = N("Claims")
ANSWER_IN = N("In")
ANSWER_MISSING = N("Choosing")
OFFLINE = N("The box can’t be reached. Trying again …")
ENDED = N("This screen has to be opened again: the box shows its address under “Phones and review”, “Second screen”.")
FULL = N("As many screens as the box can serve are watching.")
NO_SCRIPT = N("Without JavaScript this page has to be reloaded.")
MAX_PLAYERS = 8
"""The most players with a line of their own, so that it can be read from 4 m."""
GUEST_PICTURES = tuple(PICTURES)
"""The icons of the people who are here."""
KINDS: Final[Mapping[type[PublicView], str]] = {
    Preparing: "preparing",
    Countdown: "count",
    Judging: "judging",
    FaceDown: "face down",
    Reveal: "reveal",
    SlowMotion: "slow motion",
    Showdown: "showdown",
    GameMessage: "scores",
    MatchResult: "result",
    Choosing: "choosing",
    Lobby: "lobby",
    Standings: "standings",
    AttractMode: "idle",
}
"""What each public view is, as its template names it."""


@dataclass(frozen=True)
class ScoreLine:
    """A player in a list of scores."""

    player: Player
    facts: tuple[str, ...] = ()
    """What everybody may know, such as an open bet."""
    place: int | None = None
    won: bool = False


@dataclass(frozen=True)
class SlowSeat:
    """A seat in slow motion. Times are of the box's monotonic clock."""

    seat: SeatView
    frames: tuple[tuple[float, str], ...]
    """When each picture of its hand comes, and its path."""
    shows_at_ms: float | None
    """When its hand shows."""
    fouls_at_ms: float | None
    """When its foul is told; None without one."""


def kind(view: PublicView) -> str:
    """What is shown."""
    if isinstance(view, Reveal) and view.in_class:
        return "scores"
    return KINDS[type(view)]


def score(player: Player) -> str:
    """A player's score; empty without one."""
    return "" if player.score is None else plain_number(player.score)


def facts(shown: Facts) -> list[str]:
    """What a round is about, or what everybody may know of a player."""
    return [fact_text(fact) for fact in shown]


def icon(throw: Throw | None) -> str:
    """The icon of a throw; None is no throw."""
    return "nothing" if throw is None else throw.value


def word(throw: Throw | None) -> str:
    """A throw's word; None is no throw."""
    return throw_label(None) if throw is None else t(capitalise(throw_word(throw)))


def more_text(count: int) -> str:
    """How many players there are besides those that are shown; empty if none."""
    left = count - MAX_PLAYERS
    return ngettext("and {count} more player", "and {count} more players", left) if left > 0 else ""


def answer_states(view: Choosing) -> dict[Seat, str]:
    """Whether the answer of each seat that is asked is in; none where they are only told something."""
    if view.only_tells:
        return {}
    return {seat: t(ANSWER_IN if is_in else ANSWER_MISSING) for seat, is_in in view.asked.items()}


# A round


def seat_names(view: Reveal | SlowMotion | MatchResult) -> dict[Seat, str]:
    """The names of the players who throw."""
    return {player.seat: player_title(player) for player in view.players}


def time(seat: SeatView) -> str:
    """When a hand showed: "+331 ms"."""
    return shown_time(seat.timed_ms, seat.early_ms, short=True)


def turned_at_ms(scene: Scene) -> float:
    """When the cards of a reveal turn over: in the time that the touchscreen takes, a browser has it."""
    return scene.shown_at_ms + OPENING_S * 1e3


def reveal_images(view: Reveal, folder: str) -> dict[Seat, list[str]]:
    """The paths of each seat's pictures in ``folder``: at the lock, and of a foul."""
    return {
        seat: [f"{folder}/{kind}-{seat}" for kind in (("seat",) if pictures.proof is None else ("seat", "foul"))]
        for seat, pictures in view.pictures.items()
    }


def _times(seats: Sequence[SeatView]) -> list[tuple[Seat, float | None, str]]:
    return [(seat.seat, seat.timed_ms, time(seat)) for seat in seats]


def reveal_line(view: Reveal) -> TvTimeLine:
    """The time line of a reveal, along which time passes once."""
    times = _times(view.seats)
    return time_line(times, view.window_ms, photo_finish_course(times, view.window_ms))


def finished_line(seats: Sequence[SeatView], window_ms: float) -> TvTimeLine:
    """The time line of a round that is over."""
    return time_line(_times(seats), window_ms)


def mark_times(line: TvTimeLine, shown_at_ms: float) -> list[float | None]:
    """When each mark of a time line comes, by the box's clock; None: it is there."""
    return [shown_at_ms + passed_at(line.course, mark.x) if line.course else None for mark in line.marks]


def slow_seats(view: SlowMotion, shown_at_ms: float, folder: str) -> list[SlowSeat]:
    """The seats of a round in slow motion from ``shown_at_ms`` on, with pictures in ``folder``."""
    course, frames = slow_motion_course(view), shown_frames(view)
    times_ms = [view.frame_times_ms[frame] for frame in frames]
    comes_ms = [(before + after) / 2 for before, after in pairwise(times_ms)]
    begins = [shown_at_ms, *(shown_at_ms + passed_at(course, at_ms) for at_ms in comes_ms)]
    seats = []
    for seat in view.seats:
        number, at_ms = seat.seat, seat.timed_ms
        shows = None if at_ms is None else shown_at_ms + passed_at(course, at_ms)
        tells = None if at_ms is None else shown_at_ms + passed_at(course, max(at_ms, view.window_ms))
        paths = [f"{folder}/frame-{number}-{frame}" for frame in frames]
        seats.append(SlowSeat(seat, tuple(zip(begins, paths, strict=True)), shows, tells if seat.is_foul else None))
    return seats


def slow_line(view: SlowMotion) -> TvTimeLine:
    """The time line of slow motion."""
    return time_line(_times(view.seats), view.window_ms, slow_motion_course(view))


# Scores


def sentences(view: GameMessage) -> list[str]:
    """What the event says; of one that everybody has seen already, what the scores are called."""
    return [t(sentence) for sentence in view.sentences] or [message_title(view)]


def score_lines(view: GameMessage) -> list[ScoreLine]:
    """The players' scores, the best first; in a class, of the best."""
    players = players_by_place(view.players)[:MAX_PLAYERS]
    return [ScoreLine(player, tuple(facts(player.facts))) for player in players]


def figures(view: GameMessage) -> tuple[ThrowCount, ...]:
    """How many of a class threw what; none of fewer players, who each have a line."""
    if len(view.players) <= MAX_PLAYERS:
        return ()
    return count_throws([player_standing(player.facts) for player in view.players], view.facts)


def result_sentence(view: MatchResult) -> str:
    """Who has won; of many only how many they are."""
    winners = view.result.winners
    if len(winners) > MAX_PLAYERS // 2 and len(view.players) > MAX_PLAYERS:
        return winners_text(len(winners), view.result.scores[winners[0]])
    return t(view.sentence)


def result_lines(view: MatchResult) -> list[ScoreLine]:
    """The players in the order of their places; of more than are shown, without what else is known of them."""
    places, shown = rank_players(view.players, view.result.winners), result_facts(view.result)
    is_table = len(view.players) <= MAX_PLAYERS
    return [
        ScoreLine(
            player,
            tuple(facts(shown.of_seat(player.seat))) if is_table else (),
            None if player.stars is not None else places[player.seat],
            player.seat in view.result.winners,
        )
        for player in players_by_place(view.players, view.result.winners)[:MAX_PLAYERS]
    ]


def podium_steps(view: MatchResult) -> list[tuple[int, list[Player]]]:
    """The steps of the podium from left to right, each with its place and players; none where it is not shown."""
    places = rank_players(view.players, view.result.winners)
    if not podium_is_shown(view.players, places):
        return []
    return podium(view.players, places)


def lines_off_podium(view: MatchResult) -> list[ScoreLine]:
    """The players who are not on the podium, in the order of their places."""
    on_podium = {player.seat for _, players in podium_steps(view) for player in players}
    return [line for line in result_lines(view) if line.player.seat not in on_podium]


def deciding_seats(scene: Scene, folder: str) -> dict[Seat, SlowSeat]:
    """The seats of the round that decided a match, in slow motion; none without pictures."""
    motion = scene.view.deciding if isinstance(scene.view, MatchResult) else None
    return {} if motion is None else {seat.seat.seat: seat for seat in slow_seats(motion, scene.shown_at_ms, folder)}


def board(view: GameMessage) -> BoardPosition | None:
    """The board; None in other games."""
    return position_from_facts(view.event.values)


@dataclass(frozen=True)
class ShowdownLine:
    """A card of a showdown, as far as it has gone: what it is, is in it once it is turned."""

    player: Player
    claim: Throw | None
    is_turned: bool
    card: Throw | None
    end: tuple[str, ...]
    """What came of it: the bluff, the chips that were won, the score."""
    won: bool


def showdown_lines(view: Showdown) -> list[ShowdownLine]:
    """The cards of a showdown. Cards, chips and winners are in it only once the touchscreen shows them."""
    return [_showdown_line(view, index, card) for index, card in enumerate(view.cards)]


def _showdown_line(view: Showdown, index: int, card: ShowdownCard) -> ShowdownLine:
    turned, won = view.turned_share(index) > 0.5, card.player.seat in view.winners
    player = card.player if view.pot_share > 0 else replace(card.player, score=None)
    bluff = showdown_page.BLUFF if card.bluff else showdown_page.TRUE_CLAIM
    end = (
        t(bluff) if view.is_judged(index) else "",
        f"+{card.won}" if won and card.won else "",
        score(player),
    )
    return ShowdownLine(
        player, card.claim, turned, card.card if turned else None, tuple(text for text in end if text), won
    )
