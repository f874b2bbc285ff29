"""A second implementation of the board game, written plainly from the rules: coordinates, sets and paths, no tables. It
shares no code with the real one, which is compared with it."""

from dataclasses import dataclass, field

Spot = tuple[int, int]
STEPS = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
SPOTS = {(q, r) for q in range(-6, 7) for r in range(-6, 6) if -6 <= q + r <= 5}


def step(spot: Spot, name: str, times: int = 1) -> Spot:
    return spot[0] + STEPS[name][0] * times, spot[1] + STEPS[name][1] * times


def neighbours(spot: Spot) -> set[Spot]:
    return {step(spot, name) for name in STEPS} & SPOTS


@dataclass
class PlainBoard:
    """A position: tokens by spot, the side to move, flags lost, and the loser."""

    tokens: dict[Spot, str]
    to_move: int
    flags: int = 1
    lock: str = "all"
    stuck: str = "pass"
    flags_lost: list[int] = field(default_factory=lambda: [0, 0])
    loser: int | None = None

    def own_spots(self, side: int) -> list[Spot]:
        return [spot for spot, token in self.tokens.items() if token.endswith(str(side))]

    def moves(self, side: int | None = None) -> set[str]:
        """Return every legal move in the game's notation."""
        side = self.to_move if side is None else side
        moves = set()
        for spot in self.own_spots(side):
            token = self.tokens[spot]
            ends: set[Spot] = set()
            if token[0] == "R":
                ends = self.rock_ends(spot)
            elif token[0] == "S":
                ends = self.scissors_ends(spot, side)
            elif token[0] == "P":
                ends = self.clump_ends(spot, len(token) - 1)
                for name in STEPS:
                    first = step(spot, name)
                    if len(token) > 2 and first in SPOTS and not self.has_kind("S", first):
                        moves.add(f"{spot[0]},{spot[1]}*{name}")
            moves |= {f"{spot[0]},{spot[1]}>{q},{r}" for q, r in ends}
        return moves

    def has_kind(self, kind: str, spot: Spot) -> bool:
        return self.tokens.get(spot, ".")[0] == kind

    def rock_ends(self, spot: Spot) -> set[Spot]:
        """Return the spots with only empty spots on the board between."""
        return {
            step(spot, name, distance)
            for name in STEPS
            for distance in range(1, 13)
            if step(spot, name, distance) in SPOTS
            and all(step(spot, name, between) in SPOTS - self.tokens.keys() for between in range(1, distance))
        }

    def clump_ends(self, spot: Spot, height: int) -> set[Spot]:
        return {
            step(spot, name, distance)
            for name in STEPS
            for distance in range(1, height + 1)
            if step(spot, name, distance) in SPOTS
            and not any(self.has_kind("S", step(spot, name, between)) for between in range(1, distance))
        }

    def scissors_ends(self, spot: Spot, side: int) -> set[Spot]:
        """Return the ends of all paths of three spots straight on or two with any turn."""
        names = list(STEPS)
        step_lists = [[a] for a in names] + [[a, b] for a in names for b in names] + [[a, a, a] for a in names]
        enemies = {enemy for enemy, token in self.tokens.items() if token == f"S{1 - side}"}
        partners = enemies & neighbours(spot)
        ends = set()
        for step_names in step_lists:
            path = [spot]
            for name in step_names:
                path.append(step(path[-1], name))
            if path[-1] != spot and self.can_walk(path[1:], spot, enemies, partners):
                ends.add(path[-1])
        return ends

    def can_walk(self, path: list[Spot], origin: Spot, enemies: set[Spot], partners: set[Spot]) -> bool:
        for index, spot in enumerate(path):
            last = index == len(path) - 1
            if spot not in SPOTS or spot == origin or self.has_kind("S", spot):
                return False
            if spot in self.tokens and not last:
                return False
            if neighbours(spot) & (enemies - partners) and not last:
                return False
            touched = partners & neighbours(spot)
            if partners and not (touched == partners if self.lock == "all" else touched):
                return False
        return True

    def play(self, move: str) -> "PlainBoard":
        """Return the position after a move."""
        new = PlainBoard(
            dict(self.tokens), 1 - self.to_move, self.flags, self.lock, self.stuck, list(self.flags_lost), self.loser
        )
        if "*" in move:
            origin, name = move.split("*")
            spot = spot_of(origin)
            for distance, sheet in enumerate(new.tokens.pop(spot)[1:], 1):
                target = step(spot, name, distance)
                if target not in SPOTS or new.has_kind("S", target):
                    break
                new.arrive("P" + sheet, target)
            return new
        spot, target = (spot_of(part) for part in move.split(">"))
        token = new.tokens.pop(spot)
        if token[0] != "R":
            new.arrive(token, target)
            return new
        (name,) = [name for name in STEPS for distance in range(1, 13) if step(spot, name, distance) == target]
        moving: str | None = token
        while moving and target in SPOTS:
            moving, hit = new.arrive(moving, target), target
            target = step(hit, name)
            while moving and target in SPOTS and target not in new.tokens:
                target = step(target, name)
        return new

    def arrive(self, token: str, spot: Spot) -> str | None:
        """Move a token onto a spot and return the Rock it knocks away, if any."""
        occupant = self.tokens.get(spot)
        pair = token[0] + (occupant[0] if occupant else ".")
        if pair in ("RP", "SR", "PS"):
            return None
        assert pair != "SS"
        self.tokens[spot] = str(occupant) + token[1:] if pair == "PP" else token
        if pair[1] == "F" and self.loser is None:
            owner = int(str(occupant)[1])
            self.flags_lost[owner] += 1
            self.loser = owner if self.flags_lost[owner] == self.flags else None
        return occupant if pair == "RR" else None

    def count(self, depth: int) -> tuple[int, int]:
        """Return the sequences of ``depth`` plies and the games that ended before, by playing all of them."""
        if depth == 0:
            return 1, 0
        if self.loser is not None:
            return 0, 1
        if moves := self.moves():
            parts = [self.play(move).count(depth - 1) for move in moves]
            return sum(leaves for leaves, _ in parts), sum(ended for _, ended in parts)
        if self.stuck == "loss" or not self.moves(1 - self.to_move):
            return 0, 1
        return PlainBoard(self.tokens, 1 - self.to_move, self.flags, self.lock, self.stuck, self.flags_lost).count(
            depth - 1
        )


def spot_of(text: str) -> Spot:
    q, r = text.split(",")
    return int(q), int(r)


def parse_plain_board(text: str, flags: int = 1, lock: str = "all", stuck: str = "pass") -> PlainBoard:
    """Return the position written as ``text``."""
    tokens, to_move, flags_lost = {}, 0, [0, 0]
    for part in text.split():
        if part.startswith("to-move="):
            to_move = int(part[8:])
        elif part.startswith("lost="):
            flags_lost = [int(number) for number in part[5:].split(",")]
        else:
            token, spot = part.split("@")
            tokens[spot_of(spot)] = token
    return PlainBoard(tokens, to_move, flags, lock, stuck, flags_lost)
