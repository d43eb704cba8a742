"""How a client on the socket shows that it belongs to the owner of this account.

The token is in a file only the owner can read. An app's own process gets a proof derived from it,
which admits that app and tells nothing about the token.
"""

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

from lime_desktop.protocol.errors import NotAuthenticated
from lime_desktop.protocol.ids import AppId

_TOKEN_BYTES = 32


class Token:
    """A secret of this run of the server. Prints as stars."""

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Token(****)"

    def write(self, path: Path) -> None:
        """Leave it where the owner's other programs find it, readable by nobody else."""
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(self._value)

    def proof_for(self, app_id: AppId) -> str:
        """What a client bound to this app shows."""
        return hmac.new(self._value.encode(), app_id.encode(), sha256).hexdigest()

    def check(self, proof: str | None, app_id: AppId | None) -> None:
        """Admit the owner, or an app as itself.

        Raises:
            NotAuthenticated: neither was shown.
        """
        shown = (proof or "").encode()
        is_owner = hmac.compare_digest(shown, self._value.encode())
        is_app = app_id is not None and hmac.compare_digest(shown, self.proof_for(app_id).encode())
        if not (is_owner or is_app):
            raise NotAuthenticated("Show the content of the server's token file as proof")


def new_token() -> Token:
    """A token nobody has seen."""
    return Token(secrets.token_urlsafe(_TOKEN_BYTES))


def remove_token(path: Path) -> None:
    """Take the token away: nobody listens any more."""
    path.unlink(missing_ok=True)
