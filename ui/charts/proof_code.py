"""QR codes, of a match's proof code and of addresses. OpenCV makes them, which the box has anyway."""

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

ALPHANUMERIC = re.compile(r"[0-9A-Z $%*+\-./:]*")
"""The text that a QR code holds with the fewest modules."""
QUIET_MODULES = 4
"""The width of the blank margin that ISO/IEC 18004 asks for."""


def proof_text(match: int, code: str) -> str:
    """Return what a phone shows that scans the code: a line to keep, which ``throwlock verify --head`` accepts.
    Capitals, digits, blanks and hyphens take the least room: 25 modules across for matches below 10,000,000."""
    return f"THROWLOCK MATCH {match} {code}"


@lru_cache(maxsize=8)
def qr_modules(text: str) -> NDArray[np.bool_]:
    """Return the QR code of ``text``, shape (n, n), with its margin; True is dark. A screen has no dirt or tears, so it
    has the lowest level of error correction, and the largest modules."""
    import cv2  # noqa: PLC0415  # the review pages need it only for this

    settings = cv2.QRCodeEncoder.Params()
    settings.correction_level = cv2.QRCODE_ENCODER_CORRECT_LEVEL_L
    capitals = ALPHANUMERIC.fullmatch(text) is not None
    settings.mode = cv2.QRCODE_ENCODER_MODE_ALPHANUMERIC if capitals else cv2.QRCODE_ENCODER_MODE_BYTE
    dark = np.asarray(cv2.QRCodeEncoder.create(settings).encode(text)) == 0
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    return np.pad(dark[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], QUIET_MODULES)
