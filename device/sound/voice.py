"""The box's voice: espeak-ng (https://github.com/espeak-ng/espeak-ng), where it is installed. It runs as a process of
its own, with a time limit, and never opens the sound device."""

import hashlib
import io
import logging
import os
import shutil
import subprocess
import wave
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import numpy as np

from device.sound.base import SoundError, Speech
from device.system.processes import lower_process_priority

logger = logging.getLogger(__name__)

PROGRAM = "espeak-ng"
VOICES = {"en": "en-gb", "de": "de", "fr": "fr-fr"}
"""The program's voice for each language of the box."""
RENDER_TIMEOUT_S = 5.0
"""Time limit for one text; a sentence takes 20 ms on one x86 core."""
SENTENCE_WPM = 170
"""Speed of sentences in words a minute; 175 is the program's own."""
COUNT_WPM = (160, 200, 250, 320, 400, 450)
"""Speeds at which a count may be spoken: the slowest is used at which no word runs into the next."""
COUNT_FOLDER = "spoken-counts"
"""The folder in the cache directory in which the words of counts are kept. Sentences never are: they have names."""


class VoiceError(SoundError):
    """The program failed. The one-line message says how."""


class Voice:
    """The voice of one language. The words of counts are kept in ``cache``."""

    def __init__(self, program: str, language: str, cache: Path) -> None:
        """Raises VoiceError if the program doesn't run, or has no such language."""
        self.language = language
        self._program = program
        self._folder = cache / COUNT_FOLDER
        if language not in VOICES:
            raise VoiceError(f"{PROGRAM} has no voice for {language}")
        self.version = self._run("--version").decode(errors="replace").partition("Data")[0].strip()

    def say(self, text: str) -> Speech:
        """Return ``text``, spoken. Raises VoiceError."""
        return _read_wave(self._render(text, SENTENCE_WPM))

    def say_count(self, words: Sequence[str], beat_ns: int) -> tuple[Speech, ...]:
        """Return the words of a count with ``beat_ns`` from one to the next, spoken as slowly as that allows, from the
        folder if they are there. Raises VoiceError."""
        for speed_wpm in COUNT_WPM:
            count = tuple(self._keep(word, speed_wpm) for word in words)
            if all(before.tail_ns + word.lead_ns <= beat_ns for before, word in pairwise(count)):
                break
        return count

    def _keep(self, word: str, speed_wpm: int) -> Speech:
        """Return a word from its file; write that first if it is missing or damaged."""
        key = hashlib.sha256("\n".join((self.version, VOICES[self.language], str(speed_wpm), word)).encode())
        path = self._folder / f"{self.language}-{key.hexdigest()[:20]}.wav"
        with suppress(OSError, VoiceError):
            return _read_wave(path.read_bytes())
        content = self._render(word, speed_wpm)
        speech = _read_wave(content)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            temporary = path.with_suffix(f".{os.getpid()}.part")
            temporary.write_bytes(content)
            temporary.replace(path)
        except OSError as error:
            logger.info("a spoken word can't be kept in %s: %s", self._folder, error)
        return speech

    def _render(self, text: str, speed_wpm: int) -> bytes:
        """Return ``text`` as a WAV file. It is passed on standard input, so that no name is taken for an option."""
        options = ("-v", VOICES[self.language], "-s", str(speed_wpm), "-z", "-b", "1", "--stdin", "--stdout")
        return self._run(*options, text=text)

    def _run(self, *options: str, text: str = "") -> bytes:
        try:
            process = subprocess.Popen(
                [self._program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            raise VoiceError(f"{self._program} can't be run ({error.strerror})") from error
        with process:
            lower_process_priority(pid=process.pid)  # so that the screen keeps moving
            try:
                output, _ = process.communicate(text.encode(), RENDER_TIMEOUT_S)
            except subprocess.TimeoutExpired as error:
                process.kill()
                raise VoiceError(f"{PROGRAM} took longer than {RENDER_TIMEOUT_S:.0f} s") from error
        if process.returncode:
            raise VoiceError(f"{PROGRAM} failed with status {process.returncode}")
        return output


def find_voice_program() -> str | None:
    """Return the path of espeak-ng, None where it isn't installed."""
    return shutil.which(PROGRAM)


def _read_wave(content: bytes) -> Speech:
    """Return the speech in a WAV file of 16 bits, mono. Raises VoiceError if there is none."""
    try:
        with wave.open(io.BytesIO(content)) as file:
            if (file.getnchannels(), file.getsampwidth()) != (1, 2):
                raise ValueError("not mono with 16 bits")
            frames = file.readframes(len(content))  # a pipe's header does not say how many there are
            recording = np.frombuffer(frames[: len(frames) // 2 * 2], "<i2").astype(np.float32) / 32768
            return Speech.from_recording(recording, file.getframerate())
    except (wave.Error, EOFError, ValueError) as error:
        raise VoiceError(f"{PROGRAM} has said nothing ({error})") from error
