"""What every capability call promises, in one form: it succeeds, and each refusal has its own code.

A capability adds a module with its `CONTRACTS` and one row in `test_contracts`. Each contract is played over the whole
way: a text into the bridge, policy, the handler, a real App Server, a text out.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lime_desktop.app_server.execution.scripted import Ask, Hold, Script, ScriptedEngine
from lime_desktop.policy.policy_file import parse_policy_file
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.runtime_core.runtime import event
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, play

Given = Mapping[str, object]
Prepare = Callable[[Bridged], Awaitable[Given]]

REFUSALS = {
    "undeclared": "APP_E005",
    "not-ready": "APP_E007",
    "denied": "APP_E009",
    "needs-approval": "APP_E010",
    "bad-input": "APP_E014",
    "server-down": "APP_E901",
}
"""Every way to say no, and the code it says it with."""

QUESTION = event(
    "action.required", {"actionType": "ask_user", "prompt": "Which?"}, action_id="action_1"
)
SCRIPTS: Mapping[str, Script] = {
    "greet": says("Hello"),
    "wait": [Hold("for ever")],
    "ask": [Ask(QUESTION, allowed=says("Green"))],
}
"""What an agent does, by the prompt it is given."""


@dataclass(frozen=True)
class Contract:
    """One call of a capability."""

    call: str
    given: Given = field(default_factory=dict[str, object])
    """Arguments that are right."""
    bad: Given | None = None
    """Arguments of the wrong form; None where nothing could be wrong about them."""
    prepare: Prepare | None = None
    """Makes what the call needs, by other calls, and gives further arguments."""
    manifest: str = ""
    """More lines of the app's manifest."""
    needs_server: bool = True
    expect: Callable[[Any], object] = bool
    """Whether the value is what was asked for; asserts by itself or answers."""

    def __str__(self) -> str:
        return self.call

    @property
    def capability(self) -> str:
        """`lime.storage`."""
        return self.call.rpartition(".")[0]

    @property
    def refusals(self) -> tuple[str, ...]:
        """The ways in which this call can be refused."""
        left_out = {
            "bad-input": self.bad is None,
            "server-down": not self.needs_server,
        }
        return tuple(name for name in REFUSALS if not left_out.get(name))


def succeed(contract: Contract, folder: Path) -> None:
    """Play the call as it is meant."""

    async def scene(page: Bridged) -> None:
        arguments = await _arguments(contract, page)
        answer = await page(contract.call, **arguments)
        assert answer["ok"] is True, answer
        assert answer["result"] == answer["value"]
        assert len(answer["traceId"]) == 32
        assert contract.expect(answer["value"]) is not False, answer["value"]

    _play(contract, folder, scene)


def refuse(contract: Contract, refusal: str, folder: Path) -> None:
    """Play the call under one of the things that can stand in its way."""

    async def scene(page: Bridged) -> None:
        arguments = await _arguments(contract, page) if refusal == "server-down" else contract.given
        await _stand_in_the_way(page, contract, refusal)
        if refusal == "bad-input" and contract.bad is not None:
            arguments = contract.bad
        answer = await page(contract.call, **arguments)
        assert answer["ok"] is False, answer
        assert answer["details"]["appErrorCode"] == REFUSALS[refusal], answer
        assert answer["message"]
        assert answer["error"]["traceId"] == answer["traceId"]

    _play(contract, folder, scene, is_declared=refusal != "undeclared")


async def _stand_in_the_way(page: Bridged, contract: Contract, refusal: str) -> None:
    match refusal:
        case "not-ready":
            page.readiness = "blocked"
        case "denied" | "needs-approval":
            effect = "deny" if refusal == "denied" else "ask"
            rule = f"{{id: x, effect: {effect}, text: No., when: {{capabilities: [{contract.capability}]}}}}"
            text = f"version: 1\nname: House\nrules: [{rule}]\n"
            page.rules = parse_policy_file(text, layer="organisation", source="house.yaml").rules
        case "server-down":
            await page.connection.close()
        case _:
            pass


async def _arguments(contract: Contract, page: Bridged) -> Given:
    if contract.prepare is None:
        return contract.given
    return {**contract.given, **await contract.prepare(page)}


def _play(
    contract: Contract,
    folder: Path,
    scene: Callable[[Bridged], Awaitable[None]],
    *,
    is_declared: bool = True,
) -> None:
    declared = f"requires: {{capabilities: {{{contract.capability}: '>=0.3.0'}}}}\n"
    lines = f"{declared if is_declared else ''}{contract.manifest}"
    package = write_package(folder, {"APP.md": app_md(lines)})
    play(folder / "data", package, scene, ScriptedEngine(SCRIPTS))
