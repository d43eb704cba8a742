"""An environment that needs no install: the Python that runs the tests."""

import sys
from pathlib import Path

from newcomer.environment import Environment


class ThisPython(Environment):
    """The environment the tests run in, remembering in a folder of the test's own."""

    def __init__(self, root: Path, memory: Path) -> None:
        super().__init__(root)
        self._memory = memory

    @property
    def python(self) -> Path:
        """The interpreter of this process."""
        return Path(sys.executable)
