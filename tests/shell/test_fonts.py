"""The program brings its fonts along: words take the same room on every machine, also on one with no font (ours)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from lime_desktop.shell.startup.first_frame import lighten_strokes
from tests.shell.conftest import RESOURCES, ShowApp

ROOT = RESOURCES.parent
FONTS = RESOURCES / "fonts"
NO_FONT = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><cachedir>{folder}/cache</cachedir></fontconfig>"""
WIDTHS = """
import json, sys
from pathlib import Path
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication, QLabel
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.host.startup.single_instance import be_first_or_hand_over
from lime_desktop.shell.startup import starting
from lime_desktop.shell.startup.run_options import RunOptions
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.startup.composition import Composition

said = {}

class FirstFrame(starting.FirstFrame):
    def __init__(self, folders):
        super().__init__(folders)
        said["first"] = QFontInfo(self.font()).family()
        services = Composition(folders, HostSettings(text_scale=1.5))
        for role in ("display", "heading", "strong", "", "small", "mono"):
            label = QLabel("Keep “data” of its own -> this machine")
            label.setProperty("role", role)
            label.setStyleSheet(services.look.appearance.style.sheet(services.look.appearance.theme))
            label.ensurePolished()
            said[role] = [QFontInfo(label.font()).family(), label.sizeHint().toTuple()]
        print(json.dumps(said), flush=True)
        raise SystemExit

starting.FirstFrame = FirstFrame
folder = Path(sys.argv[1])
folders = Folders(Path("resources"), folder, folder / "settings.json")
starting.run_shell(RunOptions(folders, Path("sample_apps"), be_first_or_hand_over(folder, "")))
"""


def widths(folder: Path, environ: dict[str, str]) -> dict[str, Any]:
    folder.mkdir()
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", WIDTHS, folder],
        cwd=ROOT,
        env={**environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return json.loads(done.stdout)


def test_a_machine_without_any_font_shows_every_word_as_wide_as_one_with_many(
    tmp_path: Path,
) -> None:
    """A bug: the same dialog had room on one machine and cut a permission's words on another."""
    machine = {name: value for name, value in os.environ.items() if name != "FONTCONFIG_FILE"}
    none = tmp_path / "fonts.conf"
    none.write_text(NO_FONT.format(folder=tmp_path), encoding="utf-8")
    with_none = widths(tmp_path / "none", {**machine, "FONTCONFIG_FILE": str(none)})
    assert with_none == widths(tmp_path / "machine", machine)
    assert with_none.pop("first") == "Inter"
    assert with_none.pop("mono")[0] == "JetBrains Mono"
    assert {family for family, _size in with_none.values()} == {"Inter"}


def test_quotes_in_english_are_no_wider_than_a_letter(qapp: QApplication) -> None:
    """A bug: where the first font at hand was a Chinese one, each quotation mark took a whole square."""
    measured = QFontMetricsF(qapp.font())
    assert measured.horizontalAdvance("“") < measured.horizontalAdvance("n")


def test_chinese_is_looked_for_in_simplified_fonts_in_a_fixed_order(qapp: QApplication) -> None:
    """Left to the machine, the same sign is drawn in its Japanese or its traditional form."""
    assert qapp.font().families() == [
        "Inter",
        "Noto Sans CJK SC",
        "Source Han Sans SC",
        "PingFang SC",
        "Microsoft YaHei",
        "WenQuanYi Micro Hei",
        "Noto Sans",
        "sans-serif",
    ]


def test_a_page_that_follows_the_theme_draws_with_the_hosts_fonts(show_app: ShowApp) -> None:
    shown = show_app(
        {
            "index.html": '<!doctype html><head></head><script type="module" src="/app.js"></script>',
            "app.js": """
import { syncTheme } from "/__lime__/sdk/index.js";
const theme = { themeMode: "light", effectiveThemeMode: "light", colorSchemeId: "lime", tokens: {} };
syncTheme({ snapshot: { theme }, onTheme: () => () => {} });
syncTheme({ snapshot: { theme }, onTheme: () => () => {} });
const sheets = document.querySelectorAll("link");
if (!sheets[0].sheet) await new Promise((resolve) => sheets[0].addEventListener("load", resolve));
const faces = await Promise.all(["400 14px Inter", "600 14px Inter", "700 14px Inter", "14px 'JetBrains Mono'"]
  .map((font) => document.fonts.load(font)));
parent.postMessage({ sheets: sheets.length, loaded: faces.flat().map((face) => `${face.family} ${face.weight} ${face.status}`) }, "*");
""",
        }
    )
    assert shown.say() == {
        "sheets": 1,
        "loaded": [
            "Inter 400 loaded",
            "Inter 600 loaded",
            "Inter 700 loaded",
            "JetBrains Mono 400 loaded",
        ],
    }
    assert shown.refused == []


@pytest.mark.parametrize("font", sorted(FONTS.glob("*.ttf")), ids=lambda font: font.stem)
def test_every_font_comes_with_its_licence_and_its_origin(font: Path) -> None:
    licence = FONTS / f"LICENSE-{font.stem.split('-')[0]}.txt"
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence.read_text(encoding="utf-8")
    notice = (FONTS / "NOTICE.md").read_text(encoding="utf-8")
    assert font.name in notice
    assert licence.name in notice
    assert font.name in (FONTS / "fonts.css").read_text(encoding="utf-8")


def test_strokes_are_lightened_unless_somebody_has_a_setting_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bug: Chinese looked bold in the dark. FreeType reads this with the first font, so it is set before."""
    monkeypatch.delenv("FREETYPE_PROPERTIES", raising=False)
    lighten_strokes()
    kind, _, pairs = os.environ["FREETYPE_PROPERTIES"].partition("=")
    assert kind == "cff:darkening-parameters"
    assert len([int(each) for each in pairs.split(",")]) == 8
    monkeypatch.setenv("FREETYPE_PROPERTIES", "truetype:interpreter-version=35")
    lighten_strokes()
    assert os.environ["FREETYPE_PROPERTIES"] == "truetype:interpreter-version=35"
