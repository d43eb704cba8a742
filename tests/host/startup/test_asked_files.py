"""What one start tells the next about files: read strictly, and never from a link (ours)."""

from pathlib import Path

import pytest

from lime_desktop.host.startup.asked_files import AskedFiles, read_asked_files, spell
from lime_desktop.product import LIME, FileType, Product, ShippedApp, ShippedFile
from lime_desktop.protocol.errors import InvalidInput

OWN = Product(
    id="example",
    scheme="files",
    app=ShippedApp(
        id="notes", version="1", package=ShippedFile(path="app/a.lapp", sha256="0" * 64)
    ),
    file_types=(FileType(extension="note", name="Note", mime_type="application/vnd.example.note"),),
)


def test_files_are_read_as_they_were_written_whatever_their_names(tmp_path: Path) -> None:
    asked = AskedFiles(
        "notes", (tmp_path / "a b\n.csv", tmp_path / "\udcff.csv", tmp_path / "表.csv")
    )
    text = spell(asked)
    text.encode("ascii")
    assert read_asked_files(text, LIME) == asked


def test_a_file_of_the_products_kind_is_for_its_app(tmp_path: Path) -> None:
    path = tmp_path / "Trip.NOTE"
    assert read_asked_files(str(path), OWN) == AskedFiles("notes", (path,))
    assert read_asked_files(str(path), LIME) is None


@pytest.mark.parametrize(
    "text",
    ["", "lime://app/notes", 'files:["notes", "/etc/passwd"]', "files:/etc/x.note", "a.note", "/x"],
)
def test_a_link_or_a_package_asks_for_no_file(text: str) -> None:
    assert read_asked_files(text, OWN) is None


@pytest.mark.parametrize(
    "said",
    ["", "[]", '["notes"]', '["notes", "a.csv"]', '["notes", 1]', "{}", '["notes", "/a"'],
)
def test_what_no_start_wrote_is_refused(said: str) -> None:
    with pytest.raises(InvalidInput):
        read_asked_files("\x1e" + said, LIME)
