"""The pictures of a clip, from a round of the archive and its frames."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pygame

from device.camera.frames import Pixels
from errors import NotFoundError
from throwlock.review.archive import JournalArchive
from throwlock.review.clips.texts import NO_PICTURES, clip_sentence, clip_title
from throwlock.tables.round_frames import RoundFrames, frames_from_kept, frames_from_strips
from ui.screen.core.stage import Stage
from ui.screen.pages.common import Player
from ui.screen.pages.round_clip import RoundClip
from ui.web.views import RoundPage


def clip_frames(archive: JournalArchive, page: RoundPage) -> RoundFrames:
    """Return the frames of a round: those kept for clips, or else the exposures of its strips. Raises NotFoundError
    without either."""
    event = page.line.event
    stored = archive.kept_frames(event)
    if stored is not None and stored.times_ms:
        return frames_from_kept(stored)
    strips = {
        picture.name: archive.picture(event, picture.name)[1]
        for picture in page.pictures
        if picture.exists and picture.name.startswith("strip-")
    }
    frames = frames_from_strips([seat.seat for seat in page.line.seats], page.line.judgement.lock_ms, strips)
    if not frames.times_ms:
        raise NotFoundError(NO_PICTURES)
    return frames


def round_clip(page: RoundPage, frames: RoundFrames) -> RoundClip:
    """Return the clip of a round, at its beginning. Without a hand that showed, it is the time before the lock."""
    judgement, seats = page.line.judgement, page.line.seats
    zero_ms = judgement.lock_ms - judgement.lock_after_first_ms
    clip = RoundClip(
        seats,
        tuple(Player(seat.seat, seat.player.name) for seat in seats),
        judgement.lock_after_first_ms,
        tuple(at - zero_ms for at in frames.times_ms),
        frames.image,
        title=clip_title(page),
        sentence=clip_sentence(page.line),
    )
    return clip.at_time(0.0)


def render_pictures(clip: RoundClip, fps: int) -> Iterator[Pixels]:
    """Yield the pictures of a clip, R, G, B of shape (height, width, 3): the same object as long as nothing moves."""
    surface, stage = pygame.Surface(clip.size, 0, 32), Stage()
    shown: RoundClip | None = None
    picture: Pixels = np.zeros((1, 1, 3), np.uint8)
    for number in range(picture_count(clip, fps)):
        now = replace(clip.at_time(number / fps), shown_s=None)
        if shown is None or (now.moment_ms, now.frame, now.is_over) != (shown.moment_ms, shown.frame, shown.is_over):
            stage.draw(surface, now)
            picture = np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))
            shown = now
        yield picture


def picture_count(clip: RoundClip, fps: int) -> int:
    """Return how many pictures a clip has."""
    return round(clip.length_s * fps)
