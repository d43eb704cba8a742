"""Command-line adapters of app.integrations.yaml, as an agent meets them."""

from pathlib import Path
from typing import cast

import pytest
from pydantic import JsonValue

from lime_desktop.app_server.children.leashed_process import LeashedProcess
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.commands.adapters import (
    CommandDependencies,
    CommandTools,
)
from lime_desktop.app_server.tools.commands.running import CommandLimits
from lime_desktop.app_server.tools.commands.sandbox import Sandbox
from lime_desktop.app_server.tools.commands.words import shown_words
from lime_desktop.app_server.tools.tooling import ToolCall
from lime_desktop.app_server.tools.toolset import TurnToolset
from lime_desktop.policy.decision import Allowed, Denied, NeedsApproval
from lime_desktop.protocol.calls.apps import RegisteredRule
from lime_desktop.protocol.ids import JsonObject
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.tools.commands.conftest import NO_SANDBOX
from tests.app_server.tools.turns import NO_SECRETS, known_apps, outcome_of, run_call, turn_of

TERMINAL = '{ "lime.terminal": "^0.10.0" }'
INTEGRATIONS = """\
integrations:
  - key: shell
    provider: POSIX
    role: script
    executionPlane: host
    hostCapability: {named}
    adapter: {{ kind: cli, command: "{command}", outputFormat: {form} }}
    access: {{ read: true, write: {write} }}
"""
WAIVER = RegisteredRule(
    id="user.fine",
    layer="user",
    source="Settings",
    text="The shell is fine.",
    effect="allow",
    when={"tools": ("shell",)},
)


async def box_of(
    tmp_path: Path,
    command: str = "sh -c",
    *,
    form: str = "text",
    write: bool = False,
    named: str = "lime.terminal",
    capabilities: str = TERMINAL,
    rules: tuple[RegisteredRule, ...] = (WAIVER,),
    sandbox: Sandbox = NO_SANDBOX,
    runs_unconfined: bool = True,
    limits: CommandLimits | None = None,
) -> TurnToolset:
    text = INTEGRATIONS.format(command=command, form=form, write=str(write).lower(), named=named)
    package = write_app(tmp_path, capabilities=capabilities, files={"app.integrations.yaml": text})
    known = registration(package, rules=rules)
    apps = await known_apps(known.model_copy(update={"runs_unconfined": runs_unconfined}))
    surroundings = CommandDependencies(
        tmp_path / "work",
        ContentStore(tmp_path / "content"),
        lambda: sandbox,
        NO_SECRETS,
        limits or CommandLimits(time_s=30),
    )
    return ToolBroker(apps, [CommandTools(surroundings)]).toolset_for(turn_of())


@pytest.mark.requirement("RT-13")
def test_what_goes_in_and_comes_out_of_a_process_is_told_by_its_size(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    """The standard: process facts; ours: what was written is the call's result, and in no other fact."""

    async def scene() -> None:
        toolset = await box_of(tmp_path, sandbox=sandbox)
        asked: JsonObject = {"arguments": ["cat; echo no >&2"], "stdin": "private"}
        done = await run_call(toolset, "cli__shell", asked)
        told = {
            (event.type, event.payload["stream"]): event.payload["bytes"]
            for event in done.events
            if event.type in {"process.input", "process.output"}
        }
        assert told == {
            ("process.input", "stdin"): 7,
            ("process.output", "stdout"): 7,
            ("process.output", "stderr"): 3,
        }
        of_process = [event.payload for event in done.events if event.type.startswith("process.")]
        assert "private" not in str(of_process)

    run(scene())


@pytest.mark.requirement("RT-13", "RT-21")
def test_a_command_that_ran_into_a_wall_and_failed_says_which(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    """The standard: a violation is a fact of its own, and its tool only fails."""

    async def scene() -> None:
        limits = CommandLimits(time_s=30, file_bytes=1024)
        toolset = await box_of(tmp_path, sandbox=sandbox, limits=limits)
        large = {"arguments": ["exec head -c 100000 /dev/zero > out"]}
        done = await run_call(toolset, "cli__shell", cast("JsonObject", large))
        violation = next(event for event in done.events if event.type == "sandbox.violation")
        assert violation.payload == {
            "boundary": "file_size",
            "target": "process",
            "reasonCode": "file_size_limit",
        }
        assert done.types[-1] == "tool.failed"

    run(scene())


@pytest.mark.requirement("RT-13")
def test_a_program_that_cannot_be_started_fails_its_call_and_not_the_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The standard: `process.failed`, with the kind of failure."""

    async def refused(*_: object, **__: object) -> None:
        raise OSError(12, "no memory for another process")

    monkeypatch.setattr(LeashedProcess, "start", refused)

    async def scene() -> None:
        toolset = await box_of(tmp_path)
        done = await run_call(toolset, "cli__shell", {"arguments": ["true"]})
        failed = next(event for event in done.events if event.type == "process.failed")
        assert failed.payload["failureCategory"] == "spawn"
        assert done.outcome is not None
        assert (done.outcome.is_error, done.outcome.category) == (True, "spawn")

    run(scene())


def test_a_declared_program_runs_and_its_process_is_told(tmp_path: Path, sandbox: Sandbox) -> None:
    async def scene() -> None:
        toolset = await box_of(tmp_path, sandbox=sandbox)
        done = await run_call(toolset, "cli__shell", {"arguments": ["echo hello"]})
        assert done.outcome is not None
        assert done.outcome.text == "hello\n"
        assert done.types[2:] == [
            "sandbox.applied",
            "process.started",
            "process.output",
            "process.completed",
            "tool.result",
        ]
        applied = next(event for event in done.events if event.type == "sandbox.applied")
        assert applied.payload["mode"] == sandbox.mode
        # The absence of a sandbox is said, with its reason.
        assert applied.payload.get("reason") == sandbox.absence
        assert str(tmp_path) not in str([event.payload for event in done.events])

    run(scene())


def test_no_wall_no_program(tmp_path: Path) -> None:
    """A hole: without bubblewrap a declared command ran with everything that the person can reach."""

    async def scene() -> None:
        toolset = await box_of(tmp_path, runs_unconfined=False)
        [shell] = await toolset.inventory()
        assert shell.policy == "unavailable"
        assert "The test wants none." in (shell.unavailable_reason or "")
        assert "sudo get a wall" in (shell.unavailable_reason or "")
        done = await outcome_of(toolset, "cli__shell", {"arguments": ["touch ran"]})
        assert (done.is_error, done.category) == (True, "no_sandbox")

    run(scene())
    assert not list(tmp_path.rglob("ran"))


def test_in_a_sandbox_nobody_has_to_allow_anything(tmp_path: Path, bubblewrap: Sandbox) -> None:
    async def scene() -> None:
        toolset = await box_of(tmp_path, sandbox=bubblewrap, runs_unconfined=False)
        outcome = await outcome_of(toolset, "cli__shell", {"arguments": ["echo hi"]})
        assert outcome.text == "hi\n"

    run(scene())


def test_an_organisation_may_forbid_programs_without_a_wall(tmp_path: Path) -> None:
    forbidden = RegisteredRule(
        id="organisation.walls",
        layer="organisation",
        source="policy.yaml",
        text="Programs run in a sandbox.",
        effect="deny",
        when={"execution": ("unconfined",)},
    )

    async def scene() -> None:
        toolset = await box_of(tmp_path, rules=(WAIVER, forbidden))
        decision = await toolset.judge(ToolCall("c", "cli__shell", {"arguments": ["true"]}))
        assert isinstance(decision, Denied)
        assert decision.rule.id == forbidden.id

    run(scene())


def test_the_question_says_that_nothing_walls_the_program_off(tmp_path: Path) -> None:
    async def scene() -> None:
        toolset = await box_of(tmp_path, rules=())
        asked = await toolset.judge(ToolCall("c", "cli__shell", {"arguments": ["true"]}))
        assert isinstance(asked, NeedsApproval)
        assert "host.risk.unconfined" in asked.rule_ids

    run(scene())


def test_a_command_needs_a_person_unless_somebody_with_a_say_waived_it(tmp_path: Path) -> None:
    """The standard: running a command is a high risk."""

    async def scene() -> None:
        toolset = await box_of(tmp_path, rules=())
        call = ToolCall("c", "cli__shell", {"arguments": ["true"]})
        assert isinstance(await toolset.judge(call), NeedsApproval)

    run(scene())


NO_COMMANDS = RegisteredRule(
    id="organisation.no-commands",
    layer="organisation",
    source="policy.yaml",
    text="No commands here.",
    effect="deny",
    when={"capabilities": ("lime.terminal",)},
)


@pytest.mark.parametrize("named", ["lime.ui", "lime.capabilities", "lime.terminal"])
def test_in_an_agents_turn_a_program_is_a_command_whatever_the_manifest_calls_it(
    tmp_path: Path, named: str
) -> None:
    """A hole: a harmless name let an agent run `sh` unasked, past the organisation's no."""

    async def scene() -> None:
        call = ToolCall("c", "cli__shell", {"arguments": ["echo hi"]})
        asked = await (await box_of(tmp_path, named=named, rules=())).judge(call)
        assert isinstance(asked, NeedsApproval)
        assert asked.question.program == ("sh", "-c", "echo hi")
        refused = await (await box_of(tmp_path, named=named, rules=(NO_COMMANDS,))).judge(call)
        assert isinstance(refused, Denied)
        assert refused.rule.id == NO_COMMANDS.id

    run(scene())


def test_no_manifest_says_that_a_program_only_reads(tmp_path: Path) -> None:
    """A hole: `access: {write: false}` made a program one that changes nothing, and ran it beside others."""

    async def scene() -> None:
        [shell] = await (await box_of(tmp_path, write=False)).inventory()
        assert not shell.is_read_only
        assert not shell.is_concurrency_safe
        assert shell.is_destructive

    run(scene())


def test_a_kept_yes_to_a_program_is_for_what_was_shown(tmp_path: Path) -> None:
    """A hole: a yes for the session covered every argument of the program."""

    async def scene() -> None:
        toolset = await box_of(tmp_path, rules=())
        shown = ToolCall("c", "cli__shell", {"arguments": ["echo hi"]})
        needed = await toolset.judge(shown)
        assert isinstance(needed, NeedsApproval)
        await toolset.remember(shown, needed, "session")
        assert isinstance(await toolset.judge(shown), Allowed)
        for other in (["echo hi; id"], ["echo", "hi"], []):
            call = ToolCall("c", "cli__shell", {"arguments": list[JsonValue](other)})
            assert isinstance(await toolset.judge(call), NeedsApproval)
        fed = ToolCall("c", "cli__shell", {"arguments": ["echo hi"], "stdin": "x"})
        assert isinstance(await toolset.judge(fed), NeedsApproval)

    run(scene())


def test_a_command_line_that_nobody_could_read_says_that_it_goes_on() -> None:
    words = shown_words(("/usr/bin/sh", "-c", "a" * 5_000, "b" * 100))
    assert words[:2] == ("sh", "-c")
    assert words[-1] == "… (1102 more characters)"
    assert sum(map(len, words)) < 5_000


def test_an_undeclared_capability_refuses_it(tmp_path: Path) -> None:
    async def scene() -> None:
        toolset = await box_of(tmp_path, capabilities="{}")
        assert isinstance(await toolset.judge(ToolCall("c", "cli__shell")), Denied)

    run(scene())


def test_writing_outside_without_a_declared_operation_is_refused(tmp_path: Path) -> None:
    """The standard: side effects are declared as operations."""

    async def scene() -> None:
        toolset = await box_of(tmp_path, write=True)
        call = ToolCall("c", "cli__shell", {"arguments": ["true"]})
        decision = await toolset.judge(call)
        assert isinstance(decision, Denied)
        assert decision.rule.id == "manifest.side-effect-undeclared"

    run(scene())


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("no-such-program-anywhere", "not installed"),
        ("./evil.sh", "plain name"),
        ("/bin/sh", "plain name"),
        ("", "plain name"),
        ("'unclosed", "plain name"),
    ],
)
def test_a_program_that_cannot_be_had_makes_the_tool_unavailable(
    tmp_path: Path, command: str, reason: str
) -> None:
    async def scene() -> None:
        toolset = await box_of(tmp_path, command)
        assert [each.policy for each in await toolset.inventory()] == ["unavailable"]
        assert reason in (await outcome_of(toolset, "cli__shell")).text

    run(scene())


@pytest.mark.parametrize(
    ("form", "script", "category"),
    [
        ("json", "echo '{}'", None),
        ("json", "echo oops", "malformed_output"),
        ("ndjson", "echo '{}'; echo 1", None),
        ("ndjson", "echo '{'", "malformed_output"),
        ("csv", "echo 'a,b'", None),
        ("text", "exit 4", "exit_code"),
    ],
)
def test_output_is_held_to_its_declared_form(
    tmp_path: Path, form: str, script: str, category: str | None
) -> None:
    async def scene() -> None:
        toolset = await box_of(tmp_path, form=form)
        outcome = await outcome_of(toolset, "cli__shell", {"arguments": [script]})
        assert (outcome.category if outcome.is_error else None) == category

    run(scene())


def test_bytes_are_kept_and_given_by_reference(tmp_path: Path) -> None:
    async def scene() -> None:
        toolset = await box_of(tmp_path, form="binary")
        outcome = await outcome_of(toolset, "cli__shell", {"arguments": [r"printf '\000\001'"]})
        stored = ContentStore(tmp_path / "content").read(outcome.refs[0])
        assert stored == b"\x00\x01"

    run(scene())
