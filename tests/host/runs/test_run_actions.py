"""What a person may do with a run: stop it, read what it made, take along evidence that can be checked (ours)."""

from pathlib import Path

import pytest

from lime_desktop.app_server.evidence.verification import verify
from lime_desktop.app_server.execution.scripted import Hold, ScriptedEngine
from lime_desktop.host.runs.run_actions import read_result, stop_run
from lime_desktop.host.runs.run_exports import export_run
from lime_desktop.host.user_profile.user_paths import app_server_folder
from lime_desktop.host.wording.texts import read_texts
from lime_desktop.protocol.calls.sessions import LIST_SESSIONS, ListSessionsParams
from lime_desktop.protocol.errors import HostActionFailed
from lime_desktop.resources import resources_folder
from tests.app_server.apps.packages import write_app
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, play

ENGLISH = read_texts(resources_folder() / "locales", ["en"])
AGENT = "{lime.agent: '>=0.3.0'}"
MAKER = """requires: {capabilities: {lime.artifacts: '>=0.3.0'}}
artifactTypes: [{key: report}]
"""


def test_a_run_is_stopped_and_its_evidence_written_once(tmp_path: Path) -> None:
    data, target = tmp_path / "data", tmp_path / "evidence"
    target.mkdir()

    async def scene(page: Bridged) -> None:
        call = page.connection.call
        task = await page.value("lime.agent.startTask", prompt="wait")
        [session] = (await call(LIST_SESSIONS, ListSessionsParams())).sessions
        await stop_run(call, session.session_id, task["turnId"])

        async def export(into: Path) -> Path:
            return await export_run(call, "evidence", session.session_id, data, into, ENGLISH)

        written = await export(target)
        assert verify(written).is_sound
        events = (written / "events.jsonl").read_text("utf-8")
        assert "turn.canceled" in events
        # Every export is a new one, in a folder of its own.
        again = await export(target)
        assert again != written
        with pytest.raises(HostActionFailed):
            await export(written / "manifest.json")

    engine = ScriptedEngine({"wait": [Hold("x")]})
    play(app_server_folder(data), write_app(tmp_path, capabilities=AGENT), scene, engine)


def test_what_was_made_can_be_read(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        made = await page.value("lime.artifacts.create", kind="report", content="Limes are green")
        shown = await read_result(page.connection.call, page.app().app_id, made["id"])
        assert shown.text == "Limes are green"

    play(tmp_path / "data", write_package(tmp_path, {"APP.md": app_md(MAKER)}), scene)
