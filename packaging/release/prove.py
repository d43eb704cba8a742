#!/usr/bin/env python3
"""Install a release in clean Debian systems and use it as a person would. Needs root, Xvfb, xdotool and ImageMagick.

python3 packaging/release/prove.py --deb FILE --tar FILE [--pictures DIR] DEBIAN_ROOT [...]

Each DEBIAN_ROOT is a folder made by `debootstrap --variant=minbase`. In each, the .deb is installed by apt, an ordinary
user opens the window with Chromium's sandbox on, opens Notes and types a note; that it is stored and that the App Server
lives is looked at from outside; then the package is removed and what is left is counted. The same with the tar.gz.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[n]) for n in (1, 2)]
    from release.proving.commands import main

    sys.exit(main(sys.argv[1:], usage=__doc__))
