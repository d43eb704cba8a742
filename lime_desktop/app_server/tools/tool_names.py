"""Names of tools that are made of others' names: one for each, in the letters that every model's interface takes."""

import hashlib
import re

MAX_NAME = 64
"""What every model's interface takes."""


def joined_name(*parts: str) -> str:
    """``a__b__c``; what had to be changed or cut is told apart by a few digits."""
    name = "__".join(parts)
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    if plain == name and len(name) <= MAX_NAME:
        return name
    digits = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{plain[: MAX_NAME - 9]}_{digits}"
