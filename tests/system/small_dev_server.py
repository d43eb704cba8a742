"""A dev server as Vite is one, as far as a host can tell: files by address, and a socket that says what changed."""

import base64
import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class SmallDevServer:
    """Listens on a free port of this machine until it is closed."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[str, str]] = {}
        """Type and text by path."""
        self.asked: list[tuple[str, str]] = []
        """Path with query, and what was accepted."""
        self.heard: Queue[str] = Queue()
        """What pages said over the socket, first its opening."""
        self._sockets: list[Any] = []
        served = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                served.answer(self)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def authority(self) -> str:
        return f"localhost:{self._server.server_port}"

    def push(self, text: str) -> None:
        """Tell every page something, in at most 125 bytes."""
        data = text.encode()
        for socket in self._sockets:
            socket.write(bytes([0x81, len(data)]) + data)
            socket.flush()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            self._open_socket(request)
            return
        self.asked.append((request.path, request.headers.get("Accept", "")))
        kind, text = self.files.get(request.path.partition("?")[0], ("text/html", ""))
        request.send_response(200 if text else 404)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(text.encode())))
        request.end_headers()
        request.wfile.write(text.encode())

    def _open_socket(self, request: BaseHTTPRequestHandler) -> None:
        headers = request.headers
        key = f"{headers['Sec-WebSocket-Key']}{_GUID}"
        accepted = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()  # noqa: S324 - the protocol's own
        request.protocol_version = "HTTP/1.1"
        request.send_response(101)
        request.send_header("Upgrade", "websocket")
        request.send_header("Connection", "Upgrade")
        request.send_header("Sec-WebSocket-Accept", accepted)
        request.send_header("Sec-WebSocket-Protocol", headers["Sec-WebSocket-Protocol"])
        request.end_headers()
        self._sockets.append(request.wfile)
        self.heard.put(f"open from {headers['Origin']}")
        while head := request.rfile.read(2):
            mask = request.rfile.read(4)
            masked = request.rfile.read(head[1] & 0x7F)
            plain = bytes(byte ^ mask[index % 4] for index, byte in enumerate(masked))
            self.heard.put(plain.decode("utf-8", "replace"))
