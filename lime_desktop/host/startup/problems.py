"""Why can the program not start here? In the person's words, with what they can do about it. Knows no widget."""

import errno
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lime_desktop.host.startup.single_instance import NoAnswerError
from lime_desktop.host.wording.texts import Texts

Kind = Literal["full", "read-only", "busy", "branding", "other"]

_BY_ERRNO: dict[int, Kind] = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "full",
    errno.EROFS: "read-only",
    errno.EACCES: "read-only",
    errno.EPERM: "read-only",
    errno.ENOTDIR: "read-only",
    errno.EEXIST: "read-only",
}


@dataclass(frozen=True, slots=True)
class StartProblem:
    """What stands in the way of a start."""

    kind: Kind
    folder: Path
    """The person's own folder that it is about: theirs to read, and never an app's."""
    reason: str = ""
    """What the operating system says."""

    def title(self, texts: Texts) -> str:
        """What is wrong, in a sentence."""
        return texts(f"start.{self.kind}", folder=self.folder, reason=self.reason)

    def advice(self, texts: Texts) -> str:
        """What to do about it."""
        return texts(f"start.{self.kind}.advice", folder=self.folder)


def problem_of(error: OSError | NoAnswerError, folder: Path) -> StartProblem:
    """What an attempt to take the data folder says about it."""
    if isinstance(error, NoAnswerError):
        return StartProblem("busy", folder)
    kind = _BY_ERRNO.get(error.errno or 0, "other")
    return StartProblem(kind, folder, error.strerror or type(error).__name__)
