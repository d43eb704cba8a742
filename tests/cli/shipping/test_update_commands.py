"""A vendor publishes and a person updates, by the commands they type (ours)."""

import json
import locale
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.cli.main import main
from lime_desktop.cli.shipping.groups import UPDATE_COMMANDS
from lime_desktop.cli.shipping.update import command as update_commands
from lime_desktop.shipping.installation import lay_out
from lime_desktop.shipping.refusals import UpdateCode
from lime_desktop.shipping.wording import refusal_key
from tests.architecture.visible_texts import table
from tests.shipping.launching import launch
from tests.shipping.vendors import Customer, Served, Vendor, serve


@pytest.fixture
def served(tmp_path: Path) -> Generator[Served]:
    (tmp_path / "web").mkdir()
    with serve(tmp_path / "web") as served:
        yield served


@pytest.fixture
def shop(tmp_path: Path, served: Served, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vendor's folder: keys, and two trees that trust them."""
    monkeypatch.chdir(tmp_path)
    ran(call("publish", "keys", "new", "--keys", "keys"))
    vendor = Vendor(tmp_path, served.url)
    for version in ("1.0.0", "1.1.0"):
        vendor.tree(version)
        options = ("--url", served.url, "--keys", "keys")
        ran(call("publish", "trust", f"trees/{version}", *options))
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def ran(done: Result, code: int = 0) -> Any:
    assert done.exit_code == code, done.output
    return json.loads(done.stdout) if done.stdout.startswith("{") else done.output


def publish(version: str, *options: str) -> Any:
    names = ("--to", "web", "--version", version, "--keys", "keys", "--json")
    return ran(call("publish", "shell", f"trees/{version}", *names, *options))


def test_a_version_goes_from_the_vendor_to_the_person_and_back(shop: Path, served: Served) -> None:
    publish("1.0.0")
    here = lay_out(shop / "trees/1.0.0", shop / "home", "1.0.0")
    root = ("--root", str(here.root), "--json")
    assert ran(call("update", "check", *root))["result"] == "up-to-date"
    Path("news.md").write_text("Faster.\n", "utf-8")
    Path("news.zh.md").write_text("更快。\n", "utf-8")
    done = publish("1.1.0", "--notes", "news.md", "--notes", "zh-CN=news.zh.md")
    assert done["newBlobs"] == 1
    found = ran(call("update", "check", *root))
    assert (found["result"], found["version"]) == ("available", "1.1.0")
    assert found["release"]["notes"] == {"en": "Faster.\n", "zh-CN": "更快。\n"}
    assert ran(call("update", "apply", *root))["result"] == "ready"
    assert ran(call("update", "status", *root))["pending"] == "1.1.0"
    assert launch(Customer(here, served.url)).version == "1.1.0"
    assert ran(call("update", "status", *root))["version"] == "1.1.0"


def test_a_refusal_has_its_code_and_ends_with_one(shop: Path) -> None:
    publish("1.0.0")
    here = lay_out(shop / "trees/1.0.0", shop / "home", "1.0.0")
    ran(call("update", "channel", "nightly", "--root", str(here.root)))
    found = ran(call("update", "check", "--root", str(here.root), "--json"), code=1)
    assert (found["ok"], found["code"]) == (False, "UPDATE_WRONG_CHANNEL")
    found = ran(call("update", "rollback", "--root", str(here.root), "--json"), code=1)
    assert found["code"] == "UPDATE_NO_EARLIER"
    done = call("update", "rollback", "--root", str(here.root))
    assert "UPDATE_NO_EARLIER: There is no earlier version on this computer." in done.stderr


def test_a_copy_from_source_says_who_updates_it() -> None:
    assert ran(call("update", "check", "--json"), code=1)["code"] == "UPDATE_NOT_INSTALLED"


def test_a_vendor_changes_the_rollout_and_pauses(shop: Path) -> None:
    publish("1.0.0")
    here = lay_out(shop / "trees/1.0.0", shop / "home", "1.0.0")
    publish("1.1.0", "--rollout", "0")
    root = ("--root", str(here.root), "--json")
    keys = ("--to", "web", "--keys", "keys")
    assert ran(call("update", "check", *root)) == {
        "ok": True,
        "result": "not-yet",
        "version": "1.1.0",
        "rollout": 0,
    }
    ran(call("publish", "channel", "stable", "--pause", *keys))
    assert ran(call("update", "check", *root))["result"] == "paused"
    ran(call("publish", "channel", "stable", "--resume", "--rollout", "100", *keys))
    assert ran(call("update", "check", *root))["result"] == "available"


def test_a_lost_key_is_replaced_and_a_file_carries_a_version(shop: Path) -> None:
    publish("1.0.0")
    here = lay_out(shop / "trees/1.0.0", shop / "home", "1.0.0")
    Path("keys/targets.pem").unlink()
    ran(call("publish", "keys", "rotate", "targets", "--keys", "keys"))
    ran(call("publish", "refresh", "--to", "web", "--keys", "keys"))
    publish("1.1.0")
    ran(call("publish", "offline", "--to", "web", "--out", "lime.update"))
    ran(call("publish", "sweep", "--to", "web"))
    done = ran(call("update", "apply", "lime.update", "--root", str(here.root), "--json"))
    assert (done["result"], done["version"]) == ("ready", "1.1.0")


def test_what_would_not_do_is_not_published(shop: Path) -> None:
    del shop
    Path("bare").mkdir()
    Path("bare/lime-desktop").touch()
    names = ("--to", "web", "--version", "1.0.0", "--keys", "keys")
    done = call("publish", "shell", "bare", *names)
    assert done.exit_code == 1
    assert "does not say where its updates come from" in done.stderr
    done = call("publish", "keys", "new", "--keys", "keys")
    assert (done.exit_code, "already" in done.stderr) == (1, True)
    assert call("publish", "shell", "trees/1.0.0", "--to", "web").exit_code == 2


def test_what_is_no_command_of_its_own_names_an_app(tmp_path: Path) -> None:
    """As it always did, also with an option first."""
    for words in (["nothing-of-this-name"], ["--review", "nothing-of-this-name"]):
        done = call("update", *words, "--data-dir", str(tmp_path))
        assert done.exit_code == 1
        assert "UPDATE_" not in done.output
    assert "--grant" in call("update", "app", "--help").output


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_code_has_its_sentence(language: str) -> None:
    said = table(language)
    assert [code for code in UpdateCode if refusal_key(code) not in said] == []


def test_the_command_speaks_the_language_of_the_terminal(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish("1.0.0")
    here = lay_out(shop / "trees/1.0.0", shop / "home", "1.0.0")

    def chinese(*_: object) -> tuple[str, str]:
        return ("zh_CN", "UTF-8")

    monkeypatch.setattr(locale, "getlocale", chinese)
    assert call("update", "check", "--root", str(here.root)).output == "版本 1.0.0 已是最新。\n"


def test_every_command_of_update_is_told_apart_from_an_app() -> None:
    assert set(update_commands.commands) == UPDATE_COMMANDS
