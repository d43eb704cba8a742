"""What a process that reads a stranger's bytes starts with and may use at most."""

import os
import sys

MEMORY_BYTES = 2 * 1024**3
_OPEN_FILES = 64


def bare_environment(*more: str) -> dict[str, str]:
    """Enough for Python to find this program, and none of the tokens that may lie around."""
    kept = {"PATH", "SYSTEMROOT", "LANG", "LC_ALL", *more}
    paths = os.pathsep.join(path for path in sys.path if path)
    return {**{name: os.environ[name] for name in kept & os.environ.keys()}, "PYTHONPATH": paths}


def limit_this_process(
    *,
    memory_bytes: int = MEMORY_BYTES,
    written_bytes: int | None = 0,
    processor_s: int | None = None,
) -> None:
    """Bound memory, descriptors, the size of each file that is written and, where asked for, the processor's time.

    Does nothing where the system knows no such limits; whoever started the process then has its clock alone.
    """
    try:
        import resource  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_OPEN_FILES, _OPEN_FILES))
    if written_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (written_bytes, written_bytes))
    if processor_s is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (processor_s, processor_s))
