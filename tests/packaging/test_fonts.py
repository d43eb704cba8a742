"""The checks see the program's fonts and none of the machine's, unless somebody says otherwise (ours)."""

import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from newcomer import checks

from tests.packaging.this_python import ThisPython

ROOT = Path(__file__).parents[2]
ASK = "import os; print('asked', os.environ.get('FONTCONFIG_FILE'))"


@pytest.mark.skipif(sys.platform != "linux", reason="fontconfig is how Linux finds fonts")
def test_a_check_sees_only_the_fonts_that_are_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FONTCONFIG_FILE", raising=False)
    config = Xml.parse(asked(tmp_path, capfd)).getroot()  # noqa: S314 - written a moment ago
    assert [folder.text for folder in config.iter("dir")] == [str(ROOT / "resources" / "fonts")]
    assert list(config.iter("include")) == []


def test_whoever_names_fonts_gets_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FONTCONFIG_FILE", "/etc/fonts/fonts.conf")
    assert asked(tmp_path, capfd) == "/etc/fonts/fonts.conf"


def asked(memory: Path, capfd: pytest.CaptureFixture[str]) -> str:
    check = checks.Check("fonts", (sys.executable, "-c", ASK))
    assert checks.run_checks(ThisPython(ROOT, memory), [check]) == 0
    [line] = [line for line in capfd.readouterr().out.splitlines() if line.startswith("asked ")]
    return line.removeprefix("asked ")
