"""Every call succeeds as promised and is refused by the right code (ours: a call without a contract is no call)."""

from pathlib import Path

import pytest

from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.host.approvals.question import YES
from lime_desktop.protocol.capabilities import CAPABILITIES
from lime_desktop.protocol.capability_calls.table import CALLS
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, play
from tests.host.contracts import (
    agent,
    data,
    events,
    evidence,
    looking,
    platform,
    settings_and_updates,
    tools,
    ui,
    workflows,
)
from tests.host.contracts.contract import Contract, refuse, succeed

CONTRACTS: tuple[Contract, ...] = (
    *agent.CONTRACTS,
    *data.CONTRACTS,
    *events.CONTRACTS,
    *evidence.CONTRACTS,
    *settings_and_updates.CONTRACTS,
    *looking.CONTRACTS,
    *platform.CONTRACTS,
    *ui.CONTRACTS,
    *tools.CONTRACTS,
    *workflows.CONTRACTS,
)

OFFERED = frozenset(row.name for row in CAPABILITIES if row.is_offered)

_INTEGRATION = "integrations: [{key: crm, provider: crm, role: customers}]\n"
ALWAYS_REFUSED: dict[str, tuple[dict[str, object], str]] = {
    "lime.cloudSession.getAccessToken": ({}, "APP_E043"),
    "lime.connectors.requestAuth": ({"connectorId": "crm"}, "APP_E001"),
}
"""Calls of offered capabilities that nobody here can carry out: the code says so, and the message why."""


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests must not fill the keyring of whoever runs them."""
    monkeypatch.setenv(SWITCH, "off")


@pytest.mark.requirement("APP-16", "APP-26")
@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_a_call_succeeds_as_promised(contract: Contract, tmp_path: Path) -> None:
    succeed(contract, tmp_path)


@pytest.mark.requirement("APP-16", "APP-20")
@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_a_call_is_refused_by_the_code_of_what_stands_in_its_way(
    contract: Contract, tmp_path: Path
) -> None:
    refuse(contract, tmp_path)


def test_every_offered_call_has_a_contract() -> None:
    offered = {call.name for call in CALLS if call.capability in OFFERED}
    kept = {contract.call for contract in CONTRACTS} | ALWAYS_REFUSED.keys()
    assert kept == offered


@pytest.mark.requirement("APP-25")
@pytest.mark.parametrize("call", ALWAYS_REFUSED)
def test_what_nobody_can_do_here_is_refused_with_its_reason(call: str, tmp_path: Path) -> None:
    given, code = ALWAYS_REFUSED[call]
    capability = call.rpartition(".")[0]
    lines = f"requires: {{capabilities: {{{capability}: '>=0.3.0'}}}}\n{_INTEGRATION}"

    async def scene(page: Bridged) -> None:
        answer = await page(call, **given)
        if answer["details"]["appErrorCode"] == "APP_E010":
            # Risky enough to be asked about first.
            page.approvals.queue.answer([page.approvals.queue.open[0].question_id], YES)
            answer = await page(call, **given)
        assert answer["details"]["appErrorCode"] == code, answer
        assert answer["message"]

    play(tmp_path / "data", write_package(tmp_path, {"APP.md": app_md(lines)}), scene)


@pytest.mark.requirement("APP-25")
def test_what_this_host_refuses_says_why_in_lists_and_to_calls(tmp_path: Path) -> None:
    """The standard: unavailable is a stable refusal, never a mock."""
    refused = {row.name: row.unavailable_reason for row in CAPABILITIES if not row.is_offered}

    async def scene(page: Bridged) -> None:
        listed = {row["name"]: row for row in await page.value("lime.capabilities.list")}
        for name, reason in refused.items():
            assert (listed[name]["enabled"], listed[name]["unavailableReason"]) == (False, reason)
        for call in (each for each in CALLS if each.capability in refused):
            answer = await page(call.name)
            assert answer["stableCode"] in {"capability_unavailable", "schema_invalid"}, answer

    names = ", ".join(f"{name}: '>=0.3.0'" for name in refused if name in OFFERED)
    package = write_package(
        tmp_path, {"APP.md": app_md(f"requires: {{capabilities: {{{names}}}}}\n")}
    )
    play(tmp_path / "data", package, scene)
