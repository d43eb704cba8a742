"""One judge says which addresses are public, with tables of its own (ours: every Python must judge alike)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.network.addresses import is_dialable, is_public, parse_address

NOT_PUBLIC = [
    "0.0.0.0",  # noqa: S104 - an address to judge, not one to listen on
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "::ffff:0:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "feb0::1",
    "fec0::1",
    "feff::1",
    "ff02::1",
    "ff0e::1",
]
PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "192.0.1.1",
    "198.17.0.1",
    "223.255.255.255",
    "2606:2800:220:1::1",
    "2001:4860:4860::8888",
    "2a00:1450::1",
    "2400:cb00::1",
]
NEVER = [
    "0.0.0.0",  # noqa: S104 - an address to judge, not one to listen on
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "::",
    "::127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:0:10.0.0.1",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "2001::1",
    "ff02::1",
]


@pytest.mark.parametrize("text", NOT_PUBLIC)
def test_what_is_not_one_machine_of_the_internet_is_not_public(text: str) -> None:
    address = parse_address(text)
    assert address is not None
    assert not is_public(address)


@pytest.mark.parametrize("text", PUBLIC)
def test_the_rest_is_public(text: str) -> None:
    address = parse_address(text)
    assert address is not None
    assert is_public(address)
    assert is_dialable(address)


@pytest.mark.parametrize("text", NEVER)
def test_an_address_with_another_inside_or_of_nobody_is_never_dialled(text: str) -> None:
    address = parse_address(text)
    assert address is not None
    assert not is_dialable(address)


@pytest.mark.parametrize("text", ["127.0.0.1", "::1", "10.0.0.1", "fd00::1", "fe80::1%eth0"])
def test_a_machine_of_the_own_network_may_be_dialled_where_the_asker_agrees(text: str) -> None:
    address = parse_address(text)
    assert address is not None
    assert is_dialable(address)


@given(st.ip_addresses())
def test_what_python_calls_private_is_never_public_here(address: object) -> None:
    """Our tables leave out nothing that the language's own know."""
    found = parse_address(str(address))
    assert found is not None
    assert not (is_public(found) and (found.is_private or found.is_multicast))
