"""A table at which throws are shown by printed cards: the box waits until everybody's lies face down with the hand
away, watches that it stays so, counts, and reads all of them from one exposure."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

from device.camera.base import CameraError
from device.camera.frames import Frame
from rules.engine import Answers, Ask, Choices, Game, Seat
from throwlock.match.house_rules import House, ThrowWith
from throwlock.tables.card_count import CardCount, has_count
from throwlock.tables.hands import SETTLED_NS, Round, Table
from ui.i18n.language import t
from ui.screen.pages.ask.hints import TURN_OVER, hint
from ui.screen.pages.views import Cadence, Gather, Judging, Player, Watched
from ui.text.cards import LACKING
from vision.cards.card_tracker import LOOK_NS, SeatWatch
from vision.cards.lock import CardJudge
from vision.cards.observations import Family, Look
from vision.lock.judge import FEWEST, Judge, Judgement, unjudged
from vision.lock.verdict import AFTER_NS

DOWN = Choices(("down",))
"""All that can be said of a card face down."""
BEFORE_NS = 300_000_000
"""How much of the ring before the window is judged as well."""
PATIENCE_NS = 120_000_000_000
"""Where nobody can be asked, cards are waited for so long."""


@runtime_checkable
class CardPlayers(Protocol):
    """Whoever has to be told when cards are to be laid: the simulated table's players. People see it on the screen."""

    def lay_at(self, ask: Ask, seats: Sequence[Seat], count: CardCount, now_ns: int) -> None:
        """These seats are to lay a card face down, from ``now_ns`` of the camera's clock on."""


def plays_with_cards(game: Game, throw_with: ThrowWith) -> bool:
    """Whether printed cards are thrown in a game, in some of its rounds at least."""
    return throw_with is ThrowWith.CARDS or has_count(game)


class NoHands(Judge):
    """The judge where no throw is shown by hands: it loads no model."""

    def __init__(self) -> None:
        self.workers = 0

    def close(self) -> None:
        """See Judge."""

    @property
    def progress(self) -> float:
        """See Judge."""
        return 0.0


def judge_for(game: Game, house: House, nice: int) -> Judge:
    """A judge of the hands that are thrown in a game. Raises ModelError."""
    future = game.rules.name == "future"
    if house.throw_with is ThrowWith.CARDS or (has_count(game) and not future):
        return NoHands()
    return Judge(game.setup.seats, nice)


@dataclass(kw_only=True)
class CardTable(Table):
    """A Table whose throws, or those of them that the game has cards for, are shown by cards. ``people``: whether
    somebody can be asked on the screen or by buttons. ``tally`` is the count of the cards, made anew from the journal
    before every round."""

    game: Game
    people: bool = False
    tally: CardCount = field(default_factory=CardCount)
    _watches: dict[Seat, SeatWatch] = field(default_factory=dict, init=False)
    _trusted: set[Seat] = field(default_factory=set, init=False)
    _looked_ns: int = field(default=0, init=False)
    _until_ns: int | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _done: threading.Event = field(default_factory=threading.Event, init=False)
    _looker: threading.Thread | None = field(default=None, init=False)
    _cards: CardJudge | None = field(default=None, init=False)

    @property
    def family(self) -> Family:
        """The cards that are played with."""
        return Family.FUTURE if self.game.rules.name == "future" else Family.DECK

    def by_cards(self, ask: Ask) -> bool:
        """Whether a throw is shown by cards. In Future RPS who begins is thrown for, before there are any."""
        if self.house.throw_with is ThrowWith.CARDS:
            return True
        return has_count(self.game) and (self.family is Family.DECK or "turn" in ask.about)

    def lays(self, ask: Ask) -> bool:
        """Whether an ask is answered by laying a card face down in the own zone."""
        return ask.kind == "place" and all(options == DOWN for options in ask.seats.values())

    def lay(self, ask: Ask, players: Sequence[Player]) -> Answers:
        """Wait until everybody asked has a card down, another than before where one lay there. Raises CameraError."""
        with self._lock:
            for seat in ask.seats:
                self._trusted.discard(seat)
                if seat in self._watches:
                    self._watches[seat].begin_anew(changed=True)
        self._wait_for(ask, tuple(ask.seats), players)
        return dict.fromkeys(ask.seats, "down")

    def throw(self, ask: Ask, players: Sequence[Player], title: str, again: str | None = None) -> Round:
        """See Table. First everybody's card has to lie there; afterwards they are taken up."""
        if not self.by_cards(ask):
            return super().throw(ask, players, title, again)
        seats = tuple(ask.seats)
        missing = tuple(seat for seat in seats if not self._is_in(seat))
        if missing:
            self._wait_for(replace(ask, kind="place", sealed=False, secret=False), missing, players)
        try:
            return super().throw(ask, players, title, again)
        finally:
            with self._lock:
                self._until_ns = None
                for seat in seats:
                    self._watches.pop(seat, None)
                    self._trusted.discard(seat)

    def hint_of(self, ask: Ask) -> str | None:
        """See Table."""
        return TURN_OVER if self.by_cards(ask) else super().hint_of(ask)

    def called(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int) -> None:
        """See Table. From the window before the cue on, cards may be turned over."""
        if all(seat in self._watches for seat in seats):
            self._until_ns = cue_ns - self.house.card_window_ms * 1_000_000
        super().called(seats, cue_ns, beat_ns)

    def judged(
        self, seats: Sequence[Seat], players: Sequence[Player], cue_ns: int
    ) -> tuple[Judgement, Sequence[Frame]]:
        """See Table."""
        if self._until_ns is None or any(seat not in self._watches for seat in seats):
            return super().judged(seats, players, cue_ns)
        window_ns = self.house.card_window_ms * 1_000_000
        end_ns = cue_ns + 2 * window_ns + AFTER_NS
        self.clock.wait_until(end_ns + SETTLED_NS)
        groups = {place: self.tally.table(seat) for place, seat in enumerate(seats)}
        strict = has_count(self.game)
        judge = CardJudge(
            self.family, lambda place, card: self.tally.wrong_with(seats[place], card) if strict else None, groups
        )
        self.display.show(Judging(tuple(players), progress=lambda: judge.progress))
        frames = self.exposed(cue_ns - window_ns - BEFORE_NS, end_ns)  # at once: the ring goes on
        self.look_on()
        if len(frames) < FEWEST:
            return unjudged(frames, [self.zones[seat - 1] for seat in seats], cue_ns, window_ns), frames
        with self._lock:
            return judge(frames, [self._watches[seat] for seat in seats], cue_ns, window_ns), frames

    def close(self) -> None:
        """Stop looking; may be called twice."""
        self._done.set()
        if self._looker is not None:
            self._looker.join()
            self._looker = None

    def look_on(self) -> None:
        """Look at what the ring has since the last look, at as many frames as it takes."""
        with self._lock:
            until = self.clock.now_ns() if self._until_ns is None else self._until_ns
            if not self._watches or until <= self._looked_ns:
                return
            for frame in self.camera.ring(self._looked_ns + 1, until):
                if frame.exposed_ns - self._looked_ns >= LOOK_NS:
                    self._looked_ns = frame.exposed_ns
                    look = Look(frame)
                    for watch in self._watches.values():
                        watch.look(look)

    def _wait_for(self, ask: Ask, seats: Sequence[Seat], players: Sequence[Player]) -> None:
        """Wait for the cards of ``seats``. Raises CameraError."""
        with self._lock:
            for seat in seats:
                if seat not in self._watches:
                    box = self.zones[seat - 1].box(self.camera.size)
                    self._watches[seat] = SeatWatch(box, self.family)
            self._looked_ns = max(self._looked_ns, self.clock.now_ns() - LOOK_NS)
        if isinstance(self.performers, CardPlayers):
            self.performers.lay_at(ask, seats, self.tally, self.clock.now_ns())
        wanted = replace(ask, seats=dict.fromkeys(seats, DOWN))
        told = None if wanted.kind in self.hinted else hint(wanted)
        self.hinted.add(wanted.kind)
        view = Gather(tuple(players), wanted, hint=told, watched=lambda: self._seen(seats))
        if self.people:
            self._look_always()
            self.display.ask(view)
            self._trusted |= {seat for seat in seats if self._watches[seat].down is None}
            return
        self.display.show(view)
        until_ns = self.clock.now_ns() + PATIENCE_NS
        while len(self._seen(seats).given) < len(seats):
            if self.clock.now_ns() > until_ns:
                raise CameraError(
                    "nobody laid a card that the camera can read: lay cards flat, face down, in the zones"
                )
            self.clock.wait_until(self.clock.now_ns() + LOOK_NS)
            self.look_on()

    def _is_in(self, seat: Seat) -> bool:
        """Whether a seat's card lies there: the camera saw it, or people said so."""
        watch = self._watches.get(seat)
        return watch is not None and (watch.down is not None or seat in self._trusted)

    def _seen(self, seats: Sequence[Seat]) -> Watched:
        """Who is in by the camera, and what it says to the others."""
        watches = {seat: self._watches[seat] for seat in seats}
        given = {seat: "down" for seat, watch in watches.items() if watch.down is not None}
        notes = {seat: t(LACKING[watch.note]) for seat, watch in watches.items() if watch.note is not None}
        return Watched(given, notes)

    def _look_always(self) -> None:
        """From now on look in a thread of its own: people take their time."""
        if self._looker is None:
            self._looker = threading.Thread(target=self._keep_looking, name="cards", daemon=True)
            self._looker.start()

    def _keep_looking(self) -> None:
        while not self._done.wait(LOOK_NS / 1e9):
            with suppress(CameraError):  # a camera that has stopped is told when the round needs it
                self.look_on()

    def _show_until(self, view: Cadence, until_ns: int) -> None:
        super()._show_until(view, until_ns)
        with suppress(CameraError):
            self.look_on()
