"""Sentences about verdicts, corrections and results, for the screen, the terminal and the journal. Each is a
``LazyText``: English in the journal and on the terminal, the chosen language on the screen."""

import re
from collections.abc import Iterable, Mapping, Sequence

from messages import LazyText, N, capitalise, join, ngettext_lazy
from rules.engine import GameEvent, Names, Prompt, Result, Seat
from rules.events import ThrowsShown, Won
from rules.record.judgement import CARD_VERDICTS, JudgementRecord, Verdict
from rules.text import (
    SHARED_TEXT,
    card_word,
    fact_label,
    fill,
    game_word,
    join_counts,
    list_names,
    list_or_count_names,
    points_text,
    throw_word,
)
from rules.throws import to_throw

COUNT_WORDS = (
    N("ROCK", "the count, 1"),
    N("PAPER", "the count, 2"),
    N("SCISSORS", "the count, 3"),
    N("SHOOT!", "the count, 4"),
)
"""The words of the count: hands come down on each, and show the throw on the last."""
ALL_ON_TIME = N("Everyone was on time.")
ROUND_REPLAYED = N("The round is replayed.")
AGAIN = N("Again!", "children throw once more")
"""All that children are told of a foul."""
NOBODY_THREW = join([N("Nobody threw."), ROUND_REPLAYED])
LOCK_IMAGE_STANDS = N("The lock image counts.")
THROW_FORFEITED = N("The throw doesn’t count.")
NO_FOUL = N("Nobody is at fault.")
SCOREBOARD_KINDS = ("score", "pile")
"""The kinds of event that the scoreboard shows already."""

_PLACEHOLDER = re.compile(r"\{(\d+)\}")


YOU = N("You")
"""The name of a player who practises alone: sentences about their fouls speak to them."""


def default_name(seat: Seat) -> str:
    """Return the name of a player whose own is unknown or deleted."""
    return N("Player {seat}", seat=seat)


def display_name(seat: Seat, name: str) -> str:
    """Return a player's name; of a seat without one, in the language of the screen."""
    return default_name(seat) if name == default_name(seat) else name


def seat_placeholders(seats: Iterable[Seat]) -> dict[Seat, str]:
    """Return the names to store in a sentence, ``{1}`` for seat 1; ``fill_names`` replaces them."""
    return {seat: f"{{{seat}}}" for seat in seats}


def fill_names(sentence: str, names: Names) -> str:
    """Replace the placeholders of a stored sentence by the players' names. Names are not searched for placeholders
    themselves."""

    def fill(text: str) -> str:
        if (match := _PLACEHOLDER.fullmatch(text)) is not None:
            return names.get(int(match[1])) or default_name(int(match[1]))
        return _PLACEHOLDER.sub(lambda match: names.get(int(match[1]), default_name(int(match[1]))), text)

    return sentence.map_strings(fill) if isinstance(sentence, LazyText) else fill(sentence)


def early_time(early_ms: float) -> LazyText:
    """Return when an early hand showed, ``early_ms`` before the cue; 0 for one that showed from the start."""
    return N("{ms} ms before the call", ms=f"{early_ms:.0f}") if early_ms else N("before the call")


def headline(prompt: Prompt, game: str) -> str:
    """Return the headline of a throw in the game titled ``game``, such as "Primary game, round 2"."""
    if prompt.kind in prompt.text.headlines:
        return prompt.text.headlines[prompt.kind](prompt)
    phase_name = str(prompt.about.get("phase", ""))
    phase = capitalise(game_word(phase_name, prompt.text) or phase_name) if phase_name else N(game)
    rounds = prompt.about.get("round")
    numbers = set(rounds.values()) if isinstance(rounds, Mapping) else {rounds}
    if len(numbers) != 1 or numbers == {None}:
        return phase
    return N("{phase}, round {number}", phase=phase, number=numbers.pop())


def foul_sentence(judgement: JudgementRecord, seat: Seat, names: Names) -> str:
    """Return the sentence about a seat's foul, or about a time that is too close to call; it speaks to whom ``names``
    call YOU."""
    judged, name = judgement.seats[seat], names[seat]
    foul, cause = judged.suspected_foul, judged.cause
    owner = None if judged.entered_zone is None else names[judged.entered_zone]
    late_ms, early_ms = judgement.after_first_ms(seat) or 0.0, judged.early_ms or 0.0
    interval_ms = judgement.interval_ms(seat) or 0.0
    first, *_, last = shown if len(shown := judged.shown_throws) > 1 else shown * 2
    if judged.verdict is Verdict.TOO_CLOSE:
        sentence = _CAME_DOWN_AGAIN if cause == CAME_DOWN_AGAIN_CAUSE else _TOO_CLOSE[foul]
    elif foul is Verdict.EARLY and early_ms <= 0:
        sentence = _EARLY_FROM_START
    elif foul is Verdict.UNREAD and cause in _HELP_TO_READ:
        sentence = _HELP_TO_READ[cause]
    elif judged.card is not None or cause in CARD_CAUSES or foul in (*CARD_VERDICTS, Verdict.UNREAD):
        sentence = card_foul(foul, cause)
    elif foul is Verdict.WRONG_ZONE and owner:
        sentence = N("{name}’s hand was in {other}’s zone.")
    else:
        unread = _NOT_A_THROW if foul is Verdict.UNCLEAR else _NOT_SEEN
        sentence = _HAND_FOULS.get(foul) or _UNREAD_HANDS.get(cause or "", unread)
    if name is YOU:
        sentence = _TO_YOU.get(sentence, sentence)
    return N(
        sentence,
        name=name,
        other=owner,
        throw=throw_word(to_throw(last if foul is Verdict.LATE else first)),
        then=throw_word(to_throw(last)),
        ms=f"{late_ms if foul is Verdict.LATE else early_ms:.0f}",
        interval=f"{max(1.0, interval_ms):.0f}",
        first=f"{late_ms - interval_ms:.0f}",
        last=f"{late_ms + interval_ms:.0f}",
    )


CARD_CAUSES = ("moved", "hidden", "took long", "not turned over", "no card", "in a match pile", "discarded")
"""What was wrong with a card, in addition to its verdict: the values of a ``vision.cards.lock.CardCause``."""
CLASS_CAUSES: Mapping[str, LazyText] = {
    "no card": N("no card seen"),
    "card moving": N("card moving"),
    "card slanted": N("card tilted"),
    "no throw up": N("no throw on the top edge"),
    "card twice": N("card seen twice"),
}
"""Why a student has no throw, by the value of a ``vision.cards.classroom_reader.ClassCardCause``."""
CARD_FOULS: Mapping[tuple[str, str | None], LazyText] = {
    (Verdict.LATE, "not turned over"): N("{name} did not turn a card over."),
    (Verdict.LATE, None): N("{name} turned over late: {throw} {ms} ms after the first card."),
    (Verdict.EARLY, None): N("{name} turned over too early: {throw} {ms} ms before the call."),
    (Verdict.CHANGED, None): N("{name} changed cards: {throw} first, {then} afterwards."),
    (Verdict.LIFTED, "moved"): N("{name}’s card was lifted or moved after being laid."),
    (Verdict.LIFTED, "hidden"): N("{name}’s card was covered by a hand after being laid."),
    (Verdict.LIFTED, None): N("{name}’s card was out of sight too long while being turned over."),
    (Verdict.TWO_CARDS, None): N("{name} laid two cards: play only one."),
    (Verdict.NOT_THEIRS, None): N("{name} played another player’s card ({throw}): give it back."),
    (Verdict.PLAYED, "in a match pile"): N("{name}’s card ({throw}) belongs to a match pile and can’t be played."),
    (Verdict.PLAYED, None): N("{name}’s card ({throw}) was discarded and can’t be played."),
    (Verdict.WRONG_DECK, None): N("{name} laid a card from another deck."),
    (Verdict.COPY, None): N("{name} laid a copy: the same card is on the table twice."),
    (Verdict.TOO_MANY, None): N("{name} has one card too many: count the {throw} cards."),
    (Verdict.UNREAD, None): N("{name}’s card can’t be read: lay it flat, in full view, with no hands or glare on it."),
}
"""The sentence about each foul with a card, by its verdict and cause (None: any other). ``ui.text.verdicts`` fills in
the values; ``ms`` is from the first card, or before the call."""
NO_CARD_IN_VIEW = N("{name} had no card in view at the lock.")


def card_foul(verdict: str, cause: str | None) -> LazyText:
    """Return the sentence about a foul with a card, with its values to be filled in."""
    return CARD_FOULS.get((verdict, cause)) or CARD_FOULS.get((verdict, None), NO_CARD_IN_VIEW)


CARD_PROMPTS = {
    "no card": N("Lay a card face down"),
    "face up": N("Face down, please"),
    Verdict.TWO_CARDS: N("One card only"),
    Verdict.WRONG_DECK: N("Wrong deck"),
    "moving": N("Let go of the card"),
}
"""What a seat has to do before its card is committed, by the error."""
DUPLICATE_CARD = N("The same card is in two zones: remove the copy.")


_EARLY_FROM_START = N("{name} was early: {throw} before the call.")
_HAND_FOULS = {
    Verdict.LATE: N("{name} was late: {throw} {ms} ms after the first hand."),
    Verdict.EARLY: N("{name} was early: {throw} {ms} ms before the call."),
    Verdict.CHANGED: N("{name} changed: {throw} at the lock, {then} afterwards."),
    Verdict.TWO_HANDS: N("{name} had two hands in the zone: throw with one."),
    Verdict.WRONG_ZONE: N("{name}’s hand was in another player’s zone."),
}
_TOO_CLOSE = {
    Verdict.LATE: N("Too close to call: {name} showed {throw} {ms} ± {interval} ms after the first hand."),
    Verdict.EARLY: N("Too close to call: {name} showed {throw} {ms} ± {interval} ms before the call."),
    Verdict.CHANGED: N("Too close to call: {name} changed from {throw} to {then} at about the lock."),
}
CAME_DOWN_AGAIN_CAUSE = "came down again"
"""The value of a ``vision.lock.reasons.HandCause``: nobody can say which swing of a fist was the throw."""
_CAME_DOWN_AGAIN = N(
    "Too close to call: {name}’s fist came down more than once, between {first} and {last} ms after the first hand."
)
_UNREAD_HANDS = {
    "half open": N("{name}’s hand was half open at the lock: not rock, paper or scissors."),
    "not whole in its zone": N("{name}’s hand was only partly in its zone."),
    "gone at the lock": N("{name}’s hand was gone at the lock."),
    "never in its zone": N("{name}’s hand was never seen in its zone."),
}
"""Why a hand could not be read, by the cause."""
_HELP_TO_READ = {
    "not whole in its zone": N("{name}’s hand wasn’t read: keep all of it inside the zone."),
    "too small": N("{name}’s hand wasn’t read: it looks too small, bring the camera nearer."),
    "too dark": N("{name}’s hand wasn’t read: it is too dark, turn on more light."),
    "not readable": N("{name}’s hand wasn’t read: roll the sleeve up and show the whole hand to the camera."),
}
"""What helps the camera to read a hand that is nobody's foul, by the cause."""
_NOT_A_THROW = N("{name}’s hand was not rock, paper or scissors.")
_NOT_SEEN = N("{name}’s hand was not seen.")


_TO_YOU = {
    _EARLY_FROM_START: N("You were early: {throw} before the call."),
    _HAND_FOULS[Verdict.LATE]: N("You were late: {throw} {ms} ms after the call."),
    _HAND_FOULS[Verdict.EARLY]: N("You were early: {throw} {ms} ms before the call."),
    _HAND_FOULS[Verdict.CHANGED]: N("You changed: {throw} at the lock, {then} afterwards."),
    _TOO_CLOSE[Verdict.LATE]: N("Too close to call: you showed {throw} {ms} ± {interval} ms after the call."),
    _TOO_CLOSE[Verdict.EARLY]: N("Too close to call: you showed {throw} {ms} ± {interval} ms before the call."),
    _TOO_CLOSE[Verdict.CHANGED]: N("Too close to call: you changed from {throw} to {then} at about the lock."),
    _CAME_DOWN_AGAIN: N(
        "Too close to call: your fist came down more than once, between {first} and {last} ms after the call."
    ),
    _HAND_FOULS[Verdict.TWO_HANDS]: N("You had two hands in the zone: throw with one."),
    _UNREAD_HANDS["half open"]: N("Your hand was half open at the lock: not rock, paper or scissors."),
    _UNREAD_HANDS["not whole in its zone"]: N("Your hand was only partly in its zone."),
    _UNREAD_HANDS["gone at the lock"]: N("Your hand was gone at the lock."),
    _UNREAD_HANDS["never in its zone"]: N("Your hand was never seen in its zone."),
    _HELP_TO_READ["not whole in its zone"]: N("Your hand wasn’t read: keep all of it inside the zone."),
    _HELP_TO_READ["too small"]: N("Your hand wasn’t read: it looks too small, bring the camera nearer."),
    _HELP_TO_READ["too dark"]: N("Your hand wasn’t read: it is too dark, turn on more light."),
    _HELP_TO_READ["not readable"]: N("Your hand wasn’t read: roll your sleeve up and show it whole to the camera."),
    _NOT_A_THROW: N("Your hand was not rock, paper or scissors."),
    _NOT_SEEN: N("Your hand was not seen."),
}
"""The sentences of those who practise, who are alone with the box: its throw counts as shown at the call."""


def void_sentence(kind: str, measured: float, zone_owner: str | None = None) -> str:
    """Return why a round could not be judged. ``measured`` is the figure of its ``VoidReason``; ``zone_owner`` is
    whose zone it concerns (None: the whole image)."""
    why = _VOID_YOUR_ZONE.get(kind) if zone_owner is YOU else _VOID_ZONES.get(kind) if zone_owner else None
    why = why or _VOID_REASONS.get(kind, _TOO_FEW_IMAGES)
    percent, level = f"{100 * measured:.0f}", f"{measured:.0f}"
    return join([N(why, name=zone_owner, percent=percent, level=level, ms=level), NO_FOUL])


_VOID_ZONES = {
    "reaching over": N("Somebody reached over {name}’s zone and hid the hand."),
    "covered": N("The camera was covered over {name}’s zone."),
}
_VOID_YOUR_ZONE = {
    "reaching over": N("Somebody reached over your zone and hid your hand."),
    "covered": N("The camera was covered over your zone."),
}
_VOID_REASONS = {
    "reaching over": N("Somebody reached over the table and hid a hand."),
    "covered": N("The camera was covered."),
    "copies": DUPLICATE_CARD,
    "moved": N("The camera moved by {percent}% of the image: check that every hand is in its zone."),
    "too dark": N("It was too dark to see hands (brightness {level} of 255): add more light."),
}
_TOO_FEW_IMAGES = N("The camera sent no images for {ms} ms: too few to time the throws.")


def illegal_throws_sentence(throws: Mapping[str, object]) -> str:
    """Return who threw a card they have none of left; ``throws`` by name."""
    parts = [
        N("{name} has no {throw} left to throw.", name=name, throw=card_word(throw)) for name, throw in throws.items()
    ]
    return join([*parts, ROUND_REPLAYED])


def correction_sentence(title: str, name: str | None, was: object, to: object, void: bool, dropped: int) -> str:
    """Return the result of a dispute. Without a ``name`` the whole round is void; ``void`` says that it still is after
    the correction; ``dropped`` is how many later answers no longer count."""
    parts = [N("{round}: corrected by the players.", round=title)]
    if name is None:
        parts.append(ROUND_REPLAYED)
    else:
        if was != to:
            parts.append(N("{name}: {to} instead of {was}.", name=name, to=card_word(to), was=card_word(was)))
        else:
            parts.append(N("{name}: {to} counts.", name=name, to=card_word(to)))
        if void:
            parts.append(N("The round is still void."))
    if dropped:
        parts.append(
            ngettext_lazy("{count} later answer no longer counts.", "{count} later answers no longer count.", dropped)
        )
    return join(parts)


def foul_counts_sentence(counts: Mapping[str, int]) -> str:
    """Return how many fouls each player has made, by name; "" for none."""
    return N("Fouls: {fouls}.", fouls=join_counts(counts.items())) if counts else ""


def score_sentence(scores: Mapping[str, object]) -> str:
    """Return the score to be spoken, by name."""
    return N("The score: {scores}.", scores=join_counts(scores.items()))


def turn_sentence(seats: Sequence[Seat], names: Names) -> str:
    """Return who is asked, to be spoken; what is asked may be for their eyes only."""
    who = list_or_count_names(seats, names)
    return ngettext_lazy("{who}, it’s your turn.", "{who}, it’s your turn.", len(seats), who=who)


def undo_sentence(title: str) -> str:
    """Return that the last answers were taken back."""
    return N("{round}: the last answers were taken back.", round=title)


def break_off_sentence() -> str:
    """Return that a round was broken off before anybody had thrown."""
    return N("The round is broken off before anybody has thrown.")


def dispute_rejected_sentence(title: str) -> str:
    """Return that a dispute changed nothing."""
    return N("{round} was disputed: the verdict stands.", round=title)


def event_sentences(event: GameEvent, names: Names) -> tuple[str, ...]:
    """Return the sentences about an event of a game; for a kind without any, its facts with their labels."""
    text = event.text.sentences.get(event.kind) or SHARED_TEXT.sentences.get(event.kind)
    if text is None:
        heading = event.text.headings.get(event.kind) or event.kind.capitalize()
        facts = [
            join([fact_label(name, event.kind, event.text), fill(f"{{{name}}}", event.values, names, event.text)])
            for name in event.values
        ]
        return (join([heading, ": " if facts else "", join(facts, ", "), "."], ""),)
    sentences = fill(text, event.values, names, event.text) if isinstance(text, str) else text(event, names)
    return (sentences,) if isinstance(sentences, str) else tuple(sentences)


def page_sentences(events: Sequence[GameEvent], names: Names) -> tuple[str, ...]:
    """Return the sentences about events that one page shows: the game's summaries where they are about several groups,
    or about the throws of more than two players."""
    throws = [event.throws for event in events if isinstance(event, ThrowsShown)]
    groups, most_throws = len(throws), max(map(len, throws), default=0)
    lines: list[str] = []
    for same in _group_by_kind(events):
        kind = same[0].kind
        text = same[0].text if kind in same[0].text.sentences else SHARED_TEXT
        summarise = text.summaries.get(kind)
        if summarise and (len(same) > 1 or ((groups > 1 or most_throws > 2) and isinstance(same[0], ThrowsShown))):
            lines += summarise(same, names)
        else:
            lines += [line for event in same for line in event_sentences(event, names)]
    return tuple(lines)


def _group_by_kind(events: Sequence[GameEvent]) -> list[list[GameEvent]]:
    """Return events of the same kind together, in order of time: what one pair does may come before what other pairs
    did earlier, but nothing comes before what it follows from."""
    groups: list[list[GameEvent]] = []
    for event in events:
        group = next((group for group in reversed(groups) if _follows(event, group)), None)
        if (
            group is not None
            and group[0].kind == event.kind
            and (not _meets(event, group) or (group is groups[-1] and not _pair(event)))
        ):
            group.append(event)
        else:
            groups.append([event])
    return groups


def _follows(event: GameEvent, group: Sequence[GameEvent]) -> bool:
    """Whether an event belongs to a group of its kind, or can't come before it."""
    return group[0].kind == event.kind or _meets(event, group)


def _meets(event: GameEvent, group: Sequence[GameEvent]) -> bool:
    """Whether an event concerns a player whom an event of the group does; all players, if it is not about a pair."""
    seats = _pair(event)
    return any(not seats or not (others := _pair(earlier)) or seats & others for earlier in group)


def _pair(event: GameEvent) -> frozenset[Seat]:
    """Return the pair that an event is about; none for an event about everybody."""
    pair: Iterable[Seat] = getattr(event, "pair", ())
    return frozenset(pair)


def short_sentence(event: GameEvent, names: Names) -> str:
    """Return a sentence about a throw for children: who won, and not what everybody threw, which they see."""
    if isinstance(event, Won):
        return N("{name} wins!", name=names[event.seat])
    summarise = SHARED_TEXT.summaries.get(event.kind)
    return join(summarise([event], names) if summarise else event_sentences(event, names))


def result_sentence(result: Result, names: Names) -> str:
    """Return the sentences about how a game ended: who has won, and why it ended if its rules say so."""
    reason = result.text.result_reason(result, names) if result.text.result_reason else ""
    return join([_winners_sentence(result, names), reason]) if reason else _winners_sentence(result, names)


def _winners_sentence(result: Result, names: Names) -> str:
    if not result.winners:
        return N("It’s a draw.") if len(result.scores) == 2 else N("Nobody has won.")
    points = {result.scores.get(seat, 0) for seat in result.winners}
    who, count = list_names(result.winners, names), len(result.winners)
    if len(points) > 1 or not result.text.score_unit:
        return ngettext_lazy("{who} has won.", "{who} have won.", count, who=who)
    score = points_text(points.pop(), result.text.score_unit)
    if result.details.get("draw") or 1 < len(result.scores) == count:
        return N("{who} draw with {points} each.", who=who, points=score)
    return ngettext_lazy("{who} has won with {points}.", "{who} have won with {points}.", count, who=who, points=score)
