"""The tests see the fonts that the program brings along and none of the machine's: what passes here passes elsewhere."""

import sys
from pathlib import Path
from xml.sax.saxutils import escape

_CONFIG = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
</fontconfig>
"""


def font_settings(root: Path, memory: Path) -> dict[str, str]:
    """What to add to the environment. Qt and Chromium both ask fontconfig, on Linux; elsewhere there is nothing to say."""
    if sys.platform != "linux":
        return {}
    fonts, cache = root / "resources" / "fonts", memory / "font-cache"
    config = memory / "fonts.conf"
    config.write_text(
        _CONFIG.format(fonts=escape(str(fonts)), cache=escape(str(cache))), encoding="utf-8"
    )
    return {"FONTCONFIG_FILE": str(config)}
