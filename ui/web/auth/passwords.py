"""Passwords as they are stored: hashed with scrypt (RFC 7914), which Python's standard library has."""

import base64
import binascii
import hashlib
import hmac
import secrets

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
