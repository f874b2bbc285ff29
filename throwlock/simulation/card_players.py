"""Simulated players with printed cards: they lay a card of their hand when they are asked to, turn it over at the call,
and act out every foul that the box sees."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from device.simulated.printed.camera import PrintedCamera
from device.simulated.printed.optics import Light
from device.simulated.printed.people import (
    MS,
    TURNS_NS,
    Doing,
    Place,
    do,
    joined,
    lay,
    lift,
    reach,
    swap,
    take_away,
    turn_over,
)
from device.simulated.printed.scene import Scene
from device.simulated.printed.things import Print
from device.system.clock import Clock
from rules.engine import Ask, Game, Seat
from rules.markers import Kind, Printed, of_kind
from throwlock.simulation.card_hands import CardHands
from throwlock.simulation.card_prints import print_of
from throwlock.simulation.players import SimulatedPlayers
from throwlock.simulation.scripted_fouls import ALL
from throwlock.tables.card_count import CardCount, Where
from vision.zones import Zone, spread

SHOWN = {
    "late": "the last player turns the card over long after the first",
    "early": "the last player turns the card over long before the call",
    "not-turned": "the last player does not turn the card over",
    "lifted": "the last player lifts the card once more to look at it",
    "swapped": "the last player takes the card away and lays another",
    "hidden": "the last player lays a hand on the card",
    "two-cards": "the last player lays a second card beside the first",
    "changed": "the last player lays another card once all have been turned over",
    "not-theirs": "the last player throws the first one's card, shown before",
    "wrong-deck": "the last player throws a card of another deck",
    "copy": "the last player throws a copy of the first one's card",
    "face-up": "the last player lays the card face up, and is told",
    "played": "the last player throws a card that was played before",
    "half-covered": "the last player's hand stays on the card that was turned over",
    "glare": "a lamp shines into the last player's card",
}
"""What can be shown with cards, in the order ``all`` shows it."""
CLEARS_NS = 900 * MS
"""Cards that lie there from the round before are taken up in this time."""
SCATTER_MS = (120.0, 90.0)
"""Mean and standard deviation of when after the cue a card lies face up."""
LATE_NS, EARLY_NS = 1_400 * MS, 500 * MS
"""How long after the first card a late one comes, and how long before it may an early one."""
WINDOW_NS = 1_000 * MS
SKINS = ((96, 64, 48), (198, 150, 118), (141, 96, 68), (232, 196, 170))


def read_shown(given: Sequence[str]) -> tuple[str, ...]:
    """The kinds of ``--show`` with cards, "all" spelt out. Raises ValueError with a line that lists them."""
    for kind in given:
        if kind not in (*SHOWN, ALL):
            raise ValueError(f"there is no {kind!r} to show with cards: there are {', '.join(SHOWN)}, and {ALL}")
    return tuple(one for kind in given for one in (SHOWN if kind == ALL else (kind,)))


def card_camera(clock: Clock, seed: int) -> PrintedCamera:
    """The simulated camera over a table for cards."""
    return PrintedCamera(clock, Scene(seed=seed), fps=60.0)


def places(zones: Sequence[Zone], camera: PrintedCamera) -> list[Place]:
    """Where every seat's card lies: in the middle of its zone, with the hand from the nearest side."""
    optics = camera.scene.optics
    wide, high = optics.view_mm, optics.view_mm * optics.size[1] / optics.size[0]
    found = []
    for seat, zone in enumerate(zones):
        x, y = (zone.x + zone.w / 2 - 0.5) * wide, (zone.y + zone.h / 2 - 0.5) * high
        sides = {180: -x / wide, 0: x / wide, 270: -y / high, 90: y / high}
        side = max(sides, key=lambda one: sides[one]) if len(zones) <= 2 else (270 if y < 0 else 90)
        found.append(Place(x, y, side, side - 90.0, skin=SKINS[seat % len(SKINS)]))
    return found


class SimulatedCardPlayers(SimulatedPlayers):
    """As SimulatedPlayers, with cards: all of it follows from the seed, the number of the round and the count of the
    cards."""

    def __init__(
        self,
        seed: int,
        camera: PrintedCamera,
        game: Game,
        shows: Sequence[str] = (),
        announce: Callable[[str], None] = lambda line: None,
    ) -> None:
        super().__init__(seed, announce=announce)
        self._shows = read_shown(shows)
        self._camera = camera
        self._game = game
        self._places = places(spread(game.setup.seats), camera)
        self._laid: dict[Seat, tuple[Printed, Print]] = {}
        self._forged = False
        self._lays = dict.fromkeys(range(1, game.setup.seats + 1), 0)
        self.turns_ns = TURNS_NS
        self._light: Light = camera.scene.light

    def lay_at(self, ask: Ask, seats: Sequence[Seat], count: CardCount, now_ns: int) -> None:
        """See CardPlayers: what lies there is taken up, then everybody lays a card of their hand."""
        kind = self.shown(self.throws)
        for seat in seats:
            self._lays[seat] += 1
        begins = now_ns + 50 * MS
        cleared = self._clear(seats, begins)
        hands = CardHands(self._seed, self._game, count).hands
        doing = Doing()
        for seat in seats:
            chance = self._chance(2_000_000 + self.throws + 1_000 * len(count.steps), seat)
            hand = sorted(hands[seat], key=lambda card: card.number)
            self._laid[seat] = self._chosen(hand[int(chance.integers(len(hand)))])
        if kind is not None and seats[-1] in self._laid:
            self._forge(kind, seats, count)
        for seat in seats:
            _, made = self._laid[seat]
            place, pause = self._places[seat - 1], int(self._chance(3_000_000 + self.throws, seat).integers(250)) * MS
            when = begins + pause + (CLEARS_NS if cleared else 0)
            if kind == "face-up" and seat == seats[-1]:
                up = f"{self._name(seat)} up"
                doing += joined(lay(place, up, made, when, flip=0.0), take_away(place, up, made, when + 1_200 * MS))
                when += 2_400 * MS
            doing += lay(place, self._name(seat), made, when)
        do(self._camera, doing)

    def throw_at(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int) -> None:
        """See Performers: everybody turns the card over at the call."""
        kind = self.shown(self.throws)
        doing = Doing()
        for seat in seats:
            after = self._chance(1_000_000 + self.throws, seat).normal(*SCATTER_MS)
            turned = cue_ns + round(float(np.clip(after, -60, 400))) * MS
            doing += self._turned(kind if seat == seats[-1] else None, seat, turned, cue_ns)
        if kind in ("played", "not-theirs") and not self._forged:
            self._announce(f"Asked for, but not yet to be shown ({kind}): no card lies where it would come from.")
        elif kind is not None:
            self._announce(f"Shown, as asked for ({kind}): {SHOWN[kind]}.")
        do(self._camera, doing)
        if kind == "glare":
            self._shine(self._places[seats[-1] - 1])
        self.throws += 1

    def _name(self, seat: Seat) -> str:
        """What the card is called that a seat laid last."""
        return f"card {seat} of {self._lays[seat]}"

    def _chosen(self, card: Printed) -> tuple[Printed, Print]:
        return card, print_of(card)

    def _forge(self, kind: str, seats: Sequence[Seat], count: CardCount) -> None:
        """What the last player lays instead, where that is the foul to be shown."""
        last, first = seats[-1], self._laid.get(seats[0])
        table = count.table(last)
        gone = (*count.lying(Where.PILE, table), *count.lying(Where.DISCARD, table))
        others = [m for m in count.lying(Where.HAND, table) if count.lies[table, m][1] != last]
        own = Kind.FUTURE if self._game.rules.name == "future" else Kind.CARD
        by_marker = {card.marker: card for card in of_kind(own)}
        self._forged = (kind == "played" and bool(gone)) or (kind == "not-theirs" and bool(others))
        if kind == "played" and gone:
            self._laid[last] = self._chosen(by_marker[gone[-1]])
        elif kind == "not-theirs" and others:
            self._laid[last] = self._chosen(by_marker[others[-1]])
        elif kind == "copy" and first is not None:
            self._laid[last] = first
        elif kind == "wrong-deck":
            strange = of_kind(Kind.CARD if own is Kind.FUTURE else Kind.FUTURE)[self.throws % 30]
            back = Kind.FUTURE_BACK if own is Kind.FUTURE else Kind.CARD_BACK
            self._laid[last] = (strange, print_of(strange, back))

    def _turned(self, kind: str | None, seat: Seat, turned_ns: int, cue_ns: int) -> Doing:
        """What a player does from the count on; all of it begins after the count has."""
        place, (card, made), name = self._places[seat - 1], self._laid[seat], self._name(seat)
        soon = cue_ns - WINDOW_NS - 2_000 * MS
        plainly = turn_over(place, name, made, turned_ns, self.turns_ns)
        other = print_of(next(one for one in of_kind(card.kind) if one.throw is not card.throw))
        match kind:
            case "late":
                doing = turn_over(place, name, made, turned_ns + LATE_NS)
            case "early":
                doing = turn_over(place, name, made, cue_ns - WINDOW_NS - EARLY_NS)
            case "not-turned":
                doing = Doing()
            case "lifted":
                doing = joined(lift(place, name, made, soon), turn_over(place, name, made, turned_ns))
            case "swapped":
                after = turn_over(place, f"{name} other", other, turned_ns)
                doing = joined(swap(place, name, made, other, soon), after)
            case "hidden":
                doing = plainly + Doing(reaches=(reach(place, soon, 900 * MS, away=-30.0),))
            case "two-cards":
                doing = plainly + lay(_beside(place), f"{name} second", made, soon)
            case "changed":
                doing = plainly + lay(place, f"{name} other", other, cue_ns + 900 * MS, flip=0.0)
            case "half-covered":
                doing = plainly + Doing(reaches=(reach(place, turned_ns, 2_500 * MS, away=0.0),))
            case _:
                doing = plainly
        return doing

    def _clear(self, seats: Sequence[Seat], begins_ns: int) -> bool:
        """Take up what lies before these seats. Whether anything did."""
        if self._camera.scene.light is not self._light:
            self._camera.change(replace(self._camera.scene, light=self._light))
        names = tuple(f"card {seat} " for seat in seats)
        there = [
            (thing, pose)
            for thing in self._camera.scene.things
            if thing.name.startswith(names) and (pose := thing.pose(begins_ns)) is not None
        ]
        for thing, pose in there:
            place = self._places[int(thing.name.split()[1]) - 1]
            do(self._camera, take_away(place, thing.name, thing.made, begins_ns, pose.flip))
        return bool(there)

    def _shine(self, place: Place) -> None:
        """A lamp over a card until the next is laid."""
        turn = math.radians(place.turn)
        x, y = place.x + 13.5 * math.sin(turn), place.y - 13.5 * math.cos(turn)
        self._camera.change(replace(self._camera.scene, light=replace(self._light, glare=((x, y, 45.0, 2.5),))))


def _beside(place: Place) -> Place:
    """A place for a second card."""
    return replace(place, y=place.y - 100) if place.from_deg in (0, 180) else replace(place, x=place.x - 75)
