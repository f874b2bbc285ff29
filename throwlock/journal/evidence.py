"""Evidence: an event's body holds a commitment to each image, the hash of the image with a random salt. So the chain
proves the image, yet once image and salt are deleted nobody can prove that a copy was this one."""

import hashlib
from typing import NamedTuple

from throwlock.journal.hash_chain import canonical_json


class SaltedData(NamedTuple):
    """The content of an image as stored, and the salt of its commitment, 32 hexadecimal digits."""

    salt: str
    data: bytes


def evidence_commitment(name: str, media_type: str, salted: SaltedData) -> str:
    """Return the SHA-256, hexadecimal, of the JSON list of the salt, the name, the media type, and the SHA-256 of the
    data."""
    columns = [salted.salt, name, media_type, hashlib.sha256(salted.data).hexdigest()]
    return hashlib.sha256(canonical_json(columns).encode()).hexdigest()


def is_original_evidence(commitment: str, name: str, media_type: str, salt: object, data: object) -> bool:
    """Return whether ``commitment`` was made from all the others. False for a salt or data of another type."""
    return (
        isinstance(salt, str)
        and isinstance(data, bytes)
        and evidence_commitment(name, media_type, SaltedData(salt, data)) == commitment
    )
