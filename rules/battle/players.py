"""The players of Battle: their scores and streaks, the bonuses of streaks, and players joining or leaving."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rules.battle.calculator import EMPTY_TALLY, TALLY_OF_ONE, Tally
from rules.battle.events import BattleScores, PlayersChanged, Teams
from rules.engine import STOP_ANSWER, Choices, FactValue, OptionalPrompt, Prompt, Seat, Setup, TimeLimit
from rules.parallel import GameStep
from rules.throws import Outcome

SECOND_LOOK_WIN_STREAK, SECOND_LOOK_LOSS_STREAK = 5, -3
"""From this winning or losing streak on, a player sees everyone's throws before locking."""
MULTIPLIER_WIN_STREAK = 3
"""From this streak on, a round won is worth the streak − 1 points."""
BEST_THROW_LOSS_STREAK = -5
"""From this losing streak on, a player who shows nothing gets the best throw."""
TEAM_CHOICES = Choices((1, 2))
TEAM_TIME_LIMIT = TimeLimit(10)
"""For a team; after that the seat decides."""
MIN_PLAYERS = 2
"""The fewest players who begin, however many seats are to be free."""


@dataclass
class BattlePlayer:
    """A player, with their battles and rounds so far."""

    seat: Seat
    team: int
    """0 or 1."""
    health: int = 0
    score: int = 0
    streak: int = 0
    """Rounds won in a row; negative for losses."""
    battles: Tally = EMPTY_TALLY
    rounds: Tally = EMPTY_TALLY

    def has_second_look(self, active: Sequence[str]) -> bool:
        """Whether the player sees the others' throws before locking, with the ``active`` options."""
        if "classic" in active:
            return False
        return self.streak >= SECOND_LOOK_WIN_STREAK or self.streak <= SECOND_LOOK_LOSS_STREAK

    def gets_best_throw(self, active: Sequence[str]) -> bool:
        """Whether the player gets the best throw when they show nothing, with the ``active`` options."""
        return "classic" not in active and self.streak <= BEST_THROW_LOSS_STREAK

    def side(self, active: Sequence[str]) -> int:
        """Return the player's team, or 0 without Team: all are on one side."""
        return self.team if "team" in active else 0

    def record_round(self, battles: Tally, active: Sequence[str]) -> None:
        """Add a round with the ``active`` options: the streak first, then the score."""
        self.battles += battles
        self.rounds += TALLY_OF_ONE[battles.outcome]
        if battles.outcome is Outcome.WON:
            self.streak = max(self.streak, 0) + 1
            multiplied = "classic" not in active and self.streak >= MULTIPLIER_WIN_STREAK
            self.score += self.streak - 1 if multiplied else 1
        elif battles.outcome is Outcome.LOST:
            self.streak = min(self.streak, 0) - 1
            self.score -= 1


class BattlePlayers:
    """The players at the table. A seat that is free, or whose player has left, may be taken; until then it shows that
    player's last score."""

    def __init__(self, setup: Setup) -> None:
        self.all_seats = range(1, setup.seats + 1)
        self.full_health = setup.number("health")
        self._teams_chosen = setup.choice("teams") == "choose"
        self._has_teams = setup.options["team"] is not False
        self._may_change = setup.options["changes"] is True
        taken = self.all_seats[: max(MIN_PLAYERS, setup.seats - setup.number("free"))]
        self._at_table = {seat: BattlePlayer(seat, default_team(seat), self.full_health) for seat in taken}
        self._away: dict[Seat, BattlePlayer] = {}

    def __iter__(self) -> Iterator[BattlePlayer]:
        """The players in seat order."""
        return iter(self._at_table.values())

    def __len__(self) -> int:
        return len(self._at_table)

    def __getitem__(self, seat: Seat) -> BattlePlayer:
        return self._at_table[seat]

    @property
    def taken_seats(self) -> list[Seat]:
        """The seats with a player."""
        return list(self._at_table)

    @property
    def free_seats(self) -> list[Seat]:
        """The seats in which nobody has played yet."""
        return [seat for seat in self.all_seats if seat not in self._at_table and seat not in self._away]

    def with_health(self) -> list[BattlePlayer]:
        """Return the players still in under *Survivor*."""
        return [player for player in self if player.health]

    def assign_teams(self, seats: Iterable[Seat]) -> GameStep[None]:
        """Put the players in ``seats`` into the two teams, alternately or as each of them chooses."""
        newcomers = list(seats)
        if not self._has_teams or not newcomers:
            return
        if self._teams_chosen:
            answers = yield Prompt("team", dict.fromkeys(newcomers, TEAM_CHOICES), time_limit=TEAM_TIME_LIMIT)
            for seat, team in answers.items():
                self[seat].team = default_team(seat) if team is None else int(team) - 1
        yield Teams([[player.seat for player in self if player.team == team] for team in (0, 1)])

    def ask_changes(self, with_wishes: bool) -> GameStep[dict[str, list[Seat]]]:
        """Ask before a round who leaves, joins or resets (starts again as a new player), or stops. If players may not
        change, they may still stop.

        Returns the seats by choice: "leave", "reset", "join", STOP_ANSWER and, with ``with_wishes``, "wish".
        """
        changes = ("leave", "reset", *(("wish",) if with_wishes else ())) if self._may_change else ()
        taken, empty = Choices(("stay", *changes, STOP_ANSWER)), Choices(("wait", "join"))
        seats = self.all_seats if self._may_change else self.taken_seats
        answers = yield OptionalPrompt("table", {seat: taken if seat in self._at_table else empty for seat in seats})
        seats_by_choice: dict[str, list[Seat]] = {}
        for seat, choice in answers.items():
            if choice not in ("stay", "wait"):
                seats_by_choice.setdefault(str(choice), []).append(seat)
        joined, left, reset = (seats_by_choice.get(choice, []) for choice in ("join", "leave", "reset"))
        for seat in left:
            self._away[seat] = self._at_table.pop(seat)
        for seat in reset:
            self._at_table[seat] = BattlePlayer(seat, self[seat].team)
        for seat in joined:
            self._away.pop(seat, None)
            self._at_table[seat] = BattlePlayer(seat, default_team(seat))
        self._at_table = dict(sorted(self._at_table.items()))
        if joined or left or reset:
            yield PlayersChanged(joined, left, reset, self.taken_seats)
            yield self.score_event()
        yield from self.assign_teams(joined)
        return seats_by_choice

    def score_event(self) -> BattleScores:
        """Return the scores and streaks as an event, with the seats that are away or free."""
        return BattleScores(self.scores(), self.streaks(), tuple(sorted(self._away)), tuple(self.free_seats))

    def scores(self) -> dict[Seat, int]:
        """Return every seat's score, of a player who has left the last one, of a free seat 0."""
        return {seat: self._last_player(seat).score for seat in self.all_seats}

    def streaks(self) -> dict[Seat, int]:
        """Return every seat's streak, of a player who has left the last one, of a free seat 0."""
        return {seat: self._last_player(seat).streak for seat in self.all_seats}

    def _last_player(self, seat: Seat) -> BattlePlayer:
        return self._at_table.get(seat) or self._away.get(seat) or BattlePlayer(seat, default_team(seat))

    def result_details(self) -> dict[str, FactValue]:
        """Return the streaks, the rounds and battles won, lost and tied, and the seats that are away or free, if there
        are any."""
        absent = {"away": sorted(self._away), "free": self.free_seats}
        return {
            "streaks": self.streaks(),
            "rounds": {player.seat: player.rounds.as_json() for player in self},
            "battles": {player.seat: player.battles.as_json() for player in self},
            **{name: seats for name, seats in absent.items() if seats},
        }


def default_team(seat: Seat) -> int:
    """Return the team of a seat unless players choose: seats 1, 3, 5 … against 2, 4, 6 …"""
    return (seat - 1) % 2
