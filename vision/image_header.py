"""Checks an image's header before the image is decoded: its format and its size."""

import struct
import warnings
from io import BytesIO

from PIL import Image, UnidentifiedImageError

from device.system.input_files import MAX_PICTURE_ASPECT, MAX_PICTURE_PIXELS
from errors import ThrowlockError
from messages import N

IMAGE_FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF")
"""Formats of image files, by Pillow's names."""


class ImageError(ThrowlockError):
    """A file can't be used as an image. The message says which and why, in one line."""


def check_image_header(content: bytes, name: object) -> None:
    """Check the header of an image file, and a PNG's checksums. Nothing is decoded.

    Raises:
        ImageError: ``content`` is no image of ``IMAGE_FORMATS`` or exceeds the limits of
            ``device.system.input_files``; ``name`` is its name in the message.
    """
    if not content:
        raise damaged_image_error(name)
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(BytesIO(content), formats=IMAGE_FORMATS) as header:
            width, height = header.size
            if width * height > MAX_PICTURE_PIXELS:
                raise too_large_image_error(name)
            header.verify()
    except Image.DecompressionBombError:  # from 179 megapixels on, Pillow's own limit
        raise too_large_image_error(name) from None
    except UnidentifiedImageError:
        raise ImageError(
            N("{name} is not an image that can be read (JPEG, PNG, WebP, BMP, TIFF).", name=name)
        ) from None
    except (OSError, SyntaxError, ValueError, struct.error):
        raise damaged_image_error(name) from None
    if max(width, height) > MAX_PICTURE_ASPECT * min(width, height):
        size = f"{width}×{height}"
        raise ImageError(N("{name} is a strip of {size} pixels: crop it around the hands.", name=name, size=size))


def too_large_image_error(name: object) -> ImageError:
    """Return the error for an image of too many pixels."""
    megapixels = MAX_PICTURE_PIXELS // 1_000_000
    return ImageError(
        N("{name} has more than {megapixels} megapixels: save it smaller.", name=name, megapixels=megapixels)
    )


def damaged_image_error(name: object) -> ImageError:
    """Return the error for an image whose header is read and whose content is not."""
    return ImageError(N("{name} is damaged or cut short: copy it again.", name=name))
