"""What went wrong in an open page, told like a package's problems: with file and line of what the developer edits."""

from urllib.parse import unquote, urlsplit

from lime_desktop.app_package.problems import Place, Problem, ProblemKind, Severity
from lime_desktop.host.view.diagnosis import is_optional
from lime_desktop.host.web_content.origin import (
    NOT_IN_THE_APP,
    ONLY_GET_AND_HEAD,
    REFUSED_SCHEME,
)

SCRIPT_FAILED = ProblemKind(
    "SCRIPT_FAILED",
    Severity.ERROR,
    "A script of the page threw an error that nobody caught, or could not be loaded.",
    "Open the file at that line.",
)
POLICY_BLOCKED = ProblemKind(
    "POLICY_BLOCKED",
    Severity.ERROR,
    "The page wanted to load or reach something that its content policy does not allow.",
    "Ship scripts, styles and pages with the app. Data, pictures, media and fonts may come from a host that a network permission names.",
)
FILE_NOT_SERVED = ProblemKind(
    "FILE_NOT_SERVED",
    Severity.ERROR,
    "The page asked its own origin for a file that the bundle does not have.",
    "Add the file to the bundle, or correct its address.",
)
DATA_NOT_TAKEN = ProblemKind(
    "DATA_NOT_TAKEN",
    Severity.ERROR,
    "The page sent data to its own origin, which only gives the files of the bundle: there is no server behind it.",
    "Keep data with lime.storage, or send it to a host that a network permission names.",
)
CONSOLE_ERROR = ProblemKind(
    "CONSOLE_ERROR",
    Severity.WARNING,
    "The page wrote an error to its console.",
    "Open the file at that line.",
)
REFUSED_BY_HOST = ProblemKind(
    "REFUSED_BY_HOST",
    Severity.WARNING,
    "The page tried something that no app may do by itself.",
    "Ask the host for it through the SDK.",
)

SERVER_SILENT = ProblemKind(
    "SERVER_SILENT",
    Severity.ERROR,
    "The dev server that was to serve the pages does not answer.",
    "Start it; the page is loaded as soon as it answers.",
)
SERVER_FAILED = ProblemKind(
    "SERVER_FAILED",
    Severity.ERROR,
    "The dev server answered with an error where the page asked for a file.",
    "Do what the dev server says, or look at its own log.",
)

_ERROR_LEVEL = 2
_MOST = 50
_INDEX = "index.html"
_POLICY = ("Content Security Policy",)
_SCRIPT = ("Uncaught", "Failed to load module script", "Failed to resolve module", "SyntaxError")
_TOLD_OTHERWISE = ("Failed to load resource", "violates the document's Content Security Policy")
_MISSED = f"{REFUSED_SCHEME}://{NOT_IN_THE_APP}"
_NOT_TAKEN = f"{REFUSED_SCHEME}://{ONLY_GET_AND_HEAD}"
_NO_MODULE = "Failed to load module script"


class PageProblems:
    """What was seen since the page was last loaded; one that repeats itself counts once."""

    def __init__(self, bundle: str, first_try: str = "") -> None:
        """Begin with nothing.

        `bundle` is the folder that paths of the origin lead to; empty where a dev server serves the sources. Its client
        looks for its socket at the page's own host first, which is `first_try` and no problem, and then where it is.
        """
        self._bundle = bundle
        self._first_try = first_try
        self._found: dict[tuple[str, str, str | None, int | None], Problem] = {}

    @property
    def found(self) -> tuple[Problem, ...]:
        """The problems, oldest first."""
        return tuple(self._found.values())

    def clear(self) -> None:
        """Begin anew with the page."""
        self._found.clear()

    def add_line(self, level: int, message: str, line: int, source: str) -> None:
        """Take a line of the console; only errors count."""
        if level < _ERROR_LEVEL or any(sign in message for sign in _TOLD_OTHERWISE):
            return
        if (self._first_try and self._first_try in message) or _MISSED in message:
            return
        if _NO_MODULE in message and self._was_not_given(self._file(source)):
            return
        place = Place(self._file(source), line or None)
        self._add(_kind(message).found(message.partition("\n")[0], place))

    def add_missing(self, path: str) -> None:
        """Take a path of the origin that is not there."""
        if not is_optional(path):
            place = Place(self._file(path))
            self._add(FILE_NOT_SERVED.found(f"{unquote(path)} is not part of the app.", place))

    def add_refused(self, guard: str, address: str) -> None:
        """Take something that a guard stopped. What its policy stops is on the console already."""
        if guard != "request":
            shown = f" {address}" if address else ""
            self._add(REFUSED_BY_HOST.found(f"The host allows no {guard}{shown}."))

    def add_silent(self, origin: str) -> None:
        """The dev server does not answer."""
        self._add(SERVER_SILENT.found(f"The dev server at {origin} does not answer."))

    def add_failed(self, path: str, words: str) -> None:
        """The dev server answered with an error for a path."""
        if not is_optional(path):
            told = f"The dev server cannot give {unquote(path)}. {words}"
            self._add(SERVER_FAILED.found(told, Place(self._file(path))))

    def _add(self, problem: Problem) -> None:
        if len(self._found) < _MOST:
            key = (problem.code, problem.message, problem.file, problem.line)
            self._found.setdefault(key, problem)

    def _was_not_given(self, file: str | None) -> bool:
        codes = {SERVER_FAILED.code, FILE_NOT_SERVED.code}
        return any(each.file == file and each.code in codes for each in self.found)

    def _file(self, source: str) -> str | None:
        """The package's file behind an address of its origin; a route is its index page."""
        path = unquote(urlsplit(source).path).strip("/")
        if not source:
            return None
        if not self._bundle:
            return path or _INDEX
        is_route = "." not in path.rpartition("/")[2]
        return f"{self._bundle}/{_INDEX if is_route else path}"


def _kind(message: str) -> ProblemKind:
    if _NOT_TAKEN in message:
        return DATA_NOT_TAKEN
    if any(sign in message for sign in _POLICY):
        return POLICY_BLOCKED
    return SCRIPT_FAILED if any(sign in message for sign in _SCRIPT) else CONSOLE_ERROR
