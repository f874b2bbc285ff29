"""Golden playthroughs: matches that a person can compare line by line with the rule page, replayed here. A changed rule
changes a playthrough; a game or a sentence of the rule page without one fails."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from rules.battle.calculator import Tally, calculate_round
from rules.catalogue import BOX_GAMES, find_game
from rules.engine import (
    AllowedValues,
    Answers,
    FactValue,
    Game,
    GameEvent,
    IllegalAnswerError,
    IllegalSetupError,
    IntRange,
    Play,
    Prompt,
    Result,
    Value,
)
from rules.throws import Throw
from rules.tr.roll import Roll, compute_odds

FOLDER = Path(__file__).parent / "playthroughs"
PLAYTHROUGHS = sorted(path for path in FOLDER.glob("*.txt") if path.name != "sentences.txt")
CITED_SENTENCES = re.compile(r"\s*\[([A-Z0-9 ]+)\]$")


def lines_of(path: Path) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield each line's number and text with the ids of the sentences it covers; comments are left out."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            cited = CITED_SENTENCES.search(text)
            yield number, CITED_SENTENCES.sub("", text), tuple(cited[1].split()) if cited else ()


def format_fact(value: FactValue) -> str:
    """Return a fact as the playthroughs write it: 1 rock, 2 nothing; (1 2) (3 4); 5."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {format_fact(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return " ".join(f"({format_fact(each)})" if isinstance(each, list) else format_fact(each) for each in value)
    return "nothing" if value is None else str(value)


def line_for(step: GameEvent | Prompt | Result) -> str:
    """Return the line of a playthrough for an event, a prompt or the result."""
    if isinstance(step, GameEvent):
        alone = f" to {step.only} alone" if step.only is not None else ""
        return f"says {step.kind}{alone}: " + "; ".join(
            f"{name} {format_fact(fact)}" for name, fact in step.facts.items()
        )
    if isinstance(step, Result):
        details = "".join(f"; {name} {format_fact(fact)}" for name, fact in step.details.items())
        scores = format_fact({str(seat): points for seat, points in step.scores.items()})
        return f"result winners {format_fact(step.winners)}; scores {scores}{details}"
    asked = ", ".join(asked_of(seat, options, step.is_secret) for seat, options in step.seats.items())
    timed = f"{step.seconds} s"
    hidden = "secret" if step.is_secret else "sealed"
    shown = ((hidden, step.is_private), ("optional", step.is_optional), (timed, step.seconds))
    marks = [word for word, on in shown if on]
    return f"asks {step.kind}: {asked}" + (f" ({', '.join(marks)})" if marks else "")


def asked_of(seat: int, options: AllowedValues, secret: bool) -> str:
    """Return a seat asked, with its options if they are numbers or differ from seat to seat (its own cards)."""
    if isinstance(options, IntRange):
        return f"{seat} up to {options.stop} by {options.step}"
    return f"{seat} {'/'.join(map(str, options.values))}" if secret else str(seat)


def values_in(text: str) -> dict[int, Value]:
    """Return the values of ``1 rock, 2 nothing, 3 10`` by seat; none for ``nobody``."""
    values: dict[int, Value] = {}
    for part in text.split(", ") if text != "nobody" else ():
        seat, word = part.split(" ", 1)
        values[int(seat)] = None if word == "nothing" else int(word) if re.fullmatch("-?[0-9]+", word) else word
    return values


def dashed(tally: Tally) -> str:
    """Return battles won, lost and tied as the playthroughs write them: 3-2-0."""
    return f"{tally.wins}-{tally.losses}-{tally.ties}"


class Reader:
    """Plays the lines of a playthrough and checks each against the game."""

    def __init__(self) -> None:
        self.play: Play | None = None
        self.due: list[str] = []
        self.partial_answers: Answers = {}

    def read(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word in ("says", "asks", "result"):
            assert self.due, f"the game has nothing more to event before {line!r}"
            assert line == self.due.pop(0)
        else:
            assert word in ("refused", "odds", "calculates") or not self.due, f"the game goes on with {self.due[0]!r}"
            getattr(self, word)(rest)

    def game(self, text: str) -> None:
        assert self.play is None or self.play.result, "the previous game has not ended"
        self.play = Play(self._set_up(text))
        self._set_due(tuple(self.play.events))

    def refused(self, text: str) -> None:
        setup, _, why = text.partition(" because ")
        with pytest.raises(IllegalSetupError, match=re.escape(why) or None):
            self._set_up(setup)

    def odds(self, text: str) -> None:
        roll, _, expected = text.partition(": ")
        chances = compute_odds(Roll.parse(roll))
        named = chances.outcomes() | {f"degree {degree}": chance for degree, chance in chances.degrees.items()}
        assert expected == ", ".join(f"{name} {chance}" for name, chance in named.items())

    def calculates(self, text: str) -> None:
        numbers, _, expected = text.partition(": ")
        rock, paper, scissors, *on = numbers.split()
        counts = dict(zip(Throw, map(int, (rock, paper, scissors)), strict=True))
        summary = calculate_round(counts, inverted="inverted" in on, count="count" in on)
        moves = [
            f"{row.throw} {dashed(row.per_player)}, {dashed(row.combined)}, "
            f"{row.outcome.result if row.outcome else 'nobody'}, "
            + " ".join(outcome.result for outcome in row.against.values())
            for row in summary.by_throw
        ]
        assert expected == "; ".join([*moves, f"total {dashed(summary.total)}"])
        assert summary.total.wins == summary.total.losses
        assert summary.total.wins + summary.total.ties == summary.battles

    def answers(self, text: str) -> None:
        assert self.play
        self._set_due(self.play.answer(values_in(text)))

    def wrong(self, text: str) -> None:
        assert self.play
        before = self.play.state()
        with pytest.raises(IllegalAnswerError):
            self.play.answer(values_in(text))
        assert self.play.state() == before

    def entered(self, text: str) -> None:
        self.partial_answers = values_in(text)

    def sees(self, text: str) -> None:
        assert self.play and self.play.prompt
        seat, _, answers = text.partition(": ")
        seen = self.play.prompt.visible_answers(self.partial_answers, int(seat))
        assert seen == ({} if answers == "nothing" else values_in(answers))

    def _set_up(self, text: str) -> Game:
        name, *settings = shlex.split(text)
        words = dict(setting.split("=") for setting in settings)
        rules, seats = find_game(name), int(words.pop("seats"))
        options = {option.name: option for option in rules.options}
        read = {key: options[key].parse(value) if key in options else value for key, value in words.items()}
        return rules.set_up(seats, read)

    def _set_due(self, events: tuple[GameEvent, ...]) -> None:
        assert self.play
        end = self.play.prompt or self.play.result
        assert end
        self.due = [line_for(step) for step in (*events, end)]


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    reader = Reader()
    for number, line, _ in lines_of(path):
        try:
            reader.read(line)
        except (AssertionError, IllegalAnswerError, IllegalSetupError, AttributeError, ValueError) as error:
            pytest.fail(f"{path.name}:{number}: {error}")
    assert reader.play and reader.play.result, "the last game of a playthrough must be played to its end"
    assert not reader.due


@pytest.mark.parametrize("name", [rules.name for rules in BOX_GAMES])
def test_every_game_has_a_playthrough(name: str) -> None:
    openings = {line.split()[1] for path in PLAYTHROUGHS for _, line, _ in lines_of(path) if line.startswith("game ")}
    assert name in openings, f"no file in {FOLDER} plays {name}"


def test_every_sentence_is_covered() -> None:
    sentences = dict(line.split(None, 1) for _, line, _ in lines_of(FOLDER / "sentences.txt"))
    cited = {sentence for path in PLAYTHROUGHS for _, _, ids in lines_of(path) for sentence in ids}
    assert cited <= sentences.keys(), "a playthrough cites a sentence that does not exist"
    assert sentences.keys() == cited
