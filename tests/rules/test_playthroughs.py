"""Golden playthroughs: matches a person who knows the rules can read, line by line beside the rule page, played again
here. A rule that changes changes a playthrough; a sentence or a game without one fails."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from rules.battle.calculator import Tally, calculate
from rules.catalogue import GAMES, find
from rules.engine import (
    Answers,
    Ask,
    Game,
    IllegalAnswerError,
    IllegalSetupError,
    Json,
    Options,
    Play,
    Result,
    Say,
    Span,
    Value,
    visible,
)
from rules.throws import Throw
from rules.tr.odds import odds
from rules.tr.roll import Roll

FOLDER = Path(__file__).parent / "playthroughs"
PLAYTHROUGHS = sorted(path for path in FOLDER.glob("*.txt") if path.name != "sentences.txt")
CITED = re.compile(r"\s*\[([A-Z0-9 ]+)\]$")


def lines_of(path: Path) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """The lines that say something: number, text, and the sentences it covers."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            cited = CITED.search(text)
            yield number, CITED.sub("", text), tuple(cited[1].split()) if cited else ()


def told(value: Json) -> str:
    """A fact as the playthroughs write it: 1 rock, 2 nothing; (1 2) (3 4); 5."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {told(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return " ".join(f"({told(each)})" if isinstance(each, list) else told(each) for each in value)
    return "nothing" if value is None else str(value)


def line_for(step: Say | Ask | Result) -> str:
    """The line a playthrough has for what the game says, asks or ends with."""
    if isinstance(step, Say):
        alone = f" to {step.only} alone" if step.only is not None else ""
        return f"says {step.kind}{alone}: " + "; ".join(f"{name} {told(fact)}" for name, fact in step.facts.items())
    if isinstance(step, Result):
        more = "".join(f"; {name} {told(fact)}" for name, fact in step.more.items())
        return f"result winners {told(step.winners)}; scores {told({str(s): n for s, n in step.scores.items()})}{more}"
    asked = ", ".join(asked_of(seat, options, step.secret) for seat, options in step.seats.items())
    timed = f"{step.seconds} s"
    marks = [word for word, on in (("sealed", step.sealed), ("secret", step.secret), (timed, step.seconds)) if on]
    return f"asks {step.kind}: {asked}" + (f" ({', '.join(marks)})" if marks else "")


def asked_of(seat: int, options: Options, secret: bool) -> str:
    """A seat asked, with what it may answer where that is a number or differs from seat to seat (its own cards)."""
    if isinstance(options, Span):
        return f"{seat} up to {options.stop} by {options.step}"
    return f"{seat} {'/'.join(map(str, options.values))}" if secret else str(seat)


def values_in(text: str) -> dict[int, Value]:
    """``1 rock, 2 nothing, 3 10`` by seat."""
    values: dict[int, Value] = {}
    for part in text.split(", "):
        seat, word = part.split(" ")
        values[int(seat)] = None if word == "nothing" else int(word) if re.fullmatch("-?[0-9]+", word) else word
    return values


def dashed(tally: Tally) -> str:
    """Battles won, lost and tied, as the playthroughs write them: 3-2-0."""
    return f"{tally.wins}-{tally.losses}-{tally.ties}"


class Reader:
    """Plays a playthrough's lines and checks each against the game."""

    def __init__(self) -> None:
        self.play: Play | None = None
        self.due: list[str] = []
        self.so_far: Answers = {}

    def read(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word in ("says", "asks", "result"):
            assert self.due, f"the game has nothing more to say before {line!r}"
            assert line == self.due.pop(0)
        else:
            assert word in ("refused", "odds", "calculates") or not self.due, f"the game goes on with {self.due[0]!r}"
            getattr(self, word)(rest)

    def game(self, text: str) -> None:
        assert self.play is None or self.play.result, "the game before has not ended"
        self.play = Play(self._set_up(text))
        self._now_due(tuple(self.play.said))

    def refused(self, text: str) -> None:
        setup, _, why = text.partition(" because ")
        with pytest.raises(IllegalSetupError, match=re.escape(why) or None):
            self._set_up(setup)

    def odds(self, text: str) -> None:
        roll, _, expected = text.partition(": ")
        chances = odds(Roll.read(roll))
        named = chances.outcomes() | {f"degree {degree}": chance for degree, chance in chances.degrees.items()}
        assert expected == ", ".join(f"{name} {chance}" for name, chance in named.items())

    def calculates(self, text: str) -> None:
        numbers, _, expected = text.partition(": ")
        rock, paper, scissors, *on = numbers.split()
        counts = dict(zip(Throw, map(int, (rock, paper, scissors)), strict=True))
        reckoning = calculate(counts, inverted="inverted" in on, count="count" in on)
        moves = [
            f"{line.move} {dashed(line.each)}, {dashed(line.all)}, {line.outcome or 'nobody'}, "
            + " ".join(line.against.values())
            for line in reckoning.lines
        ]
        assert expected == "; ".join([*moves, f"total {dashed(reckoning.total)}"])
        assert reckoning.checks

    def answers(self, text: str) -> None:
        assert self.play
        self._now_due(self.play.answer(values_in(text)))

    def wrong(self, text: str) -> None:
        assert self.play
        before = self.play.position()
        with pytest.raises(IllegalAnswerError):
            self.play.answer(values_in(text))
        assert self.play.position() == before

    def entered(self, text: str) -> None:
        self.so_far = values_in(text)

    def sees(self, text: str) -> None:
        assert self.play and self.play.asked
        who, _, what = text.partition(": ")
        seen = visible(self.play.asked, self.so_far, int(who))
        assert seen == ({} if what == "nothing" else values_in(what))

    def _set_up(self, text: str) -> Game:
        name, *settings = shlex.split(text)
        said = dict(setting.split("=") for setting in settings)
        rules, seats = find(name), int(said.pop("seats"))
        options = {option.name: option for option in rules.options}
        read = {key: options[key].read(value) if key in options else value for key, value in said.items()}
        return rules.set_up(seats, read)

    def _now_due(self, news: tuple[Say, ...]) -> None:
        assert self.play
        end = self.play.asked or self.play.result
        assert end
        self.due = [line_for(step) for step in (*news, end)]


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    reader = Reader()
    for number, line, _ in lines_of(path):
        try:
            reader.read(line)
        except (AssertionError, IllegalAnswerError, IllegalSetupError, AttributeError, ValueError) as fault:
            pytest.fail(f"{path.name}:{number}: {fault}")
    assert reader.play and reader.play.result, "the last game of a playthrough is played to its end"
    assert not reader.due


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_playthrough(name: str) -> None:
    openings = {line.split()[1] for path in PLAYTHROUGHS for _, line, _ in lines_of(path) if line.startswith("game ")}
    assert name in openings, f"no file in {FOLDER} plays {name}"


def test_every_sentence_is_covered() -> None:
    sentences = dict(line.split(None, 1) for _, line, _ in lines_of(FOLDER / "sentences.txt"))
    cited = {sentence for path in PLAYTHROUGHS for _, _, ids in lines_of(path) for sentence in ids}
    assert cited <= sentences.keys(), "a playthrough cites a sentence that isn't there"
    assert sentences.keys() == cited
