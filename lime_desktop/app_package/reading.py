"""The text files of one package: each read once, within one budget, with its problems kept."""

from lime_desktop.app_package.files.path_rules import printable
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.problem_kinds.files import FILE_UNREADABLE
from lime_desktop.app_package.problem_kinds.text import TEXT_TOO_LARGE
from lime_desktop.app_package.problems import Place, Problem
from lime_desktop.app_package.text.app_md import AppDocument, parse_app_md, split_frontmatter
from lime_desktop.app_package.text.json_text import parse_json
from lime_desktop.app_package.text.located import LocatedMap, Origin
from lime_desktop.app_package.text.plain_text import MAX_TEXT_BYTES, Parsed, ReadingBudget
from lime_desktop.app_package.text.yaml_text import parse_yaml


class PackageReader:
    """Reads a tree's text files. What goes wrong is collected, never raised."""

    def __init__(self, tree: PackageTree) -> None:
        self.tree = tree
        self.budget = ReadingBudget()
        self.problems: list[Problem] = []
        self._parsed: dict[str, Parsed] = {}
        self._documents: dict[str, AppDocument] = {}
        self._blocks: list[Parsed] = []

    def has(self, path: str) -> bool:
        """Whether the package has a file of this path."""
        return path in self.tree.files

    def bytes(self, path: str) -> bytes | None:
        """A text file's bytes, or None with a problem if they cannot be had."""
        place = Place(printable(path))
        too_much = self._too_much(self.tree.files[path].size)
        if too_much is not None:
            self.problems.append(TEXT_TOO_LARGE.found(too_much, place))
            return None
        try:
            return self.tree.read(path)
        except OSError as error:
            message = f"Could not be read: {error.strerror or 'input/output error'}."
            self.problems.append(FILE_UNREADABLE.found(message, place))
            return None

    def _too_much(self, size: int) -> str | None:
        self.budget.files -= 1
        self.budget.total_bytes -= size
        if size > MAX_TEXT_BYTES:
            return f"The file is larger than {MAX_TEXT_BYTES} bytes and was not read."
        if self.budget.files < 0 or self.budget.total_bytes < 0:
            return "The package has too many text files; this one was not read."
        return None

    def yaml(self, path: str) -> Parsed:
        """A YAML file's value."""
        return self._parse(path, is_json=False)

    def json(self, path: str) -> Parsed:
        """A JSON file's value."""
        return self._parse(path, is_json=True)

    def markdown(self, path: str) -> AppDocument:
        """A Markdown file with its frontmatter read."""
        if path not in self._documents:
            data = self.bytes(path)
            document = split_frontmatter(b"" if data is None else data, path, self.budget)
            self.problems.extend(document.problems)
            self._documents[path] = document
        return self._documents[path]

    def app_md(self) -> AppDocument:
        """APP.md with its sections; empty where there is none."""
        data = self.bytes("APP.md") if self.has("APP.md") else None
        if data is None:
            document = AppDocument(Parsed("APP.md", LocatedMap(Origin("APP.md", 1))))
        else:
            document = parse_app_md(data, self.budget)
            self.problems.extend(document.problems)
        self._documents["APP.md"] = document
        return document

    def keep(self, parsed: Parsed) -> None:
        """Keep what was parsed elsewhere, such as a block inside a Markdown file."""
        self._blocks.append(parsed)
        self.problems.extend(parsed.problems)

    def values(self) -> list[object]:
        """The value of everything that was read."""
        frontmatters = (document.frontmatter for document in self._documents.values())
        return [parsed.value for parsed in (*self._parsed.values(), *frontmatters, *self._blocks)]

    def _parse(self, path: str, *, is_json: bool) -> Parsed:
        if path not in self._parsed:
            data = self.bytes(path)
            if data is None:
                parsed = Parsed(path)
            elif is_json:
                parsed = parse_json(data, path, self.budget)
            else:
                parsed = parse_yaml(data, path, self.budget)
            self.problems.extend(parsed.problems)
            self._parsed[path] = parsed
        return self._parsed[path]
