"""Which system libraries that Qt WebEngine needs are missing, and what installs them.

Qt's wheels bring Qt and Chromium but leave these to the distribution. The first start would fail on
them one at a time; this names them all at once. The bootstrap script reads this file before
anything is installed.
"""

import ctypes
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable

# Debian package -> the sonames in it that Qt WebEngine and its xcb and wayland platforms load.
DEBIAN_PACKAGES: dict[str, tuple[str, ...]] = {
    "libasound2": ("libasound.so.2",),
    "libbrotli1": ("libbrotlidec.so.1",),
    "libdbus-1-3": ("libdbus-1.so.3",),
    "libdrm2": ("libdrm.so.2",),
    "libegl1": ("libEGL.so.1",),
    "libexpat1": ("libexpat.so.1",),
    "libfontconfig1": ("libfontconfig.so.1",),
    "libfreetype6": ("libfreetype.so.6",),
    "libgbm1": ("libgbm.so.1",),
    "libgl1": ("libGL.so.1",),
    "libglib2.0-0": ("libglib-2.0.so.0", "libgthread-2.0.so.0"),
    "libgssapi-krb5-2": ("libgssapi_krb5.so.2",),
    "libnspr4": ("libnspr4.so",),
    "libnss3": ("libnss3.so", "libnssutil3.so", "libsmime3.so"),
    "libudev1": ("libudev.so.1",),
    "libwayland-client0": ("libwayland-client.so.0",),
    "libwayland-cursor0": ("libwayland-cursor.so.0",),
    "libwayland-egl1": ("libwayland-egl.so.1",),
    "libx11-6": ("libX11.so.6",),
    "libx11-xcb1": ("libX11-xcb.so.1",),
    "libxcb-cursor0": ("libxcb-cursor.so.0",),
    "libxcb-dri3-0": ("libxcb-dri3.so.0",),
    "libxcb-glx0": ("libxcb-glx.so.0",),
    "libxcb-icccm4": ("libxcb-icccm.so.4",),
    "libxcb-image0": ("libxcb-image.so.0",),
    "libxcb-keysyms1": ("libxcb-keysyms.so.1",),
    "libxcb-randr0": ("libxcb-randr.so.0",),
    "libxcb-render-util0": ("libxcb-render-util.so.0",),
    "libxcb-render0": ("libxcb-render.so.0",),
    "libxcb-shape0": ("libxcb-shape.so.0",),
    "libxcb-shm0": ("libxcb-shm.so.0",),
    "libxcb-sync1": ("libxcb-sync.so.1",),
    "libxcb-util1": ("libxcb-util.so.1",),
    "libxcb-xfixes0": ("libxcb-xfixes.so.0",),
    "libxcb-xkb1": ("libxcb-xkb.so.1",),
    "libxcb1": ("libxcb.so.1",),
    "libxcomposite1": ("libXcomposite.so.1",),
    "libxdamage1": ("libXdamage.so.1",),
    "libxext6": ("libXext.so.6",),
    "libxfixes3": ("libXfixes.so.3",),
    "libxkbcommon-x11-0": ("libxkbcommon-x11.so.0",),
    "libxkbcommon0": ("libxkbcommon.so.0",),
    "libxkbfile1": ("libxkbfile.so.1",),
    "libxrandr2": ("libXrandr.so.2",),
    "libxtst6": ("libXtst.so.6",),
    "zlib1g": ("libz.so.1",),
}
# Renamed when Debian 13 and Ubuntu 24.04 moved to 64-bit time.
_RENAMED_T64 = frozenset({"libasound2", "libglib2.0-0"})


def missing_libraries() -> tuple[str, ...]:
    """Name the sonames that cannot be loaded here; none where Qt's wheels bring everything."""
    if sys.platform != "linux":
        return ()
    every = (soname for sonames in DEBIAN_PACKAGES.values() for soname in sonames)
    return tuple(soname for soname in every if not _loads(soname))


def apt_line(packages: Iterable[str]) -> str:
    """Give the one line a person pastes to install these packages."""
    return " ".join(["sudo apt-get update && sudo apt-get install -y", *packages])


def debian_packages(sonames: Iterable[str]) -> tuple[str, ...]:
    """Name the packages that hold these libraries, as this release of Debian or Ubuntu calls them."""
    wanted = set(sonames)
    names = [name for name, held in DEBIAN_PACKAGES.items() if wanted & set(held)]
    suffix = "t64" if names and _uses_t64_names() else ""
    return tuple(name + suffix if name in _RENAMED_T64 else name for name in names)


def has_apt() -> bool:
    """Tell whether Debian's package tool is what installs libraries here."""
    return shutil.which("apt-get") is not None


def _loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def _uses_t64_names() -> bool:
    known = _apt_knows("libasound2t64")
    return _release_uses_t64() if known is None else known


def _apt_knows(package: str) -> bool | None:
    """Ask apt's lists; None where there are none yet, as in a fresh container."""
    apt_cache = shutil.which("apt-cache")
    if apt_cache is None:
        return None
    command = [apt_cache, "pkgnames", "libasound2"]
    names = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()  # noqa: S603 - the arguments are fixed
    return package in names if {package, "libasound2"} & set(names) else None


def _release_uses_t64() -> bool:
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return False
    first = {"debian": (13,), "ubuntu": (24, 4)}.get(release.get("ID", ""))
    version = tuple(
        int(part) for part in release.get("VERSION_ID", "").split(".") if part.isdigit()
    )
    # A release with no number is Debian's testing or unstable, which are newer than any number.
    return first is not None and (not version or version >= first)
