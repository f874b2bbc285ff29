"""Check that no package of the locks has a known vulnerability: ``make audit``.

Runs pip-audit over every version that a lock or text file of ``requirements/`` pins, for any Python and processor.
Prints a line for each vulnerability. The exit status is 1 if there is one, 2 if the advisories can't be reached or
anything was not audited; ``--allow-unreachable`` turns advisories that can't be reached into 0."""

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCKS = ROOT / "requirements"
PIP_AUDIT = ROOT / "build/audit/bin/pip-audit"
OSV_URL = "https://api.osv.dev/v1/query"
"""Where the Open Source Vulnerabilities database is asked: it has GitHub's advisories as well as PyPI's."""
VULNERABLE_PIN = ("pip", "9.0.1")
"""A version with known vulnerabilities. Advisories that don't have them are not the real ones."""
PROBE_TIMEOUT_S = 15
AUDIT_TIMEOUT_S = 900


class UnreachableError(Exception):
    """The advisories can't be reached."""


class AuditError(Exception):
    """A package was not audited."""


@dataclass(frozen=True, order=True)
class Pin:
    """A package, by its canonical name, and its version."""

    name: str
    version: str


def read_pins(folder: Path) -> dict[Pin, list[str]]:
    """Return every version that a lock or text file in ``folder`` pins, whatever its marker, with the files' names."""
    pins: dict[Pin, list[str]] = {}
    for lock in sorted([*folder.glob("*.lock"), *folder.glob("*.txt")]):  # one with hashes may be written by hand
        for line in lock.read_text().replace("\\\n", " ").splitlines():
            text = line.partition("--hash")[0].partition("#")[0].strip()
            if text:
                requirement = Requirement(text)
                pin = Pin(canonicalize_name(requirement.name), str(requirement.specifier).removeprefix("=="))
                pins.setdefault(pin, []).append(lock.name)
    return pins


def check_reachable(osv_url: str) -> None:
    """Ask for the vulnerabilities of ``VULNERABLE_PIN``. Raises UnreachableError."""
    name, version = VULNERABLE_PIN
    query = json.dumps({"package": {"name": name, "ecosystem": "PyPI"}, "version": version}).encode()
    try:
        with urllib.request.urlopen(osv_url, query, timeout=PROBE_TIMEOUT_S) as response:
            answer = json.load(response)
    except (OSError, ValueError) as error:
        raise UnreachableError(str(getattr(error, "reason", error))) from error
    if not isinstance(answer, dict) or not answer.get("vulns"):
        raise UnreachableError(f"they don't have those of {name} {version}")


def find_vulnerabilities(program: Path, osv_url: str, pins: Sequence[Pin], ignore: Sequence[str]) -> dict[Pin, str]:
    """Return the vulnerabilities of ``pins`` but those with an id in ``ignore``. Raises AuditError."""
    found: dict[Pin, str] = {}
    audited = set()
    for group in _group_by_version(pins):
        for package in _run_pip_audit(program, osv_url, group, ignore):
            if "version" not in package:
                continue
            pin = Pin(canonicalize_name(package["name"]), package["version"])
            audited.add(pin)
            if package["vulns"]:
                found[pin] = "; ".join(map(_describe, package["vulns"]))
    if missing := sorted(set(pins) - audited):
        raise AuditError("not audited: " + ", ".join(f"{pin.name} {pin.version}" for pin in missing))
    return found


def _group_by_version(pins: Sequence[Pin]) -> Iterator[list[Pin]]:
    """Yield groups of pins with no package twice, which pip-audit would refuse."""
    rest = sorted(pins)
    while rest:
        group = {pin.name: pin for pin in rest}
        yield list(group.values())
        rest = [pin for pin in rest if group[pin.name] != pin]


def _run_pip_audit(program: Path, osv_url: str, pins: Sequence[Pin], ignore: Sequence[str]) -> list[Any]:
    """Return what pip-audit reports on each package. Raises AuditError."""
    with tempfile.TemporaryDirectory() as folder:
        requirements = Path(folder) / "requirements.txt"
        requirements.write_text("".join(f"{pin.name}=={pin.version}\n" for pin in pins))
        command = [str(program), "--vulnerability-service", "osv", "--osv-url", osv_url, "--format", "json"]
        command += ["--no-deps", "--disable-pip", "--progress-spinner", "off", "--requirement", str(requirements)]
        command += [option for each in ignore for option in ("--ignore-vuln", each)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=AUDIT_TIMEOUT_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise AuditError(f"pip-audit can't be run ({getattr(error, 'strerror', error)}): make audit") from error
    try:
        packages: list[Any] = json.loads(done.stdout)["dependencies"]
    except ValueError as error:
        last = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "no reason was given")
        raise AuditError(f"pip-audit ended with {done.returncode}: {last}") from error
    return packages


def _describe(vulnerability: Mapping[str, Any]) -> str:
    fixes = ", ".join(vulnerability["fix_versions"])
    names = ", ".join([vulnerability["id"], *sorted(vulnerability.get("aliases", []))])
    return f"{names} ({f'fixed in {fixes}' if fixes else 'no version fixes it'})"


def main() -> int:
    """Audit the locks; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.audit", description=__doc__)
    parser.add_argument("--allow-unreachable", action="store_true", help="succeed if the advisories can't be reached")
    parser.add_argument("--ignore-vuln", action="append", default=[], metavar="ID", help="as pip-audit's")
    parser.add_argument("--locks", type=Path, default=LOCKS, help="the folder of the locks")
    parser.add_argument("--program", type=Path, default=PIP_AUDIT, help="pip-audit")
    parser.add_argument("--osv-url", default=OSV_URL, help="where to ask, as pip-audit's")
    options = parser.parse_args()
    try:
        check_reachable(options.osv_url)
        pins = read_pins(options.locks)
        found = find_vulnerabilities(options.program, options.osv_url, list(pins), options.ignore_vuln)
    except UnreachableError as error:
        print(f"audit: nothing was audited, as the advisories can't be reached ({error})", file=sys.stderr)
        return 0 if options.allow_unreachable else 2
    except AuditError as error:
        print(f"audit: {error}", file=sys.stderr)
        return 2
    for pin, text in sorted(found.items()):
        print(f"vulnerable  {pin.name} {pin.version} of {', '.join(pins[pin])}: {text}")
    locks = {lock for names in pins.values() for lock in names}
    print(f"audit: {len(pins)} versions in {len(locks)} locks, {len(found) or 'none'} with known vulnerabilities")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
