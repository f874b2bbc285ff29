"""A client of the hall's broker, as a box or a stranger has one."""

import queue
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import Self

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.helpers.waiting import LIMIT_S
from throwlock.hall.protocol import Acknowledgement, Message, decode, encode, parse_topic, topic
from throwlock.hub.broker import BrokerAccess
from throwlock.net import tls_context


class HallClient:
    """A client that is connected while it is entered. ``received`` are the messages of its subscriptions."""

    def __init__(
        self, access: BrokerAccess, box: str = "", subscribe: tuple[str, ...] = (), client_id: str = ""
    ) -> None:
        self.box = box
        self.received: queue.Queue[MQTTMessage] = queue.Queue()
        self._unread: defaultdict[str, deque[bytes]] = defaultdict(deque)
        self.refused: queue.Queue[str] = queue.Queue()
        """Reasons for which the broker did not let it in, or did not take what it published; "" if it did."""
        subscriptions = subscribe or ((topic(box, "stored"), topic(box, "pairings")) if box else ())
        self.client = Client(CallbackAPIVersion.VERSION2, client_id, protocol=MQTTProtocolVersion.MQTTv5)
        if access.ca:
            self.client.tls_set_context(tls_context(access.ca))
        if access.user:
            self.client.username_pw_set(access.user, access.password)
        self.client.on_message = lambda _client, _data, message: self.received.put(message)
        self.client.on_publish = lambda _client, _data, _number, reason, _properties: self.refused.put(
            str(reason) if reason.is_failure else ""
        )
        self.disconnects: queue.Queue[str] = queue.Queue()
        self._subscribed: queue.Queue[bool] = queue.Queue()

        def disconnect(_client: Client, _data: object, _flags: object, reason: object, _properties: object) -> None:
            self.disconnects.put(str(reason))
            self._subscribed.put(False)

        self.client.on_disconnect = disconnect
        self._connected: queue.Queue[str] = queue.Queue()

        def connect(client: Client, _data: object, _flags: object, reason: object, _properties: object) -> None:
            failed = getattr(reason, "is_failure", False)
            if not failed:
                for one in subscriptions:
                    client.subscribe(one, qos=1)
            self._connected.put(str(reason) if failed else "")

        self.client.on_connect = connect
        self.client.on_subscribe = lambda *_: self._subscribed.put(True)
        self.client.connect(access.host, access.port)
        self.client.loop_start()
        self.connect_error = self._connected.get(timeout=LIMIT_S)
        if not self.connect_error:
            for _ in subscriptions:
                self._subscribed.get(timeout=LIMIT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def subscribe(self, topics: Sequence[str]) -> bool:
        """Subscribe to more topics; return whether the broker confirms it, or ends the connection."""
        self.client.subscribe([(topic, 0) for topic in topics])
        return self._subscribed.get(timeout=LIMIT_S)

    def publish(self, where: str, payload: bytes) -> str:
        """Publish with QoS 1; return why the broker refused it, "" if it did not."""
        self.client.publish(where, payload, qos=1)
        return self.refused.get(timeout=LIMIT_S)

    def send(self, name: str, message: Message) -> str:
        """Publish a message of its box."""
        return self.publish(topic(self.box, name), encode(message))

    def receive(self, name: str = "stored") -> Message:
        """Return the next message of a topic of its box, and wait for it. Those of other topics are kept."""
        while not self._unread[name]:
            message = self.received.get(timeout=LIMIT_S)
            self._unread[parse_topic(message.topic)[1]].append(bytes(message.payload))
        return decode(name, self._unread[name].popleft())

    def next_acknowledgement(self, is_wanted: Callable[[Acknowledgement], bool] = lambda _: True) -> Acknowledgement:
        """Wait for an answer."""
        while True:
            answer = self.receive()
            assert isinstance(answer, Acknowledgement)
            if is_wanted(answer):
                return answer
