"""Tests of a hub's connection to the broker with a client that answers when it is told to."""

import logging
import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from throwlock.hub import broker
from throwlock.hub.broker import PAUSE_S, BrokerAccess, BrokerConnection


class ScriptedClient(SimpleNamespace):
    """In the place of paho's client: records what it is asked for."""

    def __init__(self, *_: object, **__: object) -> None:
        super().__init__(subscriptions=[], ended=[], published=[], is_connected=lambda: True)
        for name in ("reconnect_delay_set", "max_inflight_messages_set", "max_queued_messages_set"):
            setattr(self, name, lambda *_: None)

    def subscribe(self, topics: list[tuple[str, int]]) -> None:
        self.subscriptions += topics

    def unsubscribe(self, topics: list[str]) -> None:
        self.ended += topics

    def publish(self, topic: str, payload: bytes, *, qos: int, retain: bool) -> MQTTErrorCode:
        self.published.append((topic, payload))
        return MQTTErrorCode.MQTT_ERR_SUCCESS

    def answer_connect(self) -> None:
        self.on_connect(self, None, SimpleNamespace(), ReasonCode(PacketTypes.CONNACK, "Success"), None)

    def answer_subscribe(self, *reasons: str) -> None:
        self.on_subscribe(self, None, 1, [ReasonCode(PacketTypes.SUBACK, reason) for reason in reasons], None)


@pytest.fixture
def connected_calls() -> list[bool]:
    return []


@pytest.fixture
def client() -> ScriptedClient:
    return ScriptedClient()


@pytest.fixture
def connection(
    monkeypatch: pytest.MonkeyPatch, client: ScriptedClient, connected_calls: list[bool]
) -> BrokerConnection:
    monkeypatch.setattr(broker, "Client", lambda *_, **__: client)
    connection = BrokerConnection(
        BrokerAccess(host="hall.local", port=8883), lambda _: None, lambda: connected_calls.append(True)
    )
    connection.subscribe(["box-1"])
    client.subscriptions.clear()
    return connection


def test_connected_once_the_broker_has_confirmed_the_subscriptions(
    connection: BrokerConnection, client: ScriptedClient, connected_calls: list[bool]
) -> None:
    """Before, it would throw away what a box sends: no session of this hub wants it."""
    client.answer_connect()
    assert ("$share/hub/hall/1/box-1/hello", 1) in client.subscriptions
    assert not connection.connected.is_set()
    assert not connected_calls
    client.answer_subscribe("Granted QoS 1")
    assert connection.connected.is_set()
    assert connected_calls == [True]


def test_box_that_is_paused_is_not_asked_for_until_later(
    connection: BrokerConnection, client: ScriptedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers: list[SimpleNamespace] = []

    def timer(after_s: float, act: Callable[[str], None], args: tuple[str]) -> SimpleNamespace:
        timers.append(SimpleNamespace(after_s=after_s, act=lambda: act(*args), start=lambda: None))
        return timers[-1]

    monkeypatch.setattr(threading, "Timer", timer)
    connection.subscribe(["box-2"])
    asked, hello = list(client.subscriptions), "$share/hub/hall/1/box-2/hello"
    for _ in range(2):
        connection.pause("box-2")
    assert client.ended == [name for name, _ in asked] and (hello, 1) in asked
    client.subscriptions.clear()
    client.answer_connect()
    assert client.subscriptions and not {*client.subscriptions} & {*asked}, "nor after the connection was lost"
    client.subscriptions.clear()
    assert [timer.after_s for timer in timers] == [PAUSE_S]
    timers[0].act()
    assert client.subscriptions == asked


def test_answers_what_comes_before_the_subscriptions_are_confirmed(
    connection: BrokerConnection, client: ScriptedClient
) -> None:
    """MQTT 5, 3.8.4: the broker may send messages before its confirmation."""
    client.answer_connect()
    connection.publish("hall/1/box-1/stored", b"{}")
    assert client.published == [("hall/1/box-1/stored", b"{}")]


def test_refused_subscriptions_are_told(
    connection: BrokerConnection,
    client: ScriptedClient,
    connected_calls: list[bool],
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        client.answer_connect()
        client.answer_subscribe("Granted QoS 1", "Not authorized")
    assert not connection.connected.is_set()
    assert not connected_calls
    assert caplog.messages == [
        "the broker hall.local:8883 does not let this hub read what boxes send: "
        "look at the rights of its user in broker/acl"
    ]
