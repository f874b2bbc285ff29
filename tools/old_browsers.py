"""Checks the pages' scripts and style sheets against the oldest browser that they are for:

    python -m tools.old_browsers

Each line that a browser of ``BASELINE`` would not understand is printed: FILE:LINE, what it is, since when. In a style
sheet a newer value is fine after an older one of the same property, which such a browser keeps; properties that only
refine are no matter. What a browser does without on purpose is marked in its line: ``/* newer: why */``."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

BASELINE = 69
"""Chromium's version in televisions of about 2020. Firefox 63 and Safari 12.1 are about as old."""
STATIC = Path(__file__).parents[1] / "ui/web/static"
EXEMPT = re.compile(r"(?://|/\*) newer: \S")
Features = tuple[tuple[str, str, int], ...]
SCRIPT: Features = (
    ("optional chaining", r"\?\.(?!\d)", 80),
    ("??", r"\?\?", 80),
    ("logical assignment", r"(\|\||&&)=", 85),
    ("private members", r"\bthis\.#|^\s*#\w", 74),
    ("class fields", r"^\s*(static\s+)?\w+\s*=[^=>].*;\s*//\s*field|\bstatic\s*\{", 72),
    ("numeric separators", r"\b\d+_\d", 75),
    ("at()", r"\.at\(", 92),
    ("findLast()", r"\.findLast(Index)?\(", 97),
    ("toSorted() and its like", r"\.(toSorted|toReversed|toSpliced)\(", 110),
    ("replaceAll()", r"\.replaceAll\(", 85),
    ("matchAll()", r"\.matchAll\(", 73),
    ("replaceChildren()", r"\.replaceChildren\(", 86),
    ("requestSubmit()", r"\.requestSubmit\(", 76),
    ("getAnimations()", r"\.getAnimations\(", 84),
    ("submitter", r"\.submitter\b", 81),
    ("inert", r"\.inert\b", 102),
    ("fromEntries()", r"\bObject\.fromEntries\b", 73),
    ("hasOwn()", r"\bObject\.(hasOwn|groupBy)\b", 93),
    ("allSettled() or any()", r"\bPromise\.(allSettled|any|withResolvers)\b", 76),
    ("globalThis", r"\bglobalThis\b", 71),
    ("queueMicrotask()", r"\bqueueMicrotask\b", 71),
    ("structuredClone()", r"\bstructuredClone\b", 98),
    ("randomUUID()", r"\brandomUUID\b", 92),
    ("AbortSignal's functions", r"\bAbortSignal\.(timeout|any)\b", 103),
    ("WeakRef", r"\bWeakRef\b", 84),
    ("popovers", r"\.(show|hide|toggle)Popover\(", 114),
)
SELECTORS: Features = (
    (":has()", r":has\(", 105),
    (":is() or :where()", r":(is|where)\(", 88),
    (":focus-visible beside other selectors", r"^(?=.*:focus-visible).*(^|,)(?![^,]*:focus-visible)", 86),
    (":not() of a list", r":not\((?:[^()]|\([^()]*\))*,", 88),
    ("::marker", r"::marker", 86),
    ("nesting", r"&", 112),
    ("a range of a width or height", r"@media.*[<>]", 104),
    ("@container, @layer or @property", r"^@(container|layer|property)\b", 85),
)
PROPERTIES: Features = (
    ("inset", r"inset(-.*)?", 87),
    ("a shorthand of logical sides", r"(margin|padding)-(block|inline)|border-(block|inline)", 87),
    ("aspect-ratio", r"aspect-ratio", 88),
    ("appearance", r"appearance", 84),
    ("transforms as properties", r"translate|rotate|scale", 104),
    ("scrollbar-gutter", r"scrollbar-gutter", 94),
    ("content-visibility", r"content-visibility", 85),
)
VALUES: Features = (
    ("min(), max() or clamp()", r"(?<![\w-])(min|max|clamp)\(", 79),
    ("color-mix()", r"color-mix\(", 111),
    ("light-dark() or oklch()", r"(light-dark|oklch|oklab)\(", 111),
    ("anywhere", r"\banywhere\b", 80),
    ("clip", r"^clip$", 90),
    ("revert", r"\brevert\b", 84),
    ("a unit of a small or large window", r"\d[sld]v[hw]\b", 108),
)
STRING = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""", re.DOTALL)
BLOCK = re.compile(r"[^{}]*[{}]|[^{}]+$")
DECLARATION = re.compile(r"([\w-]+)\s*:\s*([^;{}]+)(?:;|$)")
Finding = tuple[int, str, int]
"""The line, from 1, what is too new there, and the Chromium that has it."""


def check_script(text: str) -> list[Finding]:
    """Return what of a script is too new."""
    code = STRING.sub(_blank, text)
    findings = [
        (code.count("\n", 0, match.start()) + 1, name, since)
        for name, pattern, since in SCRIPT
        for match in re.finditer(pattern, code, re.MULTILINE)
    ]
    return _not_exempt(text, findings)


def check_style(text: str) -> list[Finding]:
    """Return what of a style sheet is too new."""
    code = re.sub(r"/\*.*?\*/", _blank, text, flags=re.DOTALL)
    return _not_exempt(text, list(_check_rules(code)))


def _check_rules(code: str) -> Iterator[Finding]:
    for block in BLOCK.finditer(code):
        piece = block[0]
        head, _, selector = piece.rpartition(";") if piece.endswith("{") else (piece, "", "")
        yield from _check(SELECTORS, selector.strip().rstrip("{").strip(), code, block.start() + len(head))
        older: set[str] = set()
        for declaration in DECLARATION.finditer(head.rstrip("}")):
            name, value = declaration[1], declaration[2].strip()
            start = block.start() + declaration.start()
            newer = [*_check(PROPERTIES, name, code, start, whole=True), *_check(VALUES, value, code, start)]
            # any value of a custom property is kept, and any with var() until it is used
            is_replaced = name in older and not name.startswith("--") and "var(" not in value
            if not newer:
                older.add(name)
            elif not is_replaced:
                yield from newer


def _check(features: Features, text: str, code: str, start: int, *, whole: bool = False) -> Iterator[Finding]:
    line = code.count("\n", 0, start + len(code[start:]) - len(code[start:].lstrip())) + 1
    for name, pattern, since in features:
        if re.fullmatch(pattern, text) if whole else re.search(pattern, text, re.DOTALL):
            yield line, name, since


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _not_exempt(text: str, findings: list[Finding]) -> list[Finding]:
    lines = text.split("\n")
    return sorted(
        (line, name, since) for line, name, since in findings if since > BASELINE and not EXEMPT.search(lines[line - 1])
    )


CHECKS = {".js": check_script, ".css": check_style}


def main() -> int:
    """Print what is too new; return 1 if anything is."""
    status = 0
    for path in sorted(STATIC.iterdir()):
        check = CHECKS.get(path.suffix)
        for line, what, since in check(path.read_text(encoding="utf-8")) if check else ():
            where = f"{path.relative_to(STATIC.parents[2])}:{line}"
            print(f"{where}: {what} is of Chromium {since}: write it for {BASELINE}, or say why not: /* newer: … */")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
