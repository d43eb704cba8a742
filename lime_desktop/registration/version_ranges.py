"""Does an installed version lie in the range that a product asks for? `resources/launcher/runtime-backed.sh` answers the same in shell."""

import re
from typing import Literal

from lime_desktop.shipping.versions import is_version, parse_version

Fit = Literal["fits", "too-old", "too-new"]
_BOUND = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,2}")


def is_upper_bound(text: str) -> bool:
    """Whether it is one to three numbers."""
    return bool(_BOUND.fullmatch(text))


def fit(version: str, lowest: str, highest: str | None) -> Fit:
    """Compare; a highest version of fewer numbers holds for all that begin with them."""
    if not is_version(version) or parse_version(version) < parse_version(lowest):
        return "too-old"
    if highest is None:
        return "fits"
    bound = [int(each) for each in highest.split(".")]
    plain = [int(each) for each in version.partition("-")[0].split(".")]
    return "fits" if plain[: len(bound)] <= bound else "too-new"


def range_in_words(lowest: str, highest: str | None) -> str:
    """The range in English."""
    return f"{lowest} or newer" if highest is None else f"{lowest} to {upper_end(highest)}"


def upper_end(highest: str) -> str:
    """The newest that will do, as people write it: 1.4 is 1.4.x."""
    return highest if highest.count(".") == 2 else f"{highest}.x"
