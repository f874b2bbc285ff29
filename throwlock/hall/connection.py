"""One connection of a box to the broker of its hall: MQTT 5, over TLS with the hall's own certificate."""

import ipaddress
import socket
import ssl
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from errors import ThrowlockError
from messages import LazyText, N
from throwlock.hall.homie import DeviceState, state_topic
from throwlock.hall.membership import Membership
from throwlock.hall.protocol import MAX_MESSAGE_BYTES, topic
from throwlock.net import AuthorityError, tls_context

KEEPALIVE_S: Final = 30
"""Without a sign from the box for one and a half times as long the broker publishes its last will."""
CONNECT_TIMEOUT_S: Final = 5.0
ANSWER_TIMEOUT_S: Final = 10.0
"""How long the broker may take to let the box in."""
GOODBYE_S, GOODBYE_TURN_S = 2.0, 0.1
MESSAGE_EXPIRY_S: Final = 60
"""How long the broker keeps a message for a hub that is away; the box has then sent it again."""
NOT_YET_VALID, EXPIRED, HOSTNAME_MISMATCH, ADDRESS_MISMATCH = 9, 10, 62, 64
"""OpenSSL's X509_V_ERR_*."""
BAD_CREDENTIALS = frozenset({"Bad user name or password", "Not authorized"})
SESSION_TAKEN_OVER = "Session taken over"


class ConnectionRefusedByHallError(ThrowlockError):
    """The hall can be reached, and does not let the box in: the message says what has to be put right."""


class HallUnreachableError(ThrowlockError):
    """The hall can't be reached now. The message says why."""


def _membership_tls(membership: Membership) -> ssl.SSLContext | None:
    """Return what checks that the broker is the hall's: its certificate, and that it is for this host. None without a
    certificate, on this machine. Raises ConnectionRefusedByHallError."""
    if not membership.ca:
        if not _is_this_machine(membership.host):
            raise ConnectionRefusedByHallError(
                N("the hall’s file has no certificate, so anyone could pose as the hall: get it from the hub again")
            )
        return None
    try:
        return tls_context(membership.ca)
    except AuthorityError as error:
        raise ConnectionRefusedByHallError(
            N("the certificate in the hall’s file can’t be read: get it from the hub again")
        ) from error


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class HallConnection:
    """A connection to the hall's broker, driven by one thread that calls ``turn`` again and again. The broker keeps
    nothing beyond it (clean start, a session that ends with it): what matters is in the hub's database.

    ``receive`` takes the topic and payload of each message for this box.
    """

    def __init__(self, membership: Membership, receive: Callable[[str, bytes], None], now_s: float) -> None:
        """Connect. Raises HallUnreachableError, ConnectionRefusedByHallError."""
        self._membership, self._receive = membership, receive
        self._since_s = now_s
        self._failure: ThrowlockError | None = None
        self.is_ready = False
        """Whether the box may publish, and what is published for it arrives."""
        self._client = Client(
            CallbackAPIVersion.VERSION2, client_id=membership.box, protocol=MQTTProtocolVersion.MQTTv5
        )
        self._client.connect_timeout = CONNECT_TIMEOUT_S
        self._client.username_pw_set(membership.box, membership.password)
        self._client.will_set(state_topic(membership.box), DeviceState.LOST.value, qos=1, retain=True)
        self._client.on_connect = self._on_connect
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = self._on_message
        self._client.on_disconnect = self._on_disconnect
        if (context := _membership_tls(membership)) is not None:
            self._client.tls_set_context(context)
        try:
            self._client.connect(membership.host, membership.port, KEEPALIVE_S, properties=_connect_properties())
        except OSError as error:
            self.drop()
            raise explain_failure(error, membership) from error

    def turn(self, wait_s: float, now_s: float) -> None:
        """Send and receive what is there, waiting at most ``wait_s`` for it. Raises HallUnreachableError,
        ConnectionRefusedByHallError when the connection is over."""
        result = self._client.loop(wait_s)
        if self._failure is not None:
            raise self._failure
        if result != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise HallUnreachableError(N("the connection to the hall was lost"))
        if not self.is_ready and now_s - self._since_s > ANSWER_TIMEOUT_S:
            raise HallUnreachableError(N("the hall at {host} does not answer", host=self._membership.host))

    def publish(self, name: str, payload: bytes | str, *, retain: bool = False) -> None:
        """Publish with QoS 1; what is not retained expires with the box's patience."""
        properties = None
        if not retain:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.MessageExpiryInterval = MESSAGE_EXPIRY_S
        self._client.publish(name, payload, qos=1, retain=retain, properties=properties)

    @property
    def is_sending(self) -> bool:
        """Whether something is still to be written to the network."""
        return self._client.want_write()

    def close(self, last_state: str) -> None:
        """Publish ``last_state`` as the box's, say goodbye, so that the broker does not publish the last will, and
        close. Takes up to GOODBYE_S."""
        self._client.on_disconnect = None
        said = self._client.publish(state_topic(self._membership.box), last_state, qos=1, retain=True)
        turns = iter(range(round(GOODBYE_S / GOODBYE_TURN_S)))
        while not said.is_published() and next(turns, None) is not None:
            if self._client.loop(GOODBYE_TURN_S) != MQTTErrorCode.MQTT_ERR_SUCCESS:
                break
        self._client.disconnect()
        self.drop()

    def drop(self) -> None:
        """Close without goodbye, after a failure."""
        client = self._client
        client.on_connect = client.on_subscribe = client.on_message = client.on_disconnect = None
        if (sock := client.socket()) is not None:
            sock.close()

    def _on_connect(
        self, client: Client, userdata: object, flags: ConnectFlags, reason: ReasonCode, properties: object
    ) -> None:
        if reason.is_failure:
            self._failure = self._explain_reason(reason)
            return
        box = self._membership.box
        client.subscribe([(topic(box, "stored"), 1), (topic(box, "pairings"), 1)])

    def _on_subscribe(
        self, client: Client, userdata: object, message: int, reasons: list[ReasonCode], properties: object
    ) -> None:
        if any(reason.is_failure for reason in reasons):
            self._failure = ConnectionRefusedByHallError(
                N("the hall does not let this box read what is for it: add the box to the hall again")
            )
            return
        self.is_ready = True

    def _on_message(self, client: Client, userdata: object, message: MQTTMessage) -> None:
        self._receive(message.topic, bytes(message.payload))

    def _on_disconnect(
        self, client: Client, userdata: object, flags: DisconnectFlags, reason: ReasonCode, properties: object
    ) -> None:
        if self._failure is None and flags.is_disconnect_packet_from_server:
            self._failure = self._explain_reason(reason)

    def _explain_reason(self, reason: ReasonCode) -> ThrowlockError:
        name = reason.getName()
        if name in BAD_CREDENTIALS:
            return ConnectionRefusedByHallError(
                N("the hall does not accept this box’s password: get its file from the hub again")
            )
        if name == SESSION_TAKEN_OVER:
            return HallUnreachableError(
                N("another box uses the same hall’s file: each box needs a file of its own from the hub")
            )
        return HallUnreachableError(N("the hall has closed the connection ({why})", why=name))


def _connect_properties() -> Properties:
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = 0
    properties.MaximumPacketSize = MAX_MESSAGE_BYTES
    properties.ReceiveMaximum = 20
    return properties


def explain_failure(error: OSError, membership: Membership) -> ThrowlockError:
    """Return what people are told when the broker can't be connected to."""
    host = f"{membership.host}:{membership.port}"
    if isinstance(error, ssl.SSLError):
        return ConnectionRefusedByHallError(_tls_failure(error, host))
    match error:
        case socket.gaierror():
            text = N("{host} is not found: connect the box to the hall’s network", host=membership.host)
        case TimeoutError():
            text = N("{host} does not answer: connect the box to the hall’s network", host=host)
        case ConnectionRefusedError():
            text = N("nothing answers at {host}: start the hall’s broker", host=host)
        case _:
            text = N("{host} can’t be reached ({why})", host=host, why=error.strerror or str(error))
    return HallUnreachableError(text)


def _tls_failure(error: ssl.SSLError, host: str) -> LazyText:
    if not isinstance(error, ssl.SSLCertVerificationError):
        return N("{host} does not speak TLS: check the port in the hall’s file", host=host)
    if error.verify_code in (NOT_YET_VALID, EXPIRED):
        today = datetime.now(UTC).date().isoformat()
        return N("the hall’s certificate is not valid on {day}: if that is not today, set the box’s clock", day=today)
    if error.verify_code in (HOSTNAME_MISMATCH, ADDRESS_MISMATCH):
        return N("the certificate of {host} is for another name: get the hall’s file from the hub again", host=host)
    return N("{host} is not the hall of this file: get it from the hub again", host=host)
