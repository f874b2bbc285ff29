"""Many MQTT clients in one thread."""

import selectors
import ssl
from typing import Any

from paho.mqtt.client import Client


class ClientLoop:
    """Reads and writes for its clients, each with callbacks as usual, which run in the thread that calls ``run_once``.

    A client is added before it connects."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._clients: set[Client] = set()

    def add(self, client: Client) -> None:
        """Read and write for ``client`` from its next connection on."""
        client.on_socket_open = self._watch
        client.on_socket_close = self._forget
        client.on_socket_register_write = self._watch_writing
        client.on_socket_unregister_write = self._watch
        self._clients.add(client)

    def drop(self, client: Client) -> None:
        """Neither read nor write for it any more, and leave its connection open: nobody hears from it."""
        client.on_socket_open = client.on_socket_close = None
        client.on_socket_register_write = client.on_socket_unregister_write = None
        sock: Any = client.socket()
        if sock is not None:
            self._forget(client, None, sock)
        self._clients.discard(client)

    def run_once(self, timeout_s: float) -> None:
        """Wait up to ``timeout_s`` for something to read or write, and do it."""
        for key, mask in self._selector.select(timeout_s):
            client: Client = key.data
            if mask & selectors.EVENT_WRITE:
                client.loop_write()
            if mask & selectors.EVENT_READ:
                client.loop_read()
                while isinstance(sock := client.socket(), ssl.SSLSocket) and sock.pending():
                    client.loop_read()

    def keep_alive(self) -> None:
        """Send the pings that are due; called about once a second."""
        for client in [*self._clients]:
            client.loop_misc()

    def _watch(self, client: Client, _: object, sock: Any, events: int = selectors.EVENT_READ) -> None:
        if sock.fileno() in self._selector.get_map():
            self._selector.modify(sock, events, client)
        else:
            self._selector.register(sock, events, client)

    def _watch_writing(self, client: Client, _: object, sock: Any) -> None:
        self._watch(client, None, sock, selectors.EVENT_READ | selectors.EVENT_WRITE)

    def _forget(self, client: Client, _: object, sock: Any) -> None:
        if sock.fileno() in self._selector.get_map():
            self._selector.unregister(sock)
