"""Scenarios for the installed box, in the order of an owner's first weeks. ``run`` prepares the container they need.

scenarios.py ROOT             install the box in ROOT, and run all but EXTRA; print ``pass NAME`` or ``FAIL NAME: why``
scenarios.py ROOT NAME…       install it, and run these
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
sys.path[:0] = [str(REPOSITORY), str(Path(__file__).parent)]

from box import BOX_FOLDERS, FILES, JOURNAL, SETTINGS, STALL_FILE, Box, XScreen  # noqa: E402
from container import Container, ContainerError  # noqa: E402

from errors import ThrowlockError  # noqa: E402
from throwlock.journal.events import MatchEnded, RoundJudged, RoundVoided  # noqa: E402

MEMORY_MB = 1024
"""Of the whole container: the least that a Raspberry Pi 4 has."""
STALL_S = 5.0
LONG_STALL_S = 12.0
"""Longer than the box waits for a camera that hangs."""
CAMERA_LIST = "/usr/share/libcamera/pipeline/virtual/virtual.yaml"
"""Without it there is no virtual camera when a process starts."""
SPOKEN_COUNTS = "/var/cache/throwlock/spoken-counts"
SMALL_DISK = f"mount -t tmpfs -o size=3m,mode=750,uid=$(id -u throwlock),gid=$(id -g throwlock) tmpfs {BOX_FOLDERS[0]}"
MATCHES = int(os.environ.get("MATCHES", "20"))
"""Of an evening."""
MAX_GROWTH_MB = 40
"""From the middle of the evening to its end."""
WARNING = re.compile(r"^(?:Traceback|[a-z_]+(?:\.[a-z_]+)+: )(?!nothing is spoken: espeak-ng took longer).*", re.M)
"""A line of the unit's log that a module writes, which are warnings and errors; but on a slow machine no count is
spoken."""
WON_ROUNDS = 4
"""What wins a match of the tournament: rounds enough to pause it twice, however slow the machine is."""


def expect(condition: object, what: str) -> None:
    """Raise ContainerError unless ``condition`` is true."""
    if not condition:
        raise ContainerError(f"expected: {what}")


def start_without_a_screen(box: Box) -> None:
    """The installer ends well, and the box waits."""
    expect("No screen is connected" in box.install_output, f"the installer says so: {box.install_output}")
    box.wait_until(lambda: box.status == "waiting for a screen", f"the box waits, not {box.status!r}", 60)


def switch_the_screen_on_late(box: Box) -> None:
    """The box finds the screen by itself."""
    box.prepare()
    box.restart()
    box.wait_until(lambda: box.status == "waiting for a screen", f"the box waits, not {box.status!r}", 60)
    box.screen.switch(True)
    box.wait_for_page("GamesPage")
    expect(box.unit_property("NRestarts") == "0", "no restart was needed")


def play_a_match_on_the_virtual_camera(box: Box) -> None:
    """Both throws of both rounds are recognised, and the right player wins."""
    before = len(box.events())
    box.play()
    events = [event.body for event in box.events()[before:]]
    rounds = [one for one in events if isinstance(one, RoundJudged)]
    throws = [tuple(seat.throw for seat in one.judgement.seats.values()) for one in rounds]
    expect(throws and set(throws) <= {("rock", "scissors"), ("paper", "rock")}, f"the rendered throws, not {throws}")
    expect(isinstance(events[-1], MatchEnded) and events[-1].result.winners == (1,), f"player 1 wins, not {events[-1]}")


def kill_the_box_during_a_match(box: Box) -> None:
    """The match is offered again, and played to its end."""
    box.go_to_countdown()
    match = box.events()[-1].match
    box.system.check("kill", "-KILL", str(box.process))
    box.wait_for_text("was interrupted. Resume it?")
    box.touch("go on")
    box.play()
    last = box.events()[-1]
    expect(last.match == match and isinstance(last.body, MatchEnded), f"match {match} ends, not {last}")


def stall_the_camera_in_a_round(box: Box) -> None:
    """That round is void and nobody's foul, the next is judged."""
    box.go_to_countdown()
    match = box.events()[-1].match
    with stall_camera(box, STALL_S):
        pass
    box.play()
    bodies = [event.body for event in box.events() if event.match == match]
    void = next((one for one in bodies if isinstance(one, RoundVoided)), None)
    expect(void and void.judgement and void.judgement.void_reason, f"a void round, not {bodies}")
    verdicts = {seat.verdict for seat in void.judgement.seats.values()}
    expect(verdicts <= {"unseen", "on time"}, f"no foul, not {verdicts}")
    later = bodies[bodies.index(void) + 1 :]
    expect(any(isinstance(one, RoundJudged) for one in later), f"a judged round after it, not {later}")


def lose_the_camera_in_a_round(box: Box) -> None:
    """A camera that doesn't come back for long: the box starts again by itself, and the match goes on."""
    box.go_to_countdown()
    match = box.events()[-1].match
    with stall_camera(box, LONG_STALL_S):
        pass
    box.wait_for_text("was interrupted. Resume it?", 120)
    box.touch("go on")
    box.play()
    last = box.events()[-1]
    expect(last.match == match and isinstance(last.body, MatchEnded), f"match {match} ends, not {last}")


def start_without_a_camera(box: Box) -> None:
    """The screen says what to check; with the camera back, the box plays."""
    box.system.check("mv", CAMERA_LIST, "/root/virtual.yaml")
    try:
        box.restart()
        box.start_match_in_vain()
        box.wait_for_text("No camera")
    finally:
        box.system.check("mv", "/root/virtual.yaml", CAMERA_LIST)
    box.restart()
    box.play()


def fill_the_disk(box: Box) -> None:
    """The screen says so; with room again, the match is played."""
    box.stop()
    box.system.check("sh", "-c", SMALL_DISK)
    try:
        box.system.run("sh", "-c", f"head -c 10M /dev/zero >{BOX_FOLDERS[0]}/filling")
        box.restart()
        box.start_match_in_vain()
        box.wait_for_text("is full")
        box.system.check("rm", f"{BOX_FOLDERS[0]}/filling")
        box.touch("RETRY")
        box.play()
    finally:
        box.stop()
        box.system.check("umount", BOX_FOLDERS[0])
        box.restart()


def make_the_disk_read_only(box: Box) -> None:
    """The screen says so; afterwards the box plays."""
    box.stop()
    for folder in BOX_FOLDERS:
        box.system.check("sh", "-c", f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder}")
    try:
        box.restart()
        box.start_match_in_vain()
        box.wait_for_text("writable")
    finally:
        box.stop()
        for folder in BOX_FOLDERS:
            box.system.check("umount", folder)
    box.restart()
    box.play()


def hang(box: Box) -> None:
    """The watchdog starts a box again that does nothing any more."""
    process = box.process
    box.system.check("kill", "-STOP", str(process))
    box.wait_until(lambda: box.process not in (0, process), "the watchdog starts the box again", 120)
    box.wait_for_page("GamesPage")
    expect("Watchdog timeout" in box.log(), "the watchdog's line in the log")


def leave_with_the_keyboard(box: Box) -> None:
    """Whoever leaves the window with Escape finds the box again."""
    process = box.process
    for _ in range(2):
        box.press_key("Escape")
    box.wait_until(lambda: box.process not in (0, process), "the box starts again", 60)
    box.wait_for_page("GamesPage")


def play_at_the_simulated_table(box: Box) -> None:
    """A whole match, recognised from rendered images, whose count the voice has rendered in the unit's sandbox. Where
    there is no virtual camera, the others play there too."""
    versions = re.findall(r"^(?:numba|llvmlite)==\S+", (REPOSITORY / "requirements/demo.lock").read_text(), re.M)
    box.system.check("/opt/throwlock/venv/bin/python", "-m", "pip", "install", "--quiet", "--no-deps", *versions)
    box.use_camera("simulated")
    box.play()
    words = box.system.output("find", SPOKEN_COUNTS, "-name", "*.wav", "-size", "+2000c").split()
    expect(len(words) >= 4, f"four spoken words, not {words}")
    if has_virtual_camera(box):
        box.use_camera("auto")


def has_virtual_camera(box: Box) -> bool:
    """Whether libcamera has a virtual camera in this system."""
    return box.system.exists(CAMERA_LIST)


def play_match_after_match(box: Box) -> None:
    """Memory, files and threads don't grow, the journal is in order, and the box warns of nothing."""
    box.go_home()
    events, log, figures = box.events(), box.log(), []
    for number in range(MATCHES):
        box.play()
        figures.append(box.resources())
        print(f"  after match {number + 1}: {figures[-1]}", flush=True)
    half, last = figures[len(figures) // 2], figures[-1]
    expect(last.files <= half.files and last.threads <= half.threads, f"no new files: {figures}")
    expect(last.memory_mb - half.memory_mb <= MAX_GROWTH_MB, f"no more memory: {figures}")
    ended = sum(isinstance(event.body, MatchEnded) for event in box.events()[len(events) :])
    expect(ended == MATCHES, f"{MATCHES} matches, not {ended}")
    box.system.check("throwlock", "verify", JOURNAL)
    expect(box.unit_property("NRestarts") == "0", "no restart was needed")
    warnings = WARNING.findall(box.log()[len(log) :])
    expect(not warnings, f"no warnings, not {warnings}")


def play_a_thousand_matches(box: Box) -> None:
    """``tools.soak`` in the unit's sandbox: its memory stops growing, no file and no thread is left open."""
    play_at_the_simulated_table(box)  # installs what the made-up hands need
    box.stop()
    version = re.search(r"^cogapp==\S+", (REPOSITORY / "requirements/test.lock").read_text(), re.M)
    assert version is not None
    box.system.check("/opt/throwlock/venv/bin/python", "-m", "pip", "install", "--quiet", version[0])
    box.system.check("cp", "-r", "/root/throwlock/tools", FILES)
    unit = box.system.output("cat", "/etc/systemd/system/throwlock.service")
    unit = re.sub(
        "ExecStart=.*", f"ExecStart=/opt/throwlock/venv/bin/python -m tools.soak\nEnvironment=PYTHONPATH={FILES}", unit
    )
    unit = re.sub("Type=notify|WatchdogSec=.*|Restart=always", "", unit)
    box.system.write("/etc/systemd/system/throwlock-soak.service", unit)
    box.system.check("systemctl", "daemon-reload")
    box.system.check("systemctl", "start", "throwlock-soak")
    box.wait_until(lambda: box.system.output("systemctl", "is-active", "throwlock-soak") != "active", "it ends", 3600)
    log = box.system.output("journalctl", "--unit=throwlock-soak", "--output=cat", "--no-pager")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in log.splitlines() if " MB |" in line]
    print("\n".join(" | ".join(row) for row in rows), flush=True)
    expect(rows and rows[-1][0] == "1,000", f"a thousand matches: {log[-1000:]}")
    expect({row[3] for row in rows} == {rows[0][3]} and {row[4] for row in rows} == {rows[0][4]}, "no new files")


def set_the_time_zone_by_touch(box: Box) -> None:
    """The unit's user may change the system's time zone, and the screen has the new one."""
    box.open_box_settings()
    box.touch("Time zone")
    box.touch("Europe")
    box.touch("Athens")
    box.wait_until(lambda: "Athens" in box.system.output("readlink", "/etc/localtime"), "the system’s time zone", 30)
    box.restart()
    box.wait_for_page("GamesPage")


def upgrade_and_roll_back_in_a_tournament(box: Box) -> None:
    """Its second match goes on at the same question with the next version, and again with the version before; journal
    and settings are kept."""
    players = (word for name in ("Ada", "Ben", "Cy", "Dora") for word in ("--name", name))
    tournament(box, "new", "classic", "--option", f"best_of={2 * WON_ROUNDS - 1}", *players)
    box.restart()
    box.touch("ToTournament")
    box.touch("PlayFixture")
    box.play(seconds=600)
    box.touch("ToTournament")
    box.touch("PlayFixture")
    box.pause()
    match = box.events()[-1].match
    version = box.system.output("throwlock", "--version")
    with kept_journal_and_settings(box):
        install_version(box, "99.0.0")
    expect("99.0.0" in box.system.output("throwlock", "--version"), "the upgrade is installed")
    box.touch("go on")
    box.wait_until(lambda: judged_rounds(box, match) and box.page().name != "Countdown", "the first round", 180)
    box.pause()
    with kept_journal_and_settings(box):
        box.system.check("/opt/throwlock/share/install", "--roll-back")
    expect(box.system.output("throwlock", "--version") == version, "the version before is installed")
    box.touch("go on")
    box.play(seconds=600)
    expect(judged_rounds(box, match) == WON_ROUNDS, f"{WON_ROUNDS} rounds decide, not {judged_rounds(box, match)}")
    final = tournament(box, "next")
    expect("Ada" in final and "Ben" in final, f"both winners meet in the final: {final}")
    box.system.check("/opt/throwlock/venv/bin/throwlock", "verify", JOURNAL)


def tournament(box: Box, *words: str) -> str:
    """Run a command of ``throwlock tournament`` as the unit's user, and return what it printed."""
    return box.system.check("runuser", "-u", "throwlock", "--", "throwlock", "tournament", *words, "--journal", JOURNAL)


def judged_rounds(box: Box, match: int) -> int:
    """How many rounds of a match count."""
    return sum(event.match == match and isinstance(event.body, RoundJudged) for event in box.events())


def install_version(box: Box, version: str) -> None:
    """Run the installer of a checkout that has this version."""
    pyproject = "/root/throwlock/pyproject.toml"
    text = box.read(pyproject)
    try:
        box.system.write(pyproject, re.sub(r'(?m)^version = ".*"$', f'version = "{version}"', text, count=1))
        box.install()
    finally:
        box.system.write(pyproject, text)


@contextmanager
def kept_journal_and_settings(box: Box) -> Iterator[None]:
    """Expect that what happens changes neither the journal nor the settings, and that the match is offered again."""
    events, settings = box.events(), box.system.output("cat", SETTINGS)
    yield
    box.wait_for_text("was interrupted. Resume it?")
    expect(box.events() == events, "the journal is kept")
    expect(box.system.output("cat", SETTINGS) == settings, "the settings are kept")


def uninstall_and_purge(box: Box) -> None:
    """Everything is gone but the journal and the settings; --purge removes these too."""
    if not box.events():
        box.play()
    box.system.check("/root/throwlock/systemd/install", "--uninstall")
    expect(box.unit_property("LoadState") == "not-found", "no unit")
    expect(not box.system.exists("/opt/throwlock"), "no program")
    expect(box.events() and box.system.exists(SETTINGS), "journal and settings")
    box.system.check("/root/throwlock/systemd/install", "--uninstall", "--purge")
    expect(not any(box.system.exists(folder) for folder in BOX_FOLDERS), "nothing is left")


def uninstall(box: Box) -> None:
    """Nothing is left in the end, and it can be installed again."""
    uninstall_and_purge(box)
    box.install()
    box.touch("English")  # a new box: it leads through its first start
    box.touch("skip all")
    box.wait_for_page("GamesPage")


def shut_down_by_touch(box: Box) -> None:
    """The system powers off. The last scenario."""
    box.open_box_settings()
    box.touch("Shut down")
    box.touch("Shut down")
    box.wait_until(lambda: not box.system.is_running, "the system powers off", 120)


@contextmanager
def stall_camera(box: Box, seconds: float) -> Iterator[None]:
    """No images come from shortly before the cue for some seconds."""
    box.system.check("touch", STALL_FILE)
    try:
        time.sleep(seconds)
        yield
    finally:
        box.system.check("rm", STALL_FILE)


SCENARIOS: tuple[Callable[[Box], None], ...] = (
    start_without_a_screen,
    switch_the_screen_on_late,
    play_at_the_simulated_table,
    play_a_match_on_the_virtual_camera,
    kill_the_box_during_a_match,
    stall_the_camera_in_a_round,
    lose_the_camera_in_a_round,
    start_without_a_camera,
    fill_the_disk,
    make_the_disk_read_only,
    hang,
    leave_with_the_keyboard,
    set_the_time_zone_by_touch,
    upgrade_and_roll_back_in_a_tournament,
    uninstall,
    shut_down_by_touch,
)
EXTRA = (play_match_after_match, play_a_thousand_matches)
"""Run only if named."""
NEED_VIRTUAL_CAMERA = (
    play_a_match_on_the_virtual_camera,
    stall_the_camera_in_a_round,
    lose_the_camera_in_a_round,
    start_without_a_camera,
)
"""Left out where there is none."""


def run_scenarios(box: Box, names: list[str]) -> bool:
    """Run the named scenarios, or all, print how each ends, and return whether all have passed."""
    chosen = [one for one in (*SCENARIOS, *EXTRA) if one.__name__ in names] or list(SCENARIOS)
    needed = [switch_the_screen_on_late]
    if not has_virtual_camera(box):
        chosen = [one for one in chosen if one not in NEED_VIRTUAL_CAMERA]
        needed.append(play_at_the_simulated_table)
    chosen = [one for one in SCENARIOS if one in needed and one not in chosen] + chosen
    failed = []
    for scenario in chosen:
        try:
            scenario(box)
            print(f"pass {scenario.__name__}", flush=True)
        except (ContainerError, ThrowlockError, OSError) as error:
            failed.append(scenario)
            print(f"FAIL {scenario.__name__}: {error}; {box.page()}\n{box.log()[-2000:]}", flush=True)
            box.system.run("systemctl", "restart", "throwlock")
    return not failed


def main(root: str, *names: str) -> int:
    """Boot, install and run the scenarios. Return the exit status."""
    container = Container(Path(root), MEMORY_MB)
    try:
        box = Box(container, XScreen(container))
        subprocess.run(
            [sys.executable, str(Path(__file__).parent / "rounds.py"), root + FILES], cwd=REPOSITORY, check=True
        )
        start = time.monotonic()
        box.install_output = box.install()
        print(
            f"installed in {time.monotonic() - start:.0f} s; memory limited to {MEMORY_MB} MB: {container.is_limited}"
        )
        return 0 if run_scenarios(box, list(names)) else 1
    finally:
        container.close()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
