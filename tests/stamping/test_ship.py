"""An app becomes a product of its own (ours; install modes by the standard), through the command that a vendor types."""

import io
import json
import plistlib
import tarfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.cli.main import main
from lime_desktop.product import read_product, shipped_path
from tests.stamping.products import SAMPLES, make_app, make_base


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("frozen"))


def ship(app: Path, base: Path, out: Path, *options: str) -> Result:
    words = ["ship", str(app), "--base", str(base), "--out", str(out), *options]
    return CliRunner().invoke(main, words)


def told(result: Result) -> dict[str, Any]:
    return json.loads(result.stdout)


def members(package: Path) -> dict[str, bytes]:
    """The files of a .deb, by the parts that its format names."""
    data, at, found = package.read_bytes(), 8, dict[str, bytes]()
    while at < len(data):
        name, size = data[at : at + 16].decode().strip(), int(data[at + 48 : at + 58])
        found[name] = data[at + 60 : at + 60 + size]
        at += 60 + size + size % 2
    return found


def unpacked(archive: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        files = [each for each in tar.getmembers() if each.isfile()]
        return {each.name.removeprefix("./"): _read(tar, each) for each in files}


def _read(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    assert file is not None
    return file.read()


@pytest.mark.parametrize("sample", SAMPLES)
def test_each_sample_becomes_a_product_with_its_package(
    sample: str, base: Path, tmp_path: Path
) -> None:
    app, out = make_app(tmp_path, sample), tmp_path / "out"
    done = ship(app, base, out, "--deb", "--json")
    assert done.exit_code == 0, done.output
    own = f"example-{sample}"
    tree = out / own
    product = read_product(tree)
    assert product.app is not None
    assert (product.id, product.app.id, product.scheme) == (own, sample, own)
    assert shipped_path(tree, product.app.package).suffix == ".lapp"
    assert (tree / own).read_text() == "#!/bin/sh\necho lime-desktop\n"
    assert (tree / "lime-app-server").exists()
    assert not (tree / "lime-desktop").exists()
    [deb] = out.glob("*.deb")
    parts = members(deb)
    control = unpacked(parts["control.tar.gz"])["control"].decode()
    assert f"Package: {own}\n" in control
    files = unpacked(parts["data.tar.gz"])
    assert files[f"opt/{own}/branding.json"] == (tree / "branding.json").read_bytes()
    entry = files[f"usr/share/applications/{own}.desktop"].decode()
    assert f"Exec={own} open %U\n" in entry
    assert f"x-scheme-handler/{own};" in entry
    assert "lime-desktop" not in entry
    assert files[f"usr/share/icons/hicolor/256x256/apps/{own}.png"].startswith(b"\x89PNG")


def test_what_is_lime_desktops_own_stays_behind(base: Path, tmp_path: Path) -> None:
    """A product that took over the updates of its base would one day be replaced by it."""
    ship(make_app(tmp_path), base, tmp_path / "out")
    names = {each.name for each in (tmp_path / "out/example-hello-lime").iterdir()}
    assert names == {
        *("_internal", "app", "brand", "branding.json", "example-hello-lime"),
        *("lime-app-server", "LICENCES.txt"),
    }
    assert (base / "update-source.json").exists()


def test_the_same_order_gives_the_same_bytes(base: Path, tmp_path: Path) -> None:
    app = make_app(tmp_path)
    packages: list[bytes] = []
    for out in (tmp_path / "one", tmp_path / "two"):
        assert ship(app, base, out, "--deb").exit_code == 0
        packages += [each.read_bytes() for each in out.glob("*.deb")]
    assert packages[0] == packages[1]


def test_the_archive_installs_and_removes_under_the_products_name_alone(
    base: Path, tmp_path: Path
) -> None:
    done = ship(make_app(tmp_path), base, tmp_path / "out", "--tar")
    assert done.exit_code == 0, done.output
    [archive] = (tmp_path / "out").glob("*.tar.gz")
    files = unpacked(archive.read_bytes())
    scripts = [body.decode() for name, body in files.items() if name.endswith("install.sh")]
    assert len(scripts) == 2
    for script in scripts:
        assert "example-hello-lime" in script
        assert "Lime Desktop" not in script
        assert "lime-desktop" not in script.replace("launcher/lime-desktop.sh", "")


def test_other_systems_get_a_recipe_that_says_what_is_left_to_do(
    base: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert ship(make_app(tmp_path), base, out, "--windows", "--macos").exit_code == 0
    script = (out / "windows/example-hello-lime.nsi").read_text("utf-8-sig")
    assert '!define NAME "Example Hello Lime"' in script
    assert r"Software\Classes\example-hello-lime" in script
    assert "NEVER RUN" in script
    info = plistlib.loads((out / "macos/Info.plist").read_bytes())
    assert info["CFBundleIdentifier"] == "com.example.hello-lime"
    assert info["CFBundleURLTypes"][0]["CFBundleURLSchemes"] == ["example-hello-lime"]
    for system in ("windows", "macos"):
        assert "What is left to do" in (out / system / "STEPS.txt").read_text()


def test_a_check_writes_nothing(base: Path, tmp_path: Path) -> None:
    done = ship(make_app(tmp_path), base, tmp_path / "out", "--deb", "--check", "--json")
    assert done.exit_code == 0
    assert told(done)["product"]["name"] == "Example Hello Lime"
    assert not (tmp_path / "out").exists()


BAD = {
    "BRAND_MODE_MISSING": ("modes: [in_lime, standalone]", "modes: [in_lime]", 2),
    "BRAND_BUNDLE_ID_INVALID": ("com.example.hello-lime", "../../etc", 4),
    "BRAND_ID_TAKEN": ("com.example.hello-lime", "com.lime.desktop", 4),
    "BRAND_NAME_UNSAFE": ("name: Example Hello Lime", 'name: "Example\\nExec=rm"', 7),
    "BRAND_NAME_TAKEN": ("name: Example Hello Lime", "name: LIME Desktop", 7),
    "BRAND_ICON_MISSING": ("./brand-logo.svg", "./nowhere.svg", 8),
    "BRAND_COLOUR_INVALID": ('"#7a2e8c"', "purple", 10),
    "BRAND_URL_INVALID": ("https://example.com/help", "javascript:alert(1)", 12),
    "BRAND_SCHEME_TAKEN": ("publisher: Example Ltd", "scheme: https", 11),
    "BRAND_FILE_TYPE_INVALID": ("examplenote,", "desktop,", 14),
}


@pytest.mark.parametrize("code", BAD)
def test_a_bad_brand_is_refused_with_its_line_and_writes_nothing(
    code: str, base: Path, tmp_path: Path
) -> None:
    old, new, line = BAD[code]
    app = make_app(tmp_path)
    file = app / "app.install.yaml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    done = ship(app, base, tmp_path / "out", "--deb", "--json")
    assert done.exit_code == 1, done.output
    found = {each["code"]: each for each in told(done)["problems"]}
    assert code in found, found
    assert (found[code]["file"], found[code]["line"]) == ("app.install.yaml", line)
    assert found[code]["fix"]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        (b"<svg>" + b" " * (3 << 20), "BRAND_ICON_TOO_LARGE"),
        (b"not a picture at all", "BRAND_ICON_UNUSABLE"),
    ],
)
def test_a_picture_that_is_none_or_huge_is_refused_with_its_line(
    picture: bytes, code: str, base: Path, tmp_path: Path
) -> None:
    app = make_app(tmp_path)
    (app / "brand-logo.svg").write_bytes(picture)
    done = ship(app, base, tmp_path / "out", "--json")
    found = {each["code"]: each for each in told(done)["problems"]}
    assert done.exit_code == 1
    assert (found[code]["file"], found[code]["line"]) == ("app.install.yaml", 8)


def test_a_folder_that_is_somebody_elses_is_not_replaced(base: Path, tmp_path: Path) -> None:
    taken = tmp_path / "out/example-hello-lime"
    taken.mkdir(parents=True)
    (taken / "diary.txt").write_text("mine")
    done = ship(make_app(tmp_path), base, tmp_path / "out", "--json")
    assert done.exit_code == 1
    assert [each["code"] for each in told(done)["problems"]] == ["OUT_TAKEN"]
    assert (taken / "diary.txt").read_text() == "mine"


def test_a_product_is_no_base_and_half_a_base_is_none(base: Path, tmp_path: Path) -> None:
    app = make_app(tmp_path)
    ship(app, base, tmp_path / "out")
    for folder in (tmp_path / "out/example-hello-lime", tmp_path):
        done = ship(app, folder, tmp_path / "again", "--json")
        assert done.exit_code == 1
        assert "BASE_UNUSABLE" in {each["code"] for each in told(done)["problems"]}


def test_updates_without_keys_are_refused(base: Path, tmp_path: Path) -> None:
    """Whoever serves the address could replace the program otherwise."""
    app = make_app(tmp_path)
    file = app / "app.install.yaml"
    updates = "    updates: { url: https://example.com/up, channel: stable }\n  branding:"
    file.write_text(file.read_text().replace("  branding:", updates))
    done = ship(app, base, tmp_path / "out", "--json")
    assert {each["code"] for each in told(done)["problems"]} == {"BRAND_UPDATES_UNTRUSTED"}
    keys = tmp_path / "keys"
    made = CliRunner().invoke(main, ["publish", "keys", "new", "--keys", str(keys)])
    assert made.exit_code == 0, made.output
    assert ship(app, base, tmp_path / "out", "--keys", str(keys)).exit_code == 0
    source = json.loads((tmp_path / "out/example-hello-lime/update-source.json").read_text())
    assert source["product"] == "example-hello-lime"
