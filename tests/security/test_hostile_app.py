"""A hostile app tries everything it can think of; nothing gets out (the standard: host-controlled containers).

Each run is a process of its own with a real engine. The control shows that the same listeners hear an undefended view.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from newcomer.lock import held_alone

from tests.security.attempts import ATTEMPTS, Attempt, Layer
from tests.security.drop_privileges import ORDINARY_USER, REFUSED

ROOT = Path(__file__).resolve().parents[2]
ONLY_POLICY = {
    "eval",
    "function",
    "inline-script",
    "inline-handler",
    "script-in-data",
    "script-in-blob",
    "script-in-the-parent",
    "nonce-in-a-handler",
    "nonce-guessed",
    "base",
}
"""Code of the app's own making: only the content policy is against it."""
GUARDS = {
    Layer.WINDOW_GUARD: "window",
    Layer.DIALOG_GUARD: "dialog",
    Layer.FILE_GUARD: "file chooser",
    Layer.DOWNLOAD_GUARD: "download",
}

pytestmark = [pytest.mark.system, pytest.mark.timeout(240)]


def run(mode: str, *before: str) -> dict[str, Any]:
    """Let the hostile app run, and give what came of it."""
    command = [*before, sys.executable, "-m", "tests.security.hostile_run", mode]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode == REFUSED:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr[-2_000:]
    result = json.loads(done.stdout)
    assert result["isDone"], result["console"][-5:]
    return result


@pytest.fixture(scope="module")
def defended(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One run for all workers: each test looks at one attempt of it."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    kept = folder / "hostile-defended.json"
    with held_alone(kept.with_suffix(".lock"), when_waiting=lambda: None):
        if not kept.exists():
            kept.write_text(json.dumps(run("defended")), encoding="utf-8")
    return json.loads(kept.read_text(encoding="utf-8"))


def is_proven(attempt: Attempt, result: dict[str, Any]) -> bool:
    """Whether the layer itself said that it refused this attempt, or the attempt failed where no layer speaks."""
    report, guards = (
        result["reports"][attempt.name],
        Counter(guard for guard, _ in result["refused"]),
    )
    expected = Counter(GUARDS[each.layer] for each in ATTEMPTS if each.layer in GUARDS)
    match attempt.layer:
        case Layer.CONTENT_POLICY:
            told = (line for line in result["console"] if "violates" in line or "Refused" in line)
            return bool(report["violations"]) or any(f"/{attempt.name}" in line for line in told)
        case Layer.NAVIGATION_GUARD:
            refused = (address for guard, address in result["refused"] if guard == "navigation")
            return any(address.endswith(f"/{attempt.name}") for address in refused)
        case Layer.WINDOW_GUARD | Layer.DIALOG_GUARD | Layer.FILE_GUARD | Layer.DOWNLOAD_GUARD:
            guard = GUARDS[attempt.layer]
            return guards[guard] >= expected[guard]
        case Layer.RELAY:
            return result["toasts"] == []
        case Layer.BRIDGE:
            return report["outcome"] == "closed"
        case _:
            return report["outcome"] != "reached"


def leaks(result: dict[str, Any]) -> list[str]:
    return [name for name, report in result["reports"].items() if report["outcome"] == "reached"]


def test_there_are_many_attempts_and_each_was_made(defended: dict[str, Any]) -> None:
    assert len(ATTEMPTS) >= 40
    assert set(defended["reports"]) == {attempt.name for attempt in ATTEMPTS}


@pytest.mark.requirement("APP-54", "APP-60")
@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.name)
def test_an_attempt_is_stopped_by_its_layer(attempt: Attempt, defended: dict[str, Any]) -> None:
    assert defended["reports"][attempt.name]["outcome"] != "reached"
    assert is_proven(attempt, defended), defended["reports"][attempt.name]


@pytest.mark.requirement("APP-60")
def test_nothing_is_heard_outside(defended: dict[str, Any]) -> None:
    assert defended["heard"] == {"tcp": [], "udp": [], "dns": []}
    assert defended["toasts"] == []


def assert_nothing_was_used_up(result: dict[str, Any]) -> None:
    """Bounds are generous: unbounded, each of these took a minute and a half, a gigabyte or for ever."""
    found = result["exhaustion"]
    assert set(found) == {"markup", "icon", "leave", "flood", "memory"}
    assert {name: each["longestPauseS"] < 15 for name, each in found.items()} == dict.fromkeys(
        found, True
    )
    assert found["markup"]["isLoaded"]
    assert found["markup"]["processorS"] < 15
    assert found["icon"]["why"] == "too_costly"
    assert found["leave"]["loads"] >= 3
    assert found["leave"]["refused"] == ["navigation"]
    assert found["flood"]["loads"] == 2
    assert found["flood"]["grownBytes"] < 400 * 1024**2
    if sys.platform == "linux":
        # The kernel refuses what is asked for beyond its limit; what is held beyond ours ends the page.
        assert found["memory"]["asked"].startswith("ASKED RangeError ")
        assert found["memory"]["isGone"]
        assert found["memory"]["loads"] == 2


def test_a_page_or_a_package_cannot_use_the_host_up(defended: dict[str, Any]) -> None:
    """A bug demands it: markup, an icon, fetches and memory without end, and a refusal that left the tab empty."""
    assert_nothing_was_used_up(defended)


@pytest.mark.requirement("APP-60")
def test_without_the_content_policy_the_guards_and_the_engine_hold_alone() -> None:
    result = run("without-content-policy")
    assert result["heard"] == {"tcp": [], "udp": [], "dns": []}
    assert set(leaks(result)) <= ONLY_POLICY
    assert result["toasts"] == []


def test_an_undefended_view_is_heard_by_the_same_ears() -> None:
    heard = run("undefended")["heard"]
    words = " ".join(heard["tcp"])
    assert all(f"/{name} " in words for name in ("fetch", "beacon", "websocket", "image", "frame"))
    assert heard["udp"]


@pytest.fixture(scope="module")
def sandboxed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The same as an ordinary user: with Chromium's sandbox, a name server that is ours, and no other network."""
    if sys.platform != "linux":
        pytest.skip("user namespaces are Linux's")
    if os.geteuid() != 0:
        if os.environ.get("QTWEBENGINE_DISABLE_SANDBOX") == "1":
            pytest.skip("QTWEBENGINE_DISABLE_SANDBOX=1 switches the sandbox off")
        return run("defended")
    home = tmp_path_factory.mktemp("home")
    return run(
        "defended", sys.executable, str(ROOT / "tests/security/drop_privileges.py"), str(home)
    )


@pytest.mark.requirement("APP-54")
def test_an_ordinary_users_page_runs_in_chromiums_sandbox(sandboxed: dict[str, Any]) -> None:
    assert sandboxed["user"] == (ORDINARY_USER if os.geteuid() == 0 else os.geteuid())
    if not sandboxed["sandbox"]["ownNamespaces"]["user"] and os.geteuid() != 0:
        pytest.skip(
            "this user gets no user namespaces, so Chromium has only its system call filter"
        )
    assert all(sandboxed["sandbox"]["ownNamespaces"].values())
    assert sandboxed["sandbox"]["hasSystemCallFilter"]


@pytest.mark.requirement("APP-54", "APP-60")
def test_with_the_sandbox_on_nothing_gets_out_either(sandboxed: dict[str, Any]) -> None:
    assert sandboxed["heard"] == {"tcp": [], "udp": [], "dns": []}
    assert leaks(sandboxed) == []
    assert [each.name for each in ATTEMPTS if not is_proven(each, sandboxed)] == []


def test_with_the_sandbox_on_the_host_cannot_be_used_up_either(sandboxed: dict[str, Any]) -> None:
    """The limits reach into a process that is in namespaces of its own and belongs to an ordinary user."""
    assert_nothing_was_used_up(sandboxed)


def test_the_name_server_that_must_hear_nothing_hears_an_undefended_view(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root may give a process a name server of its own")
    home = tmp_path_factory.mktemp("home")
    result = run(
        "undefended", sys.executable, str(ROOT / "tests/security/drop_privileges.py"), str(home)
    )
    assert any(name.endswith(".leak.test") for name in result["heard"]["dns"])
