"""Started twice, five times, or after a kill: there is one Lime Desktop, and it shows all that was asked for (ours)."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.started_desktops import Home, make_app, wait_until

pytest.importorskip("PySide6", reason="the desktop parts are not installed")
pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(400),
    pytest.mark.skipif(sys.platform == "win32", reason="ends the program by a signal"),
]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    made.end_all()


@pytest.mark.parametrize(("count", "rounds"), [(2, 2), (5, 1)])
def test_of_several_starts_at_once_one_stays_and_shows_what_all_were_asked_for(
    home: Home, count: int, rounds: int
) -> None:
    for number in range(rounds):
        apps = [
            make_app(home.folder / f"apps-{number}" / f"app-{each}", f"app-{number}-{each}")
            for each in range(count)
        ]
        begun = [home.start("open", str(app)) for app in apps]
        wait_until(lambda: len(home.running()) == 1, "all but one end")
        wait_until(
            lambda apps=apps: {*map(str, apps)} <= {*home.settings().get("packagePaths", ())},
            "every package that was asked for is shown",
        )
        [first] = home.running()
        assert [each.returncode for each in begun if each is not first] == [0] * (count - 1)
        wait_until(home.has_app_server, "the App Server of the one that stays runs")
        first.send_signal(signal.SIGTERM)
        assert first.wait(60) == 0
        assert "Traceback" not in home.words_of(first)


def test_after_a_kill_the_next_start_is_the_first(home: Home) -> None:
    killed = home.start()
    wait_until(home.has_app_server, "it runs")
    killed.kill()
    killed.wait()
    app = make_app(home.folder / "app", "asked-for")
    later = home.start("open", str(app))
    wait_until(lambda: str(app) in home.settings().get("packagePaths", ()), "it shows the package")
    assert later.poll() is None
    later.send_signal(signal.SIGTERM)
    assert later.wait(60) == 0


def test_a_first_start_killed_while_it_loads_leaves_its_place_to_the_one_that_waits(
    home: Home,
) -> None:
    loading = home.start()
    wait_until((home.data / "desktop.address").exists, "it came first")
    # It holds its place and answers nobody, as one that is still loading does.
    loading.send_signal(signal.SIGSTOP)
    app = make_app(home.folder / "app", "asked-for")
    waiting = home.start("open", str(app))
    wait_until(lambda: waiting.poll() is None, "it waits")
    loading.kill()
    loading.wait()
    wait_until(lambda: str(app) in home.settings().get("packagePaths", ()), "it shows the package")
    waiting.send_signal(signal.SIGTERM)
    assert waiting.wait(60) == 0
