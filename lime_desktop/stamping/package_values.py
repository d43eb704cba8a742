"""Takes values from what a package or a build file says, and notes what is wrong with them at their file and line."""

from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.problems import Place, Problem, ProblemKind
from lime_desktop.app_package.text.located import find, key_path
from lime_desktop.registration.brand_rules import is_https
from lime_desktop.stamping import problem_kinds as kinds


class WrittenValues:
    """Takes one value of a document after the other; what is wrong is collected."""

    def __init__(self, document: object) -> None:
        self.document = document
        self.problems: list[Problem] = []

    def value(self, *path: str | int) -> object:
        """What is said there; None where nothing is."""
        found, _ = find(self.document, path)
        return found

    def text(self, *path: str | int) -> str | None:
        """What is said there, if it is text."""
        found = self.value(*path)
        if found is not None and not isinstance(found, str):
            self.note(kinds.VALUE_INVALID, "It is not text.", *path)
            return None
        return found

    def url(self, *path: str) -> str | None:
        """An https address."""
        found = self.text(*path)
        if found is not None and not is_https(found):
            self.note(kinds.URL_INVALID, kinds.URL_INVALID.meaning, *path)
        return found

    def note(self, kind: ProblemKind, message: str, *path: str | int) -> None:
        """Say what is wrong there."""
        _, origin = find(self.document, path)
        place = Place(None, None, key_path(path))
        if origin is not None:
            place = Place(origin.file, origin.line, key_path(path))
        self.problems.append(kind.found(message, place))


class PackageValues(WrittenValues):
    """The same of what a package says after merging."""

    def __init__(self, package: AppPackage) -> None:
        super().__init__(package.effective)
        self.package = package
