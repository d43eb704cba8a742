"""Names that a person gives to what they set up: a bad one ends the command before anything is done."""

import re

import click

from lime_desktop.protocol.calls.mcp_servers import SERVER_ID
from lime_desktop.protocol.calls.model_providers import PROVIDER_ID


class Name(click.ParamType[str]):
    """A name of the form that the protocol demands."""

    name = "name"

    def __init__(self, pattern: str, signs: str) -> None:
        self._pattern = pattern
        self._signs = signs

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Let a good name pass, or end with a usage error that says what a good one is."""
        if not re.fullmatch(self._pattern, value):
            self.fail(
                f"a name uses only lowercase letters, digits and {self._signs}, and starts with a letter or digit",
                param,
                ctx,
            )
        return value


provider_argument = click.argument(
    "provider_id", metavar="ID", type=Name(PROVIDER_ID, "'.', '_', '-'")
)
server_argument = click.argument("name", type=Name(SERVER_ID, "'_', '-'"))
