"""What makes a product's app on macOS: its property list, its entitlements, its icon, and what is left to do there. NEVER RUN by us."""

import plistlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lime_desktop.stamping.brand import Brand
from lime_desktop.stamping.pictures import icns

# What the web engine's processes need under the hardened runtime; nothing that the product does not use.
_ENTITLEMENTS = {
    "com.apple.security.cs.allow-jit": True,
    "com.apple.security.cs.allow-unsigned-executable-memory": True,
    "com.apple.security.cs.disable-library-validation": True,
}
_STEPS = """What is left to do on macOS
===========================

1. On a Mac, freeze Lime Desktop:   python3 packaging/release.py --only tree
2. There, stamp on it:              lime-desktop ship YOUR_APP --base dist/lime-desktop --out out
3. Make "{name}.app": the stamped tree as Contents/MacOS, Info.plist in Contents, {id}.icns in Contents/Resources.
4. Sign everything in it from the inside out, with entitlements.plist for the programs: codesign --options runtime
5. Make a disk image, have it notarised, and staple the answer to it.

The app and the branding go in before it is signed: what is added later breaks the seal. None of these steps was tried
by Lime Desktop's authors: they have no Mac.
"""


def write_macos(brand: Brand, icons: Mapping[int, bytes], out: Path) -> tuple[Path, ...]:
    """Write the recipe, and give its files."""
    folder = out / "macos"
    folder.mkdir(exist_ok=True)
    bodies = {
        "Info.plist": plistlib.dumps(info_plist(brand)),
        "entitlements.plist": plistlib.dumps(_ENTITLEMENTS),
        f"{brand.id}.icns": icns(icons),
        "STEPS.txt": _STEPS.format(id=brand.id, name=brand.name).encode(),
    }
    for name, body in bodies.items():
        (folder / name).write_bytes(body)
    return tuple(folder / name for name in bodies)


def info_plist(brand: Brand) -> dict[str, Any]:
    """What the system reads about the app: names, links, file types."""
    kinds = {each.extension: f"{brand.bundle_id}.{each.extension}" for each in brand.file_types}
    return {
        "CFBundleIdentifier": brand.bundle_id,
        "CFBundleName": brand.name,
        "CFBundleDisplayName": brand.name,
        "CFBundleExecutable": brand.id,
        "CFBundleIconFile": f"{brand.id}.icns",
        "CFBundlePackageType": "APPL",
        "CFBundleShortVersionString": brand.version,
        "CFBundleVersion": brand.version,
        "CFBundleLocalizations": ["en", "zh-Hans"],
        "LSMinimumSystemVersion": "13.0",
        "NSHighResolutionCapable": True,
        "CFBundleURLTypes": [{"CFBundleURLName": brand.name, "CFBundleURLSchemes": [brand.scheme]}],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": kinds[each.extension],
                "UTTypeDescription": each.name,
                "UTTypeConformsTo": ["public.data"],
                "UTTypeTagSpecification": {"public.filename-extension": [each.extension]},
            }
            for each in brand.file_types
        ],
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": each.name,
                "CFBundleTypeRole": "Viewer",
                "LSItemContentTypes": [kinds[each.extension]],
                "LSHandlerRank": "Owner",
            }
            for each in brand.file_types
        ],
    }
