"""A small web server on this machine: files by path, and where some paths lead."""

import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def serving(
    files: Mapping[str, bytes], redirects: Mapping[str, str] | None = None
) -> Generator[str]:
    """Serve files; gives the address they begin with."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if (target := (redirects or {}).get(self.path)) is not None:
                self.send_response(302)
                self.send_header("Location", target)
                self.end_headers()
                return
            body = files.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
