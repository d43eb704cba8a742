import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lime_desktop.policy.domains import (
    domain_matches,
    is_local,
    parse_domain_pattern,
    parse_host,
)


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
    ("pattern", "host", "is_match"),
    [
        ("example.com", "example.com", True),
        ("example.com", "www.example.com", False),
        ("example.com", "evil-example.com", False),
        ("example.com", "example.com.evil.net", False),
        ("*.example.com", "a.b.example.com", True),
        ("*.example.com", "example.com", False),
        ("*.example.com", "evilexample.com", False),
        ("*", "example.com", True),
        ("*", "127.0.0.1", False),
        ("*", "printer", False),
        ("127.0.0.1", "127.0.0.1", True),
    ],
)
def test_a_permission_covers_what_its_pattern_names(
    pattern: str, host: str, *, is_match: bool
) -> None:
    assert domain_matches(pattern, host, star_is_public=True) is is_match


def test_a_refusal_of_every_host_includes_this_machine() -> None:
    assert domain_matches("*", "localhost", star_is_public=False)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "a.localhost",
        "nas",
        "nas.local",
        "db.internal",
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


@pytest.mark.parametrize(
    "text",
    ["", "https://x.com", "x.com:80", "x.com/a", "a.*.com", "*x.com", "**.x.com", "*.", "a b"],
)
def test_a_pattern_is_a_host_or_everything_below_one(text: str) -> None:
    """A pattern that looks like more than it does is refused."""
    assert parse_domain_pattern(text) is None


def test_patterns_are_read_like_hosts() -> None:
    assert parse_domain_pattern("*.例子.测试.") == "*.xn--fsqu00a.xn--0zwm56d"


@given(st.text(max_size=60))
@example("\ud800.com")
def test_any_text_gives_a_plain_host_or_nothing(text: str) -> None:
    """The plain form is stable: reading it again changes nothing."""
    host = parse_host(text)
    if host is not None and ":" not in host:
        assert parse_host(host) == host


@given(st.from_regex(r"[a-z]{1,8}(\.[a-z]{1,8}){0,3}", fullmatch=True), st.text(max_size=20))
def test_text_before_a_name_never_makes_it_match(name: str, before: str) -> None:
    """Anchored: only a label of its own, parted by a dot, is below a domain."""
    host = parse_host(before + name)
    if host is not None and domain_matches(f"*.{name}", host, star_is_public=True):
        assert host.endswith(f".{name}")
