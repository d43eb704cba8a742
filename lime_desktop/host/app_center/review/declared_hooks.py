"""What would the app run by itself as it comes, changes and goes? Read from what it declares, in full."""

import json
import shlex
from dataclasses import dataclass
from typing import cast

from lime_desktop.app_package.lifecycle import LifecycleHook, lifecycle_hooks
from lime_desktop.app_package.manifest import Manifest
from lime_desktop.host.app_center.review.deferred_text import DeferredText
from lime_desktop.host.app_center.review.programs import DeclaredProgram, declared_programs


@dataclass(frozen=True, slots=True)
class DeclaredHook:
    """One hook, and what it comes to."""

    hook: LifecycleHook
    line: str
    """A program with all of its words, or the tool by its key with its input."""

    @property
    def words_for_people(self) -> DeferredText:
        """When it runs, and what."""
        return DeferredText(f"review.hook.{self.hook.point}", {"line": self.line})


def declared_hooks(manifest: Manifest) -> tuple[DeclaredHook, ...]:
    """Every hook of the manifest, in the order of the app's life."""
    programs = {each.key: each for each in declared_programs(manifest) if each.kind == "command"}
    return tuple(
        DeclaredHook(hook, _line(hook, programs.get(hook.tool)))
        for hook in lifecycle_hooks(manifest)
    )


def _line(hook: LifecycleHook, program: DeclaredProgram | None) -> str:
    words = hook.input.get("arguments") if program else None
    added = cast("list[object]", words) if isinstance(words, list) else []
    # What else it is given is shown too: it may be a script.
    rest = {
        name: value for name, value in hook.input.items() if not (added and name == "arguments")
    }
    told = (
        program.line if program else hook.tool,
        hook.action or "",
        *(shlex.quote(str(word)) for word in added),
        json.dumps(rest, ensure_ascii=False) if rest else "",
    )
    return " ".join(filter(None, told))
