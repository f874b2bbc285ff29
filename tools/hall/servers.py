"""Mosquitto and PostgreSQL of Debian's packages, started in a folder for a while and stopped again."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from typing_extensions import override

from errors import ThrowlockError

POSTGRES_FOLDERS = "/usr/lib/postgresql"
POSTGRES_USER = "postgres"
"""Who runs PostgreSQL where we are root, which it refuses."""
START_TIMEOUT_S, STOP_TIMEOUT_S = 30.0, 10.0
DATABASE = "hall"


class ServerMissingError(ThrowlockError):
    """A server is not installed. The message says which packages to install."""


class ServerStartError(ThrowlockError):
    """A server did not start. The message has the end of its log."""


def find_programs() -> tuple[Path, Path]:
    """Return the paths of mosquitto and of the folder with PostgreSQL's programs. Raises ServerMissingError."""
    mosquitto = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    folders = sorted(Path(POSTGRES_FOLDERS).glob("*/bin/initdb"), key=lambda one: float(one.parts[-3]))
    missing = [name for name, found in (("mosquitto", mosquitto), ("postgresql", folders)) if not found]
    if missing or mosquitto is None:
        raise ServerMissingError(f"this needs servers: sudo apt install {' '.join(missing)}")
    return Path(mosquitto), folders[-1].parent


def free_port() -> int:
    """Return a TCP port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class _Server:
    """A server's process. ``kill`` is a crash; after it, or ``stop``, ``start`` starts it again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.callback(self.stop)
            self.start()
            stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start it, and return when it answers."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ask it to stop, and wait. May be called twice."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Kill it at once."""
        self._end(signal.SIGKILL)

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal. Raises ServerStartError when it does not run."""
        if self._process is None:
            raise ServerStartError(f"{type(self).__name__} does not run")
        self._process.send_signal(number)

    def memory_bytes(self) -> int:
        """Return the memory that its processes have of their own: the private pages of each, and none twice."""
        return sum(map(_private_bytes, self._processes()))

    def cpu_s(self) -> float:
        """Return the processor time that its processes have used since it started."""
        return sum(map(_cpu_s, self._processes()))

    def _processes(self) -> list[int]:
        return [] if self._process is None else [self._process.pid, *_children(self._process.pid)]

    def _run(self, command: Sequence[str | Path], user: str | None = None) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, user=user, group=user, start_new_session=True
            )

    def _wait_until(self, is_ready: Callable[[], bool]) -> None:
        """Wait until it is ready. Raises ServerStartError."""
        end = time.monotonic() + START_TIMEOUT_S
        while not is_ready():
            if self._process is None or self._process.poll() is not None:
                raise ServerStartError(f"{type(self).__name__} ended: {self._log_end()}")
            if time.monotonic() > end:
                raise ServerStartError(f"{type(self).__name__} did not start: {self._log_end()}")
            time.sleep(0.1)

    def _log_end(self) -> str:
        lines = (self.folder / "log").read_text(errors="replace").strip().splitlines()
        return " / ".join(lines[-3:])

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        children = _children(process.pid) if how is signal.SIGKILL else []
        process.send_signal(how)
        for child in children:  # of PostgreSQL they are no longer of its group
            with suppress(ProcessLookupError):
                os.kill(child, how)
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(STOP_TIMEOUT_S)


class Mosquitto(_Server):
    """A broker on this machine's ``port``. ``config`` are further lines of its configuration."""

    def __init__(self, folder: Path, config: str = "listener {port} 127.0.0.1\nallow_anonymous true\n") -> None:
        super().__init__(folder)
        self.port = free_port()
        self._config = config

    @override
    def start(self) -> None:
        """Raises ServerMissingError, and ServerStartError with the end of its log."""
        self.folder.mkdir(parents=True, exist_ok=True)
        config = self.folder / "mosquitto.conf"
        config.write_text(
            f"persistence true\npersistence_location {self.folder}/\n" + self._config.format(port=self.port)
        )
        if os.geteuid() == 0:
            with config.open("a") as file:
                file.write("user root\n")
        self._run([find_programs()[0], "-c", config])
        self._wait_until(lambda: _is_open(self.port))

    def wipe(self) -> None:
        """Delete what a stopped broker has kept: sessions, retained messages, messages under way."""
        (self.folder / "mosquitto.db").unlink(missing_ok=True)


class Postgres(_Server):
    """A database server that only local sockets reach; the folder is created with a database ``hall``."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._user = POSTGRES_USER if os.geteuid() == 0 else None

    @property
    def dsn(self) -> str:
        """How psycopg connects."""
        user = self._user or pwd.getpwuid(os.geteuid()).pw_name
        return f"host={self.folder} user={user} dbname={DATABASE}"

    @property
    def url(self) -> str:
        """The same as a URL."""
        user = self._user or pwd.getpwuid(os.geteuid()).pw_name
        return f"postgresql://{user}@/{DATABASE}?host={self.folder}"

    @override
    def start(self) -> None:
        """Raises ServerMissingError, and ServerStartError with the end of its log."""
        programs, data = find_programs()[1], self.folder / "data"
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._user:
            _let_in(self.folder, self._user)
        is_new = not data.exists()
        if is_new:
            self._call([programs / "initdb", "--auth=trust", "--encoding=UTF8", "--no-locale", "--pgdata", data])
        self._run(
            [programs / "postgres", "-D", data, "-k", self.folder, "-c", "listen_addresses="],
            self._user,
        )
        ready: list[str | Path] = [programs / "pg_isready", "--quiet", "--host", self.folder, "--timeout", "1"]
        self._wait_until(lambda: subprocess.run(ready, check=False, timeout=10).returncode == 0)
        if is_new:
            self._call([programs / "createdb", "--host", self.folder, DATABASE])

    @override
    def stop(self) -> None:
        """Open connections are closed."""
        self._end(signal.SIGINT)  # SIGTERM would wait for the clients

    def dump(self) -> None:
        """Keep a copy of the database for ``restore``."""
        self._call([self._program("pg_dump"), "-h", self.folder, "-Fc", "-f", self.folder / "dump", DATABASE])

    def restore(self) -> None:
        """Put the database back as it was at ``dump``: as another one, and then at once in its place. Whoever is
        connected loses the connection, and nobody sees half of it."""
        restored = f"{DATABASE}_restored"
        self._call([self._program("createdb"), "-h", self.folder, restored])
        self._call([self._program("pg_restore"), "-h", self.folder, "-d", restored, self.folder / "dump"])
        swap = [f"DROP DATABASE {DATABASE} WITH (FORCE)", f"ALTER DATABASE {restored} RENAME TO {DATABASE}"]
        options = [word for statement in swap for word in ("-c", statement)]
        self._call([self._program("psql"), "-q", "-h", self.folder, "-d", "postgres", *options])

    def _program(self, name: str) -> Path:
        return find_programs()[1] / name

    def _call(self, command: Sequence[str | Path]) -> None:
        done = subprocess.run(
            command, capture_output=True, check=False, user=self._user, group=self._user, timeout=60, cwd=self.folder
        )
        if done.returncode:
            raise ServerStartError(f"{Path(command[0]).name}: {done.stderr.decode().strip()}")


class HubProcess(_Server):
    """Hub ``number`` of the hall in ``hall``, as ``throwlock hall run`` runs it; its log is in ``folder``. The first
    serves the pages, at ``port``."""

    def __init__(self, folder: Path, hall: Path, number: int) -> None:
        super().__init__(folder)
        self.port = free_port()
        self._hall = hall
        self._number = number

    @override
    def start(self) -> None:
        """Raises ServerStartError with the end of its log."""
        self.folder.mkdir(parents=True, exist_ok=True)
        log = self.folder / "log"
        started = log.stat().st_size if log.exists() else 0
        pages = ["--port", str(self.port)] if self._number == 1 else ["--no-pages"]
        number = ["--number", str(self._number)]
        self._run([sys.executable, "-um", "throwlock", "hall", "run", self._hall, *number, *pages])
        self._wait_until(lambda: b" runs, " in log.read_bytes()[started:])


def _is_open(port: int) -> bool:
    """Return whether something listens at a TCP port of this machine."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _let_in(folder: Path, user: str) -> None:
    """Give a folder to ``user``, who must be able to reach it."""
    shutil.chown(folder, user, user)
    for parent in folder.resolve().parents:
        if parent.stat().st_uid == os.geteuid() and not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o011)


def _children(process: int) -> list[int]:
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:  # it has ended
        return []
    direct = [int(one) for one in text.split()]
    return [*direct, *(deeper for child in direct for deeper in _children(child))]


def _cpu_s(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # with those of its children that have ended


def _private_bytes(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))
