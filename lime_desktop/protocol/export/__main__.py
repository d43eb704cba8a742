"""`python -m lime_desktop.protocol.export`: write every generated file, or check that all are fresh."""

import argparse
import sys
from pathlib import Path

from lime_desktop.protocol.export.files import generated_files

RESOURCES = Path(__file__).resolve().parents[3] / "resources"


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 1 means that a check found stale files."""
    parser = argparse.ArgumentParser(prog="python -m lime_desktop.protocol.export")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
    parser.add_argument("--to", type=Path, default=RESOURCES, help="where resources/ is")
    options = parser.parse_args(arguments)
    target: Path = options.to
    stale = {path: text for path, text in generated_files().items() if _read(target / path) != text}
    for path, text in stale.items():
        sys.stderr.write(f"{'stale' if options.check else 'wrote'} {path}\n")
        if not options.check:
            _write(target / path, text)
    return int(bool(stale) and bool(options.check))


def _read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.is_file() else None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
