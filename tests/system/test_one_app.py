"""A product that an app was made into, at its screen: one app alone, and the same questions as ever (ours; APP install modes).

What a vendor wrote beside the program says how it looks. What the app may do, the person says.
"""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lime_desktop import __version__
from lime_desktop.cli.main import main
from lime_desktop.product import BrandingBroken, read_product
from lime_desktop.shell.pages.home.home import HomePage
from lime_desktop.shell.pages.product_page import ProductPage
from lime_desktop.shell.window.rail.rail import Rail
from tests.shell.conftest import loop as loop  # noqa: PLC0414 - the same fixture, and it makes the engine ready
from tests.stamping.products import ROOT, make_app, make_base
from tests.system.guest import Guest

pytestmark = [pytest.mark.system, pytest.mark.timeout(300)]
NAME = "Example Hello Lime"
APP = "hello-lime"


OPTIONAL = """
  - key: look-into-files
    scope: filesystem
    access: read
    required: false
    reason: Reads a file that you choose.
"""


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vendor")
    app, out = make_app(folder), folder / "out"
    with (app / "app.permissions.yaml").open("a") as file:
        file.write(OPTIONAL)
    words = ["ship", str(app), "--base", str(make_base(folder)), "--out", str(out)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return out / "example-hello-lime"


@pytest.fixture
def guest(
    product: Path, tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> Iterator[Guest]:
    (tmp_path / "scripts.json").write_text("{}")
    made = Guest(tmp_path, tmp_path / "scripts.json", qtbot, loop, product)
    made.window.activateWindow()
    made.until(made.window.isActiveWindow)
    yield made
    made.close()


def test_the_first_start_puts_the_app_to_the_person_and_opens_it_alone(guest: Guest) -> None:
    registry = guest.desk.services.registry
    guest.wait_to_see(guest.says("review.install"))
    assert registry.app(APP) is None, "nothing is installed before the person said so"
    assert guest.window.windowTitle() == f"{NAME} Desk"
    guest.agree()
    guest.until(lambda: bool(guest.window.workspace.surfaces))
    guest.page_sees("Hello")
    app = registry.app(APP)
    assert app is not None
    assert app.granted == {"keep-greeting"}, "broad access that nobody ticked"
    [rail] = guest.window.findChildren(Rail)
    assert rail.width() > rail.height(), "a bar across the top, and no rail"
    assert not any(each.isVisible() for each in guest.window.findChildren(HomePage))
    guest.key(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    guest.wait_to_see(guest.says("settings.privacy.title"))
    assert not guest.sees(guest.says("settings.sources.title")), (
        "a product of one app has no app center"
    )
    guest.window.show_settings("about")
    guest.wait_to_see(f"Lime Desktop {__version__}")
    guest.wait_to_see("Example Ltd")
    guest.key(Qt.Key.Key_Home, Qt.KeyboardModifier.AltModifier)
    guest.page_sees("Hello")


def test_the_bar_leads_to_readiness_permissions_and_settings_by_keys(guest: Guest) -> None:
    guest.agree()
    guest.until(lambda: bool(guest.window.workspace.surfaces))
    guest.page_sees("Hello")
    [rail] = guest.window.findChildren(Rail)
    rail.take_keyboard()
    guest.until(lambda: rail.has_keyboard)
    guest.key(Qt.Key.Key_Right)
    guest.key(Qt.Key.Key_Return)
    guest.wait_to_see(guest.says("manage.title"))
    assert guest.sees("Hello Lime")


def test_what_the_person_clears_is_not_granted_and_the_app_waits_for_it(guest: Guest) -> None:
    guest.agree(clears=True)
    guest.until(lambda: bool(guest.window.workspace.surfaces))
    app = guest.desk.services.registry.app(APP)
    assert app is not None
    assert app.granted == frozenset()
    assert not app.can_open("greeting")


def test_who_declines_is_left_with_a_way_back(guest: Guest) -> None:
    guest.wait_to_see(guest.says("review.install"))
    guest.key(Qt.Key.Key_Escape)
    guest.wait_to_see(guest.says("product.missing", product=NAME))
    [page] = guest.window.findChildren(ProductPage)
    assert page.isVisible()
    guest.wait_to_see(guest.says("product.runtime", runtime="Lime Desktop", version=__version__))
    guest.walk_to_button(guest.says("product.install"))
    guest.key(Qt.Key.Key_Return)
    guest.wait_to_see(guest.says("review.install"))


def test_another_app_is_refused(guest: Guest) -> None:
    """Whoever ships one app ships one: a package from elsewhere is not installed beside it."""
    guest.wait_to_see(guest.says("review.install"))
    center = guest.desk.services.registry.require_center()
    review = guest.wait(center.review(ROOT / "sample_apps/notes"))
    assert [each.code.value for each in review.refusals] == ["not-this-product"]
    guest.wait(center.discard(review))
    guest.desk.show(str(ROOT / "sample_apps/notes"))
    assert guest.desk.services.registry.app("notes") is None


def copied(product: Path, folder: Path) -> Path:
    changed = folder / "changed"
    for each in (
        product / "branding.json",
        *(product / "app").iterdir(),
        *(product / "brand").iterdir(),
    ):
        target = changed / each.relative_to(product)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(each.read_bytes())
    return changed


@pytest.mark.parametrize(
    "wish", ["grants", "permissions", "isInstalled", "acceptUnsigned", "policy"]
)
def test_a_vendor_cannot_allow_anything_in_the_persons_name(
    wish: str, product: Path, tmp_path: Path
) -> None:
    changed = copied(product, tmp_path)
    file = changed / "branding.json"
    said = json.loads(file.read_text())
    for place in (said, said["app"]):
        place[wish] = ["keep-greeting"]
        file.write_text(json.dumps(said))
        with pytest.raises(BrandingBroken):
            read_product(changed)
        del place[wish]


def test_a_package_that_was_exchanged_is_not_even_reviewed(
    product: Path, tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    changed = copied(product, tmp_path)
    [package] = (changed / "app").iterdir()
    package.write_bytes(package.read_bytes() + b"\0")
    (tmp_path / "scripts.json").write_text("{}")
    guest = Guest(tmp_path / "home", tmp_path / "scripts.json", qtbot, loop, changed)
    try:
        guest.wait_to_see(guest.says("product.damaged.advice"))
        assert guest.desk.services.registry.app(APP) is None
    finally:
        guest.close()
