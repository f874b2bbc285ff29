"""Prints the loudest sample (0 to 32767) that the kernel's loopback card plays within so many seconds."""

import array
import ctypes
import sys

PLAYBACK_END = b"plughw:Loopback,1"
CAPTURE, S16_LE, INTERLEAVED = 1, 2, 3
RATE, LATENCY_US, FRAMES = 48000, 500_000, 4800


def main(seconds: float) -> None:
    """Listen."""
    alsa, pcm = ctypes.CDLL("libasound.so.2"), ctypes.c_void_p()
    opened = alsa.snd_pcm_open(ctypes.byref(pcm), PLAYBACK_END, CAPTURE, 0)
    opened = opened or alsa.snd_pcm_set_params(pcm, S16_LE, INTERLEAVED, 1, RATE, 1, LATENCY_US)
    if opened:
        sys.exit(f"the loopback card can't be opened: {opened}")
    samples, loudest = array.array("h", bytes(2 * FRAMES)), 0
    for _ in range(round(seconds * RATE / FRAMES)):
        read = alsa.snd_pcm_readi(pcm, ctypes.c_void_p(samples.buffer_info()[0]), ctypes.c_ulong(FRAMES))
        if read < 0:
            alsa.snd_pcm_recover(pcm, read, 1)
        else:
            loudest = max([loudest, *map(abs, samples[:read])])
    print(loudest)


if __name__ == "__main__":
    main(float(sys.argv[1]))
