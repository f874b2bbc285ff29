"""A box's state in the topics of the Homie 5 convention: https://homieiot.github.io/specification/.

A box is a device with one node, ``box``, and properties that nobody can set. All topics are retained."""

import json
from enum import StrEnum
from typing import Final

from throwlock.hall.protocol import HOMIE_PREFIX, MAX_DEVICE_NAME_LENGTH

HOMIE_VERSION: Final = "5.0"
NODE: Final = "box"


class DeviceState(StrEnum):
    """Homie's ``$state`` of a device."""

    INIT = "init"
    READY = "ready"
    DISCONNECTED = "disconnected"
    SLEEPING = "sleeping"
    LOST = "lost"
