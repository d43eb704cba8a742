#!/usr/bin/env python3
"""Build what people install from this checkout. Needs Python 3.11 with its shared library, git and binutils.

python3 packaging/release.py                 wheel, frozen tree, .deb, tar.gz, SBOM, checksums, into dist/
python3 packaging/release.py --check         say what would be built and what is missing, and build nothing
python3 packaging/release.py --help          the other options
"""

import sys
from pathlib import Path

# This file must parse on Python 3.6, so that an old Python gets as far as this sentence.
if sys.version_info < (3, 11):  # noqa: UP036
    found = "{}.{}".format(*sys.version_info[:2])
    sys.exit(
        f"Releases are built with Python 3.11 or newer, and {sys.executable} is Python {found}."
    )

# The table of system libraries is the doctor's; it is plain Python and can be read before any install.
sys.path.insert(1, str(Path(__file__).resolve().parent.parent))

if __name__ == "__main__":
    from release.commands import main

    sys.exit(main(sys.argv[1:]))
