"""The page on which phones join: its QR code, and what can be touched."""

import cv2
import pygame
import pytest

from device.camera.frames import Size
from tests.helpers.samples.network import samples as network_samples
from tests.helpers.samples.phones import ADDRESS, samples
from ui.screen.core.png_display import PANEL_SIZES, render_image
from ui.screen.core.registry import paint
from ui.screen.pages.common import GO_ON_ANSWER, SWITCH_ON_ANSWER
from ui.screen.pages.phones import AUDIENCE_ANSWER, PhonesPage, RemovePhone
from ui.screen.views import Reply, View

SIZES: tuple[Size, ...] = (*PANEL_SIZES, (1920, 1080))
JOINING = {**{name: view for name, view in samples().items() if name not in ("phones-off", "phones-no-network")}}
JOINING["network-on"] = network_samples()["network-on"]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", JOINING)
def test_the_qr_code_is_the_address_with_the_code(name: str, size: Size) -> None:
    pixels = render_image(JOINING[name], size)
    scales = (1, 2)  # OpenCV misses some codes at one size
    images = [cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST) for scale in scales]
    assert ADDRESS.url in [cv2.QRCodeDetector().detectAndDecode(image)[0] for image in images]


def replies(view: View) -> list[object]:
    targets = paint(pygame.Surface((800, 480), 0, 32), view)
    return [target.press.value for target in targets if isinstance(target.press, Reply)]


def test_seats_with_a_phone_can_be_taken_back() -> None:
    four = {RemovePhone(1), RemovePhone(3), RemovePhone(4)}
    assert set(replies(samples()["phones-4"])) == {GO_ON_ANSWER, AUDIENCE_ANSWER, *four}
    assert replies(samples()["phones-class"]) == [GO_ON_ANSWER]


def test_off_the_network_it_can_be_switched_on() -> None:
    assert set(replies(samples()["phones-off"])) == {GO_ON_ANSWER, SWITCH_ON_ANSWER}


def test_seats_are_ticked_off_while_it_is_shown() -> None:
    two, four = samples()["phones-2"], samples()["phones-4"]
    assert isinstance(two, PhonesPage) and isinstance(four, PhonesPage)
    page = PhonesPage(lambda: four.status, two.status)
    assert page.at_time(1.0).status == four.status
