"""The script that makes a page repeatable, put together from its parts."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

MARK_PROTOCOL = "lime.recording"
MARK = f'{{"protocol":"{MARK_PROTOCOL}"'
"""How everything begins that the script says, as the relay writes it."""
_PARTS = (
    *("clock.js", "network.js", "xhr.js", "sockets.js"),
    *("uncovered.js", "inputs.js", "page.js"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScriptOptions:
    """Whether the page is recorded or replayed, and with what it begins."""

    mode: Literal["record", "replay"]
    seed: int
    started_at_ms: float = 0.0
    local_storage: Mapping[str, str] = field(default_factory=dict[str, str])


def page_script(resources: Path, options: PageScriptOptions) -> str:
    """The whole script; nothing of it is left in the page but what it puts in place."""
    parts = [(resources / "recording" / name).read_text(encoding="utf-8") for name in _PARTS]
    given = json.dumps(
        {
            "mode": options.mode,
            "seed": options.seed,
            "startedAt": options.started_at_ms,
            "localStorage": dict(options.local_storage),
        }
    )
    return "\n".join(['(() => {\n"use strict";', *parts, f"makeRepeatable({given});", "})();"])
