"""The App Server as a program, over a keyring that a test can look into: `python -m tests.shell.keyring_server FILE …`.

Only what stands behind the `keyring` library is another: the system's own, which no test may fill.
"""

import json
import sys
from pathlib import Path

import keyring.backend

from lime_desktop.cli.main import main


class FileKeyring:
    """Passwords in a file, by service and name. The product takes it for the system's, by its module."""

    priority = 9

    def __init__(self, path: Path) -> None:
        self._path = path

    def get_password(self, service: str, username: str) -> str | None:
        return self._read().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._write({**self._read(), f"{service} {username}": password})

    def delete_password(self, service: str, username: str) -> None:
        left = self._read()
        del left[f"{service} {username}"]
        self._write(left)

    def _read(self) -> dict[str, str]:
        return json.loads(self._path.read_text()) if self._path.exists() else {}

    def _write(self, kept: dict[str, str]) -> None:
        self._path.write_text(json.dumps(kept))


FileKeyring.__module__ = "keyring.backends.SecretService"

if __name__ == "__main__":
    file = Path(sys.argv.pop(1))
    keyring.backend.get_all_keyring = lambda: [FileKeyring(file)]  # pyright: ignore[reportAttributeAccessIssue] - that boundary is what this is for
    main()
