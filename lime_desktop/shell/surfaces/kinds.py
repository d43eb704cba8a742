"""The kinds of entries, and the icon each is known by."""

_SIGNS = {
    "page": "page",
    "panel": "panel",
    "settings": "settings",
    "artifact": "document",
    "command": "command",
    "expert-chat": "chat",
    "workflow": "workflow",
    "background-task": "clock",
}


def sign_of(kind: str) -> str:
    """The icon of a kind; old kinds look like pages."""
    return _SIGNS.get(kind, "page")
