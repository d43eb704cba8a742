"""Which settings does nobody on this host obey, and why? Pure. Who makes one do something takes its line away here."""

import re
from typing import Literal

from lime_desktop.overlay.keys import family_of, names_in, reference_in
from lime_desktop.overlay.surface import OverlaySurface

IgnoredBecause = Literal["workflow", "credential", "retrieval", "export"]

RETRIEVAL_OPTIONS = ("topK", "minScore")
"""`knowledge.<template>.retrieval.<option>`: how many passages a search gives, and the lowest score of one."""
EXPORT_OPTIONS = ("format",)
"""`export.<option>`: the format of an export that names none."""

_IGNORED: tuple[tuple[re.Pattern[str], IgnoredBecause], ...] = (
    (
        re.compile(rf"knowledge\..+\.retrieval\.(?!(?:{'|'.join(RETRIEVAL_OPTIONS)})$).+"),
        "retrieval",
    ),
    (re.compile(rf"export\.(?!(?:{'|'.join(EXPORT_OPTIONS)})$).+"), "export"),
)


def why_ignored(key: str, surface: OverlaySurface) -> IgnoredBecause | None:
    """Why a setting has no effect on an app; None where somebody obeys it."""
    if (tool := credential_of(key)) is not None:
        # Only a program, a tool server and a described system are shown secrets by the host.
        return None if tool in surface.credentials else "credential"
    if (parameter := parameter_of(key)) is not None:
        taken = surface.parameters.get(parameter[0])
        # One that says nothing of its input takes anything.
        return None if taken is None or parameter[1] in taken else "workflow"
    return next((reason for shape, reason in _IGNORED if shape.fullmatch(key)), None)


def credential_of(key: str) -> str | None:
    """The tool whose credential a key sets."""
    family = family_of(key)
    is_meant = family is not None and family.refers_to == "tools"
    return reference_in(key, family) if family is not None and is_meant else None


def parameter_of(key: str) -> tuple[str, str] | None:
    """The workflow, and the part of its input, that a key sets."""
    family = family_of(key)
    if family is None or family.refers_to != "workflows":
        return None
    workflow, parameter = names_in(key, family)
    return workflow, parameter
