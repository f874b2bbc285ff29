"""What every answer carries so that a browser does no more with it than show it."""

from starlette.datastructures import MutableHeaders

PAGE = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""What a page may use: our style, our script, our pictures. Nothing written into the page itself is run."""
FILE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox"
"""What anything else may: a drawing opened by itself is in a sandbox without scripts."""
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # not no-referrer: with that, browsers send forms with "Origin: null", which can't be told from another site's
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), display-capture=(), payment=(), usb=(), midi=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}
OPENER = "same-origin"
"""No window of another site may hold on to one of ours. Browsers heed it on this machine only, and complain of it
elsewhere, where there is no https."""
UNKEPT, ASKED_AGAIN = "no-store", "no-cache"


def protect(headers: MutableHeaders, *, static: bool, here: bool) -> None:
    """Add them to an answer's headers; ``static`` is one of our own files, which a browser may keep, ``here`` an answer
    to this machine."""
    page = headers.get("content-type", "").startswith("text/html") and "content-disposition" not in headers
    headers.update(ALWAYS)
    if here:
        headers["Cross-Origin-Opener-Policy"] = OPENER
    headers["Content-Security-Policy"] = PAGE if page else FILE
    headers["Cache-Control"] = ASKED_AGAIN if static else UNKEPT
