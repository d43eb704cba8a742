"""A report signed, and checked again: what was changed since is named, part by part.

Signed is the canonical JSON of ``{"digests": …, "purpose": …}``: keys sorted, no spaces, ASCII. A digest is the SHA-256
of the canonical JSON of one part: each judgement by its id, and everything else as ``report``.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue, ValidationError

from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.publisher_key import decode_base64, parse_public_key
from lime_desktop.app_package.trust.signing_key import (
    SigningKey,
    create_key,
    is_signature_of,
    load_key,
)
from lime_desktop.developer.conformance.report import FORMAT, Report, Seal
from lime_desktop.protocol.ids import JsonObject

_REST = "report"
_APART = {"judgements", "seal"}


@dataclass(frozen=True, slots=True)
class SealCheck:
    """What became of a signed report."""

    key: str = ""
    problem: str = ""
    """Why the seal itself is worth nothing; empty where it is whole."""
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether it is the report that was signed."""
        return not (self.problem or self.changed or self.missing or self.added)


def own_key(folder: Path) -> SigningKey | Problem:
    """The key of whoever works here; made the first time, for its owner's eyes only."""
    path = folder / "conformance-key.pem"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        made = create_key(path, None)
        if isinstance(made, Problem):
            return made
    return load_key(path, None)


def seal(report: Report, key: SigningKey) -> Report:
    """The same report, signed."""
    digests = _digests(report.to_wire())
    signature = key.sign(_signed_text(digests))
    sealed = Seal(key=key.public_key.text, digests=digests, signature=signature)
    return report.model_copy(update={"seal": sealed})


def check_seal(document: JsonObject) -> SealCheck:
    """Say whether a report is as it was signed, and by whom. Looks at what is written, known to us or not."""
    try:
        signed = Seal.model_validate(document.get("seal"))
    except ValidationError:
        return SealCheck(problem="The report is not signed.")
    wanted, found = signed.digests, _digests(document)
    return SealCheck(
        key=signed.key,
        problem="" if _is_genuine(signed) else "The signature does not belong to this report.",
        changed=tuple(each for each in wanted if each in found and found[each] != wanted[each]),
        missing=tuple(each for each in wanted if each not in found),
        added=tuple(each for each in found if each not in wanted),
    )


def canonical(value: JsonValue) -> bytes:
    """The one spelling of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def _is_genuine(signed: Seal) -> bool:
    key, signature = parse_public_key(signed.key), decode_base64(signed.signature)
    if key is None or signature is None:
        return False
    return is_signature_of(key, _signed_text(signed.digests), signature)


def _signed_text(digests: Mapping[str, str]) -> bytes:
    return canonical({"purpose": FORMAT, "digests": dict(digests)})


def _digests(document: JsonObject) -> dict[str, str]:
    parts: dict[str, JsonValue] = {
        _REST: {key: value for key, value in document.items() if key not in _APART}
    }
    judgements = document.get("judgements")
    for each in judgements if isinstance(judgements, list) else []:
        name = str(each.get("id")) if isinstance(each, dict) else str(each)
        while name in parts:  # a second one of this name must not hide the first
            name += "'"
        parts[name] = each
    return {
        name: f"sha256:{hashlib.sha256(canonical(part)).hexdigest()}"
        for name, part in parts.items()
    }
