"""The words of Future RPS."""

from dataclasses import replace

from messages import N, join, ngettext_lazy
from rules.engine import GameText, Names, Prompt, Result, Seat, Value, by_seat, fact_to_json
from rules.engine.scoreboard import PHASE, WINS, FactForm, FactOwner, ShownFact
from rules.future.events import FirstThrow, PotWon, Revealed, TurnBegins
from rules.text import (
    as_int,
    card_word,
    chips_text,
    fill,
    list_names,
    seat_name,
    template,
    template_by,
)


def _turn(event: TurnBegins, names: Names) -> str:
    first = seat_name(event.order[0], names)
    turn = fill(N("Turn {turn} of {turns}: {name} goes first."), event.values, names, name=first)
    if not event.pot:
        return turn
    return join([turn, N("Already in the pot: {chips}.", chips=chips_text(event.pot))])


def _first_throw(event: FirstThrow, names: Names) -> str:
    left = list_names(event.left, names)
    if len(event.left) == 1:
        return fill(N("{left} goes first ({throws})."), event.values, names, left=left)
    return fill(N("{left} throw again ({throws})."), event.values, names, left=left)


def _reveal(event: Revealed, names: Names) -> list[str]:
    """Return a sentence for each card, in the order of the turn."""
    return [
        N(
            _BLUFF if seat in event.bluffs else _HONEST if throw else _BLANK,
            name=seat_name(seat, names),
            claim=card_word(event.claims[seat]),
            throw=card_word(throw),
        )
        for seat, throw in event.throws.items()
    ]


_HONEST = N("{name} played {throw}, as claimed.")
_BLUFF = N("{name} bluffed: claimed {claim}, played {throw}.")
_BLANK = N("{name} claimed {claim} and shows no card that counts.")


def _pot_won(event: PotWon, names: Names) -> str:
    win = ngettext_lazy(
        "{who} wins {chips} from the pot.",
        "{who} each win {chips} from the pot.",
        len(event.seats),
        who=list_names(event.seats, names),
        chips=chips_text(event.each),
    )
    if not event.stays:
        return win
    return join([win, ngettext_lazy("{count} chip stays in it.", "{count} chips stay in it.", event.stays)])


def _discard_question(prompt: Prompt) -> str:
    return N("Which card do you discard?") if prompt.is_secret else N("Discard a card, face down")


def _discard_hint(prompt: Prompt) -> str:
    if prompt.is_secret:
        return N("Choose a card to discard: you are out for this turn.")
    return N("Lay one card face down beside the table: you are out of this turn.")


def _act_consequence(prompt: Prompt, seat: Seat, action: Value) -> str:
    if action in ("bet", "raise"):
        held = by_seat(prompt.about["chips"])[seat]
        cost = chips_text(1) if held == 1 else N("1 to {chips}", chips=chips_text(held))
        return N("{cost}, and a new card", cost=cost) if action == "raise" else cost
    return N("No chips; you discard a card") if action == "fold" else N("No chips")


def _bet_consequence(prompt: Prompt, seat: Seat, bet: Value) -> str:
    chips, pot = int(bet or 0), as_int(fact_to_json(prompt.about["pot"]))
    left = by_seat(prompt.about["chips"])[seat] - chips
    return N("The pot grows from {pot} to {total}; you keep {left}.", pot=pot, total=pot + chips, left=left)


MAX_BROKE_NAMES = 2
"""How many players without chips the result names; of more it gives the number."""


def _result_reason(result: Result, names: Names) -> str:
    broke = [seat for seat, chips in result.scores.items() if chips == 0]
    if len(broke) > MAX_BROKE_NAMES:
        return ngettext_lazy("{count} player has no chips left.", "{count} players have no chips left.", len(broke))
    if not broke:
        return ""
    who = list_names(broke, names)
    return ngettext_lazy("{who} has no chips left.", "{who} have no chips left.", len(broke), who=who)


_CLAIMS = ShownFact(FactOwner.SEATS, label=N("Claims"), icon="bubble", form=FactForm.THROW, until=("turn",))

TEXT = GameText(
    sentences={
        "score": N("Chips: {scores}; pot: {pot}."),
        "first throw": _first_throw,
        "deal": template(
            N("Shuffle {each} rock, {each} paper and {each} scissors cards, and deal {hand} to each player."),
            each="of each",
        ),
        "hand": N("{name} holds {cards}."),
        "turn": _turn,
        "blind": N("{name} pays the blind of {chips}."),
        "claim": template_by(
            "changed",
            {
                True: N("{name} swaps the card and claims {claim}."),
                False: N("{name} plays a card face down and claims {claim}."),
            },
        ),
        "bet": N("{name} bets {chips}."),
        "folded": N("{name} folds."),
        "called": N("{name} calls."),
        "pot taken": N("{name} takes {chips} without showing."),
        "revealed": _reveal,
        "pot won": _pot_won,
        "nobody wins": template(N("Nobody wins. In the pot: {chips}."), chips="pot"),
    },
    headings={
        "deal": N("Deal"),
        "bet": N("Bet"),
        "folded": N("Folded"),
        "called": N("Called"),
        "pot taken": N("Pot taken"),
        "revealed": N("Showdown"),
        "score": N("Chips"),
        "pot won": N("Pot won"),
        "nobody wins": N("Nobody wins"),
    },
    questions={
        "bet": N("How much do you bet?"),
        "claim": N("What do you claim it is?"),
        "act": N("What do you do?"),
        "discard": _discard_question,
        "hand": N("Your cards"),
    },
    hints={
        "bet": N("Chips you bet go into the pot, and whoever wins the turn takes it."),
        "claim": N("Say what your card is. It doesn’t have to be true."),
        "act": N("Folding costs you nothing more this turn; staying in costs chips."),
        "discard": _discard_hint,
    },
    words={
        "direction": N("direction"),
        "right": N("right", "a neighbour"),
        "left": N("left", "a neighbour"),
        "fold": N("fold"),
        "bet": N("bet"),
        "call": N("call", "a bet"),
        "raise": N("raise", "a bet"),
        "claim": N("claim"),
        "blind": N("Blind"),
        "lap": N("lap"),
        "pot": N("pot"),
        "first throw": N("who goes first"),
    },
    consequences={"act": _act_consequence, "bet": _bet_consequence},
    result_reason=_result_reason,
    score_unit="chip",
    scoreboard={
        "pot": ShownFact(icon="purse", until=()),
        "turn": ShownFact(icon="again", form=FactForm.TITLE, total="turns"),
        "lap": ShownFact(),
        "phase": PHASE,
        "claims": _CLAIMS,
        "claim.claim": replace(_CLAIMS, owner=FactOwner.ACTOR, name="claims"),
        "claim.changed": ShownFact(FactOwner.ACTOR, label=N("New card")),
        "bet.chips": ShownFact(FactOwner.ACTOR, "bet", N("Bets", "of a seat"), icon="coin"),
        "blind.chips": ShownFact(FactOwner.ACTOR, "blind", icon="coin"),
        "called.seat": ShownFact(FactOwner.NAMED, "called", N("Calls")),
        "folded.seat": ShownFact(FactOwner.NAMED, "folded", N("Folded"), icon="nothing", until=("turn",)),
        "pot taken.chips": replace(WINS, owner=FactOwner.ACTOR, name="pot taken", label=N("Takes the pot")),
        "pot won.seats": replace(WINS, name="pot won", label=N("Wins the pot")),
        "bluffs": ShownFact(FactOwner.NAMED, label=N("Bluffed")),
        "hand.cards": ShownFact(FactOwner.ACTOR, "hand", icon="cards", form=FactForm.HAND),
        "result.draw": ShownFact(label=N("A draw")),
    },
)
