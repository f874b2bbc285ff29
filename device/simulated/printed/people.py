"""People who play with printed cards before a simulated camera: they lay a card face down, turn it over, lift it, swap
it, add another, as they are told to.

place = Place(-190, 0, from_deg=180)
do(camera, lay(place, "1", card, clock.now_ns() + 200_000_000))
do(camera, turn_over(place, "1", card, cue_ns))
"""

import math
from dataclasses import dataclass, replace

from device.simulated.printed.camera import PrintedCamera
from device.simulated.printed.things import Keys, Pose, Print, Reach, Skin, Thing, turned_over

MS = 1_000_000
BRINGS_NS = 500 * MS
"""A hand brings a card, or comes for it, in this time."""
LEAVES_NS = 350 * MS
"""A hand that has let go is away from the card in this time."""
TURNS_NS = 300 * MS
"""A card is turned over in this time."""
AWAY_MM = 420.0
"""How far off a hand is that is not over the table."""
FINGERS_MM = 36.0
"""How far from a card's middle the fingertips hold it, on the side of its player."""
BACK_UP = 180.0


@dataclass(frozen=True)
class Place:
    """Where a player's card lies, in mm of the table, and from where their hand comes (degrees, 0: the picture's right,
    90: its bottom). ``turn``: how the card is turned, in degrees; ``curl`` as in Pose."""

    x: float
    y: float
    from_deg: float = 90.0
    turn: float = 0.0
    curl: float = 0.0
    skin: Skin = (196, 146, 112)

    def pose(self, flip: float = BACK_UP, aside: float = 0.0) -> Pose:
        """The card at its place; ``aside`` mm to its right."""
        turn = math.radians(self.turn)
        x, y = self.x + aside * math.cos(turn), self.y + aside * math.sin(turn)
        return Pose(x, y, 0.0, self.turn, flip, self.curl)

    def tip(self, away: float = FINGERS_MM, z: float = 12.0) -> Pose:
        """Where fingertips are ``away`` mm from the card's middle towards the player."""
        way = math.radians(self.from_deg)
        return Pose(self.x + away * math.cos(way), self.y + away * math.sin(way), z)


@dataclass(frozen=True)
class Doing:
    """Things that move and hands that come."""

    things: tuple[Thing, ...] = ()
    reaches: tuple[Reach, ...] = ()

    def __add__(self, other: "Doing") -> "Doing":
        return Doing(self.things + other.things, self.reaches + other.reaches)


def joined(before: Doing, after: Doing) -> Doing:
    """One after the other, where the same things are moved by both."""
    later = {thing.name: thing for thing in after.things}
    both = []
    for thing in before.things:
        then = later.pop(thing.name, None)
        both.append(thing if then is None else replace(thing, keys=(*thing.keys, *then.keys), until_ns=then.until_ns))
    return Doing((*both, *later.values()), before.reaches + after.reaches)


def do(camera: PrintedCamera, doing: Doing) -> None:
    """Have it happen before a camera."""
    if doing.things:
        camera.lay(*doing.things)
    if doing.reaches:
        camera.reach(*doing.reaches)


def reach(place: Place, begins_ns: int, stays_ns: int, away: float = FINGERS_MM) -> Reach:
    """A hand that comes, stays and leaves."""
    there = begins_ns + BRINGS_NS
    far, near = place.tip(AWAY_MM, 60.0), place.tip(away)
    keys: Keys = (
        (begins_ns, far),
        (there, near),
        (there + max(stays_ns, 1), near),
        (there + max(stays_ns, 1) + LEAVES_NS, far),
    )
    return Reach(keys, place.from_deg, place.skin)


def lay(place: Place, name: str, card: Print, begins_ns: int, flip: float = BACK_UP, aside: float = 0.0) -> Doing:
    """Bring a card and put it down, back up unless ``flip`` says otherwise."""
    rest = place.pose(flip, aside)
    far = place.tip(AWAY_MM - FINGERS_MM)
    keys = ((begins_ns, Pose(far.x, far.y, 25, place.turn, flip, place.curl)), (begins_ns + BRINGS_NS, rest))
    return Doing((Thing(name, card, keys, since_ns=begins_ns),), (reach(place, begins_ns, 80 * MS),))


def turn_over(place: Place, name: str, card: Print, turned_ns: int, takes_ns: int = TURNS_NS) -> Doing:
    """Turn the card over so that it lies face up at ``turned_ns``."""
    begins = turned_ns - takes_ns
    keys = turned_over(begins, place.pose(), takes_ns)
    keys = (*keys[:-1], (turned_ns, place.pose(0.0)))
    return Doing((Thing(name, card, keys),), (reach(place, begins - BRINGS_NS, takes_ns),))


def take_away(place: Place, name: str, card: Print, begins_ns: int, flip: float = 0.0) -> Doing:
    """Take the card from the table."""
    lifts = begins_ns + BRINGS_NS
    far = place.tip(AWAY_MM - FINGERS_MM)
    gone = lifts + LEAVES_NS
    keys = ((lifts, place.pose(flip)), (gone, Pose(far.x, far.y, 60, place.turn, flip)))
    return Doing((Thing(name, card, keys, until_ns=gone),), (reach(place, begins_ns, 1),))


def lift(place: Place, name: str, card: Print, begins_ns: int) -> Doing:
    """Lift the card to look at it, and put it back a little beside where it lay."""
    lifts = begins_ns + BRINGS_NS
    rest = place.pose()
    up = Pose(rest.x, rest.y, 90, place.turn + 12, 150.0)
    back = place.pose(aside=9.0)
    keys = ((lifts, rest), (lifts + 300 * MS, up), (lifts + 600 * MS, back))
    return Doing((Thing(name, card, keys),), (reach(place, begins_ns, 600 * MS),))


def swap(place: Place, name: str, card: Print, other: Print, begins_ns: int) -> Doing:
    """Take the card away and lay another face down in its place."""
    taken = take_away(place, name, card, begins_ns, BACK_UP)
    laid = lay(place, f"{name} other", other, begins_ns + BRINGS_NS + LEAVES_NS + 50 * MS)
    return taken + laid
