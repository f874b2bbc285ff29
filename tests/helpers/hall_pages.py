"""A hall's pages behind their logins, over a real database, and clients of them."""

import hashlib
import re
from base64 import b64encode

import psycopg

from tests.helpers.web_guard import BrowserClient, FakeClock
from throwlock.hub.hub import assign_ready
from throwlock.hub.pages.access import read_access
from throwlock.hub.pages.live import LiveSnapshot
from throwlock.hub.pages.server import protect_hall

BASE = "http://192.168.1.20:8322"
PASSWORD = "correct horse"
QUICK_SALT = b"salt"
QUICK_KEY = hashlib.scrypt(PASSWORD.encode(), salt=QUICK_SALT, n=2, r=8, p=1)
QUICK_HASH = f"scrypt$2$8$1${b64encode(QUICK_SALT).decode()}${b64encode(QUICK_KEY).decode()}"
"""The password's hash at a cost that no test waits for."""
PAGES = ("/", "/tournament/1", "/screen", "/screen/1")
ORGANISER_PAGES = (
    "/organise", "/organise/players", "/organise/players/sheet", "/organise/new", "/organise/new?game=redeux",
    "/organise/tournament/1", "/organise/tournament/1/match/K1.1", "/organise/disputes", "/organise/ratings",
    "/organise/problems", "/organise/settings",
)  # fmt: skip


class HallPages:
    """The pages of a hall. ``refresh`` does what a hub does when something has changed."""

    def __init__(self, dsn: str, database: psycopg.Connection) -> None:
        self.database = database
        read_access(database)
        database.execute("UPDATE hall SET password = %s", (QUICK_HASH,))
        self.live = LiveSnapshot(dsn, lambda: (BASE,))
        self.refresh()
        self.live.viewers.open()
        self.live.organisers.open()
        self.clock = FakeClock()
        self.app = protect_hall(self.live, ("hall.local",), now=self.clock)

    def refresh(self) -> None:
        self.database.commit()
        assign_ready(self.database)
        self.live.refresh(self.database)

    def stranger(self, number: int = 66) -> BrowserClient:
        return BrowserClient(self.app, BASE, f"192.168.1.{number}")

    def viewer(self) -> BrowserClient:
        """Return a phone that has typed the code."""
        phone = self.stranger(77)
        assert phone.send_form("/code", code=self.live.newest().code.lower()) == (303, "/")
        return phone

    def organiser(self) -> "Organiser":
        """Return the organiser's browser, logged in."""
        client = self.stranger(10)
        assert client.send_form("/login", code=PASSWORD) == (303, "/organise")
        return Organiser(self, client)


class Organiser:
    """A browser that is logged in, and sends forms with their token."""

    def __init__(self, hall: HallPages, client: BrowserClient) -> None:
        self._hall, self.client = hall, client
        self.token = token_in(client.get("/organise").text)

    def page(self, path: str) -> str:
        self._hall.refresh()
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def send(self, path: str, **fields: str) -> tuple[int, str]:
        self._hall.refresh()
        answer = self.client.send_form(path, token=self.token, **fields)
        self._hall.refresh()
        return answer


def token_in(html: str) -> str:
    found = re.search('name="token" value="([^"]+)"', html)
    assert found
    return found[1]
