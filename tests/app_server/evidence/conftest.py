"""Exports as the server writes them, for whoever wants to tamper with them."""

import shutil
from pathlib import Path

import pytest

from tests.app_server.evidence.served import serving
from tests.jsonrpc.conversation import run


async def _export(data_dir: Path) -> None:
    async with serving(data_dir) as caller:
        session_id = await caller.session("session_1", "tool-success", "artifact-evidence")
        for _ in range(2):
            await caller.ask("evidence/export", sessionId=session_id, includeEvidencePack=True)
        for _ in range(2):
            await caller.ask("agentSession/replayCase/export", sessionId=session_id)


@pytest.fixture(scope="session")
def _exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data_dir = tmp_path_factory.mktemp("exported")
    run(_export(data_dir))
    return next((data_dir / "evidence").iterdir())


@pytest.fixture
def chain(tmp_path: Path, _exported: Path) -> Path:
    """A session's four exports: two packs and two replay cases. The test's own copy."""
    return Path(shutil.copytree(_exported, tmp_path / "chain"))


@pytest.fixture
def pack(chain: Path) -> Path:
    """The first export of the chain."""
    return sorted(chain.iterdir())[0]
