"""Who is asking? Each app has a secret for the proxy, for as long as the program runs. Read by the proxy's thread."""

import base64
import binascii
import hmac
import secrets
from dataclasses import dataclass

from lime_desktop.policy.domain_grants import DomainGrants


@dataclass(frozen=True, slots=True)
class Credentials:
    """What an app's pages show to the proxy; the pages themselves never see it."""

    user: str
    password: str

    def __repr__(self) -> str:
        return f"Credentials({self.user}, ***)"


@dataclass(frozen=True, slots=True)
class Guest:
    """An app that proved itself, and where it may go."""

    app_id: str
    grants: DomainGrants


class ProxyAccess:
    """The apps that may use the proxy now."""

    def __init__(self) -> None:
        self._passwords: dict[str, str] = {}
        self._grants: dict[str, DomainGrants] = {}

    def admit(self, app_id: str, grants: DomainGrants) -> Credentials:
        """Let an app reach these hosts and no others from now on."""
        self._grants[app_id] = grants
        password = self._passwords.setdefault(app_id, secrets.token_urlsafe(24))
        return Credentials(app_id, password)

    def identify(self, authorization: str | None) -> Guest | None:
        """The app that a `Proxy-Authorization` header belongs to."""
        user, password = _read_basic(authorization or "")
        expected = self._passwords.get(user)
        if expected is None or not hmac.compare_digest(expected.encode(), password.encode()):
            return None
        return Guest(user, self._grants[user])


def _read_basic(authorization: str) -> tuple[str, str]:
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() != "basic":
        return "", ""
    try:
        user, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return user, password
