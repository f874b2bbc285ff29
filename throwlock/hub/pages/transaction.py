"""Endpoints that read or change the hub's database."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import psycopg
from starlette.requests import Request

from throwlock.hub.database import connect, translate_errors

Connection = psycopg.Connection[Any]
T = TypeVar("T")


def in_transaction(endpoint: Callable[[Request, Connection], T]) -> Callable[[Request], T]:
    """Call an endpoint, or what reads a page's variables, with a connection to the database, in one transaction that
    ends before it is answered. It raises DatabaseError if that fails."""

    @wraps(endpoint)
    def answer(request: Request) -> T:
        with connect(request.app.state.live.dsn) as connection, translate_errors(), connection.transaction():
            return endpoint(request, connection)

    return answer
