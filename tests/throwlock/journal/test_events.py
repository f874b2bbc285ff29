"""The events as the journal stores them: what is written is read back equal, and no other form is read."""

import json
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import hypothesis.strategies as st
import pytest
from annotated_types import Ge, Le, MaxLen, MinLen
from hypothesis import given, settings
from pydantic import ValidationError

from rules.record.judgement import JudgementRecord
from rules.tournaments.fixture import FixtureId
from tests.helpers.journal_events import STARTED, answer_event, round_body
from throwlock.journal.events import BODY_TYPES, Corrected, MatchEnded, ResultRecord, decode_body, encode_body
from throwlock.journal.hash_chain import canonical_json

KINDS = pytest.mark.parametrize("kind", BODY_TYPES)
WRONG_TYPE: dict[str, object] = {"": {}}
"""Valid for no field of any event."""


def bodies(kind: str) -> st.SearchStrategy[Any]:
    """Return valid bodies of a kind of event, made from its model."""
    return values_of(BODY_TYPES[kind])


def values_of(annotation: Any, metadata: tuple[Any, ...] = ()) -> st.SearchStrategy[Any]:
    """Return the values of a model's field."""
    args, origin = get_args(annotation), get_origin(annotation)
    lowest, highest = limit(metadata, Ge, "ge"), limit(metadata, Le, "le")
    fewest = limit(metadata, MinLen, "min_length") or 0
    if origin is Annotated:
        found = values_of(args[0], tuple(args[1].metadata))
    elif origin in (Union, UnionType):
        found = st.one_of(*(values_of(arg, metadata) for arg in args))
    elif origin is Literal:
        found = st.sampled_from(args)
    elif origin is dict:
        found = st.dictionaries(*map(values_of, args), min_size=fewest, max_size=3)
    elif origin is tuple:
        several = args[-1] is Ellipsis
        found = st.lists(values_of(args[0]), max_size=3).map(tuple) if several else st.tuples(*map(values_of, args))
    elif annotation is int:
        found = st.integers(lowest, highest)
    elif annotation is float:
        found = st.floats(lowest, highest, allow_nan=False, allow_infinity=False)
    elif annotation is str:
        patterns = [one.pattern.replace("$", r"\Z") for one in metadata if getattr(one, "pattern", None)]
        longest = min(limit(metadata, MaxLen, "max_length") or 40, 40)
        found = st.from_regex(patterns[0]) if patterns else st.text(min_size=fewest, max_size=longest)
    elif annotation in (bool, NoneType):
        found = st.booleans() if annotation is bool else st.none()
    elif annotation is FixtureId:
        numbers = st.integers(1, 9999)
        found = st.builds(FixtureId, st.sampled_from("KLFST"), numbers, numbers, st.just(0))
        found |= st.builds(FixtureId, st.just("G"), numbers, numbers, numbers)
    elif issubclass(annotation, Enum):
        found = st.sampled_from(list(annotation))
    else:
        fields = {name: values_of(one.annotation, tuple(one.metadata)) for name, one in annotation.model_fields.items()}
        found = st.fixed_dictionaries(fields).map(lambda values: annotation.model_validate(values, by_name=True))
    return found


def limit(metadata: tuple[Any, ...], of: type, name: str) -> Any:
    return next((getattr(one, name) for one in metadata if isinstance(one, of)), None)


@KINDS
@settings(max_examples=30)
@given(data=st.data())
def test_every_event_is_read_as_it_was_written(kind: str, data: st.DataObject) -> None:
    body = data.draw(bodies(kind))
    text = encode_body(body)
    assert decode_body(kind, text) == body
    assert canonical_json(json.loads(text)) == text, "sorted keys, no spaces: the hash covers the text"
    assert encode_body(decode_body(kind, text)) == text


@KINDS
@settings(max_examples=10)
@given(data=st.data())
def test_an_unknown_key_is_refused(kind: str, data: st.DataObject) -> None:
    fields = json.loads(encode_body(data.draw(bodies(kind))))
    with pytest.raises(ValidationError, match="Extra inputs"):
        decode_body(kind, canonical_json({**fields, "extra": 1}))


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, field.alias or name) for kind, body in BODY_TYPES.items() for name, field in body.model_fields.items()],
)
@settings(max_examples=3)
@given(data=st.data())
def test_a_wrong_type_and_a_missing_field_are_refused(kind: str, name: str, data: st.DataObject) -> None:
    fields = json.loads(encode_body(data.draw(bodies(kind))))
    with pytest.raises(ValidationError):
        decode_body(kind, canonical_json({**fields, name: WRONG_TYPE}))
    required = {field.alias or name for name, field in BODY_TYPES[kind].model_fields.items() if field.is_required()}
    del fields[name]
    if name in required:
        with pytest.raises(ValidationError, match="Field required"):
            decode_body(kind, canonical_json(fields))
    else:
        decode_body(kind, canonical_json(fields))


def test_a_number_as_text_is_refused() -> None:
    for change in ({"seats": "2"}, {"seats": 2.5}, {"seats": True}, {"rules_version": "1"}, {"scenarios": "late"}):
        with pytest.raises(ValidationError):
            decode_body("match_started", canonical_json({**json.loads(encode_body(STARTED)), **change}))


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_are_not_finite_are_refused(number: float) -> None:
    thrown = json.loads(encode_body(round_body()))
    thrown["judgement"]["lock_ms"] = number
    with pytest.raises(ValidationError, match="finite"):
        decode_body("round_voided", json.dumps(thrown))
    with pytest.raises(ValidationError):
        decode_body("answered", json.dumps({"prompt": "bet", "answers": {"1": number}}))
    with pytest.raises(ValidationError, match="finite"):
        JudgementRecord.model_validate({**thrown["judgement"], "window_ms": number})
    result = {"winners": [1], "scores": {"1": 2}}
    for extra in ({"rate": number}, {"rates": {"1": [number]}}):
        with pytest.raises(ValidationError, match="not JSON compliant"):
            decode_body("match_ended", json.dumps({"result": {**result, **extra}}))


def test_a_result_keeps_the_keys_of_its_game() -> None:
    own = {"reason": "flag", "table": {"1": [3, None]}}
    result = ResultRecord(winners=(1,), scores={1: 2, 2: 0}, **own)
    body = MatchEnded(result=result)
    assert decode_body("match_ended", encode_body(body)) == body


def test_an_unknown_kind_and_text_that_is_not_json_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no event of kind 'rematch'"):
        decode_body("rematch", "{}")
    for text in ("", "oops", "[]", "null", '{"prompt":'):
        with pytest.raises(ValidationError):
            decode_body("answered", text)
    with pytest.raises(ValidationError):
        decode_body("round_judged", encode_body(answer_event()))


def test_a_correction_is_stored_with_the_documents_words() -> None:
    body = Corrected(round=4, seat=2, previous="rock", to="paper", answers={1: "rock", 2: "paper"}, dropped=(5, 6))
    assert json.loads(encode_body(body)) == {
        "round": 4, "seat": 2, "from": "rock", "to": "paper", "answers": {"1": "rock", "2": "paper"},
        "dropped": [5, 6], "by": "the table", "text": "",
    }  # fmt: skip


def test_an_event_can_not_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        STARTED.seats = 3
