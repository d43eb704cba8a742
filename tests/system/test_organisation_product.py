"""An organisation's product at its screen: its apps, its rules, its models, and the same questions as ever (ours)."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from lime_desktop import __version__
from lime_desktop.cli.main import main
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.supervisor import Running
from lime_desktop.product import TRIED_BRAND, this_product
from lime_desktop.protocol.calls.model_providers import LIST_PROVIDERS, ListProvidersParams
from lime_desktop.shell.widgets.tiles import Tile
from lime_desktop.shell.window.rail.rail import Rail
from tests.app_server.model_server import ModelServer, model_list
from tests.shell.conftest import loop as loop  # noqa: PLC0414 - the same fixture, and it makes the engine ready
from tests.stamping.organisations import BUILD, ORGANISATION, make_build
from tests.stamping.products import ROOT, make_base
from tests.system.guest import Guest

pytestmark = [pytest.mark.system, pytest.mark.timeout(300)]
NAME = "Example Desk"
APP = "hello-lime"
KEY = "sk-typed-by-a-person"


class Colleague(Guest):
    """Somebody whose organisation gave them its product."""

    @property
    def center(self) -> AppCenter:
        return self.desk.services.registry.require_center()

    def tiles(self) -> list[str]:
        shown = (each for each in self.window.findChildren(Tile) if each.isVisible())
        return [each.accessibleName() for each in shown]

    def install_hello(self) -> None:
        """By way of Home, and with what it asks for."""
        self.window.show_home()
        self.press(self.says("welcome.begin"))
        self.until(lambda: "Hello Lime" in self.tiles())
        self.press("Hello Lime")
        self.agree()
        self.until(lambda: self.center.installed_app(APP) is not None)


def made(folder: Path, build: str = BUILD, organisation: str = ORGANISATION, app: str = "") -> Path:
    words = ["ship", "--organization", str(make_build(folder, build, organisation, app))]
    words += ["--base", str(make_base(folder)), "--out", str(folder / "out")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return folder / "out/example-desk"


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("vendor"))


@pytest.fixture
def open_product(
    tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Path], Colleague]]:
    """Opens a product on one and the same person's folder; the one before is closed first."""
    (tmp_path / "scripts.json").write_text("{}")
    this_product()  # which product this process is, is settled; the App Server that it starts asks for itself
    with ExitStack() as opened:

        def open_it(product: Path) -> Colleague:
            opened.close()
            monkeypatch.setenv(TRIED_BRAND, str(product))
            found = Colleague(tmp_path, tmp_path / "scripts.json", qtbot, loop, product)
            opened.callback(found.close)
            found.window.activateWindow()
            found.until(found.window.isActiveWindow)
            return found

        yield open_it


def test_it_shows_its_apps_alone_and_installs_what_the_person_agrees_to(
    product: Path, open_product: Callable[[Path], Colleague]
) -> None:
    desk = open_product(product)
    desk.wait_to_see(desk.says("welcome.title", product=NAME))
    desk.wait_to_see("Notes")
    assert desk.center.installed() == (), "nothing is installed before the person said so"
    assert desk.window.windowTitle() == NAME
    [rail] = desk.window.findChildren(Rail)
    assert rail.height() > rail.width()
    desk.install_hello()
    app = desk.center.installed_app(APP)
    assert app is not None
    assert (app.offered_by, app.install_mode) == ("example-desk", "in_lime")
    assert {each.permission for each in desk.center.permissions.grants(APP)} == {"keep-greeting"}
    desk.window.show_home()
    desk.until(lambda: sorted(desk.tiles()) == ["Hello Lime", "Notes"])
    desk.wait_to_see(desk.says("home.available.own", product=NAME))
    assert not desk.sees(desk.says("home.install")), "there is nothing else that could be installed"


def test_its_rules_hold_for_what_an_app_asks(
    product: Path, open_product: Callable[[Path], Colleague]
) -> None:
    """The person allowed storage when they installed the app; their organisation does not, and a deny wins."""
    desk = open_product(product)
    desk.install_hello()
    desk.until(
        lambda: (found := desk.desk.services.registry.app(APP)) is not None and found.can_start
    )
    desk.window.open_app(APP)
    desk.until(lambda: bool(desk.window.workspace.surfaces))
    desk.page_sees("policy_denied")
    app = desk.desk.services.registry.app(APP)
    assert app is not None
    assert "organisation.keep" in {rule.ref.id for rule in app.governing.policy.rules}


def test_another_app_is_refused_however_it_comes(
    product: Path, open_product: Callable[[Path], Colleague]
) -> None:
    desk = open_product(product)
    desk.wait_to_see("Notes")
    review = desk.wait(desk.center.review(ROOT / "sample_apps/draft-desk"))
    assert [each.code.value for each in review.refusals] == ["not-this-product"]
    desk.wait(desk.center.discard(review))
    desk.desk.show(str(ROOT / "sample_apps/draft-desk"))
    desk.window.install_package(ROOT / "sample_apps/draft-desk")
    words = desk.says("review.refused.not-this-product", app="draft-desk")
    desk.wait_to_see(words)
    assert desk.desk.services.registry.app("draft-desk") is None


def test_a_package_in_the_settings_is_not_opened_where_it_lies(
    product: Path, tmp_path: Path, open_product: Callable[[Path], Colleague]
) -> None:
    """A bug: whoever wrote a path into the settings had any app in a product of its own."""
    package = str(ROOT / "sample_apps/draft-desk").replace("\\", "\\\\")
    (tmp_path / "settings.json").write_text(f'{{"packagePaths": ["{package}"]}}')
    desk = open_product(product)
    desk.wait_to_see("Notes")
    assert desk.desk.services.settings.current.package_paths
    assert desk.desk.services.registry.app("draft-desk") is None


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_settings_name_the_organisation_and_offer_no_way_out_of_it(
    locale: str, product: Path, open_product: Callable[[Path], Colleague]
) -> None:
    desk = open_product(product)
    desk.wait_to_see("Notes")
    desk.desk.services.settings.change(locale=locale)
    desk.window.show_settings("organisation")
    brought = {"product": NAME, "organisation": "Example Ltd"}
    desk.wait_to_see(desk.says("settings.organisation.brought", **brought))
    desk.wait_to_see("Nothing goes to paste sites.")
    assert not desk.sees(desk.says("settings.organisation.leave"))
    assert not desk.sees(desk.says("settings.organisation.refresh"))
    assert not desk.sees(desk.says("settings.sources.title"))
    desk.window.show_settings("about")
    desk.wait_to_see(desk.says("settings.about.organisation"))
    for words in ("Example Ltd", NAME, f"Lime Desktop {__version__}"):
        desk.wait_to_see(words)


def test_its_models_ask_for_a_key_and_for_nothing_else(
    tmp_path: Path, open_product: Callable[[Path], Colleague]
) -> None:
    lists = model_list("large", "small", "secret-experiment")
    with ModelServer(otherwise=lists) as server:
        build = BUILD.replace("https://models.example.com/v1", server.url)
        desk = open_product(made(tmp_path / "vendor", build))
        desk.wait_to_see("Notes")
        desk.until(lambda: isinstance(desk.desk._server.state, Running))
        desk.window.show_settings("models")
        desk.wait_to_see(desk.says("settings.models.given", organisation="Example Ltd"))
        desk.wait_to_see("Models that Example Ltd runs for its people.")
        name = desk.says("models.key.of", provider="Example models")
        fields = [
            each for each in desk.window.findChildren(QLineEdit) if each.accessibleName() == name
        ]
        [field] = [each for each in fields if each.isVisible()]
        field.setFocus()
        QTest.keyClicks(field, KEY)
        QTest.keyClick(field, Qt.Key.Key_Return)
        desk.wait_to_see(desk.says("models.found.set_up"))
        asked = [each.headers.get("authorization") for each in server.asked]
    assert f"Bearer {KEY}" in asked
    listed = desk.wait(desk.desk._server.call(LIST_PROVIDERS, ListProvidersParams()))
    [provider] = listed.providers
    assert (provider.provider_id, provider.has_key) == ("example", True)
    assert [each.model_id for each in provider.settings.models] == ["large", "small"]


def test_a_new_build_offers_the_newer_versions_of_its_apps(
    product: Path, tmp_path: Path, open_product: Callable[[Path], Colleague]
) -> None:
    """Another version of the program lies in another folder: that is no other source, and nothing to agree to."""
    desk = open_product(product)
    desk.install_hello()
    desk = open_product(made(tmp_path / "newer", app="1.1.0"))
    desk.wait_to_see(desk.says("home.available.update", version="1.1.0"))
    [found] = [each for each in desk.center.catalog.new_offers if each.app_id == APP]
    assert not desk.center.catalog.choice(APP, found.source).is_change
    installed = desk.center.installed_app(APP)
    assert installed is not None
    assert installed.version == "1.0.0", "an update is the person's to take"
    updating = [
        each
        for each in desk.window.findChildren(Tile)
        if each.isVisible() and each.accessibleName() == "Hello Lime"
    ]
    desk._click(updating[-1])
    desk.wait_to_see(desk.says("review.update"))
    desk.walk_to_button(desk.says("review.accept"))
    desk.key(Qt.Key.Key_Space)
    desk.walk_to_button(desk.says("review.update"))
    desk.key(Qt.Key.Key_Return)
    desk.until(
        lambda: (now := desk.center.installed_app(APP)) is not None and now.version == "1.1.0"
    )


def test_a_package_that_was_exchanged_is_not_offered(
    tmp_path: Path, open_product: Callable[[Path], Colleague]
) -> None:
    changed = made(tmp_path / "vendor")
    package = changed / "app/notes.lapp"
    package.write_bytes(package.read_bytes() + b"\0")
    desk = open_product(changed)
    desk.window.show_home()
    desk.press(desk.says("welcome.begin"))
    desk.until(lambda: desk.tiles() == ["Hello Lime"])
    desk.wait_to_see(desk.says("home.sources.failed", count=1))
