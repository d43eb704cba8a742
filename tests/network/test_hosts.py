import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lime_desktop.network.hosts import is_local, parse_host


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("example.com", "example.com"),
        ("EXAMPLE.com.", "example.com"),
        ("example.com:8443", "example.com"),
        ("https://example.com:443/a?b#c", "example.com"),
        ("wss://example.com?x=%20", "example.com"),
        ("http://[2001:db8::1]:80/", "2001:db8::1"),
        ("[::FFFF:127.0.0.1]", "127.0.0.1"),
        ("127.0.0.1", "127.0.0.1"),
        ("https://例子.测试/", "xn--fsqu00a.xn--0zwm56d"),
        ("XN--FSQU00A.xn--0zwm56d", "xn--fsqu00a.xn--0zwm56d"),
        ("faß.de", "xn--fa-hia.de"),
        ("１２７.0.0.1", "127.0.0.1"),
        ("example。com", "example.com"),
        ("_service.example.com", "_service.example.com"),
        ("localhost", "localhost"),
    ],
)
def test_a_host_has_one_plain_form(text: str, host: str) -> None:
    """Case, one trailing dot, port, path and spelling of Unicode make no difference."""
    assert parse_host(text) == host


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "example..com",
        "example.com..",
        "user@example.com",
        "https://example.com@evil.net/",
        "https://example.com\\@evil.net/",
        "https://example.com\\.evil.net/",
        "https://exa\tmple.com/",
        " example.com",
        "https://exam%70le.com/",
        "example.com:port",
        "example.com:",
        "example.com:99999",
        "example.com:²",
        "https:example.com",
        "https:///example.com",
        "//example.com",
        "file:///etc/passwd",
        "javascript://example.com/%0aalert(1)",
        "example.com/path",
        "127.1",
        "0x7f.0.0.1",
        "2130706433",
        "0177.0.0.1",
        "1.2.3.4.5",
        "[::1",
        "[::1]x",
        "[fe80::1%25eth0]",
        "[example.com]",
        "-bad.example.com",
        "a" * 64 + ".com",
        ".".join(["a" * 60] * 5),
        "\u200d.com",
    ],
)
def test_a_host_that_is_open_to_two_readings_is_refused(text: str) -> None:
    """Filters are fooled where two programs read one address differently."""
    assert parse_host(text) is None


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "a.localhost",
        "nas",
        "nas.local",
        "db.internal",
        "router.lan",
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "::1",
        "fd00::1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "0.0.0.0",  # noqa: S104 - an address to judge, not one to listen on
    ],
)
def test_hosts_of_the_own_network_are_known(host: str) -> None:
    assert is_local(host)


@pytest.mark.parametrize("host", ["example.com", "93.184.216.34", "2606:2800:220:1::1"])
def test_public_hosts_are_not_local(host: str) -> None:
    assert not is_local(host)


@given(st.text(max_size=60))
@example("\ud800.com")
def test_any_text_gives_a_plain_host_or_nothing(text: str) -> None:
    """The plain form is stable: reading it again changes nothing."""
    host = parse_host(text)
    if host is not None and ":" not in host:
        assert parse_host(host) == host
