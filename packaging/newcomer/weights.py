"""The weights of the demo model: brought once, so that a fresh machine can try an agent. Never a reason to stop."""

import json
import os
import subprocess
import time
from pathlib import Path

from newcomer.console import say
from newcomer.environment import Environment
from newcomer.obstacles import explain

MODEL = "smollm2-135m"


def bring_weights(environment: Environment) -> bool:
    """See to it that the demo model is installed; tells whether it is. Starts nothing once it is."""
    if _is_there(_known_place(environment)):
        return True
    say("→ Fetching the demo model (93 MB, once); the first screen offers better ones")
    started = time.monotonic()
    done = subprocess.run(
        [environment.python, "-m", "lime_desktop", "models", "install", MODEL, "--json"],
        cwd=environment.root,
        # Without a network it should say so soon.
        env={"PIP_RETRIES": "1", **os.environ},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        _explain(done.stderr)
        return False
    say(f"  done in {time.monotonic() - started:.1f} s")
    _remember(environment, done.stdout)
    return True


def _is_there(weights: Path) -> bool:
    """Tell whether the file can be seen; in a folder that another user closed it cannot, and is fetched again."""
    try:
        return weights.exists()
    except OSError:
        return False


def _explain(said: str) -> None:
    lines = [line for line in said.splitlines() if line.strip()]
    say(f"  not now: {lines[0] if lines else 'the command failed'}")
    say("  Lime Desktop works without it, and the first screen offers better ones.")
    say(f"  To fetch it later: lime-desktop models install {MODEL}, or Settings in the window.")


def _remember(environment: Environment, said: str) -> None:
    """Keep where they lie, so that the next start need not ask. Without it the next start asks again."""
    try:
        path = json.loads(said.splitlines()[-1])["path"]
        _record(environment).write_text(json.dumps({"path": path}), encoding="utf-8")
    except OSError as error:
        say(f"  where it lies could not be kept. {explain(error)}")
    except (ValueError, KeyError, TypeError, IndexError):
        say("  where it lies was not told; the next start asks again")


def _record(environment: Environment) -> Path:
    return environment.log.with_name("weights.json")


def _known_place(environment: Environment) -> Path:
    try:
        return Path(json.loads(_record(environment).read_text(encoding="utf-8"))["path"])
    except (OSError, ValueError, KeyError, TypeError):
        return environment.root / "no weights are known yet"
