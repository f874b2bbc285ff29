"""Several pairs' games at one table, side by side: each runs at its own pace, and all throw on the same shout."""

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import replace
from typing import Generic, TypeVar

from rules.engine import BOX, Ask, Json, Options, Say, Seat, Value

T = TypeVar("T")
Part = Generator[Ask | Say, dict[Seat, Value], T]
"""A part of a game: it asks and says as a script does, and gives something other than a result."""


def on_one_shout(parts: Iterable[Part[T]]) -> Part[list[T]]:
    """Run ``parts``, whose seats must differ, and give what each of them gave, in their order.

    Questions of one kind are asked as one. Nobody throws until everybody still playing can: a pair that has
    something else to answer is asked that first, and a pair that has finished drops out of the shout. What is left to
    chance comes before everything else, one draw after the other.
    """
    sides = [_Side(part) for part in parts]
    for side in sides:
        yield from side.start()
    while asking := [(side, side.ask) for side in sides if side.ask]:
        now = _next(asking)
        answers = yield _as_one([ask for _, ask in now])
        for side, ask in now:
            yield from side.answer({seat: answers[seat] for seat in ask.seats})
    return [side.gave[0] for side in sides]


def _next(asking: "list[tuple[_Side[T], Ask]]") -> "list[tuple[_Side[T], Ask]]":
    """Those whose questions are asked now, as one."""
    for side, ask in asking:
        if BOX in ask.seats:  # the box has one seat: it answers one question at a time
            return [(side, ask)]
    kind = next((ask.kind for _, ask in asking if ask.kind != "throw"), "throw")
    return [(side, ask) for side, ask in asking if ask.kind == kind]


class _Side(Generic[T]):
    """One part: what it asks now (``None`` when it has ended), and in ``gave`` what it gave at its end."""

    def __init__(self, part: Part[T]) -> None:
        self.ask: Ask | None = None
        self.gave: list[T] = []
        self._part = part

    def start(self) -> Part[None]:
        """Run to the first question."""
        return self._until_it_asks(lambda: next(self._part))

    def answer(self, answers: dict[Seat, Value]) -> Part[None]:
        """Run to the next question."""
        return self._until_it_asks(lambda: self._part.send(answers))

    def _until_it_asks(self, step: Callable[[], Ask | Say]) -> Part[None]:
        self.ask = None
        try:
            said = step()
            while isinstance(said, Say):
                yield said
                said = next(self._part)
            self.ask = said
        except StopIteration as end:
            self.gave.append(end.value)


def _as_one(asks: list[Ask]) -> Ask:
    """Questions of one kind to different seats as one question to all of them."""
    seats: dict[Seat, Options] = {seat: options for ask in asks for seat, options in ask.seats.items()}
    about: dict[str, Json] = {}
    for ask in asks:
        for name, fact in ask.about.items():
            about[name] = _joined(about[name], fact) if name in about else fact
    return replace(asks[0], seats=seats, about=about)


def _joined(one: Json, other: Json) -> Json:
    """What two pairs' questions tell under one name: facts by seat and lists are joined, anything else is the same."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return {**one, **other}
    if isinstance(one, list) and isinstance(other, list):
        return [*one, *other]
    return one
