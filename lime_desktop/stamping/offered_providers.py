"""The model providers that an organisation's build names, as its product will offer them; or every reason why not.

An entry is the id of a provider that we know, with the models that are meant; or a provider by its address. There is no
field for a key, and whatever is called like one is refused, whatever stands in it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from pydantic import ValidationError

from lime_desktop.app_package.problems import ProblemKind
from lime_desktop.app_package.text.located import LocatedList, LocatedMap, ValuePath
from lime_desktop.app_server.providers.presets import PRESETS
from lime_desktop.network.hosts import is_near_anywhere
from lime_desktop.protocol.calls.model_providers import ProviderPreset, ProviderSettings
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.stamping import build_problems as kinds

MOST_PROVIDERS = 20
_KNOWN = {each.preset_id: each for each in PRESETS}
_FIELDS = frozenset({"id", "name", "about", "protocol", "baseUrl", "needsKey", "keyPage", "models"})
_OF_KNOWN = frozenset({"id", "models"})
_MODEL_FIELDS = frozenset(
    {"id", "title", "capabilities", "contextTokens", "maxOutputTokens", "latency"}
)
_SECRETS = re.compile(
    r"(api|access|auth|bearer|client|private|secret)?[_-]?(keys?|tokens?|secrets?|passwords?)"
    r"|authorization|credentials?|headers?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, at its place in the build file."""

    kind: ProblemKind
    message: str
    path: ValuePath


def read_providers(listed: object) -> tuple[tuple[ProviderPreset, ...], tuple[Finding, ...]]:
    """The providers of a build, and what is wrong with them."""
    if not isinstance(listed, LocatedList) or len(listed) > MOST_PROVIDERS:
        message = f"providers is not a list of up to {MOST_PROVIDERS}."
        return (), (Finding(kinds.PROVIDER_INVALID, message, ("providers",)),)
    findings: list[Finding] = []
    presets: dict[str, ProviderPreset] = {}
    for at, entry in enumerate(listed):
        found, wrong = _read(entry, ("providers", at))
        findings += wrong
        if found is None:
            continue
        if found.preset_id in presets:
            message = f"{found.preset_id} was named before."
            findings.append(Finding(kinds.PROVIDER_TWICE, message, ("providers", at, "id")))
        presets[found.preset_id] = found
    return tuple(presets.values()), tuple(findings)


def _read(entry: object, path: ValuePath) -> tuple[ProviderPreset | None, tuple[Finding, ...]]:
    if isinstance(entry, str) and entry in _KNOWN:
        return _KNOWN[entry], ()
    if not isinstance(entry, LocatedMap):
        message = "It is neither a provider that is known by name nor described."
        return None, (Finding(kinds.PROVIDER_INVALID, message, path),)
    known = _KNOWN.get(str(entry.get("id")))
    wrong = tuple(_unwanted(entry, path, is_known=known is not None))
    if wrong:
        return None, wrong
    return _described(entry, known, path)


def _unwanted(entry: LocatedMap, path: ValuePath, *, is_known: bool) -> Iterator[Finding]:
    """Keys that do not belong there, secrets before all."""
    for key in entry:
        if _SECRETS.fullmatch(key):
            yield Finding(kinds.SECRET, f"{key!r} has no place in a provider.", (*path, key))
        elif key not in _FIELDS:
            yield Finding(kinds.KEY_UNKNOWN, f"A provider has no {key!r}.", (*path, key))
        elif is_known and key not in _OF_KNOWN:
            message = f"{entry['id']} is known, and its {key!r} is not yours to change."
            yield Finding(kinds.PROVIDER_TAKEN, message, (*path, key))
    address = entry.get("baseUrl")
    if isinstance(address, str) and address.startswith("http:") and not is_near_anywhere(address):
        message = "The address is http, and not of an own network."
        yield Finding(kinds.PROVIDER_UNENCRYPTED, message, (*path, "baseUrl"))


def _described(
    entry: LocatedMap, known: ProviderPreset | None, path: ValuePath
) -> tuple[ProviderPreset | None, tuple[Finding, ...]]:
    models, wrong = _models(entry.get("models"), (*path, "models"))
    if wrong:
        return None, wrong
    if known is not None:
        settings = known.settings.to_wire() | {"models": models}
        kept = {"models": ProviderSettings.model_validate(settings).models}
        return known.model_copy(update={"settings": known.settings.model_copy(update=kept)}), ()
    stated = {
        "presetId": entry.get("id"),
        "about": entry.get("about", ""),
        "keyPage": entry.get("keyPage"),
        "settings": {
            "title": entry.get("name", entry.get("id")),
            "protocol": entry.get("protocol", "openai-compatible"),
            "baseUrl": entry.get("baseUrl"),
            "needsKey": entry.get("needsKey", True),
            "models": models,
        },
    }
    try:
        preset = ProviderPreset.model_validate(stated)
    except ValidationError as error:
        return None, (_refusal(error, path),)
    if preset.key_page is not None and not preset.key_page.startswith("https://"):
        message = "keyPage is not an https address."
        return None, (Finding(kinds.PROVIDER_INVALID, message, (*path, "keyPage")),)
    return preset, ()


def _models(listed: object, path: ValuePath) -> tuple[list[dict[str, object]], tuple[Finding, ...]]:
    if listed is None:
        return [], ()
    rows = cast("list[object]", listed) if isinstance(listed, LocatedList) else [listed]
    models: list[dict[str, object]] = []
    for at, row in enumerate(rows):
        fields = row if isinstance(row, LocatedMap) else {"id": row}
        named = fields.get("id")
        if not isinstance(named, str) or not fields.keys() <= _MODEL_FIELDS:
            message = "A model is its id, or an id with what is known of it."
            return [], (Finding(kinds.PROVIDER_INVALID, message, (*path, at)),)
        models.append({"modelId": named, **{k: v for k, v in fields.items() if k != "id"}})
    return models, ()


_WRITTEN_AS = {"presetId": "id", "preset_id": "id", "title": "name", "baseUrl": "baseUrl"}


def _refusal(error: ValidationError, path: ValuePath) -> Finding:
    """At the field that the build file has for it; the value is never repeated."""
    parts = [str(each) for each in error.errors()[0]["loc"] if each != "settings"]
    field = parts[0] if parts else "id"
    message = InvalidInput.from_validation(error).message
    return Finding(kinds.PROVIDER_INVALID, message, (*path, _WRITTEN_AS.get(field, field)))
