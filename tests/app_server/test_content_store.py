"""The content store: named by content, on disk before it is named, checked when read."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.protocol.errors import ArtifactNotFound, DatabaseDamaged


@given(body=st.binary())
def test_what_was_put_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, body: bytes
) -> None:
    store = ContentStore(tmp_path_factory.mktemp("content"))
    reference = store.put("output", body)
    assert store.put("output", body) == reference
    assert store.read(reference) == body


def test_content_that_changed_on_disk_is_never_returned(tmp_path: Path) -> None:
    store = ContentStore(tmp_path)
    reference = store.put("output", b"truth")
    path = next(path for path in tmp_path.rglob("*") if path.is_file())
    path.write_bytes(b"lies!")
    with pytest.raises(DatabaseDamaged):
        store.read(reference)
    path.unlink()
    with pytest.raises(ArtifactNotFound):
        store.read(reference)


def test_putting_damaged_content_again_heals_it(tmp_path: Path) -> None:
    """A bug: an input whose stored copy was damaged could never be submitted again."""
    store = ContentStore(tmp_path)
    reference = store.put("input", b"truth")
    next(path for path in tmp_path.rglob("*") if path.is_file()).write_bytes(b"lies!")
    assert store.put("input", b"truth") == reference
    assert store.read(reference) == b"truth"


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "sidecar://output/short",
        "file:///etc/passwd",
        f"sidecar://output/../{'.' * 64}",
        f"sidecar://x/{'G' * 64}",
    ],
)
def test_only_references_of_ours_are_opened(tmp_path: Path, reference: str) -> None:
    with pytest.raises(ArtifactNotFound):
        ContentStore(tmp_path).read(reference)


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "content").write_text("a file where the folder should be")
    with pytest.raises(Exception, match="cannot be written"):
        ContentStore(tmp_path / "content").put("output", b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["content"]
