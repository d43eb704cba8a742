"""The doctor: every finding says how things are, and what to do when they are not well."""

import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from subprocess import run

import pytest

from lime_desktop.app_server.app_evidence.rows import EVIDENCE
from lime_desktop.app_server.knowledge.schema import KNOWLEDGE_INDEX
from lime_desktop.app_server.runtime_core.log.schema import RUNTIME
from lime_desktop.app_server.storage.files import APP_STORAGE
from lime_desktop.app_server.tools.commands.sandbox import find_sandbox
from lime_desktop.database.backups import make_backup
from lime_desktop.database.connection import open_for_writing
from lime_desktop.database.database import open_database
from lime_desktop.database.integrity import examine_file
from lime_desktop.database.migrations import Schema
from lime_desktop.doctor import desktop, installation, probe, storage, system_libraries
from lime_desktop.doctor.app_server import check_command_sandbox
from lime_desktop.doctor.examination import examine
from lime_desktop.doctor.finding import Finding, Health
from lime_desktop.host.app_center.records.schema import HOST
from lime_desktop.host.proxy.ledger import NETWORK


def pretend_installed(monkeypatch: pytest.MonkeyPatch, versions: dict[str, str]) -> None:
    def version(name: str) -> str:
        if name not in versions:
            raise metadata.PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(metadata, "version", version)


def pretend_required(monkeypatch: pytest.MonkeyPatch, *requirements: str) -> None:
    def requires(name: str) -> list[str]:
        del name
        return list(requirements)

    monkeypatch.setattr(metadata, "requires", requires)


def test_what_is_not_well_comes_with_what_to_do() -> None:
    findings = list(examine())
    assert {"Python", "SQLite", "Qt signals", "keyring", "disk space"} <= {
        f.check for f in findings
    }
    assert [f for f in findings if (f.health is Health.OK) != (f.fix is None)] == []


def test_the_doctor_itself_never_loads_qt_or_what_it_looks_for() -> None:
    """It has to speak where these are broken."""
    code = (
        "import sys; from lime_desktop.doctor.examination import examine; list(examine());"
        "print([m for m in ('PySide6', 'keyring', 'pydantic', 'httpx') if m in sys.modules])"
    )
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    assert done.stdout.strip() == "[]"


def test_dependencies_are_compared_with_what_the_project_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pretend_required(
        monkeypatch,
        "good>=1,<2",
        "old>=2",
        "gone>=1",
        'window>=1; extra == "desktop"',
        'elsewhere>=1; python_version < "3.0"',
        'tool>=1; extra == "dev"',
    )
    pretend_installed(monkeypatch, {"good": "1.5", "old": "1.0"})
    found = {f.check: (f.health, f.message) for f in installation.check_dependencies()}
    assert found == {
        "good": (Health.OK, "1.5"),
        "old": (Health.ERROR, "1.0, but >=2 is needed"),
        "gone": (Health.ERROR, "not installed"),
        "window": (Health.WARNING, "not installed; the window needs it"),
    }


def test_a_checkout_that_was_never_installed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def requires(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", requires)
    [finding] = installation.check_dependencies()
    assert finding.health is Health.ERROR
    assert "lime-desktop is not installed" in finding.message


@pytest.mark.parametrize(
    ("version", "python", "health"),
    [
        ("6.12.0", (3, 11, 9), Health.ERROR),
        ("6.12.0", (3, 12, 0), Health.OK),
        ("6.11.3", (3, 11, 9), Health.OK),
    ],
)
def test_pyside_612_is_refused_on_python_311_only(
    monkeypatch: pytest.MonkeyPatch, version: str, python: tuple[int, ...], health: Health
) -> None:
    """6.12.0 drops a reference to True on every emit there, and the interpreter aborts."""
    pretend_installed(monkeypatch, {"PySide6-Essentials": version})
    monkeypatch.setattr(desktop.sys, "version_info", _Version(python))
    monkeypatch.setattr(probe, "ask", _answering(probe.Answer("0")))
    assert desktop.check_signals().health is health


class _Version(tuple[int, ...]):
    """Enough of sys.version_info."""

    __slots__ = ()

    @property
    def major(self) -> int:
        return self[0]

    @property
    def minor(self) -> int:
        return self[1]


def _answering(answer: probe.Answer) -> object:
    def ask(code: str, *, needs_qt: bool = False) -> probe.Answer:
        del code, needs_qt
        return answer

    return ask


@pytest.mark.parametrize(
    ("answer", "health"),
    [
        (probe.Answer("1"), Health.OK),
        (probe.Answer("100"), Health.ERROR),
        (probe.Answer("100", "Aborted"), Health.ERROR),
        (probe.Answer("", "ImportError: libGL.so.1"), Health.ERROR),
    ],
)
def test_references_lost_by_signals_are_counted(
    monkeypatch: pytest.MonkeyPatch, answer: probe.Answer, health: Health
) -> None:
    pretend_installed(monkeypatch, {"PySide6-Essentials": "6.8.0"})
    monkeypatch.setattr(probe, "ask", _answering(answer))
    assert desktop.check_signals().health is health


def test_without_pyside_there_is_only_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_installed(monkeypatch, {})
    assert desktop.check_signals().health is Health.WARNING


def test_a_probe_that_crashes_answers_with_its_last_line() -> None:
    answer = probe.ask("print('half'); raise OSError('no such thing')")
    assert answer == probe.Answer("half", "OSError: no such thing")


def test_a_probe_does_not_import_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked about a folder full of strange files, the doctor must not run them."""
    (tmp_path / "keyring.py").write_text("raise SystemExit('ran')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "ran" not in (probe.ask("import keyring").failure or "")


def test_missing_libraries_come_with_the_line_that_installs_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(system_libraries, "missing_libraries", lambda: ("libGL.so.1",))
    monkeypatch.setattr(system_libraries, "has_apt", lambda: True)
    pretend_installed(monkeypatch, {"PySide6-Essentials": "6.8.0"})
    assert desktop.check_system_libraries() == Finding(
        "system libraries",
        Health.ERROR,
        "missing: libGL.so.1",
        "Run: sudo apt-get update && sudo apt-get install -y libgl1",
    )


def test_a_sandbox_that_was_switched_off_is_mentioned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QTWEBENGINE_DISABLE_SANDBOX", "1")
    assert desktop.check_sandbox().health is Health.WARNING


@pytest.mark.skipif(sys.platform != "linux", reason="other systems bring the fonts")
@pytest.mark.parametrize(("families", "health"), [("Noto Sans CJK SC", "ok"), ("", "warning")])
def test_a_machine_without_chinese_fonts_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, families: str, health: str
) -> None:
    (tmp_path / "fc-list").write_text(f"#!/bin/sh\necho {families}\n", encoding="utf-8")
    (tmp_path / "fc-list").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert desktop.check_fonts().health == health


@pytest.mark.parametrize(
    ("modules", "health"),
    [
        ("keyring.backends.SecretService", Health.OK),
        ("keyring.backends.fail", Health.WARNING),
        ("keyrings.alt.file", Health.WARNING),
        ("keyrings.alt.file\nkeyring.backends.macOS", Health.OK),
    ],
)
def test_only_the_systems_own_keyrings_count(
    monkeypatch: pytest.MonkeyPatch, modules: str, health: Health
) -> None:
    """A keyring that writes files would keep provider keys in the clear."""
    monkeypatch.setattr(probe, "ask", _answering(probe.Answer(modules)))
    assert storage.check_keyring().health is health


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="the folders are moved by XDG variables")
def test_folders_are_looked_at_without_being_made(home: Path) -> None:
    assert {f.health for f in storage.check_folders()} == {Health.OK}
    assert list(home.iterdir()) == []


def begin(path: Path, schema: Schema) -> Path:
    open_database(path, schema).close()
    path.chmod(0o600)
    return path


def cut(path: Path) -> None:
    path.write_bytes(b"")


def truncate(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def overwrite_inside(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4_096 * 3)
        file.write(b"\xa5" * 4_096)


def of_tomorrow(path: Path) -> None:
    connection = open_for_writing(path)
    connection.execute("INSERT INTO schema_version VALUES (99, 'of tomorrow', 0)")
    connection.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the folders are moved by XDG variables")
@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (cut, "APP_E223"),
        (truncate, "APP_E223"),
        (overwrite_inside, "APP_E223"),
        (of_tomorrow, "APP_E222"),
    ],
)
@pytest.mark.parametrize(
    ("place", "schema"),
    [
        ("app-server/runtime.db", RUNTIME),
        ("host/host.db", HOST),
        ("network.db", NETWORK),
        ("app-server/apps/an-app-0.db", APP_STORAGE),
        ("app-server/knowledge/an-app-0.db", KNOWLEDGE_INDEX),
    ],
)
def test_every_database_that_is_damaged_or_too_new_is_an_error_with_its_code(
    home: Path, place: str, schema: Schema, damage: Callable[[Path], None], code: str
) -> None:
    """Bug: the doctor read sixteen bytes of each file, and passed all but the first of these."""
    data = home / "XDG_DATA_HOME/lime-desktop"
    begin(data / "app-server/evidence.db", EVIDENCE)
    damage(begin(data / place, schema))
    ill = [f for f in storage.check_folders() if f.health is Health.ERROR]
    assert [(f.check, f.message.startswith(f"{place}: {code}: ")) for f in ill] == [
        ("databases", True)
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="the folders are moved by XDG variables")
def test_sound_databases_are_counted_and_left_as_they_were(home: Path) -> None:
    data = home / "XDG_DATA_HOME/lime-desktop"
    begin(data / "app-server/evidence.db", EVIDENCE)
    begin(data / "host/host.db", HOST)
    before = sorted(data.rglob("*"))
    found = {f.check: f for f in storage.check_folders()}
    assert found["databases"].health is Health.OK
    assert found["databases"].message == "2 read and sound"
    assert found["backups"].health is Health.WARNING
    make_backup(data)
    found = {f.check: f for f in storage.check_folders()}
    assert found["backups"].health is Health.OK
    assert set(before) <= set(data.rglob("*"))


@pytest.mark.skipif(sys.platform != "linux", reason="the folders are moved by XDG variables")
def test_a_database_open_to_others_and_one_whose_log_is_gone_are_warned_of(home: Path) -> None:
    data = home / "XDG_DATA_HOME/lime-desktop"
    begin(data / "network.db", NETWORK).chmod(0o644)
    begin(data / "host/host.db", HOST)
    (data / "host/host.db-head").write_text("0000000007")
    warned = [f.message for f in storage.check_folders() if f.check == "databases"]
    assert warned == [
        "host/host.db: 7 promised commits are missing",
        "network.db can be read by other users of this machine",
    ]


def test_a_large_database_is_read_for_a_bounded_time(tmp_path: Path) -> None:
    path = begin(tmp_path / "evidence.db", EVIDENCE)
    connection = open_for_writing(path)
    connection.execute("CREATE TABLE many (x)")
    connection.execute(
        "INSERT INTO many WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<50000) SELECT i FROM n"
    )
    connection.close()
    assert not examine_file(path, check_s=0.0).is_whole
    assert examine_file(path).is_whole


@pytest.mark.skipif(sys.platform != "linux", reason="the folders are moved by XDG variables")
def test_a_folder_that_cannot_be_written_is_an_error(home: Path) -> None:
    (home / "XDG_DATA_HOME").write_text("a file where a folder should be", encoding="utf-8")
    findings = {f.check: f.health for f in storage.check_folders()}
    assert findings["data folder"] is Health.ERROR


def test_the_absence_of_a_command_sandbox_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    find_sandbox.cache_clear()
    try:
        finding = check_command_sandbox()
    finally:
        find_sandbox.cache_clear()
    assert finding.health is Health.WARNING
    assert finding.fix
