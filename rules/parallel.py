"""Run the games of several pairs at one table in parallel: each at its own pace, all throwing on the same shout."""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from typing import Generic, TypeVar

from rules.engine import BOX, AllowedValues, FactValue, GameEvent, Prompt, Seat, Value

T = TypeVar("T")
GameStep = Generator[Prompt | GameEvent, dict[Seat, Value], T]
"""A part of a script, used with ``yield from``; it returns a ``T``."""


def run_in_parallel(steps: Iterable[GameStep[T]]) -> GameStep[list[T]]:
    """Run ``steps``, whose seats must differ, and return their results in order.

    Prompts of the same kind are merged into one. Nobody throws until everybody still playing is ready to throw: pairs
    with another prompt answer that first, and pairs that have finished drop out. A prompt for a throw to no seat waits
    for that shout and asks nobody. Prompts to the box come before all others, one at a time.
    """
    running = [_RunningStep(step) for step in steps]
    for step in running:
        yield from step.resume()
    while waiting := [(step, step.prompt) for step in running if step.prompt]:
        due = _prompts_due(waiting)
        merged = _merge_prompts([prompt for _, prompt in due])
        own_facts = {seat: facts for _, prompt in waiting for seat, facts in prompt.own_facts.items()}
        merged = replace(merged, own_facts=own_facts)
        answers = (yield merged) if merged.seats else {}
        for step, prompt in due:
            yield from step.resume({seat: answers[seat] for seat in prompt.seats})
    return [step.results[0] for step in running]


def _prompts_due(waiting: "list[tuple[_RunningStep[T], Prompt]]") -> "list[tuple[_RunningStep[T], Prompt]]":
    """Return the steps whose prompts are asked next, merged into one."""
    for step, prompt in waiting:
        if BOX in prompt.seats:  # the box has one seat: it answers one prompt at a time
            return [(step, prompt)]
    kind = next((prompt.kind for _, prompt in waiting if prompt.kind != "throw"), "throw")
    return [(step, prompt) for step, prompt in waiting if prompt.kind == kind]


class _RunningStep(Generic[T]):
    """A step with its current ``prompt`` (``None`` when it has ended); ``results`` then holds what it returned."""

    def __init__(self, step: GameStep[T]) -> None:
        self.prompt: Prompt | None = None
        self.results: list[T] = []
        self._step = step

    def resume(self, answers: dict[Seat, Value] | None = None) -> GameStep[None]:
        """Run to the next prompt; without answers, from the start."""
        self.prompt = None
        try:
            item = next(self._step) if answers is None else self._step.send(answers)
            while isinstance(item, GameEvent):
                yield item
                item = next(self._step)
            self.prompt = item
        except StopIteration as end:
            self.results.append(end.value)


def _merge_prompts(prompts: list[Prompt]) -> Prompt:
    seats: dict[Seat, AllowedValues] = {seat: allowed for prompt in prompts for seat, allowed in prompt.seats.items()}
    about: dict[str, FactValue] = {}
    for prompt in prompts:
        for name, fact in prompt.about.items():
            about[name] = _merge_facts(about[name], fact) if name in about else fact
    return replace(prompts[0], seats=seats, about=about)


def _merge_facts(first: FactValue, second: FactValue) -> FactValue:
    """Merge two pairs' values of one fact: mappings and lists are joined; anything else is the same for both."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        merged = dict[Seat | str, FactValue](first.items())
        return merged | dict(second.items())  # type: ignore[return-value]  # both are by seat, or both by name
    if isinstance(first, list) and isinstance(second, list):
        return [*first, *second]
    return first
