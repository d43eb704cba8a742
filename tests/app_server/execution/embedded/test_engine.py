"""The embedded engine: what it says, what it survives, and that it leaves nothing behind (ours)."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.app_server.models.store import ModelStore
from lime_desktop.app_server.runtime_core.backend import ActionAnswer
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.errors import EngineUnavailable, ProviderFailed, ProviderNotReady
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage
from tests.app_server.execution.embedded.runs import (
    PATH_SCHEMA,
    Embedded,
    OfferingBox,
    open_embedded,
    play,
)
from tests.app_server.execution.rounds import DENIED, needs
from tests.app_server.runtime_core.runtime import crash

TOOLS = {"write": PATH_SCHEMA, "read": PATH_SCHEMA}


def types(events: list[RuntimeEvent]) -> list[str]:
    return [event.type for event in events]


def said(events: list[RuntimeEvent]) -> str:
    return "".join(str(e.payload["delta"]) for e in events if e.type == "model.delta")


def ending(events: list[RuntimeEvent]) -> RuntimeEvent:
    return next(e for e in events if e.type in {"turn.completed", "turn.failed", "turn.canceled"})


def test_a_turn_streams_its_text_and_counts_its_tokens(tmp_path: Path, upstream_data: Path) -> None:
    async def scenario(embedded: Embedded) -> None:
        events = await embedded.run("[say one two three]")
        assert said(events) == "one two three"
        assert types(events).count("model.delta") == 3
        completed = next(e for e in events if e.type == "model.completed")
        assert (completed.payload["text"], completed.payload["stopReason"]) == (
            "one two three",
            "stop",
        )
        usage = {"inputTokens": 7, "outputTokens": 3, "totalTokens": 10}
        assert ending(events).payload["usage"] == completed.payload["usage"] == usage

    play(tmp_path, upstream_data, scenario)


def test_an_answer_in_a_form_is_delivered_as_a_value(tmp_path: Path, upstream_data: Path) -> None:
    async def scenario(embedded: Embedded) -> None:
        events = await embedded.run(
            '[json {"a": 1}]', structuredOutput={"schema": {"type": "object"}}
        )
        assert ending(events).payload["structuredOutput"] == {"a": 1}

    play(tmp_path, upstream_data, scenario)


def test_a_form_that_no_grammar_can_hold_ends_the_turn_with_its_reason(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario(embedded: Embedded) -> None:
        events = await embedded.run("x", structuredOutput={"schema": {"$ref": "never://there"}})
        assert ending(events).payload["code"] == "APP_E014"

    play(tmp_path, upstream_data, scenario)


def test_a_tool_is_chosen_run_and_its_result_read(tmp_path: Path, upstream_data: Path) -> None:
    toolset = OfferingBox(schemas=TOOLS)

    async def scenario(embedded: Embedded) -> None:
        events = await embedded.run('[tool write {"path": "a.txt"}] [say done]')
        assert [(call.name, call.arguments) for call in toolset.ran] == [
            ("write", {"path": "a.txt"})
        ]
        order = [t for t in types(events) if t.startswith(("tool.", "model.completed", "turn.c"))]
        assert order == [
            "tool.catalog.resolved",
            "model.completed",
            "tool.started",
            "tool.result",
            "model.completed",
            "model.completed",
            "turn.completed",
        ]
        assert said(events) == "done"

    play(tmp_path, upstream_data, scenario, toolset=toolset)


def test_a_tool_whose_schema_no_grammar_can_hold_is_still_of_use(
    tmp_path: Path, upstream_data: Path
) -> None:
    toolset = OfferingBox(schemas={"write": {"$ref": "never://there"}})

    async def scenario(embedded: Embedded) -> None:
        events = await embedded.run('[tool write {"path": "a.txt"}] [say done]')
        assert [call.name for call in toolset.ran] == ["write"]
        assert ending(events).type == "turn.completed"

    play(tmp_path, upstream_data, scenario, toolset=toolset)


def test_what_policy_refuses_never_runs_and_the_model_hears_so(
    tmp_path: Path, upstream_data: Path
) -> None:
    toolset = OfferingBox(schemas=TOOLS, verdicts={"write": lambda _call: DENIED})

    async def scenario(embedded: Embedded) -> None:
        events = await embedded.run('[tool write {"path": "a"}] [say sorry]')
        assert toolset.ran == []
        assert "permission.denied" in types(events)
        assert (said(events), ending(events).type) == ("sorry", "turn.completed")

    play(tmp_path, upstream_data, scenario, toolset=toolset)


def test_an_approval_may_come_after_a_restart_and_the_input_may_be_edited(
    tmp_path: Path, upstream_data: Path
) -> None:
    def toolset() -> OfferingBox:
        return OfferingBox(schemas=TOOLS, verdicts={"write": lambda _call: needs("ask")})

    async def whole() -> None:
        first = await open_embedded(tmp_path, toolset())
        await first.runtime.session()
        await first.runtime.turn("session_1", '[tool write {"path": "a"}] [say ok]', "turn_1")
        question = await first.runtime.saw("action.required")
        await crash(first.runtime)
        await first.engine.close()
        tools = toolset()
        second = await open_embedded(tmp_path, tools)
        assert question.action_id is not None
        await second.runtime.respond(
            "session_1", question.action_id, decision="allow_once", updatedInput={"path": "b"}
        )
        await second.runtime.ended("turn_1")
        events = second.runtime.of_turn("turn_1")
        assert [call.arguments for call in tools.ran] == [{"path": "b"}]
        assert said(events) == "ok"
        assert ending(events).type == "turn.completed"
        await second.runtime.core.close()

    del upstream_data
    asyncio.run(whole())


@pytest.mark.parametrize("text", ["[cut]", "[garbage]", "[crash]"])
def test_a_broken_model_ends_its_turn_with_facts_and_the_next_one_works(
    tmp_path: Path, upstream_data: Path, text: str
) -> None:
    async def scenario(embedded: Embedded) -> None:
        events = await embedded.run(text)
        failed = ending(events)
        assert (failed.type, failed.payload["code"]) == ("turn.failed", ProviderFailed.code)
        warnings = [e for e in embedded.runtime.events if e.type == "runtime.warning"]
        assert {str(w.payload["failureCategory"]) for w in warnings} == {"engine_crashed"}
        assert said(await embedded.run("[say hello]", "turn_2")) == "hello"

    play(tmp_path, upstream_data, scenario)


def test_a_model_that_dies_before_it_spoke_is_started_again_within_the_turn(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario(embedded: Embedded) -> None:
        events = await embedded.run(f"[crash once {tmp_path / 'crashed'}] [say back again]")
        assert said(events) == "back again"
        [warning] = [e for e in embedded.runtime.events if e.type == "runtime.warning"]
        assert (warning.payload["exitCode"], warning.payload["recoverable"]) == (139, True)
        assert types(events).count("model.failed") == 1
        assert ending(events).type == "turn.completed"

    play(tmp_path, upstream_data, scenario)


def test_a_model_that_would_not_fit_into_memory_is_not_even_loaded(
    tmp_path: Path, upstream_data: Path
) -> None:
    """Ours: a computer that swaps helps nobody; what is needed and what there is, is told."""

    async def scenario(embedded: Embedded) -> None:
        failed = ending(await embedded.run("[say hello]")).payload
        assert failed["reasonCode"] == "memory_short"
        assert failed["message"] == "Pretended needs about 200 MB of memory, and 150 MB are free."
        assert failed["recoveryHint"] == "Close other programs, or choose a smaller model"
        assert embedded.host.served is None

    play(tmp_path, upstream_data, scenario, memory=150_000_000)


def test_a_model_that_the_system_killed_is_told_as_short_of_memory(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario(embedded: Embedded) -> None:
        failed = ending(await embedded.run("[killed]")).payload
        assert failed["reasonCode"] == "model_killed"
        assert "memory ran out" in str(failed["message"])

    play(tmp_path, upstream_data, scenario)


def test_a_cancelled_turn_frees_the_model_at_once(tmp_path: Path, upstream_data: Path) -> None:
    async def scenario(embedded: Embedded) -> None:
        await embedded.runtime.turn("session_1", "[hang]", "turn_1")
        await embedded.runtime.saw("model.delta")
        await embedded.runtime.cancel("session_1", "turn_1")
        assert ending(embedded.runtime.of_turn("turn_1")).type == "turn.canceled"
        assert said(await embedded.run("[say next]", "turn_2")) == "next"

    play(tmp_path, upstream_data, scenario)


def test_a_turn_waits_for_the_model_and_says_so(tmp_path: Path, upstream_data: Path) -> None:
    async def scenario(embedded: Embedded) -> None:
        runtime = embedded.runtime
        await runtime.session("session_2")
        await runtime.turn("session_1", "[hang]", "turn_1")
        await runtime.saw("model.delta", "turn_1")
        await runtime.turn("session_2", "[say mine]", "turn_2")
        await runtime.saw("model.requested", "turn_2")
        await runtime.until(
            lambda e: e.turn_id == "turn_2" and e.payload.get("phase") == "waiting_provider",
            "that turn_2 waits",
        )
        await runtime.cancel("session_1", "turn_1")
        await runtime.ended("turn_2")
        assert said(runtime.of_turn("turn_2")) == "mine"

    play(tmp_path, upstream_data, scenario)


def test_huge_output_arrives_whole(tmp_path: Path, upstream_data: Path) -> None:
    async def scenario(embedded: Embedded) -> None:
        events = await embedded.run("[flood 3000]")
        assert said(events).count("y") == 3_000
        assert ending(events).type == "turn.completed"

    play(tmp_path, upstream_data, scenario)


def test_a_long_past_is_cut_from_its_beginning_and_the_cut_is_told(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario(embedded: Embedded) -> None:
        for number in range(3):
            words = " ".join(f"word{n}" for n in range(300))
            await embedded.run(f"[say {words}]", f"turn_{number}")
        events = await embedded.run("[say end]", "turn_9")
        context = next(e for e in events if e.type == "context.resolved").payload
        assert context["contextTokens"] == 2_048
        assert context["omittedMessageCount"] == 3
        too_long = await embedded.run("word " * 3_000, "turn_10")
        assert ending(too_long).payload["code"] == "APP_E133"

    play(tmp_path, upstream_data, scenario)


def test_without_weights_the_offer_says_what_is_missing(tmp_path: Path) -> None:
    async def whole() -> None:
        store = ModelStore(tmp_path / "none")
        embedded = await open_embedded(tmp_path, OfferingBox(), store=store)
        [offer] = await embedded.engine.offers()
        assert offer.obstacle is not None
        assert offer.obstacle.reason_code == "weights_missing"
        await embedded.runtime.session()
        with pytest.raises(ProviderNotReady):
            await embedded.runtime.turn("session_1", "hello")
        await embedded.runtime.core.close()

    asyncio.run(whole())


def test_what_is_offered_is_labelled_as_what_it_is(tmp_path: Path) -> None:
    async def whole() -> ModelDescription:
        embedded = await open_embedded(tmp_path, OfferingBox())
        await embedded.runtime.core.close()
        return (await embedded.engine.offers())[0]

    offer = asyncio.run(whole())
    assert (offer.is_local, offer.title, offer.context_tokens) == (True, "Pretended", 2_048)
    assert "often wrong" in (offer.note or "")
    assert offer.rank > 900


def test_weights_that_do_not_load_fail_and_are_left_alone_after_a_while(tmp_path: Path) -> None:
    async def whole() -> None:
        folder = tmp_path / "[will not load]"
        folder.mkdir()
        embedded = await open_embedded(folder, OfferingBox())
        [offer] = await embedded.engine.offers()
        for _ in range(3):
            with pytest.raises(ProviderFailed):
                await embedded.engine.summarize("app", (), offer)
        with pytest.raises(EngineUnavailable):
            await embedded.engine.summarize("app", (), offer)
        await embedded.runtime.core.close()

    asyncio.run(whole())


def test_a_conversation_is_summarised(tmp_path: Path) -> None:
    async def whole() -> str:
        embedded = await open_embedded(tmp_path, OfferingBox())
        [offer] = await embedded.engine.offers()
        history = (HistoryMessage(message_id="m", role="user", text="[say in short]"),)
        try:
            return await embedded.engine.summarize("app", history, offer)
        finally:
            await embedded.runtime.core.close()

    assert asyncio.run(whole()) == "in short"


def test_an_answer_to_nobodys_question_changes_nothing(tmp_path: Path) -> None:
    async def whole() -> None:
        embedded = await open_embedded(tmp_path, OfferingBox())
        answer = ActionAnswer("nobody asked", "allow", "allow")
        await embedded.runtime.engine.respond_action("turn_0", answer)
        await embedded.runtime.core.close()

    asyncio.run(whole())
