"""Tests of ``systemd/install`` and the units: its dry run on every supported machine, and real runs into a directory
with the system's commands replaced by stubs that log their calls."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


class Machine:
    """A machine to install on, with a folder in place of its root."""

    def __init__(self, folder: Path) -> None:
        self.root, self.bin, self.calls = folder / "root", folder / "bin", folder / "calls"
        for path in (self.root, self.bin, self.root / "usr/local/bin"):
            path.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        for name in ("apt-get", "useradd", "userdel", "usermod", "getent", "systemctl", "chown"):
            self.stub(name, STUB)
        # install -o needs root; everything else is done for real
        self.stub("install", INSTALL)

    def stub(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def run(
        self, *args: str, system: str = "bookworm", processor: str = "pi-5", **environment: str
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
            "THROWLOCK_MACHINE": "aarch64",
            "THROWLOCK_PYTHON": str(self.bin / "python3"),
        } | environment
        return subprocess.run(
            [str(ROOT / "systemd/install"), *args], env=environ, capture_output=True, text=True, check=False
        )

    def printed(self, *args: str, **environment: str) -> str:
        """Return its output with the test folders replaced by their usual names."""
        done = self.run(*args, **environment)
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
    assert all(call.startswith("getent ") for call in calls)


def test_upgrade_and_uninstall_keep_journal_and_settings(machine: Machine) -> None:
    assert machine.printed("--uninstall", "--dry-run") == (GOLDEN / "uninstall.txt").read_text()
    assert machine.printed("--uninstall", "--purge", "--dry-run") == (GOLDEN / "purge.txt").read_text()
    for folder in ("etc/throwlock", "var/lib/throwlock", "opt/throwlock/venv/bin", "etc/systemd/system"):
        (machine.root / folder).mkdir(parents=True)
    settings, journal = (
        machine.root / "etc/throwlock/throwlock.toml",
        machine.root / "var/lib/throwlock/throwlock.journal",
    )
    settings.write_text('[screen]\nlanguage = "de"\n')
    journal.write_bytes(b"the journal")
    (machine.root / "etc/systemd/system/throwlock.service").write_text("old")
    machine.stub("python", '#!/bin/sh\necho "venv $*" >> "$CALLS"\n')
    shutil.move(machine.bin / "python", machine.root / "opt/throwlock/venv/bin/python")
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert "throwlock.toml\n" in done.stdout and "keeping " in done.stdout
    assert settings.read_text().startswith("[screen]") and journal.read_bytes() == b"the journal"
    unit = machine.root / "etc/systemd/system/throwlock.service"
    assert unit.read_text() == (ROOT / "systemd/throwlock.service").read_text()
    calls = machine.calls.read_text().splitlines()
    assert "systemctl restart throwlock.service" in calls and not any("useradd" in call for call in calls)
    assert not any("review" in call for call in calls if "enable" in call), "the review service stays disabled"
    assert any("pip install" in call and "--require-hashes" in call and "bookworm.lock" in call for call in calls)
    assert machine.run("--uninstall").returncode == 0
    assert settings.exists() and journal.exists() and not unit.exists()
    assert not (machine.root / "opt/throwlock").exists()
    assert machine.run("--uninstall", "--purge").returncode == 0
    assert not settings.exists() and not journal.exists()


def test_old_processor_gets_the_old_mediapipe(machine: Machine) -> None:
    """Even if /proc/cpuinfo does not show it: the import aborts its process."""
    venv = machine.root / "opt/throwlock/venv/bin"
    venv.mkdir(parents=True)
    (machine.root / "etc/throwlock").mkdir(parents=True)
    (machine.root / "etc/throwlock/throwlock.toml").write_text("")
    aborts = 'if [ "$2" = "import mediapipe" ] && ! grep -q bookworm-pi-4.lock "$CALLS"; then kill -ILL $$; fi\n'
    (venv / "python").write_text(f'#!/bin/sh\n{aborts}echo "venv $*" >> "$CALLS"\n')
    (venv / "python").chmod(0o755)
    done = machine.run()
    assert done.returncode == 0, done.stderr
    assert f"does not run on this processor: installing from {ROOT}/requirements/bookworm-pi-4.lock" in done.stdout
    machine.calls.unlink()
    trixie = machine.run(system="trixie")
    assert trixie.returncode == 2 and "use Raspberry Pi OS Bookworm" in trixie.stderr


@pytest.mark.parametrize(
    ("args", "environment", "message"),
    [
        (["--dry"], {}, "unknown option --dry"),
        (["--purge"], {}, "--purge needs --uninstall"),
        ([], {"THROWLOCK_MACHINE": "armv7l"}, "needs the 64-bit Raspberry Pi OS"),
        ([], {"system": "VERSION_CODENAME=bullseye\n"}, "this is bullseye"),
        ([], {"system": "NAME=Other\n"}, "this is an unknown system"),
        ([], {"system": "trixie", "processor": "pi-4"}, "use Raspberry Pi OS Bookworm, or a Pi 5"),
    ],
)
def test_unusable_systems_and_options_are_one_line_errors(
    machine: Machine, args: list[str], environment: dict[str, str], message: str
) -> None:
    done = machine.run(*args, **environment)
    assert done.returncode == 2 and message in done.stderr and len(done.stderr.splitlines()) == 1
    assert not list(machine.root.rglob("*throwlock*"))


def test_help_is_printed_and_shellcheck_passes() -> None:
    done = subprocess.run([str(ROOT / "systemd/install"), "--help"], capture_output=True, text=True, check=True)
    assert "--dry-run" in done.stdout and "--uninstall" in done.stdout
    if shellcheck := shutil.which("shellcheck"):
        assert subprocess.run([shellcheck, str(ROOT / "systemd/install")], check=False).returncode == 0


UNITS = ("throwlock.service", "throwlock-review.service")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not on this machine")
@pytest.mark.parametrize("unit", UNITS)
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


def test_units_start_existing_commands() -> None:
    for unit in UNITS:
        line = next(
            line for line in (ROOT / "systemd" / unit).read_text().splitlines() if line.startswith("ExecStart=")
        )
        command = line.split()[1:]
        help_command = [sys.executable, "-c", "from throwlock.cli.main import main; main()", *command, "--help"]
        done = subprocess.run(help_command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and command[0] in done.stdout
