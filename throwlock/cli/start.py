"""Where ``throwlock`` starts: it refuses an environment that isn't its own, before it imports anything of its own."""

import sys
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

TOP_MODULES = ("rules", "vision", "device", "ui", "errors", "messages")
"""What the wheel installs beside ``throwlock``: names that another package may have, too."""


def find_intruder(home: Path, recorded: Mapping[str, str], origins: Mapping[str, Path | None]) -> Path | None:
    """Return a file that would be imported in place of one of ours, or that another package put beside one; else None.

    ``home`` is the folder that Throwlock is installed in, and ``origins`` where Python finds each of ``TOP_MODULES``.
    ``recorded`` are the checksums of its files by path, as in a wheel's RECORD; empty for a checkout."""
    for name, origin in origins.items():
        folder = home / name
        if origin is None or origin not in (folder / "__init__.py", home / f"{name}.py"):
            return origin or folder
        if not recorded:
            continue
        own = recorded.get(origin.relative_to(home).as_posix())
        if own != urlsafe_b64encode(sha256(origin.read_bytes()).digest()).rstrip(b"=").decode():
            return origin
        folders = {path.split("/")[1] for path in recorded if path.startswith(f"{name}/")}
        for path in folder.iterdir() if folder.is_dir() else ():
            if path.name not in {*folders, "__pycache__"}:
                return path
    return None


def read_record() -> dict[str, str]:
    """Return the checksums of our files by path, as the wheel had them; none for a checkout."""
    try:
        files = distribution("throwlock").files or []
    except PackageNotFoundError:
        return {}
    recorded = {file.as_posix(): file.hash.value for file in files if file.hash}
    return recorded if "errors.py" in recorded else {}


def main() -> None:
    """Run the command line, or end with one line if another package has modules of the same names."""
    home = Path(__file__).resolve().parents[2]
    specs = {name: find_spec(name) for name in TOP_MODULES}
    origins = {name: Path(spec.origin).resolve() if spec and spec.origin else None for name, spec in specs.items()}
    if intruder := find_intruder(home, read_record(), origins):
        own = "throwlock needs an environment of its own: install it with pipx or uv tool"
        print(f"throwlock: {intruder} is of another package; {own}", file=sys.stderr)
        sys.exit(2)
    from throwlock.cli.main import main as run_command_line  # noqa: PLC0415  only once the modules are known to be ours

    run_command_line()
