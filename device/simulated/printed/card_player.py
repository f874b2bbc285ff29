"""Simulated people who play with printed cards: they lay a card face down, turn it over, peek at it or swap it.

place = CardPlace(-190, 0, from_deg=180)
perform(camera, lay_card(place, "1", card, clock.now_ns() + 200_000_000))
perform(camera, turn_card_over(place, "1", card, cue_ns))
"""

import math
from dataclasses import dataclass, replace

from device.simulated.printed.objects import (
    HandOverTable,
    Keyframes,
    ObjectPose,
    PrintedObject,
    PrintedSheet,
    RgbColour,
    turn_over_keyframes,
)
from device.simulated.printed.scene import PrintedCamera

MS = 1_000_000
HAND_ARRIVAL_NS = 500 * MS
"""Time a hand takes to bring a card, or to reach for it."""
HAND_LEAVE_NS = 350 * MS
"""Time a hand takes to move away from the card."""
TURN_TIME_NS = 300 * MS
"""Time to turn a card over."""
HAND_AWAY_MM = 420.0
"""Distance of a hand that is away from the table."""
GRIP_DISTANCE_MM = 36.0
"""Distance of the fingertips from the card's middle, on the player's side."""
BACK_UP_DEG = 180.0


@dataclass(frozen=True)
class CardPlace:
    """The place of a player's card on the table."""

    x: float
    """In mm."""
    y: float
    """In mm."""
    from_deg: float = 90.0
    """The direction the hand comes from; 0 is the right of the image, 90 its bottom."""
    turn_deg: float = 0.0
    """Rotation in the image, clockwise."""
    curl_mm: float = 0.0
    """How much higher the card's left and right edges are than its middle."""
    skin: RgbColour = (196, 146, 112)

    def pose(self, flip_deg: float = BACK_UP_DEG, aside_mm: float = 0.0) -> ObjectPose:
        """Return the pose of a card at this place, ``aside_mm`` to its right."""
        turn = math.radians(self.turn_deg)
        x, y = self.x + aside_mm * math.cos(turn), self.y + aside_mm * math.sin(turn)
        return ObjectPose(x, y, 0.0, self.turn_deg, flip_deg, self.curl_mm)

    def fingertips(self, away_mm: float = GRIP_DISTANCE_MM, z: float = 12.0) -> ObjectPose:
        """Return the pose of fingertips ``away_mm`` from the card's middle towards the player."""
        direction = math.radians(self.from_deg)
        return ObjectPose(self.x + away_mm * math.cos(direction), self.y + away_mm * math.sin(direction), z)


@dataclass(frozen=True)
class CardAction:
    """Moving objects, and the hands that move them."""

    objects: tuple[PrintedObject, ...] = ()
    hands: tuple[HandOverTable, ...] = ()

    def __add__(self, other: "CardAction") -> "CardAction":
        return CardAction(self.objects + other.objects, self.hands + other.hands)


def chain_actions(first: CardAction, second: CardAction) -> CardAction:
    """Join two actions in sequence; objects that both move get the keyframes of both."""
    following = {moved.name: moved for moved in second.objects}
    chained = []
    for start in first.objects:
        end = following.pop(start.name, start)
        keyframes = start.keyframes if end is start else (*start.keyframes, *end.keyframes)
        chained.append(replace(start, keyframes=keyframes, until_ns=end.until_ns))
    return CardAction((*chained, *following.values()), first.hands + second.hands)


def perform(camera: PrintedCamera, action: CardAction) -> None:
    """Perform an action in front of a camera."""
    if action.objects:
        camera.place(*action.objects)
    if action.hands:
        camera.add_hands(*action.hands)


def reach_for_card(place: CardPlace, start_ns: int, hold_ns: int, away_mm: float = GRIP_DISTANCE_MM) -> HandOverTable:
    """Return a hand that comes, stays for ``hold_ns`` and leaves."""
    arrival_ns = start_ns + HAND_ARRIVAL_NS
    far, near = place.fingertips(HAND_AWAY_MM, 60.0), place.fingertips(away_mm)
    keyframes: Keyframes = (
        (start_ns, far),
        (arrival_ns, near),
        (arrival_ns + max(hold_ns, 1), near),
        (arrival_ns + max(hold_ns, 1) + HAND_LEAVE_NS, far),
    )
    return HandOverTable(keyframes, place.from_deg, place.skin)


def lay_card(
    place: CardPlace, name: str, card: PrintedSheet, start_ns: int, flip_deg: float = BACK_UP_DEG
) -> CardAction:
    """Bring a card and put it down, face down by default."""
    rest = place.pose(flip_deg)
    far = place.fingertips(HAND_AWAY_MM - GRIP_DISTANCE_MM)
    keyframes = (
        (start_ns, ObjectPose(far.x, far.y, 25, place.turn_deg, flip_deg, place.curl_mm)),
        (start_ns + HAND_ARRIVAL_NS, rest),
    )
    return CardAction(
        (PrintedObject(name, card, keyframes, since_ns=start_ns),), (reach_for_card(place, start_ns, 80 * MS),)
    )


def turn_card_over(
    place: CardPlace, name: str, card: PrintedSheet, turned_ns: int, duration_ns: int = TURN_TIME_NS
) -> CardAction:
    """Turn the card over so that it lies face up at ``turned_ns``."""
    start_ns = turned_ns - duration_ns
    hand = reach_for_card(place, start_ns - HAND_ARRIVAL_NS, duration_ns)
    return CardAction((PrintedObject(name, card, turn_over_keyframes(start_ns, place.pose(), duration_ns)),), (hand,))


def take_card_away(place: CardPlace, name: str, card: PrintedSheet, start_ns: int, flip_deg: float = 0.0) -> CardAction:
    """Take the card off the table."""
    lift_ns = start_ns + HAND_ARRIVAL_NS
    far = place.fingertips(HAND_AWAY_MM - GRIP_DISTANCE_MM)
    gone_ns = lift_ns + HAND_LEAVE_NS
    keyframes = ((lift_ns, place.pose(flip_deg)), (gone_ns, ObjectPose(far.x, far.y, 60, place.turn_deg, flip_deg)))
    return CardAction((PrintedObject(name, card, keyframes, until_ns=gone_ns),), (reach_for_card(place, start_ns, 1),))


def peek_at_card(place: CardPlace, name: str, card: PrintedSheet, start_ns: int) -> CardAction:
    """Lift the card to look at it, and put it back slightly displaced."""
    lift_ns = start_ns + HAND_ARRIVAL_NS
    rest = place.pose()
    up = ObjectPose(rest.x, rest.y, 90, place.turn_deg + 12, 150.0)
    back = place.pose(aside_mm=9.0)
    keyframes = ((lift_ns, rest), (lift_ns + 300 * MS, up), (lift_ns + 600 * MS, back))
    return CardAction((PrintedObject(name, card, keyframes),), (reach_for_card(place, start_ns, 600 * MS),))


def swap_card(place: CardPlace, name: str, card: PrintedSheet, other: PrintedSheet, start_ns: int) -> CardAction:
    """Take the card away and lay another one face down in its place."""
    taken = take_card_away(place, name, card, start_ns, BACK_UP_DEG)
    laid = lay_card(place, f"{name} other", other, start_ns + HAND_ARRIVAL_NS + HAND_LEAVE_NS + 50 * MS)
    return taken + laid
