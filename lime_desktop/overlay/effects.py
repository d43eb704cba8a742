"""Which settings does nobody on this host obey, and why? Pure. Who makes one do something takes its line away here."""

import re
from typing import Literal

IgnoredBecause = Literal["workflow", "credential", "retrieval", "export"]

RETRIEVAL_OPTIONS = ("topK", "minScore")
"""`knowledge.<template>.retrieval.<option>`: how many passages a search gives, and the lowest score of one."""
EXPORT_OPTIONS = ("format",)
"""`export.<option>`: the format of an export that names none."""

_IGNORED: tuple[tuple[re.Pattern[str], IgnoredBecause], ...] = (
    # No workflow is run here.
    (re.compile(r"workflows\..+"), "workflow"),
    # A tool gets the secrets that its own settings name.
    (re.compile(r"tools\..+\.credential"), "credential"),
    (
        re.compile(rf"knowledge\..+\.retrieval\.(?!(?:{'|'.join(RETRIEVAL_OPTIONS)})$).+"),
        "retrieval",
    ),
    (re.compile(rf"export\.(?!(?:{'|'.join(EXPORT_OPTIONS)})$).+"), "export"),
)


def why_ignored(key: str) -> IgnoredBecause | None:
    """Why a setting has no effect; None where somebody obeys it."""
    return next((reason for shape, reason in _IGNORED if shape.fullmatch(key)), None)
