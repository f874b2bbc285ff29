"""The hall's own certificate authority and the broker's certificate, made by the ``openssl`` program.

It is on every Debian, whose security updates it gets; the library ``cryptography`` would be a compiled dependency for
these two commands.
"""

import ipaddress
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from errors import ThrowlockError
from messages import shorten

VALID_FROM, VALID_UNTIL = "19700101000000Z", "20991231235959Z"
"""A box has no clock of its own: without a network its time may be months behind, or of 1970."""
TIMEOUT_S = 60
_CONFIG = """
[ca]
default_ca = hall
[hall]
database = index.txt
new_certs_dir = .
serial = serial
default_md = sha256
policy = names
[names]
commonName = supplied
[req]
distinguished_name = subject
prompt = no
string_mask = utf8only
[subject]
CN = {name}
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[broker]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = {hosts}
"""


class CertificateError(ThrowlockError):
    """A certificate can't be made. The message says why."""


def make_key() -> str:
    """Return a new private key, P-256, as PEM. Raises CertificateError."""
    return _openssl(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], Path.cwd())


def make_authority(key: str) -> str:
    """Return the certificate of the authority with the private ``key``, as PEM. Raises CertificateError."""
    return _sign(key, "Throwlock hall", ("localhost",), "authority", ("-selfsign",))


def make_broker_certificate(key: str, hosts: Sequence[str], authority_key: str, authority: str) -> str:
    """Return a certificate for the broker with the private ``key`` at ``hosts``, names or addresses, signed by the
    authority, as PEM. Raises CertificateError."""
    return _sign(key, "Throwlock broker", hosts, "broker", ("-cert", "ca.pem"), (authority_key, authority))


def _sign(
    key: str,
    name: str,
    hosts: Sequence[str],
    extensions: str,
    how: Sequence[str],
    authority: tuple[str, str] = ("", ""),
) -> str:
    with tempfile.TemporaryDirectory(prefix="throwlock-") as folder:  # only we can read it
        path = Path(folder)
        names = ", ".join(f"{'IP' if _is_address(host) else 'DNS'}:{host}" for host in hosts)
        (path / "config").write_text(_CONFIG.format(name=name, hosts=names))
        (path / "index.txt").touch()
        (path / "key.pem").write_text(key)
        (path / "ca-key.pem").write_text(authority[0] or key)
        (path / "ca.pem").write_text(authority[1])
        (path / "request.pem").write_text(_openssl(["req", "-new", "-config", "config", "-key", "key.pem"], path))
        what = ("-in", "request.pem", "-keyfile", "ca-key.pem", "-extensions", extensions, *how)
        when = ("-startdate", VALID_FROM, "-enddate", VALID_UNTIL)
        return _openssl(["ca", "-batch", "-notext", "-rand_serial", "-config", "config", *what, *when], path)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _openssl(arguments: Sequence[str], folder: Path) -> str:
    try:
        done = subprocess.run(
            ["openssl", *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
        )
    except FileNotFoundError as error:
        raise CertificateError("certificates are made by the program openssl: sudo apt install openssl") from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line.lower()] or done.stderr.splitlines()
        raise CertificateError(f"openssl {arguments[0]}: {shorten(' / '.join(lines[:2]), 300)}")
    return done.stdout
