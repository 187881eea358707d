"""Where a server can be: an address that cannot be taken is refused with the reason."""

import socket

import pytest

from beholder.errors import Misuse
from beholder.study.operations.serving import _refuse_address


@pytest.mark.parametrize(
    ("host", "port", "why"),
    [
        ("no host", 8000, "this machine has no such address; expected 127"),
        ("203.0.113.1", 8000, "this machine has no such address; expected 127"),
        ("127.0.0.1", 70000, "expected a port from 1 to 65535"),
    ],
)
def test_a_bad_address_is_refused_with_what_is_wrong(host, port, why):
    with pytest.raises(Misuse, match=why):
        _refuse_address(host, port, "")


def test_a_port_in_use_is_told_from_a_bad_address():
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(Misuse, match="another program uses this port"):
        _refuse_address("127.0.0.1", taken.getsockname()[1], "")
