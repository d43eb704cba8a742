"""What comes with the program is known by its bytes (ours): no tick for it, and none of its trust for anything else."""

import json
import shutil
from pathlib import Path

import pytest

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.app_package.trust.verdict import Verdict, Verification
from lime_desktop.host.app_center.packages import bundled
from lime_desktop.host.app_center.packages.bundled import PUBLISHER, BundledApps, bundled_hashes
from lime_desktop.host.app_center.packages.trusting import TrustCheck
from lime_desktop.resources import sample_apps_folder

SAMPLES = sorted(each.parent for each in sample_apps_folder().glob("*/APP.md"))


def verified(folder: Path, tmp_path: Path) -> Verification:
    return TrustCheck(tmp_path / "nobody.yaml")(load_package(open_package(folder)))


def test_the_list_is_of_the_apps_as_they_are() -> None:
    """After a change to a sample: ``python -m lime_desktop.host.app_center.packages.bundled``."""
    listed = json.loads(bundled.list_file().read_text("utf-8"))
    assert listed == bundled_hashes(sample_apps_folder())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_sample_that_ships_is_verified(sample: Path, tmp_path: Path) -> None:
    """A bug: the program's own apps were unsigned, of medium risk, and needed a tick."""
    found = verified(sample, tmp_path)
    assert (found.verdict, found.publisher) == (Verdict.VERIFIED, PUBLISHER)


def test_a_sample_that_was_changed_is_verified_no_more(tmp_path: Path) -> None:
    copy = tmp_path / "hello-lime"
    shutil.copytree(sample_apps_folder() / "hello-lime", copy)
    assert verified(copy, tmp_path).verdict is Verdict.VERIFIED
    page = copy / "dist/ui/index.html"
    page.write_text(page.read_text("utf-8") + "<!-- one byte more -->", "utf-8")
    found = verified(copy, tmp_path)
    assert (found.verdict, found.publisher) == (Verdict.UNSIGNED, None)


def test_another_app_does_not_borrow_the_name_of_one(tmp_path: Path) -> None:
    """The hash of one sample says nothing for another name."""
    hashes = bundled_hashes(sample_apps_folder())
    package = load_package(open_package(sample_apps_folder() / "hello-lime"))
    swapped = BundledApps({"hello-lime": hashes["setup-tour"], "notes": hashes["hello-lime"]})
    check = TrustCheck(tmp_path / "nobody.yaml", bundled=swapped)
    assert check(package).verdict is Verdict.UNSIGNED


def test_a_signature_that_fails_is_a_failure_whatever_the_files_are(tmp_path: Path) -> None:
    copy = tmp_path / "hello-lime"
    shutil.copytree(sample_apps_folder() / "hello-lime", copy)
    (copy / "app.signature.yaml").write_text(
        f"signature:\n  package: {{hash: {'0' * 64}, algorithm: sha256}}\n"
        f"  manifest: {{hash: {'0' * 64}, algorithm: sha256}}\n"
    )
    package = load_package(open_package(copy))
    known = BundledApps(bundled_hashes(tmp_path))
    check = TrustCheck(tmp_path / "nobody.yaml", bundled=known)
    assert check(package).verdict is Verdict.FAILED


def test_without_a_list_nothing_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (None, "not json"):
        if text is not None:
            (tmp_path / "bundled_apps.json").write_text(text)
        monkeypatch.setattr(bundled, "resources_folder", lambda: tmp_path)
        bundled.shipped_hashes.cache_clear()
        assert bundled.shipped_hashes() == {}
    bundled.shipped_hashes.cache_clear()
