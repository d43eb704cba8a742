"""How an agent calls a server's tool: ``mcp__<server>__<tool>``, in the letters that every model's interface takes."""

import hashlib
import re

MAX_NAME = 64


def agent_name(server_id: str, tool: str) -> str:
    """One name for each tool of each server; what had to be changed or cut is told apart by a few digits."""
    name = f"mcp__{server_id}__{tool}"
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    if plain == name and len(name) <= MAX_NAME:
        return name
    digits = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{plain[: MAX_NAME - 9]}_{digits}"
