"""Tests of ``systemd/install`` and the units: its dry run on every supported machine, and real runs into a directory
with the system's commands replaced by stubs that log their calls."""

import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from device.system.processes import describe_exit

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
SYSTEMS = {"bookworm": "VERSION_CODENAME=bookworm\nID=debian\n", "trixie": 'VERSION_CODENAME="trixie"\n'}
PROCESSORS = {
    "pi-5": "Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp\n",
    "pi-4": "Features\t: fp asimd evtstrm crc32 cpuid\n",
}
STUB = """#!/bin/sh
echo "$(basename "$0") $*" >> "$CALLS"
case "$(basename "$0") $1 $2" in
"getent passwd throwlock") exit "${NO_USER:-0}" ;;
"getent group "*) exit 0 ;;
"systemctl show --property") echo "${STATUS_TEXT:-}" ;;
"systemctl get-default "*) echo "${DEFAULT_TARGET:-multi-user.target}" ;;
"dpkg --print-architecture "*) echo "$ARCHITECTURE" ;;
"df "*) printf 'Avail\n  %s\n' "${FREE_MB:-10000}" ;;
esac
"""
INSTALL = """#!/bin/bash
args=()
while (($#)); do
    case "$1" in -o | -g) shift 2 ;; *) args+=("$1"); shift ;; esac
done
exec /usr/bin/install "${args[@]}"
"""
pytestmark = pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash on this machine")


READ_ONLY = ("getent ", "dpkg --print-architecture", "df ", "systemctl get-default")
"""The calls with which the installer looks at the machine."""


class Machine:
    """A machine to install on, with a folder in place of its root."""

    def __init__(self, folder: Path) -> None:
        self.root, self.bin, self.calls = folder / "root", folder / "bin", folder / "calls"
        for path in (self.root, self.bin, self.root / "usr/local/bin"):
            path.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        users = ("useradd", "userdel", "usermod", "getent", "runuser", "chown")
        for name in ("apt-get", "dpkg", "df", "systemctl", "journalctl", *users):
            self.stub(name, STUB)
        # install -o needs root; everything else is done for real
        self.stub("install", INSTALL)

    def install_environment(self, python: str = '#!/bin/sh\necho "venv $*" >> "$CALLS"\n', minor: int = 11) -> Path:
        """Make a virtual environment as an earlier installation leaves it, with a stub of its Python; return it."""
        venv = self.root / "opt/throwlock/venv"
        (venv / "bin").mkdir(parents=True)
        (venv / f"lib/python3.{minor}").mkdir(parents=True)
        (venv / "complete").touch()
        (venv / "bin/python").write_text(python)
        (venv / "bin/python").chmod(0o755)
        (self.root / "etc/throwlock").mkdir(parents=True)
        (self.root / "etc/throwlock/throwlock.toml").write_text('[screen]\nlanguage = "de"\n')
        return venv

    def stub(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def run(
        self,
        *args: str,
        system: str = "bookworm",
        processor: str = "pi-5",
        installer: Path = ROOT / "systemd/install",
        **environment: str,
    ) -> "subprocess.CompletedProcess[str]":
        (self.folder / "os-release").write_text(SYSTEMS.get(system, system))
        (self.folder / "cpuinfo").write_text(PROCESSORS[processor])
        environ = {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "CALLS": str(self.calls),
            "THROWLOCK_ROOT": str(self.root),
            "THROWLOCK_OS_RELEASE": str(self.folder / "os-release"),
            "THROWLOCK_CPUINFO": str(self.folder / "cpuinfo"),
            "ARCHITECTURE": "arm64",
            "THROWLOCK_PYTHON": str(self.bin / "python3"),
        } | environment
        return subprocess.run([str(installer), *args], env=environ, capture_output=True, text=True, check=False)

    def printed(self, *args: str, **options: Any) -> str:
        """Return its output with the test folders replaced by their usual names."""
        done = self.run(*args, **options)
        assert done.returncode == 0, done.stderr
        return (
            done.stdout.replace(str(self.root), "")
            .replace(str(ROOT), "HERE")
            .replace(f"{self.bin}/python3", "/usr/bin/python3")
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.stub("python3", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    return machine


@pytest.mark.parametrize(
    ("name", "system", "processor"),
    [("bookworm-pi-5", "bookworm", "pi-5"), ("bookworm-pi-4", "bookworm", "pi-4"), ("trixie-pi-5", "trixie", "pi-5")],
)
def test_dry_run_prints_every_step_and_changes_nothing(
    machine: Machine, name: str, system: str, processor: str
) -> None:
    output = machine.printed("--dry-run", system=system, processor=processor, NO_USER="2")
    assert output == (GOLDEN / f"{name}.txt").read_text()
    assert not list(machine.root.rglob("*throwlock*"))
    assert ("requirements/bookworm-pi-4.lock" in output) == (processor == "pi-4")
    calls = machine.calls.read_text().splitlines()
    assert all(call.startswith(READ_ONLY) for call in calls)


def test_upgrade_and_uninstall_keep_journal_and_settings(machine: Machine) -> None:
    assert machine.printed("--uninstall", "--dry-run") == (GOLDEN / "uninstall.txt").read_text()
    assert machine.printed("--uninstall", "--purge", "--dry-run") == (GOLDEN / "purge.txt").read_text()
    machine.install_environment()
    for folder in ("var/lib/throwlock", "etc/systemd/system"):
        (machine.root / folder).mkdir(parents=True)
    settings, journal = (
        machine.root / "etc/throwlock/throwlock.toml",
        machine.root / "var/lib/throwlock/throwlock.journal",
    )
    journal.write_bytes(b"the journal")
    (machine.root / "etc/systemd/system/throwlock.service").write_text("old")
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert "throwlock.toml\n" in done.stdout and "keeping " in done.stdout
    assert settings.read_text().startswith("[screen]") and journal.read_bytes() == b"the journal"
    unit = machine.root / "etc/systemd/system/throwlock.service"
    assert unit.read_text() == (ROOT / "systemd/throwlock.service").read_text()
    calls = machine.calls.read_text().splitlines()
    assert "systemctl restart throwlock.service" in calls and not any("useradd" in call for call in calls)
    assert not any("review" in call for call in calls if "enable" in call), "the review service stays disabled"
    stopped, changed = (
        next(place for place, call in enumerate(calls) if start in call) for start in ("stop throwlock", "pip install")
    )
    assert stopped < changed, "the program changes while nobody plays"
    assert not any("venv --clear" in call for call in calls)
    assert any("pip install" in call and "--require-hashes" in call and "bookworm.lock" in call for call in calls)
    assert machine.run("--uninstall").returncode == 0
    assert settings.exists() and journal.exists() and not unit.exists()
    assert not (machine.root / "opt/throwlock").exists()
    assert machine.run("--uninstall", "--purge").returncode == 0
    assert not settings.exists() and not journal.exists()


def test_old_processor_gets_the_old_mediapipe(machine: Machine) -> None:
    """Even if /proc/cpuinfo does not show it: the hand model stops at an instruction that it lacks."""
    stops = f'echo "mediapipe stopped ({describe_exit(-signal.SIGILL)})" >&2; exit 1'
    fails = f'[ "$3" != hand ] || grep -q bookworm-pi-4.lock "$CALLS" || {{ {stops}; }}'
    venv = machine.install_environment(f'#!/bin/sh\n{fails}\necho "venv $*" >> "$CALLS"\n')
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert f"does not run on this processor: installing from {ROOT}/requirements/bookworm-pi-4.lock" in done.stdout
    machine.calls.unlink()
    (venv / "lib/python3.13").mkdir()
    trixie = machine.run(system="trixie")
    assert trixie.returncode == 2 and '"Raspberry Pi OS (Legacy, 64-bit) Lite", which is Bookworm' in trixie.stderr


@pytest.mark.parametrize("reason", ["it aborted, SIGABRT", "rendered rock read as paper"])
def test_a_hand_model_that_fails_otherwise_ends_the_installation(machine: Machine, reason: str) -> None:
    venv = machine.install_environment(f'#!/bin/sh\n[ "$3" != hand ] || {{ echo "{reason}" >&2; exit 1; }}\n')
    done = machine.run()
    assert done.returncode == 2 and f"the hand model does not run here: {reason} (all of it: " in done.stderr
    assert "pi-4" not in done.stdout and not (venv / "complete").exists()


def test_an_interrupted_installation_continues(machine: Machine) -> None:
    """Packages that are whole stay; the script that looks for damaged ones is the last judge of that."""
    venv = machine.install_environment()
    (venv / "complete").unlink()
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert "Continuing the installation that was interrupted" in done.stdout
    calls = machine.calls.read_text()
    assert "--clear" not in calls and (venv / "complete").exists()
    assert calls.index("doctor/damaged_packages.py") < calls.index("-m pip --version") < calls.index("-m pip install")


@pytest.mark.parametrize("fault", ["older Python", "damaged_packages.py", "-m pip --version"])
def test_environment_that_cannot_be_used_is_made_anew(machine: Machine, fault: str) -> None:
    """The system was upgraded, or a power cut damaged what repairs the rest."""
    python = f'#!/bin/sh\ncase "$*" in *"{fault}") exit 1 ;; esac\n'
    venv = machine.install_environment(python, minor=9 if fault == "older Python" else 11)
    (venv / "complete").unlink()
    machine.stub(
        "python3",
        f'#!/bin/sh\necho "python3 $*" >> "$CALLS"\nmkdir -p {venv}/lib/python3.11\n',
    )
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert f"python3 -m venv --clear --system-site-packages {venv}" in machine.calls.read_text()
    assert (venv / "complete").exists()


def test_environment_is_not_complete_while_packages_are_installed(machine: Machine) -> None:
    fails = '#!/bin/sh\necho "No space left on device"; exit 1\n'
    venv = machine.install_environment(fails)
    done = machine.run()
    assert "the Python packages: the disk is full" in done.stderr and done.returncode == 2
    assert not (venv / "complete").exists()


def test_without_a_screen_the_box_waits_for_one(machine: Machine) -> None:
    machine.install_environment()
    done = machine.run(STATUS_TEXT="waiting for a screen")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("No screen is connected: the box starts by itself when one is.\n")


def test_box_that_does_not_start_is_no_failed_installation(machine: Machine) -> None:
    machine.install_environment()
    machine.stub("systemctl", STUB + '[ "$1" != restart ] || exit 1\n')
    machine.stub("journalctl", "#!/bin/sh\necho 'no camera picamera2:0'\n")
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("has not started yet, and tries again by itself: no camera picamera2:0\n")
    machine.stub("systemctl", STUB)
    assert machine.run().stdout.endswith("The box is on its screen.\n")


def test_missing_parts_are_told_before_the_box_has_them(machine: Machine) -> None:
    machine.install_environment()
    machine.stub(
        "runuser",
        STUB + "echo 'ok       disk       12 GB'\necho 'broken   camera     no camera picamera2:0'\n"
        "echo 'missing  screen     none'\nexit 1\n",
    )
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert "What throwlock doctor found:\nbroken   camera     no camera picamera2:0\nThrowlock is" in done.stdout
    calls = machine.calls.read_text().splitlines()
    (doctor,) = (place for place, call in enumerate(calls) if call.startswith("runuser -u throwlock -- env "))
    assert "THROWLOCK_SETTINGS=/etc/throwlock/throwlock.toml" in calls[doctor] and calls[doctor].endswith("doctor")
    assert calls.index("systemctl stop throwlock.service") < doctor < calls.index("systemctl restart throwlock.service")


def test_desktop_is_switched_off_and_on_again(machine: Machine) -> None:
    machine.install_environment()
    done = machine.run(DEFAULT_TARGET="graphical.target")
    assert done.returncode == 0, done.stderr
    assert "The desktop is switched off from now on" in done.stdout and "on its screen" in done.stdout
    calls = machine.calls.read_text().splitlines()
    assert "systemctl --quiet set-default multi-user.target" in calls and "systemctl isolate multi-user.target" in calls
    assert "systemctl restart throwlock.service" not in calls
    assert "The desktop" not in machine.run().stdout, "an upgrade finds it off, and remembers"
    machine.calls.unlink()
    removed = machine.run("--uninstall")
    assert "systemctl --quiet set-default graphical.target" in machine.calls.read_text()
    assert "The desktop starts again" in removed.stdout


def test_default_target_of_a_lite_image_stays(machine: Machine) -> None:
    machine.install_environment()
    machine.stub("systemctl", STUB + '[ "$1" != cat ] || exit 1\n')  # no display manager
    assert "The desktop" not in machine.run(DEFAULT_TARGET="graphical.target").stdout
    assert machine.run("--uninstall").returncode == 0
    assert "set-default" not in machine.calls.read_text()


@pytest.mark.parametrize(
    ("printed", "line"),
    [
        (
            "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (apt)",
            "another program is installing packages (see ps): wait until it has finished, then run this again",
        ),
        (
            "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem.",
            "an installation was cut off earlier: run sudo dpkg --configure -a, then run this again",
        ),
        (
            "E: You don't have enough free space in /var/cache/apt/archives/.",
            "the package lists: the disk is full: free some space, or use a larger card, then run this again",
        ),
        (
            "W: Failed to fetch InRelease  Temporary failure resolving host",
            "the package lists: the download failed: check the network (ping raspberrypi.com), then run this again",
        ),
        (
            "note: This is an issue with network connectivity, not pip.",
            "the package lists: the download failed: check the network (ping raspberrypi.com), then run this again",
        ),
        (
            "E: Release file for /var/lib/apt/lists is not valid yet (invalid for another 3d 2h).",
            "the package lists: the clock is wrong: connect the network, wait a minute, then run this again",
        ),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
            "the package lists: a download was damaged: check the network, then run this again",
        ),
        (
            "E: Unable to locate package python3-picamera2",
            "the package lists: they are not in the package lists: is this Raspberry Pi OS?",
        ),
        ("E: something new\n", "the package lists: E: something new (all of it: LOG)"),
        ("", "the package lists: no reason was given (all of it: LOG)"),
    ],
)
def test_a_failed_step_is_one_clear_line(machine: Machine, printed: str, line: str) -> None:
    (machine.folder / "printed").write_text(f"Reading package lists...\n{printed}\n" if printed else "")
    machine.stub("apt-get", f"#!/bin/sh\ncat {machine.folder}/printed\nexit 100\n")
    done = machine.run()
    assert done.returncode == 2
    log = machine.root / "var/log/throwlock-install.log"
    assert done.stderr == f"throwlock install: {line.replace('LOG', str(log))}\n"
    assert not (machine.root / "opt/throwlock").exists()


def test_only_one_installation_runs(machine: Machine) -> None:
    log = machine.root / "var/log/throwlock-install.log"
    log.parent.mkdir(parents=True)
    with log.open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = machine.run()
    assert done.returncode == 2 and "another installation is running" in done.stderr


def test_installed_copy_uninstalls_and_does_nothing_else(machine: Machine) -> None:
    machine.install_environment()
    assert machine.run().returncode == 0
    copy = machine.root / "opt/throwlock/share/install"
    refused = machine.run(installer=copy)
    assert refused.returncode == 2 and "can only --roll-back and --uninstall" in refused.stderr
    assert machine.run("--uninstall", installer=copy).returncode == 0
    assert not copy.exists()


def test_roll_back_exchanges_the_two_versions_and_touches_no_journal(machine: Machine) -> None:
    machine.install_environment()
    share, venv = machine.root / "opt/throwlock/share", machine.root / "opt/throwlock/venv"
    journal = machine.root / "var/lib/throwlock/throwlock.journal"
    journal.parent.mkdir(parents=True)
    journal.write_bytes(b"the journal")
    shutil.copytree(ROOT / "systemd", share / "systemd")
    (share / "systemd/throwlock.service").write_text("the unit before\n")
    before = venv / "lib/python3.11/site-packages/throwlock-0.0.9.dist-info"
    before.mkdir(parents=True)
    assert machine.run().returncode == 0
    unit = machine.root / "etc/systemd/system/throwlock.service"
    assert unit.read_text() == (ROOT / "systemd/throwlock.service").read_text()
    (before.parent / "newer.py").touch()
    before.rmdir()
    first = machine.run("--roll-back", installer=share / "install")
    assert first.returncode == 0, first.stderr
    assert "Throwlock 0.0.9 is installed again" in first.stdout
    assert unit.read_text() == "the unit before\n" and not (before.parent / "newer.py").exists()
    assert (machine.root / "etc/throwlock/throwlock.toml").exists() and journal.read_bytes() == b"the journal"
    assert machine.run("--roll-back").returncode == 0
    assert unit.read_text() == (ROOT / "systemd/throwlock.service").read_text()
    assert (before.parent / "newer.py").exists()


def test_roll_back_continues_after_a_power_cut(machine: Machine) -> None:
    opt = machine.root / "opt/throwlock"
    for part in ("newer/venv", "venv/lib", "previous/share/systemd", "share"):
        (opt / part).mkdir(parents=True)
    for name in ("throwlock.service", "throwlock-review.service", "throwlock.rules"):
        shutil.copy(ROOT / "systemd" / name, opt / "previous/share/systemd")
    (machine.root / "etc/systemd/system").mkdir(parents=True)
    assert machine.run("--roll-back").returncode == 0
    assert (opt / "share/systemd/throwlock.service").exists() and (opt / "previous/share").is_dir()
    assert not (opt / "newer").exists()


def test_reinstalling_the_same_version_keeps_the_one_before(machine: Machine) -> None:
    venv = machine.install_environment()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    (venv / f"lib/python3.11/site-packages/throwlock-{version}.dist-info").mkdir(parents=True)
    (machine.root / "opt/throwlock/share/systemd").mkdir(parents=True)
    (machine.root / "opt/throwlock/previous/venv").mkdir(parents=True)
    assert machine.run().returncode == 0
    assert not list((machine.root / "opt/throwlock/previous/venv").iterdir())


def test_damaged_archive_is_refused_before_anything_changes(machine: Machine, tmp_path: Path) -> None:
    unpacked = tmp_path / "throwlock"
    (unpacked / "systemd").mkdir(parents=True)
    shutil.copy(ROOT / "systemd/install", unpacked / "systemd")
    (unpacked / "pyproject.toml").write_text("cut off")
    (unpacked / "SHA256SUMS").write_text(f"{hashlib.sha256(b'whole').hexdigest()}  pyproject.toml\n")
    done = machine.run(installer=unpacked / "systemd/install")
    assert done.returncode == 2 and "download the archive again" in done.stderr
    assert not machine.calls.exists()


@pytest.mark.parametrize(
    ("args", "environment", "message"),
    [
        (["--dry"], {}, "unknown option --dry"),
        (["--purge"], {}, "--purge needs --uninstall"),
        (
            [],
            {"ARCHITECTURE": "armhf"},  # also where the kernel has 64 bits
            'a 32-bit system (armhf): write "Raspberry Pi OS Lite (64-bit)" to the card with Raspberry Pi Imager',
        ),
        (["--roll-back"], {}, "no earlier version is kept"),
        ([], {"FREE_MB": "2699"}, "the disk has 2699 MB free, and installing needs 2700"),
        ([], {"system": "VERSION_CODENAME=bullseye\n"}, "this is bullseye"),
        ([], {"system": "NAME=Other\n"}, "this is an unknown system"),
        (
            [],
            {"system": "trixie", "processor": "pi-4"},
            'write "Raspberry Pi OS (Legacy, 64-bit) Lite", which is Bookworm, to the card with',
        ),
    ],
)
def test_unusable_systems_and_options_are_one_line_errors(
    machine: Machine, args: list[str], environment: dict[str, Any], message: str
) -> None:
    done = machine.run(*args, **environment)
    assert done.returncode == 2 and message in done.stderr and len(done.stderr.splitlines()) == 1
    assert not list(machine.root.rglob("*throwlock*"))


def test_help_is_printed_and_shellcheck_passes() -> None:
    done = subprocess.run([str(ROOT / "systemd/install"), "--help"], capture_output=True, text=True, check=True)
    assert "--dry-run" in done.stdout and "--uninstall" in done.stdout
    if shellcheck := shutil.which("shellcheck"):
        assert subprocess.run([shellcheck, str(ROOT / "systemd/install")], check=False).returncode == 0


UNIT_FILES = ("throwlock.service", "throwlock-review.service", "throwlock-hub.service")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not on this machine")
@pytest.mark.parametrize("unit", UNIT_FILES)
def test_systemd_accepts_the_units_and_rates_them_safe(unit: str, tmp_path: Path) -> None:
    path = tmp_path / unit  # the program it starts is not on this machine
    text = (ROOT / "systemd" / unit).read_text()
    path.write_text(text.replace("/opt/throwlock/venv/bin/throwlock", "/bin/true"))
    command = ["systemd-analyze", "verify", "--recursive-errors=no", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and unit not in done.stderr, done.stderr
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=20", "--no-pager", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    path.write_text(text + "\n[Service]\nNoSuchKey=1\n")
    command = ["systemd-analyze", "verify", "--recursive-errors=no", str(path)]
    assert "NoSuchKey" in subprocess.run(command, capture_output=True, text=True, check=False).stderr


def test_the_box_is_started_again_whatever_happens() -> None:
    """On systemd 252 and later alike: none of the keys below is newer. The pauses between starts are the box's own."""
    lines = (ROOT / "systemd/throwlock.service").read_text().splitlines()
    assert {"Restart=always", "StartLimitIntervalSec=0", "RuntimeDirectoryPreserve=restart"} <= set(lines)
    assert not any(line.startswith(("StartLimitBurst=", "RestartSteps=", "RestartMaxDelaySec=")) for line in lines)


def test_units_start_existing_commands() -> None:
    for unit in UNIT_FILES:
        line = next(
            line for line in (ROOT / "systemd" / unit).read_text().splitlines() if line.startswith("ExecStart=")
        )
        command = line.split()[1:]
        help_command = [sys.executable, "-c", "from throwlock.cli.main import main; main()", *command, "--help"]
        done = subprocess.run(help_command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and command[0] in done.stdout
