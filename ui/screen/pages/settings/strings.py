"""What the pages of settings and of languages say."""

from rules.engine import Value
from ui.i18n.language import N, number, said, t
from ui.screen.pages import strings
from ui.screen.pages.settings.view import Setting, Settings

SETTINGS = N("Settings")
LANGUAGE = N("Language")
PARTS = {
    "screen": N("Screen"),
    "sound": N("Sound"),
    "house": N("House rules"),
    "cards": N("Cards"),
    "buttons": N("Buttons"),
}
"""The parts of the settings."""
NAMES = {
    "screen.language": N("Language"),
    "screen.handed": N("Hand"),
    "sound.on": N("Sound"),
    "sound.volume": N("Volume"),
    "sound.delay_ms": N("Loudspeaker’s delay"),
    "house.window_ms": N("Window"),
    "house.on_foul": N("After a foul"),
    "house.forfeit_after": N("Fouls forgiven"),
    "house.beat_ms": N("Beat"),
    "cards.throw_with": N("Throw with"),
    "buttons.on": N("Buttons and lights"),
    "buttons.hold_ms": N("Held"),
    "buttons.run_ms": N("Repeated"),
}
"""Every setting as a heading."""
VALUES: dict[Value, str] = {
    "right": N("Right"),
    "left": N("Left"),
    "replay": N("Again"),
    "stand": N("It stands"),
    "forfeit": N("No throw"),
    "hands": N("Hands"),
    "cards": N("Cards"),
}
"""The values that are words, shorter than in the file."""
LATER = "buttons"
"""The part whose settings are read when the box is started."""
FEWER, MORE = N("less"), N("more")
DONE = N("Done")


def about(setting: Setting) -> str:
    """What a setting is for."""
    return strings.line(N(setting.about))


def name(setting: Setting) -> str:
    """A setting's heading; a star where the box was started with something else."""
    named = said(NAMES.get(setting.key, setting.name))
    return f"{named} *" if setting.given else named


def told(view: Settings) -> str:
    """Where settings are kept, or why they can't be; what a star means where there is one; and
    where a change does not hold at once."""
    if any(one.given for one in view.shown) and not view.wrong:
        return t("* Throwlock was started with another value, which holds until it is closed.")
    if view.part == LATER and not view.wrong:
        return t("What is changed here holds once Throwlock is started again. {kept}", kept=view.told)
    return said(view.told)


def value(setting: Setting, of: Value) -> str:
    """A value of a setting."""
    if isinstance(of, bool):
        return t("On") if of else t("Off")
    if isinstance(of, int):
        return t("{number} ms", number=number(of)) if setting.name.endswith("_ms") else number(of)
    return VALUES.get(of, str(of))
