"""One connection to the review pages: uvicorn's, that lets go of a visitor who is too slow, or comes too many times at
once."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

LOOK_S = 10.0
"""A connection is looked at so often; one that has not got on in two looks is cut off."""
MOST, MOST_EACH = 256, 32
"""Connections at once, from everybody and from one address: a browser opens six."""


class Connection(H11Protocol):
    """What gets on is a request being answered, a further request, or an answer that is being taken."""

    _looks: asyncio.TimerHandle | None = None
    _seen: RequestResponseCycle | None = None
    _left = 0
    _patience = 2

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        others = [one.client for one in self.connections if isinstance(one, Connection)]
        theirs = sum(self.client is not None and one is not None and one[0] == self.client[0] for one in others)
        if len(self.connections) > MOST or theirs > MOST_EACH:
            transport.abort()
        else:
            self._looks = self.loop.call_later(LOOK_S, self.look)

    def connection_lost(self, exc: Exception | None) -> None:
        """They have gone."""
        super().connection_lost(exc)
        if self._looks is not None:
            self._looks.cancel()

    def look(self) -> None:
        """Cut it off if it has not got on for two looks."""
        left = self.transport.get_write_buffer_size()
        answering = self.cycle is not None and not self.cycle.response_complete
        gets_on = left < self._left or (not left and (answering or self.cycle is not self._seen))
        self._patience = 2 if gets_on else self._patience - 1
        self._left, self._seen = left, self.cycle
        if self._patience == 0:
            self.transport.abort()
        else:
            self._looks = self.loop.call_later(LOOK_S, self.look)
