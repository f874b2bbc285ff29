"""Build and check everything that a release publishes, and nothing else: ``make release``.

Everything is made from the last commit, in folders of its own, so that a file git doesn't know can't get in. Each
artefact is built twice and must be the same, then installed in an environment with nothing but the packages of the
lock, where it plays a match and verifies its journal. ``dist/`` then holds what is published, and its ``SHA256SUMS``
names all of it."""

import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build/release"
DIST = ROOT / "dist"
CHECKSUMS = "SHA256SUMS"
BOX_LOCKS = ("bookworm", "bookworm-pi-4", "trixie")
INSTALLER_PARTS = (
    *("pyproject.toml", "hatch_build.py", "LICENSE", "README.md", "SECURITY.md", "CHANGELOG.md", "hardware.md", "docs"),
    "measurements",
    *(f"requirements/{lock}.lock" for lock in BOX_LOCKS),
    *("systemd", "rules", "vision", "device", "ui", "throwlock", "errors.py", "messages.py"),
)
"""What a box installs from: files and folders of the repository."""


class ReleaseError(Exception):
    """The release can't be made."""


def run(*command: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> str:
    """Run a command and return its output. Raises ReleaseError with what it printed if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ReleaseError(f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout


def release_notes(changelog: str, version: str) -> str:
    """Return the changelog's section on a version, without its heading. Raises ReleaseError if it has none."""
    section = re.search(rf"(?ms)^## {re.escape(version)}(?: [^\n]*)?\n(.*?)(?=^## |\Z)", changelog)
    if section is None or not section[1].strip():
        raise ReleaseError(f"CHANGELOG.md has no section '## {version}': it begins as Unreleased")
    return section[1].strip() + "\n"


def checksums(folder: Path) -> str:
    """Return a line for every file below ``folder``, as sha256sum writes and checks it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != CHECKSUMS)
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in files)


def pack(folder: Path, archive: Path, seconds: int) -> None:
    """Write ``folder`` as a .tar.gz that depends on its files' names, contents and executable bits alone.

    ``seconds`` since 1970 is the time of every file."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in [folder, *sorted(folder.rglob("*"))]:
            member = tar.gettarinfo(path, str(path.relative_to(folder.parent)))
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime = seconds
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            if member.isfile():
                with path.open("rb") as content:
                    tar.addfile(member, content)
            else:
                tar.addfile(member)
    archive.write_bytes(gzip.compress(buffer.getvalue(), mtime=seconds))


def pack_installer(source: Path, version: str, out: Path, seconds: int) -> Path:
    """Write the archive from which a box installs, with the checksum of each of its files, and return its path."""
    folder = out.parent / f"throwlock-{version}"
    for part in INSTALLER_PARTS:
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (source / part).is_dir() else shutil.copy
        copy(source / part, folder / part)
    (folder / CHECKSUMS).write_text(checksums(folder))
    archive = out / f"throwlock-{version}-installer.tar.gz"
    pack(folder, archive, seconds)
    return archive


def build(folder: Path, seconds: int) -> tuple[str, list[Path]]:
    """Export the last commit into ``folder`` and build it there. Return the version, and the artefacts in ``out``."""
    source, out = folder / "source", folder / "out"
    source.mkdir(parents=True)
    out.mkdir()
    commit = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(commit)) as tar:
        tar.extractall(source, filter="tar")
    version = str(tomllib.loads((source / "pyproject.toml").read_text())["project"]["version"])
    (out / f"throwlock-{version}-notes.md").write_text(release_notes((source / "CHANGELOG.md").read_text(), version))
    pack_installer(source, version, out, seconds)  # before building compiles catalogues into the source
    hatchling = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", out)
    run(*hatchling, cwd=source, env={"SOURCE_DATE_EPOCH": str(seconds)})
    return version, sorted(out.iterdir())


def write_bills(version: str, source: Path, python: Path, out: Path, seconds: int) -> Iterator[Path]:
    """Write the bills of materials: of the wheel's environment, and of each lock of the installer."""
    tool = BUILD / "tools/bin/cyclonedx-py"
    options = ("--pyproject", source / "pyproject.toml", "--output-reproducible", "--of", "JSON", "-o")
    env = {"SOURCE_DATE_EPOCH": str(seconds)}
    wheel = out / f"throwlock-{version}-wheel.cdx.json"
    run(tool, "environment", python, *options, wheel, env=env)
    yield wheel
    for lock in BOX_LOCKS:
        bill = out / f"throwlock-{version}-installer-{lock}.cdx.json"
        run(tool, "requirements", source / f"requirements/{lock}.lock", *options, bill, env=env)
        yield bill


def play_a_match(python: Path, folder: Path) -> None:
    """Play a short match at the simulated table with an environment, in an empty folder, and verify its journal."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    program = python.parent / "throwlock"
    match = ("play", "classic", "--option", "best_of=1", "--camera", "simulated", "--headless", "--seed", "1")
    run(program, *match, "--journal", "release.journal", cwd=folder)
    run(program, "verify", "release.journal", cwd=folder)


def unpack_installer(archive: Path, folder: Path) -> Path:
    """Unpack the installer's archive, check its files as the installer does, and return its folder."""
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="tar")
    (unpacked,) = folder.iterdir()
    run("sha256sum", "--check", "--strict", "--quiet", CHECKSUMS, cwd=unpacked)
    return unpacked


def main() -> int:
    """Make the release in ``dist/``. Return the exit status."""
    try:
        if run("git", "status", "--porcelain").strip():
            raise ReleaseError("the folder has changes that are in no commit: commit or stash them")
        make_release()
    except ReleaseError as error:
        print(f"make release: {error}", file=sys.stderr)
        return 1
    return 0


def make_release() -> None:
    """Build twice, compare, install and play, and fill ``dist/``. Raises ReleaseError."""
    for name in ("first", "second", "unpacked", "environment"):
        shutil.rmtree(BUILD / name, ignore_errors=True)
    seconds = int(run("git", "log", "-1", "--format=%ct"))
    version, artefacts = build(BUILD / "first", seconds)
    _, again = build(BUILD / "second", seconds)
    for one, two in zip(artefacts, again, strict=True):
        if one.name != two.name or one.read_bytes() != two.read_bytes():
            raise ReleaseError(f"{one.name} is different when it is built again")
        print(f"built twice, equal: {one.name}", flush=True)

    source, out = BUILD / "first/source", BUILD / "first/out"
    run(sys.executable, "-m", "venv", BUILD / "environment")
    python = BUILD / "environment/bin/python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--require-hashes", "--only-binary", ":all:", "--requirement", source / "requirements/demo.lock")
    run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "throwlock")
    own = (*pip, "--no-deps", "--no-build-isolation", "--force-reinstall", "--no-index")
    run(*own, "--find-links", out, "--only-binary", "throwlock", f"throwlock=={version}")
    play_a_match(python, BUILD / "empty")
    print("installed, and plays a match: the wheel", flush=True)
    for bill in write_bills(version, source, python, out, seconds):
        print(f"written: {bill.name}", flush=True)
    (sdist,) = out.glob(f"throwlock-{version}.tar.gz")
    run(*own, sdist)
    play_a_match(python, BUILD / "empty")
    print("installed, and plays a match: the source distribution", flush=True)
    run(*own, unpack_installer(out / f"throwlock-{version}-installer.tar.gz", BUILD / "unpacked"))
    play_a_match(python, BUILD / "empty")
    print("installed, and plays a match: the installer's archive", flush=True)

    shutil.rmtree(DIST, ignore_errors=True)
    shutil.copytree(out, DIST)
    (DIST / CHECKSUMS).write_text(checksums(DIST))
    print((DIST / CHECKSUMS).read_text(), end="")


if __name__ == "__main__":
    sys.exit(main())
