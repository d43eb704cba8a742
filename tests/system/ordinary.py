"""Runs a command as file modes mean it: root's power to pass over them is given up first, and room may be short.

``python ordinary.py MAX_FILE_BYTES COMMAND...``; 0 leaves the size of files alone. Standard library only.
"""

import ctypes
import os
import resource
import sys

_DROP_FROM_BOUNDING_SET = 24
_PASSES_OVER_MODES = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH. Once they cannot be had, the next program starts without them."""


def main(max_file_bytes: int, command: list[str]) -> None:
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in _PASSES_OVER_MODES:
            libc.prctl(_DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)
    if max_file_bytes:
        # A write beyond it fails as on a disk that is full; Python ignores the signal that comes with it.
        resource.setrlimit(resource.RLIMIT_FSIZE, (max_file_bytes, max_file_bytes))
    os.execv(command[0], command)  # noqa: S606 - what the test chose


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
