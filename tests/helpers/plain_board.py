"""The board game once more, written straight from the rules' text and slowly: coordinates, sets and paths, no tables.
The engine is compared with it, so it shares nothing with the engine."""

from dataclasses import dataclass, field

Spot = tuple[int, int]
STEPS = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
SPOTS = {(q, r) for q in range(-6, 7) for r in range(-6, 6) if -6 <= q + r <= 5}


def step(spot: Spot, name: str, times: int = 1) -> Spot:
    return spot[0] + STEPS[name][0] * times, spot[1] + STEPS[name][1] * times


def around(spot: Spot) -> set[Spot]:
    return {step(spot, name) for name in STEPS} & SPOTS


@dataclass
class Table:
    """A game on a table: what lies where, whose turn it is, flags lost, and who has lost."""

    lies: dict[Spot, str]
    turn: int
    flags: int = 1
    lock: str = "all"
    stuck: str = "pass"
    lost: list[int] = field(default_factory=lambda: [0, 0])
    beaten: int | None = None

    def mine(self, turn: int) -> list[Spot]:
        return [spot for spot, token in self.lies.items() if token.endswith(str(turn))]

    def moves(self, turn: int | None = None) -> set[str]:
        """Every legal move, in the notation of the engine."""
        turn = self.turn if turn is None else turn
        found = set()
        for spot in self.mine(turn):
            token = self.lies[spot]
            ends: set[Spot] = set()
            if token[0] == "R":
                ends = self.rock_ends(spot)
            elif token[0] == "S":
                ends = self.scissors_ends(spot, turn)
            elif token[0] == "P":
                ends = self.clump_ends(spot, len(token) - 1)
                for name in STEPS:
                    first = step(spot, name)
                    if len(token) > 2 and first in SPOTS and not self.is_a("S", first):
                        found.add(f"{spot[0]},{spot[1]}*{name}")
            found |= {f"{spot[0]},{spot[1]}>{q},{r}" for q, r in ends}
        return found

    def is_a(self, kind: str, spot: Spot) -> bool:
        return self.lies.get(spot, ".")[0] == kind

    def rock_ends(self, spot: Spot) -> set[Spot]:
        """Every space for which all between are on the board and empty."""
        return {
            step(spot, name, far)
            for name in STEPS
            for far in range(1, 13)
            if step(spot, name, far) in SPOTS
            and all(step(spot, name, near) in SPOTS - self.lies.keys() for near in range(1, far))
        }

    def clump_ends(self, spot: Spot, height: int) -> set[Spot]:
        return {
            step(spot, name, far)
            for name in STEPS
            for far in range(1, height + 1)
            if step(spot, name, far) in SPOTS
            and not any(self.is_a("S", step(spot, name, near)) for near in range(1, far))
        }

    def scissors_ends(self, spot: Spot, turn: int) -> set[Spot]:
        """The last spaces of all paths: three straight, or two however they bend."""
        names = list(STEPS)
        paths = [[a] for a in names] + [[a, b] for a in names for b in names] + [[a, a, a] for a in names]
        enemies = {at for at, token in self.lies.items() if token == f"S{1 - turn}"}
        partners = enemies & around(spot)
        ends = set()
        for path in paths:
            way = [spot]
            for name in path:
                way.append(step(way[-1], name))
            if way[-1] != spot and self.may_walk(way[1:], spot, enemies, partners):
                ends.add(way[-1])
        return ends

    def may_walk(self, way: list[Spot], origin: Spot, enemies: set[Spot], partners: set[Spot]) -> bool:
        for place, spot in enumerate(way):
            last = place == len(way) - 1
            if spot not in SPOTS or spot == origin or self.is_a("S", spot):
                return False
            if spot in self.lies and not last:
                return False
            if around(spot) & (enemies - partners) and not last:
                return False
            touched = partners & around(spot)
            if partners and not (touched == partners if self.lock == "all" else touched):
                return False
        return True

    def play(self, move: str) -> "Table":
        """The table after a move."""
        new = Table(dict(self.lies), 1 - self.turn, self.flags, self.lock, self.stuck, list(self.lost), self.beaten)
        if "*" in move:
            origin, name = move.split("*")
            spot = spot_of(origin)
            for far, sheet in enumerate(new.lies.pop(spot)[1:], 1):
                there = step(spot, name, far)
                if there not in SPOTS or new.is_a("S", there):
                    break
                new.drop("P" + sheet, there)
            return new
        spot, there = (spot_of(part) for part in move.split(">"))
        token = new.lies.pop(spot)
        if token[0] != "R":
            new.drop(token, there)
            return new
        (name,) = [name for name in STEPS for far in range(1, 13) if step(spot, name, far) == there]
        moving: str | None = token
        while moving and there in SPOTS:
            moving, hit = new.drop(moving, there), there
            there = step(hit, name)
            while moving and there in SPOTS and there not in new.lies:
                there = step(there, name)
        return new

    def drop(self, token: str, spot: Spot) -> str | None:
        """The token comes onto the spot; the Rock it knocks away, if it does."""
        there = self.lies.get(spot)
        pair = token[0] + (there[0] if there else ".")
        if pair in ("RP", "SR", "PS"):
            return None
        assert pair != "SS"
        self.lies[spot] = str(there) + token[1:] if pair == "PP" else token
        if pair[1] == "F" and self.beaten is None:
            owner = int(str(there)[1])
            self.lost[owner] += 1
            self.beaten = owner if self.lost[owner] == self.flags else None
        return there if pair == "RR" else None

    def count(self, depth: int) -> tuple[int, int]:
        """The sequences of so many plies, and the games that ended before: every one of them played."""
        if depth == 0:
            return 1, 0
        if self.beaten is not None:
            return 0, 1
        if moves := self.moves():
            parts = [self.play(move).count(depth - 1) for move in moves]
            return sum(leaves for leaves, _ in parts), sum(ended for _, ended in parts)
        if self.stuck == "loss" or not self.moves(1 - self.turn):
            return 0, 1
        return Table(self.lies, 1 - self.turn, self.flags, self.lock, self.stuck, self.lost).count(depth - 1)


def spot_of(text: str) -> Spot:
    q, r = text.split(",")
    return int(q), int(r)


def table_of(text: str, flags: int = 1, lock: str = "all", stuck: str = "pass") -> Table:
    """A table laid out from a position in one line."""
    lies, turn, lost = {}, 0, [0, 0]
    for part in text.split():
        if part.startswith("to-move="):
            turn = int(part[8:])
        elif part.startswith("lost="):
            lost = [int(number) for number in part[5:].split(",")]
        else:
            token, where = part.split("@")
            lies[spot_of(where)] = token
    return Table(lies, turn, flags, lock, stuck, lost)
