"""A fake archive for the tests of the players' and classroom pages: a class of five with plausible lateness, one of
them sometimes late and one forgotten."""

import random
from collections.abc import Sequence
from dataclasses import replace

from messages import LazyText
from rules.record.round import PlayerLink, RoundView
from rules.record.seat_entry import SeatEntry
from rules.throws import Outcome, Throw
from tests.helpers.seat_entries import make_entry
from tests.helpers.web_archive import ADA, BEN, CY, FORGOTTEN, FakeArchive, judge_seats, make_seat, sample_rounds
from throwlock.review.statistics.throws import measure_throws
from ui.web.views import Classroom, HeadToHead, MatchFilter, PlayerLine, PlayerPage

DEE = PlayerLink("d" * 16, "Dee Longname-Featherstonehaugh")
CLASS = (ADA, BEN, CY, DEE, FORGOTTEN)


def sample_lateness(count: int, seed: int = 5, window_ms: float = 150.0) -> tuple[SeatEntry, ...]:
    """Return ``count`` throws in rounds of all five, reproducible by ``seed``."""
    dice, made = random.Random(seed), []
    for event in range(-(-count // len(CLASS))):
        shown = [dice.gauss(40, 25) + 14 * (player is CY) for player in CLASS]
        if dice.random() < 0.12:
            shown[1] += dice.uniform(180, 620)
        if dice.random() < 0.02:
            shown[0] -= 400
        first = min(at for at in shown if at > -200)
        for player, at in zip(CLASS, shown, strict=True):
            after = round(at - first, 1)
            verdict = "late" if after > window_ms else "early" if after < 0 else "on time"
            if verdict == "on time" and dice.random() < 0.02:
                verdict = "changed"
            day = 1 + event // 12
            when = f"2026-{1 + day // 28 % 12:02}-{1 + day % 28:02}T10:{event % 12 * 5:02}:00+00:00"
            made.append(
                make_entry(
                    match=1 + event // 4,
                    event=event,
                    at=when,
                    after_first_ms=after,
                    verdict=verdict,
                    player=player,
                    window_ms=window_ms,
                )
            )
    return tuple(made[:count])


def late_winning_round() -> RoundView:
    """Return a round of three in which a late hand would have beaten both others."""
    others = (make_seat(1, ADA, Throw.ROCK, 0.0), make_seat(3, CY, Throw.ROCK, 37.0))
    late = make_seat(2, BEN, None, 331.0, verdict="late", is_foul=True, at_lock=Throw.ROCK, after_lock=Throw.PAPER)
    seats = (others[0], late, others[1])
    return replace(sample_rounds()[0], event=77, seats=seats, judgement=judge_seats(seats))


class FakeClassArchive(FakeArchive):
    """The archive of the class, with ``throws`` timed throws."""

    def __init__(self, throws: int = 200, window_ms: float = 150.0) -> None:
        super().__init__()
        self.throws = sample_lateness(throws, window_ms=window_ms)
        self.left: tuple[LazyText, ...] = ()

    def players(self) -> Sequence[PlayerLine]:
        return [] if not self.throws else [self._line(player) for player in CLASS if player.key is not None]

    def _line(self, player: PlayerLink) -> PlayerLine:
        own = [one for one in self.throws if one.player == player]
        fouls = sum(one.verdict != "on time" for one in own)
        return PlayerLine(player, 12, 5, len(own), fouls, own[-1].at if own else "")

    def player(self, key: str) -> PlayerPage:
        line = next((line for line in self.players() if line.player.key == key), None)
        if line is None:
            return super().player(key)
        own = [one for one in self.throws if one.player == line.player]
        verdicts: dict[str, int] = {}
        for one in own:
            verdicts[one.verdict] = verdicts.get(one.verdict, 0) + 1
        dice = random.Random(key)
        kinds, outcomes = list(Throw), list(Outcome)
        rounds = [
            replace(entry, throw=dice.choice(kinds), outcome=dice.choice(outcomes), on_time_ms=entry.lateness_ms + 20)
            for entry in own
        ]
        figures, matches = measure_throws(rounds), tuple(self.matches(MatchFilter(player=key)))
        against = (HeadToHead(BEN, 7, 3, 2, 11, 9, 5), HeadToHead(CY, 5, 2, 2))
        return PlayerPage(line, figures, verdicts, 2, 4, tuple(own[-500:]), against, matches)

    def classroom(self, day: str | None = None, match: int | None = None) -> Classroom:
        late, changed = (sum(one.verdict == verdict for one in self.throws) for verdict in ("late", "changed"))
        return Classroom(
            rounds=len({one.event for one in self.throws}),
            throws=len(self.throws),
            late=late,
            changed=changed,
            would_have_won=late // 2,
            lateness=self.throws[-2000:],
            examples=(late_winning_round(),) if late else (),
            matches=len({one.match for one in self.throws}),
        )

    def forget(self, key: str) -> Sequence[LazyText]:
        self.player(key)
        self.throws = tuple(
            replace(entry, player=FORGOTTEN) if entry.player.key == key else entry for entry in self.throws
        )
        return self.left
