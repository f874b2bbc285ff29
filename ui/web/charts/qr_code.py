"""A match's proof code as a QR code in SVG."""

import numpy as np
from markupsafe import Markup

from ui.charts.proof_code import proof_text, qr_modules


def draw_proof_code(match: int, code: str) -> Markup:
    """Draw the QR code of a match's proof code: black on white, in light and dark mode."""
    modules = qr_modules(proof_text(match, code))
    path = "".join(f"M{x} {y}h1v1h-1z" for y, x in np.argwhere(modules))
    return Markup(
        '<svg class="qr" role="img" aria-label="The proof code as a QR code" viewBox="0 0 {0} {0}" '
        'shape-rendering="crispEdges"><rect width="{0}" height="{0}" fill="#fff"/><path d="{1}" fill="#000"/></svg>'
    ).format(len(modules), path)
