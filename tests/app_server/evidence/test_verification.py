"""Whatever is done to an export is found, and the file it was done to is named."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lime_desktop.app_server.evidence.verification import verify

# One folder serves all examples: each undoes what it did.
one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def codes(folder: Path) -> dict[str, str]:
    return {finding.file: finding.code for finding in verify(folder).findings}


def test_an_untouched_chain_is_sound(chain: Path) -> None:
    report = verify(chain)
    assert report.is_sound, report.findings
    assert [export.index for export in report.exports] == [1, 2, 3, 4]
    hashes = [export.manifest_hash for export in report.exports]
    assert [export.previous_hash for export in report.exports] == [None, *hashes[:-1]]
    assert verify(chain.parent).is_sound
    assert all(verify(folder).is_sound for folder in chain.iterdir())


@one_folder
@given(data=st.data())
def test_any_flipped_bit_of_any_file_is_found_and_the_file_is_named(
    chain: Path, data: st.DataObject
) -> None:
    files = sorted(path for path in chain.rglob("*") if path.is_file())
    path = data.draw(st.sampled_from(files))
    body = path.read_bytes()
    place = data.draw(st.integers(0, len(body) - 1))
    bit = 1 << data.draw(st.integers(0, 7))
    try:
        path.write_bytes(body[:place] + bytes([body[place] ^ bit]) + body[place + 1 :])
        assert path.relative_to(chain).as_posix() in codes(chain)
        assert f"{path.parent.name}/{path.name}" in codes(path.parent)
    finally:
        path.write_bytes(body)


@one_folder
@given(data=st.data())
def test_any_cut_or_lengthened_file_is_found(chain: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(p for p in chain.rglob("*") if p.is_file())))
    body = path.read_bytes()
    cut = body[: data.draw(st.integers(0, len(body) - 1))]
    changed = data.draw(st.sampled_from([cut, body + b"\n", b"\n" + body]))
    try:
        path.write_bytes(changed)
        assert path.relative_to(chain).as_posix() in codes(chain)
    finally:
        path.write_bytes(body)


def test_a_removed_file_is_missed(chain: Path) -> None:
    for path in sorted(p for p in chain.rglob("*") if p.is_file()):
        body = path.read_bytes()
        path.unlink()
        assert codes(chain)[path.relative_to(chain).as_posix()] == "FILE_MISSING"
        path.write_bytes(body)
    assert verify(chain).is_sound


@pytest.mark.parametrize("place", ["pack/extra.json", "pack/.hidden", "stray.txt", "folder/x"])
def test_anything_added_is_named(chain: Path, pack: Path, place: str) -> None:
    path = chain / place.replace("pack", pack.name)
    path.parent.mkdir(exist_ok=True)
    path.write_text("one more")
    named = place.replace("pack", pack.name) if place != "folder/x" else "folder"
    assert codes(chain) == {named: "FILE_ADDED"}


def test_a_missing_export_breaks_the_chain(chain: Path, pack: Path) -> None:
    second = sorted(chain.iterdir())[1].name
    shutil.rmtree(pack)
    assert codes(chain) == {f"{second}/manifest.json": "EXPORT_MISSING"}


def test_an_export_that_was_made_anew_does_not_fit_the_next_one(chain: Path, pack: Path) -> None:
    """Whoever rewrites a folder, seal and all, still has the next manifest against them."""
    second = sorted(chain.iterdir())[1].name
    manifest = json.loads((pack / "manifest.json").read_text("utf-8"))
    manifest["created_at"] = "2000-01-01T00:00:00Z"
    (pack / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    _reseal(pack)
    assert verify(pack).is_sound
    assert codes(chain) == {f"{second}/manifest.json": "CHAIN_BROKEN"}


def test_a_manifest_cannot_send_its_reader_elsewhere(chain: Path, pack: Path) -> None:
    manifest = json.loads((pack / "manifest.json").read_text("utf-8"))
    manifest["files"][0]["path"] = "../../elsewhere"
    (pack / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    _reseal(pack)
    assert codes(chain)[f"{pack.name}/../../elsewhere"] == "FILE_CHANGED"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a right that few have there")
def test_a_link_is_no_file(pack: Path, tmp_path: Path) -> None:
    shutil.move(pack / "pack.json", tmp_path / "pack.json")
    (pack / "pack.json").symlink_to(tmp_path / "pack.json")
    assert codes(pack) == {f"{pack.name}/pack.json": "FILE_CHANGED"}


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs sha256sum")
def test_the_seal_is_what_sha256sum_reads(pack: Path) -> None:
    done = subprocess.run(
        ["sha256sum", "-c", "manifest.sha256"],  # noqa: S607 - whichever the system has
        cwd=pack,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0


def _reseal(folder: Path) -> None:
    digest = hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()
    (folder / "manifest.sha256").write_text(f"{digest}  manifest.json\n", "utf-8")
