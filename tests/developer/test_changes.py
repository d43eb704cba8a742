"""What saved files mean for an app that is open (ours)."""

import pytest

from lime_desktop.developer.changes import Change, Renewal, read_change

FILES = {"APP.md", "app.entries.yaml", "dist/ui/index.html", "dist/ui/a.css", "dist/uix/b.css"}


@pytest.mark.parametrize(
    ("saved", "renewal"),
    [
        ({"dist/ui/a.css"}, Renewal.STYLES),
        ({"dist/ui/index.html"}, Renewal.PAGE),
        ({"dist/ui/a.css", "dist/ui/index.html"}, Renewal.PAGE),
        ({"APP.md"}, Renewal.PACKAGE),
        ({"APP.md", "dist/ui/index.html"}, Renewal.PACKAGE),
        ({"dist/uix/b.css"}, Renewal.PACKAGE),
    ],
)
def test_as_little_as_will_do_is_done(saved: set[str], renewal: Renewal) -> None:
    assert read_change(saved, "dist/ui", FILES, FILES) == Change(tuple(sorted(saved)), renewal)


def test_a_style_sheet_that_came_or_went_needs_the_page() -> None:
    came = read_change({"dist/ui/a.css"}, "dist/ui", FILES - {"dist/ui/a.css"}, FILES)
    went = read_change({"dist/ui/a.css"}, "dist/ui", FILES, FILES - {"dist/ui/a.css"})
    assert came == went == Change(("dist/ui/a.css",), Renewal.PAGE)


def test_a_file_that_came_and_went_at_once_means_nothing() -> None:
    assert read_change({"dist/ui/4913"}, "dist/ui", FILES, FILES) is None


def test_what_a_build_writes_for_editors_means_nothing() -> None:
    after = FILES | {"dist/ui/app.js.map", "dist/ui/app.d.ts"}
    assert read_change(after - FILES, "dist/ui", FILES, after) is None


def test_behind_a_dev_server_the_bundle_is_a_file_like_any_other() -> None:
    change = read_change({"dist/ui/index.html"}, None, FILES, FILES)
    assert change == Change(("dist/ui/index.html",), Renewal.PACKAGE)
