"""Samples of the settings: words and numbers, one of them changed; a file that can't be read; the languages."""

from dataclasses import replace

from rules.engine import Choices, IntRange
from ui.screen.pages.settings import LanguageChoice, Setting, SettingsPage, SettingsView
from ui.screen.views import View

HANDS = Choices(("right", "left"))
YES_NO = Choices((True, False))
ROTATIONS = Choices((0, 90, 180, 270))


def samples() -> dict[str, View]:
    """Return the samples by name."""
    settings = (
        Setting("screen", "language", "the language of the screen", "en", Choices(("en", "de", "fr"))),
        Setting("screen", "handed", "where the main buttons are: on the right or on the left", "left", HANDS),
        Setting("screen", "rotation", "degrees clockwise, for a touchscreen mounted on its side", 90, ROTATIONS),
        Setting("screen", "dark_after_min", "minutes without a touch until it goes dark", 10, IntRange(0, 120, 5)),
        Setting("sound", "on", "whether the box beats the count and sounds lock, foul and win", True, YES_NO),
        Setting("sound", "count", "how the count is heard", "both", Choices(("tones", "voice", "both"))),
        Setting("sound", "results", "whether results are spoken", False, YES_NO),
        Setting("sound", "volume", "how loud, of 100", 80, IntRange(0, 100, 10)),
        Setting(
            "rules", "window_ms", "ms from the first hand to the lock", 150, IntRange(50, 2000, 50), is_overridden=True
        ),
        Setting("rules", "on_foul", "what becomes of a foul", "stand", Choices(("replay", "stand", "forfeit"))),
        Setting("rules", "forfeit_after", "fouls of a player that are thrown again", 3, IntRange(0, 99)),
        Setting("rules", "beat_ms", "ms between the words of the count", 600, IntRange(300, 2000, 50)),
        Setting("buttons", "on", "whether the seats have buttons and lights", False, YES_NO),
    )
    note = "Saved in ~/.config/throwlock/throwlock.toml"
    view = SettingsView(settings, "screen", note, further_pages=("box",))
    rules_view = replace(view, section="rules")
    broken = "throwlock.toml can’t be read (line 3): correct it, or delete it"
    return {
        "settings": view,
        "settings-sound": replace(view, section="sound"),
        "settings-rules": SettingsPage(rules_view, {"rules.beat_ms": 650}),
        "settings-broken": replace(rules_view, note=broken, has_error=True),
        "languages": LanguageChoice({"en": "English", "de": "Deutsch", "fr": "Français"}, "de"),
    }
