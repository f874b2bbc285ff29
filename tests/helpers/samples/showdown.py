"""Samples of a showdown, computed from a game's events: face down, cards turning, a bluff, the pot moving, and the
pot that is taken without showing."""

from dataclasses import replace

from rules.engine import GameEvent
from rules.future.events import Called, ChipScores, Claimed, Folded, NobodyWins, PotTaken, PotWon, Revealed
from rules.future.text import TEXT
from rules.throws import Throw
from tests.helpers.samples.common import NAMES
from ui.screen.pages.common import Player
from ui.screen.pages.scoreboard import ScoreboardHistory
from ui.screen.pages.showdown import CARD_S, COMPARISON_S, OPENING_S, POT_S, Showdown, showdown_from_events
from ui.screen.views import View


def sample_showdown(cards: str, claims: str, pot: int, *, turned: bool = False) -> Showdown:
    """Return the showdown of ``cards`` and ``claims``, each as letters in seat order (r, p, s), the first caller last;
    a card of "-" doesn't count."""
    words = {throw.value[0]: throw for throw in Throw}
    seats = range(1, len(cards) + 1)
    throws = {seat: words.get(card) for seat, card in zip(seats, cards, strict=True)}
    claimed = {seat: words[claim] for seat, claim in zip(seats, claims, strict=True)}
    kinds = {throw for throw in throws.values() if throw}
    best = [kind for kind in kinds if len(kinds) == 2 and all(kind.beats(other) for other in kinds - {kind})]
    winners = [seat for seat in seats if throws[seat] in best]
    each, stays = divmod(pot, len(winners)) if winners else (0, pot)
    bluffs = [seat for seat in seats if throws[seat] not in (None, claimed[seat])]
    ending: GameEvent = PotWon(winners, each, stays, text=TEXT) if winners else NobodyWins(pot, text=TEXT)
    score = {seat: 4 + seat + (each if seat in winners else 0) for seat in seats}
    events = (
        Called(len(cards), text=TEXT),
        Revealed(throws, bluffs, claimed, text=TEXT),
        ending,
        ChipScores(score, stays, text=TEXT),
    )
    facts = ScoreboardHistory().facts(events, None, events)
    people = [Player(seat, NAMES[seat - 1], score[seat], None, facts.of_seat(seat)) for seat in seats]
    view = showdown_from_events(events[1:] if turned else events, people, turned=turned)
    return replace(view, seconds_left=view.whole_animation_s + 3.5, shown_s=0.0, moved_s=0.0)


def _unshown() -> Showdown:
    events = (
        Claimed(2, "rock", changed=False, text=TEXT),
        Folded(1, text=TEXT),
        PotTaken(2, 5, text=TEXT),
    )
    facts = ScoreboardHistory().facts(events, None, events[1:])
    people = [Player(seat, NAMES[seat - 1], 4 + 5 * seat, None, facts.of_seat(seat)) for seat in (1, 2)]
    view = showdown_from_events(events[1:], people, turned=False)
    return replace(view, seconds_left=view.whole_animation_s + 3.5, shown_s=0.0, moved_s=0.0, can_undo=True)


def samples() -> dict[str, View]:
    """Return the samples by name, with two to eight players."""
    two, three, six = (
        sample_showdown(cards, claims, pot)
        for cards, claims, pot in (("rs", "rp", 7), ("rrs", "spr", 9), ("rsrrss", "prrsss", 26))
    )
    compared_s = OPENING_S + 3 * CARD_S
    moving_s = OPENING_S + 6 * CARD_S + COMPARISON_S + 0.5 * POT_S
    return {
        "showdown-down-2": replace(two, can_undo=True),
        "showdown-turning-2": two.at_time(OPENING_S + CARD_S + 0.18),
        "showdown-bluff-3": three.at_time(OPENING_S + CARD_S + 1.0),
        "showdown-compared-3": replace(three.at_time(compared_s + 0.5), can_dispute=True, can_undo=True),
        "showdown-won-2": replace(two, finished=True),
        "showdown-won-3": replace(three, finished=True),
        "showdown-moving-6": six.at_time(moving_s),
        "showdown-won-6": replace(six, finished=True, can_dispute=True, can_undo=True),
        "showdown-none-4": replace(sample_showdown("rpsr", "rrrr", 12), finished=True),
        "showdown-turned-5": sample_showdown("rps-p", "rpsss", 15, turned=True),
        "showdown-won-8": replace(sample_showdown("prpprrpp", "rrrppspp", 61), finished=True),
        "showdown-unshown": replace(_unshown(), finished=True),
        "showdown-shown-3": replace(three, seconds_left=None, shown_s=None, moved_s=None),
    }
