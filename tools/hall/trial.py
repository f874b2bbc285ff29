"""A whole hall in a folder: Mosquitto with the hall's own accounts and certificates, PostgreSQL, and hubs."""

import logging
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from psycopg import Connection

from errors import ThrowlockError
from throwlock.hall.membership import Membership, read_membership
from throwlock.hub.database import connect
from throwlock.hub.pages.access import set_public
from throwlock.hub.setup import add_boxes, prepare
from tools.hall.servers import HubProcess, Mosquitto, Postgres

HOST = "127.0.0.1"


@contextmanager
def hall_command() -> Iterator[None]:
    """Run a command that starts servers: they are stopped before it ends, also with Ctrl-C or SIGTERM, and its errors
    are one line."""
    logging.basicConfig(level=logging.ERROR)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except ThrowlockError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


@contextmanager
def trial_folder(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder for a trial, by default in the usual place for temporary ones, and remove it afterwards."""
    with tempfile.TemporaryDirectory(prefix="throwlock-hall-", dir=parent, ignore_cleanup_errors=True) as name:
        yield Path(name)


class TrialHall:
    """A hall called ``name`` with ``boxes`` boxes and ``hubs`` hubs, which runs until it is left. Its results are open
    to everybody on this machine.

    with TrialHall(folder, "Trial", boxes=8) as hall:
        Fleet(hall.memberships, …)
    """

    def __init__(self, folder: Path, name: str, boxes: int, hubs: int = 1) -> None:
        self.folder = folder / "hall"
        self.broker = Mosquitto(folder / "broker", f"include_dir {self.folder / 'broker'}\n")
        self.database = Postgres(folder / "database")
        self.hubs = [HubProcess(folder / f"hub-{number}", self.folder, number) for number in range(1, hubs + 1)]
        self.memberships: list[Membership] = []
        self._name, self._tables = name, {f"box-{number}": f"Table {number}" for number in range(1, boxes + 1)}
        self._exit_stack = ExitStack()

    def __enter__(self) -> Self:
        """Raises ServerMissingError, ServerStartError."""
        with ExitStack() as started:
            started.enter_context(self.database)
            prepare(self.folder, self._name, [HOST], self.broker.port, self.database.dsn)
            self.memberships = [read_membership(path) for path in add_boxes(self.folder, self._tables)]
            started.enter_context(self.broker)
            for hub in self.hubs:
                started.enter_context(hub)
            with self.connect() as connection:
                set_public(connection, public=True)
            self._exit_stack = started.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._exit_stack.__exit__(kind, error, trace)

    @property
    def page_address(self) -> str:
        """The address of the public page."""
        return f"http://{HOST}:{self.hubs[0].port}/"

    def connect(self) -> Connection:
        """Connect to the database."""
        return connect(self.database.dsn)
