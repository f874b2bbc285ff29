"""Faults that come from deep inside, where nothing is known of languages, as the screen says them: a text that is known
here is said in the language spoken, any other stays in English, as it stands in the journal and on the terminal."""

import re
from functools import lru_cache

from ui.i18n.language import N, Nn, Text
from ui.text.names import CARDS, NO_THROW

KNOWN = (
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
    N(
        "{path} can't be read ({why}): correct it, or set up the zones again. Until then the picture is shared out "
        "evenly."
    ),
    N("zones can't be kept in {path} ({why}): make it writable, or name another folder in XDG_CONFIG_HOME"),
    # cameras
    N("no camera usb:{number}: plug one in, try another number, or play with --camera simulated"),
    N("camera usb:{number} gives no picture: is another program using it? Replug it"),
    N("camera usb:{number} has stopped giving pictures: check its cable and start again"),
    N("the camera has given no picture for a while: check its cable and start again"),
    N("the simulated camera has stalled and gives no more frames: start it again"),
    N("a clip throws the same every time, so nobody can practise with it: use another camera"),
    N("no camera picamera2:{number}: check the ribbon cable, or use --camera usb:0 or simulated"),
    N("camera picamera2:{number} gives no picture: check its cable and start again"),
    N("camera picamera2:{number} has stopped giving pictures: check its cable and start again"),
    N("camera picamera2:{number} can't be started ({why}): check its cable, and that no other program uses it"),
    N("the clip shows the same throws every time, so it can't settle a tie or a foul: use another"),
    # journals and the review
    N("{path} can't be read ({why}): give another name with --journal"),
    N("{path} can't be written ({why}): choose another folder with --journal"),
    N("{path} can't be put aside ({why}): rename it by hand"),
    N("{path} is no journal of Throwlock: give another name with --journal"),
    N("{path} is in use by another Throwlock: stop that one first"),
    N("{path} is in use by another program: close that one first"),
    N("the disk of {path} is full: free some space and go on"),
    N("{path} can't be used ({why}): check its disk, and that the file and its folder can be written"),
    N("{path} is damaged ({why}): keep the file, and go on with --journal and a new name"),
    N(
        "{path} has lost what was written last: event {number} is missing. Keep the file, and go on with --journal and "
        "a new name"
    ),
    N(
        "{path} has lost what was written last: events {first} to {last} are missing. Keep the file, and go on with "
        "--journal and a new name"
    ),
    N("the pages can't be opened on port {port} ({why}): choose another with --port"),
    N("There is no match {number} in this journal."),
    N("There is no round {number} in this journal."),
    # settings
    N("{path} can't be read ({why}): correct it, or delete it"),
    N("{path}: {where}: {why}; correct or delete that line"),
    # buttons and lights
    N(
        "no buttons or lights: {module} is not installed; sudo apt install python3-lgpio, and make the virtual "
        "environment with --system-site-packages"
    ),
    N("no buttons or lights: this machine is no Raspberry Pi; the screen and a keyboard do without"),
    N(
        "no buttons or lights: the GPIO chip can't be opened ({why}); is this user in the group gpio, and nothing else "
        "using the chip?"
    ),
    N(
        "seat {seat}'s {button} on {place} can't be used ({why}); is something else using that pin (see dtparam and "
        "dtoverlay in config.txt)?"
    ),
    N(
        "seat {seat}'s {button} button on {place} is stuck: it is ignored until it comes up; free it, or look for a "
        "wire that touches ground"
    ),
    N("seat {seat}'s light can't be switched any more ({why}): it is left alone"),
    N("the buttons can't be read any more ({why}): start the box again"),
    # matches
    N("stopped: hands were not seen; start again with the same journal to go on"),
    # corrections
    N("the round is void already"),
    N("seat {seat} is read as {throw} already"),
    N("seat {seat} can't have thrown {throw}: the game does not allow it"),
    N("the match has taken another course since the round of event {number}"),
)
"""Every text that is known, with names in the place of its facts."""


def told(fault: str) -> str:
    """``fault`` as the screen says it."""
    for message in KNOWN:
        found = _pattern(message).fullmatch(fault)
        if found is not None:
            return N(message, **{name: _fact(name, fact) for name, fact in found.groupdict().items()})
    return fault


def _fact(name: str, fact: str) -> str:
    """A fact of a fault that is a word itself."""
    if name == "throw":
        return _THROWS.get(fact, fact)
    if name == "button":
        return _BUTTONS.get(fact, fact)
    if name == "place" and (pin := re.fullmatch(r"GPIO (\d+) \(pin (\d+) of the header\)", fact)):
        return N("GPIO {gpio} (pin {pin} of the header)", gpio=pin[1], pin=pin[2])
    hands = re.fullmatch(r"(\d+) hands? (?:was|were)", fact) if name == "hands" else None
    return Nn("{count} hand was", "{count} hands were", int(hands[1])) if hands else fact


_BUTTONS = {"raise": N("raise", "a button"), "confirm": N("confirm", "a button"), "light": N("light")}
_THROWS = {**CARDS, "no throw": NO_THROW, "nothing": N("nothing")}


@lru_cache(maxsize=64)
def _pattern(message: Text) -> re.Pattern[str]:
    """What a text with its facts looks like."""
    parts = re.split(r"\{(\w+)\}", message)
    return re.compile(
        "".join(f"(?P<{part}>.+)" if odd % 2 else re.escape(part) for odd, part in enumerate(parts)), re.DOTALL
    )
