"""Whatever a page sends as the arguments of a call: an answer or a refusal with a code, never an unexpected failure (ours).

The calls are the ones of the contracts, made as they are meant up to one value that is hostile.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, JsonValue

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.host.approvals.question import YES
from lime_desktop.protocol.capability_calls.table import CALLS
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, play
from tests.host.contracts.contract import SCRIPTS, Contract, need_sandbox
from tests.host.contracts.test_contracts import CONTRACTS, OFFERED

UNEXPECTED = "APP_E900"
ANSWER_S = 30.0
CALLS_AT_ONCE = 12
PARAMS: Mapping[str, type[BaseModel]] = {call.name: call.params for call in CALLS}


def _nested(depth: int) -> JsonValue:
    value: JsonValue = []
    for _ in range(depth):
        value = [value]
    return value


HOSTILE: tuple[JsonValue, ...] = (
    2**63,
    -(2**70),
    10**400,
    1e308,
    float("nan"),
    float("inf"),
    0,
    -1,
    True,
    None,
    "",
    "x" * 5000,
    "a\0b",
    "\ud800",
    "\u202e\ufeff",
    "../../x",
    "/etc/passwd",
    "*",
    [],
    {},
    ["\ud800"],
    {"a": "\ud800"},
    {"\ud800": 1},
    {"": {"": ""}},
    {"__proto__": None, "a\0": [2**64]},
    _nested(200),
)
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**80), 2**80)
    | st.floats()
    | st.text(st.characters(), max_size=30)
    | st.text(st.characters(categories=["Cs", "Cc", "Cf"]), max_size=5)
    | st.sampled_from(HOSTILE)
)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)

Place = tuple[str | int, ...]


def _app_of(contract: Contract) -> tuple[str, str, bool, str]:
    # What a yes to a program allows must not be allowed already where another call begins.
    alone = contract.call if "kind: cli" in contract.manifest else ""
    return contract.manifest, repr(sorted(contract.files.items())), contract.is_installed, alone


def _parts(contracts: tuple[Contract, ...]) -> Iterator[tuple[Contract, ...]]:
    # Few at once: a scene is played within a minute on the slowest machine.
    for start in range(0, len(contracts), CALLS_AT_ONCE):
        yield contracts[start : start + CALLS_AT_ONCE]


_WITHOUT_CONTRACT = tuple(
    Contract(name) for name in sorted(PARAMS.keys() - {each.call for each in CONTRACTS})
)
APPS: tuple[tuple[Contract, ...], ...] = tuple(
    part
    for _, alike in groupby(sorted((*CONTRACTS, *_WITHOUT_CONTRACT), key=_app_of), key=_app_of)
    for part in _parts(tuple(alike))
)
"""The calls that can be made by one app, for each app."""


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests must not fill the keyring of whoever runs them."""
    monkeypatch.setenv(SWITCH, "off")


def _places(call: str, given: Mapping[str, object]) -> list[Place]:
    """Where a value can be put: every field that the call knows, and every one that its arguments have."""
    return list(dict.fromkeys((*_fields(PARAMS[call], 2), *_leaves(given))))


def _fields(model: type[BaseModel], depth: int) -> Iterator[Place]:
    for name, field in model.model_fields.items():
        key = field.serialization_alias or field.alias or name
        yield (key,)
        inner = _model_in(field.annotation) if depth else None
        if inner is not None:
            yield from ((key, *rest) for rest in _fields(inner, depth - 1))


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)


def _leaves(value: object) -> Iterator[Place]:
    match value:
        case dict():
            items = list(cast("dict[str, object]", value).items())
        case list() | tuple():
            items = list(enumerate(cast("Sequence[object]", value)))
        case _:
            return
    for key, inner in items:
        yield (key,)
        yield from ((key, *rest) for rest in _leaves(inner))


def _with(given: object, place: Place, value: object) -> Any:
    """The same arguments, but for one value; what leads to it is made where it is missing."""
    if not place:
        return value
    key, *rest = place
    if isinstance(key, int):
        items = list(cast("Sequence[object]", given))
        items[key] = _with(items[key], tuple(rest), value)
        return items
    known = cast("dict[str, object]", given) if isinstance(given, dict) else {}
    return {**known, key: _with(known.get(key), tuple(rest), value)}


def _play(contracts: Sequence[Contract], folder: Path, values: Sequence[JsonValue]) -> None:
    for each in contracts:
        need_sandbox(each)
    names = sorted({name for each in contracts for name in (each.capability, *each.also)} & OFFERED)
    capabilities = ", ".join(f"{name}: '>=0.3.0'" for name in names)
    lines = f"requires: {{capabilities: {{{capabilities}}}}}\n{contracts[0].manifest}"
    package = write_package(folder, {"APP.md": app_md(lines), **contracts[0].files})
    failed: list[object] = []

    async def scene(page: Bridged) -> None:
        for contract in contracts:
            failed.extend([each async for each in _failures(page, contract, values)])

    engine = ScriptedEngine(SCRIPTS)
    play(folder / "data", package, scene, engine, is_installed=contracts[0].is_installed)
    assert failed == []


async def _failures(
    page: Bridged, contract: Contract, values: Sequence[JsonValue]
) -> AsyncIterator[object]:
    page.window.choice = asyncio.get_running_loop().create_future()
    page.window.choice.set_result(())
    page.window.typed = asyncio.get_running_loop().create_future()
    page.window.typed.set_result(None)
    arguments = dict(contract.given)
    if contract.prepare:
        arguments |= await contract.prepare(page)
    for place in _places(contract.call, arguments):
        for value in values:
            code = await _code(page, contract.call, _with(arguments, place, value))
            if code == UNEXPECTED:
                yield contract.call, place, repr(value)[:80]


async def _code(page: Bridged, call: str, arguments: dict[str, object]) -> str:
    async with asyncio.timeout(ANSWER_S):
        answer = await page(call, **arguments)
        if not answer["ok"] and page.approvals.queue.open:
            # Asked about first; what comes after a yes has to hold too.
            for asked in page.approvals.queue.open:
                page.approvals.queue.answer([asked.question_id], YES)
            answer = await page(call, **arguments)
    return "" if answer["ok"] else answer["details"]["appErrorCode"]


@pytest.mark.parametrize("contracts", APPS, ids=lambda each: each[0].call)
def test_no_hostile_argument_is_an_unexpected_failure(
    contracts: tuple[Contract, ...], tmp_path: Path
) -> None:
    _play(contracts, tmp_path, HOSTILE)


@settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@pytest.mark.parametrize("contracts", APPS, ids=lambda each: each[0].call)
@given(values=st.lists(VALUES, min_size=3, max_size=3))
def test_no_generated_argument_is_an_unexpected_failure(
    contracts: tuple[Contract, ...],
    values: list[JsonValue],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    _play(contracts, tmp_path_factory.mktemp("app"), values)
