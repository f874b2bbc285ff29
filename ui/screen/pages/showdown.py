"""A showdown: what each player claimed, the cards turned over one after the other, and what comes of the pot. Computed
from a game's events. Pure: no surface, no clock."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from typing_extensions import override

from messages import N, join
from rules.engine import GameEvent, Json, Seat
from rules.future.events import NobodyWins, PotTaken, PotWon, Revealed, TurnBegins
from rules.throws import Throw
from ui.screen.pages.common import GO_ON_ANSWER, Player
from ui.screen.views import Press, Reply, TimedView
from ui.text.verdicts import event_sentences

SHOWDOWN_EVENTS = (Revealed, PotTaken)
"""The events with which a showdown begins: all cards are turned over, or the last player takes the pot without
showing."""
OPENING_S = 1.4
"""The time before the first card turns: the claims are read again."""
CARD_S = 2.0
"""From one card to the next: it turns, and its sentence of some seven words is read."""
TURN_S = 0.5
"""The time a card takes to turn."""
COMPARISON_S = 1.6
"""The time in which everybody sees which card beats which."""
POT_S = 1.4
"""The time in which the pot moves."""


@dataclass(frozen=True)
class ShowdownCard:
    """A player's card in a showdown."""

    player: Player
    """With the chips after the showdown."""
    claim: Throw | None
    """What they claimed it to be."""
    card: Throw | None
    """What it is; ``None`` is a card that doesn't count."""
    bluff: bool
    """Whether it is something else than claimed."""
    won: int
    """The chips they win."""
    sentence: str
    """What is said of the card once it is turned."""


@dataclass(frozen=True)
class Showdown(TimedView):
    """A showdown, as it goes on while it is shown. Answered with GO_ON_ANSWER, or nothing once the time has run out, or
    with DISPUTE_ANSWER or UNDO_ANSWER where people ``can_dispute`` or ``can_undo``."""

    cards: tuple[ShowdownCard, ...]
    """In the order in which they are turned."""
    opening: str
    """What happened just before, in a sentence."""
    comparison: str | None
    """Which card beats which, in a sentence."""
    outcome: str
    """What comes of the pot, in a sentence."""
    pot: int
    """The chips in the pot before."""
    stays: int
    """The chips that stay in it."""
    stays_hidden: bool = False
    """Whether the cards are never turned."""
    was_turned: bool = False
    """Whether the cards were turned before; then their claims alone are gone through."""
    can_dispute: bool = False
    can_undo: bool = False
    finished: bool = False
    """Whether everything is shown at once, because people touched "show all" or have seen it."""
    moved_s: float | None = None
    """The time of the newest movement so far: as long as it stays the same, nothing moves. ``None``: all is over."""

    @property
    def _comparison_s(self) -> float:
        return OPENING_S + (0.0 if self.stays_hidden else CARD_S * len(self.cards))

    @property
    def _pot_s(self) -> float:
        """When the pot begins to move."""
        return self._comparison_s + (COMPARISON_S if self.comparison is not None else 0.0)

    @property
    def whole_animation_s(self) -> float:
        """The time after which everything is shown."""
        return self._pot_s + POT_S

    @property
    @override
    def animation_s(self) -> float:
        return 0.0 if self.finished else self.whole_animation_s

    @override
    def at_time(self, seconds: float) -> Self:
        cards = 0 if self.stays_hidden else len(self.cards)
        movements = [(self._turn_s(index), self._turn_s(index) + TURN_S) for index in range(cards)]
        movements += [(self._comparison_s, self._comparison_s), (self._pot_s, self._pot_s + POT_S)]
        moved = max((min(seconds, end) for start, end in movements if start <= seconds), default=0.0)
        return replace(super().at_time(seconds), moved_s=moved)

    @override
    def press(self, target: Press) -> Press:
        """A touch on "go on" before everything is shown only shows the rest."""
        if target == Reply(GO_ON_ANSWER) and not self.finished:
            return replace(self, finished=True)
        return super().press(target)

    @override
    def with_seconds_left(self, seconds: float) -> Self:
        passed = (self.seconds_left or 0.0) - seconds
        return replace(self, finished=True) if not self.finished and passed >= self.whole_animation_s else self

    @property
    def _now_s(self) -> float:
        return self.whole_animation_s if self.finished or self.moved_s is None else self.moved_s

    def turned_share(self, index: int) -> float:
        """Return how far a card is turned: 0 face down, 1 face up."""
        if self.stays_hidden:
            return 0.0
        return 1.0 if self.was_turned else self._share(self._turn_s(index), TURN_S)

    def is_judged(self, index: int) -> bool:
        """Whether everybody sees a card and whether its claim was true."""
        return not self.stays_hidden and self._now_s >= self._turn_s(index) + TURN_S

    def _turn_s(self, index: int) -> float:
        """Return when a card begins to turn."""
        return OPENING_S + CARD_S * index

    def _share(self, start_s: float, length_s: float) -> float:
        """Return how much of a movement is over, from 0 to 1."""
        if self._now_s >= start_s + length_s:
            return 1.0
        return max(0.0, (self._now_s - start_s) / length_s)

    @property
    def is_compared(self) -> bool:
        """Whether the winners are known."""
        return self._now_s >= self._comparison_s

    @property
    def pot_share(self) -> float:
        """How much of the pot has moved, from 0 to 1."""
        return self._share(self._pot_s, POT_S)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that win chips, once everybody knows."""
        return tuple(card.player.seat for card in self.cards if card.won) if self.is_compared else ()

    @property
    def sentence(self) -> str:
        """What is said now."""
        if self._now_s >= self._pot_s:
            return self.outcome
        if self.is_compared and self.comparison is not None:
            return self.comparison
        judged = [card.sentence for index, card in enumerate(self.cards) if self.is_judged(index)]
        return judged[-1] if judged else self.opening


def split_showdown(events: Sequence[GameEvent]) -> tuple[Sequence[GameEvent], Sequence[GameEvent]]:
    """Return the ``events`` up to the end of the showdown among them (none, if there is no showdown), and the rest,
    from the next turn on."""
    begins = next((index for index, event in enumerate(events) if isinstance(event, SHOWDOWN_EVENTS)), None)
    if begins is None:
        return (), events
    turns = (index for index, event in enumerate(events) if index > begins and isinstance(event, TurnBegins))
    ends = next(turns, len(events))
    return events[:ends], events[ends:]


def showdown_from_events(events: Sequence[GameEvent], players: Sequence[Player], *, turned: bool) -> Showdown:
    """Return the showdown of ``events``, the first part of ``split_showdown``. The ``players`` are as they are after
    it; ``turned``: they have turned printed cards over already."""
    names = {player.seat: player.name for player in players}
    by_seat = {player.seat: player for player in players}
    at = next(index for index, event in enumerate(events) if isinstance(event, SHOWDOWN_EVENTS))
    revealed = next((event for event in events if isinstance(event, Revealed)), None)
    last = next(event for event in events if isinstance(event, PotWon | NobodyWins | PotTaken))
    won, stays = _share_pot(last)
    throws = revealed.throws if revealed else dict.fromkeys(won)
    cards = tuple(
        ShowdownCard(
            by_seat[seat],
            _throw(next((fact.value for fact in by_seat[seat].facts if fact.name == "claims"), None)),
            throw,
            revealed is not None and seat in revealed.bluffs,
            won.get(seat, 0),
            "" if revealed is None else join(event_sentences(replace(revealed, throws={seat: throw}), names)),
        )
        for seat, throw in throws.items()
    )
    return Showdown(
        cards,
        join([line for event in events[:at] for line in event_sentences(event, names)]) if at else TITLE,
        comparison([card.card for card in cards]) if revealed else None,
        join(event_sentences(last, names)),
        sum(won.values()) + stays,
        stays,
        stays_hidden=revealed is None,
        was_turned=turned,
    )


def _throw(fact: Json) -> Throw | None:
    return Throw(str(fact)) if fact else None


def _share_pot(event: PotWon | NobodyWins | PotTaken) -> tuple[dict[Seat, int], int]:
    """Return the chips that each winner gets, and those that stay in the pot."""
    match event:
        case PotTaken(seat=seat, chips=chips):
            return {seat: chips}, 0
        case PotWon(seats=seats, each=each, stays=stays):
            return dict.fromkeys(seats, each), stays
        case NobodyWins(pot=pot):
            return {}, pot


TITLE = N("Showdown")
TRUE_CLAIM = N("True", "a claim")
BLUFF = N("BLUFF")
SHOW_ALL = N("Show all")
BEATS: Mapping[Throw, str] = {
    Throw.ROCK: N("Rock beats scissors."),
    Throw.PAPER: N("Paper beats rock."),
    Throw.SCISSORS: N("Scissors beat paper."),
}
ALL_KINDS = N("Rock, paper and scissors: nobody beats everybody.")
ONE_KIND = N("All cards are the same.")


def comparison(cards: Collection[Throw | None]) -> str | None:
    """Return which kind of card beats which, in a sentence; None where a single one is left to compare."""
    kinds = {card for card in cards if card is not None}
    if len(kinds) == len(Throw):
        return ALL_KINDS
    if len(kinds) == 1:
        return ONE_KIND if len(cards) > 1 and None not in cards else None
    return next((BEATS[kind] for kind in Throw if kind in kinds and any(kind.beats(rival) for rival in kinds)), None)
