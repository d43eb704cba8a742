"""The names in an export's folder. Standard library only: whoever verifies needs nothing else."""

import re

MANIFEST = "manifest.json"
SEAL = "manifest.sha256"
EXPORT_NAME = re.compile(r"^(\d{6})-[A-Za-z0-9_]+$")
"""A place in the chain, and the id of what was exported."""


def seal_text(digest: str) -> str:
    """The whole content of the seal, as `sha256sum -c` reads it."""
    return f"{digest}  {MANIFEST}\n"
