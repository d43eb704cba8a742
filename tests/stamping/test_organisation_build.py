"""An organisation's apps, file and providers become a product (ours), through the command that its vendor types."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.app_server.providers.product_presets import PresetFile
from lime_desktop.cli.main import main
from lime_desktop.product import (
    BrandingBroken,
    read_product,
    shipped_bytes,
    shipped_path,
)
from tests.stamping.organisations import BUILD, ORGANISATION, make_build
from tests.stamping.products import make_base
from tests.stamping.test_ship import members, unpacked


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("frozen"))


def ship(build: Path, base: Path, out: Path, *options: str) -> Result:
    words = ["ship", "--organization", str(build), "--base", str(base), "--out", str(out)]
    return CliRunner().invoke(main, [*words, *options])


def told(result: Result) -> dict[str, Any]:
    return json.loads(result.stdout)


def test_a_build_becomes_a_product_with_its_apps_its_rules_and_its_providers(
    base: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = ship(make_build(tmp_path / "vendor"), base, out, "--deb", "--tar", "--json")
    assert done.exit_code == 0, done.output
    tree = out / "example-desk"
    product = read_product(tree)
    assert (product.name, product.version, product.install_mode) == (
        "Example Desk",
        "1.0.0",
        "in_lime",
    )
    assert product.app is None
    assert [each.id for each in product.apps] == ["hello-lime", "notes"]
    assert all(shipped_path(tree, each.package).suffix == ".lapp" for each in product.apps)
    assert product.organisation is not None
    assert shipped_bytes(tree, product.organisation).decode() == ORGANISATION
    assert product.providers is not None
    offered = PresetFile.model_validate_json(shipped_bytes(tree, product.providers)).presets
    assert [each.preset_id for each in offered] == ["openai", "example"]
    assert [each.model_id for each in offered[1].settings.models] == ["large", "small"]
    [deb] = out.glob("*.deb")
    files = unpacked(members(deb)["data.tar.gz"])
    assert files["opt/example-desk/organisation/organisation.yaml"].decode() == ORGANISATION
    assert b"Name=Example Desk\n" in files["usr/share/applications/example-desk.desktop"]


def test_the_same_build_gives_the_same_bytes(base: Path, tmp_path: Path) -> None:
    build = make_build(tmp_path / "vendor")
    packages: list[bytes] = []
    for out in (tmp_path / "one", tmp_path / "two"):
        assert ship(build, base, out, "--deb").exit_code == 0
        packages += [each.read_bytes() for each in out.glob("*.deb")]
    assert len(packages) == 2
    assert packages[0] == packages[1]


def test_a_package_that_somebody_packed_stays_the_file_it_is(base: Path, tmp_path: Path) -> None:
    """Packed anew it could lose what its signature was made over."""
    build = make_build(tmp_path, BUILD.replace("  - notes\n", "  - notes.lapp\n"))
    # Not as our own packer would have written it.
    with zipfile.ZipFile(tmp_path / "notes.lapp", "w", zipfile.ZIP_STORED) as archive:
        for each in sorted((tmp_path / "notes").rglob("*"), reverse=True):
            if each.is_file():
                archive.write(each, str(each.relative_to(tmp_path / "notes")))
    assert ship(build, base, tmp_path / "out").exit_code == 0
    shipped = tmp_path / "out/example-desk/app/notes.lapp"
    assert shipped.read_bytes() == (tmp_path / "notes.lapp").read_bytes()


def test_a_check_writes_nothing(base: Path, tmp_path: Path) -> None:
    done = ship(make_build(tmp_path / "vendor"), base, tmp_path / "out", "--check", "--json")
    assert done.exit_code == 0, done.output
    assert told(done)["product"]["name"] == "Example Desk"
    assert not (tmp_path / "out").exists()


def test_one_app_and_a_build_are_not_asked_for_at_once(base: Path, tmp_path: Path) -> None:
    build = make_build(tmp_path)
    for words in ([str(tmp_path / "notes"), "--organization", str(build)], []):
        done = CliRunner().invoke(
            main, ["ship", *words, "--base", str(base), "--out", str(tmp_path / "out")]
        )
        assert done.exit_code == 2, done.output


SECRET = "sk-ant-api03-" + "Qz7Lp2Xw9R" * 4
BAD = {
    "BRAND_BUNDLE_ID_INVALID": ("com.example.desk", "../../etc", 4),
    "BRAND_ID_TAKEN": ("com.example.desk", "com.lime.desktop", 4),
    "BRAND_NAME_TAKEN": ("name: Example Desk", "name: Lime Desktop", 3),
    "BRAND_VERSION_INVALID": ("version: 1.0.0", "version: latest", 5),
    "BRAND_ICON_MISSING": ("logo.svg", "nowhere.svg", 6),
    "BRAND_COLOUR_INVALID": ('"#7a2e8c"', "purple", 7),
    "BRAND_URL_INVALID": ("https://example.com/help", "http://example.com/help", 9),
    "BUILD_KEY_UNKNOWN": ("  publisher: Example Ltd", "  grants: [storage]", 8),
    "BUILD_APPS_MISSING": ("apps:\n  - hello-lime\n  - notes\n", "apps: []\n", 10),
    "BUILD_APP_UNREADABLE": ("  - notes", "  - nowhere", 12),
    "BUILD_APP_TWICE": ("  - notes", "  - ./hello-lime", 12),
    "BUILD_FILE_UNREADABLE": ("organisation.yaml", "nowhere.yaml", 13),
    "BUILD_ORGANIZATION_MISSING": ("organization: organisation.yaml\n", "", 1),
    "BUILD_SECRET": ("    about: Models", "    apiKey: $FROM_SOMEWHERE # Models", 18),
    "BUILD_PROVIDER_INVALID": ("https://models.example.com/v1", "models.example.com", 19),
    "BUILD_PROVIDER_UNENCRYPTED": ("https://models", "http://models", 19),
    "BUILD_PROVIDER_TWICE": ("  - openai", "  - { id: example, baseUrl: 'https://a.b/v1' }", 16),
    "BUILD_PROVIDER_TAKEN": ("id: example", "id: openai", 17),
}


@pytest.mark.parametrize("code", BAD)
def test_a_bad_build_is_refused_with_its_line_and_writes_nothing(
    code: str, base: Path, tmp_path: Path
) -> None:
    old, new, line = BAD[code]
    assert old in BUILD
    build = make_build(tmp_path, BUILD.replace(old, new, 1))
    done = ship(build, base, tmp_path / "out", "--deb", "--json")
    assert done.exit_code == 1, done.output
    found = {each["code"]: each for each in reversed(told(done)["problems"])}
    assert code in found, found
    assert (found[code]["file"], found[code]["line"]) == ("desk.yaml", line), found[code]
    assert found[code]["fix"]
    assert not (tmp_path / "out").exists()


OTHER_FILE = {
    "an effect that is none": ("effect: deny", "effect: forbid", "BUILD_ORGANIZATION_INVALID", 6),
    "a key that is none": ("name: Example Ltd", "nmae: Example Ltd", "BUILD_ORGANIZATION_INVALID", 2),
    "no yaml": ("policy:\n", "policy: [\n", "BUILD_ORGANIZATION_INVALID", 5),
    "a key of somebody": ("text: Nothing goes", f"text: {SECRET} goes", "BUILD_SECRET", 7),
    "an app that is not allowed": ("version: 1\n", "version: 1\napps: { blocked: [notes] }\n", "BUILD_APP_BLOCKED", 12),
    "a catalog of this computer": ("version: 1\n", "version: 1\ncatalogs: [apps.yaml]\n", "BUILD_CATALOG_LOCAL", 2),
}  # fmt: skip


@pytest.mark.parametrize("what", OTHER_FILE)
def test_a_bad_organisation_file_is_refused_with_its_line(
    what: str, base: Path, tmp_path: Path
) -> None:
    old, new, code, line = OTHER_FILE[what]
    assert old in ORGANISATION
    build = make_build(tmp_path, organisation=ORGANISATION.replace(old, new, 1))
    done = ship(build, base, tmp_path / "out", "--json")
    assert done.exit_code == 1, done.output
    found = [(each["code"], each["file"], each["line"]) for each in told(done)["problems"]]
    file = "desk.yaml" if code == "BUILD_APP_BLOCKED" else "organisation.yaml"
    assert (code, file, line) in found
    assert SECRET not in done.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("place", ["    about: ", "    keyPage: https://example.com/?key="])
def test_a_key_in_a_provider_is_refused_wherever_it_stands_and_never_repeated(
    place: str, base: Path, tmp_path: Path
) -> None:
    build = make_build(tmp_path, BUILD.replace("    about: ", f"{place}{SECRET} #", 1))
    done = ship(build, base, tmp_path / "out", "--json")
    found = {each["code"]: each for each in told(done)["problems"]}
    assert (found["BUILD_SECRET"]["file"], found["BUILD_SECRET"]["line"]) == ("desk.yaml", 18)
    assert SECRET not in done.output


def test_what_the_builders_machine_calls_its_own_network_does_not_count(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People's machines would refuse the address, and the product with it."""
    monkeypatch.setenv("LIME_DESKTOP_OWN_NETWORK", "models.example.com")
    build = make_build(tmp_path, BUILD.replace("https://models", "http://models"))
    done = ship(build, base, tmp_path / "out", "--json")
    assert "BUILD_PROVIDER_UNENCRYPTED" in {each["code"] for each in told(done)["problems"]}


def test_an_app_that_is_not_valid_is_named_with_its_own_problems(
    base: Path, tmp_path: Path
) -> None:
    build = make_build(tmp_path)
    manifest = tmp_path / "notes/APP.md"
    manifest.write_text(manifest.read_text("utf-8").replace("name: notes\n", "name: No Tes\n"))
    done = ship(build, base, tmp_path / "out", "--json")
    problems = told(done)["problems"]
    assert done.exit_code == 1
    assert "BUILD_APP_UNREADABLE" in {each["code"] for each in problems}
    assert any(each["file"] == "notes/APP.md" and each["line"] for each in problems), problems


def test_an_app_that_is_for_itself_alone_is_refused(base: Path, tmp_path: Path) -> None:
    build = make_build(tmp_path)
    alone = "install:\n  modes: [standalone]\n  standalone:\n    bundleId: com.example.notes\n"
    (tmp_path / "notes/app.install.yaml").write_text(alone)
    done = ship(build, base, tmp_path / "out", "--json")
    assert "BUILD_APP_MODE" in {each["code"] for each in told(done)["problems"]}


def test_a_build_that_is_too_large_is_refused(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = make_build(tmp_path)
    monkeypatch.setattr("lime_desktop.stamping.organisation_build.MOST_BYTES", 1_000)
    done = ship(build, base, tmp_path / "out", "--json")
    found = {each["code"]: each for each in told(done)["problems"]}
    assert (found["BUILD_TOO_LARGE"]["file"], found["BUILD_TOO_LARGE"]["line"]) == ("desk.yaml", 10)
    build.write_text("#" * (2 << 20))
    done = ship(build, base, tmp_path / "out", "--json")
    assert "BUILD_TOO_LARGE" in {each["code"] for each in told(done)["problems"]}


WISHES = ("grants", "permissions", "isInstalled", "acceptUnsigned", "policy", "keys")


def test_a_vendor_cannot_allow_anything_in_the_persons_name(base: Path, tmp_path: Path) -> None:
    assert ship(make_build(tmp_path), base, tmp_path / "out").exit_code == 0
    file = tmp_path / "out/example-desk/branding.json"
    said = json.loads(file.read_text())
    for wish in WISHES:
        for place in (said, said["apps"][0]):
            place[wish] = ["storage"]
            file.write_text(json.dumps(said))
            with pytest.raises(BrandingBroken):
                read_product(file.parent)
            del place[wish]


@pytest.mark.parametrize("lacks", ["organisation", "apps"])
def test_several_apps_without_an_organisation_are_no_product(
    lacks: str, base: Path, tmp_path: Path
) -> None:
    """Whoever takes the file's name out of the branding has a program that does not start, and not one without rules."""
    assert ship(make_build(tmp_path), base, tmp_path / "out").exit_code == 0
    file = tmp_path / "out/example-desk/branding.json"
    said = json.loads(file.read_text())
    del said[lacks]
    file.write_text(json.dumps(said))
    with pytest.raises(BrandingBroken):
        read_product(file.parent)
