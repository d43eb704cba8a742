"""The one reading of granted domains (the standard: only declared network; ours: nothing open to two readings)."""

import pytest

from lime_desktop.policy.domain_grants import DomainGrants, denied_domains
from lime_desktop.policy.policy_file import parse_policy_file


@pytest.mark.parametrize(
    ("domain", "host", "is_covered"),
    [
        ("api.example.com", "api.example.com", True),
        ("api.example.com", "API.Example.com.", True),
        ("api.example.com", "example.com", False),
        ("api.example.com", "evil-api.example.com", False),
        ("*.example.com", "a.b.example.com", True),
        ("*.example.com", "example.com", False),
        ("*", "example.com", True),
        ("*", "localhost", False),
        ("*", "192.168.0.1", False),
        ("localhost", "localhost", True),
        ("https://example.com", "example.com", False),
        ("example.com", "example.com@evil.test", False),
        ("example.com", "", False),
    ],
)
def test_a_host_is_covered_by_what_was_granted(domain: str, host: str, is_covered: bool) -> None:  # noqa: FBT001 - a row of the table
    assert DomainGrants.of([domain]).covers(host) is is_covered


def test_only_a_host_that_is_named_itself_may_lie_in_the_own_network() -> None:
    grants = DomainGrants.of(["printer.local", "*.example.com", "*"])
    named = [host for host in ("printer.local", "a.example.com", "localhost") if grants.names(host)]
    assert named == ["printer.local"]


def test_what_is_shut_off_for_commands_is_shut_off_for_their_programs_and_not_for_pages() -> None:
    text = """
version: 1
name: House
rules:
  - {id: all, effect: deny, text: No., when: {domains: [bad.example]}}
  - {id: commands, effect: deny, text: No., when: {capabilities: [lime.terminal], domains: [far.example]}}
"""
    rules = parse_policy_file(text, layer="organisation", source="house.yaml").rules
    assert tuple(denied_domains(rules, "notes")) == ("bad.example",)
    assert tuple(denied_domains(rules, "notes", "lime.terminal")) == ("bad.example", "far.example")
