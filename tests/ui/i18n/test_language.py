"""LazyText: English until it is drawn, rendered in any language, with names filled in later."""

import json
import pickle
from datetime import datetime
from pathlib import Path

import pytest

from messages import N, capitalise, join, ngettext_lazy
from ui.i18n import language
from ui.i18n.language import PSEUDO_LANGUAGE, format_datetime, format_number, ngettext, render, set_language, t
from ui.text import verdicts


def test_a_lazy_text_is_stored_in_english_and_rendered_in_the_language() -> None:
    late = N("{name} was late: {throw} {ms} ms after the first hand.", name="Ada", throw=N("paper"), ms="331")
    english = "Ada was late: paper 331 ms after the first hand."
    set_language("de")
    assert late == english and json.loads(json.dumps(late)) == english and f"{late}" == english
    assert render(late) == "Ada war zu spät: Papier 331 ms nach der ersten Hand."
    assert render(pickle.loads(pickle.dumps(late))) == render(late)
    set_language(PSEUDO_LANGUAGE)
    assert render(late) == "⟦Ada was late: ⟦paper⟧ 331 ms after the first hand.⟧"


def test_t_and_ngettext_use_the_current_language() -> None:
    assert t("Get ready") == "Get ready" and ngettext("{count} point", "{count} points", 2) == "2 points"
    set_language("fr")
    assert t("Get ready") == "Préparez-vous" and t(N("Get ready")) == "Préparez-vous"
    assert [ngettext("{count} point", "{count} points", count) for count in (0, 1, 2)] == [
        "0 point",
        "1 point",
        "2 points",
    ]
    set_language("de")
    assert [render(ngettext_lazy("{count} win", "{count} wins", count)) for count in (0, 1, 2)] == [
        "0 Siege",
        "1 Sieg",
        "2 Siege",
    ]
    assert t("no catalogue has this") == "no catalogue has this"


def test_context_distinguishes_two_meanings_of_an_english_word() -> None:
    set_language("fr")
    assert (t("won", "battles"), t("No move"), t("turn", "of a game")) == ("gagnés", "Aucun coup possible", "tour")


def test_join_and_capitalise_are_translated() -> None:
    both = join([capitalise(N("rock")), N("paper"), "Ada", "3"], ", ")
    assert both == "Rock, paper, Ada, 3"
    set_language("fr")
    assert render(both) == "Pierre, feuille, Ada, 3"


def test_names_are_filled_into_a_stored_sentence_in_every_language() -> None:
    stored = verdicts.illegal_throws_sentence({"{1}": "rock"})
    filled = verdicts.fill_names(stored, {1: "Zoë {2}"})
    assert filled == "Zoë {2} has no rock left to throw. The round is replayed."
    assert verdicts.fill_names(str(stored), {1: "Zoë {2}"}) == filled
    set_language("de")
    assert render(filled) == "Zoë {2} hat Stein nicht mehr. Die Runde wird wiederholt."
    assert render(verdicts.fill_names(stored, {})).startswith("Person 1 hat")


def test_numbers_and_dates_are_formatted_as_usual_in_the_language() -> None:
    time = datetime(2026, 11, 21, 12, 49)
    formatted = {}
    for code in language.LANGUAGES:
        set_language(code)
        formatted[code] = (
            format_number(94_906_266),
            render(format_datetime(time)),
            render(format_datetime(time, "long", with_time=False)),
        )
    assert formatted == {
        "en": ("94,906,266", "21 Nov 2026, 12:49", "21 November 2026"),
        "de": ("94.906.266", "21.11.2026, 12:49", "21. November 2026"),
        "fr": ("94\N{NO-BREAK SPACE}906\N{NO-BREAK SPACE}266", "21 nov. 2026, 12:49", "21 novembre 2026"),
    }


def test_an_unknown_language_is_rejected_and_changes_nothing() -> None:
    set_language("de")
    with pytest.raises(ValueError, match="no language 'nl': the box speaks en, de, fr"):
        set_language("nl")
    assert language.current_language() == "de"


def test_a_missing_catalogue_is_reported_in_one_line_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_language("de")
    monkeypatch.setattr(language, "CATALOGUE_DIR", tmp_path)
    language.load_translations.cache_clear()
    with pytest.raises(language.CatalogueError, match=r"fr\.mo can’t be read \(No such file or directory\): install"):
        set_language("fr")
    assert language.current_language() == "de"


def test_an_empty_text_stays_empty_in_every_language() -> None:
    for name in language.LANGUAGES:
        set_language(name)
        assert t("") == ""
