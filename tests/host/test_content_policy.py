"""An app's page loads nothing but itself unless the person granted more (the standard)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.content_policy import content_security_policy, granted_host, response_headers


def directives(policy: str) -> dict[str, list[str]]:
    parts = (part.split() for part in policy.split(";"))
    return {name: sources for name, *sources in parts}


@pytest.mark.requirement("APP-60")
def test_nothing_granted_means_nothing_remote() -> None:
    policy = content_security_policy([])
    assert "http" not in policy
    assert "*" not in policy
    assert directives(policy)["default-src"] == ["'self'"]


def test_a_granted_domain_is_reached_encrypted_only() -> None:
    found = directives(content_security_policy(["api.example.com"]))
    assert "https://api.example.com" in found["connect-src"]
    assert "wss://api.example.com" in found["connect-src"]
    assert "https://api.example.com" not in found["script-src"]


@pytest.mark.parametrize(
    ("domain", "host"),
    [
        ("example.com", "example.com"),
        ("*.Example.com", "*.example.com"),
        ("https://example.com/", "example.com"),
        ("example.com:8443", "example.com:8443"),
        ("example.com.", "example.com"),
    ],
)
def test_plain_domains_are_read(domain: str, host: str) -> None:
    assert granted_host(domain) == host


@pytest.mark.parametrize(
    "domain",
    [
        "",
        "*",
        "*.com*",
        "com",
        "localhost",
        "127.0.0.1",
        "http://example.com",
        "example.com/path",
        "user@example.com",
        "example.com; script-src *",
        "example.com 'unsafe-eval'",
        "exa mple.com",
        "例え.jp",
        "a.*.example.com",
        "example.com:0",
        "example.com:99999",
        "-a.example.com",
        "example..com",
        "[::1]",
    ],
)
def test_what_is_not_plainly_a_domain_is_left_out(domain: str) -> None:
    assert granted_host(domain) is None


@given(st.lists(st.text(max_size=40), max_size=5))
def test_no_declaration_can_add_a_directive(domains: list[str]) -> None:
    assert (
        directives(content_security_policy(domains)).keys()
        == directives(content_security_policy([])).keys()
    )


@given(st.lists(st.text(max_size=40), max_size=5))
def test_headers_stay_on_one_line(domains: list[str]) -> None:
    for value in response_headers(domains).values():
        assert value.isascii()
        assert value.isprintable()
