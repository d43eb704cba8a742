"""`lime-desktop evidence verify`: what scripts rely on."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lime_desktop.app_server.evidence.chain import ExportChain
from lime_desktop.cli.main import main


@pytest.fixture
def export(tmp_path: Path) -> Path:
    with ExportChain(tmp_path, "session_1").next_export("evidence_1") as writing:
        writing.writer.add("pack.json", "pack", {"evidence_pack_id": "evidence_1"})
        sealed = writing.seal({"created_at": "2026-05-11T10:00:00Z"})
    return sealed.folder


def verify(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["evidence", "verify", *arguments])
    return result.exit_code, result.output


def test_untouched_evidence_ends_with_0(export: Path) -> None:
    assert verify(str(export)) == (0, "1 export: unchanged\n")


def test_changed_evidence_ends_with_1_and_names_the_file(export: Path) -> None:
    (export / "pack.json").write_text("{}")
    code, output = verify(str(export))
    assert code == 1
    assert f"{export.name}/pack.json" in output
    assert "1 export: 1 finding" in output


def test_programs_get_one_object(export: Path) -> None:
    (export / "more.txt").write_text("")
    code, output = verify(str(export), "--json")
    answer = json.loads(output)
    assert (code, answer["ok"]) == (1, False)
    assert answer["findings"] == [
        {
            "code": "FILE_ADDED",
            "file": f"{export.name}/more.txt",
            "message": "The manifest does not know this file.",
        }
    ]
    assert [each["name"] for each in answer["exports"]] == [export.name]


def test_another_hash_than_the_log_names_ends_with_1(export: Path) -> None:
    _, output = verify(str(export), "--json")
    known = json.loads(output)["exports"][0]["manifestHash"]
    assert verify(str(export), "--manifest-hash", known)[0] == 0
    assert verify(str(export), "--manifest-hash", "sha256:0")[0] == 1
    assert verify(str(export.parent), "--manifest-hash", "sha256:0")[0] == 1


def test_a_folder_without_evidence_is_a_usage_error(tmp_path: Path) -> None:
    assert verify(str(tmp_path))[0] == 2
    assert verify(str(tmp_path / "nowhere"))[0] == 2
