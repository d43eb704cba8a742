"""An app's own program, asked by its page through the bridge: real processes, behind the real wall."""

from pathlib import Path

import pytest

from lime_desktop.app_server.tools.backends.log import MOST_BYTES
from lime_desktop.app_server.tools.backends.process import Times
from lime_desktop.host.approvals.question import Answer
from lime_desktop.protocol.calls.app_data import (
    DESCRIBE_APP_DATA,
    REMOVE_APP_DATA,
    DescribeAppDataParams,
    RemoveAppDataParams,
)
from lime_desktop.protocol.ids import AppId
from tests.app_server.tools.backends.backend_app import ask, end_of
from tests.app_server.tools.backends.conftest import Show
from tests.app_server.tools.commands.conftest import until_gone
from tests.host.bridged import Bridged
from tests.sandboxed import NEEDS_SANDBOX

pytestmark = NEEDS_SANDBOX

IMPATIENT = Times(cancel_s=0.3, health_s=0.3, stop_s=0.3)


@pytest.mark.requirement("APP-30")
def test_a_page_has_its_backend_work_and_a_person_is_asked_about_the_program_once(
    show: Show,
) -> None:
    async def scene(page: Bridged) -> None:
        call = {"key": "engine/add", "input": {"a": 1, "b": 2}}
        assert await page.code("lime.tools.invoke", **call) == "APP_E010"
        [question] = page.approvals.queue.open
        assert question.action == "lime.terminal.run"
        assert question.program == ("python3", "services/engine/main.py")
        page.approvals.queue.answer([question.question_id], Answer(is_yes=True, remember="session"))
        first = await end_of(page, await page.value("lime.tools.invoke", **call))
        assert (first["status"], first["output"]["sum"]) == ("succeeded", 3)
        # Another input is the same program: nobody is asked again, and it still runs.
        second = await end_of(
            page, await page.value("lime.tools.invoke", key="engine/add", input={"a": 2, "b": 2})
        )
        assert second["output"] == {"sum": 4, "token": first["output"]["token"]}
        kept = await page.value("lime.evidence.list")
        assert sum("lime.tools.invoke was carried out" in each["message"] for each in kept) == 2

    show(scene)


def test_it_is_told_where_it_is_and_nothing_of_this_machine_beyond(
    show: Show, tmp_path: Path
) -> None:
    async def scene(page: Bridged) -> None:
        told = (await ask(page, "host"))["output"]
        assert (told["contract"], told["service"]) == (1, "engine")
        assert told["app"] == {"id": "notes", "version": "1.0.0"}
        assert Path(told["folders"]["state"]).is_relative_to(
            tmp_path / "data" / "backends" / "notes"
        )
        unknown = await ask(page, "nothing")
        assert (unknown["status"], unknown["message"]) == ("failed", "There is no method nothing")

    show(scene)


def test_a_page_hears_how_far_it_is_and_stops_it(show: Show) -> None:
    async def scene(page: Bridged) -> None:
        await ask(page, "add", a=1, b=1)
        run = await page.value("lime.tools.invoke", key="engine/slow", input={})
        while not run["progress"]:
            run = await page.value("lime.tools.getProgress", invocationId=run["invocationId"])
        assert run["message"].startswith("step ")
        # Calls of one backend run beside each other.
        before = (await ask(page, "looked"))["output"]
        assert before["seen"] == []
        ended = await page.value("lime.terminal.cancel", runId=run["invocationId"])
        assert ended["status"] == "cancelled"
        while not (after := (await ask(page, "looked"))["output"])["seen"]:
            pass
        assert after == {"seen": ["cancelled"], "token": before["token"]}

    show(scene, Times(), resourceLimits={"timeoutMs": 50_000})


def test_a_crash_in_the_middle_of_a_call_is_told_with_its_last_words_and_the_next_call_starts_it_anew(
    show: Show, tmp_path: Path
) -> None:
    async def scene(page: Bridged) -> None:
        assert (await ask(page, "keep"))["output"] == "x"
        crashed = await ask(page, "crash")
        assert crashed["status"] == "failed"
        assert crashed["message"].startswith("The backend ended with code 3. It last wrote: ")
        assert crashed["message"].endswith("token ***\nabout to die")
        # Its own folder is as it was.
        assert (await ask(page, "keep"))["output"] == "xx"

    show(scene)
    [log] = (tmp_path / "data" / "backends" / "notes" / "logs").glob("*.log")
    assert log.read_text() == "token ***\nabout to die\n"


def test_one_that_fails_again_and_again_is_left_alone_and_says_so_at_once(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lime_desktop.app_server.tools.backends.supervised.MOST_FAILURES", 2)

    async def scene(page: Bridged) -> None:
        for _ in range(2):
            assert "ended with code 3" in (await ask(page, "crash"))["message"]
        refused = await ask(page, "add", a=1, b=1)
        assert refused["status"] == "failed"
        assert "It is started again in 600 seconds at the earliest." in refused["message"]

    show(scene)


def test_one_that_hears_nothing_any_more_is_ended_and_one_that_only_ignores_a_cancel_is_not(
    show: Show,
) -> None:
    async def scene(page: Bridged) -> None:
        first = (await ask(page, "add", a=1, b=1))["output"]["token"]
        late = await ask(page, "deaf")
        assert late["message"] == "The backend took longer than 0.2 seconds."
        assert (await ask(page, "add", a=1, b=1))["output"]["token"] == first
        await ask(page, "hang")
        while (again := await ask(page, "add", a=1, b=1))["status"] == "failed":
            pass
        assert again["output"]["token"] != first

    show(scene, IMPATIENT, resourceLimits={"timeoutMs": 200})


def test_floods_of_events_and_logs_are_slowed_down_and_harm_nobody(
    show: Show, tmp_path: Path
) -> None:
    async def scene(page: Bridged) -> None:
        await ask(page, "add", a=1, b=1)
        for method in ("events", "logs"):
            run = await page.value("lime.tools.invoke", key=f"engine/{method}", input={})
            assert run["status"] == "running"
            await page.value("lime.storage.set", key="k", value="still served")
            await page.value("lime.terminal.cancel", runId=run["invocationId"])

    show(scene, IMPATIENT)
    logs = list((tmp_path / "data" / "backends" / "notes" / "logs").glob("*.log"))
    assert all(log.stat().st_size <= MOST_BYTES for log in logs)


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("nonsense", "The backend wrote to stdout what is no JSON-RPC, and was ended."),
        ("huge", "The backend sent a message of more than 8388608 bytes and was ended."),
    ],
)
def test_one_that_breaks_the_contract_is_ended(show: Show, method: str, words: str) -> None:
    async def scene(page: Bridged) -> None:
        assert (await ask(page, method))["message"] == words
        assert (await ask(page, "add", a=1, b=1))["output"]["sum"] == 2

    show(scene)


def test_it_gets_no_more_memory_and_processes_than_it_may_have(show: Show) -> None:
    async def scene(page: Bridged) -> None:
        assert (await ask(page, "memory"))["output"] == "refused"
        many = await ask(page, "processes")
        # The kernel refuses more, or root's own watch ends them all.
        assert many["output"] == "refused" or "too many processes" in many["message"]

    show(scene, resourceLimits={"memoryMb": 256})


def test_it_ends_when_nobody_needs_it_with_everything_that_it_started(show: Show) -> None:
    async def scene(page: Bridged) -> None:
        mark = f"family-{page.folder.name}"
        first = (await ask(page, "family", mark=mark))["output"]
        assert first
        await until_gone(mark)
        assert (await ask(page, "add", a=1, b=1))["output"]["token"] != first

    show(scene, Times(idle_s=0.1, stop_s=0.3))


def test_what_it_left_goes_with_the_apps_data_and_it_with_that(show: Show, tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert (await ask(page, "keep"))["output"] == "x"
        assert list((tmp_path / "data" / "backends").rglob("kept.txt"))
        app_id = AppId("notes")
        described = await page.connection.call(
            DESCRIBE_APP_DATA, DescribeAppDataParams(app_id=app_id)
        )
        [work] = [each for each in described.parts if each.name == "work"]
        assert work.items == 1
        await page.connection.call(REMOVE_APP_DATA, RemoveAppDataParams(app_id=app_id))
        assert not list((tmp_path / "data" / "backends").rglob("kept.txt"))
        assert (await ask(page, "keep"))["output"] == "x"

    show(scene)


def test_what_is_missing_on_the_machine_is_said_and_nothing_is_started(
    show: Show,
) -> None:
    async def scene(page: Bridged) -> None:
        refused = await page("lime.tools.invoke", key="engine/add", input={})
        assert refused["details"]["reasonCode"] == "tool_unavailable"
        assert refused["message"] == "The program no-such-interpreter is not installed."

    show(scene, command="no-such-interpreter services/engine/main.py")
