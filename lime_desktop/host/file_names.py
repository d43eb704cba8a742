"""Names to propose for files: what an app says, without what could mislead a person or a file system. Pure."""

import re
from pathlib import PurePosixPath
from urllib.parse import unquote

_UNFIT = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\u202a-\u202e\u2066-\u2069]')
"""What no file system takes, and marks that turn a name around so that its ending looks like another."""


def file_name(wanted: str) -> str:
    """A name to propose: the last part of a path, without what could mislead a person or a file system."""
    last = PurePosixPath(unquote(wanted).replace("\\", "/")).name
    cleaned = _UNFIT.sub("_", last).strip(" .")
    return cleaned[-200:] or "download"
