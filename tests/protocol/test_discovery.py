"""The capability list that apps read comes from the catalogue."""

from lime_desktop.protocol.capabilities import CAPABILITIES
from lime_desktop.protocol.capability_calls.discovery import CapabilityEntry


def test_a_refused_capability_is_listed_with_its_reason() -> None:
    """The standard: unavailable is said, never mocked."""
    browser = next(each for each in CAPABILITIES if each.name == "lime.browser")
    entry = CapabilityEntry.of(browser).model_dump(by_alias=True, mode="json")
    assert (entry["enabled"], entry["implementation"]) == (False, "none")
    assert entry["unavailableReason"] == browser.unavailable_reason


def test_an_offered_capability_has_no_reason() -> None:
    """Ours."""
    storage = next(each for each in CAPABILITIES if each.name == "lime.storage")
    assert "unavailableReason" not in CapabilityEntry.of(storage).model_dump(by_alias=True)
