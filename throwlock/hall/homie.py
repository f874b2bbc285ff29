"""A box's state in the topics of the Homie 5 convention, https://homieiot.github.io/specification/: a device with one
node, ``box``, and properties that nobody can set. All topics are retained."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

from throwlock.hall.protocol import HOMIE_PREFIX

HOMIE_VERSION: Final = "5.0"
NODE: Final = "box"
ALERT: Final = "hardware"
"""The id of the alert about buttons and lights."""
DESCRIPTION_VERSION: Final = 1
"""Raised whenever the description below changes."""
PROPERTIES: Final[dict[str, dict[str, Any]]] = {
    "version": {"name": "Version", "datatype": "string"},
    "camera": {"name": "Camera", "datatype": "string"},
    "match": {"name": "Match", "datatype": "string"},
    "temperature": {"name": "Processor's temperature", "datatype": "float", "unit": "°C"},
    "review": {"name": "Review pages", "datatype": "string"},
}


class DeviceState(StrEnum):
    """Homie's ``$state``."""

    INIT = "init"
    READY = "ready"
    DISCONNECTED = "disconnected"
    LOST = "lost"


@dataclass(frozen=True)
class BoxFacts:
    """What a box says about itself."""

    version: str = ""
    """Of Throwlock."""
    camera: str = ""
    """The camera's name."""
    match: str = ""
    """The match that is being played; "": none."""
    temperature: str = ""
    """Of the processor in °C, as text; "": unknown."""
    review: str = ""
    """The address of its review pages; "": they are off."""
    alert: str = ""
    """What is wrong with buttons and lights; "": nothing."""


def state_topic(box: str) -> str:
    """Return the topic of a box's ``$state``."""
    return f"{HOMIE_PREFIX}/{box}/$state"


def description_topic(box: str) -> str:
    """Return the topic of a box's ``$description``."""
    return f"{HOMIE_PREFIX}/{box}/$description"


def state_topics(box: str) -> list[str]:
    """Return all topics that a box publishes about itself."""
    facts = (name for name, _ in changed_topics(box, BoxFacts(), None))
    return [state_topic(box), description_topic(box), *facts]


def description(name: str) -> str:
    """Return the ``$description`` of a box that people call ``name``: JSON."""
    properties = {key: {**described, "settable": False, "retained": True} for key, described in PROPERTIES.items()}
    document = {
        "homie": HOMIE_VERSION,
        "version": DESCRIPTION_VERSION,
        "type": "throwlock-box",
        "name": name,
        "nodes": {NODE: {"name": "Box", "properties": properties}},
    }
    return json.dumps(document, ensure_ascii=False)


def changed_topics(box: str, facts: BoxFacts, before: BoxFacts | None) -> Iterator[tuple[str, str]]:
    """Yield the topics, and their values, in which ``facts`` differ from those ``before`` (None: nothing was said
    yet). An alert without a value is over."""
    for field in fields(facts):
        value = getattr(facts, field.name)
        if before is not None and value == getattr(before, field.name):
            continue
        if field.name == "alert":
            yield f"{HOMIE_PREFIX}/{box}/$alert/{ALERT}", value
        else:
            yield f"{HOMIE_PREFIX}/{box}/{NODE}/{field.name}", value
