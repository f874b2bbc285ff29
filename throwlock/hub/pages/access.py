"""Who may see and do what on a hall's pages: the organiser's password, and whether viewers need a code."""

import base64
import binascii
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from errors import ThrowlockError
from messages import N
from ui.web.access_code import generate_code

COST, BLOCK_SIZE, PARALLELISM = 2**15, 8, 1
"""scrypt's n, r and p: 32 MB and about 0.1 s for each guess."""
SALT_BYTES = 16
MAX_MEMORY_BYTES = 2**26
MIN_PASSWORD_LENGTH = 8


def hash_password(password: str) -> str:
    """Return the hash of a password with a random salt, and what it was made with."""
    salt = secrets.token_bytes(SALT_BYTES)
    key = _derive(password, salt, COST, BLOCK_SIZE, PARALLELISM)
    words = (base64.b64encode(part).decode() for part in (salt, key))
    return "$".join(("scrypt", str(COST), str(BLOCK_SIZE), str(PARALLELISM), *words))


def is_password(guess: str, stored: str) -> bool:
    """Return whether a password is that of a stored hash."""
    try:
        scheme, cost, block_size, parallelism, salt, key = stored.split("$")
        if scheme != "scrypt":
            return False
        derived = _derive(guess, base64.b64decode(salt), int(cost), int(block_size), int(parallelism))
        return hmac.compare_digest(derived, base64.b64decode(key))
    except (ValueError, binascii.Error):
        return False


def _derive(password: str, salt: bytes, cost: int, block_size: int, parallelism: int) -> bytes:
    data = password.encode(errors="replace")
    return hashlib.scrypt(data, salt=salt, n=cost, r=block_size, p=parallelism, maxmem=MAX_MEMORY_BYTES)


class PasswordError(ThrowlockError, ValueError):
    """A password can't be used. The message says why."""


@dataclass(frozen=True)
class HallAccess:
    """Who may see the hall's pages."""

    password: str
    """The organiser's, hashed; "" before one is set."""
    is_public: bool
    """Whether everybody may see the results."""
    code: str
    """The viewers' code, for when the results are not public."""


def read_access(connection: Connection[Any]) -> HallAccess:
    """Return who may see and do what; of a new hall: private, with a new code and no password."""
    connection.execute("INSERT INTO hall (code) VALUES (%s) ON CONFLICT DO NOTHING", (generate_code(),))
    row = connection.execute("SELECT password, is_public, code FROM hall").fetchone()
    assert row is not None
    return HallAccess(*row)


def set_password(connection: Connection[Any], password: str) -> None:
    """Set the organiser's password, which ends all organisers' sessions. Raises PasswordError: it is too short."""
    if len(password) < MIN_PASSWORD_LENGTH:
        raise PasswordError(N("a password has at least {count} characters", count=MIN_PASSWORD_LENGTH))
    read_access(connection)
    connection.execute("UPDATE hall SET password = %s", (hash_password(password),))


def set_public(connection: Connection[Any], *, public: bool) -> None:
    """Open the results to everybody on the network, or close them."""
    read_access(connection)
    connection.execute("UPDATE hall SET is_public = %s", (public,))


def renew_code(connection: Connection[Any]) -> None:
    """Replace the viewers' code, which ends all viewers' sessions."""
    read_access(connection)
    connection.execute("UPDATE hall SET code = %s", (generate_code(),))
