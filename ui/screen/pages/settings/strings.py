"""What the pages of settings and of languages say."""

from rules.engine import Value
from ui.i18n.language import N, format_number, render, t
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.settings.view import Setting, SettingsView

SETTINGS = N("Settings")
LANGUAGE = N("Language")
SECTION_NAMES = {
    "screen": N("Screen"),
    "sound": N("Sound"),
    "rules": N("House rules"),
    "cards": N("Cards"),
    "buttons": N("Buttons"),
}
"""The parts of the settings."""
SETTING_NAMES = {
    "screen.language": N("Language"),
    "screen.handed": N("Main buttons"),
    "sound.on": N("Sound"),
    "sound.volume": N("Volume"),
    "sound.delay_ms": N("Loudspeaker’s delay"),
    "rules.window_ms": N("Window"),
    "rules.on_foul": N("After a foul"),
    "rules.forfeit_after": N("Replays before forfeit"),
    "rules.beat_ms": N("Beat"),
    "cards.throw_with": N("Throw with"),
    "buttons.on": N("Buttons and lights"),
    "buttons.hold_ms": N("Held"),
    "buttons.repeat_ms": N("Repeated"),
}
"""Every setting as a heading."""
VALUE_WORDS: dict[Value, str] = {
    "right": N("Right"),
    "left": N("Left"),
    "replay": N("Again"),
    "stand": N("It stands"),
    "forfeit": N("No throw"),
    "hands": N("Hands"),
    "cards": N("Cards"),
}
"""The values that are words, shorter than in the file."""
RESTART_SECTION = "buttons"
"""The part whose settings are read when the box is started."""
FEWER, MORE = N("less"), N("more")
DONE = N("Done")


def setting_description(setting: Setting) -> str:
    """What a setting is for."""
    return common_strings.capitalised_line(N(setting.description))


def setting_heading(setting: Setting) -> str:
    """A setting's heading; a star where the box was started with something else."""
    named = render(SETTING_NAMES.get(setting.key, setting.name))
    return f"{named} *" if setting.is_overridden else named


def settings_note(view: SettingsView) -> str:
    """Where settings are kept, or why they can't be; what a star means where there is one; and
    where a change does not hold at once."""
    if any(one.is_overridden for one in view.shown) and not view.has_error:
        return t("* Throwlock was started with another value, which holds until it is closed.")
    if view.section == RESTART_SECTION and not view.has_error:
        return t("Changes take effect after a restart. {kept}", kept=view.note)
    return render(view.note)


def setting_value(setting: Setting, value: Value) -> str:
    """A value of a setting."""
    if isinstance(value, bool):
        return t("On") if value else t("Off")
    if setting.key == "rules.forfeit_after" and value == 0:
        return t("unlimited")
    if isinstance(value, int):
        return t("{number} ms", number=format_number(value)) if setting.name.endswith("_ms") else format_number(value)
    return VALUE_WORDS.get(value, str(value))
