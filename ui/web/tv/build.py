"""Turns what a second screen may show into the scene that a browser is sent, in the screen's language."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from device.camera.frames import Pixels
from messages import capitalise
from rules.engine import Seat
from rules.text import throw_word
from rules.throws import Throw
from ui.i18n.language import ngettext, t
from ui.screen.pages import fact_words
from ui.screen.pages import reveal as reveal_page
from ui.screen.pages import second_screen as second_screen_page
from ui.screen.pages import showdown as showdown_page
from ui.screen.pages import slow_motion as slow_motion_page
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.board_position import PIECE_ICONS, position_from_facts
from ui.screen.pages.classroom import LOSS, TIE, WIN, count_throws, player_standing
from ui.screen.pages.common import Player, player_title
from ui.screen.pages.countdown import Countdown, Judging
from ui.screen.pages.message import GameMessage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.result_picture import rank_players
from ui.screen.pages.reveal import Reveal, SeatReveal
from ui.screen.pages.scoreboard import Facts, result_facts
from ui.screen.pages.second_screen import Choosing, PublicView
from ui.screen.pages.showdown import Showdown
from ui.screen.pages.slow_motion import SLOWDOWN_FACTOR, STOP_S, SlowMotion
from ui.text import labels
from ui.web.tv import strings
from ui.web.tv.scene import (
    CardPart,
    ChoosingScene,
    CountScene,
    FigurePart,
    FramesPart,
    IdleScene,
    JudgingScene,
    PiecePart,
    PlayerPart,
    ResultScene,
    RevealScene,
    Scene,
    ScoresScene,
    SeatPart,
    ShowdownScene,
    SlowMotionScene,
    SpacePart,
    ThrowPart,
)

MAX_PLAYERS = 8
"""The most players with a line of their own, so that it can be read from 4 m."""

Pictures = dict[str, Callable[[], Pixels]]
"""The pictures of a scene by name, each made when it is asked for."""


def build_scene(view: PublicView, shown_at_ms: float) -> tuple[Scene, Pictures]:
    """Return the scene of a view that is shown since ``shown_at_ms``, and its pictures."""
    pictures: Pictures = {}
    scene: Scene
    match view:
        case Countdown():
            scene = _count(view, shown_at_ms)
        case Judging():
            scene = JudgingScene(text=t(strings.JUDGING), players=_players(view.players))
        case Reveal() if view.in_class:
            scene = ScoresScene(sentences=(t(view.sentence),), players=())
        case Reveal():
            scene = reveal_scene(view, pictures)
        case SlowMotion():
            scene = _slow_motion(view, pictures)
        case Showdown():
            scene = _showdown(view)
        case GameMessage():
            scene = _scores(view)
        case MatchResult():
            scene = _result(view)
        case Choosing():
            scene = _choosing(view)
        case AttractMode():
            scene = IdleScene(title="Throwlock", text=t(strings.IDLE))
    return scene, pictures


def _players(players: Sequence[Player], states: Mapping[Seat, str] | None = None) -> tuple[PlayerPart, ...]:
    states = states or {}
    return tuple(player_part(player, state=states.get(player.seat, "")) for player in players[:MAX_PLAYERS])


def player_part(player: Player, **more: object) -> PlayerPart:
    """Return a player's name and score, with ``more`` fields."""
    score = "" if player.score is None else labels.plain_number(player.score)
    return PlayerPart.model_validate({"seat": player.seat, "name": player_title(player), "score": score, **more})


def _count(view: Countdown, shown_at_ms: float) -> CountScene:
    """Return the scene of a count. Before the first word ``view.beat_s`` is the time until it, and ``view.word_s`` the
    length of a word."""
    next_at = shown_at_ms + view.animation_s * 1e3
    word_ms = (view.word_s or view.beat_s) * 1e3
    times = tuple(next_at + (number - view.beat - 1) * word_ms for number in range(len(view.words)))
    note = "" if view.rethrow_reason is None else t(view.rethrow_reason)
    throwing = view.throwing if len(view.throwing) < len(view.players) else ()
    return CountScene(
        title=t(view.title),
        words=tuple(t(word) for word in view.words),
        words_at_ms=times,
        players=_players(view.players),
        throwing=throwing,
        facts=_facts(view.facts),
        note=note,
    )


def _facts(facts: Facts) -> tuple[str, ...]:
    return tuple(fact_words.fact_text(fact) for fact in facts)


def throw_part(throw: Throw | None) -> ThrowPart:
    """Return a throw's icon and word; None is no throw."""
    if throw is None:
        return ThrowPart(icon="nothing", word=reveal_page.throw_label(None))
    return ThrowPart(icon=throw.value, word=t(capitalise(throw_word(throw))))


def _seat(seat: SeatReveal) -> SeatPart:
    """Return what a seat showed, without pictures."""
    return SeatPart(
        player=player_part(seat.player),
        throws=tuple(throw_part(throw) for throw in seat.throws or (None,)),
        verdict=labels.verdict_text(seat.verdict),
        kind="foul" if seat.foul else "good" if seat.verdict == "on time" else "doubt",
        time=labels.shown_time(seat.after_first_ms, seat.early_ms, short=True),
        after_first_ms=seat.after_first_ms,
        won=seat.outcome == "win" and not seat.foul,
    )


def reveal_scene(view: Reveal, pictures: Pictures) -> RevealScene:
    """Return the scene of a reveal; its pictures are added to ``pictures``."""
    seats = []
    for seat in view.seats:
        number = seat.player.seat
        images = {"image": f"seat-{number}"}
        pictures[images["image"]] = partial(_same, seat.crop)
        if seat.proof_crop is not None:
            images["proof"] = f"foul-{number}"
            pictures[images["proof"]] = partial(_same, seat.proof_crop)
        seats.append(_seat(seat).model_copy(update=images))
    return RevealScene(
        sentence=t(view.sentence),
        seats=tuple(seats),
        window_ms=view.window_ms,
        lock_label=labels.lock_label(view.window_ms),
        pairs=tuple((throw_part(winner), throw_part(loser)) for winner, loser in view.beaten_pairs),
    )


def _same(image: Pixels) -> Pixels:
    return image


def _slow_motion(view: SlowMotion, pictures: Pictures) -> SlowMotionScene:
    shown = [
        frame
        for frame, at in enumerate(view.frame_times_ms)
        if view.start_ms <= at <= view.end_ms or frame == view.at_time(0.0).frame
    ]
    frames = []
    for seat in view.seats:
        number = seat.player.seat
        pictures |= {f"frame-{number}-{frame}": partial(view.hand_image, number, frame) for frame in shown}
        frames.append(FramesPart(seat=number, images=tuple(f"frame-{number}-{frame}" for frame in shown)))
    return SlowMotionScene(
        title=slow_motion_page.title(),
        seats=tuple(_seat(seat) for seat in view.seats),
        window_ms=view.window_ms,
        lock_label=labels.lock_label(view.window_ms),
        frame_times_ms=tuple(view.frame_times_ms[frame] for frame in shown),
        frames=tuple(frames),
        course=slow_motion_course(view),
    )


def slow_motion_course(view: SlowMotion) -> tuple[tuple[float, float], ...]:
    """Return ``SlowMotion.moment_after`` as the points between which it is linear: (ms since the beginning, ms after
    the first hand)."""
    passed, at = 0.0, view.start_ms
    course = [(passed, at)]
    for stop in view.stops_ms:
        passed += max(0.0, (stop - at) * SLOWDOWN_FACTOR)
        at = max(at, stop)
        course += [(passed, at), (passed := passed + STOP_S * 1e3, at)]
    course.append((passed + max(0.0, view.end_ms - at) * SLOWDOWN_FACTOR, max(at, view.end_ms)))
    return tuple((passed, min(at, view.end_ms)) for passed, at in course)


def _showdown(view: Showdown) -> ShowdownScene:
    """Return the scene of a showdown. Cards, chips and winners are in it only once the touchscreen shows them."""
    cards = []
    for index, card in enumerate(view.cards):
        turned, judged = view.turned_share(index) > 0.5, view.is_judged(index)
        player = card.player if view.pot_share > 0 else replace(card.player, score=None)
        bluff = "" if not judged else t(showdown_page.BLUFF if card.bluff else showdown_page.TRUE_CLAIM)
        won = card.player.seat in view.winners
        cards.append(
            CardPart(
                player=player_part(player, won=won),
                claim=None if card.claim is None else throw_part(card.claim),
                label=t(strings.CLAIM),
                is_turned=turned,
                card=throw_part(card.card) if turned else None,
                bluff=bluff,
                won=f"+{card.won}" if won and card.won else "",
            )
        )
    return ShowdownScene(sentence=t(view.sentence), cards=tuple(cards))


def _scores(view: GameMessage) -> ScoresScene:
    standings = [player_standing(player.facts) for player in view.players]
    figures = count_throws(standings, view.facts) if len(view.players) > MAX_PLAYERS else ()
    players = sorted(view.players, key=lambda player: -(player.score or 0)) if figures else list(view.players)
    return ScoresScene(
        sentences=tuple(t(sentence) for sentence in view.sentences),
        players=tuple(player_part(player, facts=_facts(player.facts)) for player in players[:MAX_PLAYERS]),
        facts=() if figures else _facts(view.facts),
        more=_more(players),
        board=_board(view),
        figures=tuple(
            FigurePart(
                throw=throw_part(one.throw),
                count=one.count,
                won=one.outcomes[WIN],
                tied=one.outcomes[TIE],
                lost=one.outcomes[LOSS],
            )
            for one in figures
        ),
        figure_labels=tuple(t(label) for label in strings.FIGURE_LABELS) if figures else (),
    )


def _more(players: Sequence[Player]) -> str:
    left = len(players) - MAX_PLAYERS
    return ngettext("and {count} more player", "and {count} more players", left) if left > 0 else ""


def _board(view: GameMessage) -> tuple[SpacePart, ...]:
    position = position_from_facts(view.event.facts)
    if position is None:
        return ()
    last = position.last
    marked = {last.origin, *last.landing_spaces} if last else set()
    spaces = []
    for space in range(len(position.board.coordinates)):
        x, y = position.board.centre(space)
        token = position.pieces.get(space)
        piece = None
        if token is not None:
            piece = PiecePart(icon=PIECE_ICONS[token[0]], side=int(token[-1]), sheets=len(token) - 1)
        spaces.append(SpacePart(x=x, y=y, piece=piece, is_last=space in marked))
    return tuple(spaces)


def _result(view: MatchResult) -> ResultScene:
    places = rank_players(view.players, view.result.winners)
    players = sorted(view.players, key=lambda player: places[player.seat])
    facts = result_facts(view.result)
    return ResultScene(
        sentence=t(view.sentence),
        players=tuple(
            player_part(
                player,
                facts=_facts(facts.of_seat(player.seat)),
                place=places[player.seat],
                won=player.seat in view.result.winners,
            )
            for player in players[:MAX_PLAYERS]
        ),
        more=_more(players),
    )


def _choosing(view: Choosing) -> ChoosingScene:
    states = {seat: t(strings.ANSWER_IN if is_in else strings.ANSWER_MISSING) for seat, is_in in view.asked.items()}
    return ChoosingScene(text=second_screen_page.choosing_text(view), players=_players(view.players, states))
