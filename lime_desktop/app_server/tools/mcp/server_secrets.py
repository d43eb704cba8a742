"""What a tool server must be shown and nobody else may see: kept as secrets, named by reference, opened when it starts."""

import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from pydantic import JsonValue, SecretStr

from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.protocol.calls.mcp_servers import GivenValue, HiddenValue, McpServerSettings

STARS = "***"
_SHORTEST = 4
"""Anything shorter stands in every other word: to hide it would make a text unreadable and keep nothing."""


@dataclass(frozen=True, slots=True)
class OpenedValues:
    """The values of one server, for as long as it runs."""

    variables: dict[str, SecretStr] = field(default_factory=dict[str, SecretStr])
    headers: dict[str, SecretStr] = field(default_factory=dict[str, SecretStr])

    def hide(self, text: str) -> str:
        """A text without them, however it came by them: a server may repeat what it was shown."""
        for value in (*self.variables.values(), *self.headers.values()):
            plain = value.get_secret_value()
            for written in {plain, plain.removeprefix("Bearer "), json.dumps(plain)[1:-1]}:
                if len(written) >= _SHORTEST:
                    text = text.replace(written, STARS)
        return text

    def hide_in(self, value: JsonValue) -> JsonValue:
        """The same for anything that can be written as JSON."""
        if not self.variables and not self.headers:
            return value
        return json.loads(self.hide(json.dumps(value, ensure_ascii=False)))


NOTHING_HIDDEN = OpenedValues()
OpenValues: TypeAlias = Callable[[McpServerSettings], Awaitable[OpenedValues]]


async def hide_nothing(settings: McpServerSettings) -> OpenedValues:
    """For servers that are shown nothing."""
    del settings
    return NOTHING_HIDDEN


class ServerSecrets:
    """The values of all servers, in the store that everybody's secrets are in."""

    def __init__(self, secrets: SecretStore) -> None:
        self._secrets = secrets

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
        opened = OpenedValues()
        for each in settings.hidden:
            value = await self._secrets.open(each.ref, owner)
            (opened.variables if each.kind == "variable" else opened.headers)[each.name] = value
        return opened

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
