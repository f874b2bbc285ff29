"""A broker as a hall has it, with TLS, passwords and access lists, and a small hub that stores what boxes send."""

import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.helpers.waiting import LIMIT_S
from throwlock.hall.membership import Membership
from throwlock.hall.protocol import (
    Acknowledgement,
    EventBatch,
    Hello,
    Message,
    Picture,
    Problem,
    StreamEvent,
    decode,
    encode,
    parse_topic,
    shared_topic,
    topic,
)
from throwlock.hub.setup import add_box, prepare
from tools.hall.servers import Mosquitto, free_port

BOX, HUB = "box-1", "hub"
PASSWORD = "a long password"
HALL_CONFIG = """
listener {{port}} 127.0.0.1
cafile {folder}/ca.crt
certfile {folder}/{server}.crt
keyfile {folder}/{server}.key
password_file {folder}/passwords
acl_file {folder}/acl
max_keepalive 60
"""
ACL = f"""
user {HUB}
topic readwrite #
pattern write hall/1/%u/hello
pattern write hall/1/%u/events
pattern write hall/1/%u/pictures
pattern read hall/1/%u/stored
pattern read hall/1/%u/pairings
pattern write homie/5/%u/#
"""


def prepare_hall(folder: Path, dsn: str, broker: Path) -> Mosquitto:
    """Write the folder of a hall with one box, and return its broker, which runs in the folder ``broker``."""
    port = free_port()
    prepare(folder, "School hall", ["127.0.0.1"], port, dsn)
    add_box(folder, "box-1", "Table 1")
    server = Mosquitto(broker, (folder / "broker/mosquitto.conf").read_text())
    server.port = port
    return server


def openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True, timeout=LIMIT_S)


def write_authority(folder: Path, name: str) -> None:
    """Write NAME.key and NAME.crt, an authority of its own."""
    openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
        "-subj", "/CN=A hall's authority", "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.crt",
    )  # fmt: skip


def write_certificate(folder: Path, name: str, subject: str, days: int) -> None:
    """Write NAME.key and NAME.crt, which ca.crt has signed for ``subject``."""
    request, names = folder / f"{name}.csr", folder / f"{name}.ext"
    names.write_text(f"subjectAltName={subject}\n")
    openssl(
        "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=A hall",
        "-keyout", folder / f"{name}.key", "-out", request,
    )  # fmt: skip
    openssl(
        "x509", "-req", "-in", request, "-CA", folder / "ca.crt", "-CAkey", folder / "ca.key", "-CAcreateserial",
        "-days", str(days), "-extfile", names, "-out", folder / f"{name}.crt",
    )  # fmt: skip


class HallBroker(Mosquitto):
    """Mosquitto with a certificate for ``subject``, for BOX and HUB."""

    def __init__(self, folder: Path, subject: str = "IP:127.0.0.1,DNS:localhost", days: int = 30) -> None:
        super().__init__(folder, HALL_CONFIG.format(folder=folder, server="server"))
        folder.mkdir(parents=True, exist_ok=True)
        write_authority(folder, "ca")
        write_certificate(folder, "server", subject, days)
        passwords, acl = folder / "passwords", folder / "acl"
        passwords.touch(0o600)
        for user in (BOX, HUB):
            command = ["mosquitto_passwd", "-b", str(passwords), user, PASSWORD]
            subprocess.run(command, check=True, capture_output=True, timeout=LIMIT_S)
        acl.write_text(ACL)
        acl.chmod(0o600)

    @property
    def membership(self) -> Membership:
        """What makes BOX part of the hall."""
        return Membership(
            hall="A hall", host="127.0.0.1", port=self.port, ca=(self.folder / "ca.crt").read_text(), box=BOX,
            password=PASSWORD,
        )  # fmt: skip


@dataclass
class HallCopy:
    """What a hub has stored of the journals, by their origin; ``problems`` it answers with, by origin."""

    journals: dict[str, list[StreamEvent]] = field(default_factory=dict)
    problems: dict[str, Problem] = field(default_factory=dict)
    pictures: list[Picture] = field(default_factory=list)

    def take(self, message: Message) -> Acknowledgement:
        """Store what follows what is stored, and return the answer."""
        assert isinstance(message, Hello | EventBatch)
        events = self.journals.setdefault(message.journal, [])
        for event in message.events if isinstance(message, EventBatch) else ():
            if event.number == len(events) + 1:
                assert event.has_valid_hash()
                assert event.previous_hash == (events[-1].hash if events else message.journal)
                events.append(event)
        newest = events[-1].hash if events else message.journal
        problem = self.problems.get(message.journal, "")
        return Acknowledgement(journal=message.journal, number=len(events), hash=newest, problem=problem)


class ScriptedHub:
    """A hub at a HallBroker, in a thread of its own. ``received`` has every message with the last part of its topic,
    ``states`` the newest value of every Homie topic. While it ``is_silent`` it stores and answers nothing."""

    def __init__(self, broker: HallBroker, copy: HallCopy | None = None) -> None:
        self.copy = copy or HallCopy()
        self.received: list[tuple[str, Message]] = []
        self.states: dict[str, str] = {}
        self.state_log: list[str] = []
        self.is_silent = False
        self._heard = threading.Condition()
        self._ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.username_pw_set(HUB, PASSWORD)
        self._client.tls_set(str(broker.folder / "ca.crt"))
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = lambda client, *_: client.subscribe(
            [("homie/5/#", 1), *((shared_topic("+", name), 1) for name in ("hello", "events", "pictures"))]
        )
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_message = self._on_message
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        assert self._ready.wait(LIMIT_S)

    def publish(self, message: Message, name: str, *, retain: bool = False) -> None:
        self._client.publish(topic(BOX, name), encode(message), qos=1, retain=retain)

    def wait_until(self, is_so: Callable[[], object]) -> None:
        """Wait until something is so, looking after each message."""
        with self._heard:
            assert self._heard.wait_for(is_so, timeout=LIMIT_S)

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _on_message(self, client: Client, userdata: object, message: MQTTMessage) -> None:
        with self._heard:
            self._take(message)
            self._heard.notify_all()

    def _take(self, message: MQTTMessage) -> None:
        if message.topic.startswith("homie/"):
            name = message.topic.split("/", 3)[3]
            self.states[name] = message.payload.decode()
            self.state_log += [message.payload.decode()] if name == "$state" else []
            return
        box, name = parse_topic(message.topic)
        read = decode(name, bytes(message.payload))
        self.received.append((name, read))
        if self.is_silent:
            return
        if isinstance(read, Picture):
            self.copy.pictures.append(read)
        else:
            self._client.publish(topic(box, "stored"), encode(self.copy.take(read)), qos=1)
