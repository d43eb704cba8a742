#!/usr/bin/env python3
"""Build the macOS app on a macOS runner: bundle, sign, notarise, disk image. NEVER RUN by us: checked by its tests alone.

python3 packaging/macos/build.py --tree dist/lime-desktop --out dist --version 0.1.0 --icons DIR [--identity NAME] [--profile NAME]

The tree is the one that `python3 packaging/release.py --only tree` made on macOS; --icons holds PNG files named by their
size. Without --identity the app is signed ad hoc, which runs on the machine that built it and nowhere else.
"""

import argparse
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(1, str(Path(__file__).resolve().parents[2]))

from lime_desktop.stamping.pictures import icns

IDENTIFIER = "lime-desktop"
# What the web engine's processes need under the hardened runtime; nothing that the product does not use.
ENTITLEMENTS: dict[str, Any] = {
    "com.apple.security.cs.allow-jit": True,
    "com.apple.security.cs.allow-unsigned-executable-memory": True,
    # Python's modules and Qt's libraries are signed by us, and a person may replace Qt's.
    "com.apple.security.cs.disable-library-validation": True,
}


def info_plist(version: str) -> dict[str, Any]:
    """What the system reads about the app: names, links, file types."""
    return {
        "CFBundleIdentifier": IDENTIFIER,
        "CFBundleName": "Lime Desktop",
        "CFBundleDisplayName": "Lime Desktop",
        "CFBundleExecutable": "lime-desktop",
        "CFBundleIconFile": "lime-desktop.icns",
        "CFBundlePackageType": "APPL",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "CFBundleLocalizations": ["en", "zh-Hans"],
        "LSMinimumSystemVersion": "13.0",
        "NSHighResolutionCapable": True,
        "CFBundleURLTypes": [{"CFBundleURLName": "Lime Desktop", "CFBundleURLSchemes": ["lime"]}],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": f"{IDENTIFIER}.app-package",
                "UTTypeDescription": "Agent App",
                "UTTypeConformsTo": ["public.zip-archive"],
                "UTTypeTagSpecification": {"public.filename-extension": ["lapp"]},
            }
        ],
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Agent App",
                "CFBundleTypeRole": "Viewer",
                "LSItemContentTypes": [f"{IDENTIFIER}.app-package"],
                "LSHandlerRank": "Owner",
            }
        ],
    }


def make_bundle(tree: Path, icons: Path, version: str, out: Path) -> Path:
    """Lime Desktop.app, not yet signed."""
    bundle = out / "Lime Desktop.app"
    shutil.rmtree(bundle, ignore_errors=True)
    contents = bundle / "Contents"
    shutil.copytree(tree, contents / "MacOS", symlinks=True)
    resources = contents / "Resources"
    resources.mkdir()
    pictures = {int(path.stem): path.read_bytes() for path in icons.glob("*.png")}
    (resources / "lime-desktop.icns").write_bytes(icns(pictures))
    (contents / "Info.plist").write_bytes(plistlib.dumps(info_plist(version)))
    return bundle


def signing_commands(bundle: Path, identity: str, entitlements: Path) -> list[list[str]]:
    """Sign from the inside out: a seal covers what it holds."""
    sign = ["codesign", "--force", "--timestamp", "--options", "runtime", "--sign", identity]
    inner = sorted(
        (path for path in bundle.rglob("*") if path.suffix in {".dylib", ".so"} and path.is_file()),
        key=lambda path: len(path.parts),
        reverse=True,
    )
    programs = [*bundle.rglob("QtWebEngineProcess"), bundle / "Contents/MacOS/lime-app-server"]
    entitled = [*sign, "--entitlements", str(entitlements)]
    return [
        *([*sign, str(path)] for path in inner),
        *([*entitled, str(path)] for path in programs),
        [*entitled, str(bundle)],
    ]


def main() -> int:
    """Bundle, sign, make the disk image, notarise it."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--tree", "--out", "--icons"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--identity", default="-", help="of the keychain; default: ad hoc")
    parser.add_argument("--profile", help="of notarytool, in the keychain")
    options = parser.parse_args()
    if sys.platform != "darwin":
        sys.exit("Signing and disk images need macOS: run this on a macOS runner.")
    bundle = make_bundle(options.tree, options.icons, options.version, options.out)
    entitlements = options.out / "entitlements.plist"
    entitlements.write_bytes(plistlib.dumps(ENTITLEMENTS))
    for command in signing_commands(bundle, options.identity, entitlements):
        subprocess.run(command, check=True)
    image = options.out / f"lime-desktop-{options.version}.dmg"
    make = [
        "hdiutil",
        "create",
        "-volname",
        "Lime Desktop",
        "-srcfolder",
        bundle,
        "-ov",
        "-format",
        "UDZO",
        image,
    ]
    subprocess.run(make, check=True)
    if options.profile:
        notarise = [
            "xcrun",
            "notarytool",
            "submit",
            image,
            "--keychain-profile",
            options.profile,
            "--wait",
        ]
        subprocess.run(notarise, check=True)
        subprocess.run(["xcrun", "stapler", "staple", image], check=True)
    print(image)
    return 0


if __name__ == "__main__":
    sys.exit(main())
