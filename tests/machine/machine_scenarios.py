"""Scenarios for the installed box as a whole machine.

machine_scenarios.py WORK PICTURES [--arm64] [--long] [--again] [NAME…]

The box is installed in WORK/root, whose disk image then boots; ``--again`` takes the image of the run before, as it was
left. Without names those of SHORT_SCENARIOS run, with ``--long`` all, with ``--arm64`` those of ARM64_SCENARIOS, on
that board. Prints ``pass NAME`` or ``FAIL NAME: why``; pictures of the screen and the unit's log go to PICTURES.
"""

import json
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
sys.path[:0] = [str(REPOSITORY), str(Path(__file__).parent), str(REPOSITORY / "tests/box")]

from box import JOURNAL, TITLE  # noqa: E402
from container import ContainerError  # noqa: E402
from image import install_box, make_image  # noqa: E402
from machine import BOARDS, Machine, MachineScreen  # noqa: E402
from machine_box import QUESTION, RAISES, RAISES_OF_EIGHT, REVEAL, MachineBox  # noqa: E402
from scenarios import expect, play_match_after_match, uninstall_and_purge  # noqa: E402

from device.gpio.lights import LightSignal  # noqa: E402
from errors import ThrowlockError  # noqa: E402
from throwlock.journal.events import Answered, MatchEnded  # noqa: E402

EATEN_MB = 900
UNIT_GROUP = "/sys/fs/cgroup/system.slice/throwlock.service"
STICK, STICK_MB = "/media/stick", 32
SHARE = "/media/share"
EXPORT = ("export", "1", "--journal", JOURNAL, "--format")
WRITERS = {
    **{f"match.{kind}": (*EXPORT, kind) for kind in ("json", "csv", "xlsx", "html")},
    "cards.pdf": ("cards", "deck"),
}
"""The files of commands for people, and the words of each command."""
SIMULATED_GPIO = "/opt/machine-test/simulated-gpio"
PYTHON = "/opt/throwlock/venv/bin/python"
STUCK_S = 40
"""Longer than a button may be held before it counts as stuck."""


def start_without_a_clock(box: MachineBox) -> None:
    """The unit is on KMS/DRM; the home page is on the screen though the machine's clock began in 1970."""
    box.wait_for_page("GamesPage", seconds=120)
    box.check_picture("home")
    files = box.system.output("ls", "-l", f"/proc/{box.process}/fd")
    expect("/dev/dri/card0" in files, f"the box has the graphics card open: {files}")
    expect(box.unit_property("NRestarts") == "0", "no restart was needed")
    print(f"  the clock says {box.system.output('date')}", flush=True)


def touch_a_game(box: MachineBox) -> None:
    """A touch through the kernel leads from the home page to the game's set-up."""
    box.touch(TITLE)
    box.wait_for_page("SetUpPage")
    box.check_picture("set-up")


def play_with_buttons(box: MachineBox) -> None:
    """Each press counts once: seat 1 throws rock, seat 2 scissors. The lights show who has to answer, and who won."""
    box.play(QUESTION)
    start = len(box.events())
    box.check_picture("question")
    box.wait_for_lights(LightSignal.WAITING, LightSignal.WAITING)
    box.throw(1)
    box.wait_for_lights(LightSignal.ANSWERED, LightSignal.WAITING)
    box.throw(2)
    box.wait_for_page(*REVEAL)
    box.check_picture("reveal")
    box.play()
    box.check_picture("result")
    box.wait_for_lights(LightSignal.WINNER)
    bodies = [event.body for event in box.events()[start:]]
    throws = [dict(body.answers) for body in bodies if isinstance(body, Answered)]
    expect(throws and all(throw == {1: "rock", 2: "scissors"} for throw in throws), f"rock and scissors: {throws}")
    expect(isinstance(bodies[-1], MatchEnded) and bodies[-1].result.winners == (1,), f"player 1 wins, not {bodies[-1]}")


def cut_the_power_in_a_match(box: MachineBox) -> None:
    """What the card had not written yet is lost, or not, by chance: the same match is offered, nothing that was on the
    screen is lost, and the journal is in order."""
    box.play(QUESTION)
    box.throw_together()
    box.wait_for_page(QUESTION)
    before = box.events()
    box.machine.switch_off()
    lost, unflushed = box.machine.card.cut_power(seed=len(before))
    seconds = box.machine.boot()
    print(f"  {lost} of {unflushed} blocks lost; booted in {seconds:.0f} s", flush=True)
    box.wait_for_text("was interrupted. Resume it?", 120)
    box.check_picture("after-a-power-cut")
    expect(box.events()[: len(before)] == before, "every event is kept")
    box.touch("go on")
    box.wait_for_page(QUESTION)
    events = box.events()
    expect(events[-1].match == before[-1].match, "the same match goes on")
    expect(count_answers(events) == count_answers(before), "the same question is asked")
    box.play()
    last = box.events()[-1]
    expect(last.match == before[-1].match and isinstance(last.body, MatchEnded), f"the match ends, not {last}")
    print(f"  {box.system.check('throwlock', 'verify', JOURNAL).splitlines()[-1]}", flush=True)


def count_answers(events: list) -> int:
    """Return how many prompts have been answered."""
    return sum(isinstance(event.body, Answered) for event in events)


def exceed_the_memory_limit(box: MachineBox) -> None:
    """The kernel ends what is too large in the unit, nothing else, and the box is there again."""
    total_kb = int(re.search(r"MemTotal: +(\d+)", box.read("/proc/meminfo"))[1])
    limit = int(box.unit_property("MemoryMax"))
    expect(0.75 < limit / 1024 / total_kb < 0.85, f"the limit is 80 % of the memory: {limit} of {total_kb} kB")
    agent = box.system.output("systemctl", "show", "agent", "--property=MainPID", "--value")
    eat = f"echo $$ >{UNIT_GROUP}/cgroup.procs; exec python3 -c 'bytearray(b\"x\") * ({EATEN_MB} << 20)'"
    done = box.system.run("sh", "-c", eat)
    expect(done.returncode in (-9, 137), f"the kernel ends it: {done}")
    kernel = box.system.output("journalctl", "--dmesg", "--grep=Memory cgroup out of memory", "--output=cat")
    expect(kernel, "the kernel says that the unit's limit was reached")
    box.wait_for_page("GamesPage", "Notice")
    expect(
        agent == box.system.output("systemctl", "show", "agent", "--property=MainPID", "--value"), "nothing else ends"
    )


def hold_a_button_for_long(box: MachineBox) -> None:
    """A stuck button is reported and ignored; the others work."""
    line, _, _ = box.pins[2]
    box.machine.hold_button(line)
    try:
        box.wait_until(lambda: "is stuck" in box.log(), "the log says that it is stuck", STUCK_S)
    finally:
        box.machine.release_button(line)


def start_without_the_gpio_chip(box: MachineBox) -> None:
    """The box says so, and works by touch."""
    box.system.check("sh", "-c", "echo 0 >/sys/kernel/config/gpio-sim/pi0/live")
    try:
        box.restart()
        box.wait_for_text("the GPIO chip can’t be opened")
        box.touch("go on")
        box.wait_for_page("GamesPage")
    finally:
        box.system.check("systemctl", "restart", "simulated-gpio")
        box.restart()
        box.wait_for_page("GamesPage", "Notice")


def press_on_a_raspberry_pi_5(box: MachineBox) -> None:
    """Buttons and lights work on a Pi 5, whose chip is the fifth, or the first and linked as the fifth."""
    for chip, link in ((4, "true"), (0, "ln -s gpiochip0 /dev/gpiochip4")):
        box.stop()
        box.system.check(SIMULATED_GPIO, str(chip), "pinctrl-rp1", "d04170")
        box.machine.gpio_chip = chip
        try:
            box.system.check("sh", "-c", link)
            box.restart()
            box.play(QUESTION)
            box.throw(1)
            box.wait_for_lights(LightSignal.ANSWERED, LightSignal.WAITING)
            box.throw(2)
            box.wait_for_page(*REVEAL)
            box.play()
        finally:
            box.machine.gpio_chip = 0
            box.stop()
            box.system.check("sh", "-c", "[ ! -L /dev/gpiochip4 ] || rm /dev/gpiochip4")
            box.system.check(SIMULATED_GPIO)
            box.restart()


def play_with_eight_seats(box: MachineBox) -> None:
    """Each press of eight seats counts once, and each seat's light shows its own signal, whoever is in."""
    box.go_home()
    box.raises, start = RAISES_OF_EIGHT, len(box.events())
    try:
        box.play(QUESTION)
        for seat in box.raises:
            box.throw(seat)
            if seat < len(box.raises):
                waiting = [LightSignal.WAITING] * (len(box.raises) - seat)
                box.wait_for_lights(*[LightSignal.ANSWERED] * seat, *waiting)
        box.wait_for_page(*REVEAL)
        box.play()
        box.wait_for_lights(LightSignal.WINNER)
    finally:
        box.raises = RAISES
    bodies = [event.body for event in box.events()[start:]]
    throws = [dict(body.answers) for body in bodies if isinstance(body, Answered)]
    once = {1: "paper", **dict.fromkeys(range(2, 9), "rock")}
    expect(throws and all(throw == once for throw in throws), f"each press counts once: {throws}")


def see_with_a_kernel_camera(box: MachineBox) -> None:
    """A camera of the kernel, the test driver vivid, is found, opened and read by the unit's user."""
    box.system.check("modprobe", "vivid", "n_devs=1", "node_types=0x1")
    probe = (
        f"$(systemctl show throwlock --property=Environment --value) {PYTHON} -m throwlock.cli.doctor.probes camera 0"
    )
    seen = json.loads(box.system.check("runuser", "-u", "throwlock", "--", "sh", "-c", f"cd /tmp && env {probe}"))
    print(f"  {seen}", flush=True)
    expect(seen["size"] and seen["light"] == "bright", f"a bright picture, not {seen}")


def rotate_the_screen(box: MachineBox) -> None:
    """The page is rotated clockwise on the screen, and touches hit what is seen."""
    try:
        for rotation in (90, 180, 270):
            set_rotation(box, rotation)
            box.check_picture(f"rotated-{rotation}")
            box.touch(TITLE)
            box.wait_for_page("SetUpPage")
    finally:
        set_rotation(box, 0)


def set_rotation(box: MachineBox, rotation: int) -> None:
    """Rotate the screen as the settings do, and start the box again."""
    box.change_settings(r"(# )?rotation = \d+", f"rotation = {rotation}", "[screen]")
    box.machine_screen.rotation = rotation
    box.restart()
    box.wait_for_page("GamesPage")


def connect_the_screen_late(box: MachineBox) -> None:
    """The box waits for a screen, and finds it by itself."""
    box.stop()
    box.screen.switch(False)
    box.restart()
    box.wait_until(lambda: box.status == "waiting for a screen", f"the box waits, not {box.status!r}", 60)
    box.screen.switch(True)
    box.wait_for_page("GamesPage")
    box.check_picture("connected-late")
    expect(box.unit_property("NRestarts") == "0", "no restart was needed")


def plug_in_a_television(box: MachineBox) -> None:
    """A second screen, on a graphics card of its own, is found while the box runs, and shows what is public."""
    box.system.run("systemctl", "poweroff")
    box.wait_until(lambda: not box.machine.is_running, "the machine powers off", 60)
    box.machine.boot(cards=2)
    television = MachineScreen(box.machine, card=1)
    box.wait_for_page("GamesPage", "Notice")
    box.stop()
    television.switch(False)
    box.go_home()
    expect(television.drawn() is None, "nothing is drawn for a screen that is not there")
    television.switch(True)
    box.wait_until(lambda: television.drawn() is not None, "the box finds the television", 60)
    box.check_picture("television-home", television)
    box.play(QUESTION)
    box.check_picture("television-question", television)
    box.check_picture("question-beside-a-television")
    box.play()
    box.check_picture("television-result", television)


def export_to_a_usb_stick(box: MachineBox) -> None:
    """A stick with FAT takes every export and sheet; one that is full or was pulled out is told in one line, and leaves
    no half file."""
    box.machine.insert_usb_stick(STICK_MB)
    box.wait_until(lambda: box.system.exists("/dev/sda"), "the kernel finds the stick", 60)
    box.system.check("mkdir", "--parents", STICK)
    box.system.check("mkfs.vfat", "/dev/sda")
    box.system.check("mount", "-t", "vfat", "-o", "flush", "/dev/sda", STICK)
    write_everything(box, STICK)
    fill = f"cat /dev/zero >{STICK}/photos; dd if=/dev/zero bs=512 of={STICK}/photos oflag=append conv=notrunc"
    expect("No space left" in box.system.run("sh", "-c", fill).stderr, "the stick is full to its last cluster")
    refuse_everything(box, STICK, "No space left on device")
    box.system.check("rm", f"{STICK}/photos")
    box.machine.pull_usb_stick()
    box.wait_until(lambda: not box.system.exists("/dev/sda"), "the kernel misses the stick", 60)
    refuse_everything(box, STICK)
    box.system.check("umount", "--lazy", STICK)


def export_to_a_server(box: MachineBox) -> None:
    """A shared folder over NFS takes every export and sheet, and one that may not be written is told in one line."""
    box.system.check("mkdir", "--parents", "/srv/share", SHARE)
    box.system.write("/etc/exports", "/srv/share 127.0.0.1(rw,sync,no_subtree_check,root_squash)\n")
    box.system.check("systemctl", "unmask", "nfs-server")
    box.system.check("systemctl", "start", "nfs-server")
    box.system.check("mount", "-t", "nfs", "-o", "vers=4.2", "127.0.0.1:/srv/share", SHARE)
    try:
        refuse_everything(box, SHARE, "Permission denied")  # root is nobody there, and the folder is root's
        box.system.check("chown", "nobody:nogroup", "/srv/share")
        write_everything(box, SHARE)
    finally:
        box.system.check("umount", SHARE)
        box.system.check("systemctl", "stop", "nfs-server")


def write_everything(box: MachineBox, folder: str) -> None:
    """Let every command that writes files for people write to ``folder``; what it wrote can be read there."""
    for name, words in WRITERS.items():
        box.system.check("throwlock", *words, "--out", f"{folder}/{name}")
        expect(int(box.system.output("stat", "--format", "%s", f"{folder}/{name}")) > 0, f"{name} is not empty")
    exported = f"{folder}/match.json"
    expect(box.system.output("throwlock", *EXPORT, "json") == box.read(exported).strip(), "all of it is written")
    box.system.check("throwlock", "import", exported, "--journal", f"{folder}/imported.journal")
    box.system.check("throwlock", "verify", f"{folder}/imported.journal")
    box.system.check("sh", "-c", f"rm {folder}/*")


def refuse_everything(box: MachineBox, folder: str, why: str = "") -> None:
    """Each of these commands says in one line why it can't write to ``folder``, and leaves nothing there."""
    before = box.system.run("ls", folder).stdout
    for name, words in WRITERS.items():
        done = box.system.run("throwlock", *words, "--out", f"{folder}/{name}")
        expect(done.returncode == 2 and len(done.stderr.splitlines()) == 1 and why in done.stderr, f"one line: {done}")
    expect(box.system.run("ls", folder).stdout == before, "nothing half written is left")


SHORT_SCENARIOS: tuple[Callable[[MachineBox], None], ...] = (
    start_without_a_clock,
    play_with_buttons,
    cut_the_power_in_a_match,
    exceed_the_memory_limit,
)
ALL_SCENARIOS: tuple[Callable[[MachineBox], None], ...] = (
    *SHORT_SCENARIOS[:1],
    touch_a_game,
    *SHORT_SCENARIOS[1:],
    hold_a_button_for_long,
    start_without_the_gpio_chip,
    press_on_a_raspberry_pi_5,
    play_with_eight_seats,
    play_match_after_match,
    see_with_a_kernel_camera,
    rotate_the_screen,
    connect_the_screen_late,
    export_to_a_usb_stick,
    export_to_a_server,
    plug_in_a_television,
    uninstall_and_purge,
)
ARM64_SCENARIOS: tuple[Callable[[MachineBox], None], ...] = (
    start_without_a_clock,
    touch_a_game,
    exceed_the_memory_limit,
    rotate_the_screen,
    connect_the_screen_late,
)
"""Those that need no buttons."""


def main(work: Path, pictures: Path, words: list[str]) -> int:
    """Install, boot and run the scenarios. Return the exit status: 2 for a scenario that there is not."""
    by_name = {scenario.__name__: scenario for scenario in ALL_SCENARIOS}
    if unknown := sorted({*words} - by_name.keys() - {"--again", "--arm64", "--long"}):
        print(f"machine-test: no scenario {', '.join(unknown)}; there are {', '.join(by_name)}", file=sys.stderr)
        return 2
    chosen = [by_name[word] for word in words if word in by_name]
    board, short = ("arm64", ARM64_SCENARIOS) if "--arm64" in words else ("amd64", SHORT_SCENARIOS)
    chosen = chosen or list(ALL_SCENARIOS if "--long" in words else short)
    image, start = work / "run/image", time.monotonic()
    if "--again" not in words:
        install_box(work / "root", board)
        print(f"installed in {time.monotonic() - start:.0f} s", flush=True)
        make_image(work / "root", image)
    machine = Machine(work / "tools", work / "run", BOARDS[board])
    pictures.mkdir(parents=True, exist_ok=True)
    failed = 0
    try:
        print(f"booted in {machine.boot():.0f} s", flush=True)
        box = MachineBox(machine, pictures)
        if "--again" in words:
            box.wait_for_home()
        for scenario in chosen:
            before = time.monotonic()
            try:
                scenario(box)
                print(f"pass {scenario.__name__} ({time.monotonic() - before:.0f} s)", flush=True)
            except (ContainerError, ThrowlockError, OSError) as error:
                failed += 1
                print(f"FAIL {scenario.__name__}: {error}", flush=True)
                if not machine.is_running:
                    print(machine.console()[-2000:])
                    break
                print(f"{box.page()}\n{box.log()[-3000:]}", flush=True)
                with suppress(ContainerError):
                    box.go_home()  # gives up the match that the scenario left
        if machine.is_running:
            (pictures / "throwlock.log").write_text(box.log())
    finally:
        machine.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
