"""Few files of apps are open at a time (ours)."""

from pathlib import Path

import pytest

from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.errors import ShuttingDown
from lime_desktop.protocol.ids import AppId
from tests.jsonrpc.conversation import run


def touch(connection: Connection) -> None:
    connection.execute("UPDATE lime_usage SET used_bytes = used_bytes")


def test_a_file_is_closed_for_another_only_when_nobody_uses_it(tmp_path: Path) -> None:
    async def scene() -> None:
        files = AppFiles(tmp_path, max_open=1)
        async with files.use(AppId("first")) as first:
            async with files.use(AppId("second")) as second:
                await second.write(touch)
            await first.write(touch)
        async with files.use(AppId("third")):
            for closed in (first, second):
                with pytest.raises(ShuttingDown):
                    await closed.write(touch)
        await files.close()

    run(scene())
