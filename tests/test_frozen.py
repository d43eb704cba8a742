"""A frozen release starts its own parts through its two executables, and gives strangers the system's libraries (ours)."""

import runpy
import sys
from pathlib import Path

import pytest

from lime_desktop import frozen, own_programs, resources
from lime_desktop.app_server.children import leash
from lime_desktop.cli.main import COMMANDS
from lime_desktop.host.app_server_client.sidecar import app_server_command


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a release to the process in it."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "lime-desktop"))
    return tmp_path


def test_from_sources_the_parts_are_modules_of_this_python() -> None:
    assert app_server_command(Path("/data"))[:3] == (sys.executable, "-m", "lime_desktop")
    assert own_programs.script_command(leash, "3", "ls") == (
        *(sys.executable, "-I", "-S", leash.__file__),
        *("3", "ls"),
    )


def test_in_a_release_the_app_server_is_the_executable_without_qt(release: Path) -> None:
    server = str(release / "lime-app-server")
    assert app_server_command(Path("/data")) == (
        *(server, "app-server", "--stdio"),
        *("--data-dir", "/data"),
    )
    assert own_programs.script_command(leash, "3", "ls") == (
        *(server, own_programs.RUN_MODULE, leash.__name__),
        *("3", "ls"),
    )


def test_what_needs_qt_runs_in_the_windows_executable_from_either(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = "lime_desktop.shell.pictures.child"
    assert own_programs.qt_module_command(module)[0] == str(release / "lime-desktop")
    monkeypatch.setattr(sys, "executable", str(release / "lime-app-server"))
    assert own_programs.qt_module_command(module)[0] == str(release / "lime-desktop")
    # A branded shell's window bears the brand's name.
    monkeypatch.setattr(sys, "executable", str(release / "acme-notes"))
    assert own_programs.qt_module_command(module)[0] == str(release / "acme-notes")


def test_folders_beside_the_executable_win_over_those_inside(release: Path) -> None:
    inside = resources.resources_folder()
    assert inside.is_dir()
    (release / "resources").mkdir()
    (release / "sample_apps").mkdir()
    assert resources.resources_folder() == release / "resources"
    assert resources.sample_apps_folder() == release / "sample_apps"


def test_every_module_that_runs_alone_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in own_programs.MODULES_WITHOUT_QT | own_programs.MODULES_WITH_QT:
        file = Path(own_programs.__file__).parent.parent / f"{module.replace('.', '/')}.py"
        assert module == "pip" or '__name__ == "__main__"' in file.read_text("utf-8"), module
    ran: list[tuple[str, list[str]]] = []

    def run_module(name: str, **_: object) -> None:
        ran.append((name, sys.argv))

    monkeypatch.setattr(runpy, "run_module", run_module)
    monkeypatch.setattr(sys, "argv", ["lime-app-server", "--run-module", "pip", "download", "x"])
    frozen.start_without_window()
    assert ran == [("pip", ["pip", "download", "x"])]


@pytest.mark.parametrize("module", ["", "antigravity", "lime_desktop.shell.pictures.child"])
def test_other_modules_are_refused(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["lime-app-server", "--run-module", module])
    with pytest.raises(SystemExit, match="no part of this program"):
        frozen.start_without_window()


def test_only_commands_without_a_page_leave_the_windows_executable() -> None:
    assert not frozen._needs_no_window([])
    assert not frozen._needs_no_window(["lime://settings/models"])
    assert not frozen._needs_no_window(["folder/of/an/app"])
    assert frozen._needs_no_window(["--version"])
    staying = {name for name in COMMANDS if not frozen._needs_no_window([name])}
    assert staying == frozen.COMMANDS_WITH_QT


def test_programs_of_others_find_the_systems_libraries() -> None:
    environment = {
        "LD_LIBRARY_PATH": "/opt/lime-desktop/_internal:/mine",
        "LD_LIBRARY_PATH_ORIG": "/mine",
        "_PYI_ARCHIVE_FILE": "/opt/lime-desktop/lime-desktop",
        "HOME": "/home/somebody",
    }
    frozen._leave_system_libraries_alone(environment)
    assert environment == {"LD_LIBRARY_PATH": "/mine", "HOME": "/home/somebody"}
    alone = {"LD_LIBRARY_PATH": "/opt/lime-desktop/_internal"}
    frozen._leave_system_libraries_alone(alone)
    assert alone == {}
