"""Setup Tour from nothing to ready: each step is there, goes when it is done, and the app then really works."""

from pathlib import Path

import pytest

from lime_desktop.protocol.calls.knowledge import BIND_KNOWLEDGE, BindKnowledgeParams
from lime_desktop.protocol.calls.secrets import BIND_SECRET, BindSecretParams
from lime_desktop.protocol.calls.storage_tables import RUN_MIGRATIONS, RunMigrationsParams
from lime_desktop.protocol.ids import AppId
from tests.shell.conftest import OpenApp
from tests.shell.open_desktop import ROOT, Shown

pytestmark = pytest.mark.system

APP = AppId("setup-tour")
TOUR = Shown(ROOT / "sample_apps/setup-tour", "tour", ("keep-notes",))


def test_every_step_goes_when_it_is_done_and_the_app_then_works(
    open_app: OpenApp, tmp_path: Path
) -> None:
    desktop = open_app(TOUR)
    assert {"configure-secret", "run-migration", "bind-knowledge"} <= desktop.todo
    desktop.start_server()
    handbook = tmp_path / "handbook"
    handbook.mkdir()
    (handbook / "rules.md").write_text("# Rules\n\nWater the lime tree on Mondays.")

    desktop.ask(BIND_SECRET, BindSecretParams(app_id=APP, slot="any_word", value="planted"))
    desktop.ask(RUN_MIGRATIONS, RunMigrationsParams(app_id=APP))
    chosen = BindKnowledgeParams(app_id=APP, key="handbook", paths=(str(handbook),))
    desktop.ask(BIND_KNOWLEDGE, chosen)
    desktop.read_setup()
    assert not {"configure-secret", "run-migration", "bind-knowledge"} & desktop.todo

    desktop.tab.reload()
    desktop.sees("steps", "just did")
    marks = desktop.run("[...d.querySelectorAll('li')].map((each) => each.textContent).join(' | ')")
    done = desktop.run("d.querySelectorAll('li.done').length")
    assert done == 4, marks
    assert "planted" not in str(desktop.run("d.documentElement.outerHTML"))
