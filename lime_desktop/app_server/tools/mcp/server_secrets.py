"""What a tool server must be shown and nobody else may see: kept as secrets, named by reference, opened when it starts."""

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeAlias

from pydantic import SecretStr

from lime_desktop.app_server.secrets.opened_values import NOTHING_HIDDEN, OpenedValues
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.background.observers import Observers
from lime_desktop.protocol.calls.mcp_servers import GivenValue, HiddenValue, McpServerSettings

OpenValues: TypeAlias = Callable[[McpServerSettings], Awaitable[OpenedValues]]


async def hide_nothing(settings: McpServerSettings) -> OpenedValues:
    """For servers that are shown nothing."""
    del settings
    return NOTHING_HIDDEN


class ServerSecrets:
    """The values of all servers, in the store that everybody's secrets are in."""

    def __init__(self, secrets: SecretStore) -> None:
        self._secrets = secrets

    @property
    def changed(self) -> Observers[str]:
        """Told whose slot was filled anew or emptied, an app's as well."""
        return self._secrets.changed

    async def keep(
        self, settings: McpServerSettings, given: Iterable[GivenValue]
    ) -> McpServerSettings:
        """Put values away; the settings then name them, beside those that were put away before."""
        owner = _owner(settings.server_id)
        named = {(each.kind, each.name): each for each in settings.hidden}
        for value in given:
            record = await self._secrets.put(owner, _slot(value.kind, value.name), value.value)
            ref = f"secret://{record.id}"
            named[value.kind, value.name] = HiddenValue(kind=value.kind, name=value.name, ref=ref)
        hidden = [each.to_wire() for each in named.values()]
        # Checked as a whole: where a value may go hangs on how the server is reached.
        return McpServerSettings.model_validate({**settings.to_wire(), "hidden": hidden})

    async def open(self, settings: McpServerSettings) -> OpenedValues:
        """The values that a server is shown.

        Raises:
            SecretRequired: one is gone, or is not this server's.
        """
        owner = _owner(settings.server_id)
        variables: dict[str, SecretStr] = {}
        headers: dict[str, SecretStr] = {}
        for each in settings.hidden:
            value = await self._secrets.open(each.ref, owner)
            (variables if each.kind == "variable" else headers)[each.name] = value
        return OpenedValues(variables, headers)

    async def forget(self, server_id: str, but: McpServerSettings | None = None) -> None:
        """Remove the values of a server, but those that its settings still name."""
        kept = {_slot(each.kind, each.name) for each in but.hidden} if but else set[str]()
        for record in await self._secrets.list(_owner(server_id)):
            if record.slot not in kept:
                await self._secrets.remove(_owner(server_id), record.slot)


def _owner(server_id: str) -> str:
    return f"mcp:{server_id}"


def _slot(kind: str, name: str) -> str:
    return f"{kind}:{name}"
