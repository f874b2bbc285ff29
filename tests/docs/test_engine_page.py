"""docs/engine.md, engine-games.md and arena.md are made from the engine and its messages, their commands run, and every
line fits the JSON Schema."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from rules.catalogue import BOX_GAMES
from rules.engine import GameEvent
from tests.helpers.engine_caller import BAD, BAD_COMMANDS, Caller, play_lines, random_bot
from throwlock.engine.game import EngineGame
from throwlock.engine.messages import COMMANDS, MESSAGES, schema
from tools.docs.engine import game_text, sections
from tools.docs.generated_sections import read_sections

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / name for name in ("engine.md", "engine-games.md", "arena.md")]
PAGE = "".join(page.read_text(encoding="utf-8") for page in PAGES)
VALIDATOR = jsonschema.Draft202012Validator(schema())


def test_the_pages_are_what_the_engine_does() -> None:
    found = {name: text.rstrip("\n") for page in PAGES for name, text in read_sections(page).items()}
    assert found == sections(), "python -m tools.docs.engine --docs PAGE writes each page anew"


def test_every_message_is_in_a_session() -> None:
    lines = re.findall(r"^[<>] \{.*$", PAGE, re.MULTILINE)
    written, read = ({key for line in lines if line[0] == mark for key in json.loads(line[2:])} for mark in "<>")
    assert MESSAGES.keys() <= written and COMMANDS.keys() <= read and {"only", "hidden", "others", "default"} <= written
    for line in (line[2:] for line in lines):
        VALIDATOR.validate(json.loads(line))


@pytest.mark.parametrize("rules", BOX_GAMES, ids=lambda rules: rules.name)
def test_lines_of_every_game_fit_the_schema(rules: object) -> None:
    game = next(one for one in BOX_GAMES if one is rules).set_up(2)
    for chance in ("engine", "ask"):
        caller = Caller(random_bot(3))
        caller.play(game, 3, chance)
        for line in caller.heard[:300]:
            VALIDATOR.validate(line)


@pytest.mark.parametrize("line", [one for one in BAD_COMMANDS if "classic" not in one and one != '{"undo": 1}'])
def test_wrong_commands_do_not_fit_the_schema(line: str) -> None:
    refused_by_the_game = '{"position": [{"1": "rock"}]}', '{"new": "clasic"}'
    assert VALIDATOR.is_valid(json.loads(line)) == (line in refused_by_the_game)


def test_wrong_lines_do_not_fit_the_schema() -> None:
    wrong = [line for line in BAD if isinstance(line, str) and line.startswith('{"answer"')]
    assert wrong and not any(VALIDATOR.is_valid(json.loads(line)) for line in wrong if '": "rock"' not in line[10:])


@pytest.mark.parametrize("seat", ["01", "+1", "-1", "1.0", "", "seat", "1000000"])
def test_a_seat_is_written_one_way(seat: str) -> None:
    for line in ({"answers": {seat: "rock"}}, {"position": [{seat: "rock"}]}, {"history": [{seat: "rock"}]}):
        assert not VALIDATOR.is_valid(line)
        assert VALIDATOR.is_valid(json.loads(json.dumps(line).replace(f'"{seat}":', '"10":')))


@pytest.mark.parametrize("rules", BOX_GAMES, ids=lambda rules: rules.name)
def test_no_event_has_a_fact_that_names_a_message(rules: object) -> None:
    """So a caller may ask for the key that names a message before it looks at ``say``."""
    rules = next(one for one in BOX_GAMES if one is rules)
    for sample in rules.samples:
        rng, game = random.Random(1), EngineGame(rules.set_up(sample.seats, sample.options), 1, "ask")
        while game.prompt and len(game.answers) < 300:
            game.answer({seat: allowed.draw(rng) for seat, allowed in game.prompt.seats.items()})
        for event in game.log:
            if isinstance(event, GameEvent):
                assert not event.facts.keys() & {*MESSAGES, "only"}, event.kind
    lines = re.findall(r'`(\{"say".*?\})` \|$', game_text(rules), re.MULTILINE)
    assert lines and all(not (json.loads(line.replace("\\|", "|")).keys() & {*MESSAGES} - {"say"}) for line in lines)


def test_the_move_of_the_page_is_legal() -> None:
    (move,) = re.findall(r"such as `(-?\d,-?\d>-?\d,-?\d)`", PAGE)
    caller = play_lines('{"new": "board", "options": {"start": "1"}}', json.dumps({"answers": {"1": move}}))
    assert not caller.lines_of("error") and caller.lines_of("say")[-1] == "moved"


@pytest.mark.slow
def test_the_commands_run_as_they_stand(tmp_path: Path) -> None:
    shutil.copy(DOCS.parent / "examples/bot.py", tmp_path)
    commands = "".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)).splitlines()
    assert len(commands) == 4
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for line in commands:
        done = subprocess.run(
            line,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0 and not done.stderr, f"{line}\n{done.stderr}"
        if "arena" in line:
            assert '"faults": 0' in done.stdout if "--json" in line else "game 1: " not in done.stdout
        else:
            assert '{"answers": {"1": "paper", "2": ' in done.stdout
