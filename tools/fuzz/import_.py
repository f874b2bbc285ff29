"""Fuzzes ``throwlock import``: files of matches, changed as a forger would, with all hashes made anew."""

import json
import random
from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rules.catalogue import GAMES
from rules.engine import Rules
from throwlock.journal.events import MatchAbandoned
from throwlock.journal.hash_chain import SaltedData, canonical_json, event_hash, evidence_commitment, proof_code
from throwlock.journal.journal import JournalReader
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.journal.player_names import player_key
from throwlock.replay.public_log import public_log
from throwlock.review.archive import ArchiveOpener
from throwlock.review.export import match_to_json
from throwlock.review.importer import ImportFileError, ImportJournal, read_match_file
from throwlock.review.verify import verify
from tools.fuzz.target import MutateBytes, Target, check_message, require, temporary_folder
from tools.sample_journal import SampleClock, SampleJournal, SampleMatch

SEED_ANSWERS = (4, 14)
"""After how many answers the matches of the seeds are abandoned, if they last that long."""
ODD_VALUES: Sequence[Any] = (
    *(None, True, False, 0, 1, -1, 2, 3, 99, 2**31, 2**53, 2**63, -(2**63), 10**29, 0.0, -0.0, 1.5, 1e-320, 1e308),
    *("", " ", "rock", "paper", "scissors", "lizard", "{1}", "{9}", "{", "\0", "\x1b[2J", "\u202e", "\u2028", "é"),
    *("a" * 1000, "0" * 64, "1970-01-01T00:00:00+00:00", "2999-12-31T23:59:59.999999+00:00", "<script>", "=1+1"),
    *([], {}, [[]], [None], {"1": None}, {"0": 1}, {"x": "y"}, [1, 2, 3]),
)  # fmt: skip


def seeds() -> Iterator[bytes]:
    """Yield matches of every game, abandoned and finished, and with a forgotten player, a file of an imported match."""
    with temporary_folder() as folder:
        for rules in GAMES.values():
            for number, answers in enumerate((*SEED_ANSWERS, 400)):
                path = Path(folder) / f"{rules.name}-{number}.journal"
                text = _write_match(path, rules, number, answers)
                if len(text) < MAX_BYTES // 2:
                    yield text.encode()
        with JournalReader(path) as reader:
            key = next(iter(reader.players()))
        JournalMaintenance(path).forget(key)
        with JournalReader(path) as reader:
            text = match_to_json(reader, 1)
        yield text.encode()
        file = Path(folder) / "match.json"
        file.write_text(text)
        with ImportJournal(Path(folder) / "imported.journal") as journal:
            yield match_to_json(journal, journal.import_match(read_match_file(file))).encode()


def _write_match(path: Path, rules: Rules, seed: int, answers: int) -> str:
    """Play a short match of a game at random; return its file."""
    sample = rules.samples[seed % len(rules.samples)]
    with SampleJournal(path, SampleClock()) as journal:
        match = SampleMatch(journal, random.Random(seed), rules.set_up(sample.seats, sample.options))
        match.play(answers)
        if not match.is_over:
            journal.append(match.number, MatchAbandoned())
        return match_to_json(journal, match.number)


def mutate(data: bytes, rng: random.Random, mutate_bytes: MutateBytes) -> bytes:
    """Change a few values of the file, mostly with all its hashes made anew; now and then any bytes of it."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return mutate_bytes(data)
    if not isinstance(document, dict) or rng.random() < 0.05:
        return mutate_bytes(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if rng.random() < 0.7:
            _change(document, rng, mutate_bytes)
            continue
        with suppress(KeyError, TypeError, ValueError, AttributeError, IndexError):
            rng.choice((_abandon, _throw_otherwise, _renumber))(document, rng)
    if rng.random() < 0.95:
        with suppress(KeyError, TypeError, ValueError, AttributeError, IndexError):
            forge_hashes(document)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _abandon(document: dict[str, Any], rng: random.Random) -> None:
    """Let the match end after some of its events, abandoned. Raises as ``forge_hashes``."""
    events = document["events"]
    del events[rng.randrange(1, len(events)) :]
    last = events[-1]
    events.append({**last, "number": last["number"] + 1, "kind": MatchAbandoned.kind, "body": {}})
    events[-1].pop("pictures", None)


def _throw_otherwise(document: dict[str, Any], rng: random.Random) -> None:
    """Change what a player threw, in the judgement too. Raises as ``forge_hashes``."""
    bodies = [event["body"] for event in document["events"] if "answers" in event["body"]]
    body = rng.choice(bodies)
    seat = rng.choice(list(body["answers"]))
    other = rng.choice([*rng.choice(bodies)["answers"].values(), "rock", "paper", "scissors", None])
    body["answers"][seat] = other
    if "judgement" in body:
        body["judgement"]["seats"][seat] |= {"throw": other, "at_lock": other}


def _renumber(document: dict[str, Any], rng: random.Random) -> None:
    """Number the events anew, without gaps. Raises as ``forge_hashes``."""
    first = rng.choice((document["match"], 1, 2**53 - 3))
    document["match"] = first
    for number, event in enumerate(document["events"], first):
        event["number"] = number


def _change(document: Any, rng: random.Random, mutate_bytes: MutateBytes) -> None:
    """Change one value, key or order."""
    place, key = _draw_place(document, rng)
    if key is None:
        return
    match rng.randrange(8):
        case 0:
            place[key] = rng.choice(ODD_VALUES)
        case 1:
            del place[key]
        case 2 if isinstance(place, list):
            place.insert(rng.randrange(len(place) + 1), json.loads(json.dumps(place[key])))
        case 3 if isinstance(place, list):
            other = rng.randrange(len(place))
            place[key], place[other] = place[other], place[key]
        case 2 | 3:
            place[rng.choice((str(rng.randrange(10)), "x", key + "x"))] = place.pop(key)
        case 4:
            there, other = _draw_place(document, rng, key)
            place[key] = json.loads(json.dumps(there[other]))
        case _:
            place[key] = _vary(place[key], rng, mutate_bytes)


def _draw_place(document: Any, rng: random.Random, key: object = None) -> tuple[Any, Any]:
    """Return an object or list of the document and one of its keys, if possible this one; None without any."""
    places = list(_all_places(document))
    if rng.random() < 0.03:
        places = [one for one in places if one[0] is document]
    return rng.choice([one for one in places if one[1] == key] or places or [(document, None)])


def _all_places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield all objects and lists with each of their keys."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _all_places(value[key])


def _vary(value: Any, rng: random.Random, mutate_bytes: MutateBytes) -> Any:
    """Return a value of the same type that differs a little."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, -10, 10, 256))
    if isinstance(value, float):
        return value * rng.choice((-1.0, 0.5, 2.0, 1e6)) + rng.choice((0.0, 0.1, -1.0))
    if isinstance(value, str):
        return mutate_bytes(value.encode("utf-8", "replace")).decode("utf-8", "replace")
    return rng.choice(ODD_VALUES)


def forge_hashes(document: dict[str, Any]) -> None:
    """Make all hashes of a file anew: keys of players, commitments to images, the chain and the proof code. Raises
    KeyError, TypeError, ValueError, AttributeError or IndexError where the file lacks what they are made of."""
    events = document["events"]
    keys = events[0]["body"]["players"]
    for seat, (salt, name) in enumerate(zip(document["salts"], document["players"], strict=False), 1):
        if isinstance(salt, str) and isinstance(name, str) and str(seat) in keys:
            keys[str(seat)] = player_key(salt, name)
    previous = None
    for event in events:
        for name, picture in event.get("pictures", {}).items():
            with suppress(ValueError, KeyError, TypeError):
                one = event["body"]["evidence"][name]
                salted = SaltedData(picture["salt"], b64decode(picture["data"], validate=True))
                one["commitment"] = evidence_commitment(name, one["media_type"], salted)
        if previous is not None:
            event["previous_hash"] = previous
        body = canonical_json(event["body"])
        at = (event["number"], document["match"], event["at"], event["kind"], body, event["previous_hash"])
        previous = event["hash"] = event_hash(*at)
    document["proof_code"] = proof_code(str(previous))


def check(data: bytes) -> None:
    """Import a file. It is refused with one line, or its match verifies, can be shown, and can be exported and imported
    again."""
    with temporary_folder() as name:
        folder = Path(name)
        file = folder / "match.json"
        file.write_bytes(data)
        try:
            match = read_match_file(file)
        except ImportFileError as error:
            check_message(error)
            return
        with ImportJournal(folder / "a.journal") as journal:
            number = journal.import_match(match)
            problems = verify(journal).problems
            require(problems == (), f"what was imported does not verify: {problems}")
            public_log(journal.events(number))
            file.write_text(match_to_json(journal, number))
        with ArchiveOpener(folder / "a.journal", folder / "cache").open() as archive:
            for export_format in ("csv", "html"):
                archive.export(number, export_format)
            archive.classroom()
        again = read_match_file(file)
        require(again.origin.first_hash == match.origin.first_hash, "the origin was lost")
        bodies, bodies_again = ([event.body for event in one.events[1:]] for one in (match, again))
        require([one.kind for one in bodies] == [one.kind for one in bodies_again], "events were lost")


MAX_BYTES = 200_000
TARGET = Target("import", seeds, mutate, check, MAX_BYTES, max_cpu_s=10)
