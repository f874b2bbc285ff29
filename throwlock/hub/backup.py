"""Backups of a hall: one ZIP file with every row of its database and the files of its folder that can't be made again.

``backup.json`` says what is in it, ``tables/`` has what PostgreSQL's COPY wrote, ``folder/`` the files.
"""

import os
import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from graphlib import TopologicalSorter
from pathlib import Path
from typing import IO, Annotated, Literal

import psycopg
from psycopg.sql import SQL, Composed, Identifier
from pydantic import Field

from device.system.output_files import atomic_write
from errors import ThrowlockError
from rules.record.event import Record
from throwlock.hub.database import (
    APPLICATION,
    MIGRATION_LOCK,
    applied_migrations,
    apply_migrations,
    check_not_newer,
    connect,
    migration_scripts,
    translate_errors,
)
from throwlock.hub.setup import (
    KEPT_FILES,
    SETTINGS_FILE,
    HubSettings,
    os_errors,
    parse_hub_settings,
    read_folder,
    staged_folder,
)
from throwlock.journal.kept_frames import UNREADABLE_ZIP

CONTENTS = "backup.json"
MAX_CONTENTS_BYTES = 1_000_000
FOLDER_FILE = rf"^({'|'.join(map(re.escape, KEPT_FILES))}|boxes/[a-z0-9-]+\.toml)$"
"""The files that may be in a backup: none leads out of the hall's folder."""
COPY_BYTES = 1 << 20
NO_BACKUP = "{path} is no backup of a hall, or it is damaged"


class BackupError(ThrowlockError):
    """A file is no backup, or it can't be restored here. The message says why."""


class _Table(Record):
    name: str
    columns: tuple[str, ...]
    rows: int


class Backup(Record):
    """What is in a backup."""

    format: Literal[1] = 1
    hall: str
    made_at: datetime
    migrations: tuple[str, ...]
    """The scripts that had made the tables."""
    tables: tuple[_Table, ...]
    """Each after those that its rows refer to."""
    folder: tuple[Annotated[str, Field(pattern=FOLDER_FILE)], ...]
    """Files of the hall's folder, relative to it."""

    def rows(self, table: str) -> int:
        """Return how many rows a table has, 0 if there is none of that name."""
        return next((each.rows for each in self.tables if each.name == table), 0)


def back_up(folder: Path, path: Path) -> Backup:
    """Write the hall of ``folder``, as it is at one moment, to the file ``path``, which only its owner may read. Hubs
    may run meanwhile. A file that is there is replaced once the new one is complete.

    Raises:
        HallSetupError: The folder can't be read, or the file can't be written.
        DatabaseError: The database can't be read, or it is of a newer version.
    """
    files = read_folder(folder)
    settings = parse_hub_settings(files[SETTINGS_FILE], folder / SETTINGS_FILE)
    with os_errors(), connect(settings.database) as connection, translate_errors():
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        migrations = applied_migrations(connection)
        check_not_newer(migrations, "the database")
        with atomic_write(path) as part, open(part, "wb", opener=_open_private) as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                tables = tuple(_copy_out(connection, archive, table) for table in _tables(connection))
                for name, text in files.items():
                    archive.writestr(zipfile.ZipInfo(f"folder/{name}"), text, zipfile.ZIP_DEFLATED)
                backup = Backup(
                    hall=settings.hall, made_at=datetime.now(UTC), migrations=tuple(migrations), tables=tables,
                    folder=tuple(files),
                )  # fmt: skip
                archive.writestr(zipfile.ZipInfo(CONTENTS), backup.model_dump_json(indent=1), zipfile.ZIP_DEFLATED)
            os.fsync(file.fileno())
    return backup


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _tables(connection: psycopg.Connection) -> list[str]:
    """Return the names of the hall's tables, each after those that it refers to."""
    names = connection.execute(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() AND tablename <> '_yoyo_migration'"
    ).fetchall()
    order = TopologicalSorter({name: set[str]() for (name,) in names})
    for table, referenced in connection.execute(
        "SELECT t.relname::text, o.relname::text FROM pg_constraint JOIN pg_class t ON t.oid = conrelid "
        "JOIN pg_class o ON o.oid = confrelid WHERE contype = 'f' AND t.relnamespace = current_schema()::regnamespace"
    ):
        order.add(table, referenced)
    return list(order.static_order())


def _columns(connection: psycopg.Connection, table: str) -> tuple[str, ...]:
    rows = connection.execute(
        "SELECT column_name::text FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND table_name = %s ORDER BY ordinal_position",
        (table,),
    )
    return tuple(name for (name,) in rows)


def _copy_out(connection: psycopg.Connection, archive: zipfile.ZipFile, table: str) -> _Table:
    columns = _columns(connection, table)
    with (
        connection.cursor() as cursor,
        archive.open(f"tables/{table}", "w", force_zip64=True) as entry,
        cursor.copy(SQL("COPY {} ({}) TO STDOUT").format(Identifier(table), _names(columns))) as copy,
    ):
        rows = 0
        for data in copy:
            rows += bytes(data).count(b"\n")  # one ends each row; those within a value are escaped
            entry.write(data)
    return _Table(name=table, columns=columns, rows=rows)


def _names(columns: tuple[str, ...]) -> Composed:
    return SQL(", ").join(map(Identifier, columns))


def restore(path: Path, folder: Path, database: str = "", *, replace: bool = False) -> Backup:
    """Make the hall of a backup again, in ``folder`` and in ``database``; without one, in that which it was in. All of
    it is restored, or nothing: the file is read to its end before anything is written.

    Raises:
        BackupError: The file is no backup or damaged, a hub is running, or there is a hall and ``replace`` is not set.
        HallSetupError: The folder can't be written.
        DatabaseError: The database can't be used, or the backup is of a newer version.
    """
    with _open_backup(path) as archive:
        backup, files = _read_contents(archive, path)
        settings = parse_hub_settings(files[SETTINGS_FILE], path)
        if database:
            settings = HubSettings(**settings.model_dump() | {"database": database})
        if (folder / SETTINGS_FILE).exists() and not replace:
            raise BackupError(f"{folder} is a hall already: --replace replaces it")
        with staged_folder(folder, files, settings) as put_in_place:
            with connect(settings.database) as connection, translate_errors():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
                _clear(connection, replace=replace)
                apply_migrations(connection, backup.migrations)
                for table in backup.tables:
                    _copy_in(connection, archive, table, path)
                apply_migrations(connection, [name for name in migration_scripts() if name not in backup.migrations])
            put_in_place()
    return backup


def _open_backup(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except OSError as error:
        raise BackupError(f"{path} can't be read: {error.strerror or error}") from error
    except UNREADABLE_ZIP as error:
        raise BackupError(NO_BACKUP.format(path=path)) from error


def _read_contents(archive: zipfile.ZipFile, path: Path) -> tuple[Backup, dict[str, str]]:
    """Return what is in a backup that is whole and that this version can restore, and the files of its folder."""
    try:
        if archive.getinfo(CONTENTS).file_size > MAX_CONTENTS_BYTES:
            raise ValueError(CONTENTS)
        backup = Backup.model_validate_json(archive.read(CONTENTS))
        check_not_newer(backup.migrations, str(path))
        entries = [*(f"tables/{table.name}" for table in backup.tables), *(f"folder/{name}" for name in backup.folder)]
        if archive.testzip() is not None or sorted(archive.namelist()) != sorted([*entries, CONTENTS]):
            raise ValueError(path)
        if backup.migrations != tuple(migration_scripts())[: len(backup.migrations)]:
            raise ValueError(backup.migrations)
        return backup, {name: archive.read(f"folder/{name}").decode() for name in backup.folder}
    except UNREADABLE_ZIP as error:
        raise BackupError(NO_BACKUP.format(path=path)) from error


def _clear(connection: psycopg.Connection, *, replace: bool) -> None:
    """Drop the hall's tables, and the functions of their triggers. Raises BackupError if that would lose something."""
    others = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND "
    if connection.execute(others + "application_name = %s", (APPLICATION,)).fetchone():
        raise BackupError("a hub is running: stop all hubs of this database first")
    tables = _tables(connection)
    if "box" in tables and not replace and connection.execute("SELECT 1 FROM box").fetchone():
        raise BackupError("the database has a hall already: --replace replaces it")
    for table in [*tables, "_yoyo_migration"]:
        connection.execute(SQL("DROP TABLE IF EXISTS {} CASCADE").format(Identifier(table)))
    functions = "pronamespace = current_schema()::regnamespace AND prorettype = 'trigger'::regtype"
    for (name,) in connection.execute(f"SELECT oid::regprocedure::text FROM pg_proc WHERE {functions}").fetchall():
        connection.execute(f"DROP FUNCTION {name}".encode())


def _copy_in(connection: psycopg.Connection, archive: zipfile.ZipFile, table: _Table, path: Path) -> None:
    """Fill an empty table, without what its triggers do, and have its counter go on after it."""
    name = Identifier(table.name)
    if _columns(connection, table.name) != table.columns:
        raise BackupError(f"{path} can't be restored: its table {table.name} is not of this version")
    connection.execute(SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(name))
    with connection.cursor() as cursor, archive.open(f"tables/{table.name}") as entry:
        with cursor.copy(SQL("COPY {} ({}) FROM STDIN").format(name, _names(table.columns))) as copy:
            for data in _blocks(entry):
                copy.write(data)
        if cursor.rowcount != table.rows:
            raise BackupError(f"{path} is damaged: {cursor.rowcount} of {table.rows} rows of {table.name}")
    connection.execute(SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(name))
    counted = "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attidentity <> ''"
    for (column,) in connection.execute(counted, (table.name,)).fetchall():
        counter = SQL("SELECT setval(pg_get_serial_sequence(%s, %s), max({})) FROM {}").format(Identifier(column), name)
        connection.execute(counter, (table.name, column))


def _blocks(entry: IO[bytes]) -> Iterator[bytes]:
    while data := entry.read(COPY_BYTES):
        yield data
