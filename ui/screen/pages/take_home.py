"""The QR code of a round's clip, which a phone in the same network opens. Pure: no surface, no clock."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from messages import N, join
from ui.charts.proof_code import qr_modules
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT
from ui.screen.drawing.widgets import draw_header, draw_modules
from ui.screen.pages.common import GO_ON_ANSWER
from ui.screen.pages.phones import draw_network_offer
from ui.screen.views import UNTIMED_PATIENCE_S, Page, Reply
from ui.text import labels
from ui.text.labels import TAKE_HOME


@dataclass(frozen=True)
class TakeHomeStatus:
    """Where a clip is: its ``url`` (None: the network is off; "": there is none), how much of it is made, and what went
    wrong, if anything did."""

    url: str | None
    share: float = 0.0
    error: str = ""


@dataclass(frozen=True)
class TakeHomePage(Page):
    """The QR code of a clip, or how to put the box on the network. ``current`` returns the status now. Answered with
    GO_ON_ANSWER or SWITCH_ON_ANSWER."""

    current: Callable[[], TakeHomeStatus]
    status: TakeHomeStatus

    @property
    def patience_s(self) -> float | None:
        """See Page."""
        return UNTIMED_PATIENCE_S

    def at_time(self, seconds: float) -> Self:
        """See View."""
        del seconds
        return replace(self, status=self.current())


TITLE = TAKE_HOME
HOW = N(
    "Scan this with your phone’s camera, in the same Wi-Fi as this box. The link opens this clip and nothing else, "
    "until the network is switched off here."
)
OFF_DETAIL = N(
    "Switch the network on, and a phone in the same Wi-Fi can open the clip of this round. It stays on until you "
    "switch it off on the home page, under “Phones and review”."
)
FAILED = N("The clip can’t be made.")


def progress_text(status: TakeHomeStatus) -> str:
    """How far the clip is."""
    return t("The clip is ready.") if status.share >= 1 else t("{percent} % made", percent=int(100 * status.share))


@paints(TakeHomePage)
def draw_take_home(canvas: Canvas, page: TakeHomePage) -> None:
    """Draw the QR code and how far the clip is, or how to put the box on the network."""
    theme, status = canvas.theme, page.status
    body = draw_header(canvas, canvas.page, TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.4), theme.gap)
    if status.url is None and not status.error:
        draw_network_offer(canvas, body, foot, OFF_DETAIL)
        return
    canvas.button(foot, labels.GO_ON, Reply(GO_ON_ANSWER), main=True, size=theme.title, icon="forward")
    if status.error or not status.url:
        text = join([FAILED, status.error]) if status.error else labels.NO_NETWORK
        canvas.text(body, text, theme.title, max_lines=6)
        return
    code, words = (layout.rows if theme.portrait else layout.columns)(body, [1, 1], theme.gap * 2)
    draw_modules(canvas, code, qr_modules(status.url))
    how, progress = layout.rows(words, [3, 1], theme.gap)
    canvas.text(how, HOW, theme.title, max_lines=9)
    canvas.text(progress, progress_text(status), theme.title, ACCENT)
