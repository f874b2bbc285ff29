"""Simulated players with printed cards: they lay a card of their hand when the box waits for one, turn it over at the
cue, and can act out every foul that the box detects."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from typing_extensions import override

from device.simulated.printed.card_player import (
    MS,
    TURN_TIME_NS,
    CardAction,
    CardPlace,
    chain_actions,
    lay_card,
    peek_at_card,
    perform,
    reach_for_card,
    swap_card,
    take_card_away,
    turn_card_over,
)
from device.simulated.printed.objects import PrintedSheet, RoomLight
from device.simulated.printed.scene import PrintedCamera, PrintedScene
from device.system.clock import Clock
from rules.engine import CardLedger, Game, GameEvent, Seat
from rules.markers import MAX_SEATS, PRINTED_MARKERS, MarkerKind, PrintedMarker, markers_of_kind
from rules.throws import Throw
from throwlock.simulation.card_prints import BACK_KINDS, card_print
from throwlock.simulation.players import SimulatedPlayers
from throwlock.simulation.scripted_fouls import parse_scenarios
from throwlock.tables.card_count import CardCount, CardPile
from throwlock.tables.source import RoundRequest
from vision.cards.lock import CARD_WINDOW_NS
from vision.zones import Zone, default_zones


class CardHands(CardLedger):
    """The hands after all steps of a card count. In a game that does not track cards, each seat has some of its own."""

    def __init__(self, seed: int, game: Game, count: CardCount) -> None:
        self._rng = np.random.default_rng([seed, 11])
        self.kind = MarkerKind(game.rules.printed_cards)
        self._box = [card for card in markers_of_kind(self.kind) if card.throw is not None]
        self._deck: dict[Seat, list[PrintedMarker]] = {}
        self._discards: dict[Seat, list[PrintedMarker]] = {}
        self._last: dict[Seat, PrintedMarker] = {}
        most = min(MAX_SEATS, game.rules.max_players)
        each = min(MAX_OWN_CARDS_PER_THROW, len(self._box) // len(Throw) // most)
        self.hands = {seat: self._own_cards(seat, each) for seat in range(1, game.setup.seats + 1)}
        for step in count.steps:
            if isinstance(step, GameEvent):
                step.move_cards(self)
            else:
                for seat, marker in step.items():
                    self._last.pop(seat, None)
                    if marker is not None:
                        self._last[seat] = PRINTED_MARKERS[marker]

    @override
    def take_hands(self, pair: Sequence[Seat], each: int) -> None:
        self._deck[pair[0]], self._discards[pair[0]] = [], []
        for seat in pair:
            self.hands[seat] = self._own_cards(seat, each)  # no card twice, so one box serves all pairs
            self._last.pop(seat, None)

    @override
    def deal(self, of_each: int, hand: int) -> None:
        cards = self._cards_of_each(0, of_each)
        order = self._rng.permutation(len(cards))
        for index, seat in enumerate(self.hands):
            self.hands[seat] = [cards[int(card)] for card in order[index * hand : (index + 1) * hand]]

    @override
    def keep_shown(self, seats: Sequence[Seat]) -> None:
        self._remove_shown(seats)

    @override
    def discard_shown(self, seats: Sequence[Seat]) -> None:
        self._discards.setdefault(seats[0], []).extend(self._remove_shown(seats))

    @override
    def draw(self, pair: Sequence[Seat]) -> None:
        for seat in pair:
            self.hands[seat].append(self._deck[pair[0]].pop())

    @override
    def shuffle(self, pair: Sequence[Seat]) -> None:
        held = {card.marker for seat in pair for card in self.hands[seat]}
        cards = self._discards.get(pair[0]) or [card for card in self._box if card.marker not in held]
        self._deck[pair[0]] = [cards[index] for index in self._rng.permutation(len(cards))]
        self._discards[pair[0]] = []

    def _remove_shown(self, seats: Sequence[Seat]) -> list[PrintedMarker]:
        """Remove the cards just shown from the hands and return them."""
        shown = [self._last.pop(seat) for seat in seats if seat in self._last]
        for seat in seats:
            self.hands[seat] = [card for card in self.hands[seat] if card not in shown]
        return shown

    def _own_cards(self, seat: Seat, each: int) -> list[PrintedMarker]:
        return self._cards_of_each((seat - 1) * each, each)

    def _cards_of_each(self, first: int, count: int) -> list[PrintedMarker]:
        """Return ``count`` cards of each throw, starting at index ``first``."""
        each = len(self._box) // len(Throw)
        return [self._box[throw * each + index] for throw in range(len(Throw)) for index in range(first, first + count)]


MAX_OWN_CARDS_PER_THROW = 3
"""How many cards of each throw a seat has at most before any are dealt."""
CARD_SCENARIOS = {
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
    "face-up": "the last player lays the card face up, and the box objects",
    "played": "the last player throws a card that was played before",
    "half-covered": "the last player's hand stays on the card that was turned over",
    "glare": "a lamp shines into the last player's card",
}
"""The scenarios with cards and what happens in each, in the order of ``all``."""
CLEAR_TIME_NS = 900 * MS
"""Time in which the cards of the previous round are picked up."""
TURN_DELAY_MS = (120.0, 90.0)
"""Mean and standard deviation of the time from the cue until a card lies face up."""
LATE_BY_NS, EARLY_BY_NS = 1_400 * MS, 500 * MS
"""How long after the first card a late one turns, and how long before the window an early one does."""
COVERING_REACH_MM = 13.5
"""How far a hand that stays on a card reaches beyond the card's middle: its fingers cover half of a front's marker,
which begins 1 mm beyond the middle."""
SKIN_COLOURS = ((96, 64, 48), (198, 150, 118), (141, 96, 68), (232, 196, 170))


def card_camera(clock: Clock, seed: int) -> PrintedCamera:
    """Return the simulated camera over a card table."""
    return PrintedCamera(clock, PrintedScene(seed=seed), fps=60.0)


def card_places(zones: Sequence[Zone], camera: PrintedCamera) -> list[CardPlace]:
    """Return where each seat lays its card: the middle of its zone, reached from the nearest side of the table."""
    optics = camera.scene.optics
    wide, high = optics.view_mm, optics.view_mm * optics.size[1] / optics.size[0]
    places = []
    for seat, zone in enumerate(zones):
        x, y = (zone.x + zone.w / 2 - 0.5) * wide, (zone.y + zone.h / 2 - 0.5) * high
        sides = {180: -x / wide, 0: x / wide, 270: -y / high, 90: y / high}
        side = max(sides, key=lambda degrees: sides[degrees]) if len(zones) <= 2 else (270 if y < 0 else 90)
        places.append(CardPlace(x, y, side, side - 90.0, skin=SKIN_COLOURS[seat % len(SKIN_COLOURS)]))
    return places


class SimulatedCardPlayers(SimulatedPlayers):
    """SimulatedPlayers with printed cards; what they do follows from the seed, the number of the throw and the card
    count."""

    def __init__(
        self,
        seed: int,
        camera: PrintedCamera,
        game: Game,
        scenarios: Sequence[str] = (),
        announce: Callable[[str], None] = lambda line: None,
    ) -> None:
        super().__init__(seed, announce=announce)
        self._scenarios = parse_scenarios(scenarios, CARD_SCENARIOS)
        self._camera = camera
        self._game = game
        self._places = card_places(default_zones(game.setup.seats), camera)
        self._laid: dict[Seat, tuple[PrintedMarker, PrintedSheet]] = {}
        self._has_substituted = False
        self._lay_counts = dict.fromkeys(range(1, game.setup.seats + 1), 0)
        self.turns_ns = TURN_TIME_NS
        self._light: RoomLight = camera.scene.light

    @override
    def on_cards_wanted(self, request: RoundRequest, seats: Sequence[Seat], count: CardCount, now_ns: int) -> None:
        """Pick up the cards on the table, then lay a card of each seat's hand."""
        throw_number = request.throw_number
        kind = self.scenario_at(throw_number)
        for seat in seats:
            self._lay_counts[seat] += 1
        begins = now_ns + 50 * MS
        cleared = self._clear(seats, begins)
        hands = CardHands(self._seed, self._game, count)
        doing = CardAction()
        for seat in seats:
            chance = self._rng(2_000_000 + throw_number + 1_000 * len(count.steps), seat)
            hand = sorted(hands.hands[seat], key=lambda card: card.number)
            card = hand[int(chance.integers(len(hand)))]
            self._laid[seat] = (card, card_print(card))
        if kind is not None and seats[-1] in self._laid:
            self._substitute(kind, hands.kind, seats, count, throw_number)
        for seat in seats:
            _, made = self._laid[seat]
            place, pause = self._places[seat - 1], int(self._rng(3_000_000 + throw_number, seat).integers(250)) * MS
            when = begins + pause + (CLEAR_TIME_NS if cleared else 0)
            if kind == "face-up" and seat == seats[-1]:
                up = f"{self._card_name(seat)} up"
                doing += chain_actions(
                    lay_card(place, up, made, when, flip_deg=0.0), take_card_away(place, up, made, when + 1_200 * MS)
                )
                when += 2_400 * MS
            doing += lay_card(place, self._card_name(seat), made, when)
        perform(self._camera, doing)

    @override
    def on_count(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int, throw_number: int) -> None:
        """Have everybody turn their card over at the cue."""
        kind = self.scenario_at(throw_number)
        doing = CardAction()
        for seat in seats:
            after = self._rng(1_000_000 + throw_number, seat).normal(*TURN_DELAY_MS)
            turned = cue_ns + round(float(np.clip(after, -60, 400))) * MS
            doing += self._turn_card(kind if seat == seats[-1] else None, seat, turned, cue_ns)
        if kind in ("played", "not-theirs") and not self._has_substituted:
            self._announce(f"Scenario {kind} is skipped: it needs a card that was shown before.")
        elif kind is not None:
            self._announce(f"Scenario {kind}: {CARD_SCENARIOS[kind]}.")
        perform(self._camera, doing)
        if kind == "glare":
            self._shine(self._places[seats[-1] - 1])

    def _card_name(self, seat: Seat) -> str:
        return f"card {seat} of {self._lay_counts[seat]}"

    def _substitute(
        self, kind: str, deck: MarkerKind, seats: Sequence[Seat], count: CardCount, throw_number: int
    ) -> None:
        """Replace the last player's card if the scenario is a wrong card. ``deck`` is the game's."""
        last, first = seats[-1], self._laid.get(seats[0])
        table = count.table(last)
        shown: tuple[int, ...] = ()
        if kind == "played":
            shown = (*count.cards_in(CardPile.PILE, table), *count.cards_in(CardPile.DISCARD, table))
        elif kind == "not-theirs":
            in_hands = count.cards_in(CardPile.HAND, table)
            shown = tuple(marker for marker in in_hands if count.places[table, marker][1] != last)
        self._has_substituted = bool(shown)
        if shown:
            card = next(card for card in markers_of_kind(deck) if card.marker == shown[-1])
            self._laid[last] = (card, card_print(card))
        elif kind == "copy" and first is not None:
            self._laid[last] = first
        elif kind == "wrong-deck":
            other = MarkerKind.CARD if deck is MarkerKind.FUTURE else MarkerKind.FUTURE
            card = markers_of_kind(other)[throw_number % 30]
            self._laid[last] = (card, card_print(card, BACK_KINDS[deck]))

    def _turn_card(self, kind: str | None, seat: Seat, turned_ns: int, cue_ns: int) -> CardAction:
        """Return a player's actions from the count on; all begin after the count has begun."""
        place, (card, made), name = self._places[seat - 1], self._laid[seat], self._card_name(seat)
        soon = cue_ns - CARD_WINDOW_NS - 2_000 * MS
        plainly = turn_card_over(place, name, made, turned_ns, self.turns_ns)
        substitute = card_print(next(marker for marker in markers_of_kind(card.kind) if marker.throw is not card.throw))
        match kind:
            case "late":
                doing = turn_card_over(place, name, made, turned_ns + LATE_BY_NS)
            case "early":
                doing = turn_card_over(place, name, made, cue_ns - CARD_WINDOW_NS - EARLY_BY_NS)
            case "not-turned":
                doing = CardAction()
            case "lifted":
                doing = chain_actions(
                    peek_at_card(place, name, made, soon), turn_card_over(place, name, made, turned_ns)
                )
            case "swapped":
                after = turn_card_over(place, f"{name} other", substitute, turned_ns)
                doing = chain_actions(swap_card(place, name, made, substitute, soon), after)
            case "hidden":
                doing = plainly + CardAction(hands=(reach_for_card(place, soon, 900 * MS, away_mm=-30.0),))
            case "two-cards":
                doing = plainly + lay_card(_second_place(place), f"{name} second", made, soon)
            case "changed":
                doing = plainly + lay_card(place, f"{name} other", substitute, cue_ns + 900 * MS, flip_deg=0.0)
            case "half-covered":
                doing = plainly + CardAction(
                    hands=(reach_for_card(place, turned_ns, 2_500 * MS, away_mm=-COVERING_REACH_MM),)
                )
            case _:
                doing = plainly
        return doing

    def _clear(self, seats: Sequence[Seat], begins_ns: int) -> bool:
        """Pick up the cards of these seats. Return whether there were any."""
        if self._camera.scene.light is not self._light:
            self._camera.set_scene(replace(self._camera.scene, light=self._light))
        names = tuple(f"card {seat} " for seat in seats)
        lying = [
            (thing, pose)
            for thing in self._camera.scene.objects
            if thing.name.startswith(names) and (pose := thing.pose(begins_ns)) is not None
        ]
        for thing, pose in lying:
            place = self._places[int(thing.name.split()[1]) - 1]
            perform(self._camera, take_card_away(place, thing.name, thing.sheet, begins_ns, pose.flip_deg))
        return bool(lying)

    def _shine(self, place: CardPlace) -> None:
        """Shine a lamp on a card until the next one is laid."""
        turn = math.radians(place.turn_deg)
        x, y = place.x + 13.5 * math.sin(turn), place.y - 13.5 * math.cos(turn)
        self._camera.set_scene(replace(self._camera.scene, light=replace(self._light, glare=((x, y, 45.0, 2.5),))))


def _second_place(place: CardPlace) -> CardPlace:
    return replace(place, y=place.y - 100) if place.from_deg in (0, 180) else replace(place, x=place.x - 75)
