"""The real picamera2, with what libcamera's virtual camera lacks compared with a Raspberry Pi's: sensor modes (it has
no raw stream), the adapter's pixel formats (it only makes NV12) and images in one plane (it wants two). Threads, jobs,
requests and ``close`` are the library's own."""

import mmap
import threading
from pathlib import Path

import libcamera
import numpy as np
import picamera2
import picamera2.picamera2 as picamera2_module
from picamera2.allocators import DmaAllocator

SENSOR_SIZES = [(1920, 1080), (1280, 720)]
"""As in virtual.yaml, in pixels."""
SENSOR_FPS = 30.0
ROW_PADDING_BYTES = 64
PADDING_VALUE = 77
"""A grey that the test pattern doesn't have."""

VIRTUAL_CAMERAS_FILE = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")

frames_blocked = threading.Event()
"""While set, no completed request reaches picamera2, as with a loose cable. The camera can still be stopped."""


class TwoPlaneAllocator(DmaAllocator):
    """Allocates each NV12 image in one DMA buffer with two planes, luma and chroma."""

    def allocate(self, libcamera_config, _):
        self.libcamera_fds = []
        self.cleanup()
        self.frame_buffers = {}
        for stream_config in libcamera_config:
            buffers = []
            size = stream_config.frame_size
            luma_size = stream_config.stride * stream_config.size.height
            for i in range(stream_config.buffer_count):
                fd = self.dmaHeap.alloc(f"picamera2-{i}", size).get()
                self.open_fds.append(fd)
                planes = [libcamera.FrameBuffer.Plane(), libcamera.FrameBuffer.Plane()]
                for plane, offset, length in zip(planes, (0, luma_size), (luma_size, size - luma_size), strict=True):
                    plane.fd, plane.offset, plane.length = fd, offset, length
                libcamera_fd = planes[0].fd  # a duplicate
                self.libcamera_fds.append(libcamera_fd)
                self.mapped_buffers_used[libcamera_fd] = False
                buffer = libcamera.FrameBuffer(planes)
                buffers.append(buffer)
                access = mmap.PROT_READ | mmap.PROT_WRITE
                self.mapped_buffers[buffer] = mmap.mmap(libcamera_fd, size, mmap.MAP_SHARED, access)
            self.frame_buffers[stream_config.stream] = buffers


class ConvertedRequest(picamera2_module.CompletedRequest):
    """A request whose NV12 images are returned as YUV420 with padded rows, as on a Raspberry Pi."""

    def make_array(self, name):
        array = super().make_array(name)
        width, height = self.config[name]["size"]
        stride = width + ROW_PADDING_BYTES
        luma = np.full((height, stride), PADDING_VALUE, np.uint8)
        luma[:, :width] = array[:height]
        chroma = np.full((height, stride // 2), PADDING_VALUE, np.uint8)
        pairs = array[height:].reshape(height // 2, width // 2, 2)
        chroma[:, : width // 2] = np.concatenate([pairs[..., 0], pairs[..., 1]])
        return np.concatenate([luma, chroma.reshape(height // 2, stride)])


generate_configuration = libcamera.Camera.generate_configuration


def generate_configuration_as_for_usb(camera, roles):
    """Like a USB camera, offer the usual formats where a raw one is wanted; the virtual camera offers none."""
    usual = picamera2_module.VIEWFINDER
    return generate_configuration(camera, [usual if role == picamera2_module.RAW else role for role in roles])


handle_request = picamera2_module.CameraManager.handle_request


def handle_request_unless_blocked(self, flushid=None):
    if frames_blocked.is_set() and flushid is None:
        with self._lock:
            for request in self.cms.get_ready_requests():
                if request.status == libcamera.Request.Status.Complete:
                    request.reuse()
                    self.cameras[request.cookie].camera.queue_request(request)
        return
    handle_request(self, flushid)


libcamera.Camera.generate_configuration = generate_configuration_as_for_usb
picamera2_module.CompletedRequest = ConvertedRequest
picamera2_module.CameraManager.handle_request = handle_request_unless_blocked


class Picamera2(picamera2.Picamera2):
    """Picamera2 for the virtual camera."""

    def __init__(self, camera_num=0):
        super().__init__(camera_num, allocator=TwoPlaneAllocator())

    def close(self):
        super().close()
        self._requests_kept = []

    def _make_requests(self):
        # libcamera's virtual camera still reads a request after completing it, and crashes if Python has freed it.
        self._requests_kept = super()._make_requests()
        return self._requests_kept

    def _get_raw_modes(self):
        return [{"format": "SRGGB10", "size": size} for size in SENSOR_SIZES]

    @property
    def sensor_modes(self):
        return [{"format": "SRGGB10", "bit_depth": 10, "size": SENSOR_SIZES[0], "fps": SENSOR_FPS}]


class UsbCamera(Picamera2):
    """Picamera2 for a USB camera, as which the virtual camera passes: its formats are the library's own findings."""

    _get_raw_modes = picamera2.Picamera2._get_raw_modes  # noqa: SLF001 - the library has no other way
    sensor_modes = picamera2.Picamera2.sensor_modes


def list_cameras_again():
    """Make libcamera look for cameras. For a real one that comes or goes, the system tells it to."""
    Picamera2._cm.reset()  # noqa: SLF001 - ditto


def count_open_cameras():
    """Return how many cameras picamera2 holds open."""
    return len(Picamera2._cm.cameras)  # noqa: SLF001 - ditto
