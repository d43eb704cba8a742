"""What a finding is about, as a person calls it: the author's title, else plain words; never a bare key."""

import re
from collections.abc import Iterable, Mapping
from typing import cast

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.app_package.manifest.values import ManifestModel
from lime_desktop.readiness.findings import Finding
from lime_desktop.readiness.wording import Language

_DECLARED_IN: Mapping[str, str] = {
    "secret": "secrets",
    "knowledge": "knowledge_templates",
    "tool": "tool_refs",
    "overlay": "overlay_templates",
    "integration": "integrations",
    "operation": "operations",
    "artifact": "artifact_types",
    "eval": "evals",
    "service": "services",
    "workflow": "workflows",
    "entry": "entries",
}
"""The kinds of findings that are about something the manifest declares under a key."""


def name_of(finding: Finding, manifest: Manifest, language: Language, locale: str) -> str:
    """The name to fill into a sentence."""
    if finding.key in language.checks:
        return language.checks[finding.key]
    if finding.kind == "permission":
        return language.quoted.format(_permission(finding.key, manifest, language, locale))
    if finding.kind not in _DECLARED_IN:
        return finding.key
    return language.quoted.format(declared_name(finding.kind, finding.key, manifest, locale))


def declared_name(kind: str, key: str, manifest: Manifest, locale: str) -> str:
    """What the author calls a thing that the manifest declares under a key, else the key as words."""
    declared = cast("Iterable[ManifestModel]", getattr(manifest, _DECLARED_IN.get(kind, ""), ()))
    found = next((each for each in declared if getattr(each, "key", None) == key), None)
    return title_in(found, locale) or plain_words(key)


def _permission(key: str, manifest: Manifest, language: Language, locale: str) -> str:
    found = next((each for each in manifest.permissions if each.key == key), None)
    if found is None:
        return plain_words(key)
    words = title_in(found, locale) or language.scopes[found.scope]
    return words if _is_only_one(found, manifest) else f"{words}: {plain_words(key)}"


def _is_only_one(permission: Permission, manifest: Manifest) -> bool:
    return [each.scope for each in manifest.permissions].count(permission.scope) == 1


def title_in(declared: ManifestModel | None, locale: str) -> str | None:
    """The title that the author gave, in the person's language where there is one."""
    if declared is None:
        return None
    written = declared.model_dump(by_alias=True, exclude_unset=True)
    translated = written.get("titleI18n")
    if isinstance(translated, Mapping):
        languages = cast("Mapping[str, object]", translated)
        for wanted in (locale, locale.partition("-")[0]):
            if isinstance(found := languages.get(wanted), str) and found:
                return found
    title = written.get("title")
    return title if isinstance(title, str) and title else None


def plain_words(key: str) -> str:
    """A key as words: `mail_password` is a mail password."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", re.sub(r"[_\-]+", " ", key)).strip()
    return spaced or key
