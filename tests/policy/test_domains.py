import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.network.hosts import parse_host
from lime_desktop.policy.patterns import domain_matches, parse_domain_pattern


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
    "text",
    ["", "https://x.com", "x.com:80", "x.com/a", "a.*.com", "*x.com", "**.x.com", "*.", "a b"],
)
def test_a_pattern_is_a_host_or_everything_below_one(text: str) -> None:
    """A pattern that looks like more than it does is refused."""
    assert parse_domain_pattern(text) is None


def test_patterns_are_read_like_hosts() -> None:
    assert parse_domain_pattern("*.例子.测试.") == "*.xn--fsqu00a.xn--0zwm56d"


@given(st.from_regex(r"[a-z]{1,8}(\.[a-z]{1,8}){0,3}", fullmatch=True), st.text(max_size=20))
def test_text_before_a_name_never_makes_it_match(name: str, before: str) -> None:
    """Anchored: only a label of its own, parted by a dot, is below a domain."""
    host = parse_host(before + name)
    if host is not None and domain_matches(f"*.{name}", host, star_is_public=True):
        assert host.endswith(f".{name}")
