"""Tools at work for pages: whatever becomes of one, the page hears of its end."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.invocations import Invocations
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from tests.app_server.bounded import run
from tests.app_server.tools.test_toolset import Plain, broker, plain
from tests.app_server.tools.turns import turn_of


class Broken(Plain):
    """A tool with a bug."""

    async def run(self, call: ToolCall, mailbox: AnswerMailbox) -> AsyncIterator[ToolOutcome]:
        del call, mailbox
        raise RuntimeError("the secret inside")
        yield  # pyright: ignore[reportUnreachable] - makes this an async generator


def test_a_tool_that_breaks_ends_its_run_and_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Ours: a page that waits for a run must not wait for one that nobody works on any more."""

    async def scene() -> None:
        tool = Broken(plain("broken").row)
        toolset = (await broker(tmp_path, [tool])).toolset_for(turn_of())
        invocations = Invocations()
        try:
            call = ToolCall("call_1", "broken")
            begun = invocations.begin("notes", call, toolset, is_alone=True)
            ended = await invocations.watch("notes", begun, wait_s=5)
        finally:
            await invocations.close()
        assert (ended.status, ended.category) == ("failed", "upstream_failed")
        assert "secret" not in (ended.message or "")

    with caplog.at_level(logging.ERROR):
        run(scene())
    assert [record.exc_info is not None for record in caplog.records] == [True]
