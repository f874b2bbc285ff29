"""The arena: sides and seeds, points, programs that do not play on, interruptions, and what is printed."""

import json
import math
import os
import select
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from rules.catalogue import GAMES, find_game
from rules.engine import Game, Result, Script, Setup, replay
from tests.helpers.engine_caller import answers_with_draws, recording_bot
from throwlock.cli.main import run_command
from throwlock.engine.arena import (
    ArenaGame,
    ArenaScore,
    Limits,
    elo_difference,
    play_arena_game,
    play_games,
    wilson_interval,
)
from throwlock.engine.players import MAX_LINE_BYTES, PlayerError


@pytest.mark.parametrize(
    ("won", "trials", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_are_those_of_a_published_table(won: int, trials: int, low: float, high: float) -> None:
    estimate = wilson_interval(won / trials, trials)
    assert (estimate.low, estimate.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    mirrored = wilson_interval(1 - won / trials, trials)
    assert (1 - mirrored.high, 1 - mirrored.low) == (pytest.approx(estimate.low), pytest.approx(estimate.high))


@pytest.mark.parametrize("trials", [20, 100, 400])
def test_intervals_hold_the_true_value_in_95_percent_of_matches(trials: int) -> None:
    """Computed, not drawn; on average over true values, for a single one may have a little less."""
    covered = []
    for value in (number / 50 for number in range(1, 50)):
        chances = [math.comb(trials, won) * value**won * (1 - value) ** (trials - won) for won in range(trials + 1)]
        held = [wilson_interval(won / trials, trials) for won in range(trials + 1)]
        covered.append(sum(c for c, one in zip(chances, held, strict=True) if one.low <= value <= one.high))
    assert sum(covered) / len(covered) == pytest.approx(0.95, abs=0.01) and min(covered) > 0.9


def test_no_trials_say_nothing() -> None:
    assert (wilson_interval(0.5, 0).low, wilson_interval(0.5, 0).high) == (0, 1)
    assert (wilson_interval(0, 3).low, wilson_interval(1, 3).high) == (0, 1)


def test_elo() -> None:
    assert elo_difference(10 / 11) == pytest.approx(400)
    assert elo_difference(0.64) == pytest.approx(-elo_difference(0.36)) == pytest.approx(99.95, abs=0.01)
    assert (elo_difference(0.5), elo_difference(0), elo_difference(1)) == (0, -math.inf, math.inf)


CLASSIC = find_game("classic").set_up(2)
FUTURE = find_game("future").set_up(2)
ROOT = Path(__file__).parents[3]
BOT = f"{sys.executable} {ROOT / 'examples/bot.py'}"


def program(folder: Path, *statements: str) -> str:
    """The command of a program that runs ``statements`` whenever it is asked."""
    path = folder / "program.py"
    body = "\n".join(f"        {statement}" for statement in statements)
    path.write_text(f"import os, sys, signal\nfor line in sys.stdin:\n    if '\"ask\"' in line:\n{body}\n")
    return f"{sys.executable} {path}"


def points(*games: float, has_drawn: bool = False) -> ArenaScore:
    """The score of games in which engine 0 got these points."""
    return ArenaScore([ArenaGame(n, 0, ((1,), (2,)), one, (), has_drawn, None, {}) for n, one in enumerate(games, 1)])


def test_engines_change_sides_and_pairs_share_their_draws() -> None:
    games = [*play_games(FUTURE, ["random", "first"], 6, 11, Limits())]
    assert [game.number for game in games] == [1, 2, 3, 4, 5, 6]
    assert [game.seats for game in games] == [((1,), (2,)), ((2,), (1,))] * 3
    seeds = [game.seed for game in games]
    assert seeds[::2] == seeds[1::2] and len({*seeds}) == 3
    assert games == [*play_games(FUTURE, ["random", "first"], 6, 11, Limits())]
    assert games != [*play_games(FUTURE, ["random", "first"], 6, 12, Limits())]


def test_a_game_is_played_again_from_its_seed_and_answers() -> None:
    for game in (FUTURE, find_game("redeux").set_up(3), find_game("battle").set_up(3, {"rounds": 3})):
        (played,) = play_games(game, ["random", "random"], 1, 5, Limits())
        assert replay(game, answers_with_draws(game, played.seed, [*played.answers])).result == played.result


def test_random_players_throw_differently_in_both_games_of_a_pair() -> None:
    """Else each pair would be one point all, and the score of random against random no measurement."""
    games = [*play_games(CLASSIC, ["random", "random"], 40, 3, Limits())]
    pairs = Counter(one.points + other.points for one, other in zip(games[::2], games[1::2], strict=True))
    assert pairs.keys() == {0, 1, 2}


def test_random_players_rarely_stop_a_game_that_goes_on() -> None:
    games = [*play_games(find_game("battle").set_up(2), ["random", "random"], 40, 1, Limits())]
    thrown = [
        any(value in ("rock", "paper", "scissors") for seats in game.answers for value in seats.values())
        for game in games
    ]
    assert sum(thrown) >= 36 and all(game.result for game in games)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_seats_are_dealt_to_both_engines_in_turn(seats: int) -> None:
    one, two = play_games(find_game("classic").set_up(seats), ["random", "random"], 2, 1, Limits())
    assert one.seats == (tuple(range(1, seats + 1, 2)), tuple(range(2, seats + 1, 2)))
    assert two.seats == one.seats[::-1]
    for game in (one, two):
        assert game.result and game.points == float(game.result.winners[0] in game.seats[0])


@pytest.mark.parametrize(
    ("winners", "expected"), [((), 0.5), ((1,), 1), ((3, 1), 1), ((2,), 0), ((1, 2), 0.5), ((2, 1, 3), 0.5)]
)
def test_points_of_a_result(winners: tuple[int, ...], expected: float) -> None:
    def script(setup: Setup) -> Script:
        return Result(winners, {})
        yield

    game = Game(replace(CLASSIC.rules, script=script), find_game("classic").set_up(3).setup)
    assert play_arena_game(game, ["first", "first"], 1, 0, "x", Limits()).points == expected
    assert play_arena_game(game, ["first", "first"], 2, 0, "x", Limits()).points == 1 - expected


# Programs that do not play on

BAD_PROGRAMS = {
    "a wrong answer": (["print('{\"answers\": {\"1\": \"lizard\"}}', flush=True)"], "not answer 'lizard'"),
    "another seat": (["print('{\"answers\": {\"2\": \"rock\"}}', flush=True)"], "seat 2 was not asked"),
    "no JSON": (["print('rock', flush=True)"], "the line is not JSON"),
    "a command": (["print('{\"undo\": 1}', flush=True)"], "a program may only answer"),
    "quit": (["print('{\"quit\": true}', flush=True)"], "a program may only answer"),
    "two lines": (["os.write(1, b'{}\\n{}\\n')"], "it wrote more than one line to one question"),
    "too long a line": ([f"os.write(1, b'x' * {MAX_LINE_BYTES + 1}); signal.pause()"], "a line of more than 64 KiB"),
    "an exit": (["sys.exit(3)"], "it ended with exit status 3"),
    "a signal": (["os.kill(os.getpid(), signal.SIGKILL)"], "it was ended by SIGKILL"),
    "half a line": (["os.write(1, b'{\"answers'); sys.exit()"], "it ended with exit status 0"),
    "nothing": (["signal.pause()"], "it gave no answer to throw within 0.5 s"),
    "closed output": (["os.close(1); signal.pause()"], "it closed its output"),
    "closed input": (["os.close(0); signal.pause()"], "it gave no answer to throw within 0.5 s"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_PROGRAMS)
def test_a_program_that_does_not_play_on_loses(tmp_path: Path, name: str) -> None:
    statements, reason = BAD_PROGRAMS[name]
    winner = tmp_path / "winner"
    engines = [program(tmp_path, *statements), recording_bot(winner, 1)]
    limit = 0.5 if "0.5" in reason else 60
    played = play_arena_game(CLASSIC, engines, 1, 0, "x", Limits(limit))
    assert reason in played.faults[0] and [*played.faults] == [0]
    assert (played.points, played.result) == (0, None)
    last = json.loads(winner.read_bytes().splitlines()[-1])
    assert last["seats"] == [1] and last["stopped"].count("\n") == 0


def test_a_line_that_nobody_asked_for_is_a_fault(tmp_path: Path) -> None:
    """It answers twice, the second time once it sees the answers to its first."""
    path = tmp_path / "eager.py"
    lines = ["import sys", "for line in sys.stdin:", "    if '\"ask\"' in line or '\"answers\"' in line:"]
    path.write_text("\n".join([*lines, '        print(\'{"answers": {"1": "rock"}}\', flush=True)']))
    played = play_arena_game(CLASSIC, [f"{sys.executable} {path}", "first"], 1, 0, "x", Limits(60))
    assert played.faults[0] in ("it wrote a line before it was asked", "it wrote more than one line to one question")


def test_two_that_do_not_play_on_draw() -> None:
    played = play_arena_game(CLASSIC, ["false", "true"], 1, 0, "x", Limits())
    assert played.points == 0.5
    assert played.faults == {0: "it ended with exit status 1", 1: "it ended with exit status 0"}


def test_a_program_that_never_reads_does_not_block(tmp_path: Path) -> None:
    """Questions to 3,000 seats are more than a pipe holds."""
    game = find_game("battle").set_up(6_000, {"rounds": 1})
    played = play_arena_game(game, ["sleep 1000", "first"], 1, 0, "x", Limits(0.2))
    assert played.faults == {0: "it gave no answer to table within 0.2 s"}


def test_a_game_that_does_not_end_is_a_draw() -> None:
    played = play_arena_game(CLASSIC, ["first", "first"], 1, 0, "x", Limits(max_questions=25))
    assert (played.points, played.result, played.faults, len(played.answers)) == (0.5, None, {}, 25)


@pytest.mark.parametrize("command", ["no-such-command-here", "", "'", "/"])
def test_a_program_that_cant_be_started_ends_the_arena(command: str) -> None:
    with pytest.raises(PlayerError, match="can't be started"):
        play_arena_game(CLASSIC, ["random", command], 1, 0, "x", Limits())


def test_what_a_program_starts_ends_with_it(tmp_path: Path) -> None:
    """Its child holds a pipe open, which ends with it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    start = f"import subprocess; child = subprocess.Popen(['sleep', '1000'], stderr=open({str(pipe)!r}, 'w'))"
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        command = program(tmp_path, start, "sys.exit(1)")
        play_arena_game(CLASSIC, [command, "first"], 1, 0, "x", Limits(0.5))
        assert select.select([reader], [], [], 30)[0] and os.read(reader, 1) == b""
    finally:
        os.close(reader)


# What is printed


def test_the_score_counts_games_or_pairs() -> None:
    score = points(1, 1, 0.5, 0, 1)
    assert [[score.count(engine, one) for one in (1, 0.5, 0)] for engine in (0, 1)] == [[3, 1, 1], [1, 1, 3]]
    assert score.trials == 5 and points(1, 0, has_drawn=True).trials == 1
    one, other = score.estimate(0), score.estimate(1)
    assert one and other and one.share == 0.7 and other.share == pytest.approx(0.3)
    assert one.low == pytest.approx(1 - other.high)
    assert points().estimate(0) is None


def test_the_score_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["arena", BOT, "first", "--games", "4", "--seed", "9"]) == 0
    out, err = capsys.readouterr()
    assert not err and out.splitlines()[0] == "classic for 2, best_of=3; seed 9"
    assert [line.split()[-6:] for line in out.splitlines()[2:4]] == [
        ["4", "4", "0", "0", "0", "100.0%"],
        ["4", "0", "0", "4", "0", "0.0%"],
    ]
    assert out.splitlines()[4:] == [
        "Engine 1 scores 100.0% of the points, 95% interval 51.0% to 100.0% (Wilson, 4 games)",
        "Elo difference +inf, 95% interval +7.0 to +inf",
    ]


def test_json_has_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["arena", "random", "false", "--game", "future", "--games", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["seats"], found["interval"]["trials"]) == ("future", 2, 3)
    assert [engine["faults"] for engine in found["engines"]] == [0, 3]
    assert found["engines"][0]["score"] == 1 and found["engines"][0]["elo"] is None
    assert found["engines"][0]["elo_interval"][0] < 0 and found["engines"][0]["elo_interval"][1] is None
    assert [game["faults"] for game in found["games"]] == [{"2": "it ended with exit status 1"}] * 3
    assert found["games"][0]["points"] == [1, 0] and found["games"][0]["position"] == []


def test_only_the_first_faults_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["arena", "false", "first", "--games", "12"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[6] == "game 1: 1 false: it ended with exit status 1" and lines[-1] == "and 2 more" and len(lines) == 17


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_arena_prints_the_score_so_far(tmp_path: Path, number: signal.Signals) -> None:
    """In its third game the program interrupts the arena, and then hangs."""
    count = f"""
import os, pathlib, signal, sys
note = pathlib.Path({str(tmp_path / "games")!r})
games = len(note.read_text()) if note.exists() else 0
note.write_text("x" * (games + 1))
for line in sys.stdin:
    if '"ask"' in line:
        if games < 2:
            sys.exit(1)
        os.kill(os.getppid(), {int(number)})
        signal.pause()
"""
    path = tmp_path / "interrupts.py"
    path.write_text(count)
    command = [str(Path(sys.executable).parent / "throwlock"), "arena", f"{sys.executable} {path}", "first"]
    done = subprocess.run(
        [*command, "--time-limit", "600"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # a shell in the background has them ignored
    )
    assert done.returncode == 130 and done.stderr == "throwlock: interrupted after 2 of 100 games\n"
    assert "Engine 1 scores 0.0% of the points" in done.stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("arena random", "takes 2 values"),
        ("arena random first --game clasic", "did you mean classic?"),
        ("arena random first --games 0", "--games must be 1 or more, not 0"),
        ("arena random no-such-command-here", "started: No such file or directory; built in are random and first"),
        ("arena random first --time-limit 0", "--time-limit must be more than 0 and at most 3600, not 0"),
        ("engine --seed 3", "--seed and --chance are for GAME"),
        ("engine --seats 3", "are for GAME"),
        ("engine classic --seat 2", "--seat 2: write it N=COMMAND"),
        ("engine classic --seat 0=random", "write it N=COMMAND"),
        ("engine classic --seat 2=random --seat 2=first", "seat 2 is named twice"),
        ("engine classic --seat 3=random", "a program plays at seat 3, but the game has 2 seats"),
        ("engine classic --seat 2=random --chance ask", "with programs the engine draws"),
        ("engine classic --seat 2=no-such-command-here", "can't be started"),
    ],
)
def test_wrong_options_are_one_line(line: str, said: str) -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "throwlock", *line.split()],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and said in done.stderr, done.stderr


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("| true", "standard output can't be written (Broken pipe): nobody reads the engine"),
        (">/dev/full", "standard output can't be written (No space left on device): nobody reads the engine"),
        (">&-", "standard output is closed: the engine asks its questions there, one JSON object per line"),
    ],
)
def test_an_engine_that_nobody_reads_ends_with_one_line(output: str, said: str) -> None:
    command = f"{Path(sys.executable).parent / 'throwlock'} engine classic --seat 2=random"
    done = subprocess.run(
        f"set -o pipefail; yes '{{\"history\": true}}' | {command} {output}",
        shell=True, executable="bash", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, f"throwlock: {said}\n")


# The bot of the documentation


@pytest.mark.parametrize("name", GAMES)
def test_the_documented_bot_plays_every_game_without_a_fault(name: str) -> None:
    rules = GAMES[name]
    for sample in rules.samples[:2]:
        for game in play_games(rules.set_up(sample.seats, sample.options), [BOT, "random"], 2, 1, Limits(60, 500)):
            assert not game.faults and game.answers


def test_the_documented_bot_beats_one_that_always_throws_rock() -> None:
    score = ArenaScore([*play_games(CLASSIC, [BOT, "first"], 6, 2, Limits(60))])
    assert score.count(0, 1) == 6
    assert len((ROOT / "examples/bot.py").read_text().splitlines()) <= 31
