"""How pages are served: a listening socket with limits, the names and addresses of this machine on its network, and a
thread that serves an app."""

import fcntl
import ipaddress
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from errors import ThrowlockError
from messages import N
from ui.web.middleware import MAX_HEADER_BYTES
from ui.web.views import Access

LOCAL_HOSTS = ("127.0.0.1", "localhost")
EVERY_ADDRESS = "::"
"""Listens on all addresses of this machine, of IPv6 and of IPv4."""
ROUTER_DOMAINS = ("local", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box", "speedport.ip")
"""What routers add to a machine's name, besides the domain that they tell it. Nobody else can have a name in most of
them; the last two are a router's own."""
RESOLVER_FILE = Path("/etc/resolv.conf")
STOP_TIMEOUT_S = 5.0
SIOCGIFADDR = 0x8915  # Linux ioctl: an interface's IPv4 address
STALL_CHECK_S = 10
"""Interval of the checks for stalled connections; one that is idle at two checks is closed."""
KEEP_ALIVE_S = 5
"""A connection waits this long for its next request."""
MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS = 256, 32
"""Open at once; a browser opens six."""


class ServerError(ThrowlockError):
    """The pages can't be served. The message says why and how to fix it."""


Peer = tuple[str, int]
"""A peer's address and port, as ASGI has them."""


class LimitedListener(socket.socket):
    """A listening socket that closes what uvicorn would leave open: it waits for ever for the first request of a
    connection and for the rest of a next one, and its limit_concurrency counts connections that ask for nothing.

    Where there are too many connections, in all or from one address, one that waits for its client makes room: of those
    that nobody has logged in on, one of the address with the most connections, and the one of them that has waited for
    longest. So a few addresses that open all they can take from each other, and from nobody else. IPv4 peers of an IPv6
    socket have their IPv4 address.
    """

    def __init__(self, family: int = socket.AF_INET, limits: tuple[int, int] | None = None) -> None:
        """``limits`` of connections, in all and from one address; None: those of the review pages."""
        super().__init__(family)
        self.max_connections, self.max_per_address = limits or (MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS)
        self._open: dict[Peer, socket.socket] = {}
        """Connections by their peer, the one idle for longest first."""
        self._answering: set[Peer] = set()
        """Those that are being answered, which don't wait for their client."""
        self._logged_in: set[Peer] = set()
        """Those whose last request was of somebody who is logged in."""
        self._idle: set[Peer] = set()
        """Idle since the last check."""

    def accept(self) -> tuple[socket.socket, tuple[Any, ...]]:
        """Accept a connection. Raises ConnectionAbortedError when every other one is being answered."""
        connection, address = super().accept()
        peer = plain_address(address[0]), address[1]
        self._open = {client: known for client, known in self._open.items() if known.fileno() >= 0}
        self._logged_in &= self._open.keys()
        neighbours = [peer_port for peer_port in self._open if peer_port[0] == peer[0]]
        for group, limit in ((neighbours, self.max_per_address), (self._open, self.max_connections)):
            if len(group) >= limit:
                counts = Counter(address for address, _ in self._open)
                waiting = [client for client in group if client not in self._answering]
                order = {client: (client in self._logged_in, -counts[client[0]]) for client in waiting}
                longest_idle = min(waiting, key=order.__getitem__, default=None)
                if longest_idle is None:
                    connection.close()
                    raise ConnectionAbortedError
                _shut_down(self._open.pop(longest_idle), socket.SHUT_RDWR)
        self._open[peer] = connection
        return connection, address

    def watch(self, app: ASGIApp) -> ASGIApp:
        """Return an ASGI app that notes which connections ``app`` is answering: from a request on, except while it
        waits for the rest of that. Once it has all of it, it only waits to hear that the client is gone."""

        async def note_answering(scope: Scope, receive: Receive, send: Send) -> None:
            for end in ("client", "server"):
                scope[end] = plain_address(scope[end][0]), scope[end][1]
            peer, is_received = scope["client"], False
            self._answering.add(peer)
            self._idle.discard(peer)

            async def receive_rest() -> Message:
                nonlocal is_received
                if is_received:
                    return await receive()
                self._answering.discard(peer)
                try:
                    message = await receive()
                finally:
                    self._answering.add(peer)
                is_received = not message.get("more_body", False)
                return message

            try:
                await app(scope, receive_rest, send)
            finally:
                self._answering.discard(peer)
                if peer in self._open:
                    self._open[peer] = self._open.pop(peer)
                    (self._logged_in.add if _is_logged_in(scope) else self._logged_in.discard)(peer)

        return note_answering

    async def close_stalled(self) -> None:
        """Close the connections that have been idle since the last call. A response is still sent to its end."""
        idle = {client for client in self._open if client not in self._answering}
        for peer in idle & self._idle:
            _shut_down(self._open[peer], socket.SHUT_RD)
        self._idle = idle


def plain_address(address: str) -> str:
    """Return an address as its owner has it: an IPv4 one not in the form that an IPv6 socket gives it."""
    try:
        mapped = ipaddress.IPv6Address(address).ipv4_mapped
    except ValueError:
        return address
    return str(mapped or address)


def _is_logged_in(scope: Scope) -> bool:
    access = scope.get("state", {}).get("access")
    return isinstance(access, Access) and access.lan


def _shut_down(connection: socket.socket, how: int) -> None:
    """Shut a socket down, which the event loop finds out when it next reads; it may have been closed meanwhile."""
    with suppress(OSError):
        connection.shutdown(how)


def server_config(
    pages: ASGIApp, listening: LimitedListener, certificate: tuple[Path, Path] | None = None
) -> uvicorn.Config:
    """Return how pages are served; by HTTPS with the files of a ``certificate`` and of its key."""
    cert, key = certificate or (None, None)
    return uvicorn.Config(
        listening.watch(pages),
        http="h11",
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        log_level="critical",  # bad requests are of no interest on the terminal
        access_log=False,
        proxy_headers=False,  # a client can't claim another address
        server_header=False,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        timeout_keep_alive=KEEP_ALIVE_S,
        callback_notify=listening.close_stalled,
        timeout_notify=STALL_CHECK_S,
        backlog=MAX_CONNECTIONS_PER_ADDRESS * 4,
        timeout_graceful_shutdown=2,
        ssl_certfile=cert,
        ssl_keyfile=key,
    )


def listen(host: str, port: int, limits: tuple[int, int] | None = None) -> LimitedListener:
    """Return a listening socket, with ``limits`` as LimitedListener has them. Raises ServerError."""
    if host == EVERY_ADDRESS and not socket.has_dualstack_ipv6():
        host = "0.0.0.0"
    listening = LimitedListener(socket.AF_INET6 if ":" in host else socket.AF_INET, limits)
    try:
        if host == EVERY_ADDRESS:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # its connections have it too: the kernel closes one whose client has stopped reading
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 2_000 * STALL_CHECK_S)
        listening.bind((host, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise ServerError(
            N("the pages can’t be served on port {port} ({why})", port=port, why=error.strerror),
            terminal_hint=": choose another with --port",
        ) from error
    return listening


def local_host_names(names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names of this machine on its network, in lower case: its own, alone and with what routers add to it,
    and ``names``. No other begins with its own: a stranger's name that leads here must not be among them."""
    full = socket.gethostname().lower()
    own = full.partition(".")[0]
    announced = (f"{own}.{domain}" for domain in (*ROUTER_DOMAINS, *router_domains()))
    return tuple(dict.fromkeys((*LOCAL_HOSTS, full, own, *announced, *(name.lower().rstrip(".") for name in names))))


def router_domains() -> tuple[str, ...]:
    """Return the domains that the network's router has told this machine, in lower case."""
    try:
        lines = RESOLVER_FILE.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    lists = [line.split()[1:] for line in lines if line.startswith(("search ", "domain "))]
    return tuple(name.strip(".").lower() for names in lists for name in names if name.strip("."))


def local_addresses() -> tuple[str, ...]:
    """Return this machine's IPv4 addresses, that of the default route first; without any its IPv6 one, in brackets as
    in a URL. Nothing is sent."""
    unique: dict[str, None] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        if (routed := _routed_address(probe, "192.0.2.1")) is not None:
            unique[routed] = None
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # an interface without an address
                request = struct.pack("256s", name.encode()[:15])
                unique[socket.inet_ntoa(fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)[20:24])] = None
    addresses = tuple(address for address in unique if not address.startswith("127."))
    if addresses or not socket.has_dualstack_ipv6():
        return addresses
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
        routed = _routed_address(probe, "2001:db8::1")
    return () if routed in (None, "::1") else (f"[{routed}]",)


def _routed_address(probe: socket.socket, far: str) -> str | None:
    """Return the address that this machine would write to a ``far`` one from, which is one of those for documentation;
    None without a route."""
    try:
        probe.connect((far, 9))
    except OSError:
        return None
    return str(probe.getsockname()[0])


class ServingThread:
    """Serves ``pages`` on a listening socket, in a thread called ``name``, until it is stopped: by HTTPS with the files
    of a ``certificate`` and of its key. ``at_end`` is called in the thread."""

    def __init__(
        self,
        pages: ASGIApp,
        listening: LimitedListener,
        name: str,
        certificate: tuple[Path, Path] | None = None,
        at_end: Callable[[], object] = lambda: None,
    ) -> None:
        self._server = uvicorn.Server(server_config(pages, listening, certificate))
        self._listening, self._at_end = listening, at_end
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with self._listening:
                self._server.run(sockets=[self._listening])
        finally:
            self._at_end()

    def stop(self) -> None:
        """Stop serving. May be called twice."""
        self._server.should_exit = True
        self._thread.join(STOP_TIMEOUT_S)
