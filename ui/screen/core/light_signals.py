"""The signals of the seats' lights for each page. They show each seat what the page shows to all, and nothing secret,
such as what somebody entered."""

from collections.abc import Mapping

from device.gpio.lights import Lights, LightSignal
from rules.engine import Seat
from rules.record.round import SeatView
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.question import Question, SeatPage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.seating import KeyboardPage, NamePage
from ui.screen.pages.showdown import Showdown
from ui.screen.pages.zones import ZonesPage
from ui.screen.views import View


def light_signals(page: View | None) -> Mapping[Seat, LightSignal]:
    """Return the signals while ``page`` is shown; other seats' lights are off. In a question they show which seats have
    yet to answer; in the count, who throws and, after it, whose throw has been seen; in the reveal, who fouled and
    whose throw counts; after a showdown and at the end, who won; in the seats' set-up, which seat is on the screen."""
    signals: dict[Seat, LightSignal] = {}
    match page:
        case Question(seat=seat) | SeatPage(view=Question(seat=seat)):
            signals[seat] = LightSignal.WAITING
        case NamePage(seat=seat) | KeyboardPage(seat=seat) | ZonesPage(seat=seat):
            signals[seat] = LightSignal.ANSWERED
        case GroupQuestion(prompt=prompt):
            signals = dict.fromkeys(prompt.seats, LightSignal.WAITING)
        case GroupQuestionPage(view=view, answers=given):
            signals = {
                seat: LightSignal.ANSWERED if seat in given else LightSignal.WAITING for seat in view.prompt.seats
            }
        case Countdown(players=players, throwing=throwing, seen=seen):
            signals = dict.fromkeys(throwing or [player.seat for player in players], LightSignal.WAITING)
            signals |= dict.fromkeys(seen, LightSignal.ANSWERED)
        case Reveal(seats=seats):
            signals = {seat.seat: _reveal_signal(seat) for seat in seats}
        case Showdown(winners=winners):
            signals = dict.fromkeys(winners, LightSignal.WINNER)
        case MatchResult(result=result):
            signals = dict.fromkeys(result.winners, LightSignal.WINNER)
    return signals


def _reveal_signal(seat: SeatView) -> LightSignal:
    if seat.is_foul:
        return LightSignal.FOUL
    return LightSignal.OFF if seat.last_throw is None else LightSignal.ANSWERED


class LightController:
    """Sets the lights, if there are any, to the signals of each page; only changes are sent."""

    def __init__(self, lights: Lights | None) -> None:
        self._lights = lights
        self._signals: dict[Seat, LightSignal] = {}

    def show(self, page: View | None) -> None:
        """Set the signals for ``page`` (``None``: nothing is shown)."""
        if self._lights is None:
            return
        signals = light_signals(page)
        for seat in range(1, self._lights.seats + 1):
            signal = signals.get(seat, LightSignal.OFF)
            if self._signals.get(seat, LightSignal.OFF) is not signal:
                self._signals[seat] = signal
                self._lights.show(seat, signal)

    def blink(self, seat: Seat) -> None:
        """Blink a seat's light: its button event counted."""
        if self._lights is not None:
            self._lights.blink(seat)
