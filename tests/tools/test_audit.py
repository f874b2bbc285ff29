"""``make audit``: the real pip-audit asks a service on this machine that answers as osv.dev does."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tools import audit

HASH = "--hash=sha256:" + "0" * 64
NEEDS_PIP_AUDIT = pytest.mark.skipif(not audit.PIP_AUDIT.exists(), reason="pip-audit is not installed: make audit")
PIP_9 = {"PYSEC-1": ("pip", "9.0.1", "19.2")}


@dataclass
class Osv:
    """A service with a few vulnerabilities: package, version and fix by their id."""

    vulnerabilities: dict[str, tuple[str, str, str | None]] = field(default_factory=lambda: dict(PIP_9))
    asked: list[tuple[str, str]] = field(default_factory=list)
    url: str = ""

    def answer(self, query: Any) -> dict[str, Any]:
        asked = query["package"]["name"], query["version"]
        self.asked.append(asked)
        return {"vulns": [_advisory(*one) for one in self.vulnerabilities.items() if one[1][:2] == asked]}


def _advisory(name: str, about: tuple[str, str, str | None]) -> dict[str, Any]:
    package, _, fix = about
    events = [{"introduced": "0"}, *([{"fixed": fix}] if fix else [])]
    affected = {"package": {"name": package, "ecosystem": "PyPI"}, "ranges": [{"type": "ECOSYSTEM", "events": events}]}
    return {"id": name, "aliases": [f"CVE-{name}"], "summary": "It breaks.", "affected": [affected]}


@pytest.fixture
def osv() -> Iterator[Osv]:
    service = Osv()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = json.dumps(service.answer(query)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        service.url = f"http://127.0.0.1:{server.server_port}/v1/query"
        yield service
        server.shutdown()


@pytest.fixture
def locks(tmp_path: Path) -> Path:
    """Three locks: a package in two versions, one for other Pythons and systems than this one, one under another
    spelling."""
    other = f"python_full_version {'<' if sys.version_info >= (3, 12) else '>='} '3.12'"
    (tmp_path / "demo.lock").write_text(
        f"# made by make lock\nnumpy==2.4.6 ; {other} \\\n    {HASH} \\\n    {HASH}\n    # via throwlock\n"
        f"numpy==2.5.5 \\\n    {HASH}\ncolorama==0.4.6 ; sys_platform == 'win32' \\\n    {HASH}\n"
    )
    (tmp_path / "fuzz.txt").write_text(f"colorama==0.4.6 \\\n    {HASH}\n")
    (tmp_path / "box.lock").write_text(f"numpy==2.4.6 \\\n    {HASH}\nPython_Multipart==0.0.20 \\\n    {HASH}\n")
    return tmp_path


@pytest.fixture
def run_audit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], osv: Osv, locks: Path
) -> Callable[..., tuple[int, str, str]]:
    """Runs it, and returns the exit status and what it printed."""

    def run(*args: str, url: str = osv.url) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["audit", "--locks", str(locks), "--osv-url", url, *args])
        return audit.main(), *capsys.readouterr()

    return run


RunAudit = Callable[..., tuple[int, str, str]]


@NEEDS_PIP_AUDIT
def test_every_pinned_version_is_audited(run_audit: RunAudit, osv: Osv) -> None:
    assert run_audit()[0] == 0
    pins = {("numpy", "2.4.6"), ("numpy", "2.5.5"), ("colorama", "0.4.6"), ("python-multipart", "0.0.20")}
    assert set(osv.asked) == {("pip", "9.0.1"), *pins}


@NEEDS_PIP_AUDIT
def test_a_known_vulnerability_fails(run_audit: RunAudit, osv: Osv) -> None:
    osv.vulnerabilities |= {"GHSA-2": ("numpy", "2.4.6", "2.4.7"), "GHSA-3": ("python-multipart", "0.0.20", None)}
    status, printed, _ = run_audit("--allow-unreachable")
    assert status == 1 and [line.split(":")[0] for line in printed.splitlines()] == [
        "vulnerable  numpy 2.4.6 of box.lock, demo.lock", "vulnerable  python-multipart 0.0.20 of box.lock", "audit",
    ]  # fmt: skip
    assert run_audit("--ignore-vuln", "GHSA-2")[0] == 1
    assert run_audit("--ignore-vuln", "GHSA-2", "--ignore-vuln", "CVE-GHSA-3")[0] == 0


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("echo Traceback >&2; echo 'no such option' >&2; exit 3", "pip-audit ended with 3: no such option"),
        (None, "pip-audit can't be run (No such file or directory): make audit"),
        ('echo \'{"dependencies": [{"name": "numpy", "skip_reason": "not found"}]}\'', "not audited: colorama 0.4.6, "),
    ],
)
def test_what_was_not_audited_fails(run_audit: RunAudit, tmp_path: Path, program: str | None, reason: str) -> None:
    path = tmp_path / "pip-audit"
    if program:
        path.write_text(f"#!/bin/sh\n{program}\n")
        path.chmod(0o755)
    status, _, error = run_audit("--program", str(path), "--allow-unreachable")
    assert status == 2 and error.startswith(f"audit: {reason}") and len(error.splitlines()) == 1
