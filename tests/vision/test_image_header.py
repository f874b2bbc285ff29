"""Images are refused by their headers, before anything is decoded."""

import io
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from device.system.input_files import MAX_PICTURE_PIXELS
from throwlock.tables.round_frames import UNREADABLE_IMAGE, decode_foreign_jpeg
from vision.hands import stills
from vision.hands.stills import read_image
from vision.image_header import ImageError, check_image_header


def png(width: int, height: int) -> bytes:
    """A PNG of any size with the beginning of its data: a few dozen bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


@pytest.fixture
def nothing_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def decode(*args: object) -> None:
        raise AssertionError("it was decoded")

    monkeypatch.setattr(cv2, "imdecode", decode)
    monkeypatch.setattr(stills, "shared_decoder", decode)


@pytest.mark.parametrize(
    ("width", "height", "message"),
    [
        (20_000, 20_000, "a.png has more than 120 megapixels: save it smaller."),
        (12_000, 10_001, "a.png has more than 120 megapixels: save it smaller."),
        (1, 30_000, "a.png is a strip of 1×30000 pixels: crop it around the hands."),
        (1_010, 10, "a.png is a strip of 1010×10 pixels: crop it around the hands."),
    ],
)
def test_a_size_that_can_not_be_judged_is_refused(
    tmp_path: Path, nothing_is_decoded: None, width: int, height: int, message: str
) -> None:
    (tmp_path / "a.png").write_bytes(png(width, height))
    with pytest.raises(ImageError) as error:
        read_image(tmp_path / "a.png")
    assert str(error.value) == f"{tmp_path}/{message}"


@pytest.mark.parametrize(("width", "height"), [(12_000, 9_000), (9_000, 12_000), (11_648, 8_736), (16_000, 1_600)])
def test_photographs_and_panoramas_of_100_megapixels_pass(width: int, height: int) -> None:
    check_image_header(png(width, height), "a.png")


def test_a_file_larger_than_the_limit_is_refused(
    tmp_path: Path, nothing_is_decoded: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stills, "MAX_PICTURE_BYTES", 1024)
    (tmp_path / "a.png").write_bytes(png(8, 8) + bytes(1024))
    with pytest.raises(ImageError, match=r"a\.png can’t be read: larger than 1 KiB\."):
        read_image(tmp_path / "a.png")


@pytest.mark.parametrize("kind", ["jpg", "png", "bmp", "webp", "tiff"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.95])
def test_an_image_cut_short_is_refused(
    tmp_path: Path, kind: str, share: float, capfd: pytest.CaptureFixture[str]
) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (90, 120, 3), np.uint8)
    content = cv2.imencode(f".{kind}", noise)[1].tobytes()
    path = tmp_path / f"a.{kind}"
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(ImageError, match=rf"a\.{kind} is (damaged or cut short|not an image that can be read)"):
        read_image(path)
    assert capfd.readouterr().err == "", "no library writes lines of its own"


def test_a_png_with_a_flipped_bit_is_refused(tmp_path: Path) -> None:
    content = bytearray(cv2.imencode(".png", np.full((30, 30, 3), 90, np.uint8))[1].tobytes())
    content[-20] ^= 1
    (tmp_path / "a.png").write_bytes(content)
    with pytest.raises(ImageError, match="damaged or cut short"):
        read_image(tmp_path / "a.png")


def test_other_formats_are_refused_and_their_names_are_no_matter(tmp_path: Path) -> None:
    gif, mpo = io.BytesIO(), io.BytesIO()
    Image.new("L", (40, 30)).save(gif, "GIF")
    (tmp_path / "a.jpg").write_bytes(gif.getvalue())
    with pytest.raises(ImageError, match=r"a\.jpg is not an image that can be read \(JPEG, PNG, WebP, BMP, TIFF\)"):
        read_image(tmp_path / "a.jpg")
    views = [Image.new("RGB", (40, 30), colour) for colour in ("red", "blue")]
    views[0].save(mpo, "MPO", save_all=True, append_images=views[1:])  # a JPEG with another behind it, as phones write
    (tmp_path / "a.gif").write_bytes(mpo.getvalue())
    assert read_image(tmp_path / "a.gif").shape == (30, 40, 3)


def test_a_warning_of_the_library_is_no_line_of_ours(recwarn: pytest.WarningsRecorder) -> None:
    check_image_header(png(9_500, 9_500), "a.png")  # Pillow warns from 89 megapixels on
    assert not recwarn.list


def test_an_imported_image_is_not_decoded_blindly(nothing_is_decoded: None) -> None:
    assert decode_foreign_jpeg(png(20_000, 20_000)) is UNREADABLE_IMAGE
    assert decode_foreign_jpeg(b"") is UNREADABLE_IMAGE
    assert MAX_PICTURE_PIXELS < Image.MAX_IMAGE_PIXELS * 2, "ours is the one that is told"  # type: ignore[operator]
