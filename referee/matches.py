"""A match as the journal has it: which game with which options, who played, the answers, and so where it stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.house import House
from referee.journal import Event, JournalFault
from rules.catalogue import find
from rules.script import Answers, Game, IllegalAnswer, Json, Seat, Value
from rules.views import view


@dataclass(frozen=True)
class Billing:
    """What a match is begun with: the game set up, the players' names in seat order, the house rules, the seed that its
    simulated players and draws come from, and the camera it is played before."""

    game: Game
    names: tuple[str, ...]
    house: House
    seed: int = 0
    camera: str = ""

    def body(self) -> dict[str, Any]:
        """The body of the match's first event."""
        rules, setup = self.game.rules, self.game.setup
        return {
            "game": rules.name,
            "rules": rules.version,
            "seats": setup.seats,
            "options": dict(setup.options),
            "players": list(self.names),
            "house": self.house.model_dump(mode="json"),
            "seed": self.seed,
            "camera": self.camera,
        }


def billing_of(events: Sequence[Event]) -> Billing:
    """What a match was begun with. Raises JournalFault when this Throwlock can't play it as it was."""
    began = events[0]
    body = began.body
    try:
        rules = find(str(body["game"]))
        if rules.version != body["rules"]:
            raise JournalFault(
                f"match {began.number} was played by version {body['rules']} of the rules of {rules.name}; "
                f"this Throwlock has version {rules.version}"
            )
        game = rules.set_up(int(body["seats"]), body["options"])
        house = House.model_validate(body["house"])
        return Billing(game, tuple(map(str, body["players"])), house, int(body["seed"]), str(body["camera"]))
    except KeyError as error:
        raise JournalFault(f"match {began.number} can't be read: it does not say its {error.args[0]}") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise JournalFault(f"match {began.number} can't be read: {error}") from error


def answers_in(events: Sequence[Event]) -> list[Answers]:
    """The answers given in a match, in order. Raises JournalFault."""
    try:
        return [from_json(event.body["answers"]) for event in events if event.kind == "answer"]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise JournalFault(f"match {events[0].number} has an answer that can't be read") from error


def fouls_in(events: Sequence[Event]) -> dict[Seat, int]:
    """How many fouls each seat has so far."""
    count: dict[Seat, int] = {}
    for event in events:
        for seat in event.body.get("fouls", []):
            count[seat] = count.get(seat, 0) + 1
    return count


def as_json(answers: Answers) -> dict[str, Value]:
    """Answers as an event's body has them."""
    return {str(seat): value for seat, value in answers.items()}


def from_json(answers: Mapping[str, Value]) -> dict[Seat, Value]:
    """The answers in an event's body."""
    return {int(seat): value for seat, value in answers.items()}


def public_view(events: Sequence[Event], seat: Seat | None = None) -> list[dict[str, Json]]:
    """What everybody (or one seat) could see of a match, line by line as ``throwlock engine`` prints it: nothing that
    was sealed or secret. Raises JournalFault."""
    try:
        return view(billing_of(events).game, answers_in(events), seat)
    except IllegalAnswer as error:
        raise JournalFault(f"match {events[0].number} can't be replayed: {error}") from error
