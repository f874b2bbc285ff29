"""The audience: guests without a seat guess who wins the next round, and send reactions. It only hears what everybody
sees, and nothing comes back from it to the match or its journal."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from messages import N
from rules.engine import Seat
from rules.throws import Outcome
from ui.screen.pages.countdown import Countdown, Judging
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.guests import Guesser, Guest
from ui.screen.pages.message import GameMessage
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.showdown import Showdown
from ui.screen.views import TimedView, View

NOBODY = 0
"""The guess that nobody wins the round, in place of a seat."""
REACTIONS = {"heart": N("Lovely"), "star": N("Bravo"), "flame": N("Hot"), "burst": N("Ouch"), "doubt": N("What?")}
"""The icons that can be sent, with what each says."""
LISTED_GUESSERS = 10


@dataclass(frozen=True)
class AudienceState:
    """What one of the audience sees of it."""

    has_rounds: bool = False
    """Whether anybody wins rounds in this game."""
    is_open: bool = False
    """Whether guesses of the next round are taken."""
    is_over: bool = False
    """Whether the last round is decided: there is nothing to guess any more."""
    throwing: frozenset[Seat] = frozenset()
    """The seats that throw in the next round; none: everybody, or it is not known yet."""
    guess: Seat | None = None
    """Their own guess of it, or NOBODY; None: none yet."""
    was_right: bool | None = None
    """Whether their guess of the last round was right; None without one."""
    reactions: Mapping[str, int] = field(default_factory=dict)
    """How often each icon was sent since the last round was decided."""
    table: tuple[Guesser, ...] = ()
    """The best guessers, the first one first."""


class Audience:
    """The guesses and reactions of a match by phone. For one thread.

    Guesses of a round are taken until its throws are due: the last word of a count, which comes before any lock, or the
    last answer where throws are entered; of cards that lie face down until they are turned over. They are taken again
    once everybody has seen who won."""

    def __init__(self) -> None:
        self.is_on = True
        """Whether anything is taken; people switch it off."""
        self.begin_match(takes_guesses=False)

    def begin_match(self, *, takes_guesses: bool) -> None:
        """Begin a match; ``takes_guesses``: of a game in which rounds are won."""
        self._is_open = self._takes_guesses = takes_guesses
        self._enters_throws = self._is_decided = self._is_over = False
        self._throwing: frozenset[Seat] = frozenset()
        self._guesses: dict[str, Seat] = {}
        self._was_right: dict[str, bool] = {}
        self._guessers: dict[str, Guesser] = {}
        self._reactions = Counter[str]()

    def show(self, view: View) -> None:
        """Take note of what everybody sees."""
        if not self._takes_guesses:
            return
        match view:
            case Countdown():
                self._is_decided = self._is_over = False
                self._is_open = view.beat < len(view.words) - 1
                self._set_throwing(view.throwing)
            case Judging():
                self._is_open = False
            case GroupQuestion(prompt=prompt) | GroupQuestionPage(view=GroupQuestion(prompt=prompt)):
                self._is_decided = self._is_over = False
                self._enters_throws = prompt.kind == "throw"
                self._is_open = self._is_open or self._enters_throws
                if self._enters_throws:
                    self._set_throwing(prompt.seats)
        winners = round_winners(view)
        if winners is not None and not self._is_decided:  # what is said of a round after its reveal decides no other
            self._settle(winners)
            self._is_over = isinstance(view, TimedView) and view.ends_match
            self._is_open = not self._is_over

    def _set_throwing(self, seats: Collection[Seat]) -> None:
        """Let only these seats be guessed, or all if there are none; a guess of another is not one any more."""
        self._throwing = frozenset(seats)
        self._guesses = {phone: winner for phone, winner in self._guesses.items() if self._may_win(winner)}

    def _may_win(self, winner: Seat) -> bool:
        return winner == NOBODY or not self._throwing or winner in self._throwing

    def end_question(self) -> None:
        """Take note that a question is answered or interrupted."""
        self._is_open = self._is_open and not self._enters_throws
        self._enters_throws = False

    def _settle(self, winners: frozenset[Seat]) -> None:
        self._was_right = {
            phone: winner in winners or (winner == NOBODY and not winners) for phone, winner in self._guesses.items()
        }
        for phone, is_right in self._was_right.items():
            before = self._guessers[phone]
            self._guessers[phone] = Guesser(before.guest, before.right + is_right, before.rounds + 1)
        self._guesses.clear()
        self._reactions.clear()
        self._throwing = frozenset()
        self._is_decided = True

    def guess(self, phone: str, guest: Guest, winner: Seat) -> None:
        """Take a guess of the next round, or another one instead."""
        if self.is_on and self._is_open and self._may_win(winner):
            before = self._guessers.get(phone, Guesser(guest))
            self._guessers[phone] = Guesser(guest, before.right, before.rounds)
            self._guesses[phone] = winner

    def react(self, icon: str) -> None:
        """Take a reaction."""
        if self.is_on and icon in REACTIONS:
            self._reactions[icon] += 1

    def forget(self, phone: str) -> None:
        """Forget one of the audience."""
        for noted in (self._guesses, self._was_right, self._guessers):
            noted.pop(phone, None)

    def state(self, phone: str) -> AudienceState:
        """Return what one of the audience sees of it."""
        return AudienceState(
            self._takes_guesses,
            self.is_on and self._is_open,
            self._is_over,
            self._throwing,
            self._guesses.get(phone),
            self._was_right.get(phone),
            dict(self._reactions),
            self.table()[:LISTED_GUESSERS],
        )

    def table(self) -> tuple[Guesser, ...]:
        """Return who has guessed in this match, the best first."""
        guessers = (guesser for guesser in self._guessers.values() if guesser.rounds)
        return tuple(sorted(guessers, key=lambda guesser: (-guesser.right, guesser.rounds)))


def round_winners(view: View) -> frozenset[Seat] | None:
    """Return who won the round of which everybody sees the outcome; None: it shows none, or it is not decided yet."""
    outcomes: Mapping[Seat, Outcome] = {}
    match view:
        case Reveal():
            outcomes = {seat.seat: seat.outcome for seat in view.seats if seat.outcome is not None}
        case Showdown():
            outcomes = {card.player.seat: Outcome.WON if card.won else Outcome.LOST for card in view.cards}
        case GameMessage():
            outcomes = view.outcomes
    return frozenset(seat for seat, outcome in outcomes.items() if outcome is Outcome.WON) if outcomes else None
