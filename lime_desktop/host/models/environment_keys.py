"""Keys of model providers that the environment of this program holds. Their names are shown; a value is read when a person says so."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

_VARIABLES = {
    "OPENAI_API_KEY": "openai",
    "ANTHROPIC_API_KEY": "anthropic",
    "GEMINI_API_KEY": "google",
    "GOOGLE_API_KEY": "google",
    "DEEPSEEK_API_KEY": "deepseek",
    "DASHSCOPE_API_KEY": "qwen",
    "OPENROUTER_API_KEY": "openrouter",
}
"""As the makers' own tools read them, and whose key each is."""
_ADDRESSES = {
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "anthropic": ("ANTHROPIC_BASE_URL",),
    "google": ("GOOGLE_GEMINI_BASE_URL",),
}


@dataclass(frozen=True, slots=True)
class EnvironmentKey:
    """A key that is there, by name."""

    variable: str
    preset_id: str


def keys_in(environment: Mapping[str, str]) -> tuple[EnvironmentKey, ...]:
    """One for each provider. A key that goes with an address of its own is meant for that one, and is not offered."""
    found: dict[str, EnvironmentKey] = {}
    for variable, preset_id in _VARIABLES.items():
        is_elsewhere = any(environment.get(name) for name in _ADDRESSES.get(preset_id, ()))
        if environment.get(variable, "").strip() and not is_elsewhere:
            found.setdefault(preset_id, EnvironmentKey(variable, preset_id))
    return tuple(found.values())


def read_key(key: EnvironmentKey, environment: Mapping[str, str]) -> SecretStr:
    """The value, for the one who was told to use it."""
    return SecretStr(environment.get(key.variable, "").strip())
