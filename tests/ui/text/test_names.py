"""Names: what is kept of what somebody typed, and which are the same."""

import pytest

from messages import shorten
from ui.text.names import MAX_NAME_LENGTH, NameTextError, check_name, normalise_name

ZWNJ, ZWJ = "\u200c", "\u200d"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Ada \t Lovelace\n", "Ada Lovelace"),
        ("Noe\u0301mi", "Noémi"),
        ("Cy\u200b Young", "Cy Young"),
        ("Mül\u00adler", "Müller"),
        ("\ufeffBen\x07", "Ben"),
        ("\u202eAda\u202c \u2066 Ben\u2069", "Ada Ben"),
        ("\u00a0Ada\u00ad \u00adOde", "Ada Ode"),
        (f"عل{ZWNJ}رضا", f"عل{ZWNJ}رضا"),
        (f"عل\u200b{ZWNJ}\u00ad{ZWNJ}رضا", f"عل{ZWNJ}رضا"),
        (f"{ZWNJ}علی {ZWNJ} رضا{ZWJ}", "علی رضا"),
        (f"රාජපක්{ZWJ}ෂ", f"රාජපක්{ZWJ}ෂ"),
        (f"രാജന്{ZWJ} കെ", f"രാജന്{ZWJ} കെ"),
        (f"Ada 👩{ZWJ}🚀", f"Ada 👩{ZWJ}🚀"),
        (f"Ada 7{ZWJ}7", "Ada 77"),
        ("葛\U000e0100城", "葛\U000e0100城"),
        ("Ada\u3164Ode\u2800", "Ada Ode"),
        ("❤\ufe0f", "❤\ufe0f"),
    ],
)
def test_a_name_keeps_its_letters_and_nothing_that_nobody_sees(text: str, name: str) -> None:
    assert check_name(text) == name
    assert check_name(name) == name, "once is enough"
    assert shorten(name) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the name is empty"),
        (f" \u200b{ZWJ}\t", "the name is empty"),
        ("\u3164\u115f", "the name is empty"),
        ("\ufe0f", "the name is empty"),
        ("\u0301\u0301", "the name is empty"),
        ("Ada\ue000", r"“Ada\ufffd” has a letter that can’t be shown \(U\+E000\)"),
        ("M\udcfcller", r"\(U\+DCFC\)"),
        ("A" * (MAX_NAME_LENGTH + 1), "is longer than 100 characters"),
    ],
)
def test_what_is_no_name_is_refused(text: str, message: str) -> None:
    with pytest.raises(NameTextError, match=message):
        check_name(text)


def test_the_limit_counts_letters_that_are_kept() -> None:
    assert check_name("e\u0301\u00ad" * MAX_NAME_LENGTH) == "é" * MAX_NAME_LENGTH
    assert check_name("Adah", 4) == "Adah"


def test_names_that_look_the_same_are_the_same() -> None:
    assert normalise_name(" ZOE\u0308 ") == normalise_name("Zo\u00adë") == "zoë"
    assert normalise_name(f"عل{ZWNJ}رضا") == normalise_name("علرضا")
    assert normalise_name("❤\ufe0f") == normalise_name("❤") == normalise_name("❤\ufe0e")
    assert normalise_name("Ada  King") == normalise_name("ada king") != normalise_name("adaking")
