"""The environment of a checkout: installed once, recognised at once, made anew after a break.

A stand-in for the uv program plays the installer, so that nothing is fetched.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from newcomer.console import StoppedError
from newcomer.environment import Environment, uv_settings

from tests.packaging.checkouts import write_fake_uv

ROOT = Path(__file__).parent.parent.parent
PYTHON = sys.executable
RUN, DEVELOP = frozenset({"desktop"}), frozenset({"desktop", "dev"})

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")


def calls(root: Path) -> list[str]:
    """Which of uv's commands were used, in order."""
    lines = (root / "calls").read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    write_fake_uv(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'programs'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    # Should anything fall back to pip, it must not install into the Python that runs the tests.
    monkeypatch.setattr(sys, "executable", str(tmp_path / "programs" / "no-python"))
    return tmp_path


def test_an_install_is_recognised_the_second_time_without_starting_anything(root: Path) -> None:
    Environment(root).install(RUN)
    assert Environment(root).has(RUN)
    Environment(root).install(RUN)
    assert calls(root) == ["venv", "pip"]


def test_more_extras_are_added_to_the_environment_that_is_there(root: Path) -> None:
    Environment(root).install(RUN)
    assert not Environment(root).has(DEVELOP)
    Environment(root).install(DEVELOP)
    assert Environment(root).has(RUN)
    assert calls(root) == ["venv", "pip", "pip"]
    assert "[desktop,dev]" in (root / "calls").read_text(encoding="utf-8")


def test_a_changed_project_file_asks_for_an_install(root: Path) -> None:
    Environment(root).install(RUN)
    (root / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    assert not Environment(root).has(RUN)


def test_another_python_gets_an_environment_of_its_own(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Environment(root).install(RUN)
    (root / ".venv" / "of-the-old-python").touch()
    monkeypatch.setattr(sys, "base_prefix", "/opt/newer-python")
    assert not Environment(root).has(RUN)
    Environment(root).install(RUN)
    assert "another Python or another folder: starting over" in capsys.readouterr().out
    assert not (root / ".venv" / "of-the-old-python").exists()


def test_a_moved_checkout_gets_a_new_environment(root: Path, tmp_path: Path) -> None:
    """The programs in an environment name its folder, so it does not survive a move."""
    Environment(root).install(RUN)
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in (".venv", ".bootstrap", "pyproject.toml"):
        (root / name).rename(moved / name)
    (moved / ".venv" / "old").touch()
    assert not Environment(moved).has(RUN)
    Environment(moved).install(RUN)
    assert not (moved / ".venv" / "old").exists()


def test_an_environment_whose_python_is_gone_is_not_up_to_date(root: Path) -> None:
    Environment(root).install(RUN)
    (root / ".venv" / "bin" / "python").unlink()
    assert not Environment(root).has(RUN)


def test_an_interrupted_install_starts_over(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_fake_uv(root, ending="kill -KILL $PPID")
    code = "import sys, pathlib; from newcomer.environment import Environment; "
    code += "Environment(pathlib.Path(sys.argv[1])).install(frozenset({'desktop'}))"
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "packaging")}
    killed = subprocess.run(  # noqa: S603 - our own code in our own interpreter
        [PYTHON, "-c", code, root], env=environ, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    (root / ".venv" / "half-written").touch()

    write_fake_uv(root)
    Environment(root).install(RUN)

    assert "interrupted: starting over" in capsys.readouterr().out
    assert not (root / ".venv" / "half-written").exists()
    assert Environment(root).has(RUN)


def test_a_failed_install_shows_the_end_of_the_log_and_is_not_remembered_as_done(
    root: Path,
) -> None:
    write_fake_uv(root, ending="echo no such package; exit 1")
    with pytest.raises(StoppedError, match="no venv either"):
        Environment(root).install(RUN)
    assert not Environment(root).has(RUN)


def test_a_spoiled_record_counts_as_an_unfinished_install(root: Path) -> None:
    Environment(root).install(RUN)
    (root / ".bootstrap" / "installed.json").write_text("{", encoding="utf-8")
    assert not Environment(root).has(RUN)
    Environment(root).install(RUN)
    assert Environment(root).has(RUN)


def test_settings_made_for_pip_reach_uv_unless_uv_has_its_own() -> None:
    given = {"PIP_INDEX_URL": "mirror", "PIP_CERT": "mine.pem", "SSL_CERT_FILE": "theirs.pem"}
    assert uv_settings(given) == {**given, "UV_DEFAULT_INDEX": "mirror"}
