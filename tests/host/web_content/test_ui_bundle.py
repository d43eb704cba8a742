"""What an app's origin answers (the standard: the bundle at the root of its own origin)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.web_content.ui_bundle import UiBundle


class Files:
    """The files of a package, in memory."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def read(self, path: str) -> bytes:
        return self.files[path]


FILES = {
    "APP.md": b"secret of the package",
    "dist/ui/index.html": b"<h1>index</h1>",
    "dist/ui/app.js": b"0123456789",
    "dist/ui/help/index.html": b"<h1>help</h1>",
    "dist/ui/a b.txt": b"spaced",
}
BUNDLE = UiBundle(Files(FILES), "dist/ui", {"frame.html": b"<frame>", "sdk/lime.js": b"sdk"})


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/", b"<h1>index</h1>"),
        ("/app.js", b"0123456789"),
        ("/dashboard", b"<h1>index</h1>"),
        ("/deep/er/route", b"<h1>index</h1>"),
        ("/help", b"<h1>help</h1>"),
        ("/help/", b"<h1>help</h1>"),
        ("/a%20b.txt", b"spaced"),
        ("/__lime__/sdk/lime.js", b"sdk"),
        ("/__lime__/frame.html", b"<frame>"),
    ],
)
def test_a_path_is_answered_by_its_file_or_by_the_index(path: str, body: bytes) -> None:
    answer = BUNDLE.answer(path)
    assert (answer.is_missing, answer.body) == (False, body)


@pytest.mark.parametrize(
    "path",
    [
        "/missing.js",
        "/../../APP.md",
        "/..%2f..%2fAPP.md",
        "/%2e%2e/%2e%2e/APP.md",
        "/__lime__/other",
        "/a\\..\\b.js",
    ],
)
def test_what_is_not_in_the_bundle_is_missing(path: str) -> None:
    assert BUNDLE.answer(path).is_missing


@given(st.text(max_size=60))
def test_no_path_leaves_the_bundle(path: str) -> None:
    assert BUNDLE.answer(f"/{path}").body != FILES["APP.md"]


@pytest.mark.parametrize("byte_range", ["bytes=0-3", "bytes=4-", "bytes=8-99"])
def test_a_range_that_can_be_met_gets_the_whole_body_for_the_engine_to_cut(byte_range: str) -> None:
    answer = BUNDLE.answer("/app.js", byte_range)
    assert (answer.body, answer.headers["Accept-Ranges"]) == (b"0123456789", "bytes")


def test_the_last_bytes_are_cut_here_because_the_engine_takes_the_first() -> None:
    assert BUNDLE.answer("/app.js", "bytes=-2").body == b"89"


@pytest.mark.parametrize(
    "byte_range",
    ["bytes=10-", "bytes=5-2", "bytes=-", "bytes=-0", "lines=1-2", "bytes=0-1,3-4", "bytes=٣-", ""],
)
@pytest.mark.parametrize("path", ["/app.js", "/", "/missing.js", "/__lime__/sdk/lime.js"])
def test_a_range_that_cannot_be_met_gets_no_body_at_all(path: str, byte_range: str) -> None:
    """A body beside such a range crashes the engine, and the program with it (ours)."""
    far = byte_range.replace("10-", "1000-")
    answer = BUNDLE.answer(path, far)
    assert answer.body == b""
    assert answer.headers["Content-Range"].startswith("bytes */")


def test_every_answer_carries_the_policy() -> None:
    for path in ("/", "/app.js", "/missing.js", "/__lime__/frame.html"):
        headers = BUNDLE.answer(path).headers
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/app.js", "text/javascript"), ("/a%20b.txt", "text/plain"), ("/", "text/html")],
)
def test_types_are_right(path: str, expected: str) -> None:
    assert BUNDLE.answer(path).media_type == expected
