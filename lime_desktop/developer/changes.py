"""What do saved files mean for an app that is open? Pure over their names."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

_STYLES = ".css"
_BESIDE = (".map", ".d.ts", ".tsbuildinfo")
"""Written by builds beside what runs; no page loads them."""


class Renewal(StrEnum):
    """How little has to be done for what was saved to be seen."""

    STYLES = "styles"
    """Style sheets are swapped, the page stays."""
    PAGE = "page"
    """The page is loaded anew."""
    PACKAGE = "package"
    """The package is read again; the page is loaded anew if what it declares changed."""


@dataclass(frozen=True, slots=True)
class Change:
    """A batch of saved files."""

    files: tuple[str, ...]
    renewal: Renewal


def read_change(
    saved: Iterable[str], bundle: str | None, before: Collection[str], after: Collection[str]
) -> Change | None:
    """Sort out a batch; None where it holds only what came and went, as editors do with their temporary files.

    `bundle` is the folder that the pages come from, None where a dev server serves them.
    """
    files = tuple(
        sorted(
            name
            for name in saved
            if (name in before or name in after) and not name.endswith(_BESIDE)
        )
    )
    if not files:
        return None
    if bundle is None or not all(name.startswith(f"{bundle}/") for name in files):
        return Change(files, Renewal.PACKAGE)
    stayed = all(name.endswith(_STYLES) and name in before and name in after for name in files)
    return Change(files, Renewal.STYLES if stayed else Renewal.PAGE)
