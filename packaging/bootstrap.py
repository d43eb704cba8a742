#!/usr/bin/env python3
"""Set up this checkout, then start Lime Desktop or check it. Needs nothing but Python 3.11.

python3 packaging/bootstrap.py run [-- COMMAND ...]    start Lime Desktop, or run one of its commands
python3 packaging/bootstrap.py test [PYTEST ARGS ...]  run what CI runs: linters, types, tests
python3 packaging/bootstrap.py test --strict [...]     the same, and a test that fails is never tried again
python3 packaging/bootstrap.py check                   run the same without the tests
"""

import sys
from pathlib import Path

# This file must parse on Python 3.6, so that an old Python gets as far as this sentence.
if sys.version_info < (3, 11):  # noqa: UP036
    found = "{}.{}".format(*sys.version_info[:2])
    sys.exit(f"Lime Desktop needs Python 3.11 or newer, and {sys.executable} is Python {found}.")

# The doctor knows the system libraries; it is plain Python and can be read before any install.
sys.path.insert(1, str(Path(__file__).resolve().parent.parent))

if __name__ == "__main__":
    from newcomer.commands import main

    sys.exit(main(sys.argv[1:], usage=__doc__))
