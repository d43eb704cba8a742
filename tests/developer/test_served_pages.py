"""What a dev server answers is the page's, and its errors are told in its own words (ours)."""

import asyncio
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from lime_desktop.developer.dev_server import DevServer
from lime_desktop.developer.served_pages import DevServerPages
from lime_desktop.host.web_content.ui_bundle import Answer, PageRequest, UiBundle
from tests.host.web_content.test_ui_bundle import BUNDLE

ANSWERS = {
    "/app.js": (200, "text/javascript", "let x;"),
    "/vite.js": (500, "text/html", r'<script>const error = {"message":"No \"sdk\" here"}</script>'),
    "/plain.js": (404, "text/html", "<style>p {}</style><p>Not\nfound</p>"),
}


class _Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status, kind, text = ANSWERS[self.path.partition("?")[0]]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        del format, args


@pytest.fixture
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Server) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def fetch(port: int, bundle: UiBundle, target: str) -> tuple[Answer, list[tuple[str, str]]]:
    failures: list[tuple[str, str]] = []

    async def ask() -> Answer:
        def note(path: str, words: str) -> None:
            failures.append((path, words))

        pages = DevServerPages(DevServer("127.0.0.1", port), lambda: None, note)
        try:
            return await pages.answer(bundle, PageRequest(target))
        finally:
            await pages.close()

    return asyncio.run(ask()), failures


def test_an_answer_is_passed_on(port: int) -> None:
    answer, failures = fetch(port, BUNDLE, "/app.js?t=1")
    assert (answer.body, answer.is_missing, failures) == (b"let x;", False, [])


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/vite.js", 'HTTP 500 Internal Server Error: No "sdk" here'),
        ("/plain.js", "HTTP 404 Not Found: Not found"),
    ],
)
def test_an_error_is_told_with_its_status_and_words(port: int, path: str, words: str) -> None:
    answer, failures = fetch(port, BUNDLE, f"{path}?t=1")
    assert (answer.is_missing, failures) == (True, [(path, words)])
