"""Who plays Battle: every player's counters, the bonuses of their streaks, and who comes and goes between rounds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rules.battle.calculator import NOTHING, ONE, Outcome, Tally
from rules.engine import Ask, Choices, Json, Say, Seat, Setup, Span, said_scores
from rules.parallel import Part

SEES_FROM, SEES_BELOW = 5, -3
"""With a streak of at least the one or at most the other, a player sees everyone's throws before locking."""
MULTIPLIED_FROM = 3
"""From this streak on a round won is worth the streak − 1."""
HELPED_BELOW = -5
"""With at most this streak the box makes the best throw for a player who shows nothing."""
CHANGE_SECONDS = 10
"""Time to leave, join, reset or choose a team; who lets it pass goes on as before."""


@dataclass
class Player:
    """A player's team (0 or 1) and counters. A fresh player has none of anything."""

    seat: Seat
    team: int
    health: int = 0
    score: int = 0
    streak: int = 0
    battles: Tally = NOTHING
    rounds: Tally = NOTHING

    def sees(self, on: Sequence[str]) -> bool:
        """Whether this player sees the others' throws before locking, with the options ``on``."""
        return "classic" not in on and (self.streak >= SEES_FROM or self.streak <= SEES_BELOW)

    def helped(self, on: Sequence[str]) -> bool:
        """Whether the box makes this player's best throw where they show nothing, with the options ``on``."""
        return "classic" not in on and self.streak <= HELPED_BELOW

    def side(self, on: Sequence[str]) -> int:
        """On which side this player battles: without Team there is only one."""
        return self.team if "team" in on else 0

    def take(self, battles: Tally, on: Sequence[str]) -> None:
        """Count a round with the options ``on``: the streak first, then the score."""
        self.battles += battles
        self.rounds += ONE[battles.outcome]
        if battles.outcome is Outcome.WIN:
            self.streak = max(self.streak, 0) + 1
            multiplied = "classic" not in on and self.streak >= MULTIPLIED_FROM
            self.score += self.streak - 1 if multiplied else 1
        elif battles.outcome is Outcome.LOSS:
            self.streak = min(self.streak, 0) - 1
            self.score -= 1


class Players:
    """Everybody at the table. Its chairs are the game's seats; one whose player has left may be taken again."""

    def __init__(self, setup: Setup) -> None:
        self.chairs = range(1, setup.seats + 1)
        self.full_health = setup.number("health")
        self._choose = setup.word("teams") == "choose"
        self._teams = setup.options["team"] is not False
        self._at_table = {seat: Player(seat, team_of(seat), self.full_health) for seat in self.chairs}

    def __iter__(self) -> Iterator[Player]:
        """The players in seat order."""
        return iter(self._at_table.values())

    def __len__(self) -> int:
        return len(self._at_table)

    def __getitem__(self, seat: Seat) -> Player:
        return self._at_table[seat]

    @property
    def seats(self) -> list[Seat]:
        """The seats taken."""
        return list(self._at_table)

    def with_health(self) -> list[Player]:
        """Who is in under *Survivor*."""
        return [player for player in self if player.health]

    def make_teams(self, seats: Iterable[Seat]) -> Part[None]:
        """Put the players in ``seats`` into the two teams: seats in turn, or as each of them chooses."""
        newcomers = list(seats)
        if not self._teams or not newcomers:
            return
        if self._choose:
            answers = yield Ask("team", dict.fromkeys(newcomers, Span(1, 2)), seconds=CHANGE_SECONDS)
            for seat, team in answers.items():
                self[seat].team = team_of(seat) if team is None else int(team) - 1
        yield Say("teams", {"teams": [[player.seat for player in self if player.team == team] for team in (0, 1)]})

    def change(self, wishes: bool) -> Part[dict[str, list[Seat]]]:
        """Between rounds: everybody may leave, or reset, which makes a fresh player of them; an empty chair may be
        taken, by a fresh player too. Gives who did what: "leave", "reset", "join", and with ``wishes`` "wish"."""
        here = Choices(("stay", "leave", "reset", *(("wish",) if wishes else ())))
        empty = Choices(("wait", "join"))
        answers = yield Ask(
            "table", {seat: here if seat in self._at_table else empty for seat in self.chairs}, seconds=CHANGE_SECONDS
        )
        done: dict[str, list[Seat]] = {}
        for seat, word in answers.items():
            done.setdefault(str(word), []).append(seat)
        joined, left, reset = (done.get(word, []) for word in ("join", "leave", "reset"))
        for seat in left:
            del self._at_table[seat]
        for seat in reset:
            self._at_table[seat] = Player(seat, self[seat].team)
        self._at_table |= {seat: Player(seat, team_of(seat)) for seat in joined}
        self._at_table = dict(sorted(self._at_table.items()))
        if joined or left or reset:
            yield Say("table", {"joined": joined, "left": left, "reset": reset, "players": self.seats})
            yield self.said()
        yield from self.make_teams(joined)
        return done

    def said(self) -> Say:
        """The scores and streaks. An empty chair has none of either."""
        return said_scores(self.scores(), streaks=self.streaks())

    def scores(self) -> dict[Seat, int]:
        """Everybody's score; 0 for an empty chair."""
        return {seat: self[seat].score if seat in self._at_table else 0 for seat in self.chairs}

    def streaks(self) -> dict[str, Json]:
        """Everybody's streak; 0 for an empty chair."""
        return {str(seat): self[seat].streak if seat in self._at_table else 0 for seat in self.chairs}

    def counters(self) -> dict[str, Json]:
        """What else is counted, for the result: streaks, and rounds and battles won, lost and tied."""
        return {
            "streaks": self.streaks(),
            "rounds": {str(player.seat): player.rounds.as_json() for player in self},
            "battles": {str(player.seat): player.battles.as_json() for player in self},
        }


def team_of(seat: Seat) -> int:
    """The team of a seat where teams are not chosen: seats 1, 3, 5 … against 2, 4, 6 …"""
    return (seat - 1) % 2
