"""Phones on the pads of a table, without a network: what each receives, and a network that is always on."""

from dataclasses import dataclass, field

from errors import ThrowlockError
from rules.board.notation import format_move, format_position
from rules.board.position import Position
from rules.engine import Choices, FactValue, Prompt
from throwlock.pads.table import PadTable
from throwlock.pads.view import PadState
from throwlock.web.pads import pad_page
from ui.screen.pages.common import JoinAddress
from ui.screen.pages.phones import PhonesPage
from ui.screen.views import Page
from ui.web.views import Access

ACCESS = Access(local=False, token="TOKEN", lan=True)


class OpenNetwork:
    """The network is on, at an address of its own."""

    is_on = True

    def join_address(self) -> JoinAddress:
        return JoinAddress("http://192.168.0.2:8321/join/CDFGHJKM", "http://192.168.0.2:8321/join", "CDFG-HJKM")

    def switch_on(self) -> ThrowlockError | None:
        return None

    def second_screen_page(self, back: Page) -> Page:
        return back


@dataclass
class PadClock:
    """A manual clock, in s."""

    now_s: float = 1000.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class Phones:
    """A table's pads with a phone named after each seat: "1", "2"."""

    names: tuple[str, ...]
    in_class: bool = False
    has_rounds: bool = True
    clock: PadClock = field(default_factory=PadClock)

    def __post_init__(self) -> None:
        self.pads = PadTable(self.clock)
        self.pads.network = OpenNetwork()
        self.pads.open(self.names, in_class=self.in_class, has_rounds=self.has_rounds)

    def join(self, *seats: int) -> None:
        """Let the phones of ``seats`` join while the touchscreen shows the page for that."""
        self.pads.show(PhonesPage(self.pads.status, self.pads.status()))
        for seat in seats:
            self.pads.take_seat(str(seat), seat)

    def state(self, seat: int) -> PadState:
        """Return what a seat's phone may know, which is a request of that phone."""
        self.pads.note_presence(str(seat))
        return self.pads.state(str(seat))

    def html(self, seat: int) -> str:
        """Return all that a seat's phone is sent."""
        return self.page(str(seat))

    def page(self, phone: str) -> str:
        """Return all that a phone is sent, whether it has a seat or not."""
        self.pads.note_presence(phone)
        return "".join(pad_page(self.pads, phone).render_parts(ACCESS).values())


def board_prompt(position: Position, seat: int) -> Prompt:
    """The question for a move in a position."""
    about: dict[str, FactValue] = {"position": format_position(position), "south": 1, "north": 2}
    moves = Choices(tuple(format_move(move, position.tables.board) for move in position.legal_moves()))
    return Prompt("move", {seat: moves}, about=about)
