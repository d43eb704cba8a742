"""Values that were opened for one program or one server: shown to it, and taken out of whatever it says."""

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import quote, quote_plus

from pydantic import JsonValue, SecretStr

STARS = "***"
_SHORTEST = 4
"""Anything shorter stands in every other word: to hide it would make a text unreadable and keep nothing."""


@dataclass(frozen=True)
class OpenedValues:
    """What one receiver is shown, for as long as it runs."""

    variables: Mapping[str, SecretStr] = field(default_factory=dict[str, SecretStr])
    headers: Mapping[str, SecretStr] = field(default_factory=dict[str, SecretStr])
    files: Mapping[str, SecretStr] = field(default_factory=dict[str, SecretStr])
    """By the placeholder of a command that stands for the path of each."""

    def and_more(self, more: "OpenedValues") -> "OpenedValues":
        """Both together; where a name is in both, this one's value stays."""
        return OpenedValues(
            {**more.variables, **self.variables},
            {**more.headers, **self.headers},
            {**more.files, **self.files},
        )

    def plain_headers(self) -> dict[str, str]:
        """The headers as they are sent."""
        return {name: value.get_secret_value() for name, value in self.headers.items()}

    def hide(self, text: str) -> str:
        """A text without them, however it came by them: whoever was shown one may repeat it."""
        for written in self._spellings:
            text = text.replace(written, STARS)
        return text

    def hide_bytes(self, body: bytes) -> bytes:
        """The same for what may be no text."""
        for written in self._spellings:
            body = body.replace(written.encode(), STARS.encode())
        return body

    def hide_in(self, value: JsonValue) -> JsonValue:
        """The same for anything that can be written as JSON."""
        if not self._spellings:
            return value
        return json.loads(self.hide(json.dumps(value, ensure_ascii=False)))

    @cached_property
    def _spellings(self) -> tuple[str, ...]:
        values = (*self.variables.values(), *self.headers.values(), *self.files.values())
        plain = {value.get_secret_value() for value in values}
        # `Bearer` and the like before a value in a header is no part of the secret.
        plain |= {text.partition(" ")[2] for text in self.plain_headers().values()}
        written = {each for text in plain for each in _spellings(text) if len(each) >= _SHORTEST}
        # The longest first: a part of one that was hidden leaves the rest of it readable.
        return tuple(sorted(written, key=len, reverse=True))


def _spellings(text: str) -> Iterator[str]:
    """The ways in which a program writes a text down without meaning to hide it."""
    yield text
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield quote(text, safe="")
    yield quote_plus(text)
    raw = text.encode()
    yield raw.hex()
    yield raw.hex().upper()
    for before in range(3):
        # Amid other bytes it begins at any of three places, and its edges are its neighbours' as well.
        whole = base64.b64encode(b"\0" * before + raw).decode()
        middle = whole[4 if before else 0 : len(whole) // 4 * 4 - 4]
        if len(middle) > 2 * _SHORTEST:
            yield middle
            yield middle.replace("+", "-").replace("/", "_")


NOTHING_HIDDEN = OpenedValues()
