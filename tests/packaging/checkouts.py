"""A checkout that the bootstrap can set up without fetching anything: a stand-in for uv plays the installer."""

from pathlib import Path

FAKE_UV = """#!/bin/sh
echo "$@" >> {calls}
if [ "$1" = venv ]; then mkdir -p {root}/.venv/bin; cp {root}/programs/no-python {root}/.venv/bin/python; exit; fi
touch {root}/.venv/installed
{ending}
"""


def write_fake_uv(root: Path, ending: str = "true") -> None:
    programs = root / "programs"
    programs.mkdir(exist_ok=True)
    script = FAKE_UV.format(calls=root / "calls", root=root, ending=ending)
    write_program(programs / "uv", script)
    write_program(programs / "no-python", "#!/bin/sh\necho no venv either; exit 1\n")


def write_program(path: Path, script: str) -> None:
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)
