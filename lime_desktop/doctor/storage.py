"""Is there somewhere to keep things: folders, space, and a keyring for secrets?"""

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from lime_desktop.doctor import probe
from lime_desktop.doctor.app_server import check_crashes
from lime_desktop.doctor.finding import Finding, Health, ill, poor, well

_GIB = 1024**3
_COMFORTABLE_BYTES = 2 * _GIB
_LEAST_BYTES = _GIB // 4

# Backends that hand secrets to the system. Others keep them in files, in the clear or nearly so.
_SYSTEM_KEYRINGS = {
    "keyring.backends.SecretService": "Secret Service",
    "keyring.backends.libsecret": "Secret Service",
    "keyring.backends.kwallet": "KWallet",
    "keyring.backends.macOS": "macOS Keychain",
    "keyring.backends.Windows": "Windows Credential Manager",
}
_NAME_KEYRINGS = """
import keyring
chosen = keyring.get_keyring()
for backend in getattr(chosen, "backends", [chosen]):
    print(type(backend).__module__)
"""


def check_folders() -> Iterator[Finding]:
    """Where data, settings and caches will be; none is made before it is needed."""
    try:
        import platformdirs  # noqa: PLC0415 - may be what is missing
    except ImportError:
        return
    of_user = platformdirs.PlatformDirs("lime-desktop", appauthor=False)
    yield _check_folder("data folder", of_user.user_data_path)
    yield _check_folder("settings folder", of_user.user_config_path)
    yield _check_folder("cache folder", of_user.user_cache_path)
    yield _check_space(of_user.user_data_path)
    yield from _check_databases(of_user.user_data_path)
    yield from check_crashes(of_user.user_data_path)


def _check_databases(data: Path) -> Iterator[Finding]:
    if not data.is_dir():
        return
    # In a process of its own: what it loads may be what is broken.
    answer = probe.ask(f"from lime_desktop.doctor.databases import tell; tell({str(data)!r})")
    if answer.failure is not None:
        fix = "Install Lime Desktop again"
        yield ill("databases", f"could not be read: {answer.failure}", fix)
        return
    for found in json.loads(answer.text):
        yield Finding(found["check"], Health(found["health"]), found["message"], found["fix"])


def _check_folder(check: str, folder: Path) -> Finding:
    try:
        with tempfile.TemporaryFile(dir=_nearest_existing(folder)):
            return well(check, str(folder))
    except OSError as refused:
        message = f"{folder} cannot be written: {refused.strerror}"
        return ill(check, message, "Make it yours, or free the disk")


def _check_space(folder: Path) -> Finding:
    free = shutil.disk_usage(_nearest_existing(folder)).free
    message = f"{free / _GIB:.1f} GiB free for data"
    if free < _LEAST_BYTES:
        return ill("disk space", message, "Free some space: databases need room to grow")
    if free < _COMFORTABLE_BYTES:
        return poor("disk space", message, "Free some space before installing apps or models")
    return well("disk space", message)


def _nearest_existing(folder: Path) -> Path:
    return next(each for each in (folder, *folder.parents) if each.exists())


def check_keyring() -> Finding:
    """Secrets go to the system's keyring; without one to an encrypted file, which is said here."""
    answer = probe.ask(_NAME_KEYRINGS)
    if answer.failure is not None:
        fix = "Run: pip install lime-desktop"
        return poor("keyring", f"could not be asked: {answer.failure}", fix)
    modules = answer.text.split()
    safe = [_SYSTEM_KEYRINGS[m] for m in modules if m in _SYSTEM_KEYRINGS]
    if safe:
        return well("keyring", safe[0])
    fix = "Start a keyring service (GNOME Keyring or KWallet) and unlock it"
    message = (
        "no system keyring: secrets are sealed in a file whose key lies beside it, for you alone"
    )
    return poor("keyring", message, fix)
