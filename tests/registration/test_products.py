"""An installed Lime Desktop is another product only where nothing about that is in doubt (ours): a name, and never a path or a variable."""

import json
import os
import shutil
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lime_desktop import __version__, frozen, own_programs, product
from lime_desktop.__main__ import become_product
from lime_desktop.product import TRIED_BRAND, BrandingBroken, this_product, worn_product
from lime_desktop.registration import places
from lime_desktop.registration.products import is_plain_picture, registered_product
from lime_desktop.stamping.pictures import png
from tests.registration.computers import ID, NAME, ship_backed

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="offered on Linux")


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vendor")
    code, told = ship_backed(folder)
    assert code == 0, told
    return folder / "out" / ID


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home, and a system on which nothing is registered."""
    monkeypatch.setattr(places, "SYSTEM", tmp_path / "system")
    monkeypatch.setattr(places, "own_home", lambda: tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def placed(shipped: Path, home: Path) -> Path:
    """The product where its installer puts it."""
    folder = home / ".local/share/lime-runtime/products" / ID
    shutil.copytree(shipped, folder)
    return folder


@pytest.fixture(autouse=True)
def be_lime_again() -> Iterator[None]:
    yield
    product._worn.clear()
    this_product.cache_clear()


def test_a_registered_product_is_known_by_its_id(placed: Path) -> None:
    folder, found = registered_product(ID)
    assert (folder, found.name, found.install_mode) == (placed, NAME, "runtime_backed")


def test_the_systems_own_comes_first(placed: Path) -> None:
    shutil.copytree(placed, places.SYSTEM / "products" / ID)
    assert registered_product(ID)[0] == places.SYSTEM / "products" / ID


def test_the_process_and_its_children_are_the_product(placed: Path) -> None:
    words = ["lime-desktop", "--as-product", ID, "open", "x"]
    become_product(words)
    assert words == ["lime-desktop", "open", "x"]
    assert this_product().id == ID
    assert product.product_folder() == placed
    command = own_programs.program_command("app-server")
    assert command[-3:] == ("--as-product", ID, "app-server")


@pytest.mark.usefixtures("placed")
def test_a_frozen_window_hands_a_command_on_as_the_same_product(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its window is Lime Desktop's own, whatever the product is called."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "lime-desktop"))
    monkeypatch.setattr(sys, "argv", ["lime-desktop", "--as-product", ID, "doctor"])
    this_product.cache_clear()
    handed: list[list[str]] = []
    monkeypatch.setattr(frozen, "_hand_over", handed.append)
    frozen.start_with_window()
    assert handed == [[str(tmp_path / "lime-app-server"), "--as-product", ID, "doctor"]]
    monkeypatch.setattr(sys, "executable", str(tmp_path / "lime-app-server"))
    assert own_programs.qt_module_command("x")[0] == str(tmp_path / "lime-desktop")


@pytest.mark.parametrize(
    "words", [("--as-product",), ("--as-product", "nobodys"), ("--as-product", "")]
)
@pytest.mark.usefixtures("home")
def test_who_cannot_be_what_was_asked_for_is_nothing_else(words: tuple[str, ...]) -> None:
    """Least of all Lime Desktop, with the person's data of that."""
    become_product(["lime-desktop", *words])
    with pytest.raises(BrandingBroken):
        this_product()


@pytest.mark.parametrize("own", ["..", "../products/x", "/etc", "a/b", "Example", "", "-x", "x\0"])
@pytest.mark.usefixtures("placed")
def test_an_id_is_never_a_path(own: str) -> None:
    with pytest.raises(BrandingBroken):
        registered_product(own)


def test_no_variable_makes_another_product_of_it(
    placed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    become_product(["lime-desktop", "--as-product", ID])
    monkeypatch.setenv(TRIED_BRAND, str(tmp_path / "elsewhere"))
    assert product.product_folder() == placed


def test_a_stamped_product_runs_no_other(
    placed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = json.loads((placed / "branding.json").read_text())
    (tmp_path / "branding.json").write_text(json.dumps({**said, "runtime": None}))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / ID))
    this_product.cache_clear()
    with pytest.raises(BrandingBroken, match="is a product itself"):
        registered_product(ID)


def open_to_all(folder: Path) -> None:
    folder.chmod(0o777)


def open_file(folder: Path) -> None:
    (folder / "branding.json").chmod(0o666)


def open_to_a_group(folder: Path) -> None:
    (folder / "app").chmod(0o775)


def open_way(folder: Path) -> None:
    folder.parent.chmod(0o777)


def linked_folder(folder: Path) -> None:
    folder.rename(folder.parent.parent / "real")
    folder.symlink_to(folder.parent.parent / "real")


def linked_file(folder: Path) -> None:
    file = folder / "branding.json"
    file.rename(folder / "real.json")
    file.symlink_to(folder / "real.json")


def other_icon(folder: Path) -> None:
    [icon] = (folder / "brand").iterdir()
    icon.write_bytes(icon.read_bytes() + b"\0")


UNTRUSTED = (
    open_to_all,
    open_file,
    open_to_a_group,
    open_way,
    linked_folder,
    linked_file,
    other_icon,
)


@pytest.mark.parametrize("spoil", UNTRUSTED, ids=lambda spoil: spoil.__name__)
def test_what_another_user_could_have_put_there_is_not_believed(
    spoil: Callable[[Path], None], placed: Path
) -> None:
    spoil(placed)
    with pytest.raises(BrandingBroken):
        registered_product(ID)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_a_folder_of_another_user_is_not_believed(placed: Path) -> None:
    os.chown(placed / "branding.json", 12345, 12345)
    with pytest.raises(BrandingBroken, match="another user"):
        registered_product(ID)


CHANGES: dict[str, Any] = {
    "id": "example-other",
    "bundleId": "com.lime.desktop",
    "name": "Lime Desktop",
    "brandName": "Somebody else",
    "windowTitle": "Lime",
    "scheme": "https",
    "publisher": "Example\nLtd",
    "accent": "url(x)",
    "supportUrl": "javascript:alert(1)",
    "fileTypes": [{"extension": "desktop", "name": "x", "mimeType": "text/plain"}],
    "icon": None,
    "runtime": None,
    "grants": ["keep-greeting"],
}


@pytest.mark.parametrize("field", CHANGES)
def test_a_brand_by_hand_obeys_the_rules_of_a_stamped_one(field: str, placed: Path) -> None:
    file = placed / "branding.json"
    said = json.loads(file.read_text())
    file.write_text(json.dumps({**said, field: CHANGES[field]}))
    with pytest.raises(BrandingBroken):
        registered_product(ID)


@pytest.mark.parametrize(
    "runtime", [{"minVersion": "99.0.0"}, {"minVersion": "0.0.1", "maxVersion": "0.0"}]
)
def test_the_range_is_looked_at_by_lime_too(runtime: dict[str, str], placed: Path) -> None:
    """Whoever starts it without the launcher has not checked it."""
    file = placed / "branding.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "runtime": runtime}))
    with pytest.raises(BrandingBroken, match=__version__):
        registered_product(ID)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def test_an_icon_is_pixels_and_nothing_else() -> None:
    """No decoder of pictures is given what could be made to break one."""
    good = png(256, bytes(256 * 256 * 4))
    assert is_plain_picture(good)
    rows = bytes(256 * 1025)
    end = chunk(b"IEND", b"")
    head = good[:33]
    for bad in (
        b"",
        good[:-1],
        good + b"x",
        png(128, bytes(128 * 128 * 4)),
        good.replace(b"IDAT", b"iDOT"),
        head + chunk(b"tEXt", b"a\0b") + good[33:],
        head + chunk(b"IDAT", zlib.compress(rows + b"\0")) + end,
        head + chunk(b"IDAT", zlib.compress(b"\4" + rows[1:])) + end,
        head + chunk(b"IDAT", zlib.compress(rows) + b"more") + end,
        head + chunk(b"IDAT", b"not packed") + end,
    ):
        assert not is_plain_picture(bad)


def test_lime_itself_wears_nothing() -> None:
    become_product(["lime-desktop", "open", "--as-product", ID])
    assert worn_product() is None
