"""What the product keeps is its user's alone, in new folders and in those an earlier version left open (the issue)."""

import asyncio
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.database.connection import open_for_writing
from lime_desktop.database.private_files import make_private_folder, narrow
from lime_desktop.host.app_center.opening import open_center
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.startup.single_instance import be_first_or_hand_over
from lime_desktop.host.user_profile.settings import HostSettings, write_settings
from lime_desktop.protocol.capability_calls.storage import SET_VALUE
from tests.app_server.for_apps import ask
from tests.host.app_center.many_apps import app_name, install_many
from tests.security.drop_privileges import ORDINARY_USER

pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(120),
    pytest.mark.skipif(sys.platform == "win32", reason="folders are private by inheritance there"),
]

OTHERS = 0o077
EARLIER_FILES, EARLIER_FOLDERS = 0o644, 0o755


@pytest.fixture(autouse=True)
def careless_umask(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is private must not hang on how careful the system is."""
    monkeypatch.setenv(SWITCH, "off")
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(*roots: Path) -> dict[str, str]:
    """Everything below that somebody else could come to, by the modes of all folders on the way."""
    found: dict[str, str] = {}
    for root in roots:
        reachable = [root]
        while reachable:
            path = reachable.pop()
            mode = stat.S_IMODE(path.lstat().st_mode)
            if mode & OTHERS:
                found[str(path.relative_to(root.parent))] = oct(mode)
                reachable += path.iterdir() if path.is_dir() and not path.is_symlink() else ()
    return found


def databases_open_to_others(root: Path) -> list[str]:
    """Files of databases that could be read if the folders above them were open."""
    return sorted(
        path.name
        for path in root.rglob("*.db*")
        if path.is_file() and stat.S_IMODE(path.stat().st_mode) & OTHERS
    )


async def use(folder: Path) -> None:
    """Everything that writes: the window's lock and settings, the app center, the App Server with an app's storage."""
    data = folder / "data"
    first = be_first_or_hand_over(data, "")
    assert first is not None
    write_settings(folder / "config" / "settings.json", HostSettings())
    if not (data / "host").is_dir():
        await install_many(data, 1)
    sidecar = await Sidecar.start(app_server_command(data / "app-server"))
    try:
        center = await open_center(data, sidecar.connection.call)
        registry = AppRegistry("en")
        await registry.follow(center)
        await AppRegistration(registry).introduce(sidecar.connection)
        await ask(sidecar.connection.call, app_name(0), SET_VALUE, key="a", value=1)
        # While everything is open, so that logs and their indexes are there too.
        assert databases_open_to_others(data) == []
        await center.close()
    finally:
        await sidecar.stop()
        first.release()


def test_everything_new_is_the_users_alone(tmp_path: Path) -> None:
    asyncio.run(use(tmp_path))
    assert open_to_others(tmp_path / "data", tmp_path / "config") == {}
    assert databases_open_to_others(tmp_path) == []
    assert any(tmp_path.rglob("*.db"))


def test_what_an_earlier_version_left_open_is_narrowed(tmp_path: Path) -> None:
    asyncio.run(use(tmp_path))
    for path in (tmp_path / "data", tmp_path / "config"):
        path.chmod(EARLIER_FOLDERS)
        for each in path.rglob("*"):
            is_secret = each.name.startswith("secrets")
            if not is_secret and not each.is_symlink():
                each.chmod(EARLIER_FOLDERS if each.is_dir() else EARLIER_FILES)
    assert open_to_others(tmp_path / "data")
    asyncio.run(use(tmp_path))
    assert open_to_others(tmp_path / "data", tmp_path / "config") == {}
    assert databases_open_to_others(tmp_path) == []


def test_a_log_left_open_by_a_crash_is_narrowed_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "facts.db"
    crashed = open_for_writing(path)
    crashed.execute("CREATE TABLE fact (text)")
    for ending in ("", "-wal", "-shm"):
        path.with_name(f"{path.name}{ending}").chmod(EARLIER_FILES)
    again = open_for_writing(path)
    assert databases_open_to_others(tmp_path) == []
    again.close()
    crashed.close()


def test_what_is_not_ours_or_only_linked_to_stays_as_it_is(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o777)
    (tmp_path / "link").symlink_to(shared)
    narrow(tmp_path / "link")
    assert stat.S_IMODE(shared.stat().st_mode) == 0o777
    make_private_folder(tmp_path / "new" / "deep")
    assert stat.S_IMODE((tmp_path / "new" / "deep").stat().st_mode) == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user, which only root can")
def test_another_user_of_the_machine_reads_nothing_of_it(tmp_path: Path) -> None:
    asyncio.run(use(tmp_path))
    # Let everybody through to the folder itself: what holds must be its own doing.
    for above in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        above.chmod(stat.S_IMODE(above.stat().st_mode) | 0o011)
    script = (
        f"import os, sys; os.setgroups([]); os.setgid({ORDINARY_USER}); os.setuid({ORDINARY_USER})\n"
        "for path in sys.argv[1:]:\n"
        "    try: os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read(1)\n"
        "    except PermissionError: continue\n"
        "    print(path)"
    )
    kept = [tmp_path / "data", tmp_path / "config", *(tmp_path / "data").rglob("*")]
    done = subprocess.run(  # noqa: S603 - our own script
        ["/usr/bin/env", Path(sys.executable).resolve(), "-I", "-c", script, *map(str, kept)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == []
