"""A secret on its way between two processes. Knows neither what it opens nor who keeps it."""

from typing import Annotated, TypeAlias

from pydantic import PlainSerializer, SecretStr

SecretText: TypeAlias = Annotated[
    SecretStr,
    PlainSerializer(lambda value: value.get_secret_value(), return_type=str, when_used="json"),
]
"""Prints as stars; travels as it is, to the one place that keeps it."""
