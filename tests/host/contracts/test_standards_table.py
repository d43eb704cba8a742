"""Every row of the standard's table of calls is answered here, or refused by name; its argument names are understood."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lime_desktop.protocol.capabilities import capability_named
from lime_desktop.protocol.capability_calls.table import CALLS, call_named
from tests.host.contracts.test_contracts import ALWAYS_REFUSED, CONTRACTS

_ROW = re.compile(r"\| (?:\*\*(lime\.\w+)\*\* ?)?([^|]*?) \| ([^|]*) \| [^|]* \|")
_METHOD = re.compile(r"[a-z][A-Za-z]+")
_ARGUMENTS = re.compile(r"\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
_NEXT_METHOD = re.compile(r" / (?=`|none)")
"""One cell may hold the arguments of several methods, one after the other."""


@dataclass(frozen=True)
class Row:
    """A method, and the argument names that the sheet gives for it, one set per published form."""

    capability: str
    method: str
    forms: tuple[frozenset[str], ...]

    def __str__(self) -> str:
        return f"{self.capability}.{self.method}"


def _rows(sheet: str) -> Iterator[Row]:
    table = sheet.partition("\n| capability.method |")[2].partition("\n\n")[0]
    capability = ""
    for found in _ROW.finditer(table.partition("\n")[2]):
        named, written, arguments = found.groups()
        capability = named or capability
        prefix = capability.removeprefix("lime.")
        words = written.replace("`", "").removeprefix(f"{prefix} ").partition("(")[0]
        methods = [each.strip() for each in words.split("/")]
        cells = [arguments] if len(methods) == 1 else _NEXT_METHOD.split(arguments)
        # Where one cell speaks of all of them by other means, only the methods are looked at.
        given = cells if len(cells) == len(methods) else [""] * len(methods)
        for method, cell in zip(methods, given, strict=True):
            if _METHOD.fullmatch(method):
                yield Row(capability, method, tuple(_forms(cell)))


def _forms(arguments: str) -> Iterator[frozenset[str]]:
    for body in _ARGUMENTS.findall(arguments):
        flat = re.sub(r"\{[^{}]*\}|\[\]", "", body)
        names = (part.strip().partition(" ")[0].rstrip("?") for part in flat.split(","))
        yield frozenset(name for name in names if re.fullmatch(r"[A-Za-z]+", name))


@pytest.fixture(scope="module")
def rows(upstream_data: Path) -> tuple[Row, ...]:
    """The table, as the sheet beside the repository has it."""
    sheet = upstream_data.parent / "agent-app-standard.md"
    if not sheet.exists():
        pytest.skip("the fact sheet of the standard is not here")
    # A table handle is made by the SDK, which has no call for it.
    found = tuple(row for row in _rows(sheet.read_text("utf-8")) if row.method != "table")
    assert len(found) > 90
    return found


def test_every_row_is_answered_or_refused_by_name(rows: tuple[Row, ...]) -> None:
    answered = {contract.call for contract in CONTRACTS} | ALWAYS_REFUSED.keys()
    for row in rows:
        capability = capability_named(row.capability)
        assert capability is not None, row
        assert call_named(row.capability, row.method) is not None, row
        assert not capability.is_offered or str(row) in answered, row


def test_the_argument_names_of_every_published_form_are_understood(rows: tuple[Row, ...]) -> None:
    for row in rows:
        call = call_named(row.capability, row.method)
        assert call is not None
        known = call.params.model_json_schema(mode="validation").get("properties", {}).keys()
        for form in row.forms:
            assert form <= known, (str(row), form - known)


def test_the_sdk_names_every_call(repository: Path) -> None:
    """Ours: what the host answers, an author finds typed and callable."""
    listed = (repository / "resources/sdk/calls.js").read_text("utf-8")
    typed = (repository / "resources/sdk/lime-app-sdk.d.ts").read_text("utf-8")
    for call in CALLS:
        assert re.search(rf"\b{call.method}\b", listed), call.name
        assert re.search(rf"\b{call.method}\b", typed), call.name
