"""Whether Chromium's sandbox can be on here (ours)."""

import os
import sys
from pathlib import Path

import pytest

from lime_desktop.host.startup.engine_sandbox import is_half_sandboxed, sandbox_gap

linux = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")


def test_a_variable_that_switches_it_off_is_named(tmp_path: Path) -> None:
    assert sandbox_gap({"QTWEBENGINE_DISABLE_SANDBOX": "1"}, tmp_path) == "switched-off"


@linux
def test_root_never_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert sandbox_gap({}, tmp_path) == "root"


@linux
@pytest.mark.parametrize(
    ("switch", "value", "gap"),
    [
        ("kernel/unprivileged_userns_clone", "0", "namespaces"),
        ("kernel/unprivileged_userns_clone", "1", None),
        ("user/max_user_namespaces", "0", "namespaces"),
        ("user/max_user_namespaces", "96343", None),
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "namespaces"),
    ],
)
def test_an_ordinary_user_has_it_where_the_kernel_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switch: str, value: str, gap: str | None
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    (tmp_path / switch).parent.mkdir(parents=True)
    (tmp_path / switch).write_text(f"{value}\n")
    assert sandbox_gap({}, tmp_path) == gap


@linux
def test_a_process_of_our_own_namespace_is_only_half_sandboxed(tmp_path: Path) -> None:
    assert is_half_sandboxed(os.getpid())
    for name in ("self", "7", "8"):
        (tmp_path / name / "ns").mkdir(parents=True)
        (tmp_path / name / "ns/user").symlink_to("user:[1]" if name != "8" else "user:[2]")
    assert [is_half_sandboxed(process, tmp_path) for process in (7, 8, 9)] == [True, False, False]
