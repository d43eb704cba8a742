"""Each call names the codes it may fail with: real ones, each once, and none that nobody raises (ours).

That no call fails with another one is held in every test, by the fixture `undeclared_codes`.
"""

import re
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from lime_desktop.policy.called import leads_on
from lime_desktop.protocol.capability_calls.call import NoResult
from lime_desktop.protocol.capability_calls.table import CALLS, AnyCall
from lime_desktop.protocol.errors import ALL_ERRORS, UntrustedUrl
from lime_desktop.protocol.errors.of_calls import EVERY_CALL, Errors, declared_codes
from lime_desktop.protocol.export.pages import capabilities_page
from lime_desktop.protocol.export.sdk import sdk_text

every_call = pytest.mark.parametrize("call", CALLS, ids=lambda call: cast("AnyCall", call).name)
_IMPORT = re.compile(r"^from \S+ import (?:\([^)]*\)|[^\n]*)", re.MULTILINE)
_CLASS = re.compile(r"\b[A-Z]\w+\b")
RAISING = ("readiness", "host", "app_server", "database", "durable_files", "network")


def _is_plain(errors: Errors) -> bool:
    return len(set(errors)) == len(errors) and set(errors) <= set(ALL_ERRORS)


@cache
def _raised(repository: Path) -> frozenset[str]:
    """Every class that the code makes, or leaves to be made by whoever is given it."""
    found: set[str] = set()
    for room in RAISING:
        for path in (repository / "lime_desktop" / room).rglob("*.py"):
            used = _IMPORT.sub("", path.read_text("utf-8"))
            found.update(_CLASS.findall(used))
    return frozenset(found)


def test_what_every_call_may_fail_with_is_named_once() -> None:
    assert _is_plain(EVERY_CALL)


@every_call
def test_a_call_names_each_of_its_own_codes_once(call: AnyCall) -> None:
    assert _is_plain(call.errors)
    assert not set(call.errors) & set(EVERY_CALL)


@every_call
def test_a_call_that_leads_somewhere_may_be_told_that_no_such_place_can_be_read(
    call: AnyCall,
) -> None:
    """Policy refuses a name or an address that can be read in more than one way."""
    assert UntrustedUrl in call.errors or not leads_on(call.params)


def test_nothing_is_declared_that_nobody_raises(repository: Path) -> None:
    declared = {error.__name__ for call in CALLS for error in (*call.errors, *EVERY_CALL)}
    assert declared <= _raised(repository)


@every_call
def test_the_reference_and_the_sdk_say_how_a_call_may_fail(call: AnyCall) -> None:
    codes = declared_codes(call.errors)
    told = ", ".join(f"`{code}`" for code in codes)
    is_described = call.result is not NoResult
    assert (f"| {call.summary} | {told} |" in _page()) is is_described
    said = f"May also fail with {', '.join(codes)}." if codes else call.summary
    assert said in _sdk()


@cache
def _page() -> str:
    return capabilities_page()


@cache
def _sdk() -> str:
    return sdk_text()
