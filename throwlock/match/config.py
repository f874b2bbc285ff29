"""A match as the journal has it: which game with which options, who played, the answers, and so where it stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.catalogue import find
from rules.engine import Answers, Game, IllegalAnswerError, Json, Seat
from rules.visibility import view
from throwlock.journal.journal import Event, JournalError
from throwlock.match.corrections import CORRECTION, UPHELD, course_in, fouls_in
from throwlock.match.house_rules import House
from ui.text import verdicts


@dataclass(frozen=True)
class Billing:
    """What a match is begun with: the game set up, the players' names in seat order, the house rules, the seed that its
    simulated players and draws come from, the camera it is played before, and what simulated players were asked to
    show."""

    game: Game
    names: tuple[str, ...]
    house: House
    seed: int = 0
    camera: str = ""
    shows: tuple[str, ...] = ()

    def body(self) -> dict[str, Any]:
        """The body of the match's first event, as ``Journal.begin`` takes it: with the names of the players, which it
        keeps apart."""
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
            **({"shows": list(self.shows)} if self.shows else {}),
        }


def billing_of(events: Sequence[Event]) -> Billing:
    """What a match was begun with. Raises JournalError when this Throwlock can't play it as it was."""
    began = events[0]
    body = began.body
    try:
        rules = find(str(body["game"]))
        if rules.version != body["rules"]:
            raise JournalError(
                f"match {began.number} was played by version {body['rules']} of the rules of {rules.name}; "
                f"this Throwlock has version {rules.version}"
            )
        game = rules.set_up(int(body["seats"]), body["options"])
        house = House.model_validate(body["house"])
        shows = tuple(map(str, body.get("shows", ())))
        names = began.names or _nameless(body["players"])
        return Billing(game, names, house, int(body["seed"]), str(body["camera"]), shows)
    except KeyError as error:
        raise JournalError(f"match {began.number} can't be read: it does not say its {error.args[0]}") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise JournalError(f"match {began.number} can't be read: {error}") from error


def _nameless(players: Json) -> tuple[str, ...]:
    """Names where only the event is known: those in it, if it was written by a Throwlock that kept them there."""
    if isinstance(players, Mapping):
        return tuple(verdicts.neutral(seat) for seat in range(1, len(players) + 1))
    return tuple(map(str, players)) if isinstance(players, Sequence) else ()


def answers_in(events: Sequence[Event]) -> list[Answers]:
    """The answers that count in a match, in order, corrections applied. Raises JournalError."""
    try:
        return list(course_in(events).values())
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise JournalError(f"match {events[0].number} has an answer that can't be read") from error


def public_view(events: Sequence[Event], seat: Seat | None = None) -> list[dict[str, Json]]:
    """What everybody (or one seat) could see of a match, line by line as ``throwlock engine`` prints it: nothing that
    was sealed or secret. The answers are the corrected ones; before the answers of a round stand, in the order they
    happened, its fouls with everybody's count so far, and its disputes::

        {"void" | "foul": ROUND, "seats": [2], "sentence": …, "fouls": {"1": 0, "2": 1}}
        {"corrected": ROUND, "seat": 2, "from": "rock", "to": "paper", "dropped": [9]}   a seat of null: made void
        {"upheld": ROUND}

    Raises JournalError."""
    game = billing_of(events).game
    answers = answers_in(events)
    try:
        lines = view(game, answers, seat)
        course = course_in(events)
        for number, notes in reversed(_notes(events).items()):
            before = [course[other] for other in course if other < number]
            place = len(view(game, before, seat))
            lines[place:place] = notes
    except IllegalAnswerError as error:
        raise JournalError(f"match {events[0].number} can't be replayed: {error}") from error
    return lines


def _notes(events: Sequence[Event]) -> dict[int, list[dict[str, Json]]]:
    """What is to be said of each thrown round beside its answers."""
    billing = billing_of(events)
    seats, names = billing.game.setup.seats, dict(enumerate(billing.names, 1))
    notes: dict[int, list[dict[str, Json]]] = {}
    for count, event in enumerate(events, 1):
        body = event.body
        if body.get("fouls"):
            counted = fouls_in(events[:count])
            line = {
                "void" if event.kind == "void" else "foul": event.number,
                "seats": body["fouls"],
                "sentence": verdicts.named(body["sentence"], names),
                "fouls": {str(one): counted.get(one, 0) for one in range(1, seats + 1)},
            }
            notes.setdefault(event.number, []).append(line)
        elif event.kind == CORRECTION:
            line = {"corrected": body["round"], **{name: body[name] for name in ("seat", "from", "to", "dropped")}}
            notes.setdefault(body["round"], []).append(line)
        elif event.kind == UPHELD:
            notes.setdefault(body["round"], []).append({"upheld": body["round"]})
    return dict(sorted(notes.items()))
