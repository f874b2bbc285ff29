"""The QR code of a round's clip, which a phone in the same network opens. Pure: no surface, no clock."""

from dataclasses import dataclass

from messages import N, join
from ui.i18n.language import t
from ui.screen.drawing.forms import Column, Flip, Form, lays_out
from ui.screen.drawing.nodes import GAP, Button, QrCode, Text
from ui.screen.drawing.theme import ACCENT
from ui.screen.pages.common import GO_ON_ANSWER
from ui.screen.pages.phones import network_offer
from ui.screen.views import Reply, StatusPage, UntimedPage
from ui.text import labels
from ui.text.labels import TAKE_HOME


@dataclass(frozen=True)
class TakeHomeStatus:
    """Where a clip to take home is."""

    url: str | None
    """None: the network is off; "": there is none."""
    share: float = 0.0
    """How much of it is made, 0–1."""
    error: str = ""
    """What went wrong; "" if nothing did."""


@dataclass(frozen=True)
class TakeHomePage(StatusPage[TakeHomeStatus], UntimedPage):
    """The QR code of a clip, or how to put the box on the network. Answered with GO_ON_ANSWER or SWITCH_ON_ANSWER."""


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


@lays_out(TakeHomePage)
def lay_out_take_home(page: TakeHomePage) -> Form:
    """Return the QR code and how far the clip is, or how to put the box on the network."""
    status = page.status
    if status.url is None and not status.error:
        return network_offer(TITLE, OFF_DETAIL)
    go_on = Button(labels.GO_ON, Reply(GO_ON_ANSWER), "forward", main=True)
    if status.error or not status.url:
        text = join([FAILED, status.error]) if status.error else labels.NO_NETWORK
        return Form(TITLE, Text(text, "title", lines=6), foot=(go_on,))
    progress = Text(progress_text(status), "title", ACCENT, lines=1)
    words = Column(Text(HOW, "title", share=3), progress)
    return Form(TITLE, Flip(QrCode(status.url), words, gap=2 * GAP), foot=(go_on,))
