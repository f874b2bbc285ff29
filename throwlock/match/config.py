"""A match in the journal: its configuration, the answers that count, and its public log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.catalogue import find_game
from rules.engine import Answers, Game, IllegalAnswerError, Json, Seat
from rules.visibility import view_game
from throwlock.journal.journal import CORRECTION, DISPUTE_REJECTED, Event, JournalError
from throwlock.match.corrections import count_fouls, effective_answers
from throwlock.match.house_rules import HouseRules
from ui.text import verdicts


@dataclass(frozen=True)
class MatchConfig:
    """The configuration of a match: the game, the players' names in seat order, the house rules, the random seed of its
    simulated players, the camera's name, and the scenarios simulated players act out."""

    game: Game
    names: tuple[str, ...]
    house_rules: HouseRules
    seed: int = 0
    camera: str = ""
    scenarios: tuple[str, ...] = ()

    def event_body(self) -> dict[str, Any]:
        """The body of the match's first event, as ``Journal.begin`` takes it: with the names of the players, which it
        keeps apart."""
        rules, setup = self.game.rules, self.game.setup
        return {
            "game": rules.name,
            "rules_version": rules.version,
            "seats": setup.seats,
            "options": dict(setup.options),
            "players": list(self.names),
            "house_rules": self.house_rules.model_dump(mode="json"),
            "seed": self.seed,
            "camera": self.camera,
            **({"scenarios": list(self.scenarios)} if self.scenarios else {}),
        }


def config_from_events(events: Sequence[Event]) -> MatchConfig:
    """Read a match's configuration from its first event. Raises JournalError if this version can't play the match."""
    first = events[0]
    body = first.body
    try:
        rules = find_game(str(body["game"]))
        if rules.version != body["rules_version"]:
            raise JournalError(
                f"match {first.number} was played by version {body['rules_version']} of the rules of {rules.name}; "
                f"this Throwlock has version {rules.version}"
            )
        game = rules.set_up(int(body["seats"]), body["options"])
        house_rules = HouseRules.model_validate(body["house_rules"])
        scenarios = tuple(map(str, body.get("scenarios", ())))
        names = first.names or _names_from_body(body["players"])
        return MatchConfig(game, names, house_rules, int(body["seed"]), str(body["camera"]), scenarios)
    except KeyError as error:
        raise JournalError(f"match {first.number} can't be read: it has no {error.args[0]}") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise JournalError(f"match {first.number} can't be read: {error}") from error


def _names_from_body(players: Json) -> tuple[str, ...]:
    """Return the names in an event, where older versions kept them; else default names."""
    if isinstance(players, Mapping):
        return tuple(verdicts.default_name(seat) for seat in range(1, len(players) + 1))
    return tuple(map(str, players)) if isinstance(players, Sequence) else ()


def answers_from_events(events: Sequence[Event]) -> list[Answers]:
    """Return the answers that count in a match, in order, with corrections applied. Raises JournalError."""
    try:
        return list(effective_answers(events).values())
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise JournalError(f"match {events[0].number} has an answer that can't be read") from error


def public_log(events: Sequence[Event], seat: Seat | None = None) -> list[dict[str, Json]]:
    """Return the log of a match that everybody (or also one ``seat``) could see, in the lines of ``throwlock engine``.

    Sealed and secret answers are left out, and corrections are applied. A round's fouls, with everybody's count so far,
    and its disputes come before its answers, in the order they happened::

        {"void" | "foul": ROUND, "seats": [2], "text": …, "fouls": {"1": 0, "2": 1}}
        {"corrected": ROUND, "seat": 2, "from": "rock", "to": "paper", "dropped": [9]}   a seat of null: made void
        {"dispute_rejected": ROUND}

    Raises:
        JournalError: An event can't be read, or the answers can't be replayed.
    """
    game = config_from_events(events).game
    answers = answers_from_events(events)
    try:
        lines = view_game(game, answers, seat)
        answers_by_event = effective_answers(events)
        for number, notes in reversed(_round_notes(events).items()):
            earlier = [answers_by_event[other] for other in answers_by_event if other < number]
            index = len(view_game(game, earlier, seat))
            lines[index:index] = notes
    except IllegalAnswerError as error:
        raise JournalError(f"match {events[0].number} can't be replayed: {error}") from error
    return lines


def _round_notes(events: Sequence[Event]) -> dict[int, list[dict[str, Json]]]:
    """Return the lines of each round that are not its answers: fouls, corrections and disputes."""
    config = config_from_events(events)
    seats, names = config.game.setup.seats, dict(enumerate(config.names, 1))
    notes: dict[int, list[dict[str, Json]]] = {}
    for count, event in enumerate(events, 1):
        body = event.body
        if body.get("fouls"):
            counted = count_fouls(events[:count])
            line = {
                "void" if event.kind == "void" else "foul": event.number,
                "seats": body["fouls"],
                "text": verdicts.fill_names(body["text"], names),
                "fouls": {str(seat): counted.get(seat, 0) for seat in range(1, seats + 1)},
            }
            notes.setdefault(event.number, []).append(line)
        elif event.kind == CORRECTION:
            line = {"corrected": body["round"], **{name: body[name] for name in ("seat", "from", "to", "dropped")}}
            notes.setdefault(body["round"], []).append(line)
        elif event.kind == DISPUTE_REJECTED:
            notes.setdefault(body["round"], []).append({"dispute_rejected": body["round"]})
    return dict(sorted(notes.items()))
