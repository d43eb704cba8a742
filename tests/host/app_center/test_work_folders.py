"""What an app's programs leave in their folders goes with its data, and nothing else does (ours: a removal leaves nothing)."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from lime_desktop.app_server.tools.commands.sandbox import find_sandbox
from lime_desktop.host.app_center.records.removal import Receipt, UninstallKind
from lime_desktop.host.approvals.question import YES
from lime_desktop.host.apps.app_access import allow_unconfined
from tests.host.app_center.packages import names_below
from tests.host.apps.test_unconfined import package_of, tell
from tests.host.bridged import Bridged, play

LEAVES = "echo mine > left; ln -s {away} link; mkdir shut; echo x > shut/x; chmod 0 shut"


@pytest.fixture(autouse=True)
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The same on every machine: programs run, and nothing walls them off."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("sh", "ln", "mkdir", "chmod"):
        (programs / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    monkeypatch.setenv("PATH", str(programs))
    find_sandbox.cache_clear()
    yield
    find_sandbox.cache_clear()


async def run_program(page: Bridged, away: Path) -> None:
    """Have the app's program leave a file, a link to elsewhere and a folder that nobody may enter."""
    assert page.center is not None
    await allow_unconfined(page.center, "notes")
    await tell(page, is_allowed=True)
    words = {"arguments": ["-c", LEAVES.format(away=away)]}
    call = {"key": "greet", "input": words}
    assert await page.code("lime.tools.invoke", **call) == "APP_E010"
    [question] = page.approvals.queue.open
    page.approvals.queue.answer([question.question_id], YES)
    await page.value("lime.tools.invoke", **call)


def removed(tmp_path: Path, kind: UninstallKind) -> Receipt:
    """Remove the app after its program ran, and give the receipt."""
    kept = tmp_path / "the-persons"
    kept.mkdir()
    (kept / "letter").write_text("mine")
    receipts: list[Receipt] = []

    async def scene(page: Bridged) -> None:
        await run_program(page, kept)
        assert page.center is not None
        assert "work" in {each.name for each in await page.center.data_of("notes")}
        receipts.append(await page.center.uninstall("notes", kind))

    play(tmp_path / "data", package_of(tmp_path), scene, is_installed=True)
    assert (kept / "letter").read_text() == "mine"
    return receipts[0]


def test_what_programs_left_goes_with_the_data(tmp_path: Path) -> None:
    receipt = removed(tmp_path, UninstallKind.DELETE_DATA)
    assert receipt.residue == ()
    assert "work" in {each.name for each in receipt.removed}
    left = names_below(tmp_path / "data")
    assert not any("notes" in name or "left" in name for name in left)


def test_who_keeps_the_data_keeps_what_programs_left(tmp_path: Path) -> None:
    receipt = removed(tmp_path, UninstallKind.KEEP_DATA)
    assert "work" in {each.name for each in receipt.kept}
    assert any(name.endswith("left") for name in names_below(tmp_path / "data"))
    # Whoever clears up after the test may enter it.
    next(tmp_path.rglob("shut")).chmod(0o700)
