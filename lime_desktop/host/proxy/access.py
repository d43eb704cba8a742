"""Who is asking? Each app has a secret for the proxy, for as long as the program runs. Read by the proxy's thread.

The App Server is told the way out for an app's agents, so that what it fetches is in the same ledger.
"""

import base64
import binascii
import hmac
import secrets
from dataclasses import dataclass

from pydantic import SecretStr

from lime_desktop.policy.domain_grants import DomainGrants
from lime_desktop.protocol.calls.apps import RegisteredNetwork


@dataclass(frozen=True, slots=True)
class Credentials:
    """What is shown to the proxy in an app's name; neither its pages nor its agents ever see it."""

    user: str
    password: str

    def __repr__(self) -> str:
        return f"Credentials({self.user}, ***)"


@dataclass(frozen=True, slots=True)
class AuthenticatedApp:
    """An app that proved itself, and where it may go."""

    app_id: str
    grants: DomainGrants


class ProxyAccess:
    """The apps that may use the proxy now: their pages, and the agents that work for them."""

    def __init__(self) -> None:
        self._passwords: dict[str, str] = {}
        self._guests: dict[str, AuthenticatedApp] = {}

    def admit(self, app_id: str, grants: DomainGrants) -> Credentials:
        """Let an app's pages reach these hosts and no others from now on."""
        return self._admit(app_id, AuthenticatedApp(app_id, grants))

    def admit_agents(self, app_id: str, declared: DomainGrants) -> Credentials:
        """Let an app's agents reach these hosts and no others from now on.

        Declared is enough here: every single address was granted or agreed to before it is asked for, by the policy
        that judges each call of a tool.
        """
        return self._admit(f"{app_id}~agents", AuthenticatedApp(app_id, declared))

    def admit_commands(self, app_id: str, grants: DomainGrants) -> Credentials:
        """Let programs that run for an app reach these hosts and no others from now on.

        Granted, not declared: what a program asks for, nobody judges before it gets here.
        """
        return self._admit(f"{app_id}~commands", AuthenticatedApp(app_id, grants))

    def admit_browser(self, app_id: str, grants: DomainGrants) -> Credentials:
        """Let the web pages that an app's agents work in reach these hosts and no others from now on.

        Granted, not declared: what a page loads by itself, nobody judges before it gets here.
        """
        return self._admit(f"{app_id}~browser", AuthenticatedApp(app_id, grants))

    def identify(self, authorization: str | None) -> AuthenticatedApp | None:
        """The app that a `Proxy-Authorization` header belongs to."""
        user, password = _read_basic(authorization or "")
        expected = self._passwords.get(user)
        if expected is None or not hmac.compare_digest(expected.encode(), password.encode()):
            return None
        return self._guests[user]

    def _admit(self, user: str, guest: AuthenticatedApp) -> Credentials:
        self._guests[user] = guest
        return Credentials(user, self._passwords.setdefault(user, secrets.token_urlsafe(24)))


def _read_basic(authorization: str) -> tuple[str, str]:
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() != "basic":
        return "", ""
    try:
        user, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return user, password


class AgentNetwork:
    """The way out for agents, once the proxy listens."""

    def __init__(self, access: ProxyAccess) -> None:
        self._access = access
        self._port: int | None = None

    def open(self, port: int) -> None:
        """The proxy listens here."""
        self._port = port

    def for_app(self, app_id: str, declared: DomainGrants) -> RegisteredNetwork | None:
        """The way out for one app's agents; none before the proxy listens, and none for an app that declares no host."""
        if self._port is None or not declared.patterns:
            return None
        return _way(self._port, self._access.admit_agents(app_id, declared))

    def for_commands(self, app_id: str, granted: DomainGrants) -> RegisteredNetwork | None:
        """The way out for programs that run for the app; none for an app that was granted no host."""
        # Admitted in any case: with what was taken back, an earlier proof reaches nothing.
        credentials = self._access.admit_commands(app_id, granted)
        if self._port is None or not granted.patterns:
            return None
        return _way(self._port, credentials)


def _way(port: int, credentials: Credentials) -> RegisteredNetwork:
    return RegisteredNetwork(
        proxy_port=port, user=credentials.user, proof=SecretStr(credentials.password)
    )
