"""Pauses between attempts, and TLS with a hall's own authority."""

import ssl
import subprocess
import warnings
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from ssl import TLSVersion

import pytest

from throwlock.hub.certificates import make_authority, make_broker_certificate, make_key
from throwlock.net import AuthorityError, Backoff, tls_context


def test_a_pause_doubles_up_to_the_longest_until_an_attempt_succeeds() -> None:
    backoff, pauses = Backoff(0.5, 3.0), []
    for _ in range(5):
        pauses.append(backoff.pause_s)
        backoff.lengthen()
    assert pauses == [0.5, 1.0, 2.0, 3.0, 3.0]
    backoff.reset()
    assert backoff.pause_s == 0.5


def test_only_the_authoritys_certificates_are_trusted() -> None:
    context = tls_context(make_authority(make_key()))
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert len(context.get_ca_certs()) == 1


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The certificate of an authority, and a file with the certificate and the key of its broker."""
    authority_key, key = make_key(), make_key()
    authority = make_authority(authority_key)
    file = tmp_path_factory.mktemp("broker") / "broker.pem"
    file.write_text(make_broker_certificate(key, ("hub.example",), authority_key, authority) + key)
    return authority, file


@pytest.mark.parametrize("day", ["1970-01-01T00:01", "2026-11-27T12:00", "2099-12-31T23:58"])
def test_certificates_hold_whatever_a_box_s_clock_says(broker: tuple[str, Path], tmp_path: Path, day: str) -> None:
    (tmp_path / "ca.pem").write_text(broker[0])
    at = round(datetime.fromisoformat(f"{day}+00:00").timestamp())
    command = ["openssl", "verify", "-attime", str(at), "-CAfile", str(tmp_path / "ca.pem"), str(broker[1])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def shake_hands(client: ssl.SSLObject, server: ssl.SSLObject, wires: tuple[ssl.MemoryBIO, ...]) -> str | None:
    """Exchange what both sides say until they agree. Return the version of TLS. Raises ssl.SSLError."""
    to_client, from_client, to_server, from_server = wires
    for _ in range(10):
        for side in (client, server):
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()
            to_server.write(from_client.read())
            to_client.write(from_server.read())
    return client.version()


@pytest.mark.parametrize(
    ("highest", "agreed"), [(TLSVersion.TLSv1_3, "TLSv1.3"), (TLSVersion.TLSv1_2, "TLSv1.2"), (TLSVersion.TLSv1_1, "")]
)
def test_a_server_needs_tls_1_2(broker: tuple[str, Path], highest: TLSVersion, agreed: str) -> None:
    authority, file = broker
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    with warnings.catch_warnings(action="ignore"):  # TLS 1.1 is deprecated
        context.minimum_version, context.maximum_version = TLSVersion.MINIMUM_SUPPORTED, highest
    context.set_ciphers("ALL:@SECLEVEL=0")
    wires = tuple(ssl.MemoryBIO() for _ in range(4))
    client = tls_context(authority).wrap_bio(wires[0], wires[1], server_hostname="hub.example")
    server = context.wrap_bio(wires[2], wires[3], server_side=True)
    if agreed:
        assert shake_hands(client, server, wires) == agreed
    else:
        with pytest.raises(ssl.SSLError):
            shake_hands(client, server, wires)


@pytest.mark.parametrize("text", ["no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_a_certificate_that_cannot_be_read_is_said_so(text: str) -> None:
    with pytest.raises(AuthorityError, match="can’t be read"):
        tls_context(text)
