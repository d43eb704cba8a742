"""A run leaves as evidence, as a replay case and as a review that can be read, from window and command line (the architecture)."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lime_desktop.app_server.evidence.verification import verify
from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.cli.main import main
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.runs.run_exports import EXPORT_KINDS, export_run
from lime_desktop.host.user_profile.user_paths import app_server_folder
from lime_desktop.host.wording.texts import read_texts
from lime_desktop.protocol.errors import HostActionFailed
from lime_desktop.resources import resources_folder
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.app_server.bounded import run
from tests.host.bridged import served
from tests.host.finished_runs import finish_run

pytestmark = pytest.mark.system


async def make_run(data: Path, package: Path, into: Path) -> dict[str, Path]:
    """Have an agent answer once, and export that in every way."""
    registry = AppRegistry("en")
    [app] = registry.add([package])
    texts = read_texts(resources_folder() / "locales", ["en"])
    engine = ScriptedEngine({"When does the ferry leave?": says("At noon. # Not a heading")})
    async with served(app_server_folder(data), registry, engine) as server:
        session_id = await finish_run(server, app.app_id, "When does the ferry leave?")
        written = {
            kind: await export_run(server.call, kind, session_id, data, into, texts)
            for kind in EXPORT_KINDS
        }
        with pytest.raises(HostActionFailed):
            await export_run(server.call, "review", session_id, data, into, texts)
        return written


def test_each_kind_is_written_and_can_be_used(tmp_path: Path) -> None:
    into, data = tmp_path / "into", tmp_path / "data"
    into.mkdir()
    written: dict[str, Path] = {}

    async def scenario() -> None:
        package = write_app(tmp_path, capabilities="{lime.agent: '*'}")
        written.update(await make_run(data, package, into))

    run(scenario())
    assert verify(written["evidence"]).is_sound
    case = json.loads(written["replay"].read_text())["replayCase"]
    assert case["eventRefs"]
    assert case["replayDigest"]
    review = written["review"].read_text()
    assert "When does the ferry leave?" in review
    # What an agent says is quoted: it makes no heading of its own.
    assert "> At noon. # Not a heading" in review
    assert "## Facts in the record" in review

    listed = CliRunner().invoke(main, ["evidence", "runs", "--json", "--data-dir", str(data)])
    assert listed.exit_code == 0, listed.output
    [found] = json.loads(listed.output)["runs"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    arguments = ["evidence", "export", found["sessionId"], "--kind", "review", "--json"]
    told = CliRunner().invoke(main, [*arguments, "--into", str(elsewhere), "--data-dir", str(data)])
    assert told.exit_code == 0, told.output
    exported = Path(json.loads(told.output)["path"])
    assert "When does the ferry leave?" in exported.read_text()
    again = CliRunner().invoke(
        main, [*arguments, "--into", str(elsewhere), "--data-dir", str(data)]
    )
    assert again.exit_code == 1
