"""Documents that somebody outside wrote, read into a model: the place and the name of whatever is wrong, and no value."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from lime_desktop.app_package.text.plain_text import ReadingBudget
from lime_desktop.app_package.text.yaml_text import parse_yaml
from lime_desktop.protocol.errors import InvalidInput

DocumentT = TypeVar("DocumentT", bound=BaseModel)


def read_document(text: str, name: str, kind: type[DocumentT]) -> DocumentT:
    """Read a YAML document of a kind.

    Raises:
        InvalidInput: it cannot be read; the line or the fields that are wrong are named.
    """
    parsed = parse_yaml(text, name, ReadingBudget())
    if parsed.problems:
        first = parsed.problems[0]
        raise InvalidInput(f"Line {first.line}: {first.message}")
    try:
        return kind.model_validate(parsed.value)
    except ValidationError as error:
        fields = [(".".join(map(str, each["loc"])), each["type"]) for each in error.errors()]
        raise InvalidInput.at_fields(fields[:20]) from None
