"""What every capability call promises, in one form: it succeeds, and each refusal has its own code.

A capability adds a module with its `CONTRACTS` and one row in `test_contracts`. Each contract is played over the whole
way: a text into the bridge, policy, the handler, a real App Server, a text out.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import Ask, Hold, Script, ScriptedEngine
from lime_desktop.app_server.tools.commands.sandbox import find_sandbox
from lime_desktop.policy.policy_file import parse_policy_file
from lime_desktop.policy.steps.readiness import SETUP_CALLS
from lime_desktop.policy.vocabulary import ALWAYS_AVAILABLE
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
    'greet\n\nInput, as data:\n```json\n{"text":"Hi"}\n```': says("Hello"),
    "Use the skill greeting: Greets.": says("Hello"),
    "Look into this question in 1 rounds, and name your sources: Why?": says("Because"),
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
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """More files of the app's package."""
    also: tuple[str, ...] = ()
    """Further capabilities that the app declares: what it comes to is judged as those too."""
    needs_server: bool = True
    is_installed: bool = False
    """Whether the app center has to know the app."""
    is_asked_about: bool = False
    """Whether a person is asked before it may succeed."""
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
            "undeclared": self.capability in ALWAYS_AVAILABLE,
            "not-ready": self.capability in ALWAYS_AVAILABLE or self.call in SETUP_CALLS,
            "bad-input": self.bad is None,
            "server-down": not self.needs_server,
        }
        return tuple(name for name in REFUSALS if not left_out.get(name))


def alike(
    *contracts: Contract,
    manifest: str = "",
    files: Mapping[str, str] | None = None,
    needs_server: bool = True,
) -> tuple[Contract, ...]:
    """Contracts of an app that is the same for all of them."""
    return tuple(
        replace(each, manifest=manifest, files=files or {}, needs_server=needs_server)
        for each in contracts
    )


def need_sandbox(contract: Contract) -> None:
    """Skip what would run a program where none runs."""
    if "kind: cli" in contract.manifest and find_sandbox().mode == "none":
        pytest.skip(f"no program runs here: {find_sandbox().absence}")


def succeed(contract: Contract, folder: Path) -> None:
    """Play the call as it is meant."""
    need_sandbox(contract)

    async def scene(page: Bridged) -> None:
        arguments = await _arguments(contract, page)
        make = page.allowed if contract.is_asked_about else page
        answer = await make(contract.call, **arguments)
        assert answer["ok"] is True, answer
        assert answer["result"] == answer["value"]
        assert len(answer["traceId"]) == 32
        assert contract.expect(answer["value"]) is not False, answer["value"]

    _play(contract, folder, scene)


def refuse(contract: Contract, folder: Path) -> None:
    """Play the call under each of the things that can stand in its way."""
    need_sandbox(contract)

    async def declared(page: Bridged) -> None:
        arguments = await _arguments(contract, page)
        for refusal in contract.refusals:
            if refusal != "undeclared":
                await _stand_in_the_way(page, contract, refusal)
                given = contract.bad if refusal == "bad-input" else arguments
                await _expect(page, contract, refusal, given or {})

    async def undeclared(page: Bridged) -> None:
        await _expect(page, contract, "undeclared", contract.given)

    _play(contract, folder / "declared", declared)
    if "undeclared" in contract.refusals:
        _play(contract, folder / "undeclared", undeclared, is_declared=False)


async def _expect(page: Bridged, contract: Contract, refusal: str, arguments: Given) -> None:
    answer = await page(contract.call, **arguments)
    assert answer["ok"] is False, (refusal, answer)
    assert answer["details"]["appErrorCode"] == REFUSALS[refusal], (refusal, answer)
    assert answer["message"]
    assert answer["error"]["traceId"] == answer["traceId"]


async def _stand_in_the_way(page: Bridged, contract: Contract, refusal: str) -> None:
    page.readiness, page.rules = "ready", ()
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
    names = dict.fromkeys((contract.capability, *contract.also))
    capabilities = ", ".join(f"{name}: '>=0.3.0'" for name in names)
    declared = f"requires: {{capabilities: {{{capabilities}}}}}\n"
    lines = f"{declared if is_declared else ''}{contract.manifest}"
    package = write_package(folder, {"APP.md": app_md(lines), **contract.files})
    play(
        folder / "data",
        package,
        scene,
        ScriptedEngine(SCRIPTS),
        is_installed=contract.is_installed,
    )
