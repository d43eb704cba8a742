"""A catalog of apps by the commands that its vendor and a person type: revoke, withdraw, notes, and how apps are updated (ours)."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.cli.main import main
from tests.host.app_center.packages import make_package
from tests.shipping.vendors import Served, serve


@pytest.fixture
def served(tmp_path: Path) -> Generator[Served]:
    (tmp_path / "web").mkdir()
    with serve(tmp_path / "web") as served:
        yield served


@pytest.fixture
def shop(tmp_path: Path, served: Served, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a catalog with one app, which is installed from there."""
    monkeypatch.chdir(tmp_path)
    for variable in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    make_package(tmp_path / "first", "diary")
    make_package(tmp_path / "second", "diary", version="1.1.0")
    run("publish", "keys", "new", "--keys", "keys")
    done = run("publish", "app", "first/diary", "--to", "web", "--keys", "keys", "--json")
    address = f"{served.url}/{done['address']}"
    here("apps", "sources", "--add", address)
    here("install", "diary", "--accept-unsigned", "--grant-suggested", "--yes")
    return address


def call(*words: str, locale: str = "en") -> Result:
    return CliRunner(env={"LC_ALL": locale, "LANGUAGE": locale}).invoke(main, list(words))


def run(*words: str, code: int = 0) -> Any:
    done = call(*words)
    assert done.exit_code == code, done.output
    return json.loads(done.stdout) if done.stdout.startswith("{") else done.output


def here(*words: str, code: int = 0) -> Any:
    return run(*words, "--data-dir", "data", code=code)


def mark(name: str, *reasons: str) -> Any:
    said = [part for reason in reasons for part in ("--reason", reason)]
    return run("publish", name, "diary", "1.0.0", *said, "--to", "web", "--keys", "keys", "--json")


@pytest.mark.usefixtures("shop")
def test_a_revoked_version_is_listed_as_stopped_with_the_way_out() -> None:
    done = mark("revoke", "It sends notes to strangers.", "zh-CN=它会把笔记发给陌生人。")
    assert (done["apps"], done["revoked"], done["final"]) == (0, 1, True)
    here("apps", "search")
    (app,) = here("apps", "list", "--json")["apps"]
    assert app["recall"] == {
        "kind": "revoked",
        "reasons": {
            "en": "It sends notes to strangers.",
            "zh-CN": "它会把笔记发给陌生人。",
        },
    }
    shown = here("apps", "list")
    assert "revoked" in shown
    assert "This version was revoked and no longer runs. It sends notes to strangers." in shown
    assert "lime-desktop uninstall diary" in shown
    run("publish", "app", "second/diary", "--to", "web", "--keys", "keys")
    here("apps", "search")
    assert "Update to 1.1.0: lime-desktop update diary" in here("apps", "show", "diary")
    here("update", "diary", "--accept-unsigned", "--yes")
    assert here("apps", "show", "diary", "--json")["app"]["recall"] is None
    assert here("rollback", "diary", "--yes", "--json", code=1)["ok"] is False


@pytest.mark.usefixtures("shop")
def test_a_withdrawn_version_is_marked_and_stays() -> None:
    done = mark("withdraw", "It loses notes.")
    assert (done["apps"], done["withdrawn"], done["revoked"]) == (0, 1, 0)
    here("apps", "search")
    shown = here("apps", "show", "diary")
    assert "The publisher withdrew this version. It keeps working. It loses notes." in shown
    assert here("apps", "show", "diary", "--json")["app"]["recall"]["kind"] == "withdrawn"


@pytest.mark.usefixtures("shop")
def test_what_is_new_is_in_the_review_in_the_persons_language(tmp_path: Path) -> None:
    (tmp_path / "news.md").write_text("- Finds faster.\n- **No** more loss.\n", encoding="utf-8")
    (tmp_path / "news.zh.md").write_text("- 查找更快。\n", encoding="utf-8")
    notes = ("--notes", "news.md", "--notes", "zh-CN=news.zh.md")
    run("publish", "app", "second/diary", *notes, "--to", "web", "--keys", "keys")
    review = here("update", "diary", "--review", "--json")["review"]
    assert review["releaseNotes"] == [
        {"version": "1.1.0", "lines": ["• Finds faster.", "• No more loss."]}
    ]
    assert review["asksBecause"] == ["publisher"]
    shown = here("update", "diary", "--review")
    assert "What is new in 1.1.0" in shown
    assert "• Finds faster." in shown


def test_notes_belong_to_one_version(tmp_path: Path, shop: str) -> None:
    del shop
    (tmp_path / "news.md").write_text("New.", encoding="utf-8")
    both = ("publish", "app", "first/diary", "second/diary", "--notes", "news.md")
    done = run(*both, "--to", "web", "--keys", "keys", "--json", code=1)
    assert done["code"] == "UPDATE_PUBLISHING"


@pytest.mark.usefixtures("shop")
def test_how_an_app_is_updated_is_chosen_and_shown() -> None:
    asked = here("apps", "auto-update", "diary", "--json")
    assert asked["apps"] == [{"appId": "diary", "chosen": None, "policy": "ask", "outcome": None}]
    here("apps", "auto-update", "--default", "never")
    chosen = here("apps", "auto-update", "diary", "always", "--json")
    assert (chosen["default"], chosen["apps"][0]["policy"]) == ("never", "always")
    assert "Install updates by itself" in here("apps", "auto-update")
    back = here("apps", "auto-update", "diary", "default", "--json")
    assert back["apps"][0]["policy"] == "never"
    assert here("apps", "auto-update", "nobody", "ask", "--json", code=1)["ok"] is False
    assert here("apps", "auto-update", "diary", "sometimes", code=2)
