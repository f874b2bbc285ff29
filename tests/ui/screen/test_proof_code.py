"""The QR code of a match's proof code: on the screen, and as SVG on the pages."""

import re
from dataclasses import replace

import cv2
import numpy as np
import pygame
import pytest

from device.camera.frames import Pixels, Size
from tests.helpers.samples.classroom import samples as classroom_samples
from tests.helpers.samples.practice import samples as practice_samples
from tests.helpers.samples.result import PROOF_CODE, samples
from throwlock.journal.hash_chain import parse_proof_code, proof_code
from ui.charts.proof_code import QUIET_MODULES, proof_text, qr_modules
from ui.screen.core.png_display import PANEL_SIZES, render_image
from ui.screen.core.registry import draw, paint
from ui.screen.pages.practice import CommitmentReveal, CommitmentView, group_digits
from ui.screen.pages.result import MatchResult
from ui.web.charts.drawings import draw_proof_code

TEXT = f"THROWLOCK MATCH 12 {PROOF_CODE}"
RESULTS = {name: view for name, view in {**samples(), **classroom_samples()}.items() if isinstance(view, MatchResult)}
FAST_RESULTS = ("result-8", "result-every-button", "classroom-result-63")
SIZES: tuple[Size, ...] = (*PANEL_SIZES, (1280, 720))


def read_code(pixels: Pixels) -> str:
    """Read a QR code as OpenCV does; enlarged, which a phone does by going nearer."""
    large = cv2.resize(pixels, None, fx=3, fy=3, interpolation=cv2.INTER_NEAREST)
    return str(cv2.QRCodeDetector().detectAndDecode(large)[0])


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in FAST_RESULTS else pytest.mark.slow) for name in RESULTS]
)
def test_the_code_is_read_from_every_result(name: str, size: Size) -> None:
    assert read_code(render_image(RESULTS[name], size)) == TEXT


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["result-8", "classroom-result-63"])
def test_a_touch_enlarges_the_code_and_another_leads_back(name: str, size: Size) -> None:
    view, surface = RESULTS[name], pygame.Surface(size)
    large = replace(view, shows_code=True)
    (code,) = [target for target in paint(surface, view) if target.press == large]
    assert PROOF_CODE in code.label
    (back,) = paint(surface, large)
    assert back.press == view
    assert cv2.QRCodeDetector().detectAndDecode(render_image(large, size))[0] == TEXT, "without going nearer"


def test_a_result_without_a_code_shows_none() -> None:
    pixels = render_image(replace(RESULTS["result-8"], proof_code=""), (800, 480))
    assert read_code(pixels) == "" and not (pixels == 255).all(axis=2).sum() > 20_000


def test_the_code_on_the_pages_is_the_same() -> None:
    svg = draw_proof_code(12, PROOF_CODE)
    modules = qr_modules(TEXT)
    drawn = np.zeros_like(modules)
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", svg):
        drawn[int(y), int(x)] = True
    assert (drawn == modules).all() and f'viewBox="0 0 {len(modules)} {len(modules)}"' in svg
    pixels = np.where(drawn, 0, 255).astype(np.uint8).repeat(8, axis=0).repeat(8, axis=1)
    assert cv2.QRCodeDetector().detectAndDecode(pixels)[0] == TEXT


@pytest.mark.parametrize("match", [1, 9_999_999])
def test_the_code_is_of_the_smallest_size_with_its_margin(match: int) -> None:
    modules = qr_modules(proof_text(match, PROOF_CODE))
    assert modules.shape == (25 + 2 * QUIET_MODULES,) * 2, "version 2"
    assert not modules[:QUIET_MODULES].any() and not modules[:, -QUIET_MODULES:].any() and modules[QUIET_MODULES].any()


def test_verify_accepts_the_line_that_a_phone_shows() -> None:
    own = "7" * 64
    assert parse_proof_code(proof_text(12, proof_code(own))) == own[:25]
    assert parse_proof_code(f" throwlock match 12 {proof_code(own).lower()} ") == own[:25]
    with pytest.raises(ValueError, match="20 letters"):
        parse_proof_code("THROWLOCK MATCH 12")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_seal_is_read_from_the_page(size: Size) -> None:
    view = practice_samples()["practice-seal"]
    assert isinstance(view, CommitmentView)
    assert read_code(render_image(view, size)) == f"THROWLOCK SEAL {view.digest.upper()}"
    page, surface = replace(view, shows_digits=True), pygame.Surface(size)
    assert not set(group_digits(view.digest)) & {text.text for text in draw(surface, view).texts}
    assert page in [target.press for target in draw(surface, view).targets]
    assert set(group_digits(view.digest)) <= {text.text for text in draw(surface, page).texts}
    assert [target.press for target in draw(surface, page).targets] == [view]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_seals_check_says_when_it_fails(size: Size) -> None:
    view, surface = practice_samples()["practice-open"], pygame.Surface(size)
    assert isinstance(view, CommitmentReveal)
    words = " ".join(text.text for text in draw(surface, view).texts).replace("\n", " ")
    assert "its seal matches" in words and view.opening not in words and "sha256sum" not in words
    failed = " ".join(text.text for text in draw(surface, replace(view, matches=False)).texts)
    assert "does not match" in failed
    presses = [target.press for target in draw(surface, view).targets]
    (page,) = [press for press in presses if isinstance(press, CommitmentReveal)]
    drawn = draw(surface, page)
    assert {view.opening, *group_digits(view.digest)} <= {text.text.replace("\n", " ") for text in drawn.texts}
    assert [getattr(target.press, "shows_check", None) for target in drawn.targets] == [False]
