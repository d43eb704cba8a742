"""In an organisation's product its rules hold from the first start, whoever asks for something else (ours)."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lime_desktop.cli.main import main
from lime_desktop.product import TRIED_BRAND
from tests.stamping.organisations import BUILD, ORGANISATION, make_build
from tests.stamping.products import ROOT, make_base

# A command in a process of its own takes seconds where the machine is busy, and a window that opened in spite of all is stopped.
pytestmark = pytest.mark.timeout(400)
OTHERS = """version: 1
name: Somebody Else
"""


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("vendor"))


def made(folder: Path, organisation: str = ORGANISATION, build: str = BUILD) -> Path:
    build_file = make_build(folder, build, organisation)
    words = ["ship", "--organization", str(build_file), "--base", str(make_base(folder))]
    done = CliRunner().invoke(main, [*words, "--out", str(folder / "out")])
    assert done.exit_code == 0, done.output
    return folder / "out/example-desk"


def run(product: Path, home: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """A command of the product, in a process of its own: which product it is, is settled when a process begins."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), TRIED_BRAND: str(product)}
    environment |= {"HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    environment |= {"XDG_CONFIG_HOME": str(home / "config"), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "lime_desktop", *words]
    return subprocess.run(  # noqa: S603 - our own program
        command, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def test_its_rules_hold_from_the_start_and_nobody_leaves_or_joins_another(
    product: Path, tmp_path: Path
) -> None:
    shown = run(product, tmp_path, "organisation", "show", "--json")
    assert json.loads(shown.stdout)["organisation"]["name"] == "Example Ltd", shown.stderr
    (tmp_path / "other.yaml").write_text(OTHERS)
    for words in (("leave",), ("join", str(tmp_path / "other.yaml"))):
        refused = run(product, tmp_path, "organisation", *words, "--json")
        assert refused.returncode == 1
        assert "APP_E009" in refused.stdout + refused.stderr
    again = json.loads(run(product, tmp_path, "organisation", "show", "--json").stdout)
    assert [each["id"] for each in again["organisation"]["rules"]] == [
        "organisation.paste",
        "organisation.keep",
    ]


def test_an_organisation_that_the_folder_was_in_before_gives_way(
    product: Path, tmp_path: Path
) -> None:
    """A person could have joined one with Lime Desktop on the same folder."""
    (tmp_path / "other.yaml").write_text(OTHERS)
    data = tmp_path / "data/example-desk"
    words = ["organisation", "join", str(tmp_path / "other.yaml"), "--data-dir", str(data)]
    assert CliRunner().invoke(main, words).exit_code == 0
    shown = run(product, tmp_path, "organisation", "show", "--json")
    assert json.loads(shown.stdout)["organisation"]["name"] == "Example Ltd"


def test_its_apps_are_on_offer_and_others_are_refused(product: Path, tmp_path: Path) -> None:
    found = json.loads(run(product, tmp_path, "apps", "search", "", "--json").stdout)
    assert [each["appId"] for each in found["offers"]] == ["hello-lime", "notes"]
    assert {each["source"] for each in found["offers"]} == {"example-desk"}
    other = str(ROOT / "sample_apps/draft-desk")
    agreed = ("--yes", "--accept-unsigned", "--grant-suggested", "--json")
    refused = run(product, tmp_path, "install", other, *agreed)
    assert refused.returncode == 1
    assert "not-this-product" in refused.stdout + refused.stderr
    taken = run(product, tmp_path, "apps", "sources", "--add", str(ROOT / "sample_apps"))
    assert taken.returncode == 1
    assert run(product, tmp_path, "install", "hello-lime", *agreed).returncode == 0
    listed = json.loads(run(product, tmp_path, "apps", "list", "--json").stdout)
    assert [each["appId"] for each in listed["apps"]] == ["hello-lime"]


def test_what_the_organisation_allows_besides_may_be_installed(tmp_path: Path) -> None:
    allowed = "apps: { allowed: [hello-lime, notes, draft-desk] }\n"
    product = made(tmp_path / "vendor", ORGANISATION + allowed)
    agreed = ("--yes", "--accept-unsigned", "--grant-suggested", "--json")
    for sample, code in (("draft-desk", 0), ("folder-desk", 1)):
        done = run(product, tmp_path, "install", str(ROOT / "sample_apps" / sample), *agreed)
        assert done.returncode == code, done.stdout + done.stderr


def test_its_providers_are_on_offer_and_no_others(product: Path, tmp_path: Path) -> None:
    listed = json.loads(run(product, tmp_path, "providers", "list", "--json").stdout)
    assert [each["presetId"] for each in listed["presets"]] == ["openai", "example"]
    assert listed["providers"] == []


@pytest.mark.parametrize("name", ["organisation/organisation.yaml", "organisation/providers.json"])
@pytest.mark.parametrize("change", ["gone", "other"])
def test_without_what_governs_it_the_product_does_not_open(
    name: str, change: str, product: Path, tmp_path: Path
) -> None:
    """Nobody may work without their organisation's rules because a file was deleted."""
    changed = tmp_path / "changed"
    shutil.copytree(product, changed, symlinks=True)
    if change == "gone":
        (changed / name).unlink()
    else:
        (changed / name).write_text("version: 1\nname: Nobody\n")
    opened = run(changed, tmp_path, "open")
    assert opened.returncode == 1
    assert name in opened.stderr
    assert "Traceback" not in opened.stderr
    if name.endswith("yaml"):
        asked = run(changed, tmp_path, "organisation", "show", "--json")
        assert asked.returncode == 1
        assert "Traceback" not in asked.stderr


def test_nothing_runs_beside_its_rules(product: Path, tmp_path: Path) -> None:
    """Packages that are worked on are run without an organisation; its own product does not do that."""
    developed = run(product, tmp_path, "dev", str(ROOT / "sample_apps/notes"), "--headless")
    assert developed.returncode == 1
    assert "organization" in developed.stderr
