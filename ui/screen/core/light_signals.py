"""Which sign every seat's light has while a page is shown: it says to each seat what the page says to all. Pure; a
light tells nothing that everybody may not know, such as what somebody entered."""

from collections.abc import Mapping

from device.gpio.lights import Lights, Sign
from rules.engine import Seat
from ui.screen.core.page_stack import Page
from ui.screen.pages.ask.group_view import GatherPage
from ui.screen.pages.ask.view import BoardPage, EntryPage, HandOverPage
from ui.screen.pages.seating.view import LettersPage, NamePage
from ui.screen.pages.views import Cadence, Ended, Gather, Question, Reveal, SeatReveal, View
from ui.screen.pages.zones.view import ZonesPage


def signs(shown: View | Page | None) -> Mapping[Seat, Sign]:
    """The signs while ``shown`` is; seats that are not named have none. While something is asked, who is not in yet is
    waited for; in the count, who throws; after it, who fouled and whose throw counts; at the end, who won. While seats
    are set up, the one that is on the screen shows which it is."""
    found: dict[Seat, Sign] = {}
    match shown:
        case Question(seat=seat) | HandOverPage(view=Question(seat=seat)):
            found[seat] = Sign.WAITING
        case EntryPage(view=Question(seat=seat)) | BoardPage(view=Question(seat=seat)):
            found[seat] = Sign.WAITING
        case NamePage(seat=seat) | LettersPage(seat=seat) | ZonesPage(seat=seat):
            found[seat] = Sign.IN
        case Gather(ask=ask):
            found = dict.fromkeys(ask.seats, Sign.WAITING)
        case GatherPage(view=view, given=given):
            found = {seat: Sign.IN if seat in given else Sign.WAITING for seat in view.ask.seats}
        case Cadence(players=players, throwing=throwing):
            found = dict.fromkeys(throwing or [player.seat for player in players], Sign.WAITING)
        case Reveal(seats=seats):
            found = {seat.player.seat: _revealed(seat) for seat in seats}
        case Ended(result=result):
            found = dict.fromkeys(result.winners, Sign.WINNER)
    return found


def _revealed(seat: SeatReveal) -> Sign:
    if seat.foul:
        return Sign.FOUL
    return Sign.OFF if seat.throw is None else Sign.IN


class Followed:
    """Lights, where there are any, that follow what is shown: each is told only what is new to it."""

    def __init__(self, lights: Lights | None) -> None:
        self._lights = lights
        self._told: dict[Seat, Sign] = {}

    def follow(self, shown: View | Page | None) -> None:
        """``shown`` is shown now (``None``: nothing)."""
        if self._lights is None:
            return
        new = signs(shown)
        for seat in range(1, self._lights.seats + 1):
            sign = new.get(seat, Sign.OFF)
            if self._told.get(seat, Sign.OFF) is not sign:
                self._told[seat] = sign
                self._lights.show(seat, sign)

    def struck(self, seat: Seat) -> None:
        """A stroke of ``seat`` was counted: its light blinks."""
        if self._lights is not None:
            self._lights.blink(seat)
