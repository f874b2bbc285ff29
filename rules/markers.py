"""The printed markers: which marker is which card, mat, board corner or piece, and how it is drawn.

Every marker belongs to OpenCV's ``DICT_APRILTAG_36h11`` and has its number there, so any ArUco program reads the same.
Of its 587 markers those are used, in order, that differ from all earlier ones in 11 or more of their 36 squares in any
rotation, and in 9 or more if one of the two is mirrored.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from rules.throws import Throw

CODE_SIDE_SQUARES = 6
"""Squares along the side of a marker's code."""
MARKER_SIDE_SQUARES = CODE_SIDE_SQUARES + 2
"""Squares along the side of a marker: its code and a black border one square wide. It needs a white margin at least one
square wide."""
_CODE_TABLE = """
    0:21a146bab 1:92d18fe9b 2:7089014bb 3:193979e27 6:a10ba56a0 7:2b874a608 8:b57fb8d44 10:61d897f2c 11:ab3469ffc
    12:594ca45c2 13:fa1c2d2e2 14:97c24b972 15:75928624a 16:1caafe99a 17:3236ddc16 18:884e527d6 20:f52925b81 21:2e59cc1a1
    23:eb43384f9 24:3913d5345 25:d79b1a3b5 27:5cd7a031d 29:46987e06b 30:6e0c5d527 31:5bc567bb4 32:1e6302bc2 33:8ac7d046a
    34:a65fe2326 35:5400eb616 36:f7a066836 37:2dd0afdf6 38:3b9cb60b1 39:ad6a1caf9 40:93b62efb5 41:bb210d93d 42:dee55094b
    43:a0cd1479b 45:4f67f4b5f 46:58a815818 47:743427d64 48:1dec40874 49:892ab3a02 50:38d5742ee 53:c957ca1f9 54:a22457823
    55:29ace98f3 57:da8b3578c 58:d5b4b9e36 60:cbdaa8391 61:1986256b1 62:bae6cc889 63:df91b10e5 64:a1a9d5a75 65:2b651aa9d
    66:4d5c2e19d 67:5b163736b 68:f753d60a8 69:5e84b37d2 70:fce43a9f2 71:bb926d1a6 73:6af846f37 75:5d497146c 78:295f3901e
    79:f6b577e97 80:520602f5a 81:b5119492e 82:48e299ab7 83:b79f5737a 84:a814c683e 85:2da900583 86:d4aba4797 87:982a0e65c
    88:f480ccc15 89:0b20ea732 90:a9506710a 91:0486e2ee1 93:e73f3a257 94:17e205b98 98:9420a55cc 102:73cc6b569
    103:c99ca6a59 105:509e51943 106:ba6d227d1 107:d2acf163b 108:d989fef68 109:641707bb2 110:f9bd312ab 111:77739c207
    112:68bf8d1bf 113:dedd84a6e 114:42eaec49b 116:4ebb930ce 117:439c5d9b5 118:e1fc9228d 119:f8a6a8d4a 120:b53902a18
    124:b3ec25786 125:4799c4405 126:8bc68dc04 127:702f15dde 128:b42293da9 129:1acad0382 130:813363971 132:8ad05c5b9
    136:722dde306 140:57535ae96 142:ebc3e6acc 144:5463e49a5 149:250e44e75 151:24caa5741 152:e42cf6588 153:6ea238538
    155:0ceb33bbd 156:786ae8670 157:f0de8c969 160:3fbf92a4d 161:d6555a760 163:b256c16a3 164:d78ac7221 165:2dc1fe262
    166:af2051090 168:53feca775 169:5d292497a 172:d2eca4b20 173:a6fa603d4 175:e817b54d2 176:40abfc3e0 178:36f3a06e8
    181:01fd7ad4e 182:c8765bc64 183:ad3d8215f 185:05f813ca6 187:bf52c4a50 189:540fd7ea8 190:9c962f741 193:1f2bb850d
    195:dc8d2dede 196:cb6b01738 197:be4210368 199:733226ef8 201:1f1c896c7 202:897665aba 203:92f46ba12 206:473198b90
    207:ec2e8e06b 208:36a1d6980 210:637870348 211:f3ab41d46 212:e6032a8b5 213:4c11eec73 214:261de50d6 215:296616e32
    216:37cff1a0a 217:c457847ab 219:980819bb9 220:50cb2b5d8 221:8b6918063 222:12d9c2ce9 223:158c2e738 226:3e72745c1
    228:22e7036f5 230:809532c5b 232:59d84f9cb 233:f42ed0851 236:69fb9fa43 237:29ba51f60 238:587c67427 242:0d95943f4
    243:dec461257 246:ab48e2dc0 247:0cb68494f 248:927a6b5b1 249:bb90f3450 250:632e8fad0 252:1eb2af39d 255:888e9161d
    256:68836ff4f 257:51bd2e441 258:7a0ac40e9 263:f8520294e 267:607065eb4 268:7ad9b3a8c 269:3572d6cbf 270:d426efb8f
    271:64ee4dbaa 272:983d7a8f1 273:8ca31f499 275:d53ae4149 276:9d3c64396 277:795332ee5 282:d94ab610c 284:fd0c6b319
    285:3bff8b9d1 286:e786f4d4e 290:5cefb9536 294:81fda9855 295:2241dbc59 297:eda64c6d0 298:ce7b080f4 299:6192ee7e9
    300:943ff5124 301:88b3beadf 302:9b27e58d0 305:61383a832 306:6688639b3 307:54d01c992 308:90b10c02a 311:3abd07f61
    313:067794d58 316:31a193e6a 317:3da3b76d4 318:4153f1e04 320:92f61249d 321:269a35f8a 324:4ea7e7d9c 325:2e367345b
    328:64e4ea1df 329:12a7b434d 330:4973d9553 332:8bda76d2e 333:f54a4dec8 336:2736282a6 342:3aa64fade 344:0a53e960b
    345:e9e09c3e4 346:4d9b7863d 351:2c5d056a4 354:452949c61 355:2501ec5b7 356:b8f54779c 357:a3b7ea4b3 362:90f2fe934
    367:ae6fd797e 373:5de1cc489 374:111ce3dcd 375:a4c7e157c 376:552691112 378:6663c1cb3 379:bfc594002 380:3a3500387
    386:188acddf1 388:5b6bd01f5 389:84a4d070e 391:ab18852fc 392:9de918390 396:a9022a314 397:a03ea2b9c 398:1e589ec5e
    406:8d0a53cb3 407:c9ed1dced 415:a47c37ee1 423:71933b20d 424:1f0de3a6f 425:596f5bba6 427:a478ad328 428:dade4012f
    432:41b9bf9a9 433:5a4e93ee3 436:73a0d9137 438:ff4b615a7 440:6f3bb6aa1 442:f9c290688 444:623458f55
"""
MARKER_CODES = MappingProxyType(
    {int(marker): int(code, 16) for marker, code in re.findall(r"(\d+):(\w+)", _CODE_TABLE)}
)
"""The code of each marker by its number: 36 squares row by row from the upper left, the first in the highest bit; 1 is
white."""


def marker_squares(marker: int) -> tuple[tuple[bool, ...], ...]:
    """Return a marker's 8 × 8 squares, row by row from the upper left; True is black. Raises KeyError for a number that
    is not in MARKER_CODES."""
    code = MARKER_CODES[marker]
    highest_bit = CODE_SIDE_SQUARES**2 - 1
    inner = [
        [not code >> highest_bit - CODE_SIDE_SQUARES * row - column & 1 for column in range(CODE_SIDE_SQUARES)]
        for row in range(CODE_SIDE_SQUARES)
    ]
    edge = (True,) * MARKER_SIDE_SQUARES
    return (edge, *((True, *row, True) for row in inner), edge)


class MarkerKind(StrEnum):
    """What a marker is printed on."""

    CARD = "card"
    """A card of the deck."""
    CARD_BACK = "card back"
    """The back of every card of the deck."""
    FUTURE = "future card"
    """A card of Future RPS."""
    FUTURE_BACK = "future back"
    """The back of every card of Future RPS."""
    CLASS = "class card"
    """A student's card: its rotation is the throw."""
    MAT = "mat"
    """A corner of a seat's mat: all four have the same marker, each rotated so that the mat is to its right and below
    it."""
    BOARD = "board"
    """A corner of the printed board."""
    PIECE = "piece"
    """A piece of the board game."""


@dataclass(frozen=True)
class PrintedMarker:
    """A marker and what it is printed on."""

    marker: int
    """Its number in the dictionary."""
    kind: MarkerKind
    """What it is printed on."""
    number: int
    """The number of the thing among its kind, from 1: a class card's student, a mat's seat."""
    throw: Throw | None = None
    """The throw on a card of the deck or of Future RPS; ``None`` for a blank card and other kinds."""
    token: str | None = None
    """The piece of the board game, such as P0 or R1; ``None`` for other kinds."""


DECK_CARDS_PER_THROW = 24
"""Cards of each throw in the deck of 72."""
FUTURE_CARDS_PER_THROW = 13
"""Cards of each throw in Future RPS, enough for six players."""
BLANK_FUTURE_CARDS = 3
MAX_STUDENTS = 99
MAX_SEATS = 8
PIECES_PER_SIDE = MappingProxyType({"P": 9, "S": 4, "R": 3, "F": 2})
"""Pieces of each side by letter."""
BOARD_PITCH_MM = 42.0
"""The distance between the centres of neighbouring spaces of the printed board."""
BOARD_MARKER_CENTRES_MM = ((-240.0, -207.0), (219.0, -207.0), (219.0, 170.6), (-240.0, 170.6))
"""The centres of the board's corner markers, clockwise from the upper left: mm East and South of the space (0, 0)."""
MARKER_SIDE_MM = MappingProxyType(
    {
        MarkerKind.CARD: 34.0,
        MarkerKind.CARD_BACK: 40.0,
        MarkerKind.FUTURE: 34.0,
        MarkerKind.FUTURE_BACK: 40.0,
        MarkerKind.CLASS: 100.0,
        MarkerKind.MAT: 30.0,
        MarkerKind.BOARD: 36.0,
        MarkerKind.PIECE: 18.0,
    }
)
"""The side of the marker on each kind of sheet or card."""
CARD_SIZE_MM = (63.0, 88.0)
"""Width and height of a card of the deck or of Future RPS. The back's marker is in its centre; the front's is centred
from left to right."""
CARD_FRONT_MARKER_TOP_MM = 9.0
"""From the upper edge of a card to the marker on its front."""
MAT_SIZE_MM = (190.0, 250.0)
"""Width and height of a mat between the outer edges of its markers."""
THROW_BY_QUARTER_TURNS = (Throw.ROCK, Throw.PAPER, Throw.SCISSORS, None)
"""The throw of a class card by the quarter turns clockwise at which it is held: upright is rock, one is paper, two
(upside down) is scissors, three is no throw."""


def _assign_markers() -> Iterator[PrintedMarker]:
    """Yield the printed things in order, each with the next marker and its number among its kind."""
    things: list[tuple[MarkerKind, Throw | None, str | None]] = [
        (MarkerKind.CARD_BACK, None, None),
        (MarkerKind.FUTURE_BACK, None, None),
        *((MarkerKind.CARD, throw, None) for throw in Throw for _ in range(DECK_CARDS_PER_THROW)),
        *((MarkerKind.FUTURE, throw, None) for throw in Throw for _ in range(FUTURE_CARDS_PER_THROW)),
        *[(MarkerKind.FUTURE, None, None)] * BLANK_FUTURE_CARDS,
        *[(MarkerKind.MAT, None, None)] * MAX_SEATS,
        *[(MarkerKind.BOARD, None, None)] * len(BOARD_MARKER_CENTRES_MM),
        *(
            (MarkerKind.PIECE, None, f"{letter}{side}")
            for side in (0, 1)
            for letter, count in PIECES_PER_SIDE.items()
            for _ in range(count)
        ),
        *[(MarkerKind.CLASS, None, None)] * MAX_STUDENTS,
    ]
    numbers: Counter[MarkerKind] = Counter()
    for marker, (kind, throw, token) in zip(MARKER_CODES, things, strict=False):
        numbers[kind] += 1
        yield PrintedMarker(marker, kind, numbers[kind], throw, token)


PRINTED_MARKERS = MappingProxyType({printed.marker: printed for printed in _assign_markers()})
"""Every printed marker by its number."""


def markers_of_kind(kind: MarkerKind) -> tuple[PrintedMarker, ...]:
    """Return the markers of a kind in the order of their numbers."""
    return tuple(printed for printed in PRINTED_MARKERS.values() if printed.kind is kind)
