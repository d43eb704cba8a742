"""What a person typed as JSON, read as strictly as it travels."""

import msgspec
from pydantic import JsonValue


def read_typed_json(text: str) -> JsonValue:
    """The value that a text stands for.

    Raises:
        ValueError: it is no JSON, or says what cannot be sent: half a character, a number that is none.
    """
    try:
        return msgspec.json.decode(text.encode())
    except RecursionError:
        raise ValueError("too deep") from None
