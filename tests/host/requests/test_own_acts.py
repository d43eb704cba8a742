"""The person's own act is not questioned, where it stays here and can be undone; everything else is asked as before (ours)."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.host.approvals.question import NO
from lime_desktop.host.requests.asked_call import AskedCall, Caller
from lime_desktop.policy.call import DryRun
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Allowed, NeedsApproval
from lime_desktop.policy.declared import Declared, DeclaredOperation
from lime_desktop.policy.facts import PolicyFacts, Readiness
from lime_desktop.policy.policy_file import parse_policy_file
from lime_desktop.policy.steps.approval import OWN_ACT
from lime_desktop.policy.vocabulary import LOCAL
from lime_desktop.protocol.bridge.from_app import InvokePayload
from lime_desktop.protocol.capability_calls.call import Effect
from lime_desktop.protocol.capability_calls.evidence import LIST_EVIDENCE
from lime_desktop.protocol.capability_calls.table import CALLS, AnyCall
from lime_desktop.protocol.ids import AppId
from tests.app_server.for_apps import ask
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, play
from tests.host.contracts.data import APP, ARTIFACTS, made
from tests.host.contracts.settings_and_updates import BRAND, TEMPLATES, TONE

ASKED = "APP_E010"
SET = "lime.storage.set"
_WANTED = "requires: {capabilities: {lime.storage: '>=0.3.0', lime.settings: '>=0.3.0', lime.artifacts: '>=0.3.0'}}\n"
_STORAGE = "storage: {namespace: notes, schema: storage/schema.json}\n"
_OPERATIONS = """\
operations:
  - {key: keep, type: storage, sideEffect: app_storage_write, approvalRequired: true, autoExecute: false}
  - {key: deliver, type: artifact, sideEffect: artifact_create, approvalRequired: true}
"""
_SCHEMA = {"storage/schema.json": '{"namespace": "notes", "tables": [{"name": "note"}]}'}
_ROW: dict[str, object] = {"table": "note", "id": "a"}

UNDOABLE: Mapping[str, dict[str, object]] = {
    "lime.storage.set": {"key": "k", "value": 1},
    "lime.storage.delete": {"key": "kept"},
    "lime.storage.tableInsert": {"table": "note", "row": {"text": "New"}},
    "lime.storage.tableUpdate": {**_ROW, "changes": {"text": "Other"}},
    "lime.storage.tableUpsert": {"table": "note", "row": {"id": "a", "text": "Other"}},
    "lime.storage.tableDelete": _ROW,
    "lime.settings.set": {"key": TONE, "value": "cool"},
    "lime.artifacts.create": {"kind": "report", "content": "Two"},
}
"""Every call that the host can take back."""


def package(folder: Path, operations: str = _OPERATIONS) -> Path:
    lines = _WANTED + _STORAGE + ARTIFACTS + TEMPLATES + operations
    return write_package(folder, {"APP.md": app_md(lines), **_SCHEMA, **BRAND})


async def _yes(page: Bridged, call: str, **arguments: object) -> None:
    """Have something done that was pressed for, and let the press be spent."""
    page.window.is_pressed = True
    await page.value(call, **arguments)
    page.window.undos.clear()
    page.window.asked.clear()


async def _state(page: Bridged) -> Any:
    """Everything that these calls can change, without what tells of when."""
    rows = (await page.value("lime.storage.tableQuery", table="note"))["rows"]
    artifacts = await page.value("lime.artifacts.list")
    return (
        {each["key"]: each["value"] for each in await page.value("lime.storage.list")},
        [each["row"] for each in rows],
        await page.value("lime.settings.list"),
        [(each["title"], each["version"]) for each in artifacts],
    )


async def _told(page: Bridged, subject: str) -> list[str]:
    listed = await ask(page.connection.call, APP, LIST_EVIDENCE)
    return [
        each.message
        for each in reversed(listed.root)
        if each.subject == subject and f"rule:{OWN_ACT.id}" in each.refs
    ]


def test_the_calls_that_can_be_undone_are_these() -> None:
    assert {call.name for call in CALLS if call.can_be_undone} == set(UNDOABLE)


_LOCAL_DEMANDS = tuple(
    DeclaredOperation(key=effect, side_effect=effect, approval_required=True, auto_execute=False)
    for effect in sorted(LOCAL)
)
_EVERYTHING = Declared(
    app_id="notes",
    capabilities=frozenset(call.capability for call in CALLS),
    operations=_LOCAL_DEMANDS,
    has_storage=True,
)
_FACTS = PolicyFacts(declared=_EVERYTHING, now_ms=0, readiness=Readiness(state="ready"))


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_a_press_answers_for_what_can_be_undone_and_for_no_other_call(call: AnyCall) -> None:
    """Over the whole table: under an author who wants a yes to everything local, and the host's own caution."""
    payload = InvokePayload(capability=call.capability, method=call.method)
    caller = Caller(AppId("notes"), "main", "view", "workspace")
    asked = AskedCall(call, payload).for_policy(caller, DryRun.NOT_DONE)
    without = decide(asked, _FACTS)
    pressed = decide(replace(asked, is_own_act=True), _FACTS)
    if call.name in UNDOABLE:
        assert isinstance(without, NeedsApproval)
        assert isinstance(pressed, Allowed)
        assert (pressed.rule, pressed.evidence_required) == (OWN_ACT, True)
        return
    # The gate says of no other call that it was pressed for; and were it to, nothing outward would pass.
    gate_says = decide(replace(asked, is_own_act=call.can_be_undone), _FACTS)
    assert gate_says == without
    is_outward = call.acts or call.effect is Effect.ASK
    assert not is_outward or pressed == without


@pytest.mark.parametrize("call", UNDOABLE)
def test_what_was_pressed_for_is_done_unasked_recorded_and_can_be_undone(
    call: str, tmp_path: Path
) -> None:
    async def scene(page: Bridged) -> None:
        await _yes(page, SET, key="kept", value={"deep": [1, None]})
        await _yes(page, "lime.storage.tableInsert", table="note", row={"id": "a", "text": "A"})
        await made(page)
        before = await _state(page)
        assert await page.code(call, **UNDOABLE[call]) == ASKED, "nobody pressed"
        page.approvals.queue.withdraw([each.question_id for each in page.approvals.queue.open])
        page.window.is_pressed = True
        answer = await page(call, **UNDOABLE[call])
        assert answer["ok"], answer
        assert not page.approvals.queue.open
        assert page.window.asked == [("undo", call)]
        assert await _state(page) != before
        told = await _told(page, call)
        assert any(" was carried out: The person's own act" in each for each in told), told
        [undo] = page.window.undos
        await undo()
        assert await _state(page) == before
        assert f"{call} was undone by the person" in await _told(page, call)

    play(tmp_path / "data", package(tmp_path), scene, is_installed=True)


@pytest.mark.parametrize(
    "call", ["lime.storage.set", "lime.settings.set", "lime.storage.tableDelete"]
)
def test_what_somebody_went_on_from_is_left_as_it_is(call: str, tmp_path: Path) -> None:
    """Undo takes one act back, never what followed it."""
    later: Mapping[str, tuple[str, dict[str, object]]] = {
        "lime.storage.set": (SET, {"key": "k", "value": 2}),
        "lime.settings.set": ("lime.settings.set", {"key": TONE, "value": "loud"}),
        "lime.storage.tableDelete": (
            "lime.storage.tableInsert",
            {"table": "note", "row": {"id": "a", "text": "Again"}},
        ),
    }

    async def scene(page: Bridged) -> None:
        await _yes(page, "lime.storage.tableInsert", table="note", row={"id": "a", "text": "A"})
        page.window.is_pressed = True
        await page.value(call, **UNDOABLE[call])
        [undo] = page.window.undos
        name, arguments = later[call]
        await _yes(page, name, **arguments)
        now = await _state(page)
        with pytest.raises(Exception, match="is left as it is"):
            await undo()
        assert await _state(page) == now

    play(tmp_path / "data", package(tmp_path), scene, is_installed=True)


def test_one_press_is_for_one_call(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        page.window.is_pressed = True
        assert (await page(SET, key="a", value=1))["ok"]
        assert await page.code(SET, key="b", value=1) == ASKED
        # Nor does the question that is open now become an answer.
        assert await page.code(SET, key="a", value=1) == ASKED

    play(tmp_path / "data", package(tmp_path), scene)


def test_a_no_is_not_pressed_away(tmp_path: Path) -> None:
    """Who said no to something does not agree to it by pressing something else."""

    async def scene(page: Bridged) -> None:
        assert await page.code(SET, key="a", value=1) == ASKED
        page.approvals.queue.answer([page.approvals.queue.open[0].question_id], NO)
        page.window.is_pressed = True
        assert await page.code(SET, key="a", value=1) == "APP_E027"
        # The press is still there for what it may have been meant for.
        assert (await page(SET, key="b", value=1))["ok"]
        assert await page.code(SET, key="a", value=1) == "APP_E027"
        # Who presses for it again is asked, and nothing is done by the press alone.
        page.window.is_pressed = True
        assert await page.code(SET, key="a", value=1) == ASKED

    play(tmp_path / "data", package(tmp_path), scene)


@pytest.mark.parametrize(("effect", "code"), [("ask", ASKED), ("deny", "APP_E009")])
@pytest.mark.parametrize("layer", ["organisation", "workspace"])
def test_whoever_governs_is_heard_before_the_press(
    effect: str, code: str, layer: str, tmp_path: Path
) -> None:
    rule = f"{{id: x, effect: {effect}, text: No., when: {{capabilities: [lime.storage]}}}}"
    text = f"version: 1\nname: House\nrules: [{rule}]\n"

    async def scene(page: Bridged) -> None:
        page.rules = parse_policy_file(text, layer=layer, source="house.yaml").rules  # pyright: ignore[reportArgumentType] - one of the two
        page.window.is_pressed = True
        assert await page.code(SET, key="a", value=1) == code
        assert page.window.is_pressed, "nothing was spent on what is asked about anyway"

    play(tmp_path / "data", package(tmp_path), scene)


def test_an_operation_that_changes_another_system_is_asked_about(tmp_path: Path) -> None:
    """An author's word can only make it stricter: what it declares of the outside is believed."""
    outside = """\
integrations: [{key: crm, provider: crm, role: customers, access: {read: true, write: true}}]
operations:
  - {key: push, type: storage, integration: crm, sideEffect: app_storage_write, approvalRequired: true}
"""

    async def scene(page: Bridged) -> None:
        page.window.is_pressed = True
        assert await page.code(SET, key="a", value=1) == ASKED

    play(tmp_path / "data", package(tmp_path, outside), scene)


def test_what_cannot_be_taken_back_as_a_whole_is_asked_about(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        page.window.is_pressed = True
        operations = [{"op": "set", "key": "a", "value": 1}]
        assert await page.code("lime.storage.transaction", operations=operations) == ASKED
        assert await page.code("lime.storage.importData", ref="file-ref:x") == ASKED
        assert page.window.is_pressed

    play(tmp_path / "data", package(tmp_path), scene)
