"""QR codes in SVG: of a match's proof code, of addresses and players' codes."""

import numpy as np
from markupsafe import Markup

from ui.charts.proof_code import proof_text, qr_modules
from ui.i18n.language import t


def draw_proof_code(match: int, code: str) -> Markup:
    """Draw the QR code of a match's proof code: black on white, in light and dark mode."""
    return draw_qr_code(proof_text(match, code), t("The proof code as a QR code"))


def draw_qr_code(text: str, label: str) -> Markup:
    """Draw the QR code of a text, with what it is called for those who can't see it."""
    modules = qr_modules(text)
    path = "".join(f"M{x} {y}h1v1h-1z" for y, x in np.argwhere(modules))
    return Markup(
        '<svg class="qr" role="img" aria-label="{2}" viewBox="0 0 {0} {0}" '
        'shape-rendering="crispEdges"><rect width="{0}" height="{0}" fill="#fff"/><path d="{1}" fill="#000"/></svg>'
    ).format(len(modules), path, label)
