"""An app's page loads nothing but itself unless the person granted more (the standard)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.web_content.content_policy import content_security_policy, response_headers
from lime_desktop.policy.domain_grants import NO_DOMAINS, DomainGrants


def directives(policy: str) -> dict[str, list[str]]:
    parts = (part.split() for part in policy.split(";"))
    return {name: sources for name, *sources in parts}


@pytest.mark.requirement("APP-60")
def test_nothing_granted_means_nothing_remote() -> None:
    policy = content_security_policy(NO_DOMAINS)
    assert "http" not in policy
    assert "*" not in policy
    assert directives(policy)["default-src"] == ["'self'"]


def test_a_granted_domain_is_reached_encrypted_only() -> None:
    found = directives(content_security_policy(DomainGrants.of(["api.example.com"])))
    assert "https://api.example.com" in found["connect-src"]
    assert "wss://api.example.com" in found["connect-src"]
    assert "https://api.example.com" not in found["script-src"]


def test_a_host_below_a_domain_is_a_source_of_its_own() -> None:
    found = directives(content_security_policy(DomainGrants.of(["*.Example.com."])))
    assert "https://*.example.com" in found["img-src"]


@pytest.mark.parametrize(
    "domain",
    [
        "",
        "*.com*",
        "http://example.com",
        "example.com/path",
        "user@example.com",
        "example.com; script-src *",
        "example.com 'unsafe-eval'",
        "exa mple.com",
        "a.*.example.com",
        "example.com:8443",
        "-a.example.com",
        "example..com",
        "[::1]",
        "::1",
    ],
)
def test_what_is_not_plainly_a_domain_adds_no_source(domain: str) -> None:
    assert content_security_policy(DomainGrants.of([domain])) == content_security_policy(NO_DOMAINS)


@given(st.lists(st.text(max_size=40), max_size=5))
def test_no_declaration_can_add_a_directive(domains: list[str]) -> None:
    assert (
        directives(content_security_policy(DomainGrants.of(domains))).keys()
        == directives(content_security_policy(NO_DOMAINS)).keys()
    )


@given(st.lists(st.text(max_size=40), max_size=5))
def test_headers_stay_on_one_line(domains: list[str]) -> None:
    for value in response_headers(DomainGrants.of(domains)).values():
        assert value.isascii()
        assert value.isprintable()
