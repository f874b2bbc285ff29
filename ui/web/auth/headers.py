"""Security headers of every response."""

from starlette.datastructures import MutableHeaders

PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Policy of pages: our own style, script, images and clips only; nothing inline runs; scripts ask only us for more."""
FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox"
"""Policy of everything else: an SVG opened by itself is in a sandbox without scripts."""
COMMON_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # with no-referrer, browsers send our own forms with "Origin: null", as other sites may
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), display-capture=(), payment=(), usb=(), midi=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}
OPENER_POLICY = "same-origin"
"""Isolates our windows from those of other sites. Browsers apply it on this machine only, and log a warning over plain
HTTP elsewhere."""
NO_STORE, NO_CACHE = "no-store", "no-cache"


def add_security_headers(headers: MutableHeaders, *, static: bool, local: bool) -> None:
    """Add the security headers to a response's headers. ``static``: one of our static files, which a browser may cache;
    ``local``: a response to this machine."""
    page = headers.get("content-type", "").startswith("text/html") and "content-disposition" not in headers
    headers.update(COMMON_HEADERS)
    if local:
        headers["Cross-Origin-Opener-Policy"] = OPENER_POLICY
    headers["Content-Security-Policy"] = PAGE_POLICY if page else FILE_POLICY
    headers["Cache-Control"] = NO_CACHE if static else NO_STORE
