"""Endpoints that read or change the hub's database."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import psycopg
from starlette.requests import Request
from starlette.responses import Response

from throwlock.hub.database import connect, translate_errors

Connection = psycopg.Connection[Any]
Endpoint = Callable[[Request, Connection], Response]


def in_transaction(endpoint: Endpoint) -> Callable[[Request], Response]:
    """Call an endpoint with a connection to the database, in one transaction that ends before it is answered. The
    endpoint raises DatabaseError if that fails."""

    @wraps(endpoint)
    def answer(request: Request) -> Response:
        with connect(request.app.state.live.dsn) as connection, translate_errors(), connection.transaction():
            return endpoint(request, connection)

    return answer
