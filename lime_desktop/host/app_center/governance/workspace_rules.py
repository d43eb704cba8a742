"""What a workspace says of apps: two files in its folder, each of which may be left out.

``.lime/policy.yaml`` is a policy file, see `policy.policy_file`; ``.lime/overlays.yaml`` is the workspace's layer of settings:

```yaml
version: 1
overlays:                           # for one app, or for all of them
  "*": { budget.perTask: 2, network.deny: [pastebin.com] }
  notes: { content.brandTone: Plain and short }
```

Both only tighten what the organisation says: its refusals hold whatever stands here, and what it locked stays locked. A
file that is wrong in any place, or gone since it was first seen, refuses every call until somebody repairs it or leaves the workspace.
"""

import hashlib
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, JsonValue

from lime_desktop.host.app_center.documents import read_document
from lime_desktop.overlay.layers import OverlayLayer, check_layer
from lime_desktop.overlay.surface import OverlaySurface
from lime_desktop.policy.policy_file import (
    LARGEST_FILE,
    PolicyFile,
    parse_policy_file,
    refuse_policy,
)
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.wire import WireModel

POLICY_FILE = ".lime/policy.yaml"
OVERLAYS_FILE = ".lime/overlays.yaml"
_EVERY_APP = "*"
_NO_POLICY = PolicyFile(name="")


class _Document(WireModel):
    # A misspelt key would silently not be in force.
    model_config = ConfigDict(extra="forbid")

    version: Literal[1]
    overlays: dict[str, dict[str, JsonValue]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FileProblem:
    """Why one of the files is not in force as it stands."""

    file: str
    kind: Literal["gone", "unreadable", "wrong"]
    detail: str = ""
    """The line or the field that is wrong; never a value."""

    def __str__(self) -> str:
        words = {"gone": "it is gone", "unreadable": "it can't be opened or is no text"}
        return f"{self.file}: {words.get(self.kind, self.detail)}"


@dataclass(frozen=True, slots=True)
class WorkspaceRules:
    """What holds in one workspace."""

    folder: Path
    files: frozenset[str] = frozenset()
    """Those that are there."""
    policy: PolicyFile = _NO_POLICY
    overlays: Mapping[str, Mapping[str, JsonValue]] = field(
        default_factory=dict[str, Mapping[str, JsonValue]]
    )
    """By app, key by key."""
    problems: tuple[FileProblem, ...] = ()
    """Where there are any, the policy is one that refuses everything."""

    @property
    def workspace_id(self) -> str:
        """Which workspace it is, without saying where it lies: apps are told this."""
        return f"folder-{hashlib.sha256(str(self.folder).encode()).hexdigest()[:16]}"

    @property
    def title(self) -> str:
        """What people call it."""
        return self.folder.name or str(self.folder)

    def values_for(self, app_id: str) -> dict[str, JsonValue]:
        """The settings of an app: what is said of all apps, and over it what is said of this one."""
        return {**self.overlays.get(_EVERY_APP, {}), **self.overlays.get(app_id, {})}


def read_workspace(folder: Path, expected: frozenset[str] = frozenset()) -> WorkspaceRules:
    """Read both files; `expected` are those that were there before, and must not have gone. Blocks."""
    read = {name: _read(folder, name) for name in (POLICY_FILE, OVERLAYS_FILE)}
    texts = {name: found for name, found in read.items() if isinstance(found, str)}
    source = str(folder / POLICY_FILE)
    policy = _policy(texts.get(POLICY_FILE), source)
    overlays = _overlays(texts.get(OVERLAYS_FILE))
    problems = (
        *(
            each
            for each in read.values()
            if isinstance(each, FileProblem) and _matters(each, expected)
        ),
        *(FileProblem(POLICY_FILE, "wrong", each) for each in policy.problems),
        *((overlays,) if isinstance(overlays, FileProblem) else ()),
    )
    if problems or isinstance(overlays, FileProblem):
        refused = refuse_policy(tuple(map(str, problems)), "workspace", source)
        return WorkspaceRules(folder, frozenset(texts), refused, problems=problems)
    return WorkspaceRules(folder, frozenset(texts), policy, overlays)


def _matters(problem: FileProblem, expected: frozenset[str]) -> bool:
    return problem.kind != "gone" or problem.file in expected


def _policy(text: str | None, source: str) -> PolicyFile:
    if text is None:
        return _NO_POLICY
    return parse_policy_file(text, layer="workspace", source=source)


def _overlays(text: str | None) -> dict[str, Mapping[str, JsonValue]] | FileProblem:
    if text is None:
        return {}
    try:
        document = read_document(text, "overlays", _Document)
        return {app_id: _checked(app_id, values) for app_id, values in document.overlays.items()}
    except InvalidInput as error:
        return FileProblem(OVERLAYS_FILE, "wrong", error.message)


def _read(folder: Path, name: str) -> str | FileProblem:
    path = folder / name
    try:
        # Opening a pipe would wait for somebody to write into it.
        if not stat.S_ISREG(path.stat().st_mode):
            return FileProblem(name, "unreadable")
        with path.open("rb") as file:
            return file.read(LARGEST_FILE + 1).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return FileProblem(name, "gone")
    except (OSError, UnicodeDecodeError):
        return FileProblem(name, "unreadable")


def _checked(app_id: str, values: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Every value by its full key. What the app has none of is kept; what no app could have is refused."""
    found = check_layer(OverlayLayer(name="workspace", values=values), OverlaySurface())
    if found.refusals:
        wrong = [(f"overlays.{app_id}.{each.key}", each.code.lower()) for each in found.refusals]
        raise InvalidInput.at_fields(wrong)
    return {**found.values, **{each.key: each.value for each in found.orphans}}
