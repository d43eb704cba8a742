"""The command that proves a release in clean systems."""

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from newcomer.console import StoppedError, say

from release.proving.clean_system import CleanSystem
from release.proving.screen import Screen
from release.proving.steps import Proof, prove_deb, prove_tar

_TOOLS = ("Xvfb", "xdotool", "import", "unshare", "pivot_root", "setpriv")


def main(arguments: Sequence[str], *, usage: str | None) -> int:
    """Prove each file in each system; the exit code says whether all held."""
    parser = argparse.ArgumentParser(
        description=usage, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("roots", nargs="+", type=Path, metavar="DEBIAN_ROOT")
    parser.add_argument("--deb", type=Path)
    parser.add_argument("--tar", type=Path)
    parser.add_argument("--pictures", type=Path, default=Path("pictures"))
    parser.add_argument("--display", type=int, default=87, help="the number of the virtual screen")
    options = parser.parse_args(arguments)
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"These programs are needed and missing: {', '.join(missing)}", file=sys.stderr)
        return 3
    options.pictures.mkdir(parents=True, exist_ok=True)
    proofs: list[Proof] = []
    try:
        with Screen(options.display) as screen:
            for root in options.roots:
                system = CleanSystem(root.resolve(), screen.number)
                if options.deb:
                    proofs.append(
                        prove_deb(system, screen, options.deb.resolve(), options.pictures)
                    )
                if options.tar:
                    proofs.append(
                        prove_tar(system, screen, options.tar.resolve(), options.pictures)
                    )
    except StoppedError as stopped:
        print(f"\n{stopped}", file=sys.stderr)
        return 1
    for proof in proofs:
        say(
            f"{proof.name}: {', '.join(f'{step} {seconds} s' for step, seconds in proof.seconds.items())}"
        )
        say(f"  picture: {proof.picture}")
    return 0
