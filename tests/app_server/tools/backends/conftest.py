"""Where nothing walls a program off, no backend runs; those tests are skipped with the reason."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lime_desktop.app_server.tools.backends.process import Times
from tests.app_server.tools.backends.backend_app import write_backend_app
from tests.app_server.tools.backends.main_program import MAIN
from tests.host.bridged import Scene, play

Show = Callable[..., None]


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Play a scene with the app's page; `times` are what the host waits for, `service` more of what the manifest says."""

    def shown(scene: Scene, times: Times | None = None, **service: object) -> None:
        place = "lime_desktop.app_server.tools.backends.backends.Times"
        monkeypatch.setattr(place, lambda: times or Times())
        # How long an answer waits for a tool before it says that the tool still runs.
        monkeypatch.setattr("lime_desktop.host.view.tool_calls._WAIT_MS", 50)
        play(tmp_path / "data", write_backend_app(tmp_path, MAIN, "", **service), scene)

    return shown
