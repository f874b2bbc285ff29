"""What docs/engine.md says of the engine's messages, made from their models and from games played by it: the fields of
each message, sessions, and each game's questions and events."""

import argparse
import json
import shlex
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from rules.catalogue import BOX_GAMES
from rules.engine import BOX, AllowedValues, Choices, Game, GameEvent, IllegalSetupError, Json, Prompt, Rules, Value
from rules.record.event import Record
from throwlock.cli.options import set_up_game
from throwlock.engine.game import EngineGame
from throwlock.engine.host import EngineHost
from throwlock.engine.messages import COMMANDS, MESSAGES, Range, TextForm
from throwlock.engine.players import BuiltInPlayer
from tools.docs.generated_sections import add_docs_option, markdown_table, publish, read_sections
from ui.text.verdicts import event_sentences

BOT = Path(__file__).parents[2] / "examples" / "bot.py"
MAX_ANSWERS = 250
"""Answers of each game that is played to find its questions and events."""
SEEDS = range(3)
MAX_LISTED = 4
"""Values that are shown of a longer list of answers; of a list in an event, twice as many."""
MAX_TEXT = 40
MAX_EXAMPLE = 240
"""Characters of a message's example; a question has more than 200."""
NAMES = dict(enumerate(("Ada", "Ben", "Cy", "Di", "Eli", "Fay", "Gus", "Hal"), 1))
ROUND = '{"answers": {"1": "rock", "2": "scissors"}}'
SESSIONS: Mapping[str, tuple[str, Sequence[str]]] = {
    "a game": (
        "throwlock engine classic --option best_of=1 --seed 8",
        ['{"answers": {"1": "rock", "2": "rock"}}', '{"answers": {"1": "rock", "2": null}}', '{"quit": true}'],
    ),
    "commands": (
        "throwlock engine",
        [
            '{"new": "classic", "options": {"best_of": 1}, "seed": 8}',
            '{"answers": {"1": "lizard", "2": "rock"}}',
            '{"position": [{"1": "rock", "2": "rock"}, {"1": "rock", "2": "scissors"}]}',
            '{"history": true}',
            '{"undo": 1}',
        ],
    ),
    "chance": (
        "throwlock engine future --seed 8 --chance ask",
        [ROUND, *(f'{{"answers": {{"0": {card}}}}}' for card in (12, 3))],
    ),
    "seats": (
        "throwlock engine future --seed 8 --seat 2=first",
        ['{"answers": {"1": "scissors"}}'],
    ),
    "stopped": ("throwlock engine classic --seed 8 --seat 2=false", []),
}
"""The sessions by name: the command, and the lines that are written to it."""
TYPE_WORDS: Mapping[Any, str] = {
    **{str: "text", int: "whole number", bool: "true or false", float: "number", type(None): "null"},
    **{Any: "anything", Range: "range", TextForm: "form"},
}
ANSWER_TYPES = {"true or false", "whole number", "text", "null"}


def session_text(command: str, lines: Sequence[str]) -> str:
    """Return a session as the page shows it: the command, ``>`` before a line to it, ``<`` before one of it."""
    name, *words = shlex.split(command)[1:]
    options = _parse_options(words)
    shown = [f"$ {command}"]

    def send() -> Iterator[str]:
        for line in lines:
            shown.append(f"> {line}")
            yield line

    game = None if not options["game"] else set_up_game(options["game"], 2, options["option"])
    seats = {int(seat): player for seat, _, player in (one.partition("=") for one in options["seat"])}
    host = EngineHost(lambda line: shown.append(f"< {line}"), seats, print_error=lambda line: None)
    assert name == "engine" and {*seats.values()} <= {*BuiltInPlayer.NAMES, "false"}
    host.run(send(), game, options["seed"], options["chance"])
    return "\n".join(["```text", *shown, "```"])


def _parse_options(words: Sequence[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser()
    parser.add_argument("game", nargs="?")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--chance", default="engine")
    for name in ("--option", "--seat"):
        parser.add_argument(name, action="append", default=[])
    return vars(parser.parse_args(words))


def fields_text(models: Mapping[str, type[Record]], examples: Sequence[str]) -> str:
    """Return a heading, the description, an example and a table of the fields for each message. Of ``examples``, the
    longest line of a message is taken that fits the page, else the shortest."""
    parts = []
    for name, model in models.items():
        rows = [
            (f"`{field.alias or key}`", _type_text(field.annotation), _field_text(field))
            for key, field in model.model_fields.items()
        ]
        about = " ".join((model.__doc__ or "").split())
        lines = sorted((line for line in examples if name in json.loads(line)), key=len)
        example = max((line for line in lines if len(line) <= MAX_EXAMPLE), key=len, default=lines[0])
        table = markdown_table(("key", "value", "meaning"), rows, text_columns=3)
        parts.append(f"### {name}\n\n{about}\n\n```json\n{example}\n```\n\n{table}")
    return "\n\n".join(parts)


def _field_text(field: FieldInfo) -> str:
    if field.is_required():
        return field.description or ""
    default = field.get_default(call_default_factory=True)
    rest = "may be left out" if default in (None, {}, ()) else f"{json.dumps(default)} if left out"
    return f"{field.description} ({rest})"


def _type_text(annotation: Any) -> str:
    """Return a type as JSON has it, in words."""
    if hasattr(annotation, "__metadata__"):
        return _type_text(get_args(annotation)[0])
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        return _union_text([_type_text(part) for part in parts])
    if origin is tuple:
        text = f"list of: {_type_text(parts[0])}"
    elif origin is dict:
        text = f"object, by {'seat' if _type_text(parts[0]) == 'whole number' else 'name'}: {_type_text(parts[1])}"
    elif origin is not None:
        text = " or ".join(f"`{json.dumps(value)}`" for value in parts)
    else:
        text = TYPE_WORDS.get(annotation, "object")
    return text


def _union_text(parts: Sequence[str]) -> str:
    """Return alternatives in words; those of an answer as "answer", and no "whole number" next to "number"."""
    found = dict.fromkeys(parts)
    if found.keys() >= ANSWER_TYPES:
        found = dict.fromkeys(["answer", *(part for part in found if part not in ANSWER_TYPES)])
    if "number" in found:
        found.pop("whole number", None)
    return " or ".join(found)


def game_text(rules: Rules) -> str:
    """Return the tables of a game's questions and events, with an example of each that was played."""
    prompts: dict[str, Prompt] = {}
    events: dict[str, GameEvent] = {}
    for game in _set_ups(rules):
        for seed in SEEDS:
            _play(game, seed, prompts, events)
    questions = [(f"`{kind}`", *_prompt_cells(prompt)) for kind, prompt in prompts.items()]
    head = ("ask", "a seat's answers", "seen by others", "null", "about")
    happened = [
        (f"`{kind}`", " ".join(map(str, event_sentences(event, NAMES))) or "–", f"`{_shorten_json(event.as_json())}`")
        for kind, event in events.items()
    ]
    return (
        f"## {rules.name}\n\n{markdown_table(head, questions, text_columns=5)}\n\n"
        f"{markdown_table(('say', 'as the box says it', 'line'), happened, text_columns=3)}"
    )


def _set_ups(rules: Rules) -> Iterator[Game]:
    """Yield the game's samples, and each of them with each listed value of each option."""
    for sample in rules.samples:
        yield rules.set_up(sample.seats, sample.options)
        for option in rules.options:
            values: tuple[Value, ...] = option.allowed.values if isinstance(option.allowed, Choices) else ()
            for value in values:
                try:
                    yield rules.set_up(sample.seats, {**sample.options, option.name: value})
                except IllegalSetupError:
                    continue


def _play(game: Game, seed: int, prompts: dict[str, Prompt], events: dict[str, GameEvent]) -> None:
    """Play at random, and add the questions and events of kinds that are not there yet."""
    played = EngineGame(game, seed, "ask")
    player = BuiltInPlayer("random", range(game.setup.seats + 1), seed)
    while (prompt := played.prompt) and len(played.answers) < MAX_ANSWERS:
        prompts.setdefault(prompt.kind, prompt)
        played.answer(player.choose(prompt))
    for entry in played.log:
        if isinstance(entry, GameEvent):
            events.setdefault(entry.kind, entry)


def _prompt_cells(prompt: Prompt) -> tuple[str, str, str, str]:
    """Return a seat's answers, when others see them, what null means, and the facts."""
    seat, allowed = next(iter(prompt.seats.items()))
    seen = "at once" if not prompt.is_private else "later" if prompt.opened_by else "once all have answered"
    null = "not allowed"
    if prompt.allows_no_answer:
        meaning = prompt.text.time_outs.get(prompt.kind)
        value = "no answer" if prompt.default is None else f"`{json.dumps(prompt.default)}`"
        null = f"{value}: {meaning}" if meaning else value
    about = f"`{_shorten_json(prompt.as_json()['about'])}`" if prompt.about else ""
    cell = ("seat 0: " if seat == BOX else "") + _allowed_text(allowed)
    return cell, "never (secret)" if prompt.is_secret else seen, null, about


def _allowed_text(allowed: AllowedValues) -> str:
    found = allowed.as_json()
    if isinstance(found, list) and len(found) > MAX_LISTED:
        return f"{', '.join(f'`{json.dumps(one)}`' for one in found[:2])}, … ({len(found)} in all)"
    if isinstance(found, list):
        return ", ".join(f"`{json.dumps(one)}`" for one in found)
    return f"`{json.dumps(found)}`"


def _shorten_json(value: Json) -> str:
    """Return JSON in which long texts and lists are cut."""

    def cut(part: Json) -> Json:
        if isinstance(part, str):
            return part if len(part) <= MAX_TEXT else f"{part[: MAX_TEXT - 1]}…"
        if isinstance(part, Mapping):
            return {key: cut(one) for key, one in part.items()}
        if isinstance(part, Sequence):
            listed = [cut(one) for one in part[: 2 * MAX_LISTED]]
            return [*listed, "…"] if len(part) > len(listed) else listed
        return part

    return json.dumps(cut(value), ensure_ascii=False).replace("|", "\\|")


def sections() -> dict[str, str]:
    """Return the generated sections of docs/engine.md, engine-games.md and arena.md by name."""
    sessions = {f"session {name}": session_text(command, lines) for name, (command, lines) in SESSIONS.items()}
    lines = [line for text in sessions.values() for line in text.splitlines()]
    return {
        "bot": f"```python\n{BOT.read_text(encoding='utf-8')}```",
        **sessions,
        "written": fields_text(MESSAGES, [line[2:] for line in lines if line.startswith("< ")]),
        "read": fields_text(COMMANDS, [line[2:] for line in lines if line.startswith("> ")]),
        "games": "\n\n".join(map(game_text, BOX_GAMES)),
    }


def main() -> None:
    """Print the sections, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs.engine", description=__doc__)
    add_docs_option(parser)
    options = parser.parse_args()
    wanted = None if options.docs is None else read_sections(options.docs)
    publish(options.docs, {name: text for name, text in sections().items() if wanted is None or name in wanted})


if __name__ == "__main__":
    main()
