"""`ship --runtime-backed` refuses what could not run on an installed Lime Desktop, with its line (the standard's install contract; the codes are ours)."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from lime_desktop.cli.main import main
from tests.registration.computers import INSTALL, LINK, ship_backed
from tests.stamping.products import make_base

BAD = {
    "BRAND_MODE_MISSING": ("modes: [in_lime, runtime_backed]", "modes: [in_lime]", 2),
    "BRAND_RUNTIME_UNKNOWN": ("requires: lime-runtime", "requires: electron", 4),
    "BRAND_RUNTIME_RANGE_INVALID": ("minVersion: current", "minVersion: newest", 5),
    "BRAND_BUNDLE_ID_INVALID": ("com.example.hello-lime", "../../etc", 6),
    "BRAND_URL_INVALID": (LINK, "javascript:alert(1)", 7),
    "BRAND_RUNTIME_LINK_MISSING": (f"downloadUrl: {LINK}", "x-other: none", 3),
}


@pytest.mark.parametrize("code", BAD)
def test_what_could_not_run_is_refused_with_its_line_and_writes_nothing(
    code: str, tmp_path: Path
) -> None:
    old, new, line = BAD[code]
    assert old in INSTALL
    exit_code, told = ship_backed(tmp_path, INSTALL.replace(old, new), "--deb")
    found = {each["code"]: each for each in told["problems"]}
    assert exit_code == 1
    assert (found[code]["file"], found[code]["line"]) == ("app.install.yaml", line), found
    assert found[code]["fix"]
    assert not (tmp_path / "out").exists()


RUNTIMES = {
    "BRAND_RUNTIME_UNKNOWN": "sidecar: { binary: other-server }",
    "BRAND_PLATFORM_EXCLUDED": "sidecar: { platforms: [win32-x64] }",
    "BRAND_VALUE_INVALID": "distribution: { runtimeBacked: { resolveFromManifest: false } }",
    "VALUE_NOT_ALLOWED": "releaseManifest: { allowEnvOverrideInProduction: true }",
}


@pytest.mark.parametrize("code", RUNTIMES)
def test_a_sidecar_or_a_way_to_find_it_that_is_not_limes_is_refused(
    code: str, tmp_path: Path
) -> None:
    said = INSTALL.replace(
        "\n  runtimeBacked:", f"\n  runtime:\n    {RUNTIMES[code]}\n  runtimeBacked:"
    )
    exit_code, told = ship_backed(tmp_path, said)
    assert exit_code == 1
    assert (code, 4) in {(each["code"], each["line"]) for each in told["problems"]}, told


@pytest.mark.parametrize("highest", ["0.0", "newest", "1.2.3.4"])
def test_a_range_with_nothing_in_it_is_refused(highest: str, tmp_path: Path) -> None:
    said = INSTALL.replace("minVersion: current", f'minVersion: 0.1.0\n    maxVersion: "{highest}"')
    _, told = ship_backed(tmp_path, said)
    assert [(each["code"], each["line"]) for each in told["problems"]] == [
        ("BRAND_RUNTIME_RANGE_INVALID", 6)
    ]


@pytest.mark.parametrize("wish", ["--appimage", "--windows", "--macos"])
def test_formats_that_there_are_none_of_are_refused(wish: str, tmp_path: Path) -> None:
    _, told = ship_backed(tmp_path, INSTALL, wish)
    assert {each["code"] for each in told["problems"]} == {"FORMAT_UNAVAILABLE"}


def test_a_check_names_the_range_and_writes_nothing(tmp_path: Path) -> None:
    exit_code, told = ship_backed(tmp_path, INSTALL, "--check")
    assert exit_code == 0
    assert told["runtime"]["link"] == LINK
    assert told["base"] is None
    assert not (tmp_path / "out").exists()


def test_a_base_has_no_place_there(tmp_path: Path) -> None:
    words = ["ship", str(tmp_path), "--runtime-backed", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(main, [*words, "--base", str(make_base(tmp_path))])
    assert done.exit_code == 2
