"""Generated files are fresh, complete, and agree with what the code accepts."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from lime_desktop.protocol.bridge.from_app import APP_MESSAGES
from lime_desktop.protocol.capabilities import CAPABILITIES
from lime_desktop.protocol.errors import ALL_ERRORS, TaskFailed
from lime_desktop.protocol.export.__main__ import main
from lime_desktop.protocol.export.files import NOTICE, generated_files
from lime_desktop.protocol.methods import METHODS
from lime_desktop.protocol.runtime.event_types import REQUIRED_FIELDS

TESTS = Path(__file__).resolve().parents[1]
BRIDGE_GOLDEN = sorted((TESTS / "golden" / "bridge").iterdir())
TASK_GOLDEN = sorted((TESTS / "golden" / "tasks").iterdir())


@pytest.fixture(scope="module")
def files() -> Mapping[str, str]:
    return generated_files()


def _document(files: Mapping[str, str], name: str) -> dict[str, Any]:
    return json.loads(files[f"protocol/{name}.schema.json"])


def test_generated_files_are_fresh(files: Mapping[str, str], repository: Path) -> None:
    """Ours: run `python -m lime_desktop.protocol.export` after changing the protocol."""
    resources = repository / "resources"
    committed = {
        path.relative_to(resources).as_posix(): path.read_text("utf-8")
        for folder in ("protocol", "sdk")
        for path in (resources / folder).rglob("*")
        if path.is_file() and NOTICE in path.read_text("utf-8")
    }
    assert {path for path in files if committed.get(path) != files[path]} == set()
    assert committed.keys() == files.keys()


def test_every_generated_file_says_so_on_its_first_line(files: Mapping[str, str]) -> None:
    """Ours: nobody edits them by hand twice."""
    assert [path for path, text in files.items() if NOTICE not in text.splitlines()[0]] == []


def test_a_check_finds_stale_files_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours: the same command serves people and continuous integration."""
    assert main(["--check", "--to", str(tmp_path)]) == 1
    assert list(tmp_path.iterdir()) == []
    assert "stale protocol/errors.md" in capsys.readouterr().err
    assert main(["--to", str(tmp_path)]) == 0
    assert main(["--check", "--to", str(tmp_path)]) == 0
    assert "wrote sdk/lime-app-sdk.d.ts" in capsys.readouterr().err


def test_every_schema_is_a_schema(files: Mapping[str, str]) -> None:
    """JSON Schema 2020-12, by another implementation."""
    for path, text in files.items():
        if path.endswith(".json"):
            jsonschema_rs.validator_for(json.loads(text))


@pytest.mark.parametrize("path", BRIDGE_GOLDEN, ids=lambda path: path.stem)
def test_real_messages_fit_the_bridge_schema(files: Mapping[str, str], path: Path) -> None:
    """Ours: a client in another language validates by it."""
    validator = jsonschema_rs.validator_for(_document(files, "bridge"))
    message = json.loads(path.read_text("utf-8"))
    validator.validate(message)
    assert not validator.is_valid({**message, "version": 2})


@pytest.mark.parametrize("path", TASK_GOLDEN, ids=lambda path: path.stem)
def test_real_task_facts_fit_their_schema(files: Mapping[str, str], path: Path) -> None:
    """The standard names the task event and result; the schema is ours."""
    document = _document(files, "agent-tasks")
    names = [path.stem, f"{path.stem}-Output", f"{path.stem}-Input"]
    name = next(name for name in names if name in document["$defs"])
    document["anyOf"] = [{"$ref": f"#/$defs/{name}"}]
    jsonschema_rs.validator_for(document).validate(json.loads(path.read_text("utf-8")))


def test_a_message_must_name_its_type(files: Mapping[str, str]) -> None:
    """Host Bridge v1."""
    defs = _document(files, "bridge")["$defs"]
    for message in APP_MESSAGES:
        assert {"protocol", "version", "type", "appId"} <= set(defs[message.__name__]["required"])


def test_references_point_at_definitions(files: Mapping[str, str]) -> None:
    """Ours."""
    for path, text in files.items():
        if path.endswith(".json"):
            names = set(re.findall(r'"#/\$defs/([^"]+)"', text))
            assert names <= json.loads(text)["$defs"].keys(), path


def test_pages_declare_every_type_they_name(files: Mapping[str, str]) -> None:
    """Ours: a client can be written from the pages alone."""
    for name in ("capabilities", "methods", "bridge", "events"):
        text = files[f"protocol/{name}.md"]
        declared = set(re.findall(r"^export (?:interface|type) (\w+)", text, re.MULTILINE))
        named = set(re.findall(r"`(\w+(?:Params|Payload|Result|Message|Notification))`", text))
        assert named - declared == set(), name


def test_pages_list_everything(files: Mapping[str, str]) -> None:
    """Ours."""
    for page, names in {
        "capabilities": [each.name for each in CAPABILITIES],
        "methods": [method.name for method in METHODS],
        "errors": [error.code for error in ALL_ERRORS],
        "events": list(REQUIRED_FIELDS),
    }.items():
        text = files[f"protocol/{page}.md"]
        assert [name for name in names if name not in text] == [], page


def test_every_method_says_what_it_does(files: Mapping[str, str]) -> None:
    """Ours: methods that share their params do not share their meaning."""
    methods = _document(files, "methods")["methods"]
    meanings = [method["description"] for method in methods.values()]
    assert sorted(set(meanings)) == sorted(meanings)


def test_the_error_table_fits_its_own_schema(files: Mapping[str, str]) -> None:
    """Ours: what travels is what is documented."""
    document = _document(files, "errors")
    assert [row["code"] for row in document["errors"]] == [error.code for error in ALL_ERRORS]
    failure = TaskFailed("It failed", trace_id="t", details={"taskId": "t1"})
    jsonschema_rs.validator_for(document).validate(failure.to_data())


def test_the_sdk_has_every_call_under_its_capability(files: Mapping[str, str]) -> None:
    """The standard: the SDK is a typed contract, not a list of names."""
    text = files["sdk/lime-app-sdk.d.ts"]
    interfaces = dict(re.findall(r"^export interface (Lime\w+) \{\n(.*?)^\}", text, re.S | re.M))
    for capability in CAPABILITIES:
        short = capability.name.removeprefix("lime.")
        body = interfaces.get(f"Lime{short[0].upper()}{short[1:]}", "")
        declared = re.findall(r"^  (\w+)[(<]", body, re.MULTILINE)
        assert [name for name in capability.methods if name not in declared] == []
