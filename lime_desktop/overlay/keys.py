"""The keys an overlay may set, each with what its value must be. The table is the whole list: other keys are refused.

| key | value |
| --- | --- |
| ``knowledge.<template>.binding`` | the knowledge pack to use |
| ``knowledge.<template>.retrieval.<option>`` | a number, text or truth value |
| ``tools.<tool>.credential`` | a reference, ``secret:<name>`` |
| ``model.default``, ``model.tasks.<kind>`` | a model's name |
| ``budget.monthly``, ``budget.perTask`` | an amount: a number, or text such as ``10 USD`` |
| ``network.deny`` | domains that must not be reached |
| ``network.offline`` | true: no network at all |
| ``ui.order`` | entry keys, in order |
| ``entries.<entry>.disabled`` | true: the entry is switched off |
| ``workflows.<workflow>.defaults.<parameter>`` | any value |
| ``evals.<eval>.threshold`` | a number |
| ``content.bannedWords`` | words |
| ``content.brandTone`` | text |
| ``industry.<rule>``, ``export.<option>`` | any value |
| ``templates.<template>.<field>`` | any value, from the layers that the template's scope names |

Network keys only ever take away: reaching more than the manifest declares is not for an overlay to give.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from lime_desktop.overlay.secrets import is_secret_ref

Form = Literal["text", "option", "reference", "amount", "words", "switch", "number", "anything"]
"""How a person writes a value."""
Reference = Literal["knowledge", "tools", "entries", "workflows", "evals", "templates"]

FORBIDDEN: Mapping[str, str] = {
    "capabilities": "An overlay can't give an app a capability that its manifest does not declare.",
    "requires": "An overlay can't change what the app requires.",
    "permissions": "Permissions are granted by people, not by overlays.",
    "operations": "An overlay can't loosen what an operation demands.",
    "integrations": "An overlay can't add outside systems.",
    "services": "An overlay can't add services.",
    "package": "The package and its hashes are the publisher's.",
    "packageHash": "The package and its hashes are the publisher's.",
    "manifestHash": "The package and its hashes are the publisher's.",
    "runtimePackage": "The package and its hashes are the publisher's.",
    "signature": "The signature is the publisher's.",
    "publisher": "Who published the app is not for an overlay to say.",
    "provenance": "Where a value came from must stay visible.",
    "readiness": "An overlay can't change what readiness checks.",
    "policy": "Policy has its own file.",
    "bypassPermissions": "Nothing bypasses permissions.",
}
"""First parts of keys that are refused with the reason, because somebody will try."""


@dataclass(frozen=True, slots=True)
class KeyFamily:
    """Keys of one shape."""

    pattern: re.Pattern[str]
    is_fit: Callable[[JsonValue], bool]
    wanted: str
    """What the value must be, for a person."""
    refers_to: Reference | None = None
    shape: str = ""
    """The key with its names left open, such as ``tools.<tool>.credential``."""
    form: Form = "anything"


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 4096


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_amount(value: JsonValue) -> bool:
    if isinstance(value, str):
        return re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,6})?( [A-Z]{3})?", value) is not None
    return isinstance(value, int | float) and _is_number(value) and value >= 0


def _is_switch(value: JsonValue) -> bool:
    return isinstance(value, bool)


def _is_words(value: JsonValue) -> bool:
    return isinstance(value, list) and len(value) <= 10_000 and all(map(_is_text, value))


def _is_option(value: JsonValue) -> bool:
    return _is_text(value) or _is_number(value) or _is_switch(value)


def _is_anything(value: JsonValue) -> bool:
    return value is not None


_FORMS: dict[Callable[[JsonValue], bool], Form] = {
    _is_text: "text",
    _is_option: "option",
    is_secret_ref: "reference",
    _is_amount: "amount",
    _is_words: "words",
    _is_switch: "switch",
    _is_number: "number",
    _is_anything: "anything",
}


def _family(shape: str, is_fit: Callable[[JsonValue], bool], wanted: str) -> KeyFamily:
    """Turn ``tools.<tool>.credential`` into a pattern; the first ``<…>`` is what the key refers to."""
    first = shape.partition(".")[0]
    references: dict[str, Reference] = {
        "knowledge": "knowledge",
        "tools": "tools",
        "entries": "entries",
        "workflows": "workflows",
        "evals": "evals",
        "templates": "templates",
    }
    # Names may hold dots themselves, so the fixed words after them mark where they end.
    parts = [r"(.+?)" if part.startswith("<") else re.escape(part) for part in shape.split(".")]
    pattern = re.compile(r"\.".join(parts), re.DOTALL)
    return KeyFamily(pattern, is_fit, wanted, references.get(first), shape, _FORMS[is_fit])


FAMILIES = (
    _family("knowledge.<template>.binding", _is_text, "the name of a knowledge pack"),
    _family(
        "knowledge.<template>.retrieval.<option>", _is_option, "a number, text or true or false"
    ),
    _family("tools.<tool>.credential", is_secret_ref, "a reference such as secret:crm_token"),
    _family("model.default", _is_text, "the name of a model"),
    _family("model.tasks.<kind>", _is_text, "the name of a model"),
    _family("budget.monthly", _is_amount, "an amount such as 10 or 10 USD"),
    _family("budget.perTask", _is_amount, "an amount such as 10 or 10 USD"),
    _family("network.deny", _is_words, "a list of domains"),
    _family("network.offline", _is_switch, "true or false"),
    _family("ui.order", _is_words, "a list of entry keys"),
    _family("entries.<entry>.disabled", _is_switch, "true or false"),
    _family("workflows.<workflow>.defaults.<parameter>", _is_anything, "a value"),
    _family("evals.<eval>.threshold", _is_number, "a number"),
    _family("content.bannedWords", _is_words, "a list of words"),
    _family("content.brandTone", _is_text, "text"),
    _family("industry.<rule>", _is_anything, "a value"),
    _family("export.<option>", _is_anything, "a value"),
    _family("templates.<template>.<field>", _is_anything, "a value"),
)
FIRST_PARTS = frozenset(
    {
        *("knowledge", "tools", "model", "budget", "network", "ui", "entries", "workflows"),
        *("evals", "content", "industry", "export", "templates"),
    }
)


def family_of(key: str) -> KeyFamily | None:
    """Find the shape that a key has."""
    return next((family for family in FAMILIES if family.pattern.fullmatch(key)), None)


def names_in(key: str, family: KeyFamily) -> tuple[str, ...]:
    """The names that a key fills its family's shape with."""
    found = family.pattern.fullmatch(key)
    return found.groups() if found else ()


def reference_in(key: str, family: KeyFamily) -> str | None:
    """Give the name that a key refers to, if its family refers to one."""
    found = family.pattern.fullmatch(key)
    return found.group(1) if found and family.refers_to else None
