"""The hub's connection to the broker: it takes part in the shared subscriptions, and connects again by itself."""

import logging
import secrets
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from pydantic import Field

from rules.record.event import Record
from throwlock.hall.homie import NODE
from throwlock.hall.protocol import HOMIE_PREFIX, HUB_GROUP, shared_topic
from throwlock.net import tls_context

logger = logging.getLogger(__name__)

KEEP_ALIVE_S = 30
CONNECT_TIMEOUT_S = 10.0
RECONNECT_S = 1, 30
"""Shortest and longest pause before the next attempt to connect; it doubles in between."""
MAX_UNACKNOWLEDGED = 100
"""Messages that the broker sends ahead of their acknowledgement: a hub that is slow gets no more."""
MAX_OUTGOING = 10_000
"""Messages on their way to the broker."""
SHARED_TOPICS = "hello", "events", "pictures"
STATE_TOPICS = "$state", f"{NODE}/+", "$alert/+"
PAUSE_S = 60.0
"""How long nothing is asked for of a box that sends too fast."""


class BrokerAccess(Record):
    """How a hub reaches the broker."""

    host: str
    port: int
    ca: str = ""
    """Certificate of the hall's authority, PEM; "": no TLS."""
    user: str = ""
    """Empty: the broker lets everybody in."""
    password: str = ""
    group: str = Field(default=HUB_GROUP, pattern="^[^/+#]+$")
    """Of the shared subscriptions; the same for all hubs of the hall."""


class IncomingMessage(NamedTuple):
    """A message from the broker, to be acknowledged when it was dealt with."""

    topic: str
    payload: bytes
    acknowledge: Callable[[], object] = lambda: None


class BrokerConnection:
    """A hub's connection. ``on_message`` and ``on_connected`` are called in its thread and must not block. Each
    box has subscriptions of its own, so that one can be paused: the broker throws away what nobody asks for, and its
    queue for this hub is the others'.

    with BrokerConnection(access, on_message, on_connected) as broker:
        broker.subscribe(["box-1"])
        broker.publish("hall/1/box-1/stored", b"…")
    """

    def __init__(
        self, access: BrokerAccess, on_message: Callable[[IncomingMessage], object], on_connected: Callable[[], object]
    ) -> None:
        """Raises AuthorityError if the certificate of the hall's authority can't be read."""
        self._access = access
        self._on_message, self._on_connected = on_message, on_connected
        self.connected = threading.Event()
        """Set while the broker delivers what boxes send: from the confirmation of the subscriptions on."""
        self._connections = 0
        self._last_error = ""
        self._lock = threading.Lock()  # of the two sets
        self._boxes: set[str] = set()
        """Those it receives from,"""
        self._paused: set[str] = set()
        """unless they are paused."""
        # A client id that nobody can guess: the broker ends a connection when another client comes with the same.
        client = Client(
            CallbackAPIVersion.VERSION2,
            f"hub-{secrets.token_hex(8)}",
            protocol=MQTTProtocolVersion.MQTTv5,
            manual_ack=True,
        )
        if access.ca:
            client.tls_set_context(tls_context(access.ca))
        if access.user:
            client.username_pw_set(access.user, access.password)
        client.reconnect_delay_set(*RECONNECT_S)
        client.connect_timeout = CONNECT_TIMEOUT_S
        client.max_inflight_messages_set(MAX_OUTGOING)
        client.max_queued_messages_set(MAX_OUTGOING)
        client.on_connect, client.on_disconnect = self._connect, self._disconnect
        client.on_connect_fail, client.on_subscribe = self._fail, self._confirm_subscriptions
        client.on_message = self._receive
        self._client = client

    def __enter__(self) -> "BrokerConnection":
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.ReceiveMaximum = MAX_UNACKNOWLEDGED
        self._client.connect_async(
            self._access.host, self._access.port, KEEP_ALIVE_S, clean_start=True, properties=properties
        )
        self._client.loop_start()
        return self

    def __exit__(self, *error: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Publish with QoS 1, if the broker can be reached now; whoever needs the message asks again."""
        if self._client.is_connected():
            self._client.publish(topic, payload, qos=1, retain=retain)

    def subscribe(self, boxes: Collection[str]) -> None:
        """Receive what these boxes send, from now on or as soon as there is a connection."""
        with self._lock:
            new = [box for box in boxes if box not in self._boxes]
            self._boxes.update(new)
        self._ask_for(new)

    def pause(self, box: str) -> None:
        """Receive nothing of a box for PAUSE_S, and what it sends meanwhile never."""
        with self._lock:
            if box in self._paused:
                return
            self._paused.add(box)
        self._client.unsubscribe(self._topics(box))
        timer = threading.Timer(PAUSE_S, self._resume, (box,))
        timer.daemon = True
        timer.start()

    def _resume(self, box: str) -> None:
        with self._lock:
            self._paused.discard(box)
        self._ask_for([box])

    def _ask_for(self, boxes: Sequence[str]) -> None:
        if boxes:
            self._client.subscribe([(name, 1) for box in boxes for name in self._topics(box)])

    def _topics(self, box: str) -> list[str]:
        shared = [shared_topic(box, name, self._access.group) for name in SHARED_TOPICS]
        return [*shared, *(f"{HOMIE_PREFIX}/{box}/{name}" for name in STATE_TOPICS)]

    def _connect(
        self, client: Client, userdata: object, flags: ConnectFlags, reason: ReasonCode, properties: object
    ) -> None:
        if reason.is_failure:
            self._log_error(f"refuses this hub: {reason}")
            return
        self._connections += 1
        with self._lock:
            boxes = [box for box in self._boxes if box not in self._paused]
        self._ask_for(boxes)
        if not boxes:
            self._confirm_connection()

    def _confirm_subscriptions(
        self, client: Client, userdata: object, number: int, reasons: list[ReasonCode], properties: object
    ) -> None:
        if any(reason.is_failure for reason in reasons):
            self._log_error("does not let this hub read what boxes send: look at the rights of its user in broker/acl")
            return
        self._last_error = ""
        if not self.connected.is_set():
            self._confirm_connection()

    def _confirm_connection(self) -> None:
        logger.info("connected to the broker")
        self.connected.set()
        self._on_connected()

    def _disconnect(
        self, client: Client, userdata: object, flags: DisconnectFlags, reason: ReasonCode, properties: object
    ) -> None:
        self.connected.clear()
        if reason.is_failure:
            self._log_error(f"has ended the connection: {reason}")

    def _fail(self, client: Client, userdata: object) -> None:
        self._log_error("can't be reached")

    def _log_error(self, what: str) -> None:
        """Log what is wrong, once as long as it stays the same."""
        if what != self._last_error:
            self._last_error = what
            logger.warning("the broker %s:%s %s", self._access.host, self._access.port, what)

    def _receive(self, client: Client, userdata: Any, message: MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            topic = "not UTF-8"
        connection, number, qos = self._connections, message.mid, message.qos

        def acknowledge() -> MQTTErrorCode | None:
            """Acknowledge it, unless its number means something else by now."""
            return client.ack(number, qos) if connection == self._connections else None

        self._on_message(IncomingMessage(topic, bytes(message.payload), acknowledge))
