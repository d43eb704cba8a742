"""Secrets that a test plants, and a search for them in everything that was written, however it is spelt."""

import base64
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

PLANTED = {
    "provider key": "sk-pLaNt3d-provider+/Qz81=",
    "app secret": "pLaNt3d app s3cret+/Wk42=",
    "tool server secret": "pLaNt3d-mcp-t0ken+/Rb77=",
    "tool argument": "pLaNt3d-argum3nt+/Ty55=",
    "denied call": "pLaNt3d-d3nied-call+/Ui33=",
    "declined call": "pLaNt3d-d3clined-call+/Op66=",
    "parent's environment": "pLaNt3d-envir0nment+/Gh19=",
}


def spellings(secret: str) -> Iterator[bytes]:
    """Every way in which the text could have been written down."""
    raw = secret.encode()
    yield raw
    yield secret.encode("utf-16-le")
    yield secret.encode("utf-16-be")
    yield raw.hex().encode()
    yield raw.hex().upper().encode()
    yield quote(secret, safe="").encode()
    yield quote_plus(secret).encode()
    for before in range(3):
        # In the middle of something else it begins at any of three places; its edges are then its neighbours' too.
        whole = base64.b64encode(b"\0" * before + raw)
        middle = whole[4 if before else 0 : len(whole) // 4 * 4 - 4]
        yield middle
        yield middle.translate(bytes.maketrans(b"+/", b"-_"))


def traces_in(body: bytes) -> set[str]:
    """The planted secrets that some bytes hold."""
    return {
        name
        for name, secret in PLANTED.items()
        if any(spelt in body for spelt in spellings(secret))
    }


def traces_below(*folders: Path) -> dict[str, set[str]]:
    """Every file that holds a planted secret, archives looked into as well."""
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return {
        name: found for path in files for name, body in _bodies(path) if (found := traces_in(body))
    }


def _bodies(path: Path) -> Iterator[tuple[str, bytes]]:
    yield str(path), path.read_bytes()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield f"{path}!{name}", archive.read(name)
