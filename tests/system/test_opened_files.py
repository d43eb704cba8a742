"""A file that a person opens from outside comes to the app that is the program for it, in the real window (ours).

A double click is the choice, as in a dialog: nobody is asked again, and the page gets a reference and no path.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from pytestqt.qtbot import QtBot

from lime_desktop.cli.main import main
from lime_desktop.host.startup.asked_files import AskedFiles, spell
from lime_desktop.product import read_product
from lime_desktop.shell.startup import file_handover
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.host.app_center.opened import installed
from tests.shell.conftest import loop as loop  # noqa: PLC0414 - the same fixture, and it makes the engine ready
from tests.stamping.products import make_app, make_base
from tests.system.first_start import FirstStart

pytestmark = [pytest.mark.system, pytest.mark.timeout(300)]
TABLE = "region,amount\nNorth,10.10\nSouth,5\n"
LONGER = "region,amount\nNorth,1\nSouth,2\nEast,3\n"


def stamped(folder: Path, sample: str) -> Path:
    app, out = make_app(folder, sample), folder / "out"
    words = ["ship", str(app), "--base", str(make_base(folder)), "--out", str(out)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return out / f"example-{sample}"


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stamped(tmp_path_factory.mktemp("vendor"), "table-lens")


@pytest.fixture
def person(
    product: Path, tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> Iterator[FirstStart]:
    (tmp_path / "scripts.json").write_text("{}")
    made = FirstStart(tmp_path, tmp_path / "scripts.json", qtbot, loop, product)
    yield made
    made.close()


def install(person: FirstStart) -> None:
    person.press(person.says("review.accept"))
    person.press(person.says("review.install"))
    person.until(lambda: bool(person.window.workspace.surfaces))


def refused(person: FirstStart, fault: str, file: str) -> str:
    why = person.says(f"opened-file.{fault}", most=100, gigabytes=1)
    return person.says(
        "opened-file.refused", file=file, why=why, code=f"OPENED_FILE_{fault.upper()}"
    )


def test_a_file_of_the_products_kind_waits_for_the_install_and_is_shown_by_its_app(
    person: FirstStart, tmp_path: Path
) -> None:
    person.wait_to_see(person.says("review.install"))
    first, second = tmp_path / "Spring.ExampleNote", tmp_path / "Autumn.examplenote"
    first.write_text(TABLE)
    second.write_text(LONGER)
    person.desk.show(str(first))
    person.wait_to_see(person.says("review.install"))
    assert person.desk.services.registry.app("table-lens") is None, (
        "opening a file installs nothing"
    )

    install(person)

    person.page_sees("2 of 2 rows")
    person.page_sees("Spring.ExampleNote")
    assert not person.sees(str(tmp_path))
    person.desk.show(str(second))
    person.page_sees("3 of 3 rows")
    assert str(tmp_path) not in str(person._run("d.documentElement.outerHTML"))


def test_what_is_no_file_is_refused_in_words_and_the_rest_is_opened(
    person: FirstStart, tmp_path: Path
) -> None:
    install(person)
    person.page_sees("Drop a table here")
    good, folder = tmp_path / "good.examplenote", tmp_path / "folder.examplenote"
    good.write_text(TABLE)
    folder.mkdir()
    secret, link = tmp_path / "home/secret", tmp_path / "link.examplenote"
    secret.parent.mkdir()
    secret.write_text("key")
    link.symlink_to(secret)
    gone = tmp_path / "gone.examplenote"
    person.desk.show(spell(AskedFiles("table-lens", (folder, link, gone, good))))
    person.page_sees("2 of 2 rows")
    person.wait_to_see(refused(person, "folder", folder.name))
    person.wait_to_see(refused(person, "elsewhere", link.name))
    person.wait_to_see(refused(person, "gone", gone.name))


def test_an_app_that_does_not_ask_for_files_gets_none_and_the_person_is_told_the_way(
    tmp_path: Path,
    qtbot: QtBot,
    loop: asyncio.AbstractEventLoop,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(file_handover, "TAKING_S", 0.1)
    product = stamped(tmp_path, "folder-desk")
    (tmp_path / "scripts.json").write_text("{}")
    person = FirstStart(tmp_path, tmp_path / "scripts.json", qtbot, loop, product)
    try:
        install(person)
        file = tmp_path / "a.examplenote"
        file.write_text("a")
        person.desk.show(str(file))
        title = "Folder Desk"
        person.wait_to_see(person.says("opened-file.by-hand", file=file.name, app=title))
    finally:
        person.close()


def test_in_lime_a_file_is_opened_with_the_app_that_was_named(
    tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    (tmp_path / "scripts.json").write_text("{}")
    person = FirstStart(tmp_path, tmp_path / "scripts.json", qtbot, loop)
    try:
        file = tmp_path / "orders.csv"
        file.write_text(TABLE)
        person.desk.show(spell(AskedFiles("nobody", (file,))))
        why = person.says("opened-file.no-app")
        person.wait_to_see(why)
        center = person.desk.services.registry.require_center()
        sample = Path(__file__).parents[2] / "sample_apps/table-lens"
        person.wait(installed(center, sample, "keep-place", "use-model", "keep-reports"))
        person.until(lambda: person.desk.services.registry.app("table-lens") is not None)
        person.desk.show(spell(AskedFiles("table-lens", (file,))))
        person.until(lambda: isinstance(person.window.workspace.current, AppTab))
        person.page_sees("2 of 2 rows")
    finally:
        person.close()


def test_the_product_of_the_test_is_the_program_for_such_files(product: Path) -> None:
    """That its files are known by their ending is what the other tests stand on."""
    assert read_product(product).is_own_file("A.EXAMPLENOTE")
