"""A problem's place opens in the developer's own editor (ours)."""

from pathlib import Path

import pytest

from lime_desktop.developer.editor import Which, editor_command, file_in

PLACE = Path("/apps/my notes/app.js")


def found(*names: str) -> Which:
    return lambda name: f"/usr/bin/{name}" if name in names else None


@pytest.mark.parametrize(
    ("environment", "there", "command"),
    [
        ({}, ("code", "gedit"), ("/usr/bin/code", "-g", f"{PLACE}:7")),
        ({}, ("kate",), ("/usr/bin/kate", "-l", "7", str(PLACE))),
        ({}, (), None),
        (
            {"LIME_EDITOR": "emacsclient -n +{line} {file}"},
            ("code",),
            ("emacsclient", "-n", "+7", str(PLACE)),
        ),
        ({"LIME_EDITOR": "mate"}, (), ("mate", str(PLACE))),
    ],
)
def test_the_editor_that_is_chosen_or_found_gets_file_and_line(
    environment: dict[str, str], there: tuple[str, ...], command: tuple[str, ...] | None
) -> None:
    assert editor_command(PLACE, 7, environment, found(*there)) == command


def test_without_a_line_it_is_the_first() -> None:
    assert editor_command(PLACE, None, {}, found("code")) == ("/usr/bin/code", "-g", f"{PLACE}:1")


def test_only_files_of_the_package_are_opened(tmp_path: Path) -> None:
    package = tmp_path / "app"
    (package / "dist").mkdir(parents=True)
    (package / "dist/app.js").touch()
    (tmp_path / "secret.txt").touch()
    (package / "link.js").symlink_to(tmp_path / "secret.txt")
    assert file_in(package, "dist/app.js") == (package / "dist/app.js").resolve()
    for name in ("../secret.txt", "link.js", "gone.js", "/etc/passwd", "dist"):
        assert file_in(package, name) is None
