"""Battle for a class: who is there is called over the live picture, one shout, and everybody's throw is read from one
exposure. A round is kept as any other; of the picture, only the cards are."""

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from device.camera.base import Camera, CameraError
from device.camera.frames import Frame, Pixels
from errors import ThrowlockError
from rules.engine import Ask, Choices, Rules, Seat, Value
from throwlock.journal.journal import Evidence
from throwlock.match.dispute import Film, film_of
from throwlock.match.judgement_json import judged
from throwlock.tables.hands import SETTLED_NS, Round, Table
from ui.i18n.language import N, Nn, row
from ui.screen.pages.classroom.view import HOME, Roll, RollCall
from ui.screen.pages.views import Cadence, Judging, Player, Reveal, SeatReveal
from ui.text import verdicts
from ui.text.names import listed
from vision.cards.classroom_reader import AROUND_NS, Doubt, Room, judge_room, read_room
from vision.cards.outlines import PROMISED
from vision.evidence import crop_of, jpeg, scaled
from vision.lock.judge import Judgement
from vision.lock.verdict import SeatVerdict, Verdict
from vision.zones import Zone

LOCK_PX = 1920
"""Longest side of the lock picture as kept, in which everything but the cards is blank."""
CARD_PX = 120
"""Longest side of the picture of a card as kept."""
BLANK = 128
"""The grey of what is not kept."""
HOLD = N("Choose which edge is up, card to your chest. On {word}, turn it to the camera.", word=verdicts.COUNT[-1])
WHY = {
    Doubt.MISSING: N("no card seen"),
    Doubt.MOVING: N("card moving"),
    Doubt.SLANTED: N("card slanted"),
    Doubt.NO_THROW: N("no throw up"),
    Doubt.TWICE: N("card seen twice"),
}
"""Why somebody has no throw."""
FEWEST = 9
"""Players that a class has at least where one is set up on the screen: fewer sit at a table."""
YES_NO = Choices((False, True))
NOWHERE = Zone(0.0, 0.0, 0.0, 0.0)
"""The zone of somebody whose card is not in the picture."""


class ClassStoppedError(ThrowlockError):
    """People went home from a class. The match can be taken up again."""


class RollWatch:
    """Looks for cards in a camera's newest frame, again and again, in a thread of its own.

    with RollWatch(camera, range(1, 31)) as watch:
        ...
        print(watch.roll.seen)
    """

    def __init__(self, camera: Camera, numbers: Sequence[Seat], least: float = PROMISED) -> None:
        self._camera = camera
        self._numbers = numbers
        self._least = least
        self._over = threading.Event()
        self._looked: int | None = None
        self.roll = Roll()
        """As it is now; replaced as a whole."""
        self._thread = threading.Thread(target=self._run, name="roll", daemon=True)

    def __enter__(self) -> "RollWatch":
        self._thread.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            if not self.look():
                self._over.wait(0.05)

    def look(self) -> bool:
        """Look at the newest frame; False where it is the one that was looked at before, or there is none."""
        try:
            frame = self._camera.latest()
        except CameraError as fault:
            self.roll = replace(self.roll, now=frozenset(), fault=str(fault))
            return False
        if frame.number == self._looked:
            return False
        self._looked = frame.number
        self.roll = called(self.roll, read_room(frame.pixels(), self._numbers, self._least))
        return True


def called(roll: Roll, room: Room) -> Roll:
    """The roll after a look at the room."""
    return Roll(roll.seen | room.seen, room.seen, room.twice, room.strangers)


@dataclass
class ClassTable(Table):
    """A Table for a class. Before a shout people are asked whether all are ready, unless it is for a second look or
    nobody can be asked (``people``). ``keep_picture`` keeps the whole lock picture, with everybody in it. ``least`` is
    the side of the smallest marker to be found, in pixels."""

    people: bool = False
    keep_picture: bool = False
    least: float = PROMISED
    room: Room | None = field(default=None, init=False)
    """What was read at the latest lock."""

    @property
    def window_ns(self) -> int:
        """From the shout to the lock."""
        return self.house.card_window_ms * 1_000_000

    def throw(self, ask: Ask, players: Sequence[Player], title: str, again: str | None = None) -> Round:
        """See Table. Raises ClassStoppedError when people go home."""
        self.hinted.add(ask.kind)  # what to do with hands
        if self.people and ask.about.get("phase") != "second look":
            self.ready(players, title, again)
        return super().throw(ask, players, title, again)

    def ready(self, players: Sequence[Player], title: str, again: str | None) -> None:
        """Call the roll until people say that all are ready. Raises ClassStoppedError."""
        with RollWatch(self.camera, [player.seat for player in players], self.least) as watch:
            names = tuple(player.name for player in players)
            view = RollCall(title, names, lambda: watch.roll, again=again)
            if self.display.ask(view) == HOME:
                raise ClassStoppedError

    def count(self, seats: Sequence[Seat], view: Cadence) -> int:
        """See Table."""
        return super().count(seats, replace(view, hint=None if view.again else HOLD))

    def judged(
        self, seats: Sequence[Seat], players: Sequence[Player], cue_ns: int
    ) -> tuple[Judgement, Sequence[Frame]]:
        """See Table."""
        lock_ns = cue_ns + self.window_ns
        self.clock.wait_until(lock_ns + AROUND_NS + SETTLED_NS)
        self.display.show(Judging(tuple(players)))
        frames = self.exposed(lock_ns - AROUND_NS, lock_ns + AROUND_NS)
        judgement, self.room = judge_room(frames, seats, cue_ns, self.window_ns, self.least)
        return judgement, frames

    def settled(self, ask: Ask, players: Sequence[Player], judgement: Judgement, frames: Sequence[Frame]) -> Round:
        """What becomes of a class's lock: who shows no throw has none, which is no foul; what it means for them the
        game says. With trouble, or no throw at all, everybody throws again."""
        del frames  # of a class nothing but the lock is kept
        people = {player.seat: player for player in players}
        thrown: dict[Seat, Value] = {seat.seat: seat.at_lock for seat in judgement.seats}
        counts = judgement.trouble is None and any(value is not None for value in thrown.values())
        sentence = said_of(judgement)
        reveal = Reveal(
            tuple(_revealed(seat, judgement.lock_frame, people[seat.seat]) for seat in judgement.seats),
            verdicts.named(sentence, {player.seat: player.name for player in players}),
            judgement.window_ns / 1e6,
        )
        zones = {seat.seat: _zone(seat, judgement.lock_frame) for seat in judgement.seats}
        body: Mapping[str, Any] = {"judgement": judged(judgement, zones), "fouls": [], "sentence": sentence}
        kept = tuple(evidence_of(judgement, self.keep_picture))
        answers = thrown if counts else None
        return Round(answers, (), reveal, judgement, body, kept, _filmed(judgement))


def said_of(judgement: Judgement) -> str:
    """What a class's lock comes to, in sentences with places for names."""
    if judgement.trouble is not None:
        return row([N("The camera gave no picture at the lock."), verdicts.THROWN_AGAIN])
    without = [seat for seat in judgement.seats if seat.at_lock is None]
    count, every = len(judgement.seats) - len(without), len(judgement.seats)
    if not count:
        return row([N("No throw was seen."), verdicts.THROWN_AGAIN])
    head = Nn("{count} throw of {every} players.", "{count} throws of {every} players.", count, every=every)
    names = verdicts.places(seat.seat for seat in without)
    parts = []
    for doubt, why in WHY.items():
        seats = [seat.seat for seat in without if seat.cause is doubt]
        if seats:
            parts.append(N("{names}: {why}.", names=listed(seats, names), why=why))
    return row([head, *parts])


def _revealed(seat: SeatVerdict, lock: Frame, player: Player) -> SeatReveal:
    there = seat.verdict is not Verdict.UNSEEN
    crop = crop_of(lock, seat.crop) if there else np.zeros((1, 1, 3), np.uint8)
    return SeatReveal(player, crop, seat.at_lock, str(seat.verdict), False, None)


def _zone(seat: SeatVerdict, lock: Frame) -> Zone:
    if seat.verdict is Verdict.UNSEEN:
        return NOWHERE
    (wide, high), box = lock.size, seat.crop
    return Zone(box.x / wide, box.y / high, box.w / wide, box.h / high)


def evidence_of(judgement: Judgement, whole: bool) -> list[Evidence]:
    """What is kept of a class's lock: ``lock.jpg``, in which only the cards are to be seen unless the ``whole`` picture
    is wanted, which then is kept at full size; and each card alone, ``seat-N.jpg``."""
    lock = judgement.lock_frame
    there = [seat for seat in judgement.seats if seat.verdict is not Verdict.UNSEEN]
    picture = lock.pixels() if whole else _cards_alone(lock, there)
    kept = [Evidence("lock.jpg", "image/jpeg", jpeg(picture))]
    for seat in there:
        kept.append(Evidence(f"seat-{seat.seat}.jpg", "image/jpeg", jpeg(scaled(lock, seat.crop, CARD_PX))))
    return kept


def _cards_alone(lock: Frame, there: Sequence[SeatVerdict]) -> Pixels:
    scale = min(1.0, LOCK_PX / max(lock.size))
    small = scaled(lock, None, LOCK_PX)
    blank = np.full_like(small, BLANK)
    for seat in there:
        box = seat.crop
        x, y = round(box.x * scale), round(box.y * scale)
        end_x, end_y = round((box.x + box.w) * scale), round((box.y + box.h) * scale)
        blank[y:end_y, x:end_x] = small[y:end_y, x:end_x]
    return blank


def _filmed(judgement: Judgement) -> Future[Film]:
    """For a dispute, in memory: the lock alone. Who had no card there is looked for in the whole picture."""
    film: Future[Film] = Future()
    film.set_result(film_of(judgement, [judgement.lock_frame]))
    return film


def class_rules(rules: Rules) -> Rules:
    """Battle with the options that a class can have: those fixed beforehand, as nobody can be asked one by one;
    set up for more than sit at a table."""
    options = []
    for option in rules.options:
        if option.name in ("teams", "changes"):
            continue
        wish = option.allowed.allows("wish")
        options.append(replace(option, allowed=YES_NO, about=option.about.partition("; wish")[0]) if wish else option)
    return replace(rules, fewest=FEWEST, options=tuple(options))
