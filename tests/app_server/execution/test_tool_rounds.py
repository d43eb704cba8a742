"""One round of tool calls through RuntimeCore: every fact is judged by its gates and by the published schema."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.protocol.errors import ToolCallFailed
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from tests.app_server.bounded import run
from tests.app_server.execution.rounds import (
    DENIED,
    ForgetfulBox,
    RoundEngine,
    TestBox,
    call,
    needs,
    open_rounds,
)
from tests.app_server.held_rules import check_everything
from tests.app_server.runtime_core.runtime import Runtime, crash

Scene = Callable[[Runtime, RoundEngine], Awaitable[None]]
Play = Callable[[list[ToolCall], TestBox, Scene], RoundEngine]
Told = AsyncIterator[ProposedEvent | ToolOutcome]


@pytest.fixture
def play(tmp_path: Path, upstream_data: Path) -> Play:
    """Run a turn of these calls; all that was written is checked afterwards."""

    def play_round(calls: list[ToolCall], toolset: TestBox, scene: Scene) -> RoundEngine:
        engine = RoundEngine(calls, toolset)

        async def whole() -> None:
            runtime = await open_rounds(tmp_path / "data", engine)
            try:
                await runtime.session()
                await runtime.turn("session_1", "go", "turn_1")
                await scene(runtime, engine)
                await check_everything(runtime, upstream_data)
            finally:
                await runtime.core.close()

        run(whole())
        return engine

    return play_round


async def until_ended(runtime: Runtime, _engine: RoundEngine) -> None:
    await runtime.ended("turn_1")


def tool_types(runtime: Runtime) -> list[str]:
    families = ("tool.", "permission.", "action.")
    return [event.type for event in runtime.events if event.type.startswith(families)]


def test_an_allowed_call_runs_and_is_told_from_start_to_result(play: Play) -> None:
    toolset = TestBox()

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await until_ended(runtime, engine)
        assert tool_types(runtime) == ["tool.started", "permission.evaluated", "tool.result"]

    engine = play([call("write", path="a.txt")], toolset, scene)
    assert engine.outcomes["call_write"].text == "write did {'path': 'a.txt'}"


def test_a_denied_call_is_a_fact_and_never_runs(play: Play) -> None:
    """The standard: deny beats everything, and the tool never ran."""
    toolset = TestBox(verdicts={"write": lambda _call: DENIED})

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await until_ended(runtime, engine)
        assert tool_types(runtime) == [
            "tool.started",
            "permission.evaluated",
            "permission.resolved",
            "permission.denied",
            "tool.failed",
        ]
        failed = next(e for e in runtime.events if e.type == "tool.failed")
        assert failed.payload["failureCategory"] == "permission_denied"

    engine = play([call("write")], toolset, scene)
    assert toolset.ran == []
    assert engine.outcomes["call_write"].is_error


def test_an_unknown_tool_is_told_and_not_judged(play: Play) -> None:
    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await until_ended(runtime, engine)
        assert tool_types(runtime) == ["tool.started", "tool.failed"]

    engine = play([call("missing")], TestBox(), scene)
    assert engine.outcomes["call_missing"].category == "tool_unknown"


def test_a_question_holds_its_tool_until_somebody_says_yes(play: Play) -> None:
    toolset = TestBox(verdicts={"write": lambda _call: needs("risk")})

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        asked = await runtime.saw("action.required")
        assert toolset.ran == []
        assert asked.payload["arguments"] == {"path": "a.txt"}
        assert asked.payload["availableDecisions"] == ["allow_once", "decline"]
        await runtime.respond("session_1", "call_write:approval", decision="allow_once")
        await until_ended(runtime, engine)

    play([call("write", path="a.txt")], toolset, scene)
    assert [each.arguments for each in toolset.ran] == [{"path": "a.txt"}]


def test_a_no_is_passed_on_with_its_words_and_nothing_runs(play: Play) -> None:
    toolset = TestBox(verdicts={"write": lambda _call: needs("risk")})

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await runtime.saw("action.required")
        await runtime.respond(
            "session_1", "call_write:approval", decision="decline", message="Not that file."
        )
        await until_ended(runtime, engine)

    engine = play([call("write")], toolset, scene)
    assert toolset.ran == []
    assert "Not that file." in engine.outcomes["call_write"].text


def test_edited_input_is_what_runs(play: Play) -> None:
    toolset = TestBox(verdicts={"write": lambda _call: needs("risk")})

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await runtime.saw("action.required")
        await runtime.respond(
            "session_1",
            "call_write:approval",
            decision="allow_once",
            updatedInput={"path": "safe.txt"},
        )
        await until_ended(runtime, engine)
        told = next(e for e in runtime.events if e.type == "tool.args")
        assert told.payload["safeArgs"] == {"path": "safe.txt"}

    play([call("write", path="danger.txt")], toolset, scene)
    assert [each.arguments for each in toolset.ran] == [{"path": "safe.txt"}]


def test_nobody_can_edit_a_call_past_policy(play: Play) -> None:
    """Ours: the edited input is judged like any other."""
    toolset = TestBox(
        verdicts={"write": lambda c: DENIED if c.arguments["path"] == "secret" else needs("risk")}
    )

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await runtime.saw("action.required")
        await runtime.respond(
            "session_1",
            "call_write:approval",
            decision="allow_once",
            updatedInput={"path": "secret"},
        )
        await until_ended(runtime, engine)

    engine = play([call("write", path="a.txt")], toolset, scene)
    assert toolset.ran == []
    assert engine.outcomes["call_write"].category == "permission_denied"


def test_an_edit_that_raises_a_new_question_is_asked_again(play: Play) -> None:
    toolset = TestBox(
        verdicts={"write": lambda c: needs("risk", *(["far"] if c.arguments.get("far") else []))}
    )

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await runtime.saw("action.required")
        await runtime.respond(
            "session_1", "call_write:approval", decision="allow_once", updatedInput={"far": True}
        )
        await runtime.until(lambda e: e.action_id == "call_write:approval:2", "a second question")
        assert toolset.ran == []
        await runtime.respond("session_1", "call_write:approval:2", decision="allow_once")
        await until_ended(runtime, engine)

    play([call("write")], toolset, scene)
    assert [each.arguments for each in toolset.ran] == [{"far": True}]


def test_a_yes_does_not_supply_what_is_missing(play: Play) -> None:
    toolset = TestBox(verdicts={"write": lambda _call: needs("unbound", kind="elicitation")})

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await runtime.saw("action.required")
        await runtime.respond(
            "session_1", "call_write:approval", actionType="elicitation", decision="allow_once"
        )
        await until_ended(runtime, engine)

    engine = play([call("write")], toolset, scene)
    assert toolset.ran == []
    assert engine.outcomes["call_write"].is_error


def test_a_yes_for_the_session_is_remembered_where_it_was_offered(play: Play) -> None:
    toolset = TestBox(verdicts={"write": lambda _call: needs("risk", remember=("task", "session"))})

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await runtime.saw("action.required")
        await runtime.respond("session_1", "call_write:approval", decision="allow_for_session")
        await until_ended(runtime, engine)

    play([call("write")], toolset, scene)
    assert [each.name for each in toolset.remembered] == ["write"]


def test_a_yes_that_cannot_be_kept_holds_for_its_call_and_is_told(play: Play) -> None:
    """A bug: it was only logged. What cannot be kept is no reason to refuse what a person agreed to."""
    toolset = ForgetfulBox(verdicts={"write": lambda _call: needs("risk", remember=("session",))})

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await runtime.saw("action.required")
        await runtime.respond("session_1", "call_write:approval", decision="allow_for_session")
        await until_ended(runtime, engine)
        warning = await runtime.saw("runtime.warning")
        assert warning.payload["code"] == "approval_not_kept"
        assert warning.payload["failureCategory"] == "APP_E220"

    play([call("write")], toolset, scene)
    assert [each.name for each in toolset.ran] == ["write"]


def test_readers_run_side_by_side_and_writers_one_at_a_time(play: Play) -> None:
    """The standard: writes are serialised."""
    readers = asyncio.Barrier(3)
    open_writers: list[str] = []

    async def read(this: ToolCall, _mailbox: AnswerMailbox) -> Told:
        await readers.wait()
        yield ToolOutcome(this.call_id, "read")

    async def write(this: ToolCall, _mailbox: AnswerMailbox) -> Told:
        assert not open_writers
        open_writers.append(this.call_id)
        await asyncio.sleep(0)
        yield ProposedEvent(
            type="tool.progress",
            tool_call_id=this.call_id,  # pyright: ignore[reportArgumentType] - an id by name
            payload={"message": "half"},
        )
        await asyncio.sleep(0)
        open_writers.remove(this.call_id)
        yield ToolOutcome(this.call_id, "written")

    toolset = TestBox(bodies={"read": read, "write": write})
    calls = [call(name, f"{name}_{n}") for n in range(3) for name in ("read", "write")]
    engine = play(calls, toolset, until_ended)
    assert len(engine.outcomes) == 6


def test_a_tool_that_refuses_by_name_fails_its_call_and_not_the_turn(play: Play) -> None:
    async def fail(this: ToolCall, _mailbox: AnswerMailbox) -> Told:
        if this.call_id:
            raise ToolCallFailed("The server went away")
        yield ToolOutcome(this.call_id, "")

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await until_ended(runtime, engine)
        assert runtime.types("turn_1")[-2] == "turn.completed"

    engine = play([call("write")], TestBox(bodies={"write": fail}), scene)
    assert engine.outcomes["call_write"].text == "The server went away"


def test_a_result_of_a_megabyte_is_told_by_reference(play: Play) -> None:
    text = "x" * 1_000_000

    async def flood(this: ToolCall, _mailbox: AnswerMailbox) -> Told:
        yield ToolOutcome(this.call_id, text, refs=("file:1",))

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await until_ended(runtime, engine)
        result = next(e for e in runtime.events if e.type == "tool.result")
        assert result.output_ref is not None
        assert result.payload["outputBytes"] == 1_000_000
        assert result.payload["refIds"] == ["file:1"]

    engine = play([call("read")], TestBox(bodies={"read": flood}), scene)
    assert engine.outcomes["call_read"].text == text


def test_arguments_that_look_like_keys_are_named_and_not_told(play: Play) -> None:
    """Ours: no event holds a key, and a careless model does not end its turn by sending one."""

    async def scene(runtime: Runtime, engine: RoundEngine) -> None:
        await until_ended(runtime, engine)
        told = next(e for e in runtime.events if e.type == "tool.started")
        assert told.payload["safeArgs"] == {"to": "me", "deep": [{}]}
        assert told.payload["hiddenArgs"] == ["password", "deep[0].apiKey"]

    arguments: JsonObject = {"to": "me", "password": "p", "deep": [{"apiKey": "k"}]}
    play([ToolCall("call_write", "write", arguments)], TestBox(), scene)


def test_more_calls_than_a_turn_holds_open_are_run_in_groups(play: Play) -> None:
    calls = [call("write", f"call_{n}") for n in range(70)]
    engine = play(calls, TestBox(verdicts={"write": lambda _call: DENIED}), until_ended)
    assert len(engine.outcomes) == 70


def test_cancelling_the_turn_ends_the_tool(play: Play) -> None:
    ended: list[str] = []

    async def hang(this: ToolCall, _mailbox: AnswerMailbox) -> Told:
        try:
            yield ProposedEvent(
                type="tool.progress",
                tool_call_id=this.call_id,  # pyright: ignore[reportArgumentType] - an id by name
                payload={"message": "running"},
            )
            await asyncio.Event().wait()
        finally:
            ended.append(this.call_id)

    async def scene(runtime: Runtime, _engine: RoundEngine) -> None:
        await runtime.saw("tool.progress")
        await runtime.cancel("session_1", "turn_1")
        await runtime.ended("turn_1")
        assert "tool.failed" in runtime.types("turn_1")

    play([call("write")], TestBox(bodies={"write": hang}), scene)
    assert ended == ["call_write"]


def restarted(tmp_path: Path, toolset: TestBox, before: Scene, after: Scene) -> RoundEngine:
    calls = [call("read"), call("write", path="a.txt")]
    engine = RoundEngine(calls, toolset)

    async def whole() -> None:
        first = await open_rounds(tmp_path / "data", RoundEngine(calls, toolset))
        await first.session()
        await first.turn("session_1", "go", "turn_1")
        await before(first, engine)
        await crash(first)
        second = await open_rounds(tmp_path / "data", engine)
        try:
            await after(second, engine)
            await second.ended("turn_1")
        finally:
            await second.core.close()

    run(whole())
    return engine


def test_an_answer_after_a_restart_runs_the_call_once(tmp_path: Path) -> None:
    """The standard: a question outlives the process that asked it."""
    toolset = TestBox(verdicts={"write": lambda _call: needs("risk")})

    async def before(runtime: Runtime, _engine: RoundEngine) -> None:
        await runtime.saw("action.required")
        await runtime.saw("tool.result")

    async def after(runtime: Runtime, _engine: RoundEngine) -> None:
        await runtime.respond("session_1", "call_write:approval", decision="allow_once")

    engine = restarted(tmp_path, toolset, before, after)
    assert [each.name for each in toolset.ran] == ["read", "write"]
    assert engine.outcomes["call_read"].category == "interrupted"
    assert not engine.outcomes["call_write"].is_error


def test_what_was_forbidden_meanwhile_does_not_run(tmp_path: Path) -> None:
    verdicts = [needs("risk")]
    toolset = TestBox(verdicts={"write": lambda _call: verdicts[-1]})

    async def before(runtime: Runtime, _engine: RoundEngine) -> None:
        await runtime.saw("action.required")
        await runtime.saw("tool.result")

    async def after(runtime: Runtime, _engine: RoundEngine) -> None:
        toolset.verdicts = {"write": lambda _call: DENIED}
        await runtime.respond("session_1", "call_write:approval", decision="allow_once")

    engine = restarted(tmp_path, toolset, before, after)
    assert [each.name for each in toolset.ran] == ["read"]
    assert engine.outcomes["call_write"].category == "permission_denied"


def test_a_question_about_edited_input_is_taken_back_after_a_restart(tmp_path: Path) -> None:
    """Ours: only the dead process knew the edited input, and the first one must not run instead."""
    toolset = TestBox(
        verdicts={"write": lambda c: needs("risk", *(["far"] if c.arguments.get("far") else []))}
    )

    async def before(runtime: Runtime, _engine: RoundEngine) -> None:
        await runtime.saw("action.required")
        await runtime.saw("tool.result")
        await runtime.respond(
            "session_1", "call_write:approval", decision="allow_once", updatedInput={"far": True}
        )
        await runtime.until(lambda e: e.action_id == "call_write:approval:2", "a second question")

    async def after(runtime: Runtime, _engine: RoundEngine) -> None:
        await runtime.saw("action.resolved")

    engine = restarted(tmp_path, toolset, before, after)
    assert [each.name for each in toolset.ran] == ["read"]
    assert engine.outcomes["call_write"].category == "interrupted"
