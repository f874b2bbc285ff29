"""Texts that are English until they are drawn: said in any language, kept as English, with names put in later."""

import json
import pickle
from datetime import datetime

import pytest

from ui.i18n import error_messages, language
from ui.i18n.language import MARKED, N, Nn, Text, capital, moment, number, row, said, t, tn, use
from ui.text import verdicts


@pytest.fixture(autouse=True)
def _english() -> object:
    """Every test begins and ends in English."""
    use("en")
    yield
    use("en")


def test_a_text_is_english_wherever_it_is_kept_and_said_where_it_is_drawn() -> None:
    late = N("{name} was late: {throw} {ms} ms after the first hand.", name="Ada", throw=N("paper"), ms="331")
    english = "Ada was late: paper 331 ms after the first hand."
    use("de")
    assert late == english and json.loads(json.dumps(late)) == english and f"{late}" == english
    assert said(late) == "Ada war zu spät: Papier 331 ms nach der ersten Hand."
    assert said(pickle.loads(pickle.dumps(late))) == said(late)
    use(MARKED)
    assert said(late) == "⟦Ada was late: ⟦paper⟧ 331 ms after the first hand.⟧"


def test_what_is_said_now_is_said_in_the_language_of_now() -> None:
    assert t("Get ready") == "Get ready" and tn("{count} point", "{count} points", 2) == "2 points"
    use("fr")
    assert t("Get ready") == "Préparez-vous" and t(N("Get ready")) == "Préparez-vous"
    assert [tn("{count} point", "{count} points", count) for count in (0, 1, 2)] == ["0 point", "1 point", "2 points"]
    use("de")
    assert [said(Nn("{count} win", "{count} wins", count)) for count in (0, 1, 2)] == ["0 Siege", "1 Sieg", "2 Siege"]
    assert t("no catalogue has this") == "no catalogue has this"


def test_one_english_word_of_two_meanings_is_two_in_another_language() -> None:
    use("fr")
    assert (t("won", "battles"), t("No move"), t("turn", "of a game")) == ("gagnés", "Aucun coup possible", "tour")


def test_rows_and_capitals_keep_their_language() -> None:
    both = row([capital(N("rock")), N("paper"), "Ada", "3"], ", ")
    assert both == "Rock, paper, Ada, 3"
    use("fr")
    assert said(both) == "Pierre, feuille, Ada, 3"


def test_names_are_put_into_a_kept_sentence_in_every_language() -> None:
    kept = verdicts.not_held({"{1}": "rock"})
    told = verdicts.named(kept, {1: "Zoë {2}"})
    assert told == "Zoë {2} has no rock left to throw. The round is thrown again."
    assert verdicts.named(str(kept), {1: "Zoë {2}"}) == told
    use("de")
    assert said(told) == "Zoë {2} hat Stein nicht mehr. Die Runde wird neu geworfen."
    assert said(verdicts.named(kept, {})).startswith("Person 1 hat")


def test_numbers_and_times_are_written_as_the_language_does() -> None:
    at = datetime(2026, 11, 21, 12, 49)
    written = {}
    for code in language.LANGUAGES:
        use(code)
        written[code] = (number(94_906_266), said(moment(at)), said(moment(at, "long", clock=False)))
    assert written == {
        "en": ("94,906,266", "21 Nov 2026, 12:49", "21 November 2026"),
        "de": ("94.906.266", "21.11.2026, 12:49", "21. November 2026"),
        "fr": ("94\N{NO-BREAK SPACE}906\N{NO-BREAK SPACE}266", "21 nov. 2026, 12:49", "21 novembre 2026"),
    }


def test_a_language_the_box_does_not_have_is_refused_and_changes_nothing() -> None:
    use("de")
    with pytest.raises(ValueError, match="no language 'nl': the box speaks en, de, fr"):
        use("nl")
    assert language.spoken() == "de"


def test_a_fault_from_inside_is_said_with_its_facts_and_an_unknown_one_as_it_is() -> None:
    overlap = error_messages.told("the zones of seats 1 and 12 overlap: a hand there would count for both")
    few = error_messages.told(
        "only 2 hands were found for 3 seats: everybody holds one open hand over the table, apart from the others, all "
        "of it in the picture, and keeps still"
    )
    strange = error_messages.told("the moon is in the way")
    assert isinstance(overlap, Text) and "2 hands were found" in few and strange == "the moon is in the way"
    use("de")
    assert said(overlap).startswith("Die Zonen der Plätze 1 und 12 überschneiden sich")
    assert said(few).startswith("Nur 2 Hände für 3 Plätze gefunden")
    assert said(strange) == "the moon is in the way"
