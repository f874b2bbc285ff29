"""The files the pages use beside themselves: a fixed table, read once, so that no address reaches any other file."""

from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

TYPES = {
    "style.css": "text/css; charset=utf-8",
    "charts.css": "text/css; charset=utf-8",
    "review.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""Every file there is, and its media type."""
FILES = {name: (files("ui.web") / "static" / name).read_bytes() for name in TYPES}


def static_file(request: Request) -> Response:
    """A file of the table, or 404."""
    name = request.path_params["name"]
    if name not in FILES:
        raise HTTPException(404)
    return Response(FILES[name], media_type=TYPES[name])
