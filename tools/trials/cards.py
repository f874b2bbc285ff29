"""``python -m tools.trials.cards``: rounds of printed cards before the simulated camera, honest ones and every foul,
in light, perspective and blur that change with the seed; how many fouls were found, who was accused for nothing, what
was read wrong, and how far times are off. ``--docs docs/cards.md`` writes the table there."""

import argparse
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from device.simulated.printed.camera import PrintedCamera
from device.simulated.printed.optics import Light, Optics
from device.simulated.printed.people import BRINGS_NS, MS, Doing, Place, do
from device.simulated.printed.scene import Scene
from device.simulated.printed.things import Pose, Reach
from device.system.clock import JumpingClock
from rules.catalogue import find
from rules.engine import Ask, Say, Seat
from rules.throws import THROWS
from throwlock.match.house_rules import House, ThrowWith
from throwlock.simulation.card_hands import CardHands
from throwlock.simulation.card_players import SHOWN, SKINS, SimulatedCardPlayers
from throwlock.tables.card_count import CardCount
from throwlock.tables.cards import CardTable, NoHands
from throwlock.tables.hands import Round
from tools.docs.generated_sections import write_into
from ui.screen.core.display import Silent
from ui.screen.pages.views import Player
from vision.lock.verdict import Verdict
from vision.lock.void_reasons import TroubleKind
from vision.zones import spread

MARKS = "<!-- card rounds: begin -->", "<!-- card rounds: end -->"
GAME = find("redeux").set_up(2, {"play_with": "cards", "cards": "table"})
BEGINS_NS = 10_000 * MS
HONEST = ("honest", "passing arm", "shadow", "slow", "curled")
"""Rounds without a foul: plain ones, an arm that passes over a laid card, a shadow that falls on it, a card that is
turned over slowly, cards that don't lie flat."""
FOULS: dict[str, tuple[str, ...]] = {
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
    "copy": (TroubleKind.COPIES,),
    "face-up": (Verdict.ON_TIME,),
    "half-covered": (Verdict.UNREAD, Verdict.UNSEEN),
    "glare": (Verdict.UNREAD, Verdict.ON_TIME),
}
"""What a round in which the last player acts that out has to come to for them. With a copy nobody is to blame; a card
laid face up is told, and laid anew; one in glare is read right or asked for again."""


@dataclass(frozen=True)
class Trial:
    """What a round came to. ``truth`` is what each seat laid, by marker, and when its card lay face up."""

    kind: str
    thrown: Round
    truth: dict[Seat, tuple[int, int]]

    @property
    def found(self) -> bool:
        """Whether it was judged as what it was."""
        judgement = self.thrown.judgement
        if self.kind in HONEST:
            return not self.accused and judgement.trouble is None and judgement.seats[-1].verdict is Verdict.ON_TIME
        trouble = () if judgement.trouble is None else (judgement.trouble.kind,)
        wanted = FOULS[self.kind]
        return any(one in wanted for one in (judgement.seats[-1].verdict, *trouble)) and not self.accused

    @property
    def accused(self) -> int:
        """How many were blamed for nothing."""
        innocent = set(self.truth) if self.kind in (*HONEST, "face-up", "glare", "copy") else set(self.truth) - {2}
        return len(innocent & set(self.thrown.fouls))

    @property
    def wrong(self) -> int:
        """Cards read as others than lay there. Who swaps or changes cards is judged by that."""
        return sum(
            seat.card not in (None, self.truth[seat.seat][0])
            for seat in self.thrown.judgement.seats
            if not (seat.seat == 2 and self.kind in ("swapped", "changed", "two-cards"))
        )

    @property
    def off_ms(self) -> list[float]:
        """How long after its card lay face up an honest seat's face was first read."""
        return [
            (seat.shown.when_ns - self.truth[seat.seat][1]) / 1e6
            for seat in self.thrown.judgement.seats
            if seat.shown is not None and seat.verdict is Verdict.ON_TIME and self.kind in ("honest", "slow")
        ]


class Recorded(SimulatedCardPlayers):
    """Players whose cards and times are noted."""

    def placed(self, chance: np.random.Generator, curl: float) -> None:
        """Let everybody sit, and lay cards, somewhat otherwise."""
        self._places = [
            replace(
                place,
                x=place.x + chance.uniform(-35, 35),
                y=place.y + chance.uniform(-25, 25),
                turn=place.turn + chance.uniform(-20, 20),
                curl=curl,
                skin=SKINS[int(chance.integers(len(SKINS)))],
            )
            for place in self._places
        ]

    def place(self, seat: Seat) -> Place:
        """Where a seat's card lies."""
        return self._places[seat - 1]

    def truth(self, seats: Iterable[Seat], camera: PrintedCamera) -> dict[Seat, tuple[int, int]]:
        """The marker of what each seat laid, and when its last movement ended."""
        ended = {thing.name: thing.keys[-1][0] for thing in camera.scene.things}
        return {seat: (self._laid[seat][0].marker, ended.get(self._name(seat), 0)) for seat in seats}


def scene_of(chance: np.random.Generator, seed: int) -> Scene:
    """A table as cameras and rooms are."""
    tilt_x, tilt_y = chance.uniform(-10, 10, 2)
    optics = Optics(
        tilt_x=tilt_x,
        tilt_y=tilt_y,
        view_mm=chance.uniform(700, 900),
        blur_px=chance.uniform(0.4, 1.3),
        noise=chance.uniform(1, 7),
    )
    light = Light(chance.uniform(0.45, 1.05), *chance.uniform(-0.3, 0.3, 2))
    cloth = tuple(int(level) for level in chance.integers(20, 120, 3))
    return Scene(optics=optics, light=light, cloth=(cloth[0], cloth[1], cloth[2]), seed=seed)


def trial(kind: str, seed: int) -> Trial:
    """One round."""
    chance = np.random.default_rng([seed, 5])
    clock = JumpingClock()
    camera = PrintedCamera(clock, scene_of(chance, seed), fps=float(chance.choice([30.0, 60.0])))
    clock.wait_until(BEGINS_NS)
    camera.start()
    shows = (kind,) if kind in SHOWN else ()
    players = Recorded(seed, camera, GAME, shows)
    players.throws = 1
    players.placed(chance, curl=chance.uniform(4, 9) if kind == "curled" else chance.uniform(0, 2))
    house = House(throw_with=ThrowWith.CARDS)
    table = CardTable(camera, spread(2), NoHands(), Silent(), clock, house, players, game=GAME, tally=_tally(seed))
    people = (Player(1, "Ada"), Player(2, "Ben"))
    ask = Ask("place", dict.fromkeys((1, 2), THROWS))
    table.lay(ask, people)
    _meanwhile(kind, camera, players, clock.now_ns(), chance)
    thrown = table.throw(Ask("throw", dict.fromkeys((1, 2), THROWS), sealed=True), people, "Trial")
    return Trial(kind, thrown, players.truth((1, 2), camera))


def _tally(seed: int) -> CardCount:
    """A count with a round won and a tie behind it, so that cards can be played before and not theirs."""
    count = CardCount()
    for say in (Say("pairs", {"pairs": [[1, 2]]}), Say("hands", {"pair": [1, 2]})):
        count.said(say)
    hands = CardHands(seed, GAME, count).hands
    count.thrown({1: hands[1][0].marker, 2: hands[2][8].marker})
    count.said(Say("pile", {"pair": [1, 2]}))
    count.thrown({1: hands[1][1].marker, 2: hands[2][1].marker})
    return count


def _meanwhile(kind: str, camera: PrintedCamera, players: Recorded, now_ns: int, chance: np.random.Generator) -> None:
    """What goes on at the table beside the players."""
    if kind == "passing arm":
        there = players.place(2)
        begins = now_ns + 200 * MS
        keys = tuple(
            (begins + part * 300 * MS, Pose(there.x + across, there.y - 40, 120))
            for part, across in ((0, 500.0), (1, 160.0), (2, -160.0), (3, -500.0))
        )
        do(camera, Doing(reaches=(Reach(keys, from_deg=270, skin=SKINS[int(chance.integers(4))]),)))
    if kind == "shadow":
        level = camera.scene.light.level
        camera.change(replace(camera.scene, light=replace(camera.scene.light, level=level * 0.45)))
    if kind == "slow":
        players.turns_ns = BRINGS_NS + 200 * MS


def table_of(trials: Sequence[Trial]) -> Iterator[str]:
    """The table."""
    yield "| round | rounds | judged as such | accused for nothing | cards read wrong |"
    yield "| --- | --- | --- | --- | --- |"
    for kind in dict.fromkeys(one.kind for one in trials):
        some = [one for one in trials if one.kind == kind]
        found, accused, wrong = (sum(part) for part in zip(*((o.found, o.accused, o.wrong) for o in some), strict=True))
        yield f"| {kind} | {len(some)} | {found} | {accused} | {wrong} |"
    off = [ms for one in trials for ms in one.off_ms]
    between = [one.off_ms[1] - one.off_ms[0] for one in trials if len(one.off_ms) == 2]
    if len(between) > 1:
        yield ""
        yield (
            f"The face of {len(off)} honest cards was first read {statistics.mean(off):+.0f} ms on average (from "
            f"{min(off):+.0f} to {max(off):+.0f}) from when it lay flat; who of two was first, and by how much, is off "
            f"by {statistics.pstdev(between):.0f} ms (standard deviation of {len(between)} rounds)."
        )


def main(args: Sequence[str] | None = None) -> None:
    """Run and print; ``--docs`` writes the table into a page."""
    parser = argparse.ArgumentParser(description="Trials of rounds with printed cards.")
    parser.add_argument("--honest", type=int, default=16, help="rounds of each kind without a foul")
    parser.add_argument("--fouls", type=int, default=8, help="rounds of each foul")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", action="append", help="only this kind; repeat it")
    parser.add_argument("--docs", type=Path, help="the page to write the table into")
    given = parser.parse_args(args)
    trials = []
    for kind in given.kind or (*HONEST, *FOULS):
        for number in range(given.honest if kind in HONEST else given.fouls):
            one = trial(kind, given.seed + number)
            trials.append(one)
            if not one.found or one.accused or one.wrong:
                seats = [(str(seat.verdict), str(seat.cause)) for seat in one.thrown.judgement.seats]
                print(f"{kind}, seed {given.seed + number}: {seats}, {one.thrown.judgement.trouble}", flush=True)
    told = "\n".join(table_of(trials))
    print(told)
    if given.docs:
        write_into(given.docs, told, *MARKS)


if __name__ == "__main__":
    main()
