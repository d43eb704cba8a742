"""Which colours and sizes are in force? One token file serves the Qt style and the variables that apps get.

Knows tokens and choices; knows no widget. What an app is given starts with `--lime-`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

from lime_desktop.host.appearance.accent import accent_colours
from lime_desktop.protocol.bridge.snapshot import Theme

ThemeMode = Literal["light", "dark", "system"]
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
    if choice.accent is None or choice.is_high_contrast:
        return scheme
    worn = accent_colours(choice.accent, scheme.colors, is_dark=scheme.mode == "dark")
    return replace(scheme, colors={**scheme.colors, **worn})


def _scaled(name: str, value: str, scale: float) -> str:
    pixels = _PIXELS.match(value)
    if pixels is None or not name.startswith("font-size"):
        return value
    return f"{round(int(pixels[1]) * scale)}px"
