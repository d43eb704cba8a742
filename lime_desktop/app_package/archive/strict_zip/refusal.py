"""How a reader of this package says no. The caller turns it into a problem; it never goes further."""

from lime_desktop.app_package.files.path_rules import printable
from lime_desktop.app_package.problems import Place, Problem, ProblemKind


class RefusedError(OSError):
    """The archive, or a file in it, is not one we read. An OSError: its bytes cannot be had."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.message}")
        self.problem = problem


def refused(kind: ProblemKind, message: str, name: str | None = None) -> RefusedError:
    """Make the refusal for a problem, at the file it concerns."""
    place = Place(file=None if name is None else printable(name))
    return RefusedError(kind.found(message, place))
