"""Whatever a page puts into an argument, the answer has a code of its own: never an unexpected failure."""

from pathlib import Path

import pytest

from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play

LONG = "x" * 5_000


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        ("lime.ui.openAgentRun", {"taskId": LONG}),
        ("lime.ui.openAgentRun", {"sessionId": LONG}),
        ("lime.ui.updateAgentRun", {"taskId": LONG}),
        ("lime.ui.updateAgentRun", {"sessionId": LONG}),
        ("lime.storage.importData", {"ref": LONG}),
        ("lime.storage.importData", {"ref": ""}),
        ("lime.storage.tableDelete", {"table": "page", "id": 2**63}),
        ("lime.storage.tableDelete", {"table": "page", "id": -(2**70)}),
    ],
)
def test_an_argument_that_fits_nowhere_is_named(
    tmp_path: Path, call: str, arguments: dict[str, object]
) -> None:
    """Bug: what the App Server's own call refuses was told as an unexpected failure of the host."""

    async def scene(page: Bridged) -> None:
        assert await page.code(call, **arguments) == "APP_E014"

    capabilities = "{lime.ui: '>=0.3.0', lime.storage: '>=0.3.0'}"
    app = write_app(
        tmp_path, "notes", capabilities=capabilities, more="storage: {namespace: notes}\n"
    )
    play(tmp_path / "data", app, scene)
