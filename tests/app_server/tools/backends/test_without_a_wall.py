"""No wall, no backend: unless a person allowed that one app, and it ends with that."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lime_desktop.app_server.tools.commands.sandbox import find_sandbox
from lime_desktop.host.apps.app_access import allow_unconfined
from lime_desktop.host.apps.setup_facts import read_setup
from tests.app_server.tools.backends.backend_app import ask, write_backend_app
from tests.app_server.tools.backends.main_program import MAIN
from tests.host.apps.test_unconfined import tell
from tests.host.bridged import Bridged, play

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are on a leash of POSIX")


@pytest.fixture(autouse=True)
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A machine that has Python, and nothing to wall it off with."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(programs))
    find_sandbox.cache_clear()
    yield
    find_sandbox.cache_clear()


def test_it_runs_for_the_one_app_that_a_person_allowed_and_no_longer_than_that(
    tmp_path: Path,
) -> None:
    async def scene(page: Bridged) -> None:
        assert page.center is not None
        setup = await read_setup(page.connection.call, page.app())
        # The program is there, and what would wall it off is not: both are told.
        assert setup.available_services == {"engine"}
        assert setup.command_sandbox_absence == "bubblewrap (bwrap) is not installed."
        refused = await page("lime.tools.invoke", key="engine/add", input={"a": 1, "b": 1})
        assert refused["details"]["reasonCode"] == "no_sandbox"
        await allow_unconfined(page.center, "notes")
        await tell(page, is_allowed=True)
        assert (
            await page.code("lime.tools.invoke", key="engine/add", input={"a": 1, "b": 1})
            == "APP_E010"
        )
        [question] = page.approvals.queue.open
        assert "host.risk.unconfined" in {each.rule_id for each in question.reasons}
        assert (await ask(page, "add", a=1, b=1))["output"]["sum"] == 2
        await page.center.permissions.stop_running_unconfined("notes")
        await tell(page, is_allowed=False)
        again = await page("lime.tools.invoke", key="engine/add", input={"a": 1, "b": 1})
        assert again["details"]["reasonCode"] == "no_sandbox"

    play(tmp_path / "data", write_backend_app(tmp_path, MAIN), scene, is_installed=True)
