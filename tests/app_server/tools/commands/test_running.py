"""A command gets a clean environment, a folder, limits, and leaves nothing behind."""

import asyncio
import secrets
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from lime_desktop.app_server.tools.commands.running import (
    Command,
    CommandEnd,
    CommandLimits,
    run_command,
)
from lime_desktop.app_server.tools.commands.sandbox import Sandbox
from tests.app_server.bounded import run
from tests.app_server.tools.commands.conftest import NO_SANDBOX, until_gone

SHELL = shutil.which("sh") or "/bin/sh"


def unique_seconds() -> str:
    """A sleep that nobody else sleeps."""
    return f"600.{secrets.randbelow(10**9):09d}"


async def shell(
    script: str,
    folder: Path,
    sandbox: Sandbox,
    limits: CommandLimits | None = None,
    stdin: bytes = b"",
) -> CommandEnd:
    command = Command((SHELL, "-c", script), folder, stdin)
    return await run_command(command, limits or CommandLimits(), sandbox)


def test_output_and_exit_code_come_back(tmp_path: Path, sandbox: Sandbox) -> None:
    end = run(shell("cat; echo bad >&2; exit 3", tmp_path / "w", sandbox, stdin=b"hello"))
    assert (end.exit_code, end.stdout, end.stderr) == (3, b"hello", b"bad\n")


def test_no_shell_reads_the_arguments(tmp_path: Path, sandbox: Sandbox) -> None:
    program = shutil.which("printf") or "/usr/bin/printf"
    words = (program, "%s|", "$(id)", "a b", ";rm -rf .")
    end = run(run_command(Command(words, tmp_path / "w"), CommandLimits(), sandbox))
    assert end.stdout == b"$(id)|a b|;rm -rf .|"


def test_the_environment_is_clean(
    tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("HARMLESS", "even this")
    end = run(shell("env", tmp_path / "w", sandbox))
    names = {line.partition("=")[0] for line in end.stdout.decode().splitlines()}
    assert names <= {"PATH", "HOME", "TMPDIR", "LANG", "TERM", "PWD", "SHLVL", "_", "OLDPWD"}


def test_it_works_in_its_own_folder_and_what_it_writes_stays(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    end = run(shell("echo kept > note; pwd", tmp_path / "w", sandbox))
    assert end.stdout.decode().strip() == str(tmp_path / "w")
    assert (tmp_path / "w/note").read_text() == "kept\n"


def test_the_sandbox_hides_everything_else(tmp_path: Path, bubblewrap: Sandbox) -> None:
    (tmp_path / "private").write_text("secret")
    script = f"cat {tmp_path}/private; echo x > {tmp_path}/new; echo x > /usr/new"
    end = run(shell(script, tmp_path / "w", bubblewrap))
    assert b"secret" not in end.stdout
    assert end.exit_code != 0
    assert not (tmp_path / "new").exists()


def test_the_sandbox_hides_other_processes(tmp_path: Path, bubblewrap: Sandbox) -> None:
    end = run(shell("ls -d /proc/[0-9]* | wc -l", tmp_path / "w", bubblewrap))
    assert int(end.stdout) < 6


def test_root_has_no_rights_inside_and_changes_no_setting_of_the_machine(
    tmp_path: Path, bubblewrap: Sandbox
) -> None:
    """A hole: run as root, a command could write /proc/sys/kernel/core_pattern, and be run by the kernel outside the wall."""
    setting = "/proc/sys/kernel/core_pattern"
    script = f"""grep CapEff /proc/self/status
    cat {setting} > kept; cat kept > {setting} && echo written
    mount -t tmpfs none /usr && echo mounted"""
    end = run(shell(script, tmp_path / "w", bubblewrap))
    assert end.stdout == b"CapEff:\t0000000000000000\n"


def test_a_command_that_takes_too_long_is_ended_with_all_it_started(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    own, childs = unique_seconds(), unique_seconds()
    limits = CommandLimits(time_s=1.0)
    end = run(shell(f"sleep {childs} & sleep {own}", tmp_path / "w", sandbox, limits))
    assert end.was_too_slow
    run(until_gone(own))
    run(until_gone(childs))


def test_a_cancelled_command_leaves_nothing(tmp_path: Path, sandbox: Sandbox) -> None:
    seconds = unique_seconds()

    async def scene() -> None:
        running = asyncio.create_task(
            shell(f"touch started; sleep {seconds}", tmp_path / "w", sandbox)
        )
        while not (tmp_path / "w/started").exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.wait({running})
        assert running.cancelled()

    run(scene())
    run(until_gone(seconds))


def test_endless_output_is_cut_and_the_command_ended(tmp_path: Path, sandbox: Sandbox) -> None:
    limits = CommandLimits(output_bytes=100_000)
    end = run(shell("yes", tmp_path / "w", sandbox, limits))
    assert end.was_cut
    assert len(end.stdout) == 100_000


def test_memory_is_limited(tmp_path: Path, sandbox: Sandbox) -> None:
    """One line without an end must be held whole by `tail`."""
    limits = CommandLimits(memory_bytes=100 * 1024**2)
    script = "head -c 400000000 /dev/zero | tail -n 1 | wc -c"
    end = run(shell(script, tmp_path / "w", sandbox, limits))
    assert int(end.stdout or 0) < 400_000_000


def test_files_are_limited(tmp_path: Path, sandbox: Sandbox) -> None:
    limits = CommandLimits(file_bytes=1_000_000)
    run(shell("head -c 5000000 /dev/zero > big", tmp_path / "w", sandbox, limits))
    assert (tmp_path / "w/big").stat().st_size <= 1_000_000


def test_what_it_keeps_in_memory_as_files_is_limited(tmp_path: Path, bubblewrap: Sandbox) -> None:
    """A hole: /tmp, /dev/shm, /dev and the root itself took whatever the machine's memory holds."""
    limits = CommandLimits(temporary_bytes=1_000_000)
    places = ("/tmp", "/dev/shm", "/dev", "", "/run", "/run/lime", "/etc")  # noqa: S108 - the sandbox's own
    script = "; ".join(
        f"head -c 3000000 /dev/zero > {place}/big; wc -c < {place}/big" for place in places
    )
    end = run(shell(script, tmp_path / "w", bubblewrap, limits))
    sizes = [int(line) for line in end.stdout.split()]
    assert sizes
    assert max(sizes) <= 1_100_000
    assert sum(sizes) <= 2_200_000


def test_a_bubblewrap_without_sizes_keeps_temporary_files_on_the_disk(
    tmp_path: Path, bubblewrap: Sandbox
) -> None:
    older = replace(bubblewrap, can_limit_files_in_memory=False)
    limits = CommandLimits(file_bytes=1_000_000)
    end = run(
        shell("echo x > /tmp/y; echo x > /dev/shm/y || echo none", tmp_path / "w", older, limits)
    )
    assert end.stdout == b"none\n"
    assert (tmp_path / "w/.tmp/y").exists()


def test_a_command_that_starts_processes_without_end_is_stopped(
    tmp_path: Path, bubblewrap: Sandbox
) -> None:
    """A hole: nothing limited how many processes a command starts. Two children each, until it cannot go on."""
    limits = CommandLimits(processes=30, time_s=60)
    bomb = "n=0; while [ $n -lt 400 ]; do sleep 600 & n=$((n+1)); done; echo all of them"
    end = run(shell(bomb, tmp_path / "w", bubblewrap, limits))
    assert b"all of them" not in end.stdout
    assert end.exit_code != 0
    assert not end.was_too_slow


@pytest.mark.parametrize("machines_own", ["/tmp", "/dev/shm"])  # noqa: S108 - where programs lie on some machines
def test_a_program_that_lies_in_a_temporary_folder_is_found_inside(
    tmp_path: Path, bubblewrap: Sandbox, machines_own: str
) -> None:
    """A bug: the sandbox's own temporary folders covered it, and a checkout there could run no command."""
    with tempfile.TemporaryDirectory(dir=machines_own) as place:
        program = Path(place) / "program"
        program.write_text("#!/bin/sh\necho found\n", encoding="utf-8")
        program.chmod(0o755)
        end = run(
            run_command(Command((str(program),), tmp_path / "w"), CommandLimits(), bubblewrap)
        )
    assert (end.exit_code, end.stdout) == (0, b"found\n")


def test_a_program_that_is_gone_ends_as_a_shell_would_say_it(tmp_path: Path) -> None:
    gone = Command(("/nowhere/program",), tmp_path / "w")
    assert run(run_command(gone, CommandLimits(), NO_SANDBOX)).exit_code == 127


def test_a_program_that_is_gone_ends_likewise_inside(tmp_path: Path, bubblewrap: Sandbox) -> None:
    gone = Command(("/nowhere/program",), tmp_path / "w")
    assert run(run_command(gone, CommandLimits(), bubblewrap)).exit_code == 127
