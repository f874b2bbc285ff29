"""A hall's folder: what the broker reads, the hub's own settings, and a file for each box.

``hub.toml`` (the hub's settings), ``authority/`` (the certificate authority), ``boxes/`` (a file for each box to take)
and ``broker/``, which alone the broker has to read: ``mosquitto.conf``, ``acl``, ``passwords`` and certificates.
"""

import json
import os
import re
import secrets
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import tomlkit
from pydantic import Field, TypeAdapter, ValidationError

from device.system.input_files import MAX_TEXT_BYTES, read_input_file
from errors import ThrowlockError
from messages import shorten
from rules.record.event import Record
from throwlock.hall.homie import state_topics
from throwlock.hall.membership import Membership, read_membership, write_membership
from throwlock.hall.protocol import HOMIE_PREFIX, MAX_MESSAGE_BYTES, TOPIC_PREFIX, BoxId
from throwlock.hub.broker import BrokerAccess
from throwlock.hub.certificates import make_authority, make_broker_certificate, make_key
from throwlock.hub.database import connect, migrate, translate_errors
from throwlock.settings.model import write_durably
from ui.text.names import NameTextError, check_name

BROKER_GROUP = "mosquitto"
"""The system's group whose members may read ``broker/``: Debian's broker is one."""
MAX_HUBS = 8
"""Each hub has an account of its own, since the broker lets an account connect once."""
PASSWORD_BYTES = 24
PASSWORDS_TIMEOUT_S = 60
MAX_TABLE_LENGTH = 40
PACKET_OVERHEAD_BYTES = 1000
"""Of a packet besides its payload."""
BROKER_MEMORY_BYTES = 500_000_000
"""The most that the broker allocates: what ten boxes that flood it have retained, and more than any hall needs."""
DEFAULT_PORT = 8883
DEFAULT_DATABASE = "dbname=throwlock_hall"
SETTINGS_FILE = "hub.toml"
KEPT_FILES = SETTINGS_FILE, "authority/ca.key", "broker/server.pem", "broker/server.key", "broker/passwords"
"""Files of a hall's folder that nothing else has; the other ones are made from them, but for those in ``boxes/``."""
LOCAL_HOSTS = "localhost", "127.0.0.1"
HOST_PATTERN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?")
BOX_ID: TypeAdapter[str] = TypeAdapter(BoxId)
_CONFIG = """# Throwlock, the hall "{name}": of Mosquitto 2, written by throwlock hall prepare
listener {port}
certfile {folder}/server.pem
keyfile {folder}/server.key
tls_version tlsv1.2
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/acl
# An account connects once: nobody can push another off the broker with its client id.
use_username_as_clientid true
max_packet_size {packet}
# Boxes and hubs say everything again when they connect: a restart frees whatever somebody has made the broker keep.
persistence false
persistent_client_expiration 1h
# A message with QoS 2 stays in memory until its sender says otherwise, and nobody here sends one.
max_qos 1
# Of messages on their way to a client, and of those that wait for a slow one. Boxes send again what is dropped.
max_inflight_messages 100
max_inflight_bytes 16000000
max_queued_messages 10000
max_queued_bytes 32000000
# Of everything, subscriptions too, which have no limit of their own: the broker ends the connection of whoever asks for
# more, and the machine and its database go on.
memory_limit {memory}
"""
_HUB_ACL = """user {user}
topic read {prefix}/+/hello
topic read {prefix}/+/events
topic read {prefix}/+/pictures
topic write {prefix}/+/stored
topic write {prefix}/+/pairings
topic read {homie}/#
"""
_BOX_ACL = """# Every box, by the name of its account
pattern write {prefix}/%u/hello
pattern write {prefix}/%u/events
pattern write {prefix}/%u/pictures
pattern read {prefix}/%u/stored
pattern read {prefix}/%u/pairings
{states}
"""


class HallSetupError(ThrowlockError):
    """A hall's folder can't be read or written, or an argument is wrong. The message says which and how to fix it."""


class HubSettings(Record):
    """The hub's settings, ``hub.toml``."""

    hall: Annotated[str, Field(min_length=1, max_length=60)]
    hosts: Annotated[tuple[str, ...], Field(min_length=1)]
    """The broker's names or addresses; boxes use the first."""
    port: Annotated[int, Field(ge=1, le=65535)]
    broker: Annotated[str, Field(min_length=1, max_length=253)]
    """Where this hub reaches the broker."""
    ca: str
    password: Annotated[str, Field(min_length=1)]
    """Of the hubs' accounts."""
    group: Annotated[str, Field(pattern="^[^/+#]+$")]
    """Of the hubs' shared subscriptions. Boxes don't know it, so that none can take another's messages away."""
    database: Annotated[str, Field(min_length=1)]

    def broker_access(self, number: int) -> BrokerAccess:
        """Return how hub ``number``, from 1 to MAX_HUBS, reaches the broker."""
        user = _hub_user(number)
        return BrokerAccess(
            host=self.broker, port=self.port, ca=self.ca, user=user, password=self.password, group=self.group
        )


def _hub_user(number: int) -> str:
    return f"Hub-{number}"  # no box's id has a capital


def read_hub_settings(folder: Path) -> HubSettings:
    """Read the settings of the hub of a hall's folder. Raises HallSetupError."""
    path = folder / SETTINGS_FILE
    return parse_hub_settings(_read_file(path), path)


def parse_hub_settings(text: str, path: Path) -> HubSettings:
    """Return the settings that ``text``, which was read from ``path``, has. Raises HallSetupError."""
    try:
        return HubSettings.model_validate_json(json.dumps(tomllib.loads(text)))
    except ValidationError as error:
        where = shorten(".".join(map(str, error.errors()[0]["loc"])))
        raise HallSetupError(f"{path}: {where}: {error.errors()[0]['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise HallSetupError(f"{path} can't be read: {shorten(str(error))}") from error


def _read_file(path: Path) -> str:
    try:
        return read_input_file(path, MAX_TEXT_BYTES).decode()
    except FileNotFoundError as error:
        folder = path.parent if path.name == SETTINGS_FILE else path.parent.parent
        raise HallSetupError(f"{folder} is no hall's folder: throwlock hall prepare makes one") from error
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else shorten(str(error))
        raise HallSetupError(f"{path} can't be read: {why}") from error


def read_folder(folder: Path) -> dict[str, str]:
    """Return the files of a hall's folder that can't be made again, by their names in it. Raises HallSetupError."""
    boxes = sorted(f"boxes/{path.name}" for path in (folder / "boxes").glob("*.toml"))
    return {name: _read_file(folder / name) for name in (*KEPT_FILES, *boxes)}


@contextmanager
def staged_folder(folder: Path, files: Mapping[str, str], settings: HubSettings) -> Iterator[Callable[[], None]]:
    """Write the files of ``read_folder``, with ``settings``, next to those in ``folder``, and yield a function that
    puts them in the place of these. Without its call nothing has changed. Raises HallSetupError."""
    with _private_files(), os_errors():
        (folder / "broker").mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix="restored-", dir=folder))

        def put_in_place() -> None:
            for path in (folder / "boxes").glob("*.toml"):
                path.unlink()
            for path in sorted(path for path in staging.rglob("*") if path.is_file()):
                (folder / path.relative_to(staging)).parent.mkdir(exist_ok=True)
                path.replace(folder / path.relative_to(staging))
            _share_with_broker(folder)

        try:
            for name, text in files.items():
                write_durably(staging / name, text)
            write_durably(staging / SETTINGS_FILE, tomlkit.dumps(settings.model_dump(mode="json")))
            write_durably(staging / "broker/acl", _acl())
            write_durably(staging / "broker/mosquitto.conf", _broker_config(folder, settings))
            yield put_in_place
        finally:
            shutil.rmtree(staging)


def prepare(folder: Path, name: str, hosts: Sequence[str], port: int, database: str) -> None:
    """Make a hall's folder. One that is there keeps its authority, its accounts and its boxes: the broker gets a new
    certificate, for ``hosts``, and the files in ``boxes/`` the new address.

    Raises:
        HallSetupError: An argument is wrong, or the folder can't be written.
        CertificateError: openssl is missing or fails.
    """
    for host in hosts:
        if not HOST_PATTERN.fullmatch(host):
            raise HallSetupError(f"{shorten(host)} is no host's name or address")
    with _private_files(), os_errors():
        for path in (folder, folder / "broker", folder / "authority", folder / "boxes"):
            path.mkdir(parents=True, exist_ok=True)
        authority_key = folder / "authority/ca.key"
        if (folder / SETTINGS_FILE).exists():
            before = read_hub_settings(folder)
            ca, password, group = before.ca, before.password, before.group
        else:
            write_durably(authority_key, make_key())
            ca = make_authority(authority_key.read_text())
            password, group = _new_password(), f"hub-{secrets.token_hex(16)}"
        settings = _settings(
            hall=name, hosts=tuple(hosts), port=port, broker=LOCAL_HOSTS[0], ca=ca, password=password, group=group,
            database=database,
        )  # fmt: skip
        broker_key = make_key()
        certificate = make_broker_certificate(
            broker_key, tuple(dict.fromkeys([*hosts, *LOCAL_HOSTS])), authority_key.read_text(), ca
        )
        write_durably(folder / SETTINGS_FILE, tomlkit.dumps(settings.model_dump(mode="json")))
        _write_for_broker(folder / "broker/server.pem", certificate)
        _write_for_broker(folder / "broker/server.key", broker_key)
        _write_for_broker(folder / "broker/acl", _acl())
        _write_for_broker(folder / "broker/mosquitto.conf", _broker_config(folder, settings))
        _set_passwords(folder, {_hub_user(number): password for number in range(1, MAX_HUBS + 1)})
        for path in sorted((folder / "boxes").glob("*.toml")):
            moved = {"hall": settings.hall, "host": settings.hosts[0], "port": settings.port}
            write_membership(path, read_membership(path).model_copy(update=moved))


def add_box(folder: Path, box: str, table: str) -> Path:
    """Add a box to a hall, or give one that was added a new password. Returns the file that the box needs to join.
    See ``add_boxes``."""
    return add_boxes(folder, {box: table})[0]


def add_boxes(folder: Path, tables: Mapping[str, str]) -> list[Path]:
    """Add boxes, by id, with the names of their tables. Returns the files that they need to join, in the same order.
    The broker knows the boxes as soon as it has read ``passwords`` again.

    Raises:
        HallSetupError: An id or a name can't be used, or the folder can't be read or written.
        DatabaseError: The database can't be reached. Nothing was changed.
    """
    settings = read_hub_settings(folder)
    try:
        tables = {box: check_name(table, MAX_TABLE_LENGTH) for box, table in tables.items()}
    except NameTextError as error:
        raise HallSetupError(f"a table's name has 1 to {MAX_TABLE_LENGTH} letters: {error}") from None
    for box in tables:
        _check_box(box)
    migrate(settings.database)
    with connect(settings.database) as connection, translate_errors(), connection.transaction():
        for box, table in tables.items():
            connection.execute(
                "INSERT INTO box (id, table_name) VALUES (%s, %s) "
                "ON CONFLICT (id) DO UPDATE SET table_name = excluded.table_name, removed_at = NULL",
                (box, table),
            )
            connection.execute("SELECT pg_notify('pairings', %s)", (box,))
    passwords = {box: _new_password() for box in tables}
    paths = [folder / f"boxes/{box}.toml" for box in tables]
    with _private_files(), os_errors():
        _set_passwords(folder, passwords)
        for path, (box, password) in zip(paths, passwords.items(), strict=True):
            membership = Membership(
                hall=settings.hall, host=settings.hosts[0], port=settings.port, ca=settings.ca, box=box,
                password=password,
            )  # fmt: skip
            write_membership(path, membership)
    return paths


def remove_box(folder: Path, box: str) -> None:
    """Remove a box from a hall: nothing more is taken of it. What it has sent stays, and so do its results. Raises
    HallSetupError and DatabaseError."""
    settings = read_hub_settings(folder)
    _check_box(box)
    migrate(settings.database)
    with connect(settings.database) as connection, translate_errors(), connection.transaction():
        removed = connection.execute(
            "UPDATE box SET removed_at = now(), state = 'disconnected' WHERE id = %s AND removed_at IS NULL", (box,)
        ).rowcount
    with _private_files(), os_errors():
        _set_passwords(folder, {}, without=box)
        (folder / f"boxes/{box}.toml").unlink(missing_ok=True)
    if not removed:
        raise HallSetupError(f"there is no box {box}")


def _check_box(box: str) -> None:
    try:
        BOX_ID.validate_python(box)
    except ValidationError as error:
        raise HallSetupError(
            f"{shorten(box)} can't be a box's id: up to 32 small letters and digits, with single hyphens, as in box-7"
        ) from error


def _settings(**values: object) -> HubSettings:
    try:
        return HubSettings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise HallSetupError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _new_password() -> str:
    return secrets.token_urlsafe(PASSWORD_BYTES)


def _acl() -> str:
    hubs = [
        _HUB_ACL.format(user=_hub_user(number), prefix=TOPIC_PREFIX, homie=HOMIE_PREFIX)
        for number in range(1, MAX_HUBS + 1)
    ]
    # One by one: what is retained of a box, which the broker keeps in memory and on its disk, is so bounded too.
    states = "\n".join(f"pattern write {name}" for name in state_topics("%u"))
    return "\n".join([*hubs, _BOX_ACL.format(prefix=TOPIC_PREFIX, states=states)])


def _broker_config(folder: Path, settings: HubSettings) -> str:
    return _CONFIG.format(
        name=shorten(settings.hall), port=settings.port, folder=(folder / "broker").resolve(),
        packet=MAX_MESSAGE_BYTES + PACKET_OVERHEAD_BYTES, memory=BROKER_MEMORY_BYTES,
    )  # fmt: skip


def _set_passwords(folder: Path, new: Mapping[str, str], without: str = "") -> None:
    """Write the broker's password file anew, with the accounts in ``new`` and not ``without``. The passwords are hashed
    by mosquitto_passwd, which gets them in a file: others could read its arguments."""
    path = folder / "broker/passwords"
    lines = path.read_text().splitlines() if path.exists() else []
    kept = [line for line in lines if line.split(":")[0] not in {*new, without}]
    part = folder / "broker/passwords.new"
    part.write_text("".join(f"{user}:{password}\n" for user, password in new.items()))
    try:
        if new:
            _hash_passwords(part)
        _write_for_broker(path, "".join(f"{line}\n" for line in [*kept, *part.read_text().splitlines()]))
    finally:
        part.unlink()


def _hash_passwords(path: Path) -> None:
    try:
        done = subprocess.run(
            ["mosquitto_passwd", "-U", path], capture_output=True, text=True, check=False, timeout=PASSWORDS_TIMEOUT_S
        )
    except FileNotFoundError as error:
        raise HallSetupError("passwords are hashed by mosquitto_passwd: sudo apt install mosquitto") from error
    if done.returncode:
        raise HallSetupError(f"mosquitto_passwd: {shorten(done.stderr.strip(), 200)}")


def _write_for_broker(path: Path, text: str) -> None:
    write_durably(path, text)
    _share_with_broker(path.parent.parent)


def _share_with_broker(folder: Path) -> None:
    """Have the broker read the files of ``broker/`` too, if we may give them to the broker's group."""
    broker = folder / "broker"
    modes = {folder: 0o710, broker: 0o750} | {path: 0o640 for path in broker.iterdir() if path.suffix != ".new"}
    for path, mode in modes.items():
        path.chmod(mode)
        with suppress(LookupError, PermissionError):
            shutil.chown(path, group=BROKER_GROUP)


@contextmanager
def _private_files() -> Iterator[None]:
    """New files can be read by their owner only."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def os_errors() -> Iterator[None]:
    """Raise OSError as HallSetupError, with the file's name."""
    try:
        yield
    except OSError as error:
        raise HallSetupError(f"{error.filename} can't be used: {error.strerror}") from error
