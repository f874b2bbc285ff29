"""Pauses between attempts, and TLS with a hall's own authority."""

import ssl

import pytest

from throwlock.hub.certificates import make_authority, make_key
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


@pytest.mark.parametrize("text", ["no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_a_certificate_that_cannot_be_read_is_said_so(text: str) -> None:
    with pytest.raises(AuthorityError, match="can’t be read"):
        tls_context(text)
