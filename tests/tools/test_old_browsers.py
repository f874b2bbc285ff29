"""What is too new for the browsers of televisions is found, and the pages have none of it."""

import pytest
from starlette.requests import Request

from tools.old_browsers import STATIC, check_script, check_style
from ui.web.pages import render_error
from ui.web.static_files import with_spacing


def test_the_pages_are_for_the_baseline() -> None:
    for path in STATIC.glob("*.js"):
        assert check_script(path.read_text()) == [], path.name
    for path in STATIC.glob("*.css"):
        assert check_style(path.read_text()) == [], path.name


@pytest.mark.parametrize(
    ("line", "since"),
    [
        ("a?.b", 80), ("f?.(1)", 80), ("a ?? b", 80), ("a ||= b", 85), ("list.at(-1)", 92), ("p.replaceChildren()", 86),
        ("text.replaceAll('a', 'b')", 85), ("structuredClone(a)", 98), ("globalThis.a", 71), ("1_000", 75),
        ("Promise.allSettled(all)", 76), ("Object.fromEntries(all)", 73), ("form.requestSubmit()", 76),
        ("`${a?.b}`", 80), ("this.#a", 74), ("list.findLast(f)", 97),
    ],
)  # fmt: skip
def test_new_script_is_found(line: str, since: int) -> None:
    assert [(number, version) for number, _, version in check_script(f"// a?.b\nf();\n{line};\n")] == [(3, since)]


@pytest.mark.parametrize(
    "line",
    ["a ? .5 : 1", "'what?.'", '"a ?? b"', "a.attach(b)", "/* a?.b */", "a || b", "x.flat()", "a?.b // newer: why"],
)
def test_old_script_is_not(line: str) -> None:
    assert check_script(line) == []


@pytest.mark.parametrize(
    ("rule", "since"),
    [
        ("a { inset: 0; }", 87), ("a { margin-block: 1rem; }", 87), ("a { aspect-ratio: 1; }", 88),
        ("a { width: min(1px, 2px); }", 79), ("a { --u: 1vh; --u: min(1vh, 2vw); }", 79),
        ("a { height: 100dvh; }", 108),
        ("a { color: red; color: color-mix(in srgb, var(--a), red); }", 111), ("p:has(a) { margin: 0; }", 105),
        ("a:is(b, c) { margin: 0; }", 88), ("a:not(.b, .c) { margin: 0; }", 88),
        ("a, b:focus-visible { margin: 0; }", 86),
        ("@media (width < 600px) { a { margin: 0; } }", 104), ("@container (min-width: 1px) { a { margin: 0; } }", 85),
        ("@media print { a { color: red } p { inset: 0 } }", 87), ("a { overflow: clip; }", 90),
    ],
)  # fmt: skip
def test_new_style_is_found(rule: str, since: int) -> None:
    assert [(number, version) for number, _, version in check_style(f"/* inset: 0 */\n\n{rule}\n")] == [(3, since)]


@pytest.mark.parametrize(
    "rule",
    [
        "a { width: 1px; width: min(1px, 2px); }", "a { grid: auto / minmax(0, 1fr); }", "a { clip-path: inset(50%); }",
        "a:focus-visible { outline: none; }", "a { box-shadow: inset 0 0 1px red; }",
        "a:not(.b):not(.c) { margin: 0; }",
        "p:has(a) { margin: 0; } /* newer: why */", "a { text-wrap: balance; max-width: 3px; }",
    ],
)  # fmt: skip
def test_old_style_and_what_such_a_browser_can_replace_are_not(rule: str) -> None:
    assert check_style(rule) == []


def test_a_browser_below_the_baseline_is_told_so() -> None:
    """By what came with the baseline: where it is missing, the line stays."""
    assert "too old" in render_error(Request({"type": "http"}), 404).body.decode()
    assert "@supports (margin-block-start: 0) { .too-old { display: none; } }" in (STATIC / "style.css").read_text()


def test_flexible_boxes_have_margins_where_there_are_no_gaps() -> None:
    style = (
        "/* a { display: flex; gap: 9px; } */ a, .b { display: flex; gap: 1px calc(2 * var(--u)); } i { gap: 7px; }"
        "c { display: inline-flex; flex-direction: column; gap: 3px } d { display: grid; gap: 4px; }"
        "@media print { e { display: flex; gap: 5px; } } f { display: flex; }"
    )
    assert with_spacing(style).removeprefix(style).split("\n")[1:-1] == [
        "@supports not (inset: 0) {",
        "a > * + *, .b > * + * { margin-left: calc(2 * var(--u)); }",
        "c > * + * { margin-top: 3px; }",
        "}",
    ]
    assert with_spacing("a { margin: 0; }") == "a { margin: 0; }"
