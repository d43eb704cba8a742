import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.projection.host_profile import CONTRACT_VERSIONS
from lime_desktop.projection.versions import (
    Fit,
    SdkDemand,
    minimum_fit,
    parse_sdk_demand,
    range_fit,
)


@pytest.mark.parametrize(
    ("demand", "fit"),
    [
        ("current", Fit.MET),
        (" current ", Fit.MET),
        ("*", Fit.MET),
        ("^0.3.0", Fit.MET),
        ("~0.10", Fit.MET),
        (">=0.3.0 <1.0.0", Fit.MET),
        (">= 0.3.0 < 1.0.0", Fit.MET),
        (">=0.3.0, <1.0.0", Fit.MET),
        ("^v0.5.0", Fit.MET),
        ("0.9.0 - 2.0.0", Fit.MET),
        ("^2.0.0 || ^0.4.0", Fit.MET),
        ("^1.0.0", Fit.UNMET),
        (">0.10.0", Fit.UNMET),
        ("0.2.x", Fit.OUTDATED),
    ],
)
def test_range_is_held_against_every_version_the_host_satisfies(demand: str, fit: Fit) -> None:
    """The standard: minors only add, so a host of 0.10 still satisfies ^0.3.0."""
    assert range_fit(demand, CONTRACT_VERSIONS) is fit


@pytest.mark.parametrize(
    "demand", ["", "  ", "latest", "Current", "newest please", "<", "^", "0.3.0.1", "9" * 5000]
)
def test_nonsense_range_is_unreadable_and_never_a_pass(demand: str) -> None:
    assert range_fit(demand, CONTRACT_VERSIONS) is Fit.UNREADABLE


def test_current_is_not_met_by_a_host_that_has_nothing() -> None:
    assert range_fit("current", ()) is Fit.UNMET


@given(st.text())
def test_any_text_is_answered_without_an_exception(demand: str) -> None:
    assert range_fit(demand, CONTRACT_VERSIONS) in Fit
    assert minimum_fit(demand, CONTRACT_VERSIONS) in Fit


@pytest.mark.parametrize(
    ("demand", "fit"),
    [
        ("0.8.0", Fit.MET),
        ("0.11.0", Fit.UNMET),
        ("current", Fit.MET),
        ("^0.4.0", Fit.MET),
        ("soon", Fit.UNREADABLE),
    ],
)
def test_lowest_version_is_a_floor_not_an_exact_match(demand: str, fit: Fit) -> None:
    assert minimum_fit(demand, CONTRACT_VERSIONS) is fit


@pytest.mark.parametrize(
    ("text", "demand"),
    [
        ("@lime/app-sdk@^0.3.0", SdkDemand("@lime/app-sdk", "^0.3.0")),
        ("@lime/app-sdk", SdkDemand("@lime/app-sdk", "current")),
        ("@lime/app-sdk@>=0.3.0 <1.0.0", SdkDemand("@lime/app-sdk", ">=0.3.0 <1.0.0")),
        ("other-sdk@1.0.0", SdkDemand("other-sdk", "1.0.0")),
        ("^0.3.0", SdkDemand("@lime/app-sdk", "^0.3.0")),
        ("current", SdkDemand("@lime/app-sdk", "current")),
        ("@@@", SdkDemand("@lime/app-sdk", "@@@")),
    ],
)
def test_sdk_demand_is_split_into_package_and_range(text: str, demand: SdkDemand) -> None:
    assert parse_sdk_demand(text, default_package="@lime/app-sdk") == demand
