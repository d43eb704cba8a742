"""The proxy for agents: what the App Server is told, so that what it fetches for an app is in the same ledger."""

from pydantic import SecretStr

from lime_desktop.host.proxy.access import Credentials, ProxyAccess
from lime_desktop.policy.domain_grants import DomainGrants
from lime_desktop.protocol.calls.apps import RegisteredNetwork


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
