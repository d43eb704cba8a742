"""Who does the agent speak as? The persona of the entry that a turn belongs to, from the package's ``agents/``."""

from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_server.context.texts import read_package_text
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.task_request import task_request_in


def entry_of(request: TurnRequest) -> str | None:
    """The entry that a turn belongs to, where its caller said so."""
    asked = task_request_in(request.options)
    if asked is not None:
        return asked.request.entry or asked.provenance.entry_key
    named = (request.options.host_options or {}).get("entryKey")
    return named if isinstance(named, str) else None


def persona_of(package: AppPackage, entry_key: str | None) -> str | None:
    """The persona's text; None for an entry that has none. Blocks."""
    entry = next((each for each in package.manifest.entries if each.key == entry_key), None)
    if entry is None or not entry.persona:
        return None
    written = entry.persona.removeprefix("./")
    # The manifest names a file, or the key of one in agents/.
    for path in (written, f"agents/{written}.md", f"agents/{written}/AGENT.md"):
        if text := read_package_text(package, path):
            return text
    return None
