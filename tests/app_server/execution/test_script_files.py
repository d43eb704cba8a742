"""Scripts come out of a file as the engine plays them."""

import json
from pathlib import Path

from lime_desktop.app_server.execution.script_files import ScriptFile, read_scripts
from lime_desktop.app_server.execution.scripted import Ask, Hold
from lime_desktop.protocol.ids import ActionId
from lime_desktop.protocol.runtime.events import ProposedEvent


def test_events_questions_and_holds_are_read(tmp_path: Path) -> None:
    path = tmp_path / "scripts.json"
    question = {"type": "action.required", "actionId": "a"}
    step = {"type": "turn.completed"}
    steps = [{"ask": question, "allowed": [step]}, {"hold": "h"}, step]
    path.write_text(json.dumps({"text": steps}))
    done = ProposedEvent(type="turn.completed")
    asked = ProposedEvent(type="action.required", action_id=ActionId("a"))
    assert read_scripts(path) == {"text": [Ask(asked, [done], []), Hold("h"), done]}


def test_a_file_that_is_written_anew_is_played_as_it_reads_then(tmp_path: Path) -> None:
    path = tmp_path / "scripts.json"
    path.write_text(json.dumps({"hello": []}))
    scripts = ScriptFile(path)
    assert "hello" in scripts
    path.write_text(json.dumps({"good*": []}))
    assert [text in scripts for text in ("hello", "goodbye")] == [False, True]
