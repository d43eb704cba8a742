"""What the author says about an app: people, dates, links and terms, folded away on its page."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from lime_desktop.app_package.package import AppPackage
from lime_desktop.host.wording.package_about import AboutLine, about_lines, changelog_of
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.widgets.fold import Fold
from lime_desktop.shell.widgets.parts import button, card, label, name_button, row

OpenLink = Callable[[str], None]


def about_fold(look: Look, package: AppPackage, open_link: OpenLink, *, is_open: bool) -> Fold:
    """Everything that the author says, with a button at each address that a browser can open."""
    return Fold(
        look.texts("about.title"),
        lambda: card(*_rows(package, look.texts, open_link)),
        look.icons,
        is_open=is_open,
    )


def says_anything(package: AppPackage) -> bool:
    """Whether there is anything to read."""
    return bool(about_lines(package.manifest))


def _rows(package: AppPackage, texts: Texts, open_link: OpenLink) -> list[QWidget]:
    rows = [_row(each, texts, open_link) for each in about_lines(package.manifest)]
    changes = changelog_of(package)
    if changes is not None:
        rows.append(label(changes, "small"))
    return rows


def _row(line: AboutLine, texts: Texts, open_link: OpenLink) -> QWidget:
    words = label(line.words(texts))
    url = line.url
    if url is None:
        return words
    opening = button(texts("link.open"), lambda: open_link(url), "link")
    name_button(opening, texts, texts(f"about.{line.key}"))
    return row(words, opening, stretch_at=0)
