"""What an external agent left for an app is part of the app's data (ours: a removal leaves nothing)."""

import asyncio
from pathlib import Path

from lime_desktop.app_server.tools.work_folders import WorkFolders
from lime_desktop.protocol.calls.app_data import (
    DESCRIBE_APP_DATA,
    REMOVE_APP_DATA,
    DescribeAppDataParams,
    RemoveAppDataParams,
)
from lime_desktop.protocol.ids import AppId
from tests.app_server.execution.acp.runs import open_agent
from tests.app_server.twin import server_twin

APP = AppId("app_1")


async def nobody(_app_id: str) -> None:
    """There is nothing else to be ended."""


def test_what_an_agent_left_is_counted_and_goes_with_the_app_and_so_does_the_agent(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        runtime, engine = await open_agent(tmp_path)
        try:
            work = WorkFolders((), nobody)
            work.add(tmp_path / "work", engine.end_of_app)
            await runtime.session()
            await runtime.run("session_1", "[say one]", "turn_1")
            [folder] = (tmp_path / "work" / APP).iterdir()
            (folder / "draft.md").write_text("mine")
            other = tmp_path / "work" / "other" / "left"
            other.parent.mkdir()
            other.write_text("theirs")
            # The agent keeps something of its own there too.
            sizes = [each.stat().st_size for each in folder.iterdir()]
            assert await work.amount(APP) == (len(sizes), sum(sizes))
            await work.remove(APP)
            assert await work.amount(APP) == (0, 0)
            assert [each.name for each in (tmp_path / "work").iterdir()] == ["other"]
            # The next turn is another process's, in a folder that begins anew.
            events = await runtime.run("session_1", "[say two]", "turn_2")
            assert any(each.type == "turn.completed" for each in events)
            assert not (folder / "draft.md").exists()
        finally:
            await runtime.core.close()

    asyncio.run(scenario())


def test_the_server_counts_and_removes_it_with_the_data_of_the_app(tmp_path: Path) -> None:
    left = tmp_path / "agent-work" / APP / "session" / "draft.md"
    left.parent.mkdir(parents=True)
    left.write_text("mine")

    async def scenario() -> None:
        async with server_twin(tmp_path) as call:
            found = await call(DESCRIBE_APP_DATA, DescribeAppDataParams(app_id=APP))
            parts = {each.name: (each.items, each.size_bytes) for each in found.parts}
            assert parts["work"] == (1, 4)
            await call(REMOVE_APP_DATA, RemoveAppDataParams(app_id=APP))

    asyncio.run(scenario())
    assert not left.parent.parent.exists()
