"""A program as a tree of files that is ready to be packed, and the processor that it was made for."""

import platform
from dataclasses import dataclass
from pathlib import Path

_BY_NUMBER = {62: "x86_64", 183: "aarch64"}
"""By the number that an ELF file bears: a tree need not have been made here."""
_IN_DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}


@dataclass(frozen=True, slots=True)
class ProgramTree:
    """What every format of installer packs."""

    program: str
    """The name of the window's program in it, and of whatever is made of it."""
    version: str
    folder: Path
    epoch: int
    """The moment that every file in a package bears."""

    @property
    def processor(self) -> str:
        """The processor by the name that Linux gives it; this machine's, where the program does not say."""
        with (self.folder / self.program).open("rb") as file:
            head = file.read(20)
        number = int.from_bytes(head[18:20], "little") if head.startswith(b"\x7fELF") else 0
        return _BY_NUMBER.get(number, platform.machine())

    @property
    def debian_processor(self) -> str:
        """The same by the name that Debian gives it."""
        name = self.processor
        return _IN_DEBIAN.get(name, name)
