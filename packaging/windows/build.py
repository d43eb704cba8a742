#!/usr/bin/env python3
"""Build and sign the Windows installer on a Windows runner. NEVER RUN by us: it is checked by its tests and by reading.

python packaging/windows/build.py --tree dist/lime-desktop --out dist [--certificate FILE.pfx]

The tree is the one that `python packaging/release.py --only tree` made on Windows. The certificate's passphrase is in the
first line of --passphrase-file; signing needs osslsigncode, the installer needs makensis.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TIMESTAMP = "LIME_TIMESTAMP_URL"


def installer_command(tree: Path, icon: Path, version: str, target: Path) -> list[str]:
    """The command that makes the installer."""
    given = {"VERSION": version, "TREE": tree, "ICON": icon, "OUT": target}
    defined = [f"-D{name}={value}" for name, value in given.items()]
    return ["makensis", "-WX", *defined, str(HERE / "lime-desktop.nsi")]


def signing_command(program: Path, signed: Path, certificate: Path, passphrase: Path) -> list[str]:
    """The command that signs one file; the passphrase stays out of the list of processes."""
    stamp = os.environ.get(TIMESTAMP)
    return [
        *("osslsigncode", "sign", "-h", "sha256", "-pkcs12", str(certificate)),
        *("-readpass", str(passphrase), "-n", "Lime Desktop"),
        # Without a time stamp a signature ends with its certificate.
        *(("-ts", stamp) if stamp else ()),
        *("-in", str(program), "-out", str(signed)),
    ]


def sign(program: Path, certificate: Path, passphrase: Path) -> None:
    """Sign a file in its place."""
    signed = program.with_suffix(".signed")
    subprocess.run(signing_command(program, signed, certificate, passphrase), check=True)
    signed.replace(program)


def main() -> int:
    """Sign the two executables, make the installer, sign that."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--icon", type=Path, required=True)
    parser.add_argument("--certificate", type=Path)
    parser.add_argument("--passphrase-file", type=Path)
    options = parser.parse_args()
    if options.certificate and not options.passphrase_file:
        parser.error("--certificate needs --passphrase-file")
    programs = [options.tree / "lime-desktop.exe", options.tree / "lime-app-server.exe"]
    missing = [str(path) for path in programs if not path.exists()]
    if missing:
        sys.exit(
            f"The tree lacks {', '.join(missing)}. Make it first: python packaging/release.py --only tree"
        )
    target = options.out / f"lime-desktop-{options.version}-setup.exe"
    if options.certificate:
        for program in programs:
            sign(program, options.certificate, options.passphrase_file)
    subprocess.run(
        installer_command(
            options.tree.resolve(), options.icon.resolve(), options.version, target.resolve()
        ),
        check=True,
    )
    if options.certificate:
        sign(target, options.certificate, options.passphrase_file)
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
