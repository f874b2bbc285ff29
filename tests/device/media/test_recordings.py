"""Recordings as phones and programs write them: when each picture was taken, what it shows, and what is refused."""

import random
import struct
from collections.abc import Sequence
from contextlib import nullcontext
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from device.camera.clip import ClipError, Recording, SpeedSource, read_clip
from device.media.decoder import MediaDecoder, MediaError
from device.media.worker import DecodingError, scaled_size, turn
from tests.helpers.recordings import LEVELS, SIZE, add_item, change_track, write_recording

MS = 1_000_000
INPUTS = Path(__file__).parents[4] / "shared" / "data" / "inputs"
THIRTY = range(0, 1000, 33)
"""Thirty-one pictures, thirty a second."""


def times_ms(recording: Recording) -> list[int]:
    """Return when its pictures were recorded."""
    return [round(frame.exposed_ns / MS) for frame in recording.frames]


def levels(recording: Recording) -> list[int]:
    """Return which of the pictures that were written it shows, by their brightness."""
    return [round(float(frame.bgr.mean()) / LEVELS) - 1 for frame in recording.frames]


def shown_ms(recording: Recording) -> list[int]:
    """Return when a player shows its pictures."""
    return [round(recording.timeline.shown_ns(frame.exposed_ns) / MS) for frame in recording.frames]


@pytest.mark.parametrize("ending", [".mp4", ".mov", ".mkv", ".webm", ".ts"])
def test_every_picture_has_its_time_in_every_container(tmp_path: Path, ending: str) -> None:
    uneven = [0, 33, 50, 133, 166, 300, 333, 350, 400, 433]
    recording = read_clip(write_recording(tmp_path / f"a{ending}", uneven))
    assert times_ms(recording) == pytest.approx(uneven, abs=1) and levels(recording) == list(range(10))
    assert recording.speed_source is None and recording.speed_note is None


@pytest.mark.parametrize("ending", [".mp4", ".mkv", ".ts"])
@pytest.mark.parametrize(("picture_ms", "sound_ms"), [(300, 0), (0, 300)], ids=["sound first", "picture first"])
def test_times_count_from_the_beginning_of_the_file(
    tmp_path: Path, ending: str, picture_ms: int, sound_ms: int
) -> None:
    times = [picture_ms + time for time in THIRTY]
    path = write_recording(tmp_path / f"a{ending}", times, sound_ms=(sound_ms, 1500))
    assert times_ms(read_clip(path)) == pytest.approx(times, abs=25), "sound may begin a packet early"
    part = read_clip(path, -100 * MS, 100 * MS, cue_ns=600 * MS)
    assert min(times_ms(part)) >= 500 and max(times_ms(part)) <= 700 and len(part.frames) in (6, 7)


@pytest.mark.parametrize("ending", [".mp4", ".mkv", ".ts"])
def test_sound_that_outlasts_the_picture_cuts_nothing_short(tmp_path: Path, ending: str) -> None:
    path = write_recording(tmp_path / f"a{ending}", THIRTY, sound_ms=(0, 3000))
    assert len(read_clip(path).frames) == 31


def test_a_beginning_that_an_edit_list_hides_is_not_there(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", THIRTY, options={"bf": "0", "g": "100"})
    recording = read_clip(change_track(path, [(600, 330, 1)]))
    assert levels(recording)[0] == 10 and levels(recording)[-1] in (27, 28)
    assert times_ms(recording)[:3] == pytest.approx([0, 33, 66], abs=1)
    recording = read_clip(change_track(path, [(400, -1, 1), (600, 330, 1)]))
    assert levels(recording)[0] == 10 and times_ms(recording)[0] == pytest.approx(400, abs=1)


@pytest.mark.parametrize("start_ms", [0, 330])
def test_an_edit_of_no_time_lasts_to_the_end(tmp_path: Path, start_ms: int) -> None:
    path = change_track(write_recording(tmp_path / "a.mp4", THIRTY, options={"bf": "0"}), [(0, start_ms, 1)])
    recording = read_clip(path)
    assert levels(recording) == list(range(start_ms // 33, 31)) and recording.speed_note is None
    assert shown_ms(recording) == pytest.approx([time - start_ms for time in THIRTY if time >= start_ms], abs=1)


def test_slow_motion_that_was_trimmed_is_still_slow_motion(tmp_path: Path) -> None:
    tags = {"com.android.capture.fps": "120"}
    path = write_recording(tmp_path / "a.mp4", range(0, 1000, 40), tags=tags, options={"bf": "0"})
    recording = read_clip(change_track(path, [(400, 0, 1), (200, -1, 1), (560, 400, 1)]))
    assert recording.speed_source is SpeedSource.FILE and recording.recorded_fps == 120
    assert times_ms(recording)[:4] == pytest.approx([0, 8, 17, 25], abs=1)
    assert shown_ms(recording)[9:12] == pytest.approx([360, 600, 640], abs=1)


@pytest.mark.parametrize("codec", ["mpeg4", "libx264"])
def test_frames_without_times_come_at_the_format_rate(tmp_path: Path, codec: str) -> None:
    path = write_recording(tmp_path / "a.avi", THIRTY, codec=codec, options={"bf": "2"})
    step_ms = 1000 / 30
    recording = read_clip(path)
    assert levels(recording) == pytest.approx(list(range(31)), abs=1) and recording.speed_source is None
    assert times_ms(recording) == pytest.approx([number * step_ms for number in range(31)], abs=1)
    part = read_clip(path, 490 * MS, 710 * MS)
    assert [frame.number for frame in part.frames] == [15, 16, 17, 18, 19, 20, 21]
    assert levels(part) == pytest.approx([15, 16, 17, 18, 19, 20, 21], abs=1)
    slow = read_clip(path, recorded_fps=120)
    assert times_ms(slow) == pytest.approx([number * step_ms / 4 for number in range(31)], abs=1)
    assert shown_ms(slow) == pytest.approx([number * step_ms for number in range(31)], abs=2)


def test_times_before_the_beginning_move_it(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mkv", [time - 200 for time in THIRTY])
    recording = read_clip(path)
    assert times_ms(recording) == pytest.approx(list(THIRTY), abs=1) and levels(recording)[0] == 0


@pytest.mark.parametrize("tag", ["com.android.capture.fps", "COM.ANDROID.CAPTURE.FPS"])
@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
def test_slow_motion_counts_as_it_was_recorded(tmp_path: Path, ending: str, tag: str) -> None:
    stored = range(0, 2000, 40)
    path = write_recording(tmp_path / f"a{ending}", stored, tags={tag: "100.0"})
    recording = read_clip(path)
    assert recording.speed_source is SpeedSource.FILE
    assert recording.speed_note and "made at 100 frames a second and is shown at 25" in recording.speed_note
    assert times_ms(recording) == pytest.approx([time / 4 for time in stored], abs=1)
    assert shown_ms(recording) == pytest.approx(list(stored), abs=1)
    part = read_clip(path, -50 * MS, 50 * MS, cue_ns=1000 * MS)
    assert shown_ms(part)[0] == 800 and shown_ms(part)[-1] == 1200, "the cue is the player's, the reach recorded"
    assert times_ms(read_clip(path, recorded_fps=25)) == pytest.approx(list(stored), abs=1), "what is given goes first"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (1, b"240.000000"), (1, b"240"), (1, b" 240 fps"), (1, b"240,0\0"), (0, b"240"), (1, b"24000/100"),
        (23, struct.pack(">f", 240)), (24, struct.pack(">d", 240)),
        (21, struct.pack(">h", 240)), (22, struct.pack(">B", 240)), (66, struct.pack(">h", 240)),
        (67, struct.pack(">i", 240)), (76, struct.pack(">H", 240)), (77, struct.pack(">I", 240)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("in_track", [False, True], ids=["of the file", "of the track"])
def test_the_rate_of_a_recording_is_a_number_of_any_type(
    tmp_path: Path, kind: int, value: bytes, in_track: bool
) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 1000, 40))
    recording = read_clip(add_item(path, "com.android.capture.fps", kind, value, in_track=in_track))
    assert recording.speed_source is SpeedSource.FILE and recording.recorded_fps == 240


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (23, b"\0"),
        (13, b"240"),
        (1, b"\xff"),
        (1, b"240/0"),
        (24, struct.pack(">d", -240)),
        (23, struct.pack(">f", 1e-40)),
    ],
)
def test_an_item_that_is_no_rate_is_no_matter(tmp_path: Path, kind: int, value: bytes) -> None:
    path = add_item(write_recording(tmp_path / "a.mp4", THIRTY), "com.android.capture.fps", kind, value)
    assert times_ms(read_clip(path)) == list(THIRTY)


@pytest.mark.parametrize("fps", ["30.0", "27", "0", "-1", "nan", "fast", "1e99"])
def test_an_ordinary_rate_or_nonsense_in_the_tag_is_no_slow_motion(tmp_path: Path, fps: str) -> None:
    path = write_recording(tmp_path / "a.mp4", THIRTY, tags={"com.android.capture.fps": fps})
    assert times_ms(read_clip(path)) == list(THIRTY)


def test_a_tag_in_another_encoding_is_no_matter(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", THIRTY, tags={"title": "Jorg"})
    content = path.read_bytes()
    assert b"Jorg" in content
    path.write_bytes(content.replace(b"Jorg", b"J\xf6rg"))
    assert len(read_clip(path).frames) == 31


def test_time_lapse_counts_as_it_was_recorded(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 1000, 40), tags={"com.android.capture.fps": "5"})
    assert times_ms(read_clip(path))[:3] == pytest.approx([0, 200, 400], abs=1)


def test_who_may_have_filmed_in_the_dark_is_asked(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 2000, 66), tags={"com.android.capture.fps": "30"})
    with pytest.raises(ClipError, match=r"says 30 pictures a second and has 15") as error:
        read_clip(path)
    assert error.value.reason == "speed"
    assert times_ms(read_clip(path, recorded_fps=30))[:3] == pytest.approx([0, 33, 67], abs=1)


def test_speed_can_be_given(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 1000, 40))
    recording = read_clip(path, recorded_fps=250)
    assert recording.speed_source is SpeedSource.GIVEN
    assert times_ms(recording)[:4] == [0, 4, 8, 12] and shown_ms(recording)[:4] == [0, 40, 80, 120]


@pytest.mark.parametrize("rate", [0.25, 0.125])
def test_apples_edits_in_slow_motion_count_as_they_were_recorded(tmp_path: Path, rate: float) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 1000, 10), options={"bf": "0"})
    slow_ms = round(400 / rate)
    recording = read_clip(change_track(path, [(300, 0, 1), (slow_ms, 300, rate), (300, 700, 1)]))
    assert recording.speed_source is SpeedSource.EDITS and recording.speed_note
    assert times_ms(recording) == list(range(0, 1000, 10)) and len(recording.frames) == 100
    shown = shown_ms(recording)
    assert shown[29:32] == pytest.approx([290, 300, 300 + 10 / rate], abs=1)
    assert shown[70] == pytest.approx(300 + slow_ms, abs=1)
    part = read_clip(path, -50 * MS, 50 * MS, cue_ns=(300 + slow_ms // 2) * MS)
    assert times_ms(part) == list(range(450, 551, 10))


def test_parts_at_the_recorded_speed_are_no_slow_motion(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 1000, 10), options={"bf": "0"})
    recording = read_clip(change_track(path, [(500, 0, 1), (500, 500, 1)]))
    assert recording.speed_source is None and times_ms(recording) == list(range(0, 1000, 10))


def test_a_cut_near_the_cue_is_told(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 1000, 10), options={"bf": "0"})
    change_track(path, [(300, 0, 1), (300, 700, 1)])
    with pytest.raises(ClipError, match=r"has a cut at 0\.30 s") as error:
        read_clip(path)
    assert error.value.reason == "cut"
    part = read_clip(path, -50 * MS, 50 * MS, cue_ns=500 * MS)
    assert times_ms(part) == list(range(850, 951, 10)) and shown_ms(part) == list(range(450, 551, 10))


def test_pictures_without_times_are_told_and_can_be_counted(tmp_path: Path) -> None:
    packed = write_recording(tmp_path / "a.mp4", THIRTY, options={"bf": "0"})
    raw = tmp_path / "a.h264"
    with av.open(str(packed)) as file, av.open(str(raw), "w") as out:
        copied = out.add_stream_from_template(file.streams.video[0])
        for packet in file.demux(video=0):
            if packet.dts is not None:
                packet.stream = copied
                out.mux(packet)
    with pytest.raises(ClipError, match="doesn’t say when its pictures were taken") as error:
        read_clip(raw)
    assert error.value.reason == "no times"
    recording = read_clip(raw, recorded_fps=50)
    assert times_ms(recording) == list(range(0, 620, 20)) and levels(recording) == list(range(31))
    assert times_ms(read_clip(raw, 100 * MS, 200 * MS, recorded_fps=50)) == list(range(100, 201, 20))


def assert_rate_is_asked_for(path: Path, fps: float, times: list[int]) -> None:
    """A recording without times of its own is refused, and read with the rate that is given."""
    with pytest.raises(ClipError) as error:
        read_clip(path)
    assert error.value.reason == "no times"
    assert times_ms(read_clip(path, recorded_fps=fps)) == times


def test_pictures_in_a_row_have_no_times_and_one_needs_none(tmp_path: Path) -> None:
    row = tmp_path / "a.mjpeg"
    pictures = [cv2.imencode(".jpg", np.full((60, 80, 3), level, np.uint8))[1].tobytes() for level in (50, 150)]
    row.write_bytes(b"".join(pictures))
    assert_rate_is_asked_for(row, fps=50, times=[0, 20])
    row.write_bytes(pictures[0])
    assert times_ms(read_clip(row)) == [0]


def write_avi(path: Path) -> None:
    with av.open(str(path), "w") as file:
        stream = file.add_stream("mjpeg", rate=50)
        stream.width, stream.height, stream.pix_fmt = 80, 60, "yuvj420p"
        for level in (50, 150):
            file.mux(stream.encode(av.VideoFrame.from_ndarray(np.full((60, 80, 3), level, np.uint8), "rgb24")))
        file.mux(stream.encode())


@pytest.mark.parametrize("has_frame_time", [False, True])
def test_an_avi_file_that_says_no_rate_has_no_times(tmp_path: Path, has_frame_time: bool) -> None:
    path = tmp_path / "a.avi"
    write_avi(path)
    assert times_ms(read_clip(path)) == [0, 20]
    content = bytearray(path.read_bytes())
    rate = content.index(b"vids") + 24
    content[rate : rate + 4] = bytes(4)
    frame_time = content.index(b"avih") + 8
    content[frame_time : frame_time + 4] = struct.pack("<I", 20_000 * has_frame_time)
    path.write_bytes(content)
    if has_frame_time:
        assert times_ms(read_clip(path)) == [0, 20]
        return
    assert_rate_is_asked_for(path, fps=100, times=[0, 10])


@pytest.mark.parametrize(("rate", "is_said"), [(b" F50:1", True), (b" F0:0", False), (b"", False)])
def test_a_y4m_file_that_says_no_rate_has_no_times(tmp_path: Path, rate: bytes, is_said: bool) -> None:
    path = tmp_path / "a.y4m"
    picture = b"FRAME\n" + bytes(80 * 60 * 3 // 2)
    path.write_bytes(b"YUV4MPEG2 W80 H60" + rate + b" C420\n" + 2 * picture)
    if is_said:
        assert times_ms(read_clip(path)) == [0, 20]
        return
    assert_rate_is_asked_for(path, fps=100, times=[0, 10])


def test_pictures_that_are_stored_at_one_time_can_be_counted(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", [0, 40], options={"bf": "0"})
    content = bytearray(path.read_bytes())
    first = content.index(b"stts") + 16
    content[first : first + 4] = content[first + 8 : first + 12] = bytes(4)
    path.write_bytes(content)
    with pytest.raises(ClipError) as error:
        read_clip(path)
    assert error.value.reason == "no times"
    recording = read_clip(path, recorded_fps=50)
    assert times_ms(recording) == [0, 20] and recording.recorded_fps == recording.shown_fps == 50


def test_a_beginning_between_two_microseconds_loses_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.ts"
    with av.open(str(write_recording(tmp_path / "a.mp4", THIRTY))) as file, av.open(str(path), "w") as out:
        copied = out.add_stream_from_template(file.streams.video[0])
        for packet in file.demux(video=0):
            if packet.dts is not None and packet.pts is not None:
                assert packet.time_base is not None
                packet.stream = copied
                late = round(Fraction(1, 15) / packet.time_base)
                packet.pts, packet.dts = packet.pts + late, packet.dts + late
                out.mux(packet)
    with av.open(str(path)) as file:
        start = file.streams.video[0].start_time, file.start_time
    assert start[0] is not None and start[1] is not None and start[0] * 100 < start[1] * 9, "FFmpeg rounds it up"
    recording = read_clip(path)
    assert levels(recording)[0] == 0 and times_ms(recording)[:2] == [0, 33] and len(recording.frames) == 31


MATRICES = {
    (1, 0, 0, 1): "abcd",
    (-1, 0, 0, 1): "badc",
    (1, 0, 0, -1): "cdab",
    (-1, 0, 0, -1): "dcba",
    (0, 1, -1, 0): "cadb",
    (0, -1, 1, 0): "bdac",
    (0, 1, 1, 0): "acbd",
    (0, -1, -1, 0): "dbca",
}
"""What an image with the corners a b (above) and c d (below) shows, by its display matrix: FFmpeg's filters hflip,
vflip, both, and transpose with clock, cclock, cclock_flip, clock_flip."""


@pytest.mark.parametrize("matrix", MATRICES, ids=str)
def test_a_picture_is_shown_as_its_matrix_says(matrix: tuple[int, int, int, int]) -> None:
    a, b, c, d = matrix
    image = np.repeat(np.frombuffer(b"abcd", np.uint8).reshape(2, 2, 1), 3, 2)
    full = np.array([a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30], np.int32)
    assert bytes(turn(image, full)[:, :, 0]).decode() == MATRICES[matrix]


def test_a_picture_at_another_angle_keeps_its_size() -> None:
    image = np.zeros((101, 101, 3), np.uint8)
    image[45:56, 90:] = 255  # at the right
    diagonal = round(0.70711 * 65536)
    turned = turn(image, np.array([diagonal, diagonal, 0, -diagonal, diagonal, 0, 0, 0, 1 << 30], np.int32))
    assert turned.shape == image.shape and turned[82, 82, 0] > 200, "a quarter turn to the lower right is half done"
    assert np.array_equal(turn(image, np.zeros(9, np.int32)), image), "a matrix without a direction"


@pytest.mark.parametrize("matrix", [(0, 1, -1, 0), (0, 1, 1, 0), (-1, 0, 0, 1)], ids=str)
def test_a_files_matrix_turns_its_frames(tmp_path: Path, matrix: Sequence[int]) -> None:
    path = change_track(write_recording(tmp_path / "a.mp4", THIRTY), matrix=matrix)
    assert read_clip(path).frames[0].size == (SIZE[::-1] if matrix[0] == 0 else SIZE)


@pytest.mark.parametrize(
    ("size", "aspect", "frames", "scaled"),
    [
        ((1280, 720), 1, 60, (1280, 720)),
        ((1920, 1080), 1, 200, (1280, 720)),
        ((2160, 3840), 1, 100, (720, 1280)),
        ((320, 240), 1, 4000, (320, 240)),
        ((720, 576), Fraction(16, 11), 60, (1047, 576)),
        ((1280, 720), 1, 800, (861, 484)),
        ((1280, 720), 1, 1446, (640, 360)),
    ],
)
def test_frames_are_scaled_down_until_they_fit(
    size: tuple[int, int], aspect: int | Fraction, frames: int, scaled: tuple[int, int]
) -> None:
    assert scaled_size(size, Fraction(aspect), frames) == scaled


@pytest.mark.parametrize(("size", "frames"), [((1280, 720), 1460), ((64, 48), 10_001)])
def test_too_many_frames_are_refused(size: tuple[int, int], frames: int) -> None:
    with pytest.raises(DecodingError, match="too long"):
        scaled_size(size, Fraction(1), frames)


def test_a_long_recording_is_read_around_the_cue(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 60_000, 100), options={"g": "20"})
    part = read_clip(path, -200 * MS, 200 * MS, cue_ns=45_000 * MS)
    assert times_ms(part) == [44_800, 44_900, 45_000, 45_100, 45_200]
    assert [frame.number for frame in part.frames] == [448, 449, 450, 451, 452]
    assert levels(part) == [(LEVELS * (n + 1) % 256) // LEVELS - 1 for n in range(448, 453)]


def test_av1_is_read(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 200, 40), codec="libsvtav1", options={"preset": "12"})
    assert levels(read_clip(path)) == list(range(5))


@pytest.mark.parametrize(("tag", "named"), [(b"zzzz", "zzzz"), (b"av\0\x1b", "av\ufffd\ufffd")])
def test_a_codec_that_is_not_known_is_named(tmp_path: Path, tag: bytes, named: str) -> None:
    path = write_recording(tmp_path / "a.mp4", THIRTY)
    path.write_bytes(path.read_bytes().replace(b"avc1", tag))
    with pytest.raises(ClipError) as error:
        read_clip(path)
    assert str(error.value) == (
        f"{path} is stored in a format that can’t be decoded here ({named}): save it as H.264 in an MP4 file"
    )


def test_one_frame_is_one_frame(tmp_path: Path) -> None:
    assert times_ms(read_clip(write_recording(tmp_path / "a.mp4", [0]))) == [0]


def test_sound_alone_and_no_frames_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ClipError, match="has sound only, no picture: use a video"):
        read_clip(write_recording(tmp_path / "a.mp4", [], sound_ms=(0, 500)))
    path = write_recording(tmp_path / "b.mkv", THIRTY)
    content = path.read_bytes()
    path.write_bytes(content[: content.index(b"\x1f\x43\xb6\x75")])  # up to the first cluster
    with pytest.raises(ClipError, match="use a whole MP4, MOV, MKV or AVI file"):
        read_clip(path)


def test_damage_is_told_where_it_is(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", THIRTY, options={"g": "1"})
    with av.open(str(path)) as file:
        places = [packet.pos for packet in file.demux(video=0) if packet.pos]
    content = bytearray(path.read_bytes())
    content[places[10] : places[10] + 8] = b"\xff" * 8
    path.write_bytes(content)
    with pytest.raises(ClipError, match=r"is damaged at 0\.3\d s: copy it again"):
        read_clip(path)
    assert len(read_clip(path, 500 * MS).frames) > 10, "elsewhere it is whole"


@pytest.mark.slow
def test_memory_is_limited_and_holds_few_pictures_at_once(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.mp4", range(0, 3000, 15), options={"preset": "ultrafast"}, size=(1280, 720))
    options = {"cue_ns": 0, "since_ns": 0, "until_ns": None, "recorded_fps": None}
    for memory_mib, is_enough in ((260, True), (100, False)):
        decoder = MediaDecoder(memory_mib << 20)
        with nullcontext() if is_enough else pytest.raises(MediaError, match=r"memory|can’t be decoded"):
            assert len(decoder.decode(path, "video", options)[0]) == 200
        decoder.close()


def test_two_hundred_damaged_files_end_in_a_line(tmp_path: Path) -> None:
    chance = random.Random(39)
    wholes = [
        write_recording(tmp_path / f"whole{ending}", range(0, 400, 33), sound_ms=(0, 400)).read_bytes()
        for ending in (".mp4", ".mkv", ".ts", ".webm")
    ]
    path = tmp_path / "damaged.mp4"
    decoder = MediaDecoder()
    options = {"cue_ns": 0, "since_ns": 0, "until_ns": None, "recorded_fps": None}
    refused = 0
    for number in range(200):
        content = bytearray(wholes[number % 4])
        for _ in range(chance.choice((1, 10, 100))):
            start, length = chance.randrange(len(content)), chance.choice((1, 4, 100))
            content[start : start + length] = chance.choice((chance.randbytes(length), bytes(length), b""))
        path.write_bytes(content[: chance.choice((len(content), chance.randrange(len(content))))])
        try:
            images, _ = decoder.decode(path, "video", options)
        except Exception as error:
            assert type(error).__name__ == "MediaError" and "\n" not in str(error), error
            refused += 1
        else:
            times = [image.details[1] for image in images]
            assert times and all(before < after for before, after in pairwise(times))
    decoder.close()
    assert 20 < refused < 200


@pytest.mark.skipif(not INPUTS.is_dir(), reason="no shared material")
@pytest.mark.parametrize(
    ("name", "cue_ms", "frames", "first_ms", "last_ms"),
    [
        ("slow-motion-60-as-15.mp4", None, 96, 0, 1583),
        ("picture-begins-0.3s-after-sound.mp4", None, 96, 300, 1883),
        ("trimmed-edit-list.mp4", None, 84, 0, 2767),
        ("sound-outlasts-picture.mkv", None, 120, 23, 3990),
        ("phone-1080p60-4.6s.mp4", 2000, 156, 800, 3400),
        ("av1.mp4", None, 48, 0, 1567),
    ],
)
def test_inputs_that_failed_are_read(name: str, cue_ms: int | None, frames: int, first_ms: int, last_ms: int) -> None:
    if cue_ms is None:
        recording = read_clip(INPUTS / name)
    else:
        recording = read_clip(INPUTS / name, -1200 * MS, 1400 * MS, cue_ms * MS)
    assert (times_ms(recording)[0], times_ms(recording)[-1]) == (first_ms, last_ms)
    assert len(recording.frames) == pytest.approx(frames, abs=1)


@pytest.mark.skipif(not INPUTS.is_dir(), reason="no shared material")
def test_a_mirrored_file_shows_what_the_other_does() -> None:
    pairs = [
        read_clip(INPUTS / name, until_ns=100 * MS).frames
        for name in ("mirror-matrix-seats-above-below.mp4", "same-without-mirror.mp4")
    ]
    for mirrored, plain in zip(*pairs, strict=True):
        assert np.abs(mirrored.bgr.astype(int) - plain.bgr).mean() < 3
