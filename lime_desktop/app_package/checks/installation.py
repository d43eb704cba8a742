"""Install modes and the signature's own fields; whether a signature holds is verified elsewhere."""

import re
from collections.abc import Iterator

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problem_kinds import rules
from lime_desktop.app_package.problems import Problem

_SECTION_BY_MODE = {"standalone": "standalone", "runtime_backed": "runtimeBacked"}
_SHA256 = re.compile(r"(sha256:)?[0-9a-fA-F]{64}")


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check modes against their sections, declared hashes, and the revocation address."""
    yield from _modes(facts)
    for part in ("package", "manifest"):
        declared = facts.text("signature", part, "hash")
        if declared is not None and not _SHA256.fullmatch(declared):
            message = f"signature.{part}.hash is not a SHA-256."
            yield rules.HASH_MALFORMED.found(message, facts.place("signature", part, "hash"))
    url = facts.text("signature", "revocation", "checkUrl")
    if url is not None and not url.startswith("https://"):
        place = facts.place("signature", "revocation", "checkUrl")
        yield rules.REVOCATION_URL_INSECURE.found("The address is not https.", place)


def _modes(facts: PackageFacts) -> Iterator[Problem]:
    modes = {mode for _, mode in facts.texts("install", "modes")}
    for mode, section in _SECTION_BY_MODE.items():
        has_section = facts.get("install", section) is not None
        if mode in modes and not has_section:
            message = f"The mode {mode} has no `install.{section}`."
            yield rules.INSTALL_MODE_INCOMPLETE.found(message, facts.place("install", "modes"))
        elif has_section and mode not in modes:
            message = f"`install.{section}` is there, but not the mode {mode}."
            yield rules.INSTALL_MODE_INCOMPLETE.found(message, facts.place("install", section))
