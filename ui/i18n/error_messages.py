"""Translation of error messages for the screen. Errors are raised in English, by packages that know no languages; a
message that matches one of ``ERROR_MESSAGES`` is translated, any other is shown in English."""

import re
from functools import lru_cache

from ui.i18n.language import LazyText, N, ngettext_lazy
from ui.text.names import NO_THROW, THROW_WORDS

ERROR_MESSAGES = (
    # zones
    N("the zones of seats {one} and {two} overlap: a hand there would count for both"),
    N("a zone of {size} pixels is too small to see a hand in"),
    N("the hand of seat {seat} is at the edge of the picture: hold it further in, or raise the camera"),
    N("the hands of seats {one} and {two} are too near to each other: hold them further apart"),
    N(
        "no hand was found: everybody holds one open hand over the table, apart from the others, all of it in the "
        "picture, and keeps still"
    ),
    N(
        "only {hands} found for {seats} seats: everybody holds one open hand over the table, apart from the others, "
        "all of it in the picture, and keeps still"
    ),
    N("{hands} found for {seats} seats: hold out one hand each, and nobody else's"),
    N("{path} can't be read ({why}): correct it, or set up the zones again"),
    N("{path} can't be read ({why}): correct it, or set up the zones again. Until then the image is divided evenly."),
    N("zones can't be saved in {path} ({why}): make it writable, or name another folder in XDG_CONFIG_HOME"),
    # cameras
    N("no camera usb:{number}: plug one in, try another number, or use --camera simulated"),
    N("camera usb:{number} sends no images: is another program using it? Unplug it and plug it in again"),
    N("camera usb:{number} has stopped sending images: check its cable and start again"),
    N("the camera has sent no image for a while: check its cable and start again"),
    N("the simulated camera has stalled: start it again"),
    N("a clip shows the same throw every time, so nobody can practise with it: use another camera"),
    N("no camera picamera2:{number}: check the ribbon cable, or use --camera usb:0 or simulated"),
    N("camera picamera2:{number} sends no images: check its cable and start again"),
    N("camera picamera2:{number} has stopped sending images: check its cable and start again"),
    N("camera picamera2:{number} can't be started ({why}): check its cable, and that no other program uses it"),
    N("the clip shows the same throws every time, so it can't settle a tie or a foul: use another"),
    # journals and the review
    N("{path} can't be read ({why}): give another name with --journal"),
    N("{path} can't be written ({why}): choose another folder with --journal"),
    N("{path} can't be renamed ({why}): rename it by hand"),
    N("{path} is not a Throwlock journal: give another name with --journal"),
    N("{path} is in use by another Throwlock: stop it first"),
    N("{path} is in use by another program: close it first"),
    N("the disk of {path} is full: free some space and continue"),
    N("{path} can't be used ({why}): check its disk, and that the file and its folder can be written"),
    N("{path} is damaged ({why}): keep the file and give another name with --journal"),
    N(
        "{path} has lost its newest events: event {number} is missing. Keep the file and give another name "
        "with --journal"
    ),
    N(
        "{path} has lost its newest events: events {first} to {last} are missing. Keep the file and give "
        "another name with --journal"
    ),
    N("the pages can't be served on port {port} ({why}): choose another with --port"),
    N("There is no match {number} in this journal."),
    N("There is no round {number} in this journal."),
    # settings
    N("{path} can't be read ({why}): correct it, or delete it"),
    N("{path}: {where}: {why}; correct or delete that line"),
    # buttons and lights
    N(
        "no buttons or lights: {module} is not installed; sudo apt install python3-lgpio, and create the virtual "
        "environment with --system-site-packages"
    ),
    N("no buttons or lights: this is not a Raspberry Pi; use the screen and a keyboard"),
    N(
        "no buttons or lights: the GPIO chip can't be opened ({why}); is this user in the group gpio, and is no other "
        "program using the chip?"
    ),
    N(
        "seat {seat}'s {button} on {place} can't be used ({why}); is something else using that pin (see dtparam and "
        "dtoverlay in config.txt)?"
    ),
    N(
        "seat {seat}'s {button} button on {place} is stuck and ignored until it is released: free it, or look for a "
        "wire touching ground"
    ),
    N("seat {seat}'s light can't be switched any more ({why}): it stays as it is"),
    N("the buttons can't be read any more ({why}): restart the box"),
    # matches
    N("stopped: hands were not seen; start again with the same journal to resume"),
    # corrections
    N("the round is already void"),
    N("seat {seat} is already read as {throw}"),
    N("seat {seat} can't have thrown {throw}: the game does not allow it"),
    N("corrections have removed the round of event {number} from the match"),
)
"""The messages that can be translated, each with fields in place of its values."""


def translate_error(error: str) -> str:
    """Return the translatable text of an English error message, or the message itself if it is not known."""
    for message in ERROR_MESSAGES:
        match = _compile_pattern(message).fullmatch(error)
        if match is not None:
            return N(message, **{name: _translate_fact(name, fact) for name, fact in match.groupdict().items()})
    return error


def _translate_fact(name: str, fact: str) -> str:
    """Return a value of a message, as a translatable text where it is a word."""
    if name == "throw":
        return _THROW_WORDS.get(fact, fact)
    if name == "button":
        return _BUTTON_WORDS.get(fact, fact)
    if name == "place" and (pin := re.fullmatch(r"GPIO (\d+) \(pin (\d+) of the header\)", fact)):
        return N("GPIO {gpio} (pin {pin} of the header)", gpio=pin[1], pin=pin[2])
    hands = re.fullmatch(r"(\d+) hands? (?:was|were)", fact) if name == "hands" else None
    return ngettext_lazy("{count} hand was", "{count} hands were", int(hands[1])) if hands else fact


_BUTTON_WORDS = {"raise": N("raise", "a button"), "confirm": N("confirm", "a button"), "light": N("light")}
_THROW_WORDS = {**THROW_WORDS, "no throw": NO_THROW, "nothing": N("nothing")}


@lru_cache(maxsize=64)
def _compile_pattern(message: LazyText) -> re.Pattern[str]:
    """Return the pattern of a message, with a group for each field."""
    parts = re.split(r"\{(\w+)\}", message)  # every other part is a field's name
    pattern = "".join(f"(?P<{part}>.+)" if i % 2 else re.escape(part) for i, part in enumerate(parts))
    return re.compile(pattern, re.DOTALL)
