"""The texts of the settings and of the choice of a language."""

from messages import N
from rules.engine import Value
from ui.i18n.language import format_number, render, t
from ui.screen.pages.settings.view import Setting, SettingsView

SECTION_NAMES = {
    "screen": N("Screen"),
    "sound": N("Sound"),
    "rules": N("House rules"),
    "cards": N("Cards"),
    "clips": N("Clips"),
    "buttons": N("Buttons"),
    "box": N("This box"),
}
"""The sections of the settings."""
SETTING_NAMES = {
    "screen.language": N("Language"),
    "screen.handed": N("Main buttons"),
    "screen.rotation": N("Rotate the screen"),
    "screen.slow_motion": N("Slow motion"),
    "screen.motion": N("Motion"),
    "screen.second": N("Second screen"),
    "screen.dark_after_min": N("Dark after"),
    "sound.on": N("Sound"),
    "sound.count": N("Count"),
    "sound.results": N("Speak results"),
    "sound.volume": N("Volume"),
    "sound.delay_ms": N("Loudspeaker’s delay"),
    "rules.window_ms": N("Window"),
    "rules.on_foul": N("After a foul"),
    "rules.forfeit_after": N("Replays before forfeit"),
    "rules.beat_ms": N("Beat"),
    "cards.throw_with": N("Throw with"),
    "clips.keep_hours": N("Keep frames"),
    "clips.keep_mb": N("Space for frames"),
    "buttons.on": N("Buttons and lights"),
    "buttons.hold_ms": N("Hold time"),
    "buttons.repeat_ms": N("Repeat time"),
}
"""The heading of each setting."""
VALUE_WORDS: dict[Value, str] = {
    "right": N("Right"),
    "left": N("Left"),
    "always": N("Always"),
    "important": N("Close rounds"),
    "never": N("Never"),
    "tones": N("Tones"),
    "voice": N("Voice"),
    "both": N("Both"),
    "full": N("Full"),
    "reduced": N("Reduced"),
    "auto": N("If connected"),
    "off": N("Off"),
    "replay": N("Again"),
    "stand": N("It stands"),
    "forfeit": N("No throw"),
    "hands": N("Hands"),
    "cards": N("Cards"),
}
"""The values that are words, shorter than in the file."""
ZERO_WORDS = {
    "rules.forfeit_after": N("unlimited"),
    "screen.dark_after_min": N("never"),
    "clips.keep_hours": N("never"),
}
"""What 0 means, by setting."""
UNITS = {"_ms": N("{number} ms"), "_min": N("{number} min"), "_hours": N("{number} h"), "_mb": N("{number} MB")}
"""Numbers with their units, by the ending of the setting's name."""
RESTART_SECTION = "buttons"
"""The section whose settings are read only when the box starts."""


def setting_heading(setting: Setting) -> str:
    """A setting's heading, with a star if the box was started with another value."""
    label = render(SETTING_NAMES.get(setting.key, setting.name))
    return f"{label} *" if setting.is_overridden else label


def settings_note(view: SettingsView) -> str:
    """The note below the settings: the meaning of a star, or where settings are stored and whether changes need a
    restart, or why they can't be stored."""
    if any(setting.is_overridden for setting in view.visible_settings) and not view.has_error:
        return t("* Throwlock was started with another value, which applies until it is closed.")
    if view.section == RESTART_SECTION and not view.has_error:
        return t("Changes take effect after a restart. {kept}", kept=view.note)
    return render(view.note)


def setting_value(setting: Setting, value: Value) -> str:
    """A value of a setting."""
    if isinstance(value, bool):
        return t("On") if value else t("Off")
    if value == 0 and setting.key in ZERO_WORDS:
        return t(ZERO_WORDS[setting.key])
    if setting.key == "screen.rotation":
        return f"{value}°"
    if isinstance(value, int):
        unit = next((unit for ending, unit in UNITS.items() if setting.name.endswith(ending)), "{number}")
        return t(unit, number=format_number(value))
    return VALUE_WORDS.get(value, str(value))
