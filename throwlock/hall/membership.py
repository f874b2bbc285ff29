"""How a box reaches the hub of its hall: a file that the hub writes for each box and the box keeps beside its settings.
It has a password, so only its owner may read it."""

import tomllib
from pathlib import Path
from typing import Annotated

import tomlkit
from pydantic import Field, ValidationError

from device.system.input_files import MAX_TEXT_BYTES, read_input_file
from errors import ThrowlockError
from messages import N, shorten
from rules.record.event import Record
from throwlock.hall.protocol import BoxId
from throwlock.settings.model import write_durably


class MembershipError(ThrowlockError):
    """A hall's file can't be read or written. The message says which, where and how to mend it."""


class Membership(Record):
    """What a box needs to be part of a hall."""

    hall: Annotated[str, Field(min_length=1, max_length=60, description="the hall's name")]
    host: Annotated[str, Field(min_length=1, max_length=253, description="the broker's name or address")]
    port: Annotated[int, Field(ge=1, le=65535)] = 8883
    ca: Annotated[str, Field(max_length=20_000, description="certificate of the hall's authority, PEM; none: no TLS")]
    box: BoxId
    password: Annotated[str, Field(min_length=1, max_length=200)]


def read_membership(path: Path) -> Membership:
    """Read a hall's file. Raises MembershipError."""
    try:
        document = tomllib.loads(read_input_file(path, MAX_TEXT_BYTES).decode())
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else shorten(str(error))
        raise MembershipError(
            N("{path} can’t be read ({why}): get it from the hub again", path=path, why=why)
        ) from error
    try:
        return Membership.model_validate(document)
    except ValidationError as error:
        where = shorten(".".join(map(str, error.errors()[0]["loc"])))
        raise MembershipError(
            N("{path} is no hall’s file ({where}): get it from the hub again", path=path, where=where)
        ) from error


def write_membership(path: Path, membership: Membership) -> None:
    """Write a hall's file, which only its owner can read. Raises MembershipError."""
    try:
        write_durably(path, tomlkit.dumps(membership.model_dump()), is_private=True)
    except OSError as error:
        raise MembershipError(N("{path} can’t be written ({why})", path=path, why=error.strerror)) from error
