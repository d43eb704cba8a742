"""Why an App Server does not start reaches whoever started it: cause, code, file and last lines (ours)."""

import asyncio
import json
import os
import sqlite3  # noqa: TID251 - plays the damage
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.database.lock import FolderLock
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Down, Running
from lime_desktop.protocol.errors import (
    AppError,
    AppServerUnavailable,
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseTooNew,
    DataNotPermitted,
    DataReadOnly,
    DiskFull,
    InstallationBroken,
)
from lime_desktop.protocol.start_failure import parse_start_failure

pytestmark = pytest.mark.system

WAIT_S = 60.0
ORDINARY = str(Path(__file__).with_name("ordinary.py"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder that an App Server has used before."""

    async def use() -> None:
        async with open_services(tmp_path / "data", UnavailableEngine()):
            pass

    asyncio.run(use())
    return tmp_path / "data"


def ordinary(data: Path, *, max_file_bytes: int = 0) -> list[str]:
    return [sys.executable, ORDINARY, str(max_file_bytes), *app_server_command(data)]


def failure_of(command: Sequence[str]) -> AppError:
    async def start() -> AppError:
        try:
            sidecar = await Sidecar.start(command)
        except AppError as error:
            return error
        await sidecar.stop()
        pytest.fail("it started")

    return asyncio.run(asyncio.wait_for(start(), WAIT_S))


def written_by_a_later_release(database: Path) -> None:
    connection = sqlite3.connect(database)
    connection.execute("INSERT INTO schema_version VALUES (99, 'of tomorrow', 0)")
    connection.commit()
    connection.close()


def overwritten(database: Path) -> None:
    with database.open("r+b") as file:
        file.write(b"\xa5" * 8_192)


def cut(database: Path) -> None:
    with database.open("r+b") as file:
        file.truncate(4_096)


@pytest.mark.parametrize("name", ["runtime.db", "spending.db"])
def test_a_database_of_a_later_release_is_named_with_both_versions(data: Path, name: str) -> None:
    written_by_a_later_release(data / name)
    error = failure_of(app_server_command(data))
    assert type(error) is DatabaseTooNew
    assert "version 99" in error.message
    assert error.details["database"] == name


@pytest.mark.parametrize(("name", "damage"), [("runtime.db", overwritten), ("evidence.db", cut)])
def test_a_damaged_database_is_named(data: Path, name: str, damage: Callable[[Path], None]) -> None:
    damage(data / name)
    error = failure_of(app_server_command(data))
    assert type(error) is DatabaseDamaged
    assert error.details["database"] == name


def test_a_disk_without_room_is_no_damage(tmp_path: Path) -> None:
    """A limit on file sizes stands in for the disk: the same writes fail."""
    error = failure_of(ordinary(tmp_path / "data", max_file_bytes=6_000))
    assert type(error) is DiskFull


def obeys_modes(folder: Path) -> bool:
    closed = folder / "closed"
    closed.mkdir(mode=0o000)
    look = [
        sys.executable,
        ORDINARY,
        "0",
        sys.executable,
        "-c",
        f"import os; os.listdir({str(closed)!r})",
    ]
    can_look = subprocess.run(look, capture_output=True, check=False).returncode == 0  # noqa: S603
    closed.rmdir()
    return not can_look


def test_a_folder_that_cannot_be_written_and_one_that_may_not_be_opened_are_two_things(
    data: Path, tmp_path: Path
) -> None:
    if not obeys_modes(tmp_path):
        pytest.skip("this root cannot give up its power over file modes")
    (data / "lock").unlink()
    data.chmod(0o555)
    read_only = failure_of(ordinary(data))
    data.chmod(0o000)
    closed = failure_of(ordinary(data))
    data.chmod(0o700)
    assert (type(read_only), type(closed)) == (DataReadOnly, DataNotPermitted)
    assert "database" not in read_only.details, "it is about the folder"


def test_a_folder_in_use_names_the_process_that_uses_it(data: Path) -> None:
    lock = FolderLock(data)
    error = failure_of(app_server_command(data))
    lock.release()
    assert type(error) is DatabaseBusy
    assert error.details["pid"] == os.getpid()


def test_a_program_that_cannot_be_loaded_is_a_broken_installation(
    data: Path, tmp_path: Path
) -> None:
    module, started = app_server_command(data)[2:4]
    assert module == "lime_desktop"
    gone = failure_of((sys.executable, "-I", "-m", "lime_desktop_that_is_gone", started))
    assert type(gone) is InstallationBroken
    broken = tmp_path / "broken.py"
    broken.write_text("import a_module_that_is_gone\n")
    half = failure_of((sys.executable, str(broken)))
    assert type(half) is InstallationBroken
    assert "a_module_that_is_gone" in half.message
    assert type(failure_of(("/nowhere/app-server",))) is InstallationBroken


def test_a_part_that_is_missing_is_said_by_the_server_itself(data: Path) -> None:
    hide = "import sys; sys.modules['lime_desktop.app_server.assembly'] = None; "
    run = "from lime_desktop.cli.main import main; main(prog_name='lime-desktop')"
    command = (sys.executable, "-c", hide + run, *app_server_command(data)[3:])
    assert type(failure_of(command)) is InstallationBroken


def test_one_that_ends_without_a_word_gives_its_last_lines_without_secrets(tmp_path: Path) -> None:
    dying = tmp_path / "dying.py"
    words = ["one", "api_key=sk-very-secret-indeed", "x" * 100_000, "Fatal: out of luck"]
    dying.write_text(f"import sys\nsys.stderr.write({chr(10).join(words)!r})\nsys.exit(3)\n")
    error = failure_of((sys.executable, str(dying)))
    assert type(error) is AppServerUnavailable
    lines = error.details["lastLines"]
    assert isinstance(lines, list)
    assert lines[0] == "one"
    assert lines[-1] == "Fatal: out of luck"
    assert "very-secret" not in json.dumps(lines)
    assert len(json.dumps(lines)) < 2_000


def test_the_supervisor_keeps_the_cause_and_starts_once_it_is_gone(data: Path) -> None:
    sound = (data / "runtime.db").read_bytes()
    overwritten(data / "runtime.db")

    async def scenario() -> None:
        supervisor = AppServerSupervisor(lambda: Sidecar.start(app_server_command(data)))
        states: asyncio.Queue[object] = asyncio.Queue()
        supervisor.watch(states.put_nowait)
        supervisor.start()
        while not isinstance(down := await states.get(), Down):
            pass
        assert isinstance(down.failure, DatabaseDamaged)
        (data / "runtime.db").write_bytes(sound)
        supervisor.retry()
        while not isinstance(await states.get(), Running):
            pass
        await supervisor.stop()

    asyncio.run(asyncio.wait_for(scenario(), WAIT_S))


def test_the_terminal_reads_the_same_code_and_a_program_the_last_line(data: Path) -> None:
    overwritten(data / "runtime.db")
    done = subprocess.run(  # noqa: S603 - our own program
        app_server_command(data), capture_output=True, encoding="utf-8", check=False, timeout=WAIT_S
    )
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert "APP_E223: The database runtime.db or the disk under it is damaged." in lines
    assert "Restore a backup: lime-desktop restore" in lines
    told = parse_start_failure(lines[-1])
    assert told is not None
    assert told.code == "APP_E223"
