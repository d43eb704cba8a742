"""Which colours and sizes are in force? One token file serves the Qt style and the variables that apps get.

Knows tokens and choices; knows no widget. What an app is given starts with `--lime-`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

from lime_desktop.protocol.bridge.snapshot import Theme

ThemeMode = Literal["light", "dark", "system"]
_COLOUR = re.compile(r"#[0-9a-f]{6}\Z", re.IGNORECASE)
_PIXELS = re.compile(r"(\d+)px\Z")


@dataclass(frozen=True, slots=True)
class Scheme:
    """One set of colours."""

    id: str
    mode: Literal["light", "dark"]
    colors: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ThemeTokens:
    """The whole token file."""

    shared: Mapping[str, str]
    schemes: Mapping[str, Scheme]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeChoice:
    """What the person, the system and the brand chose."""

    mode: ThemeMode = "system"
    system_is_dark: bool = False
    is_high_contrast: bool = False
    text_scale: float = 1.0
    accent: str | None = None
    """A brand's own accent; used where it can be read, otherwise the scheme's stays."""


def parse_tokens(text: str) -> ThemeTokens:
    """Read the token file."""
    raw = cast("dict[str, dict[str, dict[str, object]]]", json.loads(text))
    schemes = {
        name: Scheme(
            name,
            "dark" if body["mode"] == "dark" else "light",
            cast("Mapping[str, str]", body["colors"]),
        )
        for name, body in raw["schemes"].items()
    }
    return ThemeTokens(cast("Mapping[str, str]", raw["shared"]), schemes)


def theme_in_force(tokens: ThemeTokens, choice: ThemeChoice) -> Theme:
    """Combine the tokens with what was chosen."""
    is_dark = choice.system_is_dark if choice.mode == "system" else choice.mode == "dark"
    effective: Literal["light", "dark"] = "dark" if is_dark else "light"
    kind = "lime-contrast" if choice.is_high_contrast else "lime"
    scheme = _with_accent(tokens.schemes[f"{kind}-{effective}"], choice)
    sizes = {name: _scaled(name, value, choice.text_scale) for name, value in tokens.shared.items()}
    return Theme(
        theme_mode=choice.mode,
        effective_theme_mode=effective,
        color_scheme_id=scheme.id,
        tokens={f"--lime-{name}": value for name, value in {**sizes, **scheme.colors}.items()},
    )


def _with_accent(scheme: Scheme, choice: ThemeChoice) -> Scheme:
    accent = choice.accent
    if accent is None or choice.is_high_contrast or not _COLOUR.match(accent):
        return scheme
    on_accent = max(("#000000", "#ffffff"), key=lambda ink: contrast(ink, accent))
    if contrast(accent, scheme.colors["surface"]) < 3 or contrast(on_accent, accent) < 4.5:
        return scheme
    return replace(
        scheme,
        colors={
            **scheme.colors,
            "accent": accent,
            "accent-hover": accent,
            "accent-text": on_accent,
        },
    )


def _scaled(name: str, value: str, scale: float) -> str:
    pixels = _PIXELS.match(value)
    if pixels is None or not name.startswith("font-size"):
        return value
    return f"{round(int(pixels[1]) * scale)}px"


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours, as the accessibility guidelines define it: 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
