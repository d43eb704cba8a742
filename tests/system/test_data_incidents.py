"""What is found in stored data reaches the desktop: at its start, and while it runs (ours)."""

import asyncio
import shutil
import sqlite3  # noqa: TID251 - plays the damage
from pathlib import Path

import pytest

from lime_desktop.database.incidents import Incident
from lime_desktop.host.app_server_client.data_incidents import DataIncidentFeed
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.protocol.calls.data_incidents import LIST_DATA_INCIDENTS
from lime_desktop.protocol.calls.sessions import (
    LIST_SESSIONS,
    START_SESSION,
    ListSessionsParams,
    StartSessionParams,
)
from lime_desktop.protocol.wire import HostOnlyParams

pytestmark = pytest.mark.system

WAIT_S = 60.0


async def start_session(sidecar: Sidecar, session_id: str) -> None:
    params = StartSessionParams.model_validate({"appId": "app_1", "sessionId": session_id})
    await sidecar.connection.call(START_SESSION, params)


def test_a_killed_server_whose_log_was_deleted_says_so_when_it_is_back(tmp_path: Path) -> None:
    async def scenario() -> None:
        data = tmp_path / "data"
        sidecar = await Sidecar.start(app_server_command(data))
        await start_session(sidecar, "session_1")
        await sidecar.stop()
        sidecar = await Sidecar.start(app_server_command(data))
        await start_session(sidecar, "session_2")
        crashed = tmp_path / "crashed"
        await asyncio.to_thread(shutil.copytree, data, crashed)
        await sidecar.stop()
        (crashed / "runtime.db-wal").unlink()
        shown: list[Incident] = []
        feed = DataIncidentFeed(shown.append)
        known = len(shown)
        sidecar = await Sidecar.start(app_server_command(crashed))
        feed.introduce(sidecar.connection)
        await feed.catch_up(sidecar.connection.call)
        await feed.catch_up(sidecar.connection.call)
        feed.close()
        [incident] = set(shown[known:])
        assert (incident.kind, incident.database) == ("commits_lost", "runtime.db")
        assert incident.count > 0
        assert any("acknowledged commits are missing" in line for line in sidecar.log_lines)
        await sidecar.stop()

    asyncio.run(asyncio.wait_for(scenario(), WAIT_S))


def test_a_bad_byte_is_mended_by_the_server_itself_and_told(tmp_path: Path) -> None:
    """Bug: with this byte in a session that was at work, the App Server did not start."""

    async def scenario() -> None:
        data = tmp_path / "data"
        sidecar = await Sidecar.start(app_server_command(data))
        await start_session(sidecar, "session_1")
        await sidecar.stop()
        connection = sqlite3.connect(data / "runtime.db")
        connection.execute(
            "UPDATE session SET is_unfinished=1, state=CAST(replace(CAST(state AS TEXT), "
            "'session_1', 'session_'||CAST(x'ff' AS TEXT)) AS BLOB)"
        )
        connection.commit()
        connection.close()
        sidecar = await Sidecar.start(app_server_command(data))
        listed = await sidecar.connection.call(LIST_SESSIONS, ListSessionsParams())
        assert [each.session_id for each in listed.sessions] == ["session_1"]
        found = await sidecar.connection.call(LIST_DATA_INCIDENTS, HostOnlyParams())
        [incident] = found.incidents
        assert incident.kind == "read_models_mended"
        assert (data / (incident.kept_as or "")).is_file()
        await sidecar.stop()

    asyncio.run(asyncio.wait_for(scenario(), WAIT_S))
