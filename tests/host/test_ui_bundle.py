"""What an app's origin answers (the standard: the bundle at the root of its own origin)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.ui_bundle import UiBundle


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
    assert (answer.status, answer.body) == (200, body)


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
    assert BUNDLE.answer(path).status == 404


@given(st.text(max_size=60))
def test_no_path_leaves_the_bundle(path: str) -> None:
    assert BUNDLE.answer(f"/{path}").body != FILES["APP.md"]


@pytest.mark.parametrize(
    ("byte_range", "status", "body", "content_range"),
    [
        ("bytes=0-3", 206, b"0123", "bytes 0-3/10"),
        ("bytes=4-", 206, b"456789", "bytes 4-9/10"),
        ("bytes=-2", 206, b"89", "bytes 8-9/10"),
        ("bytes=8-99", 206, b"89", "bytes 8-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("bytes=5-2", 416, b"", "bytes */10"),
        ("bytes=-", 416, b"", "bytes */10"),
        ("lines=1-2", 416, b"", "bytes */10"),
    ],
)
def test_byte_ranges(byte_range: str, status: int, body: bytes, content_range: str) -> None:
    answer = BUNDLE.answer("/app.js", byte_range)
    assert (answer.status, answer.body, answer.headers["Content-Range"]) == (
        status,
        body,
        content_range,
    )


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
