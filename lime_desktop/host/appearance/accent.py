"""A brand's colour as a scheme can wear it: everything that takes its hue from the accent, each part readable.

A colour that stands well on a light ground is too dark for a dark one, so shades of it are tried before it is given
up; a colour that needs more than a shade to be read is not worn at all.
"""

import re
from collections.abc import Mapping

AA = 4.5
_COLOUR = re.compile(r"#[0-9a-f]{6}\Z", re.IGNORECASE)
_BLACK, _WHITE = "#000000", "#ffffff"
_SOFT = 0.86
_HOVER = 0.12


def accent_colours(accent: str, colours: Mapping[str, str], *, is_dark: bool) -> dict[str, str]:
    """The tokens of a scheme that follow a brand's accent; none where it can't be read there."""
    if not _COLOUR.match(accent):
        return {}
    surface, ink = colours["surface"], _WHITE if is_dark else _BLACK
    worn = _readable(accent, surface, ink, most=0.7 if is_dark else 0.3)
    if worn is None:
        return {}
    on_accent = max((_BLACK, _WHITE), key=lambda each: contrast(each, worn))
    hover = mixed(worn, ink, _HOVER)
    soft = mixed(worn, surface, _SOFT)
    return {
        "accent": worn,
        "accent-hover": hover if contrast(on_accent, hover) >= AA else worn,
        "accent-text": on_accent,
        "accent-soft": soft,
        "accent-soft-text": _readable(worn, soft, ink, most=1) or colours["text"],
        "accent-edge": soft,
    }


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours, as the accessibility guidelines define it: 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mixed(colour: str, other: str, part: float) -> str:
    """A colour with a part of another in it."""
    channels = (
        round(own + (its - own) * part)
        for own, its in zip(_channels(colour), _channels(other), strict=True)
    )
    return f"#{''.join(f'{each:02x}' for each in channels)}"


def _readable(colour: str, ground: str, ink: str, *, most: float) -> str | None:
    """The first shade of a colour, towards an ink, that can be read on a ground."""
    steps = range(int(most * 20) + 1)
    shades = (mixed(colour, ink, step / 20) for step in steps)
    return next((each for each in shades if contrast(each, ground) >= AA), None)


def _luminance(colour: str) -> float:
    parts = (each / 255 for each in _channels(colour))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue
