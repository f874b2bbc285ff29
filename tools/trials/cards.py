"""Judge rendered rounds with printed cards: honest ones and every foul, in light, perspective and blur that vary with
the seed.

``python -m tools.trials.cards`` prints how many fouls were found, wrong accusations, misread cards, and the error of
the times; ``--docs measurements/2026-11/printed-cards.md`` writes the table into that page."""

import argparse
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from device.simulated.printed.card_player import HAND_ARRIVAL_NS, MS, CardAction, CardPlace, perform
from device.simulated.printed.objects import HandOverTable, ObjectPose, RoomLight, TiltedCameraOptics
from device.simulated.printed.scene import PrintedCamera, PrintedScene
from device.system.clock import SimulatedClock
from rules.catalogue import find_game
from rules.engine import Seat, Value
from rules.markers import PrintedMarker
from rules.record.judgement import JudgementRecord, SeatRecord, Verdict
from rules.record.match import REFEREE
from throwlock.house_rules import HouseRules, ThrowWith
from throwlock.journal.events import Answered, RoundJudged
from throwlock.journal.journal import Event
from throwlock.replay.config import MatchConfig
from throwlock.replay.project import MatchFold
from throwlock.simulation.card_players import CARD_SCENARIOS, SKIN_COLOURS, CardHands, SimulatedCardPlayers
from throwlock.tables.card_count import count_cards
from throwlock.tables.cards import CardTable
from throwlock.tables.source import RoundRequest, ThrownRound
from tools.docs.generated_sections import add_docs_option, markdown_table, update_page
from ui.screen.core.display import NullDisplay
from ui.screen.pages.common import Player
from vision.cards.lock import CARD_WINDOW_NS
from vision.lock.reasons import VoidKind
from vision.zones import default_zones

SECTION = "card rounds"
GAME = find_game("redeux").set_up(2, {"play_with": "cards", "cards": "table"})
NAMES = ("Ada", "Ben")
START_NS = 10_000 * MS
THROWS_BEFORE = 2
"""Throws in the match before the one that is judged."""
HONEST_KINDS = ("honest", "passing arm", "shadow", "slow", "curled")
"""Rounds without a foul: nothing special, an arm that passes over a laid card, a shadow that falls on it, a card that
is turned over slowly, cards that don't lie flat."""
EXPECTED_BY_FOUL: dict[str, tuple[str, ...]] = {
    "late": (Verdict.LATE,),
    "early": (Verdict.EARLY,),
    "not-turned": (Verdict.LATE,),
    "lifted": (Verdict.LIFTED,),
    "swapped": (Verdict.LIFTED,),
    "hidden": (Verdict.LIFTED,),
    "two-cards": (Verdict.TWO_CARDS,),
    "changed": (Verdict.CHANGED, Verdict.TWO_CARDS),
    "played": (Verdict.PLAYED,),
    "not-theirs": (Verdict.NOT_THEIRS,),
    "wrong-deck": (Verdict.WRONG_DECK,),
    "copy": (VoidKind.COPIES, Verdict.NOT_THEIRS),
    "face-up": (Verdict.ON_TIME,),
    "half-covered": (Verdict.UNREAD,),
    "glare": (Verdict.UNREAD, Verdict.ON_TIME),
}
"""The right verdicts on the last player, who commits the foul, or the right reasons to void the round. A copy of a card
that the other player showed before is the last player's foul; of any other, nobody knows which one is the copy. A card
laid face up is announced and laid again; a card in glare is read correctly or thrown again, one that is half covered is
thrown again."""
BLAMELESS_KINDS = (*HONEST_KINDS, "face-up", "glare", "half-covered")
"""Rounds in which nobody commits a foul."""


@dataclass(frozen=True)
class CardTrial:
    """A judged round of printed cards."""

    kind: str
    thrown: ThrownRound
    truth: dict[Seat, tuple[int, int]]
    """By seat, the marker of its card and the time in ns when it lay face up."""

    @property
    def is_correct(self) -> bool:
        """Whether the round was judged correctly."""
        judgement = self.thrown.judgement
        if self.kind in HONEST_KINDS:
            return (
                not self.wrongly_accused
                and judgement.void_reason is None
                and all(seat.verdict is Verdict.ON_TIME for seat in judgement.seats)
            )
        results = [judgement.seats[-1].verdict, judgement.void_reason.kind if judgement.void_reason else None]
        return any(result in EXPECTED_BY_FOUL[self.kind] for result in results) and not self.wrongly_accused

    @property
    def wrongly_accused(self) -> int:
        """How many players were wrongly accused."""
        innocent = set(self.truth) if self.kind in BLAMELESS_KINDS else set(self.truth) - {2}
        return len(innocent & set(self.thrown.fouls))

    @property
    def misread_cards(self) -> int:
        """How many cards were misread, not counting those of a player who swaps or changes cards."""
        return sum(
            seat.card_marker not in (None, self.truth[seat.seat][0])
            for seat in self.thrown.judgement.seats
            if not (seat.seat == 2 and self.kind in ("swapped", "changed", "two-cards"))
        )

    @property
    def read_leads_ms(self) -> list[float]:
        """How long before it lay flat each honest card was first read, in ms."""
        return [
            (self.truth[seat.seat][1] - seat.shown.time_ns) / 1e6
            for seat in self.thrown.judgement.seats
            if seat.shown is not None and seat.verdict is Verdict.ON_TIME and self.kind in ("honest", "slow")
        ]


class RecordedCardPlayers(SimulatedCardPlayers):
    """Simulated players whose cards and times are known."""

    def vary_places(self, rng: np.random.Generator, curl: float) -> None:
        """Vary at random where everybody sits and lays cards; cards curl by ``curl`` mm."""
        self._places = [
            replace(
                place,
                x=place.x + rng.uniform(-35, 35),
                y=place.y + rng.uniform(-25, 25),
                turn_deg=place.turn_deg + rng.uniform(-20, 20),
                curl_mm=curl,
                skin=SKIN_COLOURS[int(rng.integers(len(SKIN_COLOURS)))],
            )
            for place in self._places
        ]

    def card_place(self, seat: Seat) -> CardPlace:
        """Return where a seat's card lies."""
        return self._places[seat - 1]

    def ground_truth(self, seats: Iterable[Seat], camera: PrintedCamera) -> dict[Seat, tuple[int, int]]:
        """Return, by seat, the marker of its card and the time in ns when the card came to rest."""
        rest_ns = {each.name: each.keyframes[-1][0] for each in camera.scene.objects}
        return {seat: (self._laid[seat][0].marker, rest_ns.get(self._card_name(seat), 0)) for seat in seats}


class StartedMatch:
    """A match between simulated players after a round won and a tie, so that a card can be already played or not the
    player's own."""

    def __init__(self, seed: int) -> None:
        start = MatchConfig(GAME, NAMES, HouseRules(throw_with=ThrowWith.CARDS)).start_event()
        self._fold = MatchFold(Event(1, 1, "", start, "", "", NAMES), REFEREE)
        self._event_count = 1
        hands = CardHands(seed, GAME, count_cards(self._fold.view.steps)).hands
        won, tied = {1: hands[1][0], 2: hands[2][8]}, {1: hands[1][1], 2: hands[2][1]}
        for cards in (won, tied):
            self.answer(Answered(prompt="place", answers=dict.fromkeys(cards, "down")))
            self.answer(_judged_round(cards))

    def answer(self, body: Answered | RoundJudged) -> None:
        """Add the event of answers that count."""
        self._event_count += 1
        self._fold.add(Event(self._event_count, 1, "", body, "", ""))

    def request(self) -> RoundRequest:
        """Return the request for the prompt that comes next."""
        match, players = self._fold.view, tuple(Player(seat, name) for seat, name in enumerate(NAMES, 1))
        assert match.prompt is not None
        return RoundRequest(match.prompt, players, match.steps, self._event_count, THROWS_BEFORE, "Trial")


def _judged_round(cards: Mapping[Seat, PrintedMarker]) -> RoundJudged:
    """Return the event of a round in which everybody showed a card at the cue."""
    answers: dict[Seat, Value] = {seat: str(card.throw) for seat, card in cards.items()}
    seats = {
        seat: SeatRecord.model_validate(
            {
                "verdict": "on time",
                "throw": answers[seat],
                "at_lock": answers[seat],
                "shown_ms": 0.0,
                "uncertainty_ms": 0.0,
                "after_lock": None,
                "cause": None,
                "entered_zone": None,
                "inferences": 1,
                "card": card.marker,
                "zone": (0.0, 0.0, 0.5, 1.0),
            }
        )
        for seat, card in cards.items()
    }
    window_ms = CARD_WINDOW_NS / 1e6
    judgement = JudgementRecord(
        first_shown_ms=0.0,
        lock_ms=window_ms,
        window_ms=window_ms,
        lock_frame_ms=window_ms,
        void_reason=None,
        seats=seats,
    )
    return RoundJudged(prompt="throw", judgement=judgement, fouls=(), text="", answers=answers)


def make_scene(rng: np.random.Generator, seed: int) -> PrintedScene:
    """Draw a scene at random: camera tilt and distance, blur, noise, light and cloth."""
    tilt_x, tilt_y = rng.uniform(-10, 10, 2)
    optics = TiltedCameraOptics(
        tilt_x=tilt_x,
        tilt_y=tilt_y,
        view_mm=rng.uniform(700, 900),
        blur_px=rng.uniform(0.4, 1.3),
        noise=rng.uniform(1, 7),
    )
    light = RoomLight(rng.uniform(0.45, 1.05), *rng.uniform(-0.3, 0.3, 2))
    cloth = tuple(int(level) for level in rng.integers(20, 120, 3))
    return PrintedScene(optics=optics, light=light, cloth=(cloth[0], cloth[1], cloth[2]), seed=seed)


def run_trial(kind: str, seed: int) -> CardTrial:
    """Play and judge a round of a kind."""
    rng = np.random.default_rng([seed, 5])
    clock = SimulatedClock()
    camera = PrintedCamera(clock, make_scene(rng, seed), fps=float(rng.choice([30.0, 60.0])))
    clock.wait_until(START_NS)
    camera.start()
    shows = (kind,) * THROWS_BEFORE if kind in CARD_SCENARIOS else ()
    players = RecordedCardPlayers(seed, camera, GAME, shows)
    players.vary_places(rng, curl=rng.uniform(4, 9) if kind == "curled" else rng.uniform(0, 2))
    house = HouseRules(throw_with=ThrowWith.CARDS)
    table = CardTable(
        camera=camera,
        zones=default_zones(2),
        display=NullDisplay(),
        clock=clock,
        house_rules=house,
        listener=players,
        game=GAME,
    )
    match = StartedMatch(seed)
    match.answer(Answered(prompt="place", answers=dict(table.play(match.request()).answers or {})))
    _disturb(kind, camera, players, clock.now_ns(), rng)
    thrown = table.play(match.request()).thrown
    assert thrown is not None
    return CardTrial(kind, thrown, players.ground_truth((1, 2), camera))


def _disturb(
    kind: str, camera: PrintedCamera, players: RecordedCardPlayers, now_ns: int, rng: np.random.Generator
) -> None:
    """Add the disturbance of an honest kind: an arm, a shadow, or a slow hand."""
    if kind == "passing arm":
        place = players.card_place(2)
        begin_ns = now_ns + 200 * MS
        keys = tuple(
            (begin_ns + step * 300 * MS, ObjectPose(place.x + across, place.y - 40, 120))
            for step, across in enumerate((500.0, 160.0, -160.0, -500.0))
        )
        perform(camera, CardAction(hands=(HandOverTable(keys, from_deg=270, skin=SKIN_COLOURS[int(rng.integers(4))]),)))
    if kind == "shadow":
        level = camera.scene.light.level
        camera.set_scene(replace(camera.scene, light=replace(camera.scene.light, level=level * 0.45)))
    if kind == "slow":
        players.turns_ns = HAND_ARRIVAL_NS + 200 * MS


def result_table(trials: Sequence[CardTrial]) -> str:
    """Return the table of results by kind, and a sentence about the times."""
    rows = []
    for kind in dict.fromkeys(trial.kind for trial in trials):
        same = [trial for trial in trials if trial.kind == kind]
        results = zip(*((t.is_correct, t.wrongly_accused, t.misread_cards) for t in same), strict=True)
        rows.append((kind, len(same), *map(sum, results)))
    text = markdown_table(("round", "rounds", "judged correctly", "wrongly accused", "cards misread"), rows)
    leads = [ms for trial in trials for ms in trial.read_leads_ms]
    gaps = [trial.read_leads_ms[1] - trial.read_leads_ms[0] for trial in trials if len(trial.read_leads_ms) == 2]
    if len(gaps) > 1:
        text += (
            f"\n\nThe faces of {len(leads)} honest cards were first read {statistics.mean(leads):.0f} ms before they "
            f"lay flat, on average (from {min(leads):.0f} to {max(leads):.0f}). The time between two players' "
            f"cards has an error of {statistics.pstdev(gaps):.0f} ms (standard deviation, {len(gaps)} rounds)."
        )
    return text


def main(args: Sequence[str] | None = None) -> None:
    """Print rounds judged wrong and the table, and write it into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.trials.cards", description=__doc__)
    parser.add_argument("--honest", type=int, default=16, help="rounds of each kind without a foul (default 16)")
    parser.add_argument("--fouls", type=int, default=8, help="rounds of each foul (default 8)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first round (default 0)")
    parser.add_argument(
        "--kind", action="append", choices=(*HONEST_KINDS, *EXPECTED_BY_FOUL), help="only this kind; can be repeated"
    )
    add_docs_option(parser)
    options = parser.parse_args(args)
    trials = []
    for kind in options.kind or (*HONEST_KINDS, *EXPECTED_BY_FOUL):
        for number in range(options.honest if kind in HONEST_KINDS else options.fouls):
            trial = run_trial(kind, options.seed + number)
            trials.append(trial)
            if not trial.is_correct or trial.wrongly_accused or trial.misread_cards:
                seats = [(str(seat.verdict), str(seat.cause)) for seat in trial.thrown.judgement.seats]
                print(
                    f"{kind}, seed {options.seed + number}: {seats}, {trial.thrown.judgement.void_reason}", flush=True
                )
    text = result_table(trials)
    print(text)
    if options.docs:
        update_page(options.docs, {SECTION: text})


if __name__ == "__main__":
    main()
