"""People in front of the virtual camera: rendered rounds, shown in its images from when the screen counts."""

import time

import cv2
import numpy as np

ROUNDS = np.load("/opt/box-test/rounds.npy", mmap_mode="r")
"""Rounds of images in YUV420: (rounds, images, rows, columns). The cue is at the image CUE_IMAGE."""
FPS = 30
CUE_IMAGE = 75

cues_ns = []


def see_countdown(page, now_ns):
    """Work out from a page of the countdown when the cue is; a later one belongs to the next round."""
    cue_ns = now_ns + round((len(page.words) - 1 - page.beat - page.phase) * page.beat_s * 1e9)
    if page.beat >= 0 and (not cues_ns or cue_ns > cues_ns[-1] + 1_000_000_000):
        cues_ns.append(cue_ns)


def image_at(now_ns):
    """Return the image of a moment; before and after a round the table is empty."""
    if not cues_ns:
        return ROUNDS[0][0]
    number = CUE_IMAGE + round((now_ns - cues_ns[-1]) * FPS / 1e9)
    images = ROUNDS[(len(cues_ns) - 1) % len(ROUNDS)]
    return images[number if 0 <= number < len(images) else 0]


def scale(planes, size):
    """Enlarge an image in YUV420 to ``size``."""
    rows, columns = planes.shape
    height = rows * 2 // 3
    chroma = planes[height:].reshape(2, height // 2, columns // 2)
    half = (size[0] // 2, size[1] // 2)
    return [cv2.resize(planes[:height], size), *(cv2.resize(plane, half) for plane in chroma)]


def watch(library):
    """Make the requests of ``library`` show the people."""

    class Request(library.ConvertedRequest):
        def make_array(self, name):
            array = super().make_array(name)
            width, height = self.config[name]["size"]
            luma, *chroma = scale(image_at(time.monotonic_ns()), (width, height))
            array[:height, :width] = luma
            rows = array[height:].reshape(2, height // 2, array.shape[1] // 2)
            for row, plane in zip(rows, chroma, strict=True):
                row[:, : width // 2] = plane
            return array

    library.picamera2_module.CompletedRequest = Request
    return library
